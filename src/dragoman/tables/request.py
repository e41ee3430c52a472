"""What a statement asks of a table, read and checked: a record that knows no SQL."""

from dragoman.contracts.record import Record
from dragoman.tables.computation import Computed, Expressed, columns_in
from dragoman.tables.conditions import Condition, Test, Within
from dragoman.tables.graph import Column, Link, Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.verbs import TableVerb


class Measured(Record, frozen=True):
    """One figure of every group: what a verb makes of a column, or without one how many rows there are.

    Of a share `that` says which rows are the part; where it is None, a group is a part of all groups.
    """

    verb: TableVerb
    of: Expressed | None = None
    distinct: bool = False
    that: tuple[Condition, ...] | None = None
    per: ColumnPath | None = None
    """What a number or a sum is divided by the number of: different customers, months."""

    @property
    def written(self) -> str:
        return self.verb.value if self.of is None else f"{self.verb}/{self.of.written}"


Shown = ColumnPath | Computed | Measured
"""A column of a result."""


class Ordering(Record, frozen=True):
    """One key of an order."""

    by: Shown
    descending: bool = False


class Dated(Record, frozen=True):
    """The days of a date column, reached without multiplying rows."""

    path: ColumnPath
    days: Within


class Having(Record, frozen=True):
    """A test of a group's figure. `known` says of which type it is."""

    measured: Measured
    known: Column
    test: Test


class ReadRequest(Record, frozen=True):
    """`columns` are shown by lists, `by` gathers rows into groups, `of` is what is measured.

    `joined`: the links to rows that every row is put together with. Of groups: `measures` are worked out, the
    verb's own first; `shown` are the columns of the result; what of them and of the order is a column was
    gathered by, or stands fast when that does (`settled`). `groups`: only their number is asked for.
    """

    table: Table
    verb: TableVerb
    columns: tuple[Expressed, ...] = ()
    joined: tuple[Link, ...] = ()
    by: tuple[ColumnPath, ...] = ()
    groups: bool = False
    settled: tuple[Expressed, ...] = ()
    of: Expressed | None = None
    measures: tuple[Measured, ...] = ()
    shown: tuple[Shown, ...] = ()
    having: tuple[Having, ...] = ()
    distinct: bool = False
    conditions: tuple[Condition, ...] = ()
    dated: tuple[Dated, ...] = ()
    order: tuple[Ordering, ...] = ()
    top: int | None = None
    ties: bool = False
    limit: int | None = None

    def paths(self) -> tuple[ColumnPath, ...]:
        """Every column that is asked for outside of conditions."""
        measured = (each.of for each in self.measures)
        per = (each.per for each in self.measures)
        of = (path for path in (self.of, *measured, *per) if path is not None)
        order = (each.by for each in self.order if not isinstance(each.by, Measured))
        dated = (each.path for each in self.dated)
        asked = (*self.columns, *self.by, *self.settled, *of, *order, *dated)
        return tuple(dict.fromkeys(path for each in asked for path in columns_in(each)))
