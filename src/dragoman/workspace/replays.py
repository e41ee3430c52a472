"""A session folded again from its first record, and compared with what the store holds."""

from dragoman.contracts.errors import ReplayMismatch
from dragoman.contracts.record import Record
from dragoman.contracts.state import SessionState
from dragoman.session import codec
from dragoman.session.folded import load, replay
from dragoman.session.stores.protocol import SessionStore


class Replay(Record, frozen=True):
    """A session folded again from its first record, and found to be what the store says."""

    session_id: str
    records: int
    events: int
    digest: str
    state: SessionState


def replayed(store: SessionStore, session_id: str) -> Replay:
    """Fold a session again. Raises `ReplayMismatch` where it is not what the store holds, byte for byte."""
    # The session may go on meanwhile: what it is now is compared up to now.
    head = store.head(session_id)
    kept, again = load(store, session_id, head.version), replay(store, session_id, head.version)
    one, two = codec.encode_state(kept.state), codec.encode_state(again.state)
    told = (head.version, head.lifecycle)
    if one != two or told != (again.state.version, again.state.lifecycle):
        raise ReplayMismatch(
            f"session {session_id} does not fold to what is stored of it",
            hint="its records are intact: export and import it to make its state anew",
            session_id=session_id,
        )
    records = store.records(session_id, -1, head.version)
    events = sum(len(codec.decode_events(record.events)) for record in records)
    return Replay(session_id, again.state.version + 1, events, again.digest.hex(), again.state)
