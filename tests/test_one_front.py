"""One front, one catalog, one lookup: a program has the same verdict and the same rows at every door.

Every program that a dialogue leaves in hand goes through what `check`, `convert` and `run` call, in the
folder of the conversation, and is compared with what the turn said of it. A run takes longer than all else:
every day one program of each shape in a file of dialogues is run, in a long proof every program.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
import psycopg
import pytest

from dragoman import Workspace
from dragoman.catalog.lookup import look_up
from dragoman.contracts.program import Diagnostic, Program
from dragoman.contracts.run import RunStatus
from dragoman.contracts.turn_result import ResultRows
from dragoman.contracts.vocabulary import Notation, Phase
from dragoman.conversation_tests.dialogue import Dialogue
from dragoman.conversation_tests.dialogue_file import read_dialogues
from dragoman.language.front import read_program
from dragoman.language.nested_calls import lift
from dragoman.language.parameters import head_of
from dragoman.language.program_names import is_kebab
from dragoman.language.source import Source
from dragoman.packs.demo import demo_script
from dragoman.packs.pack_files import load_shipped
from dragoman.workspace.pipelines import Pipelines
from dragoman.workspace.programs import Programs
from tests.answering.places import dragoman, pack_workspace
from tests.conftest import LONG

HERE: Final = Path(__file__).parent
FILES: Final = [*sorted((HERE / "dialogues").glob("*.jsonl")), HERE / "data" / "trade_dialogues.jsonl"]
DATABASES: Final = sorted((HERE / "answerable").glob("*.jsonl"))
STOCK: Final = '(inventory.stock :organization "1" :as-of 2020-03-31)'
PRINTED: Final = "stock of Beta Retail on 31 March 2020"
REFUSED: Final = frozenset({Phase.SYNTAX_ERROR, Phase.SEMANTIC_ERROR, Phase.DEPENDENCY_ERROR})


class Written(msgspec.Struct, frozen=True):
    """A program that a turn left in hand: the verdict on it, and the rows where the turn ran it."""

    text: str
    notation: Notation
    phase: Phase
    diagnostics: tuple[Diagnostic, ...]
    rows: ResultRows | None


def _written(workspace: Workspace, dialogues: Sequence[Dialogue]) -> Iterator[Written]:
    """Every distinct program of the dialogues; of equal ones the one that was run, if any was."""
    found: dict[tuple[str, Phase], Written] = {}
    for dialogue in dialogues:
        session = workspace.new_session()
        for turn in dialogue.turns:
            if workspace.session(session).lifecycle != "open":
                break
            read: list[ResultRows] = []
            workspace.ask(session, turn.user, on_result=read.append)
            program = workspace.state(session).program
            rows = read[-1] if read else None
            known = found.get((program.source, program.phase))
            if program.source and (known is None or known.rows is None):
                found[program.source, program.phase] = Written(
                    program.source, program.notation, program.phase, program.diagnostics, rows
                )
    yield from found.values()


def _dialogues(file: Path) -> list[Dialogue]:
    return list(read_dialogues(file.read_text("utf-8"), file.name).dialogues)


def _hold(folder: Path, dialogues: Sequence[Dialogue]) -> int:
    """Hold the dialogues, take every program through the commands' functions; how many showed rows."""
    with Workspace.open(folder) as workspace:
        programs = list(_written(workspace, dialogues))
    bench, pipelines = Programs.open(folder), Pipelines(folder)
    shown = 0
    run: set[object] = set()
    for program in programs:
        _check(bench, program)
        if program.phase not in (Phase.READY, Phase.DONE):
            continue
        _convert(bench, program)
        if program.rows is None:
            continue
        shown += 1
        steps = _steps(program.text, program.notation)
        _look_up(bench, program.text, steps, program.rows)
        shape = program.text if LONG else _shape(steps)
        if shape not in run:
            run.add(shape)
            _run(bench, pipelines, program, program.rows)
    return shown


def _shape(steps: Program) -> object:
    """What two programs have in common that differ only in what they ask for: verbs and kinds of values."""
    return tuple(
        (step.verb, tuple((argument.name, type(argument.value)) for argument in step.arguments))
        for step in steps
    )


def _check(bench: Programs, program: Written) -> None:
    done = bench.compile(Source(program.text), program.notation)
    match program.phase:
        case Phase.READY | Phase.DONE:
            assert done.ok, (program.text, done)
        case Phase.UNRESOLVED_REFS:
            assert done.unresolved, program.text
        case phase if phase in REFUSED:
            assert done.diagnostics == program.diagnostics, program.text


def _convert(bench: Programs, program: Written) -> None:
    """To the other notation and back: the same steps. A program without a head has got a name."""
    other = Notation.VERBS if program.notation is Notation.OML else Notation.OML
    there = bench.convert(Source(program.text), program.notation, other)
    assert isinstance(there, str), (program.text, there)
    assert bench.compile(Source(there), other).ok, there
    back = bench.convert(Source(there), other, program.notation)
    assert isinstance(back, str), (there, back)
    assert _steps(back, program.notation) == _steps(program.text, program.notation)
    head = head_of(read_program(Source(back), program.notation).statements)
    assert head is not None
    assert is_kebab(str(head.arguments[0].value.value))  # type: ignore[union-attr]


def _steps(text: str, notation: Notation) -> Program:
    statements = lift(read_program(Source(text), notation).statements)
    return statements if head_of(statements) is None else statements[1:]


def _look_up(bench: Programs, text: str, steps: Program, rows: ResultRows) -> None:
    """A lookup gives the cells that the turn showed."""
    found = look_up(bench.catalog, steps)
    assert (found.columns, found.rows) == (rows.columns, rows.rows), text


def _run(bench: Programs, pipelines: Pipelines, program: Written, rows: ResultRows) -> None:
    """A run gives the values that the turn showed; it exports amounts as numbers."""
    manifest = bench.compile(Source(program.text), program.notation).manifest
    assert manifest is not None
    outcome = pipelines.run(manifest.data)
    assert outcome.record.status is RunStatus.DONE, outcome.record.fault
    # What stands for a value in it is a step of its own, before it.
    *_, look = outcome.looks.values()
    assert look.columns == tuple(column.name for column in rows.columns)
    assert not look.more
    assert [[_value(cell) for cell in row] for row in look.rows] == [
        [_value(cell) for cell in row] for row in rows.rows
    ], program.text


def _value(cell: object) -> object:
    try:
        return Decimal(str(cell)).normalize()
    except InvalidOperation:
        return None if cell is None else str(cell)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_program_of_every_dialogue_passes_check_convert_and_run(file: Path, tmp_path: Path) -> None:
    assert _hold(tmp_path, _dialogues(file)) > 5


def test_every_program_of_the_acceptance_dialogues_passes_on_postgresql(
    postgres_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = _trade_on_postgres(postgres_database, tmp_path, monkeypatch)
    assert _hold(folder, _dialogues(FILES[-1])) > 5


@pytest.mark.parametrize("file", DATABASES, ids=lambda file: file.stem)
def test_every_program_over_tables_passes_check_and_run(file: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "data.sqlite")) as connection:
        connection.executescript((HERE / "unanswerable" / f"{file.stem}.sql").read_text("utf-8"))
    dragoman("init", str(tmp_path / "data.sqlite"), "-w", str(tmp_path))
    assert _hold(tmp_path, _dialogues(file)) > 5


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f'(oml.pipeline :name "x" :nonsense 1)\n{STOCK}', "unknown_key"),
        (f'(oml.pipeline :name "Not Kebab")\n{STOCK}', "bad_name"),
        ('(inventory.stock :organization "${params.who}" :as-of 2020-03-31)', "unknown_parameter"),
        (f'(oml.pipeline :name "x" :params {{:day {{:type "date"}}}})\n{STOCK}', "missing_parameter"),
    ],
)
def test_what_the_workbench_refuses_is_refused_in_a_conversation(
    text: str, code: str, tmp_path: Path
) -> None:
    at_the_bench = Programs.open(tmp_path).compile(Source(text), Notation.VERBS)
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        workspace.ask(session, text)
        program = workspace.state(session).program
    assert [finding.code for finding in at_the_bench.diagnostics] == [code]
    assert program.phase is Phase.SYNTAX_ERROR
    assert program.diagnostics == at_the_bench.diagnostics


def test_what_ask_prints_passes_check_and_run_where_the_demo_was_asked(tmp_path: Path) -> None:
    _ask_check_and_run(tmp_path)
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "printed.verbs").write_text((tmp_path / "printed.verbs").read_text())
    # Nobody asked anything in this folder: the demo is made when something runs.
    _check_and_run(alone)


def test_what_ask_prints_passes_check_and_run_in_a_workspace(tmp_path: Path) -> None:
    _ask_check_and_run(pack_workspace("trade", tmp_path))


def test_what_ask_prints_passes_check_and_run_on_postgresql(
    postgres_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _ask_check_and_run(_trade_on_postgres(postgres_database, tmp_path, monkeypatch))


def _trade_on_postgres(url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As somebody would set it up who has the data there: one command, and the pack that ships."""
    with psycopg.connect(url) as connection:
        connection.execute(demo_script(load_shipped("trade")).encode())
    made = dragoman("init", url, "--pack", "trade", "-w", str(folder), "--json")
    for variable in json.loads(made)["variables"]:
        monkeypatch.setenv(variable, urlsplit(url).password or "")
    return folder


def _ask_check_and_run(folder: Path) -> None:
    answer = json.loads(dragoman("ask", PRINTED, "--json", cwd=folder))
    assert answer["answer_mode"] == "confirmed"
    (folder / "printed.verbs").write_text(answer["program"], encoding="utf-8")
    columns, rows = _check_and_run(folder)
    assert columns == [column["name"] for column in answer["columns"]]
    assert [[_value(cell) for cell in row] for row in rows] == [
        [_value(cell) for cell in row] for row in answer["rows"]
    ]


def _check_and_run(folder: Path) -> tuple[list[str], list[list[object]]]:
    assert dragoman("check", "printed.verbs", cwd=folder) == "printed.verbs: ok\n"
    dragoman("compile", "printed.verbs", cwd=folder)
    (look,) = json.loads(dragoman("run", "printed.verbs", "--json", cwd=folder))["rows"].values()
    return look["columns"], look["rows"]
