"""A program: statements that call verbs, and what the compiler knows of them."""

import datetime as dt
from enum import StrEnum

from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import Origin


class Text(Record, frozen=True, tag="text", tag_field="type"):
    value: str


class Integer(Record, frozen=True, tag="int", tag_field="type"):
    value: int


class Number(Record, frozen=True, tag="decimal", tag_field="type"):
    """An exact decimal as written, scale included."""

    value: str


class Boolean(Record, frozen=True, tag="bool", tag_field="type"):
    value: bool


class Nil(Record, frozen=True, tag="nil", tag_field="type"):
    pass


class Date(Record, frozen=True, tag="date", tag_field="type"):
    value: dt.date


class Symbol(Record, frozen=True, tag="symbol", tag_field="type"):
    """A reference to what another statement bound, or to a connection: `@name`."""

    name: str


class Sequence(Record, frozen=True, tag="list", tag_field="type"):
    items: tuple["Value", ...]


class Entry(Record, frozen=True):
    """One `:key value` of a map."""

    key: str
    value: "Value"


class Map(Record, frozen=True, tag="map", tag_field="type"):
    entries: tuple[Entry, ...]


class Call(Record, frozen=True, tag="call", tag_field="type"):
    """A call inside a value. Lifting makes it a statement of its own, and this a symbol."""

    statement: "Statement"


Value = Text | Integer | Number | Boolean | Nil | Date | Symbol | Sequence | Map | Call


class Argument(Record, frozen=True):
    """One `:name value`. `comments` stand on lines of their own before it; `display` stands after it on its
    line: the name of the entity behind a resolved key."""

    name: str
    value: Value
    display: str = ""
    comments: tuple[str, ...] = ()


class Statement(Record, frozen=True):
    """One call of a verb, `(domain.verb :arg value … :as @binds)`. `comments` stand before it, `closing`
    before its closing bracket."""

    verb: str
    arguments: tuple[Argument, ...] = ()
    binds: str = ""
    comments: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()

    def argument(self, name: str) -> Argument | None:
        return next((argument for argument in self.arguments if argument.name == name), None)


Program = tuple[Statement, ...]


class Span(Record, frozen=True):
    """A stretch of source in code points: offsets, and line and column (from 1) of its start and its end."""

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int


class Severity(StrEnum):
    """Whether a finding stops the program, or only should be looked at."""

    ERROR = "error"
    WARNING = "warning"


class Diagnostic(Record, frozen=True):
    """One finding of the compiler: a stable code, where it is, and what to write instead."""

    code: str
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    span: Span | None = None


class Binding(Record, frozen=True):
    """An argument the planner bound, and where its value came from."""

    name: str
    value: Value
    origin: Origin
    display: str = ""


class PlanStep(Record, frozen=True):
    """A step of the plan, in the order in which it runs."""

    id: str
    verb: str
    needs: tuple[str, ...] = ()


class Plan(Record, frozen=True):
    """What will run, with the fingerprint of everything it depends on."""

    fingerprint: str
    steps: tuple[PlanStep, ...]


class SearchKeyField(Record, frozen=True):
    name: str
    label: str = ""
    required: bool = False


class DiscriminatorField(Record, frozen=True):
    name: str
    label: str = ""
    options: tuple[str, ...] = ()


class EntityResolutionConfig(Record, frozen=True):
    """How an entity type is searched for: by which keys, told apart by what, shown how."""

    search_keys: tuple[SearchKeyField, ...]
    discriminators: tuple[DiscriminatorField, ...]
    resolution_mode: str
    return_key_type: str


class EntityMatch(Record, frozen=True):
    entity_id: str
    display: str
    score: float
    detail: str = ""


class RefLocation(Record, frozen=True):
    statement_index: int
    verb: str
    arg_name: str
    span: Span | None = None


class Pending(Record, frozen=True, tag="pending", tag_field="status"):
    pass


class Resolved(Record, frozen=True, tag="resolved", tag_field="status"):
    entity_id: str
    display: str


class Skipped(Record, frozen=True, tag="skipped", tag_field="status"):
    pass


class CreatedNew(Record, frozen=True, tag="created_new", tag_field="status"):
    entity_id: str


RefResolutionStatus = Pending | Resolved | Skipped | CreatedNew


class UnresolvedRef(Record, frozen=True):
    """An entity reference in the program that waits for the user."""

    ref_id: str
    location: RefLocation
    search_value: str
    entity_type: str
    config: EntityResolutionConfig
    initial_matches: tuple[EntityMatch, ...] = ()
    status: RefResolutionStatus = Pending()
