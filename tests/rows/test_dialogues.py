"""Dialogues over rows of any table, as they are read: classes, modes, the object in hand, what was found."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from dragoman import Workspace
from dragoman.contracts.turn_result import TurnResult

FILE: Final = Path(__file__).with_name("dialogues.txt")


class Line(NamedTuple):
    message: str
    transition: str
    mode: str
    held: str
    wanted: str


def _dialogues() -> list[tuple[str, tuple[Line, ...]]]:
    found: list[tuple[str, tuple[Line, ...]]] = []
    for block in FILE.read_text("utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            name, *turns = lines
            found.append((name.removeprefix("@"), tuple(_line(turn) for turn in turns)))
    return found


def _line(text: str) -> Line:
    fields = [field.strip() for field in text.split("|")]
    return Line(*(fields + [""] * 5)[:5])


DIALOGUES: Final = _dialogues()


@pytest.mark.parametrize(("name", "lines"), DIALOGUES, ids=lambda each: each if isinstance(each, str) else "")
def test_a_dialogue_is_read_as_written(
    place: Callable[[str], Workspace], name: str, lines: tuple[Line, ...]
) -> None:
    workspace = place(name)
    session = workspace.new_session()
    for line in lines:
        result = workspace.ask(session, line.message)
        told = f"{line.message}: {result.transition} {result.answer_mode} {result.program} {result.message}"
        assert str(result.transition) == line.transition, told
        assert str(result.answer_mode) == line.mode, told
        assert not line.held or _held(workspace, session) == line.held, told
        assert _has(result, line.wanted), told


def _held(workspace: Workspace, session: str) -> str:
    frame = workspace.state(session).frames.selected_object
    return "-" if frame is None else f"{frame.focus_object_kind} {frame.focus_object_ref.id}"


def _has(result: TurnResult, wanted: str) -> bool:
    if wanted.startswith("= "):
        return any(wanted.removeprefix("= ") == str(cell) for row in result.rows for cell in row)
    return wanted in result.program
