"""A fork: a session that goes on from the state which another one had after one of its turns.

Its first record says where it comes from. The records behind it are those of the other session up to that
turn, event for event, in a chain of digests of its own. So it needs the other session for nothing: it is
folded, exported and replayed like any.
"""

from msgspec.structs import replace

from dragoman.contracts import events as ev
from dragoman.contracts.errors import SessionReadOnly, TurnNotFound
from dragoman.contracts.origin import ForkedFrom
from dragoman.contracts.vocabulary import Lifecycle
from dragoman.session import codec
from dragoman.session.archive import client_key_of
from dragoman.session.folded import START, record_of, unroll
from dragoman.session.stores.protocol import NewSession, SessionStore, StoredRecord


def fork(store: SessionStore, source: str, turn: int, session_id: str, opened: ev.SessionOpened) -> None:
    """Store a new session with the turns of another up to `turn`; 0 is the one without any."""
    newest = store.head(source).version
    if not 0 <= turn <= newest:
        raise TurnNotFound(
            f"session {source} has no turn {turn}",
            hint=f"its turns are 1 to {newest}; 0 is the beginning",
            session_id=source,
            turn=turn,
        )
    records = tuple(store.records(source, -1, turn))
    # Every digest is checked: what is damaged is not copied.
    folded = unroll(iter(records), START)
    if folded.state.lifecycle is not Lifecycle.OPEN:
        raise SessionReadOnly(
            f"after turn {turn} session {source} is {folded.state.lifecycle}: nothing goes on from there",
            hint=f"fork it after turn {turn - 1}",
            session_id=source,
        )
    origin = ForkedFrom(source, turn, folded.digest.hex())
    first = record_of(0, [replace(opened, forked=origin)], codec.GENESIS)
    rest: list[StoredRecord] = []
    digest = first.digest
    for record in records[1:]:
        digest = codec.chain(digest, record.events)
        key = client_key_of(codec.decode_events(record.events))
        rest.append(StoredRecord(record.version, record.events, digest, key))
    store.adopt(NewSession(session_id, opened.owner, opened.title, first), rest, Lifecycle.OPEN)
