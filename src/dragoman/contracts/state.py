"""The session aggregate: one frozen value, changed by nothing but the fold of its events.

`SessionState` is 003's `assistant_session_state`. Its living mode is derived from the turn (see
`dragoman.session.living_mode`), its clarification and frames are 003's state objects field by field, and
everything in it is bounded: older answers and programs are records in the store.
"""

import datetime as dt

from dragoman.contracts.answer import AnswerObject, CoverageGateState
from dragoman.contracts.program import Binding, Diagnostic, Plan, Program, UnresolvedRef
from dragoman.contracts.record import Record
from dragoman.contracts.report import StatusReport, ValidationMode
from dragoman.contracts.resolution import Reference, ResolutionState, WaitingResolution
from dragoman.contracts.stages import StagesRegion
from dragoman.contracts.taught import TaughtWord
from dragoman.contracts.vocabulary import (
    AnswerMode,
    CarryoverDepth,
    ClarificationKind,
    EffectOutcome,
    FrameStatus,
    Lifecycle,
    LivingMode,
    MetaQuestionKind,
    MetaTruthMode,
    Notation,
    Phase,
    Prior,
    ResumeFrame,
    Signal,
    TransitionClass,
    TurnStatus,
)

STATE_VERSION = 10
"""Raised whenever the shape of the state changes; a snapshot of another version is folded anew."""

MAX_ANSWERS = 20
MAX_HISTORY = 20

PROGRAM_REPAIRS = 1
"""How often a program that does not compile may be written anew before a person is asked."""


class EntityRef(Record, frozen=True):
    """A resolved entity: its type, its key in the database, its canonical name."""

    kind: str
    id: str
    name: str


class DateScope(Record, frozen=True):
    """A period of whole days, both ends included. Domains that look at one day use the end."""

    start: dt.date
    end: dt.date


class RootFrameState(Record, frozen=True):
    """The business slice that is being talked about."""

    domain_id: str
    root_route_id: str
    organization_scope: EntityRef | None
    date_scope: DateScope | None
    root_result_set_id: str
    root_answer_object_ref: str
    frame_status: FrameStatus


class SelectedObjectFrameState(Record, frozen=True):
    """The object that was drilled into."""

    focus_object_ref: EntityRef
    focus_object_kind: str
    source_result_set_id: str
    compatible_route_family: str
    provenance_bundle_ref: str
    temporal_ceiling: dt.date | None
    frame_status: FrameStatus


class MetaFrameState(Record, frozen=True):
    """The answer that a question about answers is about."""

    source_answer_object_ref: str
    meta_question_kind: MetaQuestionKind
    source_gate_status: CoverageGateState
    meta_truth_mode: MetaTruthMode


READING = "reading"
"""The anchor of a question which of several readings is meant; its candidates are programs."""


NEXT_STEP = "next_step"
"""The anchor of a closed answer that is a step of a resolution: create new, search again."""


class ReferenceDate(Record, frozen=True):
    """The day that relative periods count from: the day of the question, or the last one that the data
    have."""

    day: dt.date
    of_data: bool = False


class CandidateScope(Record, frozen=True):
    """One closed answer to a pending question."""

    anchor: str
    key: str
    label: str
    reference_date: ReferenceDate | None = None
    """What its periods count from, if whoever picks it decides that for the session."""
    focus: EntityRef | None = None
    """The row of a table that is the object in hand then, where picking it picks a row."""


class SuspendedTarget(Record, frozen=True):
    """What a clarification resumes: the frame it opens, how it was entered, what is bound already."""

    frame: ResumeFrame
    entry_class: TransitionClass
    bindings: tuple[Binding, ...] = ()


class ClarificationState(Record, frozen=True):
    """A question that waits for the user, and the request that waits behind it."""

    clarification_kind: ClarificationKind
    missing_anchors: tuple[str, ...]
    candidate_scopes: tuple[CandidateScope, ...]
    resume_target_route: str
    resume_target_frame: SuspendedTarget
    teaches: TaughtWord | None = None
    """The word that is kept after a yes."""
    teaches_too: tuple[TaughtWord, ...] = ()
    """Other words of the same sentence, which the same yes keeps."""
    writers: Program = ()
    """What writes the rows that the question is about, once they are known."""
    keeps: str = ""
    """The file that the program is kept in after a yes."""

    @property
    def waits_for_yes(self) -> bool:
        """Whether nothing but a yes or a no answers it: to a write, or to a word."""
        return self.clarification_kind in (ClarificationKind.CONFIRM_RUN, ClarificationKind.CONFIRM_TEACH)


class FramesRegion(Record, frozen=True):
    root: RootFrameState | None = None
    selected_object: SelectedObjectFrameState | None = None
    meta: MetaFrameState | None = None
    clarification: ClarificationState | None = None
    default_scope: tuple[EntityRef, ...] = ()
    default_scope_turn: int = 0
    reference_date: ReferenceDate | None = None
    """What relative periods count from in this session; None until somebody was asked."""


class AttemptReading(Record, frozen=True):
    """A program that an unanswered question may have meant, and how likely it was."""

    program: Program
    probability: float
    reference_date: ReferenceDate | None = None
    """What a relative period in it counts from."""


class AttemptState(Record, frozen=True):
    """The last question over tables that was asked about or refused: its words, and the readings there were,
    best first; none where it had none, or a no turned them down. No frame rests on it."""

    message: str
    readings: tuple[AttemptReading, ...] = ()

    @property
    def program(self) -> Program:
        """The best reading."""
        return self.readings[0].program if self.readings else ()


class Weighed(Record, frozen=True):
    """A transition class whose entry condition held, and what the session lacked for it."""

    transition: TransitionClass
    missing: tuple[Prior, ...] = ()


class RoutingReason(Record, frozen=True):
    """Why this turn took this transition: what was noticed, what was weighed, which rule decided."""

    rule: str
    signals: tuple[Signal, ...] = ()
    weighed: tuple[Weighed, ...] = ()


class EffectRecord(Record, frozen=True):
    """An effect of an interrupted turn and what became of it."""

    key: str
    outcome: EffectOutcome


class LivingModeState(Record, frozen=True):
    """003's living mode state, derived from the turn."""

    living_mode: LivingMode
    mode_reason: str
    mode_source: str
    mode_entry_turn_id: str


class TurnRegion(Record, frozen=True):
    """The last turn. `found_mode` is the living mode in which the turn found the session: what one turn
    alone cannot tell of how long the mode has lasted."""

    status: TurnStatus = TurnStatus.NONE
    index: int = 0
    turn_id: str = ""
    trace_id: str = ""
    entry_class: TransitionClass | None = None
    outcome_class: TransitionClass | None = None
    answer_mode: AnswerMode = AnswerMode.NONE
    carryover: CarryoverDepth = CarryoverDepth.NONE
    reason: RoutingReason | None = None
    found_mode: LivingModeState | None = None
    effects: tuple[EffectRecord, ...] = ()
    heard: str = ""
    """The language that the message of this turn was read in."""
    language: str = ""
    """The language of the conversation: what a message leaves open, it is taken for. A message that nobody
    understood does not change it, because one odd word would."""


class Checkpoint(Record, frozen=True):
    """What undo brings back: the program and the frames as a turn found them, and of the answer behind the
    root slice what a follow-up needs of it, in case the answer itself has left the state by then."""

    turn_index: int
    phase: Phase
    notation: Notation
    source: str
    ast: Program
    plan: Plan | None
    epoch: int
    edited_by_user: bool
    root: RootFrameState | None
    selected_object: SelectedObjectFrameState | None
    meta: MetaFrameState | None
    clarification: ClarificationState | None
    gate: CoverageGateState | None
    context_from: int
    root_answer: AnswerObject | None = None
    resolution: ResolutionState | None = None
    waiting: WaitingResolution | None = None


class ProgramRegion(Record, frozen=True):
    """The program in hand. `run_ok` tells the two ends of DONE apart; `resolution` is of its names; `waiting`
    is the program behind it, where it creates what a name of that one means."""

    phase: Phase = Phase.NEW
    notation: Notation = Notation.VERBS
    source: str = ""
    ast: Program = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    resolution: ResolutionState | None = None
    waiting: WaitingResolution | None = None
    plan: Plan | None = None
    epoch: int = 0
    history: tuple[Checkpoint, ...] = ()
    edited_by_user: bool = False
    repairs_used: int = 0
    run_ok: bool | None = None

    @property
    def unresolved_refs(self) -> tuple[UnresolvedRef, ...]:
        """The references of the program, each with its status."""
        return self.resolution.refs if self.resolution is not None else ()

    @property
    def open_reference(self) -> Reference | None:
        """The reference that is asked about, while the program waits for it."""
        waits = self.phase is Phase.UNRESOLVED_REFS and self.resolution is not None
        return self.resolution.current if waits and self.resolution is not None else None


class AnswersRegion(Record, frozen=True):
    """The answers still at hand. Follow-ups may speak of those from turn `context_from` on (X_CLEAR moves
    it); a recap may speak of all, of which `grounded_count` were ever found out."""

    items: tuple[AnswerObject, ...] = ()
    context_from: int = 0
    grounded_count: int = 0


class ReportRecord(Record, frozen=True):
    """A status report that was emitted, and what its guard said of it, in which mode."""

    report: StatusReport
    mode: ValidationMode
    accepted: bool
    code: str | None = None
    """The top code of the guard; none where there was nothing against the report, or it was not looked at."""


class ReportsRegion(Record, frozen=True):
    """The last report. Older ones are in the records of their turns."""

    last: ReportRecord | None = None


class SessionState(Record, frozen=True):
    """The whole session. `version` counts the records folded into it."""

    lifecycle: Lifecycle = Lifecycle.OPEN
    version: int = 0
    owner: str = ""
    opened_at: str = ""
    turn: TurnRegion = TurnRegion()
    program: ProgramRegion = ProgramRegion()
    frames: FramesRegion = FramesRegion()
    attempt: AttemptState | None = None
    answers: AnswersRegion = AnswersRegion()
    gate: CoverageGateState | None = None
    reports: ReportsRegion = ReportsRegion()
    stages: StagesRegion = StagesRegion()
