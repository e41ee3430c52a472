"""A session folded from its records: every digest checked, from the newest snapshot or from the start."""

from collections.abc import Iterator, Sequence

from dragoman.contracts import events as ev
from dragoman.contracts.errors import EventCorrupt, RecordError, SchemaNewer
from dragoman.contracts.record import Record
from dragoman.contracts.state import STATE_VERSION, SessionState
from dragoman.session import codec
from dragoman.session.reducer import UNOPENED, fold_record
from dragoman.session.stores import protocol as p


class Folded(Record, frozen=True):
    """A session as far as it was folded, and the digest of its newest record."""

    state: SessionState
    digest: bytes


START = Folded(UNOPENED, codec.GENESIS)
"""Before the first record."""


def load(store: p.SessionStore, session_id: str, upto: int | None = None) -> Folded:
    """A session from its snapshot and the records after it; without a usable snapshot, from the start."""
    snapshot = store.snapshot(session_id)
    if snapshot is not None and snapshot.state_version == STATE_VERSION:
        own = next(store.records(session_id, snapshot.version - 1, snapshot.version), None)
        fits = upto is None or snapshot.version <= upto
        if fits and own is not None and codec.chain(own.digest, snapshot.state) == snapshot.digest:
            start = Folded(codec.decode_state(snapshot.state), own.digest)
            return unroll(store.records(session_id, snapshot.version, upto), start)
    return replay(store, session_id, upto)


def replay(store: p.SessionStore, session_id: str, upto: int | None = None) -> Folded:
    """A session folded from its first record, every digest checked."""
    return unroll(store.records(session_id, -1, upto), START)


def unroll(records: Iterator[p.StoredRecord], folded: Folded) -> Folded:
    state, digest = folded.state, folded.digest
    for record in records:
        if record.version != state.version + 1:
            raise missing_record(state.version + 1)
        digest = checked_digest(digest, record)
        state = fold_record(state, record.version, _decoded(record))
    return Folded(state, digest)


def _decoded(record: p.StoredRecord) -> list[ev.SessionEvent]:
    try:
        return codec.decode_events(record.events)
    except (RecordError, SchemaNewer) as error:
        where = {**error.details, "version": record.version}
        raise type(error)(f"record {record.version}: {error.message}", hint=error.hint, **where) from error


def missing_record(version: int) -> EventCorrupt:
    return EventCorrupt(
        f"record {version} of the session is missing", hint="restore the store from a backup", version=version
    )


def checked_digest(previous: bytes, record: p.StoredRecord) -> bytes:
    digest = codec.chain(previous, record.events)
    if digest != record.digest:
        raise EventCorrupt(
            f"record {record.version} of the session is not what was written",
            hint="restore the store from a backup, or export the records before it",
            version=record.version,
        )
    return digest


def record_of(
    version: int, events: Sequence[ev.SessionEvent], previous: bytes, client_key: str | None = None
) -> p.StoredRecord:
    data = codec.encode_events(events)
    return p.StoredRecord(version, data, codec.chain(previous, data), client_key)


def snapshot_of(folded: Folded) -> p.Snapshot:
    data = codec.encode_state(folded.state)
    return p.Snapshot(folded.state.version, STATE_VERSION, data, codec.chain(folded.digest, data))
