"""Tokens and wishes in the tables beside the sessions, so that all servers over a store know the same."""

from collections.abc import Collection

from dragoman.contracts.errors import EventCorrupt
from dragoman.session.stores import protocol as p
from dragoman.session.stores.adapter import Database, Row

_TOKEN = "id, digest, owner, title, kind, created_at, expires_at"  # noqa: S105 - names of columns
_RECORDS = 2**32


class SqlDesk:
    def __init__(self, database: Database) -> None:
        self._db = database
        self._valid = f"digest = :digest AND (expires_at IS NULL OR expires_at > {database.now})"

    def add_token(self, token: p.StoredToken) -> None:
        with self._db.write() as cursor:
            cursor.run(
                f"INSERT INTO tokens ({_TOKEN}) VALUES"
                " (:id, :digest, :owner, :title, :kind, :created_at, :expires_at)",
                {
                    "id": token.id,
                    "digest": token.digest,
                    "owner": token.owner,
                    "title": token.title,
                    "kind": token.kind.value,
                    "created_at": token.created_at,
                    "expires_at": token.expires_at,
                },
            )

    def token(self, digest: str) -> p.StoredToken | None:
        with self._db.read() as cursor:
            row = cursor.one(f"SELECT {_TOKEN} FROM tokens WHERE {self._valid}", {"digest": digest})
        return _token(row) if row is not None else None

    def take_token(self, digest: str) -> p.StoredToken | None:
        with self._db.write() as cursor:
            found = f"DELETE FROM tokens WHERE {self._valid} RETURNING {_TOKEN}"
            row = cursor.one(found, {"digest": digest})
        return _token(row) if row is not None else None

    def tokens(self) -> list[p.StoredToken]:
        with self._db.read() as cursor:
            return [_token(r) for r in cursor.all(f"SELECT {_TOKEN} FROM tokens ORDER BY created_at, id", {})]

    def drop_token(self, token_id: str) -> bool:
        with self._db.write() as cursor:
            return cursor.run("DELETE FROM tokens WHERE id = :id", {"id": token_id}) == 1

    def turn_of(self, session_id: str, client_key: str) -> p.StoredRecord | None:
        with self._db.read() as cursor:
            row = cursor.one(
                "SELECT r.record_no, r.events, r.digest FROM sessions AS s"
                " JOIN client_keys AS k ON k.session_no = s.session_no"
                " JOIN records AS r ON r.record_no = k.record_no"
                " WHERE s.id = :id AND k.client_key = :key",
                {"id": session_id, "key": client_key},
            )
        if row is None:
            return None
        if not isinstance(row[1], bytes) or not isinstance(row[2], bytes):
            raise EventCorrupt("a stored record is not a blob", hint="restore the store from a backup")
        return p.StoredRecord(row[0] % _RECORDS, row[1], row[2])

    def wish(self, turn_id: str) -> None:
        with self._db.write() as cursor:
            cursor.run(
                "INSERT INTO wishes (turn_id) VALUES (:turn_id) ON CONFLICT (turn_id) DO NOTHING",
                {"turn_id": turn_id},
            )

    def wished(self, turn_ids: Collection[str]) -> frozenset[str]:
        with self._db.read() as cursor:
            found = frozenset(row[0] for row in cursor.all("SELECT turn_id FROM wishes", {}))
        mine = found & frozenset(turn_ids)
        for turn_id in mine:
            with self._db.write() as cursor:
                cursor.run("DELETE FROM wishes WHERE turn_id = :turn_id", {"turn_id": turn_id})
        return mine


def _token(row: Row) -> p.StoredToken:
    token_id, digest, owner, title, kind, created_at, expires_at = row
    return p.StoredToken(token_id, digest, owner, title, p.TokenKind(kind), created_at, expires_at)
