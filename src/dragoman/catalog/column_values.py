"""The few values of a column, as the viewer may see them. Discovery keeps none of a guarded table."""

from typing import TYPE_CHECKING

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, TableInfo

if TYPE_CHECKING:
    from dragoman.contracts.connection import ConnectionSpec

_SECONDS = 5.0


class ColumnValues(Record, frozen=True):
    """Every value of a column where they are few, and how many rows have one."""

    values: tuple[str, ...]
    rows: int


def few_values(
    catalog: Catalog, spec: "ConnectionSpec", table: TableInfo, column: ColumnInfo, most: int
) -> ColumnValues | None:
    """The values of a column with at most so many; None where there are more, or they cannot be read."""
    if not catalog.has_policies(spec):
        known = column.distinct is not None and column.distinct <= min(most, len(column.samples))
        return ColumnValues(column.samples, table.rows or 0) if known else None
    key = (spec.name, table.schema, table.name, column.name)
    with catalog.lock:
        if key not in catalog.values_read:
            catalog.values_read[key] = _read(catalog, spec, table, column, most)
        return catalog.values_read[key]


def _read(
    catalog: Catalog, spec: "ConnectionSpec", table: TableInfo, column: ColumnInfo, most: int
) -> ColumnValues | None:
    # Imported where there are policies: SQL trees are most of what a start would cost.
    from sqlglot import exp

    from dragoman.databases.connections import read_all
    from dragoman.databases.sql_text import written

    named = exp.column(exp.to_identifier(column.name, quoted=True))
    source = exp.Table(
        this=exp.to_identifier(table.name, quoted=True),
        db=exp.to_identifier(table.schema, quoted=True) if table.schema else None,
    )
    tree = exp.select(named, exp.Count(this=exp.Star())).from_(source).group_by(named).limit(most + 2)
    schema, visibility = catalog.schema(spec), catalog.visibility(spec)
    if schema is None:
        return None
    try:
        query = (
            written(tree, schema.dialect, ())
            if visibility is None
            else visibility.written(tree, schema.dialect, ())
        )
        limits = ReadLimits(rows=most + 2, seconds=_SECONDS)
        (result,) = read_all(spec, catalog.folder, (query,), limits)
    except DragomanError:
        # Without them somebody is asked an open question in the place of a closed one.
        return None
    found = {str(value): int(str(count)) for value, count in result.rows if value is not None}
    return ColumnValues(tuple(found), sum(found.values())) if len(found) <= most else None
