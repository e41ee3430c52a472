"""What a statement asks of a table, read and checked: a record that knows no SQL."""

from dragoman.catalog.tables.conditions import Condition, Within
from dragoman.catalog.tables.graph import Table
from dragoman.catalog.tables.paths import ColumnPath
from dragoman.catalog.tables.verbs import TableVerb
from dragoman.contracts.record import Record


class Ordering(Record, frozen=True):
    """One key of an order: a column, or with None what the verb measures."""

    path: ColumnPath | None
    descending: bool = False


class Dated(Record, frozen=True):
    """The days of a date column, reached without multiplying rows."""

    path: ColumnPath
    days: Within


class ReadRequest(Record, frozen=True):
    """`columns` are shown by lists, `by` gathers rows into groups, `of` is what is measured."""

    table: Table
    verb: TableVerb
    columns: tuple[ColumnPath, ...] = ()
    by: tuple[ColumnPath, ...] = ()
    of: ColumnPath | None = None
    distinct: bool = False
    conditions: tuple[Condition, ...] = ()
    dated: tuple[Dated, ...] = ()
    order: tuple[Ordering, ...] = ()
    top: int | None = None
    ties: bool = False
    limit: int | None = None

    def paths(self) -> tuple[ColumnPath, ...]:
        """Every column that is asked for outside of conditions."""
        of = () if self.of is None else (self.of,)
        order = (each.path for each in self.order if each.path is not None)
        return (*self.columns, *self.by, *of, *order, *(each.path for each in self.dated))
