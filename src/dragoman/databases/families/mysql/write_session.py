"""A session that changes a MariaDB or MySQL database."""

import re
from typing import Any

import pymysql

from dragoman.contracts.access import LONGEST_RUN_ID, LedgerForm, Rows
from dragoman.contracts.errors import (
    ConnectionRefused,
    ConstraintBroken,
    DatabaseBusy,
    TableMissing,
    WriteFailed,
)
from dragoman.contracts.query import Query
from dragoman.contracts.schema import Dialect
from dragoman.databases.access.refusals import said
from dragoman.databases.access.write_words import AGAIN, CHECK, LOCK_SECONDS, UNCHANGED
from dragoman.databases.families.mysql.address import MysqlAddress
from dragoman.databases.families.mysql.connection import MODE, connect
from dragoman.databases.families.mysql.literals import with_values

_BROKEN = frozenset(
    {1048, 1062, 1169, 1216, 1217, 1264, 1265, 1292, 1364, 1366, 1406, 1451, 1452, 1557, 4025}
)
_NO_TABLE = frozenset({1146, 1051})
_WAITED = frozenset({1205, 1213, 1969, 3024})
_MATCHED = re.compile(rb"Rows matched: (\d+)")
_LOST = frozenset({2006, 2013, 2014, 2055, 0})
_ENGINE = """
SELECT e.TRANSACTIONS FROM information_schema.TABLES AS t
JOIN information_schema.ENGINES AS e ON e.ENGINE = t.ENGINE
WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_NAME = ?
"""


class MysqlSession:
    dialect = Dialect.MYSQL
    ledger = LedgerForm(
        text=f"VARCHAR({LONGEST_RUN_ID})",
        quote="`",
        ending=" ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
    )

    def __init__(self, target: MysqlAddress) -> None:
        self._target = target
        self._connection: Any = connect(target, 6 * LOCK_SECONDS)

    def begin(self) -> None:
        self._run(
            f"SET SESSION sql_mode = '{MODE}', time_zone = '+00:00', lock_wait_timeout = {LOCK_SECONDS}, "
            f"innodb_lock_wait_timeout = {LOCK_SECONDS}{self._longest()}"
        )
        self._run("START TRANSACTION READ WRITE")

    def _longest(self) -> str:
        """The server's own limit, should we be gone by then. MySQL has none for what writes."""
        mariadb = "mariadb" in str(self._connection.get_server_info()).lower()
        return f", max_statement_time = {6 * LOCK_SECONDS}" if mariadb else ""

    def execute(self, query: Query) -> int:
        with self._run(with_values(query)) as cursor:
            return self._matched(int(cursor.rowcount))

    def rows(self, query: Query) -> Rows:
        with self._run(with_values(query)) as cursor:
            return [tuple(_decoded(cell) for cell in row) for row in cursor.fetchall()]

    def _matched(self, changed: int) -> int:
        """How many rows were meant. The server counts those an UPDATE left as they were only in words."""
        told = getattr(getattr(self._connection, "_result", None), "message", b"") or b""
        matched = _MATCHED.search(told if isinstance(told, bytes) else str(told).encode())
        return int(matched[1]) if matched else changed

    def commit(self) -> None:
        self._run("COMMIT").close()

    def keeps_transactions(self, table: str) -> bool:
        """A table whose engine knows no transactions would keep half of a change."""
        found = self.rows(Query(_ENGINE, (table,)))
        return not found or str(found[0][0]).upper() == "YES"

    def close(self) -> None:
        self._connection.close()

    def _run(self, sql: str) -> Any:
        try:
            cursor = self._connection.cursor()
            cursor.execute(sql)
            return cursor
        except pymysql.err.MySQLError as error:
            code = error.args[0] if error.args else 0
            text = said(error.args[1] if len(error.args) > 1 else error, self._target.password)
            if code in _BROKEN or isinstance(error, pymysql.err.IntegrityError):
                raise ConstraintBroken(f"MariaDB refused the change: {text}", hint=CHECK) from error
            if code in _NO_TABLE:
                raise TableMissing(f"MariaDB: {text}", hint="compare the pack with the database") from error
            if code in _WAITED:
                raise DatabaseBusy(f"MariaDB: {text}", hint=AGAIN) from error
            if code in _LOST:
                raise ConnectionRefused(f"MariaDB ended the connection: {text}", hint=AGAIN) from error
            raise WriteFailed(f"MariaDB refused the change: {text}", hint=UNCHANGED) from error


def _decoded(cell: object) -> object:
    return cell.decode() if isinstance(cell, bytes) else cell
