"""The entities of a pack, read from its database and indexed by name.

The index is on disk, so that programs can be checked against it without a connection. It is built again when
the data changed: its fingerprint is counted by the database, in one look over the table.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from sqlglot import exp

from dragoman.catalog.access import DatabaseReader
from dragoman.catalog.entities import (
    EntityIndex,
    EntityIndexConfig,
    EntityRow,
    SearchKey,
    build_index,
    is_current,
    open_index,
)
from dragoman.catalog.statements import written
from dragoman.contracts.errors import RunFailed
from dragoman.contracts.pack import PackEntity
from dragoman.contracts.query import Query, ReadLimits, Value
from dragoman.contracts.schema import Dialect

MOST = 5_000_000
_LIMITS = ReadLimits(rows=MOST, seconds=600.0)


def entity_index(
    kind: str, entity: PackEntity, reader: DatabaseReader, folder: Path, *, fresh: bool = False
) -> EntityIndex:
    """The index of a kind of entity, as its table is now. `folder` is where it is kept."""
    config = index_config(kind, entity)
    fingerprint = _fingerprint(entity, reader)
    if fresh or not is_current(folder, fingerprint, config):
        build_index(folder, config, _rows(entity, reader), fingerprint)
    return open_index(folder)


def index_config(kind: str, entity: PackEntity) -> EntityIndexConfig:
    return EntityIndexConfig(
        entity_type=kind,
        search_keys=tuple(SearchKey(column) for column in (entity.display, *entity.names, *entity.codes)),
        discriminators=tuple(entity.discriminators),
        resolution_mode=entity.mode,
        return_key_type=entity.key_type,
        create_verb=entity.create,
    )


def _rows(entity: PackEntity, reader: DatabaseReader) -> Iterator[EntityRow]:
    names = (entity.display, *entity.names, *entity.codes)
    wanted = (entity.key, *names, *entity.discriminators.values())
    tree = exp.select(*map(_column, wanted)).from_(_table(entity)).order_by(_column(entity.key))
    result = reader.read(_query(tree, reader.dialect), _LIMITS)
    if result.truncated:
        raise RunFailed(f"{entity.table} has more than {MOST:,} rows", hint="narrow the entity to a view")
    for key, *rest in result.rows:
        if key is None:
            continue
        called = tuple(_text(value) for value in rest[: len(names)])
        told = dict(zip(entity.discriminators, map(_text, rest[len(names) :]), strict=True))
        yield EntityRow(_text(key), called[0], called, {name: value for name, value in told.items() if value})


def _fingerprint(entity: PackEntity, reader: DatabaseReader) -> str:
    """A fingerprint that changes with the entities."""
    key, name = _column(entity.key), _column(entity.display)
    tree = exp.select(
        exp.Count(this=exp.Star()), exp.Max(this=key), exp.Min(this=key), exp.Sum(this=exp.Length(this=name))
    ).from_(_table(entity))
    row = reader.read(_query(tree, reader.dialect), _LIMITS).rows[0]
    told = "\n".join(_text(value) for value in (*row, entity.table))
    return hashlib.sha256(told.encode("utf-8")).hexdigest()


def _column(name: str) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True))


def _table(entity: PackEntity) -> exp.Table:
    schema, _, table = entity.table.rpartition(".")
    return exp.table_(exp.to_identifier(table, quoted=True), db=exp.to_identifier(schema) if schema else None)


def _query(tree: exp.Expr, dialect: Dialect) -> Query:
    return written(tree, dialect, ())


def _text(value: Value) -> str:
    return "" if value is None else str(value)
