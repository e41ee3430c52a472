"""Sessions as JSON lines: a line for the head, one for each record. What comes in is checked whole first."""

from collections.abc import Iterator

import msgspec

from dragoman.contracts import events as ev
from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import DragomanError, ImportRefused, SessionIdRefused
from dragoman.contracts.record import Record
from dragoman.contracts.state import SessionState
from dragoman.guards.session_id import accept_session_id
from dragoman.session import codec
from dragoman.session.enforcement import judge
from dragoman.session.reducer import UNOPENED, fold_record
from dragoman.session.stores.protocol import NewSession, SessionStore, StoredRecord

FORMAT = "dragoman.session"
FORMAT_VERSION = 1


class Header(Record, frozen=True):
    """The first line of an export."""

    format: str
    version: int
    session: str
    owner: str
    title: str
    records: int
    digest: str


def export_lines(store: SessionStore, session_id: str) -> Iterator[str]:
    head = store.head(session_id)
    records = list(store.records(session_id, -1, head.version))
    digest = records[-1].digest.hex()
    header = Header(FORMAT, FORMAT_VERSION, head.id, head.owner, head.title, len(records), digest)
    yield msgspec.json.encode(header).decode()
    for record in records:
        events = record.events.decode()
        yield f'{{"record":{record.version},"digest":"{record.digest.hex()}","events":{events}}}'


def import_lines(store: SessionStore, text: str, session_id: str | None = None) -> str:
    """Read, fold and judge every record, and only then store the session. Returns its id."""
    # Not splitlines: a message may hold other line separators, which JSON leaves as they are.
    lines = text.removesuffix("\n").split("\n")
    header = _header(lines[0] if lines else "")
    if len(lines) - 1 != header.records:
        raise ImportRefused(
            f"the file has {len(lines) - 1} records, its first line says {header.records}",
            hint="it was cut off or edited; export the session again",
        )
    records: list[StoredRecord] = []
    state, digest = UNOPENED, codec.GENESIS
    for number, line in enumerate(lines[1:], 2):
        record, events = _record(line, number, len(records), digest)
        state = _judged(state, record, events, number)
        if record.version == 0:
            _check_opening(header, events)
        digest = record.digest
        records.append(record)
    if not records or digest.hex() != header.digest:
        raise ImportRefused("the last record is not the one the first line names", hint="export it again")
    new = NewSession(accept_session_id(session_id or header.session), header.owner, header.title, records[0])
    store.adopt(new, records[1:], state.lifecycle)
    return new.id


def _check_opening(header: Header, events: list[ev.SessionEvent]) -> None:
    opened = events[0]
    if not isinstance(opened, ev.SessionOpened) or (opened.owner, opened.title) != (
        header.owner,
        header.title,
    ):
        raise ImportRefused(
            "owner or title in line 1 are not those of the session", hint="export it again", line=1
        )


def _header(line: str) -> Header:
    try:
        header = decoded(line, Header)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ImportRefused(
            f"line 1 is not the head of an exported session: {error}",
            hint="give a file made by `dragoman sessions export`",
            line=1,
        ) from error
    try:
        accept_session_id(header.session)
    except SessionIdRefused as error:
        raise ImportRefused(f"line 1: {error.message}", hint=error.hint, line=1) from error
    if header.format != FORMAT or header.version != FORMAT_VERSION:
        raise ImportRefused(
            f"line 1 says {header.format} {header.version}; known is {FORMAT} {FORMAT_VERSION}",
            hint="import it with the Dragoman that exported it",
            line=1,
        )
    return header


def _record(
    line: str, number: int, version: int, previous: bytes
) -> tuple[StoredRecord, list[ev.SessionEvent]]:
    try:
        raw = decoded(line, _Line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ImportRefused(f"line {number} is not a record: {error}", line=number) from error
    if raw.record != version:
        raise ImportRefused(f"line {number} is record {raw.record}, not {version}", line=number)
    # The events as they stand in the line, byte for byte: the digest is of these.
    data = bytes(raw.events)
    digest = codec.chain(previous, data)
    if digest.hex() != raw.digest:
        raise ImportRefused(
            f"line {number} was changed after it was exported", hint="export it again", line=number
        )
    try:
        events = codec.decode_events(data)
    except DragomanError as error:
        raise ImportRefused(f"line {number}: {error.message}", hint=error.hint, line=number) from error
    return StoredRecord(version, data, digest, client_key_of(events)), events


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    record: int
    digest: str
    events: msgspec.Raw


def client_key_of(events: list[ev.SessionEvent]) -> str | None:
    """The key under which a repetition finds the turn; an abandoned turn has none."""
    match events:
        case [ev.TurnOpened(client_key=key), *_, last] if not isinstance(last, ev.TurnAbandoned):
            return key
        case _:
            return None


def _judged(
    state: SessionState, record: StoredRecord, events: list[ev.SessionEvent], line: int
) -> SessionState:
    try:
        judge(state, events)
    except DragomanError as error:
        raise ImportRefused(f"line {line}: {error.message}", line=line) from error
    return fold_record(state, record.version, events)
