"""Reads the literal values of a database into an index: a bounded part of every column that holds words."""

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
from sqlglot import exp

from dragoman.catalog.access import DatabaseReader
from dragoman.catalog.statements import written
from dragoman.catalog.values.index import ValueIndex, ValuePlace
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, TableInfo, ValueType

MOST_OF_COLUMN = 5_000
MOST_OF_ALL = 200_000
LONGEST_VALUE = 80
SECONDS = 30.0
"""How long all columns together may take."""
SECONDS_OF_COLUMN = 5.0
VERSION = 1

_TEXTUAL = frozenset({ValueType.TEXT, ValueType.OTHER})


class _Kept(Record, frozen=True):
    version: int
    fingerprint: str
    places: tuple[ValuePlace, ...]


def read_values(reader: DatabaseReader, schema: DatabaseSchema, folder: Path | None = None) -> ValueIndex:
    """The index of a database. With a folder it is kept there, one file for each shape of a database.

    A column that cannot be read is left out: the index helps, it decides nothing.
    """
    kept = None if folder is None else _load(folder, schema)
    if kept is not None:
        return ValueIndex(kept)
    places = tuple(_places(reader, schema))
    if folder is not None:
        _store(folder, schema, places)
    return ValueIndex(places)


def _places(reader: DatabaseReader, schema: DatabaseSchema) -> Iterator[ValuePlace]:
    left = MOST_OF_ALL
    until = time.monotonic() + SECONDS
    for table in schema.tables:
        for column in table.columns:
            if column.type not in _TEXTUAL or left <= 0 or time.monotonic() > until:
                continue
            for value in _values(reader, table, column, min(MOST_OF_COLUMN, left)):
                left -= 1
                yield ValuePlace(table.schema, table.name, column.name, value)


def _values(reader: DatabaseReader, table: TableInfo, column: ColumnInfo, most: int) -> Iterator[str]:
    name = exp.column(exp.to_identifier(column.name, quoted=True))
    place = exp.Table(
        this=exp.to_identifier(table.name, quoted=True),
        db=exp.to_identifier(table.schema, quoted=True) if table.schema else None,
    )
    tree = exp.select(name).distinct().from_(place).order_by(name.copy()).limit(most)
    try:
        rows = reader.read(
            written(tree, reader.dialect, ()), ReadLimits(rows=most, seconds=SECONDS_OF_COLUMN)
        ).rows
    except DragomanError:
        return
    for row in rows:
        value = row[0]
        if isinstance(value, str) and 0 < len(value) <= LONGEST_VALUE:
            yield value


def _path(folder: Path, schema: DatabaseSchema) -> Path:
    digest = hashlib.sha256(schema.fingerprint.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return folder / f"{digest}.values.json"


def _load(folder: Path, schema: DatabaseSchema) -> tuple[ValuePlace, ...] | None:
    try:
        kept = msgspec.json.decode(_path(folder, schema).read_bytes(), type=_Kept)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return kept.places if kept.version == VERSION and kept.fingerprint == schema.fingerprint else None


def _store(folder: Path, schema: DatabaseSchema, places: tuple[ValuePlace, ...]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = _path(folder, schema)
        partial = path.with_suffix(".part")
        partial.write_bytes(msgspec.json.encode(_Kept(VERSION, schema.fingerprint, places)))
        partial.replace(path)
    except (OSError, UnicodeEncodeError):
        return
