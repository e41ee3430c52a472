"""The store for tests, examples and one-off questions: everything in this process, nothing kept."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from dragoman.contracts.vocabulary import Lifecycle
from dragoman.session.stores import protocol as p
from dragoman.session.stores import refusals
from dragoman.session.stores.holder import is_gone
from dragoman.session.stores.memory_desk import MemoryDesk


@dataclass
class _Kept:
    head: p.SessionHead
    records: list[p.StoredRecord]
    snapshot: p.Snapshot | None = None
    effects: list[bytes] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)


class MemoryStore:
    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._sessions: dict[str, _Kept] = {}
        self.desk = MemoryDesk(clock, self._turn_of)

    def create(self, session: p.NewSession) -> None:
        self.adopt(session, (), Lifecycle.OPEN)

    def adopt(self, session: p.NewSession, rest: Iterable[p.StoredRecord], lifecycle: Lifecycle) -> None:
        records = [session.first, *rest]
        now = self._clock()
        last = records[-1]
        head = p.SessionHead(
            session.id, session.owner, session.title, lifecycle, last.version, last.digest, now, now
        )
        keys = {r.client_key: i for i, r in enumerate(records) if r.client_key is not None}
        with self._lock:
            if session.id in self._sessions:
                raise refusals.exists(session.id)
            self._sessions[session.id] = _Kept(head, records, keys=keys)

    def _turn_of(self, session_id: str, client_key: str) -> p.StoredRecord | None:
        with self._lock:
            kept = self._kept(session_id)
            place = kept.keys.get(client_key)
            return None if place is None else kept.records[place]

    def head(self, session_id: str) -> p.SessionHead:
        with self._lock:
            return self._kept(session_id).head

    def heads(self, *, owner: str | None = None, limit: int = 100, offset: int = 0) -> list[p.SessionHead]:
        with self._lock:
            heads = [k.head for k in self._sessions.values() if owner is None or k.head.owner == owner]
        heads.sort(key=lambda head: (-head.updated_at, head.id))
        return heads[offset : offset + limit]

    def snapshot(self, session_id: str) -> p.Snapshot | None:
        with self._lock:
            return self._kept(session_id).snapshot

    def records(self, session_id: str, after: int = -1, upto: int | None = None) -> Iterator[p.StoredRecord]:
        with self._lock:
            found = self._kept(session_id).records[after + 1 : None if upto is None else upto + 1]
        yield from found

    def begin_turn(self, session_id: str, request: p.TurnRequest) -> p.Beginning:
        with self._lock:
            kept = self._kept(session_id)
            head = kept.head
            if request.client_key is not None and request.client_key in kept.keys:
                return p.Repeated(kept.records[kept.keys[request.client_key]])
            refusals.refuse_ended(session_id, head.lifecycle)
            slot = head.slot
            if slot is not None and slot.holder != request.holder:
                if slot.lease_until > self._clock() and not is_gone(slot.holder):
                    return p.Held(slot)
                taken = replace(
                    slot, holder=request.holder, lease_until=self._clock() + request.lease_seconds
                )
                kept.head = replace(head, slot=taken)
                return p.Interrupted(p.ticket_for(head, slot.turn_id, request), slot, tuple(kept.effects))
            if p.is_behind(head, request):
                return p.Behind(head.version)
            lease_until = self._clock() + request.lease_seconds
            kept.head = replace(
                head, slot=p.Slot(request.turn_id, request.holder, lease_until, request.opened)
            )
            return p.Opened(p.ticket_for(head, request.turn_id, request))

    def renew(self, ticket: p.Ticket) -> bool:
        with self._lock:
            kept = self._sessions.get(ticket.session_id)
            if kept is None or not _holds(kept, ticket) or kept.head.slot is None:
                return False
            until = self._clock() + ticket.lease_seconds
            kept.head = replace(kept.head, slot=replace(kept.head.slot, lease_until=until))
            return True

    def record_effect(self, ticket: p.Ticket, effect: bytes) -> None:
        with self._lock:
            self._held(ticket).effects.append(effect)

    def commit_turn(
        self,
        ticket: p.Ticket,
        record: p.StoredRecord,
        *,
        lifecycle: Lifecycle = Lifecycle.OPEN,
        snapshot: p.Snapshot | None = None,
    ) -> None:
        with self._lock:
            kept = self._held(ticket)
            kept.records.append(record)
            kept.effects.clear()
            if record.client_key is not None:
                kept.keys[record.client_key] = len(kept.records) - 1
            kept.snapshot = snapshot or kept.snapshot
            kept.head = replace(
                kept.head,
                version=record.version,
                digest=record.digest,
                lifecycle=lifecycle,
                updated_at=self._clock(),
                slot=None,
            )

    def delete(self, session_id: str) -> None:
        with self._lock:
            self._kept(session_id)
            del self._sessions[session_id]

    def delete_idle(self, before: float, lifecycles: frozenset[Lifecycle]) -> list[str]:
        with self._lock:
            idle = sorted(
                key
                for key, kept in self._sessions.items()
                if kept.head.updated_at < before
                and kept.head.lifecycle in lifecycles
                and (kept.head.slot is None or kept.head.slot.lease_until < self._clock())
            )
            for key in idle:
                del self._sessions[key]
            return idle

    def scrub(self) -> None:
        pass  # Nothing is left behind in memory.

    def close(self) -> None:
        with self._lock:
            self._sessions.clear()

    def _kept(self, session_id: str) -> _Kept:
        kept = self._sessions.get(session_id)
        if kept is None:
            raise refusals.not_found(session_id)
        return kept

    def _held(self, ticket: p.Ticket) -> _Kept:
        kept = self._sessions.get(ticket.session_id)
        if kept is None or not _holds(kept, ticket):
            raise refusals.lost(ticket)
        return kept


def _holds(kept: _Kept, ticket: p.Ticket) -> bool:
    slot = kept.head.slot
    return slot is not None and slot.turn_id == ticket.turn_id and slot.holder == ticket.holder
