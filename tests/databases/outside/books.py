"""The books of a ledger: every file of JSON lines in a folder is a table, read through SQLite in memory."""

import json
import sqlite3
from pathlib import Path

from dragoman.contracts.access import DatabaseReader, Reader, WriteSession
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import DatabaseNotFound, QueryFailed
from dragoman.contracts.query import Query, ReadLimits, ResultColumn, ResultSet
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, Dialect, Shape, TableInfo, TableKind, ValueType
from dragoman.databases.access.serial import SerialReader
from dragoman.databases.access.target import only_read

ENDING = ".jsonl"
_KINDS = {int: ValueType.INTEGER, float: ValueType.FLOAT, str: ValueType.TEXT}


class LedgerTarget(Record, frozen=True):
    folder: Path

    def reader(self, limits: ReadLimits) -> DatabaseReader:
        return LedgerReader(self, limits)

    def session(self) -> WriteSession:
        raise only_read()


class LedgerReader(SerialReader):
    dialect = Dialect.SQLITE

    def __init__(self, target: LedgerTarget, limits: ReadLimits) -> None:
        super().__init__(limits)
        self.target = target
        self._database: sqlite3.Connection | None = None

    def _read(
        self, query: Query, limits: ReadLimits, cancel: Cancellation | None, user_sql: bool
    ) -> ResultSet:
        try:
            cursor = self._opened().execute(query.sql, [_bound(each) for each in query.parameters])
            rows = cursor.fetchmany(limits.rows + 1)
        except sqlite3.Error as error:
            raise QueryFailed(f"the ledger refused the query: {error}", hint="check the query") from error
        kept = rows[: limits.rows]
        columns = [
            ResultColumn(each[0], _held([row[place] for row in kept]))
            for place, each in enumerate(cursor.description)
        ]
        return ResultSet(tuple(columns), kept, len(rows) > limits.rows)

    def _opened(self) -> sqlite3.Connection:
        if self._database is None:
            database = sqlite3.connect(":memory:", check_same_thread=False)
            for name, lines in books_in(self.target.folder).items():
                columns = ", ".join(f'"{key}"' for key in lines[0])
                database.execute(f'CREATE TABLE "{name}" ({columns})')
                marks = ", ".join("?" for _ in lines[0])
                values = [tuple(line.values()) for line in lines]
                database.executemany(f'INSERT INTO "{name}" VALUES ({marks})', values)
            database.execute("PRAGMA query_only = ON")
            self._database = database
        return self._database

    def _discard(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None


def ledger_shape(reader: Reader) -> Shape:
    assert isinstance(reader, LedgerReader)
    tables = [
        TableInfo(
            name,
            TableKind.TABLE,
            tuple(ColumnInfo(key, _held([value]), "json", nullable=False) for key, value in lines[0].items()),
            primary_key=(next(iter(lines[0])),),
            rows=len(lines),
        )
        for name, lines in books_in(reader.target.folder).items()
    ]
    return Shape(tuple(tables))


def books_in(folder: Path) -> dict[str, list[dict[str, int | float | str]]]:
    if not folder.is_dir():
        raise DatabaseNotFound(f"there is no ledger {folder}", hint="check its path")
    files = sorted(folder.glob(f"*{ENDING}"))
    return {file.stem: [json.loads(line) for line in file.read_text().splitlines()] for file in files}


def _held(values: list[object]) -> ValueType:
    kinds = {type(value) for value in values if value is not None}
    return _KINDS.get(kinds.pop(), ValueType.OTHER) if len(kinds) == 1 else ValueType.OTHER


def _bound(value: object) -> object:
    return value if value is None or isinstance(value, int | float | str | bytes) else str(value)
