"""Reads from MariaDB and MySQL."""

from contextlib import suppress

import pymysql

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import (
    AccessError,
    ConnectionRefused,
    DatabaseBusy,
    QueryFailed,
    ReadOnlyViolation,
)
from dragoman.contracts.query import Query, ReadLimits, ResultColumn, ResultSet
from dragoman.contracts.schema import Dialect
from dragoman.databases.access.batches import gather
from dragoman.databases.access.native_types import value_type
from dragoman.databases.access.refusals import said
from dragoman.databases.access.serial import SerialReader
from dragoman.databases.access.watch import GRACE_SECONDS, Watch, timed_out
from dragoman.databases.families.mysql.address import MysqlAddress
from dragoman.databases.families.mysql.codes import Code
from dragoman.databases.families.mysql.connection import Connection, begin, connect, refusal, run, thread_of
from dragoman.databases.families.mysql.json_columns import JsonColumns
from dragoman.databases.families.mysql.literals import text_literal, with_values
from dragoman.databases.families.mysql.server_warnings import refuse_altered
from dragoman.databases.families.mysql.values import decoder, native_name, read_cell

_KILL_SECONDS = 2
_MISSPELT = frozenset({Code.SYNTAX, Code.OLD_SYNTAX})
_NOT_A_QUERY = _MISSPELT | {Code.WRONG_USAGE, Code.NOT_PREPARABLE, Code.MISPLACED_INTO}
"""What a server answers when something is no subquery."""


class MysqlReader(SerialReader):
    dialect = Dialect.MYSQL

    def __init__(self, target: MysqlAddress, limits: ReadLimits) -> None:
        super().__init__(limits)
        self._target = target
        self._connection: Connection | None = None
        self._answers_within = 0.0
        self._json = JsonColumns()

    def _read(
        self, query: Query, limits: ReadLimits, cancel: Cancellation | None, user_sql: bool
    ) -> ResultSet:
        # The server takes a semicolon at the end, the proof that this is a query does not.
        sql = with_values(query).rstrip("; \t\r\n")
        reused = self._connection is not None and not user_sql
        try:
            return self._read_once(sql, limits, cancel, user_sql)
        except ConnectionRefused:
            # A connection kept from before may have been ended by the server; a fresh one was tried just now.
            if not reused:
                raise
            return self._read_once(sql, limits, cancel, user_sql)

    def _read_once(
        self, sql: str, limits: ReadLimits, cancel: Cancellation | None, user_sql: bool
    ) -> ResultSet:
        connection = self._connected(limits, user_sql)
        watch = Watch(limits.seconds, cancel, lambda: self._stop(thread_of(connection)), again=True)
        whole = False
        try:
            with watch:
                begin(connection, limits)
                if user_sql:
                    _prove_query(connection, sql)
                result = self._rows(connection, sql, limits)
                if not result.truncated:
                    run(connection, "ROLLBACK")
            # The rest of a result that was cut would have to be read before anything else.
            whole = watch.reason is None and not result.truncated
        except pymysql.err.MySQLError as error:
            raise watch.error() or self._refusal(error, limits) from error
        finally:
            if user_sql or not whole:
                self._discard()
        # A statement that was killed may end without an error, with the rows it had.
        if (stopped := watch.error()) is not None:
            raise stopped
        return result

    def _rows(self, connection: Connection, sql: str, limits: ReadLimits) -> ResultSet:
        cursor = connection.cursor()
        ended, warnings = False, 0
        try:
            cursor.execute(sql)
            fields = cursor.fields
            if not fields:
                raise ReadOnlyViolation("this is not a query", hint="only SELECT gives rows")
            names = [field.name for field in fields]
            rows, truncated = gather(cursor.fetchmany, names, limits)
            # The server stops at one row too many; unless the query has a limit of its own, this is its end.
            ended = not truncated or cursor.fetchone() is None
            warnings = cursor.warnings if ended else 0
        finally:
            if ended:
                cursor.close()
            else:
                cursor.abandon()
        refuse_altered(connection, warnings)
        told = self._json.among(fields, self._target)
        natives = ["json" if number in told else native_name(field) for number, field in enumerate(fields)]
        decoders = [decoder(native) for native in natives]
        return ResultSet(
            tuple(
                ResultColumn(name, value_type(Dialect.MYSQL, native), native)
                for name, native in zip(names, natives, strict=True)
            ),
            [
                tuple(read_cell(cell, decode) for cell, decode in zip(row, decoders, strict=True))
                for row in rows
            ],
            truncated,
        )

    def _connected(self, limits: ReadLimits, user_sql: bool) -> Connection:
        needed = limits.seconds + 2 * GRACE_SECONDS
        if user_sql or self._answers_within < needed:
            self._discard()
        if self._connection is None:
            self._answers_within = needed
            self._connection = connect(self._target, needed)
        return self._connection

    def _discard(self) -> None:
        if self._connection is not None:
            with suppress(pymysql.err.MySQLError, OSError):
                self._connection.close()
            self._connection = None

    def _stop(self, thread: int) -> None:
        """Ask the server, on another connection, to stop what runs."""
        with suppress(AccessError, pymysql.err.MySQLError, OSError):
            other = connect(self._target, _KILL_SECONDS)
            try:
                run(other, f"KILL QUERY {int(thread)}")
            finally:
                other.close()

    def _refusal(self, error: pymysql.err.MySQLError, limits: ReadLimits) -> AccessError:
        code = error.args[0] if error.args else None
        text = said(error.args[1] if len(error.args) > 1 else error, self._target.password)
        match code:
            case Code.MARIADB_TIME_OVER | Code.MYSQL_TIME_OVER:
                return timed_out(limits.seconds)
            case Code.READ_ONLY_TRANSACTION | Code.READ_ONLY_SERVER:
                return ReadOnlyViolation(f"MySQL refused what does more than read: {text}", hint="only read")
            case Code.LOCK_WAIT | Code.DEADLOCK:
                return DatabaseBusy(f"MySQL could not lock what is read: {text}", hint="try again")
            case Code.HOST_SILENT | Code.HOST_GONE | Code.HOST_LOST:
                return refusal(self._target, error)
            case _:
                return QueryFailed(f"MySQL refused the query: {text}", hint="check the query", number=code)


def _prove_query(connection: Connection, sql: str) -> None:
    """Have the server itself parse the text as a subquery, without running it.

    A read-only transaction lets more through than reading: INTO OUTFILE, SET, KILL, CALL. None of them can
    stand in EXISTS (…). The brackets of a statement that is whole by itself balance, so it cannot close this
    one.
    Raises ReadOnlyViolation; MySQLError where the text is no statement at all.
    """
    try:
        _prepare(connection, f"SELECT EXISTS ({sql}\n)")
    except pymysql.err.MySQLError as error:
        if error.args and error.args[0] not in _NOT_A_QUERY:
            raise
        try:
            _prepare(connection, sql)
        except pymysql.err.MySQLError as other:
            if other.args and other.args[0] in _MISSPELT:
                raise
        raise ReadOnlyViolation(
            "MySQL does not read this as one query that only reads", hint="write one SELECT"
        ) from error


def _prepare(connection: Connection, sql: str) -> None:
    run(connection, f"SET @dragoman_probe = {text_literal(sql)}")
    run(connection, "PREPARE dragoman_probe FROM @dragoman_probe")
    run(connection, "DEALLOCATE PREPARE dragoman_probe")
