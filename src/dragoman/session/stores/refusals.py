"""The refusals every store words alike."""

from dragoman.contracts.errors import (
    SessionCancelled,
    SessionClosed,
    SessionConflict,
    SessionExists,
    SessionNotFound,
)
from dragoman.contracts.vocabulary import Lifecycle
from dragoman.session.stores.protocol import Ticket

_ANEW = "it can still be read and exported; start a new session to go on asking"


def not_found(session_id: str) -> SessionNotFound:
    return SessionNotFound(
        f"there is no session {session_id!r} here",
        hint="`dragoman sessions list` shows the sessions of this workspace",
        session_id=session_id,
    )


def exists(session_id: str) -> SessionExists:
    return SessionExists(
        f"there is a session {session_id!r} already",
        hint="import it under a new id (--new-id), or delete the other one first",
        session_id=session_id,
    )


def refuse_ended(session_id: str, lifecycle: Lifecycle) -> None:
    match lifecycle:
        case Lifecycle.OPEN:
            return
        case Lifecycle.CLOSED:
            raise SessionClosed(f"session {session_id} is closed", hint=_ANEW, session_id=session_id)
        case Lifecycle.CANCELLED:
            raise SessionCancelled(f"session {session_id} was cancelled", hint=_ANEW, session_id=session_id)


def lost(ticket: Ticket) -> SessionConflict:
    return SessionConflict(
        f"turn {ticket.version} of session {ticket.session_id} was taken over while it was held up",
        hint="nothing of it was recorded; ask again",
        session_id=ticket.session_id,
    )
