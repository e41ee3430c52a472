"""What a session store does. It keeps bytes and numbers; what they mean is the journal's business.

A turn is two commits. `begin_turn` takes the session's only turn slot under a lease; `commit_turn` writes the
whole record and frees the slot. Between them `record_effect` writes down what is about to happen outside.
"""

from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from typing import Protocol

from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import Lifecycle

DEFAULT_LEASE_SECONDS = 15.0


class Slot(Record, frozen=True):
    """The turn that a session has open: who holds it, until when, and how it was opened."""

    turn_id: str
    holder: str
    lease_until: float
    opened: bytes


class SessionHead(Record, frozen=True):
    """A session without its history. `version` and `digest` are those of its newest record."""

    id: str
    owner: str
    title: str
    lifecycle: Lifecycle
    version: int
    digest: bytes
    created_at: float
    updated_at: float
    slot: Slot | None = None


class StoredRecord(Record, frozen=True):
    """One record of a session: the events of a turn as bytes, and the digest of it and all before it.

    `client_key` is given when the record is written; it is read back from the events.
    """

    version: int
    events: bytes
    digest: bytes
    client_key: str | None = None


class Snapshot(Record, frozen=True):
    """The state after record `version`, so that nobody has to fold from the beginning."""

    version: int
    state_version: int
    state: bytes
    digest: bytes


class TurnRequest(Record, frozen=True):
    """A wish to open a turn. Sent twice with the same `turn_id` and `holder` it is the same wish.

    `expected_digest` is that of the newest record the sender knows; None when it knows only the number.
    """

    turn_id: str
    holder: str
    expected_version: int
    opened: bytes
    expected_digest: bytes | None = None
    client_key: str | None = None
    lease_seconds: float = DEFAULT_LEASE_SECONDS


class Ticket(Record, frozen=True):
    """The right to commit the open turn, as long as nobody took the slot over."""

    session_id: str
    turn_id: str
    holder: str
    version: int
    lease_seconds: float


def ticket_for(head: SessionHead, turn_id: str, request: TurnRequest) -> Ticket:
    """The ticket of whoever sent the request, for the next record of the session."""
    return Ticket(head.id, turn_id, request.holder, head.version + 1, request.lease_seconds)


def is_behind(head: SessionHead, request: TurnRequest) -> bool:
    """Whether the sender's session is not the one that is stored: older, or another history."""
    digest = request.expected_digest
    return request.expected_version != head.version or (digest is not None and digest != head.digest)


class Opened(Record, frozen=True):
    """The slot is ours."""

    ticket: Ticket


class Repeated(Record, frozen=True):
    """The client's key was seen before: this is the record of that turn."""

    record: StoredRecord


class Held(Record, frozen=True):
    """Somebody alive holds the slot."""

    slot: Slot


class Behind(Record, frozen=True):
    """The session went on: its newest record is `version`."""

    version: int


class Interrupted(Record, frozen=True):
    """A turn was left open by a holder that is gone. The slot is ours now, to settle that turn first."""

    ticket: Ticket
    slot: Slot
    effects: tuple[bytes, ...]


Beginning = Opened | Repeated | Held | Behind | Interrupted


class NewSession(Record, frozen=True):
    id: str
    owner: str
    title: str
    first: StoredRecord


class TokenKind(StrEnum):
    """What a token opens: `bearer` is shown with every request; `link` is exchanged once for a `cookie`,
    which a browser keeps."""

    BEARER = "bearer"
    LINK = "link"
    COOKIE = "cookie"


class StoredToken(Record, frozen=True):
    """Who a token stands for. The token itself is kept nowhere: only its digest is."""

    id: str
    digest: str
    owner: str
    title: str
    kind: TokenKind
    created_at: float
    expires_at: float | None = None


class Desk(Protocol):
    """What servers over one store have in common beside sessions: tokens, and wishes to stop a turn."""

    def add_token(self, token: StoredToken) -> None: ...

    def token(self, digest: str) -> StoredToken | None:
        """The token of a digest, unless it is expired."""

    def take_token(self, digest: str) -> StoredToken | None:
        """The same, and it is gone: of two who ask at once, one gets it."""

    def tokens(self) -> list[StoredToken]:
        """All of them, the oldest first."""

    def drop_token(self, token_id: str) -> bool:
        """Whether there was one."""

    def turn_of(self, session_id: str, client_key: str) -> StoredRecord | None:
        """The record of the turn that a client took with this key."""

    def wish(self, turn_id: str) -> None:
        """Somebody wants the turn to stop, whoever takes it."""

    def wished(self, turn_ids: Collection[str]) -> frozenset[str]:
        """Which of these turns somebody wants to stop. They are forgotten with it."""


class SessionStore(Protocol):
    @property
    def desk(self) -> Desk: ...

    def create(self, session: NewSession) -> None:
        """Add a session with its first record. Raises SessionExists."""

    def head(self, session_id: str) -> SessionHead:
        """Raises SessionNotFound, as does everything below that takes an id."""

    def heads(self, *, owner: str | None = None, limit: int = 100, offset: int = 0) -> list[SessionHead]:
        """The sessions, most recently changed first."""

    def snapshot(self, session_id: str) -> Snapshot | None: ...

    def records(self, session_id: str, after: int = -1, upto: int | None = None) -> Iterator[StoredRecord]:
        """The records with `after < version <= upto`, in order."""

    def begin_turn(self, session_id: str, request: TurnRequest) -> Beginning:
        """Try to open a turn. Raises SessionClosed or SessionCancelled for a session that ended."""

    def renew(self, ticket: Ticket) -> bool:
        """Lengthen the lease; False when the slot was taken over."""

    def record_effect(self, ticket: Ticket, effect: bytes) -> None:
        """Write an effect's event down, durably, beside the open turn. Raises SessionConflict when lost."""

    def commit_turn(
        self,
        ticket: Ticket,
        record: StoredRecord,
        *,
        lifecycle: Lifecycle = Lifecycle.OPEN,
        snapshot: Snapshot | None = None,
    ) -> None:
        """Write the record and free the slot, all or nothing. Raises SessionConflict when it is lost."""

    def adopt(self, session: NewSession, rest: Iterable[StoredRecord], lifecycle: Lifecycle) -> None:
        """Add a session with all its records at once, as an import does. Raises SessionExists."""

    def delete(self, session_id: str) -> None:
        """Remove a session. What its bytes leave behind in files goes with `scrub`."""

    def delete_idle(self, before: float, lifecycles: frozenset[Lifecycle]) -> list[str]:
        """Remove the sessions in one of the lifecycles whose last change is older; their ids.

        One that is taking a turn right now stays.
        """

    def scrub(self) -> None:
        """After deletions: leave nothing of them in the files, as far as the database can."""

    def close(self) -> None: ...
