"""A program: statements that call verbs, and what the compiler knows of them."""

import datetime as dt

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


Value = Text | Integer | Number | Boolean | Nil | Date | Symbol | Sequence


class Argument(Record, frozen=True):
    """One `:name value`. `display` is the name of the entity behind a resolved key, printed as a comment."""

    name: str
    value: Value
    display: str = ""


class Statement(Record, frozen=True):
    """One call of a verb, `(domain.verb :arg value … :as @binds)`."""

    verb: str
    arguments: tuple[Argument, ...] = ()
    binds: str = ""


Program = tuple[Statement, ...]


class Span(Record, frozen=True):
    """A stretch of source in code points, with 1-based line and column of its start."""

    start: int
    end: int
    line: int
    column: int


class Diagnostic(Record, frozen=True):
    """One finding of the compiler: a stable code, where it is, and what to write instead."""

    code: str
    message: str
    hint: str = ""
    severity: str = "error"
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
