"""The states of a session as one tagged union: 001's names and payloads, Discovery and Regenerate added."""

from typing import Annotated, Any, Literal

from pydantic import Field

from dragoman.web.shape import Document


class Span(Document):
    """A stretch of the program's text: offsets in code points, and lines and columns from 1."""

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int


class CompilerError(Document):
    """What is wrong with the program, where, and what to write instead."""

    code: str
    message: str
    hint: str
    severity: Literal["error", "warning"]
    span: Span | None


class IntentOption(Document):
    """One of the closed answers. `place` picks it; `program` is what would run, where it is a program."""

    place: int
    label: str
    key: str
    anchor: str
    program: str | None


class SearchKeyField(Document):
    name: str
    label: str
    required: bool


class DiscriminatorField(Document):
    name: str
    label: str
    options: list[str]


class EntityResolutionConfig(Document):
    """How a type of entity is searched for: by which keys, told apart by what."""

    search_keys: list[SearchKeyField]
    discriminators: list[DiscriminatorField]
    resolution_mode: str
    return_key_type: str


class EntityMatch(Document):
    entity_id: str
    display: str
    score: float
    detail: str


class RefLocation(Document):
    statement_index: int
    verb: str
    arg_name: str
    span: Span | None


class Pending(Document):
    status: Literal["Pending"] = "Pending"


class Resolved(Document):
    status: Literal["Resolved"] = "Resolved"
    entity_id: str
    display: str


class Skipped(Document):
    status: Literal["Skipped"] = "Skipped"


class CreatedNew(Document):
    status: Literal["CreatedNew"] = "CreatedNew"
    entity_id: str


RefResolutionStatus = Annotated[Pending | Resolved | Skipped | CreatedNew, Field(discriminator="status")]


class UnresolvedRef(Document):
    """A name in the program that waits for somebody to say what it means."""

    ref_id: str
    location: RefLocation
    search_value: str
    entity_type: str
    config: EntityResolutionConfig
    initial_matches: list[EntityMatch]
    matches: list[EntityMatch]
    """What the last search found; it began with the initial matches."""
    status: RefResolutionStatus


class Column(Document):
    name: str
    type: Literal["text", "integer", "decimal", "date"]
    heading: str
    rounded: bool


class ExecutionResult(Document):
    """What a run gave: the first rows, and the reference by which the others are read."""

    result_set: str
    route: str
    columns: list[Column]
    rows: list[list[str | int | None]]
    row_count: int
    rows_total: int | None


class Statement(Document):
    """A statement as far as it could be read."""

    verb: str
    binds: str
    arguments: list[dict[str, Any]]


class New(Document):
    state: Literal["New"] = "New"


class IntentCapture(Document):
    state: Literal["IntentCapture"] = "IntentCapture"


class IntentClarify(Document):
    state: Literal["IntentClarify"] = "IntentClarify"
    options: list[IntentOption]
    original_message: str


class Discovery(Document):
    """The database is looked at before a program over its tables is written."""

    state: Literal["Discovery"] = "Discovery"


class DslAssembly(Document):
    state: Literal["DslAssembly"] = "DslAssembly"


class SyntaxValidation(Document):
    state: Literal["SyntaxValidation"] = "SyntaxValidation"


class SyntaxError(Document):
    state: Literal["SyntaxError"] = "SyntaxError"
    errors: list[CompilerError]
    partial_ast: list[Statement] | None


class SemanticValidation(Document):
    state: Literal["SemanticValidation"] = "SemanticValidation"


class SemanticError(Document):
    state: Literal["SemanticError"] = "SemanticError"
    errors: list[CompilerError]


class UnresolvedRefs(Document):
    state: Literal["UnresolvedRefs"] = "UnresolvedRefs"
    refs: list[UnresolvedRef]
    current_index: int


class Regenerate(Document):
    """A model writes its program once more, after what was wrong with it."""

    state: Literal["Regenerate"] = "Regenerate"


class DependencyResolution(Document):
    state: Literal["DependencyResolution"] = "DependencyResolution"


class DependencyError(Document):
    state: Literal["DependencyError"] = "DependencyError"
    errors: list[CompilerError]


class ReadyToRun(Document):
    state: Literal["ReadyToRun"] = "ReadyToRun"


class Executing(Document):
    state: Literal["Executing"] = "Executing"


class Executed(Document):
    state: Literal["Executed"] = "Executed"
    success: bool
    results: list[ExecutionResult]


class Cancelled(Document):
    state: Literal["Cancelled"] = "Cancelled"


class Closed(Document):
    state: Literal["Closed"] = "Closed"


SessionState = Annotated[
    New
    | IntentCapture
    | IntentClarify
    | Discovery
    | DslAssembly
    | SyntaxValidation
    | SyntaxError
    | SemanticValidation
    | SemanticError
    | UnresolvedRefs
    | Regenerate
    | DependencyResolution
    | DependencyError
    | ReadyToRun
    | Executing
    | Executed
    | Cancelled
    | Closed,
    Field(discriminator="state"),
]
