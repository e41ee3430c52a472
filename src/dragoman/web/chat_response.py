"""The answer to everything that takes a turn: 001's ChatResponse field for field, and what is ours."""

from typing import Annotated, Any, Literal

from pydantic import Field

from dragoman.contracts.actions import EscapeAction
from dragoman.web.shape import Document
from dragoman.web.states import (
    CompilerError,
    ExecutionResult,
    IntentOption,
    SessionState,
    Span,
    UnresolvedRef,
)


class Parsing(Document):
    stage: Literal["Parsing"] = "Parsing"


class SemanticValidation(Document):
    stage: Literal["SemanticValidation"] = "SemanticValidation"


class RefResolution(Document):
    """Which of how many references somebody has to settle is asked about; the first is 1."""

    stage: Literal["RefResolution"] = "RefResolution"
    current: int
    total: int


class DependencyResolution(Document):
    stage: Literal["DependencyResolution"] = "DependencyResolution"


class Ready(Document):
    stage: Literal["Ready"] = "Ready"


CompilerStage = Annotated[
    Parsing | SemanticValidation | RefResolution | DependencyResolution | Ready,
    Field(discriminator="stage"),
]


class StageProgress(Document):
    done: int
    total: int


class CompilerWarning(Document):
    code: str
    message: str
    hint: str
    span: Span | None


class DslPipelineStatus(Document):
    stage: CompilerStage
    progress: StageProgress | None
    warnings: list[CompilerWarning]


class OpenResolution(Document):
    """Show the dialog in which the reference is settled."""

    command: Literal["open_resolution"] = "open_resolution"
    ref_id: str


class CloseResolution(Document):
    command: Literal["close_resolution"] = "close_resolution"


class FocusSpan(Document):
    """Put the cursor of the editor there."""

    command: Literal["focus_span"] = "focus_span"
    span: Span


class ShowResult(Document):
    command: Literal["show_result"] = "show_result"
    result_set: str


class Navigate(Document):
    """Show another part of the page."""

    command: Literal["navigate"] = "navigate"
    to: Literal["chat", "program", "result", "sessions"]


class Zoom(Document):
    """The conversation is about this one object now."""

    command: Literal["zoom"] = "zoom"
    entity_type: str
    entity_id: str
    display: str


AgentCommand = Annotated[
    OpenResolution | CloseResolution | FocusSpan | ShowResult | Navigate | Zoom,
    Field(discriminator="command"),
]


class Transition(Document):
    """The class of the turn, how it was entered, and why this class."""

    id: str | None
    entry: str | None
    title: str
    carryover: str
    mode: str
    rule: str


class Evidence(Document):
    source: str
    ref: str
    snippet: str
    confidence: float
    values: list[str]


class Answer(Document):
    """How sure the turn is, and what it gave; without `result` where it gave no rows."""

    mode: str
    ref: str | None
    subject: str
    note: str
    result: ExecutionResult | None
    figures: dict[str, str]
    meta_kind: str | None


class Coverage(Document):
    """What the gate says of the last answer."""

    status: str
    evidence_grade: str
    grounding: str
    truth_mode: str
    carryover: str
    reason_codes: list[str]


class Clarification(Document):
    """The question that waits. `confirm` and `choose` answer it, or words."""

    kind: str
    missing: list[str]
    options: list[IntentOption]
    route: str


class Failure(Document):
    """Every error of the API. The code is stable; details are the values that it is about."""

    code: str
    message: str
    hint: str
    details: dict[str, Any]


class ChatResponse(Document):
    message: str
    session_state: SessionState
    dsl_source: str | None
    dsl_status: DslPipelineStatus | None
    intent_options: list[IntentOption] | None
    unresolved_refs: list[UnresolvedRef] | None
    errors: list[CompilerError] | None
    commands: list[AgentCommand] | None
    can_execute: bool
    available_actions: list[EscapeAction]
    original_message: str | None
    """The message that the pending question goes back to."""
    current_index: int | None
    """The place in `unresolved_refs` of the one that is asked about."""
    user_edited: bool
    notation: Literal["verbs", "oml"]
    session_id: str
    revision: int
    """How many records the session has: what the next request may expect."""
    turn: int
    """The turn that this response is of; 0 before the first."""
    repeated: bool
    """The key was sent before: this is what came of it then."""
    transition: Transition | None
    answer: Answer | None
    evidence: list[Evidence]
    coverage: Coverage | None
    clarification: Clarification | None
