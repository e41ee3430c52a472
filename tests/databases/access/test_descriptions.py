"""The declared types of a query's columns are kept, and never those of an older schema or another file."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dragoman.contracts.query import Query, ReadLimits
from dragoman.contracts.schema import ValueType
from dragoman.databases.families.sqlite.local import LocalReader
from dragoman.databases.families.sqlite.target import SqliteTarget

QUERY = Query("SELECT x FROM t")


def _make(path: Path, kind: str, *, wal: bool) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {'WAL' if wal else 'DELETE'}")
        connection.execute("DROP TABLE IF EXISTS t")
        connection.execute(f"CREATE TABLE t (x {kind})")
        connection.commit()


def _type(reader: LocalReader) -> ValueType:
    return reader.read(QUERY).columns[0].type


@pytest.mark.parametrize("wal", [False, True])
def test_another_schema_is_described_anew(tmp_path: Path, wal: bool) -> None:
    path = tmp_path / "t.sqlite"
    _make(path, "INTEGER", wal=wal)
    with LocalReader(SqliteTarget(path), ReadLimits()) as reader:
        assert [_type(reader), _type(reader)] == [ValueType.INTEGER, ValueType.INTEGER]
        _make(path, "DATE", wal=wal)
        assert _type(reader) is ValueType.DATE


def test_another_file_under_the_name_is_described_anew(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    _make(path, "INTEGER", wal=False)
    with LocalReader(SqliteTarget(path), ReadLimits()) as reader:
        assert _type(reader) is ValueType.INTEGER
    path.unlink()
    _make(path, "DATE", wal=False)
    with LocalReader(SqliteTarget(path), ReadLimits()) as reader:
        assert _type(reader) is ValueType.DATE
