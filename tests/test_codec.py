"""Events and states as bytes: what was written is read back, what was not is refused by its code."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dragoman.contracts import events as ev
from dragoman.contracts.errors import (
    DragomanError,
    EventCorrupt,
    EventUnknown,
    EventUnknownField,
    InternalError,
    RecordError,
    ReplayMismatch,
    SchemaNewer,
    StoreError,
)
from dragoman.contracts.record import Record
from dragoman.contracts.state import STATE_VERSION, SessionState
from dragoman.session import codec, folded, journal
from dragoman.session.codec import EventCodec, Lift, Raw, chain, decode_events, decode_state, encode_events
from dragoman.session.stores.sql import SqlStore
from dragoman.session.stores.sqlite import open_sqlite_store
from dragoman.workspace import Workspace
from tests import strategies as some

Path_ = tuple[str | int, ...]
"""Where something stands inside decoded JSON: keys and positions from the outside in."""


# What was written is read back.


@given(st.tuples(*some.events.values()))
def test_events_survive_their_bytes(one_of_each: tuple[ev.SessionEvent, ...]) -> None:
    data = encode_events(one_of_each)
    read = decode_events(data)
    assert tuple(read) == one_of_each
    assert encode_events(read) == data


@some.examples(0.5)
@given(some.event_lists)
def test_the_slow_road_reads_what_the_quick_one_reads(events: list[ev.SessionEvent]) -> None:
    """Bytes with one foreign event are read one by one: the others must come out the same."""
    read = EventCodec(ev.SessionEvent | _Foreign, {}).decode(
        b"[" + encode_events(events)[1:-1] + (b"," if events else b"") + b'{"kind":"foreign","v":1}]'
    )
    assert read[:-1] == events


class _Foreign(ev.Event, frozen=True, tag="foreign"):
    v: Literal[1] = 1


def test_nothing_is_left_to_a_default_in_what_is_stored() -> None:
    stored = msgspec.json.decode(encode_events([ev.RunFinished("run", ok=True, rows=0)]))
    assert stored == [
        {"kind": "run_finished", "run_id": "run", "ok": True, "rows": 0, "error_code": "", "v": 1}
    ]


# What was not written by this Dragoman is refused, and the refusal says what it met.


def _records(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The path of every record inside an event. A map is none: it takes any key."""
    match value:
        case msgspec.Struct():
            yield path
            for field in msgspec.structs.fields(value):
                yield from _records(getattr(value, field.name), (*path, field.encode_name))
        case tuple():
            for position, inner in enumerate(value):
                yield from _records(inner, (*path, position))
        case Mapping():
            for name, inner in value.items():
                yield from _records(inner, (*path, name))


def _at(value: Any, path: Path_) -> Any:
    for step in path:
        value = value[step]
    return value


def _written(kind: str, path: Path_, name: str) -> str:
    """A path as the codec words it: `answer_given.answer.rows[0].name`."""
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return f"{kind}{steps}.{name}"


@given(st.data())
def test_an_unknown_field_is_refused_with_its_path_wherever_it_stands(data: st.DataObject) -> None:
    event = data.draw(some.any_event)
    raw = msgspec.json.decode(msgspec.json.encode(event))
    where = data.draw(st.sampled_from(sorted(_records(event), key=str)))
    _at(raw, where)["stray"] = data.draw(st.none() | st.integers() | st.just({"deep": [1]}))
    with pytest.raises(EventUnknownField) as refused:
        decode_events(msgspec.json.encode([raw]))
    assert refused.value.details["path"] == _written(raw["kind"], where, "stray")


@pytest.mark.parametrize("kind", ["turn_opend", "", "TurnOpened", None, 7, ["turn_opened"], {"a": 1}])
def test_an_unknown_kind_is_refused(kind: object) -> None:
    with pytest.raises(EventUnknown):
        decode_events(msgspec.json.encode([{"kind": kind, "v": 1}]))


def test_an_event_without_a_kind_is_refused() -> None:
    with pytest.raises(EventUnknown):
        decode_events(b'[{"v":1}]')


@some.examples(0.5)
@given(some.any_event, st.integers(2, 2**63))
def test_a_newer_version_is_refused_before_anything_else_about_it(
    event: ev.SessionEvent, version: int
) -> None:
    raw = {**msgspec.json.decode(msgspec.json.encode(event)), "v": version, "new_in_that_version": True}
    with pytest.raises(SchemaNewer, match=f"version {version}"):
        decode_events(msgspec.json.encode([raw]))


@pytest.mark.parametrize("version", [0, -1, 1.0, 1.5, True, "1", None, [1]])
def test_a_version_that_is_none_is_refused(version: object) -> None:
    with pytest.raises(EventCorrupt):
        decode_events(msgspec.json.encode([{"kind": "session_cancelled", "v": version}]))


def test_a_missing_version_is_refused() -> None:
    with pytest.raises(EventCorrupt):
        decode_events(b'[{"kind":"session_cancelled"}]')


@some.examples(0.5)
@given(st.data())
def test_a_missing_field_is_refused(data: st.DataObject) -> None:
    event = data.draw(some.any_event.filter(lambda e: len(type(e).__struct_fields__) > 1))
    raw = msgspec.json.decode(msgspec.json.encode(event))
    needed = type(event).__struct_fields__[: -len(type(event).__struct_defaults__)]
    del raw[data.draw(st.sampled_from(needed))]
    with pytest.raises(EventCorrupt):
        decode_events(msgspec.json.encode([raw]))


# Damage. Whatever the bytes are: events, or one of the codes for what cannot be what was written.


def _read_or_refused(read: Callable[[bytes], object], data: bytes) -> None:
    with suppress(RecordError, StoreError):
        read(data)


_mutations: Final = st.lists(
    st.tuples(
        st.sampled_from(["flip", "cut", "double", "insert", "word"]), st.integers(0), st.binary(max_size=4)
    ),
    min_size=1,
    max_size=4,
)

_WORDS: Final = (
    b'"v":2',
    b"null",
    b"{}",
    b"[]",
    b'"',
    b"1e999",
    b"-0",
    b'"\\ud800"',
    b"\xff",
    b"\xed\xa0\x80",
)


def _damaged(data: bytes, mutations: list[tuple[str, int, bytes]]) -> bytes:
    for what, number, extra in mutations:
        place = number % (len(data) + 1)
        match what:
            case "flip" if data:
                place %= len(data)
                data = data[:place] + bytes([data[place] ^ (1 << number % 8)]) + data[place + 1 :]
            case "cut":
                data = data[:place]
            case "double":
                data = data[:place] + data[place:] * 2
            case "insert":
                data = data[:place] + extra + data[place:]
            case _:
                data = data[:place] + _WORDS[number % len(_WORDS)] + data[place:]
    return data


@given(some.event_lists, _mutations)
def test_damaged_events_are_read_or_refused(events: list[ev.SessionEvent], damage: Any) -> None:
    _read_or_refused(decode_events, _damaged(encode_events(events), damage))


@some.examples(0.5)
@given(some.reachable_states, _mutations)
def test_a_damaged_state_is_read_or_refused(state: SessionState, damage: Any) -> None:
    _read_or_refused(decode_state, _damaged(codec.encode_state(state), damage))


@given(st.binary() | st.text().map(lambda text: text.encode(errors="replace")))
def test_any_other_bytes_are_refused(data: bytes) -> None:
    _read_or_refused(decode_events, data)
    _read_or_refused(decode_state, data)


@pytest.mark.parametrize(
    ("read", "data"),
    [
        (decode_events, b'[{"kind":"session_closed","at":"\xff","v":1}]'),
        (decode_events, b'[{"kind":"session_closed","at":"\xed\xa0\x80","v":1}]'),
        (decode_state, b'{"owner":"\xff"}'),
    ],
)
def test_bytes_that_are_no_text_are_refused(read: Callable[[bytes], object], data: bytes) -> None:
    with pytest.raises(EventCorrupt):
        read(data)


@pytest.mark.parametrize(
    "data",
    [
        b'[{"kind":"session_closed","v":1,"at":' + b"[" * 100_000,
        b'[{"kind":"program_edited","v":1,"ast":[{"verb":"a.b","arguments":[{"name":"a","value":'
        + b'{"type":"list","items":[' * 100_000,
    ],
    ids=["of a field", "of a value"],
)
def test_endless_nesting_is_refused(data: bytes) -> None:
    with pytest.raises(EventCorrupt):
        decode_events(data)


# Older versions are lifted. A vocabulary of a later day: one event in its third version, one in its second.


class _Place(Record, frozen=True):
    city: str


class _Moved(ev.Event, frozen=True, tag="moved"):
    """Version 1 had `to` as text, version 2 called it `city`, version 3 has a place."""

    place: _Place
    v: Literal[3] = 3


class _Counted(ev.Event, frozen=True, tag="counted"):
    """Version 1 had no unit."""

    number: int
    unit: str
    v: Literal[2] = 2


def _renamed(raw: Raw) -> Raw:
    return {"kind": raw["kind"], "city": raw["to"]}


def _placed(raw: Raw) -> Raw:
    return {"kind": raw["kind"], "place": {"city": raw["city"]}}


def _with_unit(raw: Raw) -> Raw:
    return {**raw, "unit": "pieces"}


_LIFTS: Final[dict[tuple[str, int], Lift]] = {
    ("moved", 1): _renamed,
    ("moved", 2): _placed,
    ("counted", 1): _with_unit,
}


def _later_day(lifts: dict[tuple[str, int], Lift] | None = None) -> EventCodec:
    return EventCodec(_Moved | _Counted, _LIFTS if lifts is None else lifts)


@pytest.mark.parametrize(
    "stored",
    [
        {"kind": "moved", "to": "Riga", "v": 1},
        {"kind": "moved", "city": "Riga", "v": 2},
        {"kind": "moved", "place": {"city": "Riga"}, "v": 3},
    ],
    ids=["two steps", "one step", "as it is"],
)
def test_an_older_event_is_lifted_to_todays(stored: Raw) -> None:
    assert _later_day().decode(msgspec.json.encode([stored])) == [_Moved(_Place("Riga"))]


@given(
    st.lists(
        st.one_of(
            st.builds(lambda city: ({"kind": "moved", "to": city, "v": 1}, _Moved(_Place(city))), some.texts),
            st.builds(
                lambda city: ({"kind": "moved", "city": city, "v": 2}, _Moved(_Place(city))), some.texts
            ),
            st.builds(
                lambda n: ({"kind": "counted", "number": n, "v": 1}, _Counted(n, "pieces")),
                st.integers(0, 99),
            ),
            st.builds(
                lambda n: ({"kind": "counted", "number": n, "unit": "kg", "v": 2}, _Counted(n, "kg")),
                st.integers(0, 99),
            ),
        )
    )
)
def test_a_record_may_mix_versions(pairs: list[tuple[Raw, ev.Event]]) -> None:
    later = _later_day()
    lifted = later.decode(msgspec.json.encode([stored for stored, _ in pairs]))
    assert lifted == [event for _, event in pairs]
    assert later.decode(later.encode(lifted)) == lifted


def test_what_is_written_is_always_todays_version() -> None:
    later = _later_day()
    lifted = later.decode(b'[{"kind":"moved","to":"Riga","v":1}]')
    assert later.encode(lifted) == b'[{"kind":"moved","place":{"city":"Riga"},"v":3}]'


@pytest.mark.parametrize(
    ("lift", "refusal"),
    [
        (lambda raw: {**raw, "unit": 5}, EventCorrupt),
        (lambda raw: raw, EventCorrupt),
        (lambda raw: {**raw, "unit": "kg", "note": "new"}, EventUnknownField),
    ],
    ids=["a wrong type", "a field left out", "a field too many"],
)
def test_a_lift_that_gives_a_wrong_shape_is_refused(lift: Lift, refusal: type[DragomanError]) -> None:
    with pytest.raises(refusal):
        _later_day({**_LIFTS, ("counted", 1): lift}).decode(b'[{"kind":"counted","number":1,"v":1}]')


def test_a_lifted_event_may_not_bring_fields_that_its_version_never_had() -> None:
    with pytest.raises(EventUnknownField) as refused:
        _later_day().decode(b'[{"kind":"counted","number":1,"stray":2,"v":1}]')
    assert refused.value.details["path"] == "counted.stray"


@pytest.mark.parametrize("missing", _LIFTS)
def test_a_vocabulary_without_a_lift_for_every_older_version_is_refused(missing: tuple[str, int]) -> None:
    with pytest.raises(InternalError, match=f"{missing[0]} events of version"):
        _later_day({key: lift for key, lift in _LIFTS.items() if key != missing})


def test_an_older_event_that_lacks_what_its_lift_needs_is_refused() -> None:
    with pytest.raises(EventCorrupt):
        _later_day().decode(b'[{"kind":"moved","v":1}]')


# The digest chain.


@given(st.binary(min_size=1), st.binary(min_size=16, max_size=16), st.integers(0))
def test_a_digest_changes_with_every_bit_of_the_record_and_of_the_digest_before(
    events: bytes, previous: bytes, number: int
) -> None:
    digest = chain(previous, events)
    assert len(digest) == 16
    assert chain(previous, _bit_flipped(events, number)) != digest
    assert chain(_bit_flipped(previous, number), events) != digest


def _bit_flipped(data: bytes, number: int) -> bytes:
    place, bit = divmod(number % (8 * len(data)), 8)
    return data[:place] + bytes([data[place] ^ (1 << bit)]) + data[place + 1 :]


# A real store, damaged behind its back.


class Damaged:
    """A closed workspace with one session, and a hand on the tables of its store."""

    def __init__(self, folder: Path, turns: int) -> None:
        self.folder = folder
        self.file = folder / ".dragoman" / "sessions.sqlite"
        with Workspace.open(folder) as workspace:
            self.session = workspace.new_session()
            for turn in range(turns):
                workspace.ask(self.session, _QUESTIONS[turn % len(_QUESTIONS)])
            self.state = codec.encode_state(workspace.state(self.session))

    def change(self, statement: str, *values: object) -> None:
        connection = sqlite3.connect(self.file)
        try:
            changed = connection.execute(statement, values).rowcount
            connection.commit()
        finally:
            connection.close()
        assert changed == 1, "nothing was damaged"

    def value(self, statement: str) -> Any:
        connection = sqlite3.connect(self.file)
        try:
            return connection.execute(statement).fetchone()[0]
        finally:
            connection.close()

    def store(self) -> SqlStore:
        return open_sqlite_store(self.file)


_QUESTIONS: Final = (
    "stock of Alfa Trade on 31 March 2020",
    "and for April?",
    "what about Beta Retail?",
    "vat",
    "hello",
)


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("column", ["events", "digest"])
def test_a_damaged_record_is_found_and_named(tmp_path: Path, number: int, column: str) -> None:
    damaged = Damaged(tmp_path, turns=4)
    stored = damaged.value(f"SELECT {column} FROM records ORDER BY record_no LIMIT 1 OFFSET {number}")
    damaged.change(
        f"UPDATE records SET {column} = ? WHERE record_no ="
        f" (SELECT record_no FROM records ORDER BY record_no LIMIT 1 OFFSET {number})",
        _bit_flipped(stored, 100 + number),
    )
    with Workspace.open(tmp_path) as workspace:
        for read in (workspace.state, workspace.replay, lambda s: workspace.ask(s, "hello")):
            with pytest.raises(EventCorrupt, match=f"record {number} ") as found:
                read(damaged.session)
            assert found.value.details["version"] == number


def test_a_lost_record_is_found_and_named(tmp_path: Path) -> None:
    damaged = Damaged(tmp_path, turns=4)
    damaged.change("DELETE FROM records WHERE record_no = (SELECT MIN(record_no) + 2 FROM records)")
    with Workspace.open(tmp_path) as workspace, pytest.raises(EventCorrupt, match="record 2 ") as found:
        workspace.state(damaged.session)
    assert found.value.details["version"] == 2


def test_a_lost_last_record_is_found(tmp_path: Path) -> None:
    damaged = Damaged(tmp_path, turns=4)
    damaged.change("DELETE FROM records WHERE record_no = (SELECT MAX(record_no) FROM records)")
    with Workspace.open(tmp_path) as workspace, pytest.raises((ReplayMismatch, EventCorrupt)):
        workspace.replay(damaged.session)


@pytest.mark.timeout(30, func_only=True)
def test_a_session_whose_last_record_is_lost_takes_no_turn(tmp_path: Path) -> None:
    damaged = Damaged(tmp_path, turns=4)
    damaged.change("DELETE FROM records WHERE record_no = (SELECT MAX(record_no) FROM records)")
    with Workspace.open(tmp_path) as workspace, pytest.raises(EventCorrupt, match="record 4 "):
        workspace.ask(damaged.session, "hello")


def test_a_foreign_session_in_the_same_store_is_not_touched_by_the_damage(tmp_path: Path) -> None:
    damaged = Damaged(tmp_path, turns=2)
    with Workspace.open(tmp_path) as workspace:
        other = workspace.new_session()
        workspace.ask(other, "hello")
    damaged.change(
        "UPDATE records SET events = x'5b5d' WHERE record_no = (SELECT MIN(record_no) + 1 FROM records)"
    )
    with Workspace.open(tmp_path) as workspace:
        assert workspace.replay(other).records == 2
        with pytest.raises(EventCorrupt):
            workspace.state(damaged.session)


@pytest.fixture
def long_session(tmp_path: Path) -> Damaged:
    """A session old enough to have a snapshot, with records after it."""
    damaged = Damaged(tmp_path, turns=journal.SNAPSHOT_EVERY + 3)
    assert damaged.value("SELECT version FROM snapshots") == journal.SNAPSHOT_EVERY
    return damaged


def _loaded(damaged: Damaged) -> bytes:
    store = damaged.store()
    try:
        return codec.encode_state(folded.load(store, damaged.session).state)
    finally:
        store.close()


def test_a_snapshot_is_where_loading_begins(long_session: Damaged) -> None:
    """Without this, the tests below would show nothing."""
    damage = "UPDATE records SET events = x'5b5d' WHERE record_no = (SELECT MIN(record_no) + 1 FROM records)"
    long_session.change(damage)
    assert _loaded(long_session) == long_session.state
    with Workspace.open(long_session.folder) as workspace, pytest.raises(EventCorrupt, match="record 1 "):
        workspace.replay(long_session.session)


@pytest.mark.parametrize("version", [STATE_VERSION - 1, STATE_VERSION, STATE_VERSION + 1])
def test_a_snapshot_of_another_version_of_the_state_is_not_even_read(
    long_session: Damaged, version: int
) -> None:
    """Told apart by a snapshot that is whole, and says something else than the records."""
    true = decode_state(long_session.value("SELECT state FROM snapshots"))
    other = codec.encode_state(replace(true, owner="somebody else"))
    store = long_session.store()
    (own,) = store.records(long_session.session, true.version - 1, true.version)
    store.close()
    long_session.change(
        "UPDATE snapshots SET state = ?, digest = ?, state_version = ?",
        other,
        chain(own.digest, other),
        version,
    )
    taken = decode_state(_loaded(long_session)).owner == "somebody else"
    assert taken is (version == STATE_VERSION)


@pytest.mark.parametrize(
    "damage",
    [
        f"UPDATE snapshots SET state_version = {STATE_VERSION + 1}",
        "UPDATE snapshots SET state = x'7b7d'",
        "UPDATE snapshots SET state = x''",
        "UPDATE snapshots SET state = CAST(REPLACE(CAST(state AS TEXT), 'Alfa', 'Elfa') AS BLOB)",
        "UPDATE snapshots SET digest = zeroblob(16)",
        "UPDATE snapshots SET digest = x''",
        "UPDATE snapshots SET version = version - 1",
        "UPDATE snapshots SET version = version + 1",
        "UPDATE snapshots SET version = 1000",
        "DELETE FROM snapshots",
    ],
)
def test_a_snapshot_that_cannot_be_trusted_is_folded_anew(long_session: Damaged, damage: str) -> None:
    before = long_session.value("SELECT state FROM snapshots")
    long_session.change(damage)
    assert _loaded(long_session) == long_session.state
    with Workspace.open(long_session.folder) as workspace:
        assert codec.encode_state(workspace.state(long_session.session)) == long_session.state
        assert codec.encode_state(workspace.replay(long_session.session).state) == long_session.state
    assert b"Alfa" in before
