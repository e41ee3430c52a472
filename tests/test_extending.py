"""Every transition class has all that docs/extending.md asks for, and the page names what exists."""

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Final

import pytest

from dragoman import turn
from dragoman.answering import answers, boundaries, programs, questions
from dragoman.answering.phrases import phrases
from dragoman.answering.sentences import Wording
from dragoman.answering.steps import STEPS
from dragoman.contracts.vocabulary import Move, TransitionClass
from dragoman.locales.registry import languages
from dragoman.session.moves import MOVES, RESUMED
from dragoman.session.registry import BY_CLASS
from tools.checkout import ROOT

PAGE: Final = ROOT / "docs" / "extending.md"
STAGES: Final = {Move.ANSWER: turn._answer, Move.RUN: turn._run_in_hand}
"""The two moves that run a program: their stages stand in the corridor."""

WITHOUT_WORDS: Final = {TransitionClass.X_EDIT}
"""Entered by a program, which is the same in every language."""

every_class = pytest.mark.parametrize("entry", TransitionClass)


@every_class
def test_a_class_is_declared_and_has_a_move_with_one_step(entry: TransitionClass) -> None:
    assert entry in BY_CLASS
    move = MOVES[entry]
    assert (move in STEPS) != (move in STAGES)


def test_no_move_and_no_step_is_left_over() -> None:
    made = {*MOVES.values(), *RESUMED.values(), Move.ASK_TO_WRITE, Move.RESOLVE}
    assert made == set(Move)
    assert {*STEPS, *STAGES} == set(Move)


@every_class
def test_a_class_has_phrases_in_every_language(entry: TransitionClass) -> None:
    move = MOVES[entry]
    said = set(_said(STEPS[move] if move in STEPS else STAGES[move]))
    assert said, f"{entry} says nothing"
    for language in languages():
        spoken = phrases(language)
        assert {key for key in said if not spoken.knows(key)} == set(), language


@every_class
def test_a_class_has_words_in_every_language(entry: TransitionClass) -> None:
    spoken = {language for language, entered in _dialogues() if entered == entry}
    assert entry in WITHOUT_WORDS or set(languages()) <= spoken


@every_class
def test_a_class_has_its_row_in_the_documentation(entry: TransitionClass) -> None:
    named = re.compile(rf"(?<![\w]){entry}(?![\w])")
    table = (ROOT / "docs" / "conversation.md").read_text("utf-8")
    first_cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ")]
    assert any(named.search(cell) for cell in first_cells)
    reference = (ROOT / "docs" / "reference" / "transitions.md").read_text("utf-8")
    assert named.search(reference)


def test_the_page_names_files_that_exist() -> None:
    tracked = {
        path.relative_to(ROOT).as_posix()
        for top in ("src", "docs", "tests", "tools", "examples")
        for path in (ROOT / top).rglob("*")
    }
    named = set(re.findall(r"`([\w./-]+/[\w.-]+|[\w-]+\.(?:py|yaml|md))`", PAGE.read_text("utf-8")))
    assert named
    missing = {name for name in named if not re.search(r"NAME|LANG", name)}
    missing = {name for name in missing if not any(f"/{path}".endswith(f"/{name}") for path in tracked)}
    assert missing == set()


def test_the_page_names_what_is_in_the_code() -> None:
    text = PAGE.read_text("utf-8")
    for section in ("A planner", "A transition class"):
        assert f"\n## {section}\n" in text
    table = text.partition("## A transition class")[2]
    for name in ("TransitionClass", "Signal", "Move", "MOVES", "STEPS"):
        assert f"`{name}`" in table


# What a step says, found in its code.


def _said(function: Callable[..., object], seen: set[object] | None = None) -> Iterator[str]:
    """The keys of all phrases that a function of the room says, itself or through others of the room."""
    seen = set() if seen is None else seen
    if function in seen or not isinstance(function, FunctionType):
        return
    seen.add(function)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name == "say" and node.args:
                yield from _keys(node.args[0], tree)
            called = _called(node.func, function)
            if called is not None:
                yield from _said(called, seen)


def _keys(said: ast.expr, tree: ast.Module) -> Iterator[str]:
    """The texts that a key may be: written where it is said, or given to its name before."""
    values = [said]
    if isinstance(said, ast.Name):
        assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
        values = [
            n.value for n in assigned for to in n.targets if isinstance(to, ast.Name) and to.id == said.id
        ]
    for value in values:
        for part in (value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


def _called(called: ast.expr, inside: FunctionType) -> FunctionType | None:
    """The function of the room that is called: by its name, through its module, or of the wording."""
    found: object = None
    match called:
        case ast.Name(id=name):
            found = inside.__globals__.get(name)
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            found = vars(Wording).get(name)
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            owner = inside.__globals__.get(module)
            found = getattr(owner, name, None) if isinstance(owner, ModuleType) else None
        case ast.Attribute(value=ast.Attribute(attr="wording"), attr=name):
            found = vars(Wording).get(name)
    rooms = ("dragoman.answering.", "dragoman.turn")
    if isinstance(found, FunctionType) and found.__module__.startswith(rooms):
        return found
    return None


def test_what_steps_say_is_found() -> None:
    assert "failed_run" in set(_said(turn._answer))
    assert {"cleared"} == set(_said(STEPS[Move.CLEAR]))
    for module in (answers, boundaries, programs, questions):
        keys = {key for _, f in inspect.getmembers(module, inspect.isfunction) for key in _said(f)}
        assert all(phrases("en").knows(key) for key in keys)


def _dialogues() -> Iterator[tuple[str, str]]:
    """The language of every turn of a dialogue, and the class as which it is entered."""
    for file in sorted((ROOT / "tests" / "dialogues").glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            dialogue = json.loads(line)
            for each in dialogue["turns"]:
                yield dialogue.get("lang", ""), each.get("entry_transition") or each.get("expect_transition")
