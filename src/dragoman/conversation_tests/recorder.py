"""A dialogue made from a session: what was said, and what came of it as what is expected."""

from typing import Any

import msgspec

from dragoman.contracts import events as ev
from dragoman.conversation_tests.dialogue import GOLD_ROWS, Expectation
from dragoman.conversation_tests.turn_line import TurnLine, plain, turn_line
from dragoman.workspace import Workspace

_ALWAYS = (Expectation.TRANSITION, Expectation.MODE, Expectation.ANSWER_MODE, Expectation.ROUTE)


def record_dialogue(workspace: Workspace, session_id: str) -> bytes:
    """The session as one line of a file of dialogues. What was interrupted or closed is no turn of it."""
    turns: list[dict[str, Any]] = []
    language = ""
    for events, state, result in workspace.history(session_id):
        opened = next((event for event in events if isinstance(event, ev.TurnOpened)), None)
        if opened is None or result.transition is None or not _was_closed(events):
            continue
        read = next((event for event in events if isinstance(event, ev.MessageRead)), None)
        language = language or (read.language if read else "")
        turns.append(_turn(turn_line(session_id, len(turns) + 1, opened.message, result, state)))
    dialogue = {"id": session_id, "lang": language, "tags": ["recorded"], "turns": turns}
    return msgspec.json.encode(dialogue) + b"\n"


def _was_closed(events: list[ev.SessionEvent]) -> bool:
    return any(isinstance(event, ev.TurnClosed) for event in events)


def _turn(line: TurnLine) -> dict[str, Any]:
    told = plain(line)
    expected: dict[str, Any] = {e.value: told[e.label] for e in _ALWAYS}
    if line.entry_transition != line.transition:
        expected[Expectation.ENTRY_TRANSITION] = line.entry_transition
    expected[Expectation.CARRYOVER] = line.carryover
    if line.meta_kind is not None:
        expected[Expectation.META_KIND] = line.meta_kind
    expected[Expectation.STATE] = told["state"]
    if line.rows is not None:
        expected[Expectation.ROWS] = told["rows"][:GOLD_ROWS]
    return {"user": line.user, **expected}
