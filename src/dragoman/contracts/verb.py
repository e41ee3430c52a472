"""The signature of a verb: what a program may say to it, and what comes back."""

from collections.abc import Mapping
from enum import StrEnum

from dragoman.contracts.answer import Column
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect


class Effect(StrEnum):
    """What a verb does to the world: looks, reshapes, or changes something. A step's mode says the same."""

    READ = "read"
    TRANSFORM = "transform"
    WRITE = "write"


class Comparison(StrEnum):
    """What may be asked of a column's value, as `{:above 5}`."""

    ABOVE = "above"
    BELOW = "below"
    AT_LEAST = "at-least"
    AT_MOST = "at-most"
    BETWEEN = "between"
    CONTAINS = "contains"
    STARTS = "starts"
    ENDS = "ends"
    NOT = "not"


class StringType(Record, frozen=True, tag="string", tag_field="type"):
    """Any text."""


class SqlType(Record, frozen=True, tag="sql", tag_field="type"):
    """A query that only reads, or with `condition` what may stand after its WHERE."""

    condition: bool = False


class ConnectionType(Record, frozen=True, tag="connection", tag_field="type"):
    """The alias of a connection, `"@shop"`. What stands behind it is known at run time only."""


class IntType(Record, frozen=True, tag="int", tag_field="type"):
    minimum: int | None = None


class DecimalType(Record, frozen=True, tag="decimal", tag_field="type"):
    """An exact number, whole or not."""


class BoolType(Record, frozen=True, tag="bool", tag_field="type"):
    pass


class DateType(Record, frozen=True, tag="date", tag_field="type"):
    pass


class DatetimeType(Record, frozen=True, tag="datetime", tag_field="type"):
    """A moment, as text in ISO 8601, or a date for its midnight."""


class PeriodType(Record, frozen=True, tag="period", tag_field="type"):
    """Two dates, the first not after the second, both included."""


class JsonType(Record, frozen=True, tag="json", tag_field="type"):
    """Any value made of texts, numbers, booleans, nil, lists and maps. `results`: what another statement
    gives may stand in it."""

    results: bool = False


class EnumType(Record, frozen=True, tag="enum", tag_field="type"):
    options: tuple[str, ...]


class ListType(Record, frozen=True, tag="list", tag_field="type"):
    item: "ArgumentType"


class EntityType(Record, frozen=True, tag="entity", tag_field="type"):
    """The key of an entity; any other text is a reference that has to be resolved."""

    entity: str


class FilterType(Record, frozen=True, tag="filter", tag_field="type"):
    """What a column is asked for: a value, one of a list, nil, or a comparison, `{:at-least 5}`.

    `numbered`: an entity whose keys are numbers, which may be written without quotes. `parts`: what of the
    value may be asked for as a number, `{:month 7}`. `related`: another column may be named in the place of a
    value, `{:above {:column "scheduled"}}`, or the one value be meant that another statement gives.
    """

    item: "ArgumentType"
    comparisons: tuple[Comparison, ...] = ()
    numbered: bool = False
    parts: tuple[str, ...] = ()
    related: bool = False


class ResultType(Record, frozen=True, tag="result", tag_field="type"):
    """What another statement bound, `@symbol`."""


ArgumentType = (
    StringType
    | SqlType
    | ConnectionType
    | IntType
    | DecimalType
    | BoolType
    | DateType
    | DatetimeType
    | PeriodType
    | JsonType
    | EnumType
    | ListType
    | EntityType
    | FilterType
    | ResultType
)


class VerbArgument(Record, frozen=True):
    name: str
    type: ArgumentType
    required: bool = True
    help: str = ""


class VerbSignature(Record, frozen=True):
    """`name` is `domain.verb`. `one_of` names groups of arguments of which exactly one has to be given."""

    name: str
    domain: str
    title: str
    effect: Effect
    arguments: tuple[VerbArgument, ...]
    columns: tuple[Column, ...] = ()
    one_of: tuple[tuple[str, ...], ...] = ()
    needs_input: bool = False
    hint: str = ""
    examples: tuple[str, ...] = ()
    dialect: Dialect | None = None
    """The SQL that its arguments of the type sql are written in."""

    def argument(self, name: str) -> VerbArgument | None:
        return next((argument for argument in self.arguments if argument.name == name), None)


Signatures = Mapping[str, VerbSignature]
