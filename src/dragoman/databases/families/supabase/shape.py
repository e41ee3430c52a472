"""The shape of a project: from PostgreSQL's catalog, or over REST from what the project says of itself."""

from functools import cache
from importlib.resources import files
from typing import Protocol, runtime_checkable

import yaml

from dragoman.contracts.access import Reader
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.schema import ColumnInfo, ForeignKey, Shape, TableKind
from dragoman.databases.discovery.catalog_reader import CATALOG_LIMITS
from dragoman.databases.discovery.draft import Draft
from dragoman.databases.families.postgres.shape import postgres_shape
from dragoman.databases.families.supabase.description import RestTable


@runtime_checkable
class DescribedReader(Protocol):
    """A reader of what describes itself, and has no catalog to be asked."""

    def tables(self, limits: ReadLimits | None = None) -> tuple[RestTable, ...]: ...


def supabase_shape(reader: Reader) -> Shape:
    if isinstance(reader, DescribedReader):
        return rest_shape(reader)
    return postgres_shape(reader, _schemas_of_the_service())


def rest_shape(reader: DescribedReader) -> Shape:
    """What the description says. Whether something is a table or a view it does not say: all are tables."""
    tables = reader.tables(CATALOG_LIMITS)
    default = tables[0].schema if tables else ""
    draft = Draft()
    for table in tables:
        schema = "" if table.schema == default else table.schema
        place = (schema, table.name)
        draft.table(place, TableKind.TABLE, comment=table.comment)
        for each in table.columns:
            draft.column(
                place,
                ColumnInfo(
                    each.name,
                    each.type,
                    each.native,
                    each.nullable,
                    comment=each.comment,
                    samples=each.values,
                    options=each.values,
                ),
            )
            if each.points_at is not None:
                target, key = each.points_at
                draft.foreign_key(place, ForeignKey((each.name,), target, (key,), schema))
        draft.primary_key(place, table.primary_key)
    return draft.finish()


@cache
def _schemas_of_the_service() -> frozenset[str]:
    text = files("dragoman.databases.families.supabase").joinpath("schemas.yaml").read_text(encoding="utf-8")
    return frozenset(yaml.load(text, Loader=yaml.CSafeLoader))
