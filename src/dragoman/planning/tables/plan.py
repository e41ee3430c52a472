"""A complete reading before it is written as a program."""

from dragoman.contracts.record import Record
from dragoman.planning.tables.partial_reading import Condition, Having, Measure, Sorting
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.scope import Scope
from dragoman.planning.tables.weights import Feature


class Plan(Record, frozen=True):
    """What is asked of a scope. With `by` or `measures` the rows are gathered, otherwise they are listed; no
    `columns` in a list means all of them."""

    scope: Scope
    columns: tuple[Thing, ...] = ()
    measures: tuple[Measure, ...] = ()
    by: tuple[Thing, ...] = ()
    figures: bool = True
    """Whether the measures are shown."""
    conditions: tuple[Condition, ...] = ()
    having: tuple[Having, ...] = ()
    order: tuple[Sorting, ...] = ()
    top: int | None = None
    distinct: bool = False
    features: tuple[Feature, ...] = ()
    uncovered: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    score: float = 0.0
