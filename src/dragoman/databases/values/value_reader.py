"""Reads the literal values of a database into an index: a bounded part of every column that holds words."""

import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from sqlglot import exp

from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import (
    AuthenticationFailed,
    ConnectionRefused,
    DatabaseBusy,
    DatabaseNotFound,
    DragomanError,
)
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, TableInfo, ValueType
from dragoman.databases.access import DatabaseReader
from dragoman.databases.sql_text import written
from dragoman.databases.values.index import ValueIndex, ValuePlace
from dragoman.databases.values.origin import Origin

MOST_OF_COLUMN = 5_000
MOST_OF_ALL = 200_000
LONGEST_VALUE = 80
SECONDS = 30.0
"""How long all columns together may take."""
SECONDS_OF_COLUMN = 5.0
PATIENCE = 20.0
"""An index is read again no sooner than after so many times what reading it took."""
VERSION = 2

_OUT_OF_REACH = (AuthenticationFailed, ConnectionRefused, DatabaseBusy, DatabaseNotFound)
"""Failures of a whole database: its values are not none, they are not known."""
_TEXTUAL = frozenset({ValueType.TEXT, ValueType.OTHER})


class _Kept(Record, frozen=True):
    version: int
    fingerprint: str
    origin: Origin
    seconds: float
    places: tuple[ValuePlace, ...]


def read_values(
    reader: DatabaseReader, schema: DatabaseSchema, folder: Path | None = None, origin: Origin | None = None
) -> ValueIndex:
    """The index of a database. With a folder it is kept there, one file for each place and shape of a
    database, and read again when its origin shows that the data are others by now.

    A column that cannot be read is left out: the index helps, it decides nothing. Raises an `AccessError`
    where the database is out of reach.
    """
    origin = origin or Origin()
    kept = None if folder is None else _load(folder, schema, origin)
    if kept is not None:
        return ValueIndex(with_options(kept, schema))
    began = time.monotonic()
    places = tuple(_places(reader, schema))
    if folder is not None:
        _store(folder, _Kept(VERSION, schema.fingerprint, origin, time.monotonic() - began, places))
    return ValueIndex(with_options(places, schema))


def with_options(places: Iterable[ValuePlace], schema: DatabaseSchema) -> tuple[ValuePlace, ...]:
    """The values with those that columns may hold though no row has them: whoever asks for one of them asks
    for something that is known."""
    found = tuple(places)
    declared = dict.fromkeys(
        ValuePlace(table.schema, table.name, column.name, option)
        for table in schema.tables
        for column in table.columns
        if column.type in _TEXTUAL
        for option in column.options
        if option
    )
    if not declared:
        return found
    known = frozenset(found)
    return (*found, *(each for each in declared if each not in known))


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
    except _OUT_OF_REACH:
        raise
    except DragomanError:
        return
    for row in rows:
        value = row[0]
        if isinstance(value, str) and 0 < len(value) <= LONGEST_VALUE:
            yield value


def _path(folder: Path, fingerprint: str, origin: Origin) -> Path:
    told = f"{fingerprint}\0{origin.place}".encode("utf-8", "surrogatepass")
    return folder / f"{hashlib.sha256(told).hexdigest()[:32]}.values.json"


def _load(folder: Path, schema: DatabaseSchema, origin: Origin) -> tuple[ValuePlace, ...] | None:
    path = _path(folder, schema.fingerprint, origin)
    try:
        kept = decoded(path.read_bytes(), _Kept)
        age = time.time() - path.stat().st_mtime
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    if (kept.version, kept.fingerprint, kept.origin.place) != (VERSION, schema.fingerprint, origin.place):
        return None
    old = origin.max_age is not None and age > origin.max_age
    changed = kept.origin.stamp != origin.stamp and age > PATIENCE * kept.seconds
    return None if old or changed else kept.places


def _store(folder: Path, kept: _Kept) -> None:
    # What stands in the data is for whoever may read the database: the file is its owner's alone.
    with contextlib.suppress(OSError, UnicodeEncodeError):
        folder.mkdir(parents=True, exist_ok=True)
        path = _path(folder, kept.fingerprint, kept.origin)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(msgspec.json.encode(kept))
            os.replace(name, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
