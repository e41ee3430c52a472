"""How a request takes a turn: whose session it is, what is asked, and the response to it."""

from collections.abc import Sequence
from typing import Final

from dragoman.contracts.actions import Action
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.record import Record
from dragoman.contracts.state import SessionState
from dragoman.contracts.turn_result import TurnResult
from dragoman.web.chat_response import ChatResponse
from dragoman.web.chat_view import Standing, chat_response
from dragoman.web.door import Door, Identity
from dragoman.workspace.turn_progress import Listener

_WAIT_SECONDS: Final = 10.0
_RESUMED_SECONDS: Final = 600.0
"""Whoever comes back for the rest of a turn waits for it as long as it may take, wherever it is taken."""


class Said(Record, frozen=True):
    """A message."""

    message: str
    connection: str = ""
    as_sql: bool = False


Asked = Said | Action


class Wish(Record, frozen=True):
    """What a request says of the turn that it takes, beside what is asked."""

    key: str | None = None
    expected: int | None = None
    last_event: str | None = None
    stream: bool = False


def take(
    door: Door, session_id: str, asked: Asked, wish: Wish, listeners: Sequence[Listener] = ()
) -> TurnResult:
    """Take the turn. Anybody who may use the session can stop it, at any server."""
    cancel, workspace = Cancellation(), door.workspace
    waits = _WAIT_SECONDS if wish.last_event is None else _RESUMED_SECONDS
    with workspace.stoppable(cancel) as begun:
        if isinstance(asked, Said):
            return workspace.ask(
                session_id,
                asked.message,
                client_key=wish.key,
                expected_version=wish.expected,
                wait_seconds=waits,
                listeners=(begun, *listeners),
                cancel=cancel,
                connection=asked.connection,
                as_sql=asked.as_sql,
            )
        return workspace.act(
            session_id,
            asked,
            client_key=wish.key,
            expected_version=wish.expected,
            wait_seconds=waits,
            listeners=(begun, *listeners),
            cancel=cancel,
        )


def take_own(door: Door, identity: Identity, session_id: str, asked: Asked, wish: Wish) -> bytes:
    """The turn of one's own session, and the response as JSON."""
    door.own(identity, session_id)
    result = take(door, session_id, asked, wish)
    return response_to(door, session_id, result).model_dump_json().encode()


def response_to(door: Door, session_id: str, result: TurnResult) -> ChatResponse:
    state = door.workspace.state_after(session_id, result.turn)
    return chat_response(_standing(door, session_id, state), result)


def response_at(door: Door, session_id: str, turn: int) -> ChatResponse:
    """The session as it stood after a turn, with what came of that; after none, as it was opened."""
    workspace = door.workspace
    if turn:
        return response_to(door, session_id, workspace.turn_result(session_id, turn))
    return chat_response(_standing(door, session_id, workspace.state_after(session_id, 0)), None)


def _standing(door: Door, session_id: str, state: SessionState) -> Standing:
    workspace = door.workspace
    return Standing(
        session_id,
        state,
        workspace.available_actions(state),
        workspace.can_run(state),
        workspace.question_message(state, session_id),
    )
