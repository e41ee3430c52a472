"""The durable stores' common part: the turn protocol in SQL, over a small database adapter.

A session's head row carries its open turn, so opening a turn is one row written, committing it two. Records
have one number over all sessions (`record_no`), which is the only index they need.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from dragoman.contracts.errors import EventCorrupt
from dragoman.contracts.vocabulary import Lifecycle
from dragoman.session.stores import protocol as p
from dragoman.session.stores import refusals
from dragoman.session.stores.adapter import Cursor, Database, Row
from dragoman.session.stores.holder import is_gone
from dragoman.session.stores.sql_desk import SqlDesk

SCHEMA_VERSION = 2
"""Raised with every change of the tables: an older store is migrated when opened, a newer one refused."""

_RECORDS = 2**32
"""How many records a session may have: `record_no` is `session_no * _RECORDS + version`."""

_PAGE = 500
"""How many records one read fetches: a long history is streamed, not loaded."""


_HEAD = (
    "id, owner, title, lifecycle, version, digest, created_at, updated_at,"
    " turn_id, turn_holder, turn_lease, turn_opened"
)


class SqlStore:
    def __init__(self, database: Database) -> None:
        self._db = database
        self.desk = SqlDesk(database)
        self._select_for_turn = (
            f"SELECT session_no, {_HEAD}, {database.now} FROM sessions WHERE id = :id {database.lock_row}"
        )
        self._open_slot = (
            "UPDATE sessions SET turn_id = :turn_id, turn_holder = :holder, turn_opened = :opened,"
            f" turn_lease = {database.now} + :lease WHERE session_no = :no"
        )
        self._open_free_slot = (
            "UPDATE sessions SET turn_id = :turn_id, turn_holder = :holder, turn_opened = :opened,"
            f" turn_lease = {database.now} + :lease"
            " WHERE id = :id AND version = :version AND digest = :digest"
            " AND turn_id IS NULL AND lifecycle = 'open' RETURNING session_no"
        )
        self._select_own = (
            "SELECT session_no FROM sessions"
            f" WHERE id = :id AND turn_id = :turn_id AND turn_holder = :holder {database.lock_row}"
        )
        self._renew = (
            f"UPDATE sessions SET turn_lease = {database.now} + :lease"
            " WHERE id = :id AND turn_id = :turn_id AND turn_holder = :holder"
        )
        self._finish = (
            "UPDATE sessions SET version = :version, digest = :digest, lifecycle = :lifecycle,"
            f" updated_at = {database.now},"
            " turn_id = NULL, turn_holder = NULL, turn_lease = NULL, turn_opened = NULL"
            " WHERE id = :id AND turn_id = :turn_id AND turn_holder = :holder RETURNING session_no"
        )
        self._insert_session = (
            "INSERT INTO sessions (id, owner, title, lifecycle, version, digest, created_at, updated_at)"
            f" VALUES (:id, :owner, :title, :lifecycle, :version, :digest, {database.now}, {database.now})"
            " ON CONFLICT (id) DO NOTHING RETURNING session_no"
        )

    def create(self, session: p.NewSession) -> None:
        self.adopt(session, (), Lifecycle.OPEN)

    def adopt(self, session: p.NewSession, rest: Iterable[p.StoredRecord], lifecycle: Lifecycle) -> None:
        with self._db.write() as cursor:
            values = {
                "id": session.id,
                "owner": session.owner,
                "title": session.title,
                "lifecycle": lifecycle.value,
                "version": session.first.version,
                "digest": session.first.digest,
            }
            row = cursor.one(self._insert_session, values)
            if row is None:
                raise refusals.exists(session.id)
            newest = session.first
            _insert_record(cursor, row[0], newest)
            for newest in rest:
                _insert_record(cursor, row[0], newest)
            if newest is not session.first:
                cursor.run(
                    "UPDATE sessions SET version = :version, digest = :digest WHERE session_no = :no",
                    {"version": newest.version, "digest": newest.digest, "no": row[0]},
                )

    def head(self, session_id: str) -> p.SessionHead:
        with self._db.read() as cursor:
            row = cursor.one(f"SELECT {_HEAD} FROM sessions WHERE id = :id", {"id": session_id})
        if row is None:
            raise refusals.not_found(session_id)
        return _head(row)

    def heads(self, *, owner: str | None = None, limit: int = 100, offset: int = 0) -> list[p.SessionHead]:
        which = "" if owner is None else "WHERE owner = :owner"
        statement = (
            f"SELECT {_HEAD} FROM sessions {which} ORDER BY updated_at DESC, id LIMIT :limit OFFSET :offset"
        )
        with self._db.read() as cursor:
            rows = cursor.all(statement, {"owner": owner, "limit": limit, "offset": offset})
        return [_head(row) for row in rows]

    def snapshot(self, session_id: str) -> p.Snapshot | None:
        with self._db.read() as cursor:
            values = {"no": _number(cursor, session_id)}
            row = cursor.one(
                "SELECT version, state_version, state, digest FROM snapshots WHERE session_no = :no", values
            )
        return p.Snapshot(row[0], row[1], _blob(row[2]), _blob(row[3])) if row else None

    def records(self, session_id: str, after: int = -1, upto: int | None = None) -> Iterator[p.StoredRecord]:
        last = upto if upto is not None else _RECORDS - 1
        while True:
            with self._db.read() as cursor:
                number = _number(cursor, session_id)
                values = {
                    "after": _record_no(number, after),
                    "upto": _record_no(number, last),
                    "page": _PAGE,
                }
                rows = cursor.all(
                    "SELECT record_no, events, digest FROM records"
                    " WHERE record_no > :after AND record_no <= :upto ORDER BY record_no LIMIT :page",
                    values,
                )
            found = [_record(row) for row in rows]
            yield from found
            if len(found) < _PAGE:
                return
            after = found[-1].version

    def begin_turn(self, session_id: str, request: p.TurnRequest) -> p.Beginning:
        with self._db.write() as cursor:
            if request.client_key is None and self._takes_free_slot(cursor, session_id, request):
                version = request.expected_version + 1
                ticket = p.Ticket(session_id, request.turn_id, request.holder, version, request.lease_seconds)
                return p.Opened(ticket)
            row = cursor.one(self._select_for_turn, {"id": session_id})
            if row is None:
                raise refusals.not_found(session_id)
            number, head, now = row[0], _head(row[1:-1]), row[-1]
            if request.client_key is not None:
                seen = cursor.one(
                    "SELECT r.record_no, r.events, r.digest FROM client_keys AS k"
                    " JOIN records AS r ON r.record_no = k.record_no"
                    " WHERE k.session_no = :no AND k.client_key = :key",
                    {"no": number, "key": request.client_key},
                )
                if seen is not None:
                    return p.Repeated(_record(seen))
            refusals.refuse_ended(session_id, head.lifecycle)
            slot = head.slot
            if slot is not None and slot.holder != request.holder:
                if slot.lease_until > now and not is_gone(slot.holder):
                    return p.Held(slot)
                self._take(cursor, number, request, slot.turn_id, slot.opened)
                effects = cursor.all(
                    "SELECT effect FROM effects WHERE session_no = :no ORDER BY seq", {"no": number}
                )
                ticket = p.ticket_for(head, slot.turn_id, request)
                return p.Interrupted(ticket, slot, tuple(_blob(effect) for (effect,) in effects))
            if p.is_behind(head, request):
                return p.Behind(head.version)
            self._take(cursor, number, request, request.turn_id, request.opened)
            return p.Opened(p.ticket_for(head, request.turn_id, request))

    def _takes_free_slot(self, cursor: Cursor, session_id: str, request: p.TurnRequest) -> bool:
        """The usual case in one statement: the session is as the sender knows it, and nobody holds it."""
        if request.expected_digest is None:
            return False
        values = {
            "id": session_id,
            "version": request.expected_version,
            "digest": request.expected_digest,
            "turn_id": request.turn_id,
            "holder": request.holder,
            "opened": request.opened,
            "lease": request.lease_seconds,
        }
        return cursor.one(self._open_free_slot, values) is not None

    def renew(self, ticket: p.Ticket) -> bool:
        with self._db.write() as cursor:
            return cursor.run(self._renew, {**_mine(ticket), "lease": ticket.lease_seconds}) == 1

    def record_effect(self, ticket: p.Ticket, effect: bytes) -> None:
        with self._db.write() as cursor:
            row = cursor.one(self._select_own, _mine(ticket))
            if row is None:
                raise refusals.lost(ticket)
            cursor.run(
                "INSERT INTO effects (session_no, seq, effect) SELECT :no, COALESCE(MAX(seq), 0) + 1, :effect"
                " FROM effects WHERE session_no = :no",
                {"no": row[0], "effect": effect},
            )

    def commit_turn(
        self,
        ticket: p.Ticket,
        record: p.StoredRecord,
        *,
        lifecycle: Lifecycle = Lifecycle.OPEN,
        snapshot: p.Snapshot | None = None,
    ) -> None:
        with self._db.write() as cursor:
            values = {
                **_mine(ticket),
                "version": record.version,
                "digest": record.digest,
                "lifecycle": lifecycle.value,
            }
            row = cursor.one(self._finish, values)
            if row is None:
                raise refusals.lost(ticket)
            _insert_record(cursor, row[0], record)
            cursor.run("DELETE FROM effects WHERE session_no = :no", {"no": row[0]})
            if snapshot is not None:
                _replace_snapshot(cursor, row[0], snapshot)

    def delete(self, session_id: str) -> None:
        with self._db.write() as cursor:
            _erase(cursor, [_number(cursor, session_id)])

    def delete_idle(self, before: float, lifecycles: frozenset[Lifecycle]) -> list[str]:
        idle: list[tuple[int, str]] = []
        with self._db.write() as cursor:
            for lifecycle in sorted(lifecycles):
                rows = cursor.all(
                    "SELECT session_no, id FROM sessions"
                    " WHERE updated_at < :before AND lifecycle = :lifecycle"
                    f" AND (turn_id IS NULL OR turn_lease < {self._db.now})",
                    {"before": before, "lifecycle": lifecycle.value},
                )
                idle.extend((row[0], row[1]) for row in rows)
            _erase(cursor, [number for number, _ in idle])
        return sorted(session_id for _, session_id in idle)

    def scrub(self) -> None:
        self._db.scrub()

    def close(self) -> None:
        self._db.close()

    def _take(self, cursor: Cursor, number: int, request: p.TurnRequest, turn_id: str, opened: bytes) -> None:
        values = {
            "no": number,
            "turn_id": turn_id,
            "holder": request.holder,
            "opened": opened,
            "lease": request.lease_seconds,
        }
        cursor.run(self._open_slot, values)


def _number(cursor: Cursor, session_id: str) -> int:
    row = cursor.one("SELECT session_no FROM sessions WHERE id = :id", {"id": session_id})
    if row is None:
        raise refusals.not_found(session_id)
    number: int = row[0]
    return number


def _head(row: Row) -> p.SessionHead:
    *head, turn_id, holder, lease, opened = row
    session_id, owner, title, lifecycle, version, digest, created_at, updated_at = head
    slot = p.Slot(turn_id, holder, lease, _blob(opened)) if turn_id is not None else None
    return p.SessionHead(
        session_id, owner, title, Lifecycle(lifecycle), version, _blob(digest), created_at, updated_at, slot
    )


def _record_no(number: int, version: int) -> int:
    return number * _RECORDS + version


def _record(row: Row) -> p.StoredRecord:
    return p.StoredRecord(row[0] % _RECORDS, _blob(row[1]), _blob(row[2]))


def _blob(value: object) -> bytes:
    """A stored blob. SQLite would also keep text there, if somebody else wrote it."""
    if not isinstance(value, bytes):
        raise EventCorrupt("a stored record is not a blob", hint="restore the store from a backup")
    return value


def _mine(ticket: p.Ticket) -> dict[str, Any]:
    return {"id": ticket.session_id, "turn_id": ticket.turn_id, "holder": ticket.holder}


def _insert_record(cursor: Cursor, number: int, record: p.StoredRecord) -> None:
    record_no = _record_no(number, record.version)
    cursor.run(
        "INSERT INTO records (record_no, events, digest) VALUES (:record_no, :events, :digest)",
        {"record_no": record_no, "events": record.events, "digest": record.digest},
    )
    if record.client_key is not None:
        cursor.run(
            "INSERT INTO client_keys (session_no, client_key, record_no) VALUES (:no, :key, :record_no)",
            {"no": number, "key": record.client_key, "record_no": record_no},
        )


def _replace_snapshot(cursor: Cursor, number: int, snapshot: p.Snapshot) -> None:
    cursor.run(
        "INSERT INTO snapshots (session_no, version, state_version, state, digest)"
        " VALUES (:no, :version, :state_version, :state, :digest)"
        " ON CONFLICT (session_no) DO UPDATE SET version = excluded.version,"
        " state_version = excluded.state_version, state = excluded.state, digest = excluded.digest",
        {
            "no": number,
            "version": snapshot.version,
            "state_version": snapshot.state_version,
            "state": snapshot.state,
            "digest": snapshot.digest,
        },
    )


def _erase(cursor: Cursor, numbers: list[int]) -> None:
    for number in numbers:
        cursor.run(
            "DELETE FROM records WHERE record_no >= :first AND record_no < :next",
            {"first": _record_no(number, 0), "next": _record_no(number + 1, 0)},
        )
        for table in ("effects", "client_keys", "snapshots", "sessions"):
            cursor.run(f"DELETE FROM {table} WHERE session_no = :no", {"no": number})
