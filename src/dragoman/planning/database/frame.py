"""A reading of a question before it is written: what is shown, measured, grouped, kept, ordered."""

import datetime as dt
from enum import StrEnum

from dragoman.contracts.record import Record
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Link, Table
from dragoman.tables.verbs import DatePart


class Aggregate(StrEnum):
    COUNT = "count"
    SUM = "sum"
    AVERAGE = "average"
    MIN = "min"
    MAX = "max"


class Ref(Record, frozen=True):
    """A column, and where it matters the links that lead to it from the table that is asked."""

    thing: Thing
    links: tuple[Link, ...] | None = None
    through: Thing | None = None
    """The foreign key that leads to the column's table."""
    mirror: tuple[Link, ...] | None = None
    """Of a condition: another way on which it may hold instead, over the other of two like ends."""

    @property
    def table(self) -> Table:
        return self.thing.table


class Measure(Record, frozen=True):
    """A figure: an aggregate of a column, of a product of columns, or of rows."""

    aggregate: Aggregate
    ref: Ref | None = None
    factors: tuple[Ref, ...] = ()
    """The columns that are multiplied; the last of them as 1 minus it where `discounted`."""
    discounted: bool = False
    days: tuple[Ref | dt.date, Ref] | None = None
    """The last day and the first, of which the days between are measured. A date is that of today."""
    exact: bool = False
    """Of two moments the seconds between them, and not the days: `divisor` says in which unit."""
    distinct: bool = False
    divisor: float = 1.0
    """For a figure asked for in another unit than its column's."""
    counts: Table | None = None
    """Of a count: the things that are counted, where they are not the rows themselves."""
    per: "Group | None" = None
    """What a number or a sum is divided by the number of: bookings per customer."""

    @property
    def table(self) -> Table | None:
        if self.ref is not None:
            return self.ref.table
        if self.days is not None:
            return self.days[1].table
        return self.factors[0].table if self.factors else self.counts


class Condition(Record, frozen=True):
    """What must hold of a column: a comparison with values, days of a date, or nothing being there."""

    ref: Ref
    operation: str
    """`equal`, a comparison of the table verbs, `missing`, `days`, `part` or `average`."""
    values: tuple[str | float | dt.date | None, ...] = ()
    negative: bool = False
    part: DatePart | None = None
    other: Ref | None = None
    """The column of the same row that it is compared with, in place of values."""
    like: tuple["Condition", ...] = ()
    """Of `same`: what names the row that has the same value."""
    others: tuple["Condition", ...] = ()
    """What is enough in its place: above 5 or below 1."""
    within: tuple["Condition", ...] = ()
    """Of a comparison with the average: what holds of the rows that it is of."""
    same_row: bool = False
    """Of a negative one over links to many: one of the rows is not so, and it does not say that none is."""


class Linked(Record, frozen=True):
    """Rows of another table that there must be, or must not be: none, some, or so many."""

    table: Table
    links: tuple[Link, ...] | None = None
    conditions: tuple[Condition, ...] = ()
    absent: bool = False
    operation: str = ""
    number: float = 0


class Group(Record, frozen=True):
    """What rows are gathered by: a column, a part of a date, or the rows of a table."""

    ref: Ref | None = None
    part: DatePart | None = None
    table: Table | None = None
    links: tuple[Link, ...] | None = None
    through: Thing | None = None

    @property
    def target(self) -> Table:
        if self.table is not None:
            return self.table
        if self.ref is None:
            raise ValueError("a group needs a column or a table")
        return self.ref.table


class Having(Record, frozen=True):
    measure: Measure
    operation: str
    number: float | None
    """None: the average, over all rows or of a number or a sum over all groups."""
    most: float | None = None


class Difference(Record, frozen=True):
    """What is left of one column without another, or the days from the second to the first."""

    first: Ref
    second: Ref
    days: bool = False
    exact: bool = False
    """Of two moments: by the second."""


class Order(Record, frozen=True):
    key: Ref | Measure | Difference
    descending: bool = False
    part: DatePart | None = None
    """Of a date that groups are gathered by a part of: that part."""


class Frame(Record, frozen=True):
    """One complete reading over the tables of a database."""

    subject: Table
    shown: tuple[Ref, ...] = ()
    everything: bool = False
    measures: tuple[Measure, ...] = ()
    groups: tuple[Group, ...] = ()
    conditions: tuple[Condition, ...] = ()
    either: bool = False
    """Any of the conditions is enough."""
    linked: tuple[Linked, ...] = ()
    having: tuple[Having, ...] = ()
    order: tuple[Order, ...] = ()
    limit: int | None = None
    distinct: bool = False
    share: tuple[Condition, ...] | None = None
    """The conditions whose share of the rows is asked for."""
    share_linked: tuple[Linked, ...] = ()
    """The linked rows that the part of a share has, or has not."""
    count_groups: bool = False
    unshown: bool = False
    """The figures only choose or sort the groups: what is gathered by is shown without them."""
    named: bool = False
    """Columns of what is gathered by are asked for by name: they are shown, and not its label."""

    @property
    def gathered(self) -> bool:
        return bool(self.measures or self.groups)
