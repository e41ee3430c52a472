"""A project over REST: its shape is what it says of itself, and its data is looked at table by table.

Many tables in one query, or a join, cannot be asked there.
"""

from typing import Protocol, runtime_checkable

from dragoman.contracts.errors import DragomanError
from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.contracts.schema import ColumnInfo, Dialect, ForeignKey, TableInfo, TableKind
from dragoman.databases.access.rest.description import RestTable
from dragoman.databases.discovery.budget import Purse
from dragoman.databases.discovery.catalog_reader import CATALOG_LIMITS, Fault, Reader, fault_of, text_of
from dragoman.databases.discovery.draft import Draft, Shape
from dragoman.databases.discovery.first_rows import LONGEST, Cell, Glance
from dragoman.databases.discovery.statements import column, query_of, selected, table_at


@runtime_checkable
class DescribedReader(Protocol):
    """A reader of what describes itself, and has no catalog to be asked."""

    @property
    def dialect(self) -> Dialect: ...

    def read(self, query: Query, limits: ReadLimits | None = None) -> ResultSet: ...

    def tables(self, limits: ReadLimits | None = None) -> tuple[RestTable, ...]: ...

    def estimate(self, schema: str, name: str, limits: ReadLimits | None = None) -> int | None: ...


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
                ),
            )
            if each.points_at is not None:
                target, key = each.points_at
                draft.foreign_key(place, ForeignKey((each.name,), target, (key,), schema))
        draft.primary_key(place, table.primary_key)
    return draft.finish()


def first_rows_of(reader: Reader, glance: Glance, purse: Purse) -> list[tuple[Cell, ...]]:
    """The first rows of one table, every value as text and no longer than is looked at."""
    rows = purse.budget.rows + 1
    chosen = glance.chosen or glance.table.columns[:1]
    place = table_at((glance.table.schema, glance.table.name))
    tree = selected([column(each.name) for each in chosen], place, rows)
    found = reader.read(query_of(tree, reader.dialect), purse.limits(rows)).rows
    return [
        tuple(None if cell is None else text_of(cell)[:LONGEST] for cell in row[: len(glance.chosen)])
        for row in found
    ]


def estimated_size(reader: DescribedReader, table: TableInfo, seen: int, purse: Purse) -> int | None:
    """What the planner thinks, unless more were seen."""
    if purse.is_empty:
        return None
    try:
        found = reader.estimate(table.schema, table.name, purse.limits(1))
    except DragomanError as error:
        if fault_of(error) is Fault.SOURCE:
            raise
        return None
    return found if found is not None and found >= seen else None
