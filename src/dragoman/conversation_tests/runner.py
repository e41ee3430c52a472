"""Holding dialogues, each in a fresh session, turn by turn."""

import time
from collections.abc import Iterable, Iterator

import msgspec

from dragoman.contracts.errors import DragomanError
from dragoman.contracts.state import SessionState
from dragoman.contracts.turn_result import ResultRows
from dragoman.conversation_tests.comparison import Difference, differences
from dragoman.conversation_tests.dialogue import Dialogue, DialogueTurn, Expectation
from dragoman.conversation_tests.places import Place
from dragoman.conversation_tests.turn_line import TurnLine, failed_line, turn_line
from dragoman.workspace import Workspace


class TestedTurn(msgspec.Struct, frozen=True):
    """A turn that was held: what came of it, and what of that was not expected."""

    __test__ = False

    turn: DialogueTurn
    line: TurnLine
    differences: tuple[Difference, ...]
    session: str = ""
    """The session it can be looked at in afterwards."""

    @property
    def failed_unexpectedly(self) -> bool:
        """Whether the turn could not be taken, and nothing said that it could not."""
        return self.line.error is not None and Expectation.ERROR not in self.turn.expected


def run_dialogues(dialogues: Iterable[Dialogue], place: Place) -> Iterator[TestedTurn]:
    """Every turn of every dialogue, the moment it was held. Nothing that happens in one ends the run."""
    for dialogue in dialogues:
        yield from _run(dialogue, place)


def _run(dialogue: Dialogue, place: Place) -> Iterator[TestedTurn]:
    try:
        workspace = place.workspace(dialogue)
        session = workspace.new_session(title=f"test {dialogue.id}")
    except Exception as error:  # noqa: BLE001 - as for a turn: the dialogues after it are still wanted
        for number, turn in enumerate(dialogue.turns, 1):
            line = failed_line(dialogue.id, number, turn.user, error, None)
            yield TestedTurn(turn, line, differences(turn, line))
        return
    went_well = True
    for number, turn in enumerate(dialogue.turns, 1):
        line = _hold(workspace, session, dialogue.id, number, turn.user)
        found = differences(turn, line)
        went_well = went_well and not found
        yield TestedTurn(turn, line, found, session if place.keeps_sessions else "")
    if went_well and place.keeps_sessions:
        workspace.delete_session(session)


def _hold(workspace: Workspace, session: str, dialogue: str, number: int, user: str) -> TurnLine:
    read: list[ResultRows] = []
    began = time.perf_counter()
    try:
        result = workspace.ask(session, user, on_result=read.append)
    except Exception as error:  # noqa: BLE001 - a defect fails its turn, and the next ones are still wanted
        return failed_line(dialogue, number, user, error, _state(workspace, session), _ms_since(began))
    spent = _ms_since(began)
    rows = read[-1] if read else None
    return turn_line(dialogue, number, user, result, workspace.state(session), rows, spent)


def _state(workspace: Workspace, session: str) -> SessionState | None:
    try:
        return workspace.state(session)
    except DragomanError:
        return None


def _ms_since(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 3)
