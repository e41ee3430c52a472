"""Everything that can happen to a session, as one tagged union.

`kind` is the tag, `v` the version of that kind. A stored event of an older version is lifted to the current
one when it is read (`dragoman.session.codec`). Where 000 names an event, it has that name.
"""

from typing import Literal

from dragoman.contracts.answer import AnswerObject, CoverageGateState
from dragoman.contracts.edits import Edit
from dragoman.contracts.event import Event as Event
from dragoman.contracts.model_events import EmptyLlmResponse as EmptyLlmResponse
from dragoman.contracts.model_events import ModelAsked as ModelAsked
from dragoman.contracts.model_events import QuestionRefused as QuestionRefused
from dragoman.contracts.model_events import RegenerationAttempt as RegenerationAttempt
from dragoman.contracts.origin import ForkedFrom
from dragoman.contracts.program import Binding, Diagnostic, Plan, Program
from dragoman.contracts.question_events import ClarificationAsked as ClarificationAsked
from dragoman.contracts.question_events import ClarificationCleared as ClarificationCleared
from dragoman.contracts.question_events import QuestionDropped as QuestionDropped
from dragoman.contracts.reading_events import ReadingReviewed as ReadingReviewed
from dragoman.contracts.reading_events import ReadingsWeighed as ReadingsWeighed
from dragoman.contracts.reading_events import RivalsRun as RivalsRun
from dragoman.contracts.report import OutputValidationFailureEvent
from dragoman.contracts.resolution_events import RefSearched as RefSearched
from dragoman.contracts.resolution_events import RefSettled as RefSettled
from dragoman.contracts.resolution_events import RefsUnresolved as RefsUnresolved
from dragoman.contracts.resolution_events import ResolutionResumed as ResolutionResumed
from dragoman.contracts.resolution_events import ResolutionSuspended as ResolutionSuspended
from dragoman.contracts.stage_events import DraftJudged as DraftJudged
from dragoman.contracts.stage_events import PlanMade as PlanMade
from dragoman.contracts.stage_events import SpecDrawn as SpecDrawn
from dragoman.contracts.stage_events import StagesTimed as StagesTimed
from dragoman.contracts.state import (
    AttemptState,
    EffectRecord,
    EntityRef,
    MetaFrameState,
    ReferenceDate,
    ReportRecord,
    RootFrameState,
    RoutingReason,
    SelectedObjectFrameState,
)
from dragoman.contracts.taught_events import WordForgotten as WordForgotten
from dragoman.contracts.taught_events import WordTaught as WordTaught
from dragoman.contracts.viewer import Viewer
from dragoman.contracts.vocabulary import (
    AnswerMode,
    CarryoverDepth,
    EffectOutcome,
    Notation,
    Signal,
    Stage,
    TransitionClass,
)


class SessionOpened(Event, frozen=True):
    at: str
    owner: str
    title: str
    software: str
    viewer: Viewer | None = None
    """Whom it was opened for: nobody else may look at it where policies hold."""
    forked: ForkedFrom | None = None
    """Where its first turns were taken, if in another session."""
    v: Literal[1] = 1


class SessionClosed(Event, frozen=True):
    at: str
    v: Literal[1] = 1


class SessionCancelled(Event, frozen=True):
    v: Literal[1] = 1


class TurnOpened(Event, frozen=True):
    """The first commit of a turn: the input as it came, before anything is done about it."""

    turn_id: str
    trace_id: str
    at: str
    message: str
    client_key: str | None
    expected_version: int
    v: Literal[1] = 1


class MessageRead(Event, frozen=True):
    """What was noticed in the message alone."""

    language: str
    signals: tuple[Signal, ...]
    uncovered: tuple[str, ...] = ()
    v: Literal[1] = 1


class TurnRouted(Event, frozen=True):
    entry_class: TransitionClass
    carryover: CarryoverDepth
    reason: RoutingReason
    v: Literal[1] = 1


class CheckpointTaken(Event, frozen=True):
    """Program and frames, as this turn found them, are kept for undo."""

    v: Literal[1] = 1


class IntentCaptured(Event, frozen=True):
    """A request was understood: which verb, which arguments, and where each came from. A new epoch."""

    route: str
    domain: str
    bindings: tuple[Binding, ...]
    v: Literal[1] = 1


class DiscoveryDone(Event, frozen=True):
    """The database that a program over tables is written from, as discovery found it: which version of its
    schema, and how many tables of it may be seen. `cached`: it was kept from before this turn."""

    connection: str
    fingerprint: str
    tables: int
    cached: bool = True
    v: Literal[1] = 1


class OmlSynthesisStart(Event, frozen=True):
    v: Literal[1] = 1


class OmlSynthesisComplete(Event, frozen=True):
    """The program was written. `edits` are what the turn changed of the program it started from."""

    notation: Notation
    source: str
    ast: Program
    edits: tuple[Edit, ...] = ()
    v: Literal[1] = 1


class SchemaGuardPass(Event, frozen=True):
    stage: Stage
    v: Literal[1] = 1


class SchemaGuardFail(Event, frozen=True):
    """A compiler stage refused the program; `final` when no repair follows."""

    stage: Stage
    diagnostics: tuple[Diagnostic, ...]
    final: bool
    v: Literal[1] = 1


class CompileStart(Event, frozen=True):
    v: Literal[1] = 1


class CompileComplete(Event, frozen=True):
    plan: Plan
    v: Literal[1] = 1


class RunStarted(Event, frozen=True):
    run_id: str
    v: Literal[1] = 1


class RunFinished(Event, frozen=True):
    run_id: str
    ok: bool
    rows: int
    error_code: str = ""
    v: Literal[1] = 1


class AttemptRefused(Event, frozen=True):
    """A request that ended at a boundary (T10): what was tried, and the code of the refusal."""

    route: str
    source: str
    code: str
    v: Literal[1] = 1


class AttemptKept(Event, frozen=True):
    """A question over tables was not answered: what it may have meant is kept for a follow-up."""

    attempt: AttemptState
    v: Literal[1] = 1


class GateComputed(Event, frozen=True):
    gate: CoverageGateState
    v: Literal[1] = 1


class RootFrameSet(Event, frozen=True):
    frame: RootFrameState
    v: Literal[1] = 1


class ObjectFrameSet(Event, frozen=True):
    frame: SelectedObjectFrameState
    v: Literal[1] = 1


class ObjectFrameDropped(Event, frozen=True):
    v: Literal[1] = 1


class MetaFrameSet(Event, frozen=True):
    frame: MetaFrameState
    v: Literal[1] = 1


class MetaFrameDropped(Event, frozen=True):
    v: Literal[1] = 1


class DefaultScopeSet(Event, frozen=True):
    scope: tuple[EntityRef, ...]
    v: Literal[1] = 1


class ReferenceDateSet(Event, frozen=True):
    """Somebody was asked what relative periods count from, and said it for the session."""

    reference_date: ReferenceDate
    v: Literal[1] = 1


class AnswerGiven(Event, frozen=True):
    answer: AnswerObject
    v: Literal[1] = 1


class ProgramEdited(Event, frozen=True):
    """The user wrote the program in the editor: it is read from scratch."""

    notation: Notation
    source: str
    ast: Program
    v: Literal[1] = 1


class ProgramRestored(Event, frozen=True):
    """Undo: the newest checkpoint comes back and leaves the history."""

    v: Literal[1] = 1


class ProgramCleared(Event, frozen=True):
    """Clear: program, frames and pending question go; history and answers stay."""

    v: Literal[1] = 1


class EffectIntended(Event, frozen=True):
    """Written down before an effect outside the store."""

    key: str
    effect: str
    detail: str
    v: Literal[1] = 1


class EffectDone(Event, frozen=True):
    """Written down after it."""

    key: str
    outcome: EffectOutcome
    v: Literal[1] = 1


class TurnClosed(Event, frozen=True):
    outcome_class: TransitionClass
    carryover: CarryoverDepth
    answer_mode: AnswerMode
    message: str
    v: Literal[1] = 1


class ReportEmitted(Event, frozen=True):
    """The status report of the turn, as it went out, and what its guard said."""

    record: ReportRecord
    v: Literal[1] = 1


class OutputValidationFailed(Event, frozen=True):
    """A status report failed its check, in whichever mode: the turn's own, or that of a run it started."""

    failure: OutputValidationFailureEvent
    v: Literal[1] = 1


class TurnAbandoned(Event, frozen=True):
    """The process that held the turn is gone, and no effect was intended: nothing happened."""

    at: str
    v: Literal[1] = 1


class TurnSettled(Event, frozen=True):
    """The process that held the turn is gone, and its effects were looked up one by one."""

    at: str
    effects: tuple[EffectRecord, ...]
    v: Literal[1] = 1


SessionEvent = (
    SessionOpened
    | SessionClosed
    | WordTaught
    | WordForgotten
    | SessionCancelled
    | TurnOpened
    | MessageRead
    | ReadingsWeighed
    | RivalsRun
    | ReadingReviewed
    | TurnRouted
    | PlanMade
    | SpecDrawn
    | DraftJudged
    | StagesTimed
    | CheckpointTaken
    | IntentCaptured
    | DiscoveryDone
    | OmlSynthesisStart
    | OmlSynthesisComplete
    | SchemaGuardPass
    | SchemaGuardFail
    | RegenerationAttempt
    | EmptyLlmResponse
    | ModelAsked
    | QuestionRefused
    | RefsUnresolved
    | RefSearched
    | RefSettled
    | ResolutionSuspended
    | ResolutionResumed
    | CompileStart
    | CompileComplete
    | RunStarted
    | RunFinished
    | AttemptRefused
    | AttemptKept
    | GateComputed
    | RootFrameSet
    | ObjectFrameSet
    | ObjectFrameDropped
    | MetaFrameSet
    | MetaFrameDropped
    | ClarificationAsked
    | ClarificationCleared
    | QuestionDropped
    | DefaultScopeSet
    | ReferenceDateSet
    | AnswerGiven
    | ProgramEdited
    | ProgramRestored
    | ProgramCleared
    | EffectIntended
    | EffectDone
    | OutputValidationFailed
    | ReportEmitted
    | TurnClosed
    | TurnAbandoned
    | TurnSettled
)
