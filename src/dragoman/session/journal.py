"""The journal of the sessions in a store: opens a turn, hands out the state it found, records what it did.

This module keeps the promises that must hold whatever happens, over a few primitives of the store: one turn
at a time, no turn twice, an interrupted turn settled before the next, state only through the fold.
"""

import datetime as dt
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from msgspec.structs import replace

from dragoman._version import __version__
from dragoman.contracts import events as ev
from dragoman.contracts.errors import (
    DragomanError,
    EventCorrupt,
    IdempotencyKeyReused,
    SessionConflict,
    SessionNotFound,
    StoreUnavailable,
)
from dragoman.contracts.record import Record
from dragoman.contracts.state import EffectRecord, SessionState
from dragoman.contracts.viewer import Viewer
from dragoman.contracts.vocabulary import EffectOutcome
from dragoman.guards.session_id import accept_session_id
from dragoman.session import codec
from dragoman.session.enforcement import judge
from dragoman.session.folded import START, Folded, load, missing_record, record_of, snapshot_of, unroll
from dragoman.session.lease_keeper import LeaseKeeper
from dragoman.session.log import SessionLog, as_they_came
from dragoman.session.recent import RecentSessions
from dragoman.session.reducer import fold_record
from dragoman.session.stores import protocol as p
from dragoman.session.stores.holder import new_holder, retire

SNAPSHOT_EVERY = 32
"""A cold start folds at most this many records; a snapshot overwrites the one before."""

CACHED_SESSIONS = 128
WAIT_SECONDS = 0.0

SettleEffect = Callable[[ev.EffectIntended], EffectOutcome]
"""Finds out what became of an effect whose process died between intending it and writing it done."""


class Sources(Protocol):
    """What enters a turn from outside and is therefore recorded: the time, and fresh ids."""

    def now(self) -> dt.datetime: ...

    def new_id(self) -> str: ...


class SystemSources:
    def now(self) -> dt.datetime:
        return dt.datetime.now(dt.UTC)

    def new_id(self) -> str:
        return os.urandom(8).hex()


class RepeatedTurn(Record, frozen=True):
    """A turn that this client already sent: what was recorded then."""

    version: int
    events: tuple[ev.SessionEvent, ...]


def unknown_outcome(effect: ev.EffectIntended) -> EffectOutcome:
    """The honest answer when nobody can look an effect up."""
    return EffectOutcome.UNKNOWN


class Journal:
    def __init__(
        self,
        store: p.SessionStore,
        *,
        sources: Sources | None = None,
        lease_seconds: float = p.DEFAULT_LEASE_SECONDS,
        settle_effect: SettleEffect = unknown_outcome,
    ) -> None:
        self.store = store
        self.sources = sources or SystemSources()
        self._lease_seconds = lease_seconds
        self._settle_effect = settle_effect
        self._recent = RecentSessions[Folded](CACHED_SESSIONS)
        self._keeper = LeaseKeeper(store, lease_seconds / 3)

    def create(
        self,
        *,
        owner: str = "",
        title: str = "",
        session_id: str | None = None,
        viewer: Viewer | None = None,
    ) -> str:
        """Open a new session and return its id."""
        session_id = accept_session_id(session_id or self.sources.new_id())
        event = ev.SessionOpened(at=self._at(), owner=owner, title=title, software=__version__, viewer=viewer)
        record = record_of(0, [event], codec.GENESIS)
        self.store.create(p.NewSession(session_id, owner, title, record))
        self._recent.keep(session_id, Folded(fold_record(SessionState(), 0, [event]), record.digest))
        return session_id

    def state(self, session_id: str) -> SessionState:
        """The session as it is now in the store."""
        folded = self._recent.get(session_id)
        if folded is None or folded.digest != self.store.head(session_id).digest:
            folded = self._caught_up(session_id)
        return folded.state

    def state_at(self, session_id: str, version: int) -> SessionState:
        """The session as it was after one of its records."""
        now = self.state(session_id)
        return now if now.version == version else load(self.store, session_id, version).state

    def history(self, session_id: str) -> Iterator[tuple[list[ev.SessionEvent], SessionState]]:
        """Every record in order: its events, and the state after it. Folded as it is read."""
        folded = START
        for record in self.store.records(session_id):
            folded = unroll(iter((record,)), folded)
            yield codec.decode_events(record.events), folded.state

    def events(self, session_id: str, version: int) -> list[ev.SessionEvent] | None:
        """The events of one record, or None when there is no such record."""
        record = next(self.store.records(session_id, version - 1, version), None)
        return codec.decode_events(record.events) if record else None

    def close_session(self, session_id: str, *, wait_seconds: float = WAIT_SECONDS) -> None:
        """End a session normally: it can be read, and never written again."""
        with self.turn(session_id, "", wait_seconds=wait_seconds) as turn:
            if isinstance(turn, LiveTurn):
                self.commit(turn.ticket, turn.folded, [ev.SessionClosed(at=self._at())], None)
                turn.recorded = True

    def close(self) -> None:
        self._keeper.stop()
        self.store.close()

    def forget(self, session_id: str) -> None:
        """Drop what is cached of a session that was deleted."""
        self._recent.forget(session_id)

    @contextmanager
    def turn(
        self,
        session_id: str,
        message: str,
        *,
        client_key: str | None = None,
        expected_version: int | None = None,
        wait_seconds: float = WAIT_SECONDS,
    ) -> Iterator["LiveTurn | RepeatedTurn"]:
        """Open a turn for the block. A block that ends without `record` leaves an abandoned turn behind."""
        holder = new_holder()
        try:
            turn = self._begin(holder, session_id, message, client_key, expected_version, wait_seconds)
            if isinstance(turn, RepeatedTurn):
                yield turn
                return
            self._keeper.watch(turn.ticket)
            try:
                yield turn
            finally:
                if not turn.recorded:
                    self._let_go(turn)
                self._keeper.release(turn.ticket)
        finally:
            retire(holder)

    def _begin(
        self,
        holder: str,
        session_id: str,
        message: str,
        client_key: str | None,
        expected_version: int | None,
        wait_seconds: float,
    ) -> "LiveTurn | RepeatedTurn":
        deadline = time.monotonic() + wait_seconds
        # What is kept may be behind another process. It costs nothing to find out: the store compares the
        # digest while it opens the turn, and answers Behind.
        folded = self._recent.get(session_id) or self._caught_up(session_id)
        while True:
            expected = folded.state.version if expected_version is None else expected_version
            opened = ev.TurnOpened(
                turn_id=self.sources.new_id(),
                trace_id=self.sources.new_id(),
                at=self._at(),
                message=message,
                client_key=client_key,
                expected_version=expected,
            )
            request = p.TurnRequest(
                turn_id=opened.turn_id,
                holder=holder,
                expected_version=expected,
                opened=codec.encode_events([opened]),
                expected_digest=folded.digest if folded.state.version == expected else None,
                client_key=client_key,
                lease_seconds=self._lease_seconds,
            )
            match self.store.begin_turn(session_id, request):
                case p.Opened(ticket=ticket):
                    if folded.state.version != expected:
                        folded = self._caught_up(session_id)
                    return LiveTurn(self, ticket, opened, folded)
                case p.Repeated(record=record):
                    return _repeated(record, message, client_key)
                case p.Interrupted() as interrupted:
                    folded = self._settle(session_id, interrupted)
                # Only a caller who named a version minds that the session moved on.
                case p.Behind(version=version):
                    if expected_version is not None and expected_version != version:
                        raise _conflict(session_id, f"it is at turn {version}, not at {expected_version}")
                    folded = self._caught_up(session_id)
                case p.Held():
                    if time.monotonic() >= deadline:
                        raise _conflict(session_id, "another turn of it is being taken")
                    # Waiters poll at random intervals: a fixed one makes two waiting processes collide again
                    # and again.
                    time.sleep(random.uniform(0.001, 0.01))  # noqa: S311 - spreading retries, not a secret
                    folded = self._caught_up(session_id)

    def _settle(self, session_id: str, interrupted: p.Interrupted) -> Folded:
        """Finish or undo, by its effect record, a turn whose holder is gone. It is never run again."""
        folded = self._caught_up(session_id)
        opened = codec.decode_events(interrupted.slot.opened)[0]
        effects = [event for data in interrupted.effects for event in codec.decode_events(data)]
        return self._end_unfinished(interrupted.ticket, folded, opened, effects)

    def _end_unfinished(
        self,
        ticket: p.Ticket,
        folded: Folded,
        opened: ev.SessionEvent,
        effects: Sequence[ev.SessionEvent],
    ) -> Folded:
        """Without an effect nothing happened, and the client's key is free again; else it is settled."""
        intended = [event for event in effects if isinstance(event, ev.EffectIntended)]
        if not intended:
            # The key is not stored, so the client may send the same message again.
            return self.commit(ticket, folded, [opened, ev.TurnAbandoned(at=self._at())], None)
        done = {event.key: event.outcome for event in effects if isinstance(event, ev.EffectDone)}
        settled = ev.TurnSettled(
            at=self._at(),
            effects=tuple(EffectRecord(e.key, done.get(e.key) or self._settle_effect(e)) for e in intended),
        )
        # The effect may have happened: the key stays taken, so that a client that sends the message again
        # gets this record instead of a second effect.
        key = opened.client_key if isinstance(opened, ev.TurnOpened) else None
        return self.commit(ticket, folded, [opened, *effects, settled], key)

    def commit(
        self, ticket: p.Ticket, folded: Folded, events: Sequence[ev.SessionEvent], client_key: str | None
    ) -> Folded:
        """Judge the events and write them as the turn's record. What is refused changes nothing."""
        # Judged before it is stored, on every path: turns, settled turns and closings. An import judges its
        # records the same way.
        judged = judge(folded.state, events)
        record = record_of(ticket.version, events, folded.digest, client_key)
        after = Folded(_numbered(judged, ticket.version), record.digest)
        snapshot = snapshot_of(after) if ticket.version % SNAPSHOT_EVERY == 0 else None
        try:
            self.store.commit_turn(ticket, record, lifecycle=judged.lifecycle, snapshot=snapshot)
        except StoreUnavailable:
            # The answer to a commit may be lost although the commit was not: look before saying so.
            if not self._is_recorded(ticket, record):
                raise
        self._recent.keep(ticket.session_id, after)
        return after

    def _is_recorded(self, ticket: p.Ticket, record: p.StoredRecord) -> bool:
        try:
            found = next(self.store.records(ticket.session_id, ticket.version - 1, ticket.version), None)
        except DragomanError:
            return False
        return found is not None and found.digest == record.digest

    def is_gone(self, session_id: str) -> bool:
        """Whether somebody deleted a session. A store that does not answer says nothing of it."""
        try:
            self.store.head(session_id)
        except SessionNotFound:
            return True
        except DragomanError:
            return False
        return False

    def _let_go(self, turn: "LiveTurn") -> None:
        """The block failed: free the slot at once instead of leaving it to the lease.

        A store that cannot even take that leaves the turn open; whoever comes next settles it.
        """
        try:
            self._end_unfinished(turn.ticket, turn.folded, turn.opened, turn.effects)
        except DragomanError:
            self._recent.forget(turn.ticket.session_id)

    def _caught_up(self, session_id: str) -> Folded:
        """Fold what the store has beyond what is cached; from the newest snapshot, or from the start."""
        cached = self._recent.forget(session_id)
        head = self.store.head(session_id)
        if cached is None or head.digest == cached.digest or head.version <= cached.state.version:
            folded = cached if cached and head.digest == cached.digest else load(self.store, session_id)
        else:
            try:
                folded = unroll(self.store.records(session_id, cached.state.version), cached)
            except EventCorrupt:
                # Perhaps no damage but another history: the session was deleted and imported again.
                folded = load(self.store, session_id)
        if folded.state.version < head.version:
            raise missing_record(folded.state.version + 1)
        return self._recent.keep(session_id, folded)

    def _at(self) -> str:
        return self.sources.now().isoformat(timespec="milliseconds")


class LiveTurn:
    """A turn being taken: the state it found, and the right to record what it did, once."""

    def __init__(self, journal: Journal, ticket: p.Ticket, opened: ev.TurnOpened, folded: Folded) -> None:
        self._journal = journal
        self.ticket = ticket
        self.opened = opened
        self.folded = folded
        self.before = folded.state
        self.effects: list[ev.SessionEvent] = []
        self.recorded = False

    def intend_effect(self, key: str, effect: str, detail: str) -> None:
        """Write down, durably, what is about to happen outside the store."""
        self._note(ev.EffectIntended(key=key, effect=effect, detail=detail))

    def effect_done(self, key: str, outcome: EffectOutcome = EffectOutcome.DONE) -> None:
        self._note(ev.EffectDone(key=key, outcome=outcome))

    def record(
        self,
        events: Sequence[ev.SessionEvent],
        log: SessionLog | None = None,
        tried: Sequence[ev.SessionEvent] | None = None,
    ) -> SessionState:
        """Record the turn: its opening, its effects, and the events given here. The log has them first, so
        that a log that cannot be written refuses the turn; and it has all that was `tried`, also what a
        boundary took back."""
        everything = [self.opened, *self.effects, *events]
        if log is not None:
            ticket = self.ticket
            lines = [self.opened, *as_they_came(self.effects, events if tried is None else tried)]
            log.write(ticket.session_id, ticket.version, self.opened.trace_id, lines)
        try:
            after = self._journal.commit(self.ticket, self.folded, everything, self.opened.client_key)
        except DragomanError:
            # Whoever deleted the session meanwhile may have removed its log before these lines were in it.
            if log is not None and self._journal.is_gone(self.ticket.session_id):
                log.delete(self.ticket.session_id)
            raise
        self.recorded = True
        return after.state

    def _note(self, event: ev.SessionEvent) -> None:
        # A commit of its own, before the effect: if the process dies now, the next opener finds the intention
        # and asks the target what became of it.
        self._journal.store.record_effect(self.ticket, codec.encode_events([event]))
        self.effects.append(event)


def _repeated(record: p.StoredRecord, message: str, client_key: str | None) -> RepeatedTurn:
    events = tuple(codec.decode_events(record.events))
    first = events[0]
    # Answering another message with the old result would hide a bug of the client.
    if not isinstance(first, ev.TurnOpened) or first.message != message:
        raise IdempotencyKeyReused(
            f"the key {client_key!r} was used for another message of this session",
            hint="send every new message with a key of its own",
        )
    return RepeatedTurn(record.version, events)


def _numbered(state: SessionState, version: int) -> SessionState:
    return replace(state, version=version)


def _conflict(session_id: str, why: str) -> SessionConflict:
    return SessionConflict(
        f"session {session_id} could not take the turn: {why}",
        hint="nothing of it was recorded; read the session again and try again",
        session_id=session_id,
    )
