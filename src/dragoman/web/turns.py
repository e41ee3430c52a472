"""How a request takes a turn: whose session it is, what is asked, and the response to it."""

from collections.abc import Callable, Sequence
from typing import Protocol

from dragoman.contracts.actions import Action
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.record import Record
from dragoman.contracts.state import SessionState
from dragoman.contracts.turn_result import TurnResult
from dragoman.web.chat_response import ChatResponse
from dragoman.web.chat_view import Standing, chat_response
from dragoman.web.door import Door, Identity
from dragoman.workspace import Workspace
from dragoman.workspace.turn_stages import Progress

Listener = Callable[[Progress], None]


class Wish(Record, frozen=True):
    """What a request says of the turn that it takes, beside what is asked."""

    key: str | None = None
    expected: int | None = None
    last_event: str | None = None
    stream: bool = False


class Taker(Protocol):
    """Takes the turn, as `Workspace.ask` and `Workspace.act` do."""

    def __call__(
        self,
        workspace: Workspace,
        session_id: str,
        *,
        client_key: str | None,
        expected_version: int | None,
        listeners: Sequence[Listener],
        cancel: Cancellation,
    ) -> TurnResult: ...


class Said:
    """A message."""

    def __init__(self, message: str, *, connection: str = "", as_sql: bool = False) -> None:
        self._message = message
        self._connection = connection
        self._as_sql = as_sql

    def __call__(
        self,
        workspace: Workspace,
        session_id: str,
        *,
        client_key: str | None,
        expected_version: int | None,
        listeners: Sequence[Listener],
        cancel: Cancellation,
    ) -> TurnResult:
        return workspace.ask(
            session_id,
            self._message,
            client_key=client_key,
            expected_version=expected_version,
            listeners=listeners,
            cancel=cancel,
            connection=self._connection,
            as_sql=self._as_sql,
        )


class Done:
    """An action."""

    def __init__(self, action: Action) -> None:
        self._action = action

    def __call__(
        self,
        workspace: Workspace,
        session_id: str,
        *,
        client_key: str | None,
        expected_version: int | None,
        listeners: Sequence[Listener],
        cancel: Cancellation,
    ) -> TurnResult:
        return workspace.act(
            session_id,
            self._action,
            client_key=client_key,
            expected_version=expected_version,
            listeners=listeners,
            cancel=cancel,
        )


def take(
    door: Door, session_id: str, taker: Taker, wish: Wish, listeners: Sequence[Listener] = ()
) -> TurnResult:
    """Take the turn. Anybody who may use the session can stop it, at any server."""
    cancel = Cancellation()
    with door.workspace.stoppable(cancel) as begun:
        return taker(
            door.workspace,
            session_id,
            client_key=wish.key,
            expected_version=wish.expected,
            listeners=(begun, *listeners),
            cancel=cancel,
        )


def response_to(door: Door, session_id: str, result: TurnResult) -> ChatResponse:
    state = door.workspace.state_after(session_id, result.turn)
    return chat_response(standing(door, session_id, state), result)


def take_own(door: Door, identity: Identity, session_id: str, taker: Taker, wish: Wish) -> bytes:
    """The turn of one's own session, and the response as JSON."""
    door.own(identity, session_id)
    result = take(door, session_id, taker, wish)
    return response_to(door, session_id, result).model_dump_json().encode()


def standing(door: Door, session_id: str, state: SessionState) -> Standing:
    workspace = door.workspace
    return Standing(
        session_id,
        state,
        workspace.available_actions(state),
        workspace.can_run(state),
        workspace.question_message(state, session_id),
    )


def response_at(door: Door, session_id: str, turn: int | None = None) -> ChatResponse:
    """The session as it stands, or stood after a turn, with what came of that turn."""
    workspace = door.workspace
    if turn is None:
        turn = workspace.session(session_id).version
    result = workspace.turn_result(session_id, turn) if turn else None
    state = workspace.state_after(session_id, turn)
    return chat_response(standing(door, session_id, state), result)
