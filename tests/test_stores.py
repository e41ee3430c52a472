"""One suite over every store: the turn protocol, listing, deletion, retention, export and import."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from dragoman.contracts import events as ev
from dragoman.contracts.errors import (
    IdempotencyKeyReused,
    ImportRefused,
    SessionCancelled,
    SessionClosed,
    SessionConflict,
    SessionExists,
    SessionNotFound,
    TransitionViolation,
)
from dragoman.contracts.vocabulary import EffectOutcome, Lifecycle, TurnStatus
from dragoman.session import archive, codec
from dragoman.session.folded import load, replay
from dragoman.session.journal import SNAPSHOT_EVERY, Journal, LiveTurn, RepeatedTurn, SystemSources
from dragoman.session.stores.memory import MemoryStore
from dragoman.session.stores.protocol import Held, Interrupted, Opened, SessionStore, TurnRequest
from dragoman.session.stores.sqlite import open_sqlite_store
from tests import turns
from tests.patience import LONGEST, until

OpenJournal = Callable[..., Journal]
OpenStore = Callable[[], SessionStore]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    """Opens the store anew at each call: the same data, as another process would find it."""
    opened: list[SessionStore] = []
    memory = MemoryStore()

    def reopen() -> SessionStore:
        match request.param:
            case "memory":
                store: SessionStore = memory
            case "sqlite":
                store = open_sqlite_store(tmp_path / "sessions.sqlite")
            case _:
                from dragoman.session.stores.postgres import open_postgres_store

                store = open_postgres_store(request.getfixturevalue("postgres_database"))
        opened.append(store)
        return store

    yield reopen
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: OpenStore) -> SessionStore:
    return open_store()


@pytest.fixture
def journal_of() -> Iterator[OpenJournal]:
    """Makes journals over stores. They are closed with the test, as a workspace closes its own."""
    with ExitStack() as journals:

        def over(store: SessionStore, **options: Any) -> Journal:
            return journals.enter_context(closing(Journal(store, **options)))

        yield over


@pytest.fixture
def journal(store: SessionStore, journal_of: OpenJournal) -> Journal:
    return journal_of(store)


def take(journal: Journal, session_id: str, message: str = "hello", key: str | None = None) -> None:
    with journal.turn(session_id, message, client_key=key) as turn:
        assert isinstance(turn, LiveTurn)
        turn.record(turns.chat(turn))


def test_a_turn_is_there_after_the_store_is_opened_again(
    open_store: OpenStore, journal_of: OpenJournal
) -> None:
    first = journal_of(open_store())
    session = first.create(owner="ann", title="one")
    take(first, session, "hello")
    take(first, session, "again")

    second = journal_of(open_store())
    assert second.state(session) == first.state(session)
    assert second.state(session).version == 2
    assert second.store.head(session).owner == "ann"
    events = second.events(session, 2)
    assert events is not None
    assert isinstance(events[0], ev.TurnOpened)
    assert events[0].message == "again"


def test_the_first_record_is_the_opening(journal: Journal) -> None:
    session = journal.create(title="t")
    events = journal.events(session, 0)
    assert events is not None
    assert [type(event) for event in events] == [ev.SessionOpened]
    assert journal.state(session).version == 0


def test_an_unknown_session_is_refused_everywhere(journal: Journal) -> None:
    for attempt in (
        lambda: journal.state("nowhere"),
        lambda: take(journal, "nowhere"),
        lambda: journal.close_session("nowhere"),
        lambda: journal.store.delete("nowhere"),
        lambda: journal.store.snapshot("nowhere"),
        lambda: list(journal.store.records("nowhere")),
    ):
        with pytest.raises(SessionNotFound):
            attempt()


def test_an_id_is_taken_once(journal: Journal) -> None:
    journal.create(session_id="same")
    with pytest.raises(SessionExists):
        journal.create(session_id="same")


def test_a_second_opener_gets_a_conflict_while_the_turn_lives(
    open_store: OpenStore, journal_of: OpenJournal
) -> None:
    one, two = journal_of(open_store()), journal_of(open_store())
    session = one.create()
    with one.turn(session, "first") as turn:
        assert isinstance(turn, LiveTurn)
        with pytest.raises(SessionConflict) as refused, two.turn(session, "second"):
            pass
        assert refused.value.code == "session_conflict"
        turn.record(turns.chat(turn))
    take(two, session, "second")
    assert one.state(session).version == two.state(session).version == 2


class Attempts(SystemSources):
    """Knows when somebody tries a second time to open a turn: every attempt takes a fresh id for it."""

    def __init__(self) -> None:
        self.again = threading.Event()
        self._ids = 0

    def new_id(self) -> str:
        self._ids += 1
        if self._ids > IDS_OF_AN_ATTEMPT:
            self.again.set()
        return super().new_id()


IDS_OF_AN_ATTEMPT = 2


def test_waiting_for_the_other_turn_is_enough(open_store: OpenStore, journal_of: OpenJournal) -> None:
    attempts = Attempts()
    one, two = journal_of(open_store()), journal_of(open_store(), sources=attempts)
    session = one.create()
    entered = threading.Event()

    def slow() -> None:
        with one.turn(session, "first") as turn:
            assert isinstance(turn, LiveTurn)
            entered.set()
            assert attempts.again.wait(LONGEST), "the other one tries again"
            turn.record(turns.chat(turn))

    thread = threading.Thread(target=slow)
    thread.start()
    entered.wait()
    with two.turn(session, "second", wait_seconds=LONGEST) as turn:
        assert isinstance(turn, LiveTurn)
        assert turn.before.version == 1
        turn.record(turns.chat(turn))
    thread.join()
    assert two.state(session).version == 2


def test_an_expected_version_that_is_not_there_is_a_conflict(journal: Journal) -> None:
    session = journal.create()
    take(journal, session)
    for expected in (0, 2, 17):
        with pytest.raises(SessionConflict), journal.turn(session, "x", expected_version=expected):
            pass
    with journal.turn(session, "x", expected_version=1) as turn:
        assert isinstance(turn, LiveTurn)
        turn.record(turns.chat(turn))
    assert journal.state(session).version == 2


def test_the_same_key_gives_the_first_result(open_store: OpenStore, journal_of: OpenJournal) -> None:
    one, two = journal_of(open_store()), journal_of(open_store())
    session = one.create()
    take(one, session, "hello", key="k-1")
    before = one.state(session)
    for journal in (one, two):
        with journal.turn(session, "hello", client_key="k-1") as turn:
            assert isinstance(turn, RepeatedTurn)
            assert turn.version == 1
            assert isinstance(turn.events[-1], ev.TurnClosed)
    assert one.state(session) == before
    with pytest.raises(IdempotencyKeyReused), one.turn(session, "other words", client_key="k-1"):
        pass


def test_keys_are_a_sessions_own(journal: Journal) -> None:
    one, two = journal.create(), journal.create()
    take(journal, one, key="k")
    take(journal, two, key="k")
    assert journal.state(two).version == 1


def test_a_failed_turn_leaves_an_abandoned_record_and_frees_its_key(journal: Journal) -> None:
    session = journal.create()
    with pytest.raises(ZeroDivisionError), journal.turn(session, "boom", client_key="k"):
        raise ZeroDivisionError
    state = journal.state(session)
    assert state.turn.status is TurnStatus.ABANDONED
    assert journal.store.head(session).slot is None
    take(journal, session, "boom", key="k")
    assert journal.state(session).version == 2


def test_a_record_that_breaks_its_class_changes_nothing(journal: Journal) -> None:
    session = journal.create()
    take(journal, session)
    frames = journal.state(session).frames
    with journal.turn(session, "bad") as turn:
        assert isinstance(turn, LiveTurn)
        talk = turns.chat(turn)
        with pytest.raises(TransitionViolation):
            turn.record([*talk[:-1], ev.ProgramCleared(), talk[-1]])
    state = journal.state(session)
    assert state.turn.status is TurnStatus.ABANDONED
    assert state.frames == frames
    take(journal, session)


def test_a_dead_holders_turn_is_abandoned_by_the_next(open_store: OpenStore, journal_of: OpenJournal) -> None:
    store = open_store()
    journal = journal_of(store)
    session = journal.create()
    _leave_open(journal, session, holder="elsewhere 1 1 1", lease_seconds=0.0)
    take(journal, session, "after")
    state = journal.state(session)
    assert state.version == 2
    events = journal.events(session, 1)
    assert events is not None
    assert [type(event) for event in events] == [ev.TurnOpened, ev.TurnAbandoned]


def test_a_holder_known_to_be_dead_is_not_waited_for(open_store: OpenStore, journal_of: OpenJournal) -> None:
    import subprocess
    import sys

    code = "from dragoman.session.stores.holder import new_holder; print(new_holder())"
    dead = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    journal = journal_of(open_store())
    session = journal.create()
    _leave_open(journal, session, holder=dead, lease_seconds=3600.0)
    take(journal, session, "after")
    assert journal.state(session).version == 2


def test_a_living_holder_elsewhere_is_waited_for(open_store: OpenStore, journal_of: OpenJournal) -> None:
    journal = journal_of(open_store())
    session = journal.create()
    _leave_open(journal, session, holder="another-machine 1 1 1", lease_seconds=3600.0)
    with pytest.raises(SessionConflict), journal.turn(session, "x"):
        pass


def _leave_open(journal: Journal, session: str, *, holder: str, lease_seconds: float) -> None:
    """A turn opened by somebody who never came back."""
    version = journal.state(session).version
    opened = ev.TurnOpened("t", "trace", "2026-01-01T00:00:00Z", "lost", "lost-key", version)
    request = TurnRequest(
        "t",
        holder,
        version,
        codec.encode_events([opened]),
        client_key="lost-key",
        lease_seconds=lease_seconds,
    )
    assert isinstance(journal.store.begin_turn(session, request), Opened)


def test_who_was_taken_over_cannot_commit(open_store: OpenStore, journal_of: OpenJournal) -> None:
    """A process that was stopped past its lease wakes up: its turn is gone, and it is told so."""
    store = open_store()
    journal = journal_of(store)
    session = journal.create()
    opened = ev.TurnOpened("slow", "trace", "2026-01-01T00:00:00Z", "slow", None, 0)
    request = TurnRequest("slow", "far 1 1 1", 0, codec.encode_events([opened]), lease_seconds=0.0)
    beginning = store.begin_turn(session, request)
    assert isinstance(beginning, Opened)
    take(journal, session, "quick")
    before = [record.digest for record in store.records(session)]
    with pytest.raises(SessionConflict):
        journal_of(store).commit(
            beginning.ticket, load(store, session, 0), [opened, ev.TurnAbandoned("x")], None
        )
    with pytest.raises(SessionConflict):
        store.record_effect(beginning.ticket, b"[]")
    assert store.renew(beginning.ticket) is False
    assert [record.digest for record in store.records(session)] == before


def test_a_slow_turn_keeps_its_lease(open_store: OpenStore, journal_of: OpenJournal) -> None:
    one = journal_of(open_store(), lease_seconds=2.0)
    two = journal_of(open_store(), lease_seconds=2.0)
    session = one.create()

    def lease() -> float:
        slot = two.store.head(session).slot
        assert slot is not None
        return slot.lease_until

    with one.turn(session, "slow") as turn:
        assert isinstance(turn, LiveTurn)
        first = lease()
        until(lambda: lease() > first + 1.5, "the lease was renewed more than once")
        until(lambda: time.time() > first, "the time is over for which it was given")
        with pytest.raises(SessionConflict), two.turn(session, "impatient"):
            pass
        turn.record(turns.chat(turn))
    assert two.state(session).version == 1


def test_begin_is_the_same_wish_when_sent_twice(store: SessionStore, journal_of: OpenJournal) -> None:
    session = journal_of(store).create()
    request = TurnRequest("t", "me 1 1 1", 0, b"[]")
    assert store.begin_turn(session, request) == store.begin_turn(session, request)
    other = TurnRequest("u", "you 1 1 1", 0, b"[]")
    assert isinstance(store.begin_turn(session, other), Held)


def _with_a_write_pending(journal: Journal) -> str:
    session = journal.create()
    for make in (turns.edit, turns.ask_to_write):
        with journal.turn(session, "build") as turn:
            assert isinstance(turn, LiveTurn)
            turn.record(make(turn))
    return session


def test_an_effect_is_written_down_before_and_after(
    open_store: OpenStore, tmp_path: Path, journal_of: OpenJournal
) -> None:
    ledger = turns.Ledger(tmp_path / "ledger")
    journal = journal_of(open_store(), settle_effect=ledger.settle)
    session = _with_a_write_pending(journal)
    with journal.turn(session, "yes") as turn:
        assert isinstance(turn, LiveTurn)
        turn.intend_effect("w-1", "note", "one line")
        ledger.write("w-1")
        turn.effect_done("w-1")
        turn.record(turns.say_yes(turn))
    events = journal.events(session, 3)
    assert events is not None
    kinds = [type(event) for event in events]
    assert kinds.index(ev.EffectIntended) < kinds.index(ev.EffectDone)
    assert replay(journal.store, session).state == journal.state(session)


@pytest.mark.parametrize(
    ("happened", "noted", "outcome"),
    [
        (False, False, EffectOutcome.UNDONE),
        (True, False, EffectOutcome.DONE),
        (True, True, EffectOutcome.DONE),
    ],
)
def test_an_interrupted_effect_is_settled_by_its_record(
    open_store: OpenStore,
    tmp_path: Path,
    happened: bool,
    noted: bool,
    outcome: EffectOutcome,
    journal_of: OpenJournal,
) -> None:
    """The process dies after the intent, after the effect, or after noting it: never silently run again."""
    ledger = turns.Ledger(tmp_path / "ledger")
    store = open_store()
    journal = journal_of(store, settle_effect=ledger.settle)
    session = _with_a_write_pending(journal)
    opened = ev.TurnOpened("t", "trace", "2026-01-01T00:00:00Z", "yes", "yes-key", 2)
    request = TurnRequest(
        "t", "far 1 1 1", 2, codec.encode_events([opened]), client_key="yes-key", lease_seconds=0.0
    )
    beginning = store.begin_turn(session, request)
    assert isinstance(beginning, Opened)
    store.record_effect(beginning.ticket, codec.encode_events([ev.EffectIntended("w-1", "note", "one line")]))
    if happened:
        ledger.write("w-1")
    if noted:
        store.record_effect(beginning.ticket, codec.encode_events([ev.EffectDone("w-1", EffectOutcome.DONE)]))

    take(journal_of(open_store(), settle_effect=ledger.settle), session, "next")

    state = journal_of(open_store()).state_at(session, 3)
    assert state.turn.status is TurnStatus.SETTLED
    assert [record.outcome for record in state.turn.effects] == [outcome]
    assert ledger.keys() == (["w-1"] if happened else [])
    with journal_of(open_store()).turn(session, "yes", client_key="yes-key") as turn:
        assert isinstance(turn, RepeatedTurn)


def test_an_interruption_is_seen_by_one_opener_only(open_store: OpenStore, journal_of: OpenJournal) -> None:
    store = open_store()
    journal = journal_of(store)
    session = journal.create()
    _leave_open(journal, session, holder="gone 1 1 1", lease_seconds=0.0)
    first = store.begin_turn(session, TurnRequest("a", "first 1 1 1", 0, b"[]"))
    second = store.begin_turn(session, TurnRequest("b", "second 1 1 1", 0, b"[]"))
    assert isinstance(first, Interrupted)
    assert isinstance(second, Held)


def test_a_closed_session_is_read_and_never_written(journal: Journal) -> None:
    session = journal.create()
    take(journal, session, key="k")
    journal.close_session(session)
    assert journal.store.head(session).lifecycle is Lifecycle.CLOSED
    assert journal.state(session).lifecycle is Lifecycle.CLOSED
    with pytest.raises(SessionClosed):
        take(journal, session)
    with pytest.raises(SessionClosed):
        journal.close_session(session)
    with journal.turn(session, "hello", client_key="k") as turn:
        assert isinstance(turn, RepeatedTurn)
    assert len(list(journal.store.records(session))) == 3


def test_a_cancelled_session_likewise(journal: Journal) -> None:
    from dragoman.contracts.vocabulary import AnswerMode, Signal

    session = journal.create()
    with journal.turn(session, "cancel") as turn:
        assert isinstance(turn, LiveTurn)
        routing, opening = turns.routed(turn, Signal.ESCAPE_CANCEL)
        closing = ev.TurnClosed(routing.entry_class, routing.carryover, AnswerMode.NONE, "bye")
        turn.record([*opening, ev.SessionCancelled(), closing])
    with pytest.raises(SessionCancelled):
        take(journal, session)
    assert journal.state(session).lifecycle is Lifecycle.CANCELLED


def test_snapshots_change_nothing_but_the_cost(open_store: OpenStore, journal_of: OpenJournal) -> None:
    journal = journal_of(open_store())
    session = journal.create()
    for _ in range(2 * SNAPSHOT_EVERY + 3):
        take(journal, session)
    store = open_store()
    snapshot = store.snapshot(session)
    assert snapshot is not None
    assert snapshot.version == 2 * SNAPSHOT_EVERY
    assert codec.encode_state(load(store, session).state) == codec.encode_state(replay(store, session).state)
    assert load(store, session) == replay(store, session)


def test_a_long_history_is_read_in_pages(journal: Journal) -> None:
    session = journal.create()
    for _ in range(1010):
        take(journal, session)
    versions = [record.version for record in journal.store.records(session)]
    assert versions == list(range(1011))
    assert [r.version for r in journal.store.records(session, 3, 5)] == [4, 5]


def test_listing_is_newest_first_and_by_owner(journal: Journal) -> None:
    ids = [journal.create(owner="ann" if i % 2 else "bob", title=f"s{i}") for i in range(6)]
    take(journal, ids[0])
    heads = journal.store.heads()
    assert heads[0].id == ids[0]
    assert {head.id for head in heads} == set(ids)
    assert {head.id for head in journal.store.heads(owner="ann")} == {ids[1], ids[3], ids[5]}
    page = journal.store.heads(limit=2, offset=2)
    assert [head.id for head in page] == [head.id for head in heads[2:4]]


def test_deletion_leaves_nothing(journal: Journal) -> None:
    gone, stays = journal.create(), journal.create()
    for session in (gone, stays):
        take(journal, session, key="k")
    journal.store.delete(gone)
    journal.forget(gone)
    with pytest.raises(SessionNotFound):
        journal.state(gone)
    take(journal, stays)
    journal.create(session_id=gone)
    assert [r.version for r in journal.store.records(gone)] == [0]
    take(journal, gone, key="k")
    assert journal.state(gone).version == 1


def test_retention_takes_what_is_old_and_ended(journal: Journal) -> None:
    ended, running = journal.create(), journal.create()
    journal.close_session(ended)
    soon = time.time() + 60
    store = journal.store
    assert store.delete_idle(time.time() - 60, frozenset(Lifecycle)) == []
    assert store.delete_idle(soon, frozenset({Lifecycle.CLOSED, Lifecycle.CANCELLED})) == [ended]
    assert store.delete_idle(soon, frozenset(Lifecycle)) == [running]
    assert store.heads() == []


def test_export_and_import_carry_everything(open_store: OpenStore, journal_of: OpenJournal) -> None:
    journal = journal_of(open_store())
    session = journal.create(owner="ann", title="наш разговор")
    for number in range(40):
        take(journal, session, f"сообщение {number}", key=f"k{number}")
    with pytest.raises(ZeroDivisionError), journal.turn(session, "boom"):
        raise ZeroDivisionError
    journal.close_session(session)
    text = "\n".join(archive.export_lines(journal.store, session))

    other = MemoryStore()
    assert archive.import_lines(other, text) == session
    assert load(other, session) == load(journal.store, session)
    assert other.head(session).title == "наш разговор"
    assert other.head(session).lifecycle is Lifecycle.CLOSED
    with pytest.raises(SessionExists):
        archive.import_lines(journal.store, text)
    assert archive.import_lines(journal.store, text, "copy") == "copy"
    with journal_of(open_store()).turn("copy", "сообщение 7", client_key="k7") as turn:
        assert isinstance(turn, RepeatedTurn)
    again = "\n".join(archive.export_lines(journal.store, "copy"))
    assert again.splitlines()[1:] == text.splitlines()[1:]


def test_an_import_is_whole_or_nothing(journal: Journal) -> None:
    session = journal.create()
    for _ in range(3):
        take(journal, session)
    lines = list(archive.export_lines(journal.store, session))
    store = MemoryStore()
    for broken in (
        "",
        "not json",
        "\n".join(lines[:-1]),
        "\n".join(lines[:2] + lines[3:]),
        "\n".join([lines[0], *lines[1:3], *lines[2:]]),
        "\n".join(lines).replace("hello", "hallo", 1),
        "\n".join(lines).replace('"version":1', '"version":99', 1),
        "\n".join([lines[0], lines[2], lines[1], lines[3], lines[4]]),
    ):
        with pytest.raises(ImportRefused) as refused:
            archive.import_lines(store, broken)
        assert refused.value.code == "import_refused"
    assert store.heads() == []


def test_a_session_deleted_and_imported_again_elsewhere_is_not_confused_with_the_old(
    open_store: OpenStore, journal_of: OpenJournal
) -> None:
    """One process remembers a session; another deletes it and imports a different one of the same length."""
    remembers, other = journal_of(open_store()), journal_of(open_store())
    session, twin = remembers.create(session_id="s"), remembers.create(session_id="t")
    take(remembers, session, "old")
    take(remembers, twin, "new")
    text = "\n".join(archive.export_lines(other.store, twin))
    other.store.delete(session)
    archive.import_lines(other.store, text, session)

    take(remembers, session, "next")
    assert [e.message for e in _openings(remembers, session)] == ["new", "next"]
    assert remembers.state(session) == other.state(session)
    assert load(other.store, session) == replay(other.store, session)


def _openings(journal: Journal, session: str) -> list[ev.TurnOpened]:
    records = journal.store.records(session, 0)
    return [e for r in records for e in codec.decode_events(r.events) if isinstance(e, ev.TurnOpened)]
