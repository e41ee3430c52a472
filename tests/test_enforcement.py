"""Every record is held to what is declared: each of the six properties of each class, broken one by one.

For each class there are whole turns as a conversation has them (`WHOLE`) and one quiet turn that does as
little as that class may (`QUIET`); what breaks a property is put into the quiet one.
"""

import datetime as dt
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from dragoman.answering.coverage import closed_gate, open_gate
from dragoman.contracts import events as ev
from dragoman.contracts.answer import PREVIEW_ROWS, AnswerObject, CellType, Column, CoverageGateState, Figure
from dragoman.contracts.errors import IllegalPhaseMove, TransitionViolation
from dragoman.contracts.program import (
    Binding,
    CreatedNew,
    Diagnostic,
    EntityResolutionConfig,
    Plan,
    RefLocation,
    RefResolutionStatus,
    Skipped,
    Statement,
    Text,
    UnresolvedRef,
)
from dragoman.contracts.record import Record
from dragoman.contracts.state import (
    AttemptState,
    CandidateScope,
    ClarificationState,
    DateScope,
    EffectRecord,
    EntityRef,
    MetaFrameState,
    ReferenceDate,
    RootFrameState,
    RoutingReason,
    SelectedObjectFrameState,
    SessionState,
    SuspendedTarget,
)
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.contracts.vocabulary import (
    AnswerMode,
    CarryoverDepth,
    ClarificationKind,
    CoverageStatus,
    DropReason,
    EffectOutcome,
    Forbidden,
    FrameStatus,
    Lifecycle,
    MetaQuestionKind,
    MetaTruthMode,
    Notation,
    Origin,
    Part,
    Phase,
    Prior,
    ResumeFrame,
    Signal,
    Stage,
    TransitionClass,
    TruthMode,
    TurnStatus,
)
from dragoman.session.carryover import ORIGINS
from dragoman.session.codec import encode_state
from dragoman.session.continuity import effective_depth, resolve
from dragoman.session.enforcement import changed_parts, judge
from dragoman.session.folded import replay
from dragoman.session.journal import Journal, LiveTurn
from dragoman.session.phases import PHASE_EDGES, check_move, target
from dragoman.session.prohibitions import CHECKS, UNKNOWN_REQUEST
from dragoman.session.reducer import fold_record
from dragoman.session.registry import BY_CLASS, REGISTRY
from dragoman.session.stores.sqlite import open_sqlite_store

T = TransitionClass
Events = tuple[ev.SessionEvent, ...]

# The pieces of a turn.

ALFA: Final = EntityRef("organization", "1", "Alfa Trade")
DESK: Final = EntityRef("item", "101", "Oak desk 120")
MARCH: Final = DateScope(dt.date(2020, 3, 1), dt.date(2020, 3, 31))
STOCK: Final = "inventory.stock"
AT: Final = "2020-07-01T00:00:00.000+00:00"

CONFIRMED: Final = open_gate((), checked=True)
LIMITED: Final = open_gate(("partly_loaded",), checked=True)

CHECKPOINT: Final = ev.CheckpointTaken()
EFFECT: Final = ev.EffectIntended("key", "write", "a file")

OF_EVERY_TURN: Final = (Part.TURN, Part.REPORTS, Part.STAGES)

SIGNALS: Final[dict[TransitionClass, tuple[Signal, ...]]] = {
    T.T0: (Signal.CHAT,),
    T.T1: (Signal.REQUEST, Signal.OPENS_ROOT),
    T.T2: (Signal.SHIFT,),
    T.T3: (Signal.OBJECT_PICKED,),
    T.T4: (Signal.ACTION,),
    T.T5: (Signal.ACTION, Signal.ANAPHOR),
    T.T6: (Signal.REQUEST, Signal.OTHER_DOMAIN),
    T.T7: (Signal.FITS_CLARIFICATION,),
    T.T8: (Signal.ABOUT_ANSWER,),
    T.T9: (Signal.RECAP,),
    T.T10: (),
    T.X_CLEAR: (Signal.ESCAPE_CLEAR,),
    T.X_CANCEL: (Signal.ESCAPE_CANCEL,),
    T.X_UNDO: (Signal.ESCAPE_UNDO,),
    T.X_EDIT: (Signal.ESCAPE_EDIT,),
    T.X_HELP: (Signal.ESCAPE_HELP,),
    T.X_SKIP: (Signal.ESCAPE_SKIP,),
    T.X_CREATE: (Signal.ESCAPE_CREATE,),
    T.X_SEARCH: (Signal.ESCAPE_SEARCH,),
    T.X_NONE: (Signal.ESCAPE_NONE,),
    T.X_EXTEND: (Signal.EXTEND,),
    T.X_RUN: (Signal.RUN,),
    T.X_TEACH: (Signal.TEACH,),
}


class Turn(Record, frozen=True):
    """A turn to be judged: the state it finds, its class, what happens in it, how it ends."""

    before: SessionState
    entry: TransitionClass
    mode: AnswerMode
    body: Events = ()
    outcome: TransitionClass | None = None
    signals: tuple[Signal, ...] | None = None
    routed_depth: CarryoverDepth | None = None
    closed_depth: CarryoverDepth | None = None

    def events(self) -> Events:
        depth = effective_depth(BY_CLASS[self.entry], resolve(self.before))
        outcome = self.outcome or self.entry
        ends = CarryoverDepth.NONE if outcome is T.T10 else depth
        signals = SIGNALS[self.entry] if self.signals is None else self.signals
        return (
            opened(self.before),
            ev.MessageRead("en", signals),
            ev.TurnRouted(self.entry, self.routed_depth or depth, RoutingReason("by hand", signals)),
            *self.body,
            ev.TurnClosed(outcome, self.closed_depth or ends, self.mode, "said"),
        )

    def judged(self) -> SessionState:
        return replace(judge(self.before, self.events()), version=self.before.version + 1)

    def faults(self) -> list[str]:
        """What is wrong with it; the state it found must be untouched by the refusal."""
        return faults_of(self.before, self.events())


def faults_of(before: SessionState, events: Sequence[ev.SessionEvent]) -> list[str]:
    found = encode_state(before)
    with pytest.raises(TransitionViolation) as refused:
        judge(before, events)
    assert encode_state(before) == found
    faults = refused.value.details["faults"]
    assert isinstance(faults, list)
    said = [fault for fault in faults if isinstance(fault, str)]
    assert said == faults
    assert all(fault in refused.value.message for fault in said)
    return said


def opened(before: SessionState) -> ev.TurnOpened:
    number = before.version + 1
    return ev.TurnOpened(f"turn-{number}", f"trace-{number}", AT, "?", None, before.version)


def bound(origin: Origin = Origin.MESSAGE) -> Binding:
    return Binding("organization", Text("1"), origin, "Alfa Trade")


def captured(*origins: Origin, route: str = STOCK) -> ev.IntentCaptured:
    return ev.IntentCaptured(route, route.partition(".")[0], tuple(map(bound, origins)))


COMPILED: Final[Events] = (
    ev.SchemaGuardPass(Stage.SYNTAX),
    ev.SchemaGuardPass(Stage.SEMANTICS),
    ev.CompileStart(),
    ev.CompileComplete(Plan("0", ())),
)
RUN: Final[Events] = (ev.RunStarted("run"), ev.RunFinished("run", ok=True, rows=1))
EDITED: Final = ev.ProgramEdited(Notation.VERBS, "(inventory.stock)", (Statement(STOCK),))


def written(*origins: Origin, route: str = STOCK) -> Events:
    """From a wish to a result."""
    program = (Statement(route),)
    return (
        CHECKPOINT,
        captured(*origins, route=route),
        ev.OmlSynthesisStart(),
        ev.OmlSynthesisComplete(Notation.VERBS, f"({route})", program),
        *COMPILED,
        *RUN,
    )


def answer(before: SessionState, gate: CoverageGateState = CONFIRMED, route: str = STOCK) -> AnswerObject:
    number = before.version + 1
    rows = (("Oak desk 120", "7"),) if gate.coverage_status is not CoverageStatus.BLOCKED else ()
    return AnswerObject(
        f"answer-{number}",
        number,
        route,
        gate,
        result_set_id=f"rows-{number}" if rows else "",
        columns=(Column("item", CellType.TEXT), Column("quantity", CellType.DECIMAL)),
        rows=rows,
        row_count=len(rows),
    )


def answered(before: SessionState, gate: CoverageGateState = CONFIRMED) -> Events:
    return ev.GateComputed(gate), ev.AnswerGiven(answer(before, gate))


def root(before: SessionState, route: str = STOCK) -> ev.RootFrameSet:
    number = before.version + 1
    return ev.RootFrameSet(
        RootFrameState(
            route.partition(".")[0],
            route,
            ALFA,
            MARCH,
            f"rows-{number}",
            f"answer-{number}",
            FrameStatus.ACTIVE,
        )
    )


def drilled(before: SessionState, rows: str) -> ev.ObjectFrameSet:
    ref = f"answer-{before.version + 1}"
    return ev.ObjectFrameSet(
        SelectedObjectFrameState(DESK, "item", rows, "item", ref, MARCH.end, FrameStatus.ACTIVE)
    )


def meta(ref: str, gate: CoverageGateState = CONFIRMED) -> ev.MetaFrameSet:
    mode = MetaTruthMode(gate.truth_mode)
    return ev.MetaFrameSet(MetaFrameState(ref, MetaQuestionKind.EVALUATION, gate, mode))


def question(
    *missing: str, kind: ClarificationKind = ClarificationKind.MISSING_ANCHOR, route: str = STOCK
) -> ClarificationState:
    candidates = (CandidateScope("organization", "1", "Alfa Trade"),)
    return ClarificationState(kind, missing, candidates, route, SuspendedTarget(ResumeFrame.ROOT, T.T1))


def asked(*missing: str, route: str = STOCK) -> Events:
    return CHECKPOINT, ev.ClarificationAsked(question(*missing, route=route), intent=False)


CONFIRM: Final = ev.ClarificationAsked(question(kind=ClarificationKind.CONFIRM_RUN), intent=False)
WORD: Final = TaughtWord("revenue", TaughtKind.COLUMN, "orders", '"total"')
TEACHING: Final = ev.ClarificationAsked(
    replace(question(kind=ClarificationKind.CONFIRM_TEACH), teaches=WORD), intent=False
)


def refused(
    before: SessionState, code: str = "not_loaded", mode: TruthMode = TruthMode.UNSUPPORTED
) -> Events:
    return ev.AttemptRefused(STOCK, "", code), *answered(before, closed_gate(code, mode))


def reference(status: RefResolutionStatus | None = None) -> UnresolvedRef:
    config = EntityResolutionConfig((), (), "pick", "item")
    ref = UnresolvedRef("ref-1", RefLocation(0, STOCK, "item"), "desk", "item", config)
    return ref if status is None else replace(ref, status=status)


# States that a conversation leads to, each made by judged turns.

FRESH: Final = fold_record(SessionState(), 0, [ev.SessionOpened(AT, "owner", "title", "0")])
ROOTED: Final = Turn(
    FRESH, T.T1, AnswerMode.CONFIRMED, (*written(Origin.MESSAGE), root(FRESH), *answered(FRESH))
).judged()
DRILLED: Final = Turn(
    ROOTED,
    T.T3,
    AnswerMode.CONFIRMED,
    (*written(Origin.ROOT_FRAME, route="item.card"), drilled(ROOTED, "rows-1"), *answered(ROOTED)),
).judged()
ASKED: Final = Turn(
    FRESH,
    T.T1,
    AnswerMode.CLARIFICATION_REQUIRED,
    (CHECKPOINT, captured(), ev.ClarificationAsked(question("organization", "date"), intent=True)),
).judged()
READY: Final = Turn(ROOTED, T.X_EDIT, AnswerMode.NONE, (CHECKPOINT, EDITED, *COMPILED)).judged()
UNRESOLVED: Final = Turn(
    ROOTED,
    T.X_EDIT,
    AnswerMode.CLARIFICATION_REQUIRED,
    (
        CHECKPOINT,
        EDITED,
        ev.SchemaGuardPass(Stage.SYNTAX),
        ev.RefsUnresolved((reference(),)),
        ev.ClarificationAsked(question("item", kind=ClarificationKind.AMBIGUOUS), intent=False),
    ),
).judged()
CONFIRMING: Final = Turn(
    ROOTED, T.X_EXTEND, AnswerMode.CLARIFICATION_REQUIRED, (CHECKPOINT, EDITED, *COMPILED, CONFIRM)
).judged()
CLEARED: Final = Turn(ROOTED, T.X_CLEAR, AnswerMode.NONE, (CHECKPOINT, ev.ProgramCleared())).judged()
UNANSWERED: Final = Turn(ROOTED, T.T10, AnswerMode.UNSUPPORTED, refused(ROOTED)).judged()

TAUGHT: Final = Turn(FRESH, T.X_TEACH, AnswerMode.CLARIFICATION_REQUIRED, (TEACHING,)).judged()

DROP: Final = ev.ObjectFrameDropped()
CLEAR_QUESTION: Final = ev.ClarificationCleared()


def dropped(before: SessionState, why: DropReason = DropReason.SELF_CONTAINED) -> ev.QuestionDropped:
    pending = before.frames.clarification
    assert pending is not None
    return ev.QuestionDropped(pending, why)


FAILED: Final = (ev.RunStarted("run"), ev.RunFinished("run", ok=False, rows=0, error_code="run_failed"))
NOT_DONE: Final = closed_gate("run_failed", TruthMode.UNSUPPORTED)
RAN_BADLY: Final = Turn(
    READY, T.X_RUN, AnswerMode.UNSUPPORTED, (CHECKPOINT, *FAILED, *answered(READY, NOT_DONE))
).judged()

WHOLE: Final[dict[str, Turn]] = {
    "T0 chat": Turn(FRESH, T.T0, AnswerMode.NONE),
    "T0 scope": Turn(ROOTED, T.T0, AnswerMode.NONE, (ev.DefaultScopeSet((ALFA,)),)),
    "T0 asked meanwhile": Turn(ASKED, T.T0, AnswerMode.NONE),
    "T1 first": Turn(
        FRESH, T.T1, AnswerMode.CONFIRMED, (*written(Origin.MESSAGE), root(FRESH), *answered(FRESH))
    ),
    "T1 with the session's organization": Turn(
        FRESH, T.T1, AnswerMode.CONFIRMED, (*written(Origin.SESSION_SCOPE), root(FRESH), *answered(FRESH))
    ),
    "T1 leaves the object": Turn(
        DRILLED,
        T.T1,
        AnswerMode.LIMITED,
        (*written(Origin.MESSAGE), root(DRILLED), DROP, *answered(DRILLED, LIMITED)),
    ),
    "T1 leaves the question": Turn(
        ASKED,
        T.T1,
        AnswerMode.CONFIRMED,
        (*written(Origin.MESSAGE), root(ASKED), dropped(ASKED), *answered(ASKED)),
    ),
    "T1 asks something else": Turn(
        ASKED,
        T.T1,
        AnswerMode.CLARIFICATION_REQUIRED,
        (CHECKPOINT, dropped(ASKED, DropReason.ABANDONED), *asked("date", route="vat.payable")[1:]),
    ),
    "T1 opens an object too": Turn(
        FRESH,
        T.T1,
        AnswerMode.CONFIRMED,
        (*written(Origin.MESSAGE), root(FRESH), drilled(FRESH, "rows-1"), *answered(FRESH)),
    ),
    "T1 asks": Turn(FRESH, T.T1, AnswerMode.CLARIFICATION_REQUIRED, asked("date")),
    "T1 refused": Turn(DRILLED, T.T1, AnswerMode.UNSUPPORTED, refused(DRILLED), T.T10),
    "T2 shifts": Turn(
        ROOTED, T.T2, AnswerMode.CONFIRMED, (*written(Origin.ROOT_FRAME), root(ROOTED), *answered(ROOTED))
    ),
    "T2 leaves the object": Turn(
        DRILLED,
        T.T2,
        AnswerMode.LIMITED,
        (*written(Origin.ROOT_FRAME), root(DRILLED), DROP, *answered(DRILLED, LIMITED)),
    ),
    "T2 blocked": Turn(ROOTED, T.T2, AnswerMode.UNSUPPORTED, refused(ROOTED, "not_loaded"), T.T10),
    "T3 picks": Turn(
        ROOTED,
        T.T3,
        AnswerMode.CONFIRMED,
        (*written(Origin.ROOT_FRAME, route="item.card"), drilled(ROOTED, "rows-1"), *answered(ROOTED)),
    ),
    "T3 asks which": Turn(ROOTED, T.T3, AnswerMode.CLARIFICATION_REQUIRED, asked("item")),
    "T4 acts": Turn(
        DRILLED,
        T.T4,
        AnswerMode.CONFIRMED,
        (*written(Origin.OBJECT_FRAME, route="item.buyers"), *answered(DRILLED)),
    ),
    "T4 asks which": Turn(ROOTED, T.T4, AnswerMode.CLARIFICATION_REQUIRED, asked("item")),
    "T5 acts": Turn(
        DRILLED,
        T.T5,
        AnswerMode.LIMITED,
        (*written(Origin.OBJECT_FRAME, route="item.supplier"), *answered(DRILLED, LIMITED)),
    ),
    "T5 asks which": Turn(ROOTED, T.T5, AnswerMode.CLARIFICATION_REQUIRED, asked("item")),
    "T6 pivots": Turn(
        DRILLED,
        T.T6,
        AnswerMode.CONFIRMED,
        (
            *written(Origin.ROOT_FRAME, route="vat.payable"),
            root(DRILLED, "vat.payable"),
            DROP,
            *answered(DRILLED),
        ),
    ),
    "T6 blocked": Turn(DRILLED, T.T6, AnswerMode.UNSUPPORTED, refused(DRILLED), T.T10),
    "T7 completes": Turn(
        ASKED,
        T.T7,
        AnswerMode.CONFIRMED,
        (*written(Origin.CLARIFICATION), root(ASKED), CLEAR_QUESTION, *answered(ASKED)),
    ),
    "T7 narrows": Turn(ASKED, T.T7, AnswerMode.CLARIFICATION_REQUIRED, asked("date")),
    "T7 refused": Turn(ASKED, T.T7, AnswerMode.UNSUPPORTED, refused(ASKED), T.T10),
    "T7 yes": Turn(
        CONFIRMING,
        T.T7,
        AnswerMode.NONE,
        (EFFECT, ev.EffectDone("key", EffectOutcome.DONE), CHECKPOINT, CLEAR_QUESTION, *RUN),
    ),
    "T7 yes, and it failed": Turn(
        CONFIRMING,
        T.T7,
        AnswerMode.UNSUPPORTED,
        (
            EFFECT,
            ev.EffectDone("key", EffectOutcome.UNDONE),
            CHECKPOINT,
            *FAILED,
            CLEAR_QUESTION,
            *answered(CONFIRMING, NOT_DONE),
        ),
    ),
    "T7 no": Turn(CONFIRMING, T.T7, AnswerMode.NONE, (CHECKPOINT, CLEAR_QUESTION)),
    "T8 of a fact": Turn(ROOTED, T.T8, AnswerMode.CONFIRMED, (meta("answer-1"),)),
    "T8 of a fact, more carefully": Turn(ROOTED, T.T8, AnswerMode.LIMITED, (meta("answer-1"),)),
    "T8 of a refusal": Turn(
        UNANSWERED, T.T8, AnswerMode.UNSUPPORTED, (meta("answer-2", closed_gate("not_loaded")),)
    ),
    "T9": Turn(ROOTED, T.T9, AnswerMode.CONFIRMED, (meta("answer-1"),)),
    "T9 after clear": Turn(CLEARED, T.T9, AnswerMode.LIMITED, (meta("answer-1"),)),
    "T9 finds nothing": Turn(ROOTED, T.T9, AnswerMode.UNSUPPORTED, refused(ROOTED), T.T10),
    "T10 unsupported": Turn(FRESH, T.T10, AnswerMode.UNSUPPORTED, refused(FRESH, UNKNOWN_REQUEST)),
    "T10 limited": Turn(ROOTED, T.T10, AnswerMode.LIMITED, refused(ROOTED, "run_failed", TruthMode.LIMITED)),
    "T10 asks": Turn(
        FRESH,
        T.T10,
        AnswerMode.CLARIFICATION_REQUIRED,
        refused(FRESH, "lacks_root", TruthMode.CLARIFICATION_REQUIRED),
    ),
    "X_CLEAR": Turn(DRILLED, T.X_CLEAR, AnswerMode.NONE, (CHECKPOINT, ev.ProgramCleared())),
    "X_CANCEL": Turn(ASKED, T.X_CANCEL, AnswerMode.NONE, (ev.SessionCancelled(),)),
    "X_UNDO": Turn(DRILLED, T.X_UNDO, AnswerMode.NONE, (ev.ProgramRestored(), *COMPILED)),
    "X_UNDO to the empty slate": Turn(ROOTED, T.X_UNDO, AnswerMode.NONE, (ev.ProgramRestored(),)),
    "X_UNDO to a question": Turn(
        Turn(
            ASKED,
            T.T7,
            AnswerMode.CONFIRMED,
            (*written(Origin.CLARIFICATION), root(ASKED), CLEAR_QUESTION, *answered(ASKED)),
        ).judged(),
        T.X_UNDO,
        AnswerMode.NONE,
        (ev.ProgramRestored(),),
    ),
    "X_EDIT": Turn(ASKED, T.X_EDIT, AnswerMode.NONE, (CHECKPOINT, EDITED, dropped(ASKED), *COMPILED)),
    "X_EDIT with a fault": Turn(
        ROOTED,
        T.X_EDIT,
        AnswerMode.NONE,
        (
            CHECKPOINT,
            EDITED,
            ev.SchemaGuardFail(Stage.SYNTAX, (Diagnostic("bad_verb", "?"),), final=True),
        ),
    ),
    "X_HELP": Turn(ASKED, T.X_HELP, AnswerMode.NONE),
    "X_SKIP": Turn(
        UNRESOLVED,
        T.X_SKIP,
        AnswerMode.LIMITED,
        (
            CHECKPOINT,
            ev.RefSettled(reference(Skipped())),
            *COMPILED[1:],
            CLEAR_QUESTION,
            *RUN,
            root(UNRESOLVED),
            *answered(UNRESOLVED, LIMITED),
        ),
    ),
    "X_CREATE": Turn(
        UNRESOLVED,
        T.X_CREATE,
        AnswerMode.NONE,
        (CHECKPOINT, ev.RefSettled(reference(CreatedNew("9"))), *COMPILED[1:], CLEAR_QUESTION),
    ),
    "X_SEARCH": Turn(
        UNRESOLVED,
        T.X_SEARCH,
        AnswerMode.CLARIFICATION_REQUIRED,
        (CHECKPOINT, ev.ClarificationAsked(question("item"), intent=False)),
    ),
    "X_NONE": Turn(ASKED, T.X_NONE, AnswerMode.NONE, (CHECKPOINT, CLEAR_QUESTION)),
    "X_EXTEND": Turn(
        ROOTED, T.X_EXTEND, AnswerMode.CLARIFICATION_REQUIRED, (CHECKPOINT, EDITED, *COMPILED, CONFIRM)
    ),
    "X_RUN": Turn(READY, T.X_RUN, AnswerMode.CONFIRMED, (CHECKPOINT, *RUN, *answered(READY))),
    "X_RUN failed": Turn(
        READY, T.X_RUN, AnswerMode.UNSUPPORTED, (CHECKPOINT, *FAILED, *answered(READY, NOT_DONE))
    ),
    "X_RUN tries again": Turn(
        RAN_BADLY, T.X_RUN, AnswerMode.CONFIRMED, (CHECKPOINT, *RUN, *answered(RAN_BADLY))
    ),
    "X_RUN of a write": Turn(READY, T.X_RUN, AnswerMode.CLARIFICATION_REQUIRED, (CHECKPOINT, CONFIRM)),
    "X_TEACH": Turn(FRESH, T.X_TEACH, AnswerMode.CLARIFICATION_REQUIRED, (TEACHING,)),
    "X_TEACH in the middle": Turn(ROOTED, T.X_TEACH, AnswerMode.CLARIFICATION_REQUIRED, (TEACHING,)),
    "X_TEACH instead of an answer": Turn(
        ASKED,
        T.X_TEACH,
        AnswerMode.CLARIFICATION_REQUIRED,
        (dropped(ASKED, DropReason.ABANDONED), TEACHING),
    ),
    "X_TEACH yes": Turn(TAUGHT, T.X_TEACH, AnswerMode.NONE, (CLEAR_QUESTION, ev.WordTaught(WORD))),
    "X_TEACH no": Turn(TAUGHT, T.X_TEACH, AnswerMode.NONE, (CLEAR_QUESTION,)),
    "X_TEACH forgets": Turn(ROOTED, T.X_TEACH, AnswerMode.NONE, (ev.WordForgotten(WORD),)),
}

QUIET: Final[dict[TransitionClass, Turn]] = {
    T.T0: WHOLE["T0 chat"],
    T.T1: Turn(FRESH, T.T1, AnswerMode.CLARIFICATION_REQUIRED, asked("date")),
    T.T2: Turn(ROOTED, T.T2, AnswerMode.CLARIFICATION_REQUIRED, asked("date")),
    T.T3: WHOLE["T3 asks which"],
    T.T4: Turn(DRILLED, T.T4, AnswerMode.CLARIFICATION_REQUIRED, asked("date")),
    T.T5: Turn(DRILLED, T.T5, AnswerMode.CLARIFICATION_REQUIRED, asked("date")),
    T.T6: Turn(DRILLED, T.T6, AnswerMode.CLARIFICATION_REQUIRED, asked("date")),
    T.T7: WHOLE["T7 narrows"],
    T.T8: WHOLE["T8 of a fact"],
    T.T9: WHOLE["T9"],
    T.T10: WHOLE["T10 unsupported"],
    T.X_CLEAR: Turn(ROOTED, T.X_CLEAR, AnswerMode.NONE, (CHECKPOINT, ev.ProgramCleared())),
    T.X_CANCEL: Turn(FRESH, T.X_CANCEL, AnswerMode.NONE, (ev.SessionCancelled(),)),
    T.X_UNDO: WHOLE["X_UNDO to the empty slate"],
    T.X_EDIT: WHOLE["X_EDIT with a fault"],
    T.X_HELP: Turn(FRESH, T.X_HELP, AnswerMode.NONE),
    T.X_SKIP: Turn(UNRESOLVED, T.X_SKIP, AnswerMode.NONE),
    T.X_CREATE: Turn(UNRESOLVED, T.X_CREATE, AnswerMode.NONE),
    T.X_SEARCH: Turn(UNRESOLVED, T.X_SEARCH, AnswerMode.NONE),
    T.X_NONE: WHOLE["X_NONE"],
    T.X_EXTEND: Turn(ROOTED, T.X_EXTEND, AnswerMode.CLARIFICATION_REQUIRED, (CHECKPOINT, CONFIRM)),
    T.X_RUN: WHOLE["X_RUN of a write"],
    T.X_TEACH: WHOLE["X_TEACH"],
}

every_class = pytest.mark.parametrize("entry", TransitionClass)
every_class_that_may_fail = pytest.mark.parametrize(
    "entry", [entry for entry in TransitionClass if entry is not T.X_CLEAR]
)
"""Clear keeps the answers exactly as they are, so there is no boundary it could end at."""


# Legal turns pass, and change only what their class may change.


def test_the_registry_and_these_tests_know_the_same_classes() -> None:
    assert [transition.id for transition in REGISTRY] == list(TransitionClass)
    assert len({transition.precedence for transition in REGISTRY}) == len(REGISTRY)
    assert {turn.entry for turn in WHOLE.values()} == set(QUIET) == set(SIGNALS) == set(TransitionClass)
    assert set(CHECKS) == set(Forbidden)


@pytest.mark.parametrize("name", WHOLE)
def test_a_legal_turn_passes_and_changes_only_what_it_may(name: str) -> None:
    turn = WHOLE[name]
    before = encode_state(turn.before)
    after = turn.judged()
    assert encode_state(turn.before) == before
    outcome = turn.outcome or turn.entry
    assert after.turn.status is TurnStatus.CLOSED
    assert (after.turn.entry_class, after.turn.outcome_class) == (turn.entry, outcome)
    assert after.turn.answer_mode is turn.mode
    assert changed_parts(turn.before, after) <= {*OF_EVERY_TURN, *BY_CLASS[outcome].state_mutations}


@every_class
def test_the_quiet_turn_of_a_class_passes(entry: TransitionClass) -> None:
    QUIET[entry].judged()


# 1. The entry condition.


def _spoiled_signals() -> Iterator[tuple[TransitionClass, tuple[Signal, ...]]]:
    for transition in REGISTRY:
        condition, signals = transition.entry_condition, SIGNALS[transition.id]
        for needed in condition.all_of:
            yield transition.id, tuple(s for s in signals if s is not needed)
        if condition.any_of:
            yield transition.id, tuple(s for s in signals if s not in condition.any_of)
        for unwanted in condition.none_of:
            yield transition.id, (*signals, unwanted)


@pytest.mark.parametrize(("entry", "signals"), list(_spoiled_signals()))
def test_a_turn_whose_entry_condition_does_not_hold_is_refused(
    entry: TransitionClass, signals: tuple[Signal, ...]
) -> None:
    condition = BY_CLASS[entry].entry_condition
    faults = replace(QUIET[entry], signals=signals).faults()
    assert faults == [f"the entry condition of {entry} does not hold: {condition.text}"]


def test_every_class_but_the_boundary_has_an_entry_condition_to_break() -> None:
    assert {entry for entry, _ in _spoiled_signals()} == set(TransitionClass) - {T.T10}


# 2. The required prior state.

assert ROOTED.frames.root is not None
WITHOUT: Final[dict[Prior, SessionState]] = {
    Prior.ROOT: FRESH,
    Prior.RESULT_SET: replace(
        ROOTED,
        frames=replace(ROOTED.frames, root=replace(ROOTED.frames.root, root_result_set_id="")),
    ),
    Prior.OBJECT_OR_RESULT_SET: FRESH,
    Prior.CLARIFICATION: ROOTED,
    Prior.UNRESOLVED_REFS: CONFIRMING,
    Prior.ANSWER: CLEARED,
    Prior.GROUNDED_ANSWER: FRESH,
    Prior.PROGRAM: FRESH,
    Prior.READY: ROOTED,
    Prior.HISTORY: FRESH,
}


@pytest.mark.parametrize(
    ("entry", "prior"), [(t.id, prior) for t in REGISTRY for prior in t.required_prior_state]
)
def test_a_turn_that_lacks_its_prior_state_is_refused(entry: TransitionClass, prior: Prior) -> None:
    before = WITHOUT[prior]
    lacking = [p for p in BY_CLASS[entry].required_prior_state if p not in resolve(before).priors]
    assert prior in lacking
    fault, *others = replace(QUIET[entry], before=before).faults()
    assert fault == f"{entry} needs {', '.join(lacking)} before it"
    if entry is not T.T9:  # A recap of nothing is invented, too.
        assert others == []


# 3. The allowed carryover depth.


@every_class
@pytest.mark.parametrize("depth", CarryoverDepth)
def test_a_turn_carries_exactly_its_effective_depth(entry: TransitionClass, depth: CarryoverDepth) -> None:
    quiet = QUIET[entry]
    right = effective_depth(BY_CLASS[entry], resolve(quiet.before))
    if depth is right:
        replace(quiet, routed_depth=depth, closed_depth=depth).judged()
        return
    assert replace(quiet, routed_depth=depth).faults() == [f"{entry} carries {right} here, not {depth}"]
    assert replace(quiet, closed_depth=depth).faults() == [
        f"{entry} ends with carryover {right}, not {depth}"
    ]


@every_class_that_may_fail
@pytest.mark.parametrize("depth", [d for d in CarryoverDepth if d is not CarryoverDepth.NONE])
def test_a_boundary_ends_with_nothing_carried(entry: TransitionClass, depth: CarryoverDepth) -> None:
    turn = _at_the_boundary(QUIET[entry])
    turn.judged()
    assert replace(turn, closed_depth=depth).faults() == [f"T10 ends with carryover none, not {depth}"]


def _at_the_boundary(turn: Turn) -> Turn:
    return replace(turn, outcome=T.T10, mode=AnswerMode.UNSUPPORTED, body=refused(turn.before))


@every_class
@pytest.mark.parametrize("origin", Origin)
def test_an_argument_comes_from_no_deeper_than_the_turn_may_reach(
    entry: TransitionClass, origin: Origin
) -> None:
    quiet = QUIET[entry]
    depth = effective_depth(BY_CLASS[entry], resolve(quiet.before))
    with_argument = replace(quiet, body=(captured(origin), *quiet.body))
    fault = f"arguments from {origin} lie beyond the depth {depth}"
    assert (fault in _faults_if_any(with_argument)) is (origin not in ORIGINS[depth])


@pytest.mark.parametrize("origin", Origin)
def test_an_argument_from_within_reach_is_no_fault(origin: Origin) -> None:
    """T7 carries everything that there is."""
    quiet = QUIET[T.T7]
    replace(quiet, body=(captured(origin), *quiet.body)).judged()


@pytest.mark.parametrize(
    ("eligibility", "depth"),
    [
        (CarryoverDepth.FULL, CarryoverDepth.ROOT_ONLY),
        (CarryoverDepth.ROOT_ONLY, CarryoverDepth.ROOT_ONLY),
        (CarryoverDepth.OBJECT_ONLY, CarryoverDepth.NONE),
        (CarryoverDepth.META_ONLY, CarryoverDepth.NONE),
        (CarryoverDepth.NONE, CarryoverDepth.NONE),
    ],
)
def test_the_gate_of_the_frame_narrows_what_may_be_carried(
    eligibility: CarryoverDepth, depth: CarryoverDepth
) -> None:
    gate = replace(CONFIRMED, carryover_eligibility=eligibility)
    body = (*written(Origin.MESSAGE), root(FRESH), *answered(FRESH, gate))
    before = Turn(FRESH, T.T1, AnswerMode.CONFIRMED, body).judged()
    follow_up = replace(QUIET[T.T2], before=before)
    replace(follow_up, routed_depth=depth, closed_depth=depth).judged()
    carrying = replace(follow_up, body=(captured(Origin.ROOT_FRAME), *follow_up.body))
    if depth is CarryoverDepth.NONE:
        assert carrying.faults() == ["arguments from root_frame lie beyond the depth none"]
    else:
        carrying.judged()


# 4. The parts it may change.

BETA: Final = EntityRef("organization", "2", "Beta Retail")


def _change(part: Part, before: SessionState) -> Events:
    """Events that change a part, whatever it holds."""
    match part:
        case Part.LIFECYCLE:
            return (ev.SessionCancelled(),)
        case Part.PROGRAM:
            return (CHECKPOINT,)
        case Part.ROOT_FRAME:
            return (root(before, "sales.total"),)
        case Part.OBJECT_FRAME:
            return (drilled(before, "rows-1"),) if before.frames.selected_object is None else (DROP,)
        case Part.META_FRAME:
            return (meta("answer-1", LIMITED),)
        case Part.CLARIFICATION:
            return (ev.ClarificationAsked(question("warehouse"), intent=False),)
        case Part.ATTEMPT:
            return (ev.AttemptKept(AttemptState("and the payroll?")),)
        case Part.DEFAULT_SCOPE:
            return (ev.DefaultScopeSet((BETA,)),)
        case Part.REFERENCE_DATE:
            return (ev.ReferenceDateSet(ReferenceDate(dt.date(2024, 5, 20), of_data=True)),)
        case Part.ANSWERS:
            return (ev.AnswerGiven(answer(before)),)
        case Part.GATE:
            return (ev.GateComputed(LIMITED),)
        case Part.TURN | Part.REPORTS | Part.STAGES:
            return ()


@every_class
@pytest.mark.parametrize("part", [part for part in Part if part not in OF_EVERY_TURN])
def test_a_turn_that_changes_a_part_it_may_not_change_is_refused(entry: TransitionClass, part: Part) -> None:
    quiet = QUIET[entry]
    changing = replace(quiet, body=(*quiet.body, *_change(part, quiet.before)))
    fault = f"it changed {part}, which it may not"
    if part in BY_CLASS[entry].state_mutations:
        assert fault not in _faults_if_any(changing)
    else:
        assert fault in changing.faults()


@every_class_that_may_fail
@pytest.mark.parametrize("part", [part for part in Part if part not in OF_EVERY_TURN])
def test_a_boundary_leaves_everything_but_gate_answers_and_attempt(
    entry: TransitionClass, part: Part
) -> None:
    turn = _at_the_boundary(QUIET[entry])
    changing = replace(turn, body=(*turn.body, *_change(part, turn.before)))
    fault = f"it changed {part}, which it may not"
    assert (fault in _faults_if_any(changing)) is (part not in (Part.GATE, Part.ANSWERS, Part.ATTEMPT))


def _faults_if_any(turn: Turn) -> list[str]:
    try:
        turn.judged()
    except TransitionViolation:
        return turn.faults()
    return []


# 5. What it must not do. For each prohibition, what breaks it, and the turns beside it that do not.

ANYWHERE_TO_DONE: Final[Events] = (EDITED, *COMPILED, *RUN)


def _running(turn: Turn) -> Turn:
    return replace(turn, body=(*ANYWHERE_TO_DONE, *turn.body))


def _writing(turn: Turn) -> Turn:
    return replace(turn, body=(EFFECT, *turn.body))


def _raising(turn: Turn) -> Turn:
    return replace(turn, body=(meta("answer-1", LIMITED),))


BREAKERS: Final[dict[Forbidden, Callable[[Turn], Turn]]] = {
    Forbidden.RUN_ROUTE: _running,
    Forbidden.STALE_FOCUS: lambda turn: replace(
        WHOLE["T1 leaves the object"],
        body=tuple(e for e in WHOLE["T1 leaves the object"].body if e != DROP),
    ),
    Forbidden.STALE_SCOPE: lambda turn: replace(turn, body=(captured(Origin.ROOT_FRAME), *turn.body)),
    Forbidden.UNKNOWN_DOWNGRADE: lambda turn: replace(
        _at_the_boundary(turn), body=refused(turn.before, UNKNOWN_REQUEST)
    ),
    Forbidden.UNANSWERED_ANTECEDENT: lambda turn: replace(
        turn,
        before=replace(turn.before, attempt=AttemptState("and the payroll?")),
        mode=AnswerMode.CONFIRMED,
    ),
    Forbidden.FOREIGN_PROVENANCE: lambda turn: replace(
        turn, body=(*turn.body, drilled(turn.before, "rows-999"))
    ),
    Forbidden.CHAT_FALLBACK: lambda turn: replace(turn, mode=AnswerMode.NONE),
    Forbidden.PRONOUN_SEARCH: lambda turn: replace(
        WHOLE["T5 acts"], body=(*written(Origin.MESSAGE), *answered(DRILLED, LIMITED))
    ),
    Forbidden.OBJECT_ROUTE_REPLAY: lambda turn: replace(
        WHOLE["T6 pivots"], body=tuple(e for e in WHOLE["T6 pivots"].body if e != DROP)
    ),
    Forbidden.FORGET_TARGET: lambda turn: replace(turn, body=asked("date", route="sales.total")),
    Forbidden.RAISE_TRUTH: _raising,
    Forbidden.INVENT_MEMORY: lambda turn: replace(turn, body=()),
    Forbidden.SOUND_CONFIRMED: lambda turn: replace(
        turn, body=(ev.GateComputed(CONFIRMED), *(e for e in turn.body if not isinstance(e, ev.GateComputed)))
    ),
    Forbidden.ZERO_FOR_MISSING: lambda turn: replace(
        turn,
        body=(
            ev.AnswerGiven(replace(answer(turn.before, closed_gate("x")), figures=(Figure("amount", "0"),))),
        ),
    ),
    Forbidden.FORGET_ANSWERS: lambda turn: replace(
        turn, body=(*turn.body, ev.AnswerGiven(answer(turn.before)))
    ),
    Forbidden.FORGET_HISTORY: lambda turn: replace(
        turn,
        before=DRILLED,
        body=(ev.ProgramRestored(), CHECKPOINT, ev.ProgramCleared()),
    ),
    Forbidden.UNASKED_WRITE: _writing,
    Forbidden.OTHER_PROGRAM: lambda turn: replace(turn, body=(CHECKPOINT, *turn.body)),
    Forbidden.UNASKED_WORD: lambda turn: replace(turn, body=(*turn.body, ev.WordTaught(WORD))),
}

PROHIBITED: Final = [(t.id, forbidden) for t in REGISTRY for forbidden in t.forbidden_carryover]


@pytest.mark.parametrize(("entry", "forbidden"), PROHIBITED)
def test_what_a_class_must_not_do_is_refused(entry: TransitionClass, forbidden: Forbidden) -> None:
    broken = BREAKERS[forbidden](QUIET[entry])
    assert broken.entry is entry
    named = [fault for fault in broken.faults() if fault.startswith(f"{entry} must not {forbidden}: ")]
    assert len(named) == 1


def test_every_prohibition_belongs_to_a_class_and_is_broken_here() -> None:
    assert {forbidden for _, forbidden in PROHIBITED} == set(Forbidden) == set(BREAKERS)


def _only_fault(turn: Turn) -> str:
    faults = turn.faults()
    assert len(faults) == 1, faults
    return faults[0]


def test_a_root_query_takes_no_argument_from_the_object_before() -> None:
    body = (captured(Origin.OBJECT_FRAME), *QUIET[T.T1].body)
    faults = replace(QUIET[T.T1], before=DRILLED, body=body).faults()
    assert "T1 must not stale_focus: an argument came from the object selected before" in faults


@pytest.mark.parametrize("origin", [Origin.ROOT_FRAME, Origin.CLARIFICATION, Origin.ANSWER])
def test_a_root_query_takes_no_argument_from_what_was_said_before(origin: Origin) -> None:
    faults = replace(QUIET[T.T1], body=(captured(origin), *QUIET[T.T1].body)).faults()
    assert f"T1 must not stale_scope: an argument came from {origin}" in faults


def test_a_follow_up_may_be_refused_for_any_reason_but_not_knowing_it() -> None:
    turn = _at_the_boundary(QUIET[T.T2])
    replace(turn, body=refused(turn.before, "not_loaded")).judged()
    assert "unknown_downgrade" in _only_fault(replace(turn, body=refused(turn.before, UNKNOWN_REQUEST)))


def test_an_object_may_come_from_any_result_in_context() -> None:
    later = WHOLE["T2 shifts"].judged()
    for rows in ("rows-1", "rows-2"):
        body = (*written(route="item.card"), drilled(later, rows), *answered(later))
        Turn(later, T.T3, AnswerMode.CONFIRMED, body).judged()
    body = (*written(route="item.card"), drilled(later, "rows-3"), *answered(later))
    assert "foreign_provenance" in _only_fault(Turn(later, T.T3, AnswerMode.CONFIRMED, body))


@pytest.mark.parametrize("entry", [T.T4, T.T5])
def test_an_action_on_an_object_does_not_set_the_scope(entry: TransitionClass) -> None:
    turn = QUIET[entry]
    faults = replace(turn, body=(*turn.body, ev.DefaultScopeSet((ALFA,)))).faults()
    assert f"{entry} must not chat_fallback: an action on an object changed the default scope" in faults


def test_a_pronoun_may_be_resolved_by_asking() -> None:
    turn = QUIET[T.T5]
    replace(turn, body=(captured(Origin.MESSAGE), *turn.body)).judged()
    assert "pronoun_search" in _only_fault(BREAKERS[Forbidden.PRONOUN_SEARCH](turn))


def test_a_pivot_takes_no_argument_from_the_object() -> None:
    turn = QUIET[T.T6]
    faults = replace(turn, body=(captured(Origin.OBJECT_FRAME), *turn.body)).faults()
    assert "T6 must not object_route_replay: an argument of another domain came from the object" in faults


def test_the_suspended_request_may_be_resumed_asked_about_or_refused() -> None:
    for name in ("T7 completes", "T7 narrows", "T7 refused"):
        WHOLE[name].judged()
    other = (*written(route="vat.payable"), root(ASKED), CLEAR_QUESTION, *answered(ASKED))
    turn = Turn(ASKED, T.T7, AnswerMode.CONFIRMED, other)
    assert _only_fault(turn) == (
        "T7 must not forget_target: the suspended request inventory.stock was forgotten"
    )


STRONGEST_FIRST: Final = (
    AnswerMode.CONFIRMED,
    AnswerMode.LIMITED,
    AnswerMode.CLARIFICATION_REQUIRED,
    AnswerMode.UNSUPPORTED,
)


@pytest.mark.parametrize("source", STRONGEST_FIRST)
@pytest.mark.parametrize("mode", STRONGEST_FIRST)
def test_an_answer_about_an_answer_never_sounds_surer_than_it(source: AnswerMode, mode: AnswerMode) -> None:
    gate = replace(LIMITED, truth_mode=TruthMode(source))
    before = replace(ROOTED, answers=replace(ROOTED.answers, items=(answer(FRESH, gate),)))
    turn = Turn(before, T.T8, mode, (meta("answer-1", gate),))
    if STRONGEST_FIRST.index(mode) < STRONGEST_FIRST.index(source):
        fault = f"T8 must not raise_truth: it sounds {mode} about an answer that was {source}"
        assert _only_fault(turn) == fault
    else:
        turn.judged()


def test_an_answer_about_an_answer_names_it() -> None:
    assert "it names no answer it speaks of" in _only_fault(replace(QUIET[T.T8], body=()))


def test_an_answer_about_an_answer_does_not_say_that_it_was_surer_than_it_was() -> None:
    limited = (*written(Origin.MESSAGE), root(FRESH), *answered(FRESH, LIMITED))
    before = Turn(FRESH, T.T1, AnswerMode.LIMITED, limited).judged()
    turn = Turn(before, T.T8, AnswerMode.CONFIRMED, (meta("answer-1", CONFIRMED),))
    assert "raise_truth" in _only_fault(turn)


def test_an_answer_about_an_answer_that_was_never_given_is_refused() -> None:
    turn = replace(QUIET[T.T8], body=(meta("answer-77"),))
    assert "raise_truth" in _only_fault(turn)


@pytest.mark.parametrize("body", [(), (meta(""),)], ids=["of nothing", "of no answer"])
def test_a_recap_speaks_of_a_recorded_answer(body: Events) -> None:
    assert _only_fault(replace(QUIET[T.T9], body=body)) == (
        "T9 must not invent_memory: it recaps no recorded answer"
    )


def test_a_boundary_shows_rows_only_when_it_is_limited() -> None:
    gate = closed_gate("run_failed", TruthMode.LIMITED)
    rows = replace(answer(FRESH, gate), rows=(("Oak desk 120", "7"),), row_count=1)
    Turn(FRESH, T.T10, AnswerMode.LIMITED, (ev.AnswerGiven(rows),)).judged()
    silent = replace(rows, gate=closed_gate("run_failed"))
    turn = Turn(FRESH, T.T10, AnswerMode.UNSUPPORTED, (ev.AnswerGiven(silent),))
    assert _only_fault(turn) == "T10 must not zero_for_missing: a boundary shows rows or figures"


def test_a_boundary_does_not_answer_confirmed() -> None:
    turn = replace(
        _at_the_boundary(QUIET[T.T1]), mode=AnswerMode.CONFIRMED, body=(ev.AnswerGiven(answer(FRESH)),)
    )
    assert "T10 must not sound_confirmed: a boundary sounds confirmed" in turn.faults()


def test_clear_may_not_forget_the_only_entry_of_the_history() -> None:
    assert len(ROOTED.program.history) == 1
    body = (ev.ProgramRestored(), CHECKPOINT, ev.ProgramCleared())
    assert "forget_history" in _only_fault(replace(QUIET[T.X_CLEAR], body=body))


def test_clear_may_push_the_oldest_entry_out_of_a_full_history() -> None:
    state = ROOTED
    for _ in range(25):
        state = Turn(
            state,
            T.T2,
            AnswerMode.CONFIRMED,
            (*written(Origin.ROOT_FRAME), root(state), *answered(state)),
        ).judged()
    cleared = Turn(state, T.X_CLEAR, AnswerMode.NONE, (CHECKPOINT, ev.ProgramCleared())).judged()
    assert cleared.program.history[:-1] == state.program.history[1:]


# 6. The answer modes it may end in.


@every_class
@pytest.mark.parametrize("mode", AnswerMode)
def test_a_turn_ends_only_in_a_mode_of_its_class(entry: TransitionClass, mode: AnswerMode) -> None:
    quiet = QUIET[entry]
    body = tuple(e for e in quiet.body if not isinstance(e, ev.AnswerGiven))
    turn = replace(quiet, mode=mode, body=body)
    fault = f"{entry} may not end in {mode}"
    if mode in BY_CLASS[entry].expected_answer_modes:
        assert fault not in _faults_if_any(turn)
    else:
        assert fault in turn.faults()


@pytest.mark.parametrize("mode", [AnswerMode.CONFIRMED, AnswerMode.NONE])
@every_class
def test_a_boundary_ends_only_in_a_mode_of_a_boundary(entry: TransitionClass, mode: AnswerMode) -> None:
    turn = replace(_at_the_boundary(QUIET[entry]), mode=mode, body=())
    assert f"T10 may not end in {mode}" in turn.faults()


def test_the_turn_sounds_as_its_answer_does() -> None:
    turn = replace(WHOLE["T1 first"], mode=AnswerMode.LIMITED)
    assert _only_fault(turn) == "the turn ends in limited, its answer in confirmed"


def test_a_question_about_the_request_is_pending_while_the_program_waits_for_it() -> None:
    body = (CHECKPOINT, captured(), ev.ClarificationAsked(question("date"), intent=True))
    waiting = Turn(FRESH, T.T1, AnswerMode.CLARIFICATION_REQUIRED, body)
    assert waiting.judged().program.phase is Phase.INTENT_CLARIFY
    without = replace(ASKED, frames=replace(ASKED.frames, clarification=None))
    assert _only_fault(replace(QUIET[T.X_HELP], before=without)) == (
        "the program waits for an answer that nobody was asked for"
    )


@pytest.mark.parametrize("entry", [T.T1, T.T2, T.T3, T.T4, T.T5, T.T6, T.X_RUN])
def test_a_turn_that_states_a_fact_gives_an_answer(entry: TransitionClass) -> None:
    body = (CHECKPOINT, DROP) if entry is T.T6 else (CHECKPOINT,)
    assert _only_fault(replace(QUIET[entry], mode=AnswerMode.CONFIRMED, body=body))


ONCE: Final = (
    ev.IntentCaptured,
    ev.GateComputed,
    ev.AnswerGiven,
    ev.AttemptRefused,
    ev.RootFrameSet,
    ev.ObjectFrameSet,
    ev.MetaFrameSet,
)


@pytest.mark.parametrize("kind", ONCE, ids=lambda kind: kind.__name__)
def test_what_is_checked_of_the_first_is_not_done_twice(kind: type[ev.Event]) -> None:
    turns = [turn for turn in WHOLE.values() if any(type(event) is kind for event in turn.body)]
    assert turns
    for turn in turns:
        again = next(event for event in turn.body if type(event) is kind)
        fault = f"it has more than one {kind.__struct_config__.tag}"
        place = turn.body.index(again)
        assert fault in replace(turn, body=(*turn.body[:place], again, *turn.body[place:])).faults()


def test_a_boundary_does_not_hide_a_fact_behind_its_answer() -> None:
    quiet = QUIET[T.T10]
    assert replace(quiet, body=(*quiet.body, ev.AnswerGiven(answer(FRESH)))).faults()


@pytest.mark.parametrize(
    "event",
    [
        ev.SessionOpened(AT, "somebody else", "title", "0"),
        ev.TurnAbandoned(AT),
        ev.TurnSettled(AT, (EffectRecord("key", EffectOutcome.DONE),)),
        opened(ROOTED),
    ],
    ids=lambda event: type(event).__name__,
)
def test_nothing_of_the_system_travels_in_a_turn(event: ev.SessionEvent) -> None:
    assert replace(QUIET[T.X_HELP], before=ROOTED, body=(event,)).faults()


def test_a_turn_takes_one_checkpoint() -> None:
    turn = QUIET[T.T1]
    assert replace(turn, body=(CHECKPOINT, *turn.body)).faults()


def test_an_answer_belongs_to_its_turn() -> None:
    stray = replace(answer(FRESH), turn_index=99, ref="answer-99")
    body = (*written(Origin.MESSAGE), root(FRESH), ev.GateComputed(CONFIRMED), ev.AnswerGiven(stray))
    assert Turn(FRESH, T.T1, AnswerMode.CONFIRMED, body).faults()


def test_no_second_intent_reaches_deeper_than_the_first() -> None:
    quiet = QUIET[T.T1]
    body = (captured(Origin.MESSAGE), captured(Origin.ROOT_FRAME), *quiet.body)
    assert replace(quiet, before=ROOTED, body=body).faults()


# What holds for every turn.


def test_a_turn_is_opened_first_routed_once_and_closed_last() -> None:
    first, read, routed, *body, closed = QUIET[T.T1].events()
    for events in (
        [],
        [first],
        [read, routed, *body, closed],
        [first, read, *body, closed],
        [first, read, routed, *body],
        [first, read, routed, routed, *body, closed],
        [first, read, routed, *body, closed, closed],
        [first, read, routed, *body, closed, read],
        [read, first, routed, *body, closed],
    ):
        assert faults_of(FRESH, events) == ["a turn is opened first, routed once and closed last"]


@every_class
@pytest.mark.parametrize("outcome", TransitionClass)
def test_a_turn_ends_as_it_was_entered_or_at_the_boundary(
    entry: TransitionClass, outcome: TransitionClass
) -> None:
    quiet = QUIET[entry]
    turn = _at_the_boundary(quiet) if outcome is T.T10 else replace(quiet, outcome=outcome)
    fault = f"entered as {entry}, it may end as {entry} or T10, not as {outcome}"
    assert (fault in _faults_if_any(turn)) is (outcome not in (entry, T.T10))


@pytest.mark.parametrize("lifecycle", [Lifecycle.CLOSED, Lifecycle.CANCELLED])
@every_class
def test_a_session_that_ended_takes_no_record(entry: TransitionClass, lifecycle: Lifecycle) -> None:
    quiet = QUIET[entry]
    ended = replace(quiet.before, lifecycle=lifecycle)
    assert replace(quiet, before=ended).faults() == [f"the session is {lifecycle}"]
    assert faults_of(ended, [ev.SessionClosed(AT)]) == [f"the session is {lifecycle}"]


def test_a_program_does_not_rest_in_the_middle_of_being_made() -> None:
    turn = Turn(ROOTED, T.X_EDIT, AnswerMode.NONE, (CHECKPOINT, EDITED))
    assert _only_fault(turn) == "the program rests in SYNTAX"


def test_no_object_is_selected_without_a_root() -> None:
    body = (CHECKPOINT, drilled(FRESH, ""), *asked("date"))
    assert (
        "an object is selected without a root"
        in Turn(FRESH, T.T1, AnswerMode.CLARIFICATION_REQUIRED, body).faults()
    )


@pytest.mark.parametrize("name", [n for n, turn in WHOLE.items() if CHECKPOINT in turn.body])
def test_what_changes_program_or_frames_takes_a_checkpoint(name: str) -> None:
    turn = WHOLE[name]
    without = replace(turn, body=tuple(e for e in turn.body if e != CHECKPOINT))
    assert "it changed program or frames without a checkpoint" in without.faults()


def test_a_question_that_a_turn_ends_in_is_pending() -> None:
    turn = replace(QUIET[T.T1], body=(CHECKPOINT,))
    assert _only_fault(turn) == "it ends in a question, but no question is pending"


def test_an_answer_keeps_a_bounded_preview_of_its_rows() -> None:
    def with_rows(number: int) -> Turn:
        rows = tuple((f"item {index}", "1") for index in range(number))
        long = replace(answer(FRESH), rows=rows, row_count=number)
        body = (*written(Origin.MESSAGE), root(FRESH), ev.GateComputed(CONFIRMED), ev.AnswerGiven(long))
        return Turn(FRESH, T.T1, AnswerMode.CONFIRMED, body)

    with_rows(PREVIEW_ROWS).judged()
    assert _only_fault(with_rows(PREVIEW_ROWS + 1)) == f"an answer keeps at most {PREVIEW_ROWS} rows"


# Effects.


@every_class
def test_an_effect_that_nobody_was_asked_about_is_refused(entry: TransitionClass) -> None:
    assert "it intended an effect that nobody confirmed" in _writing(QUIET[entry]).faults()


@pytest.mark.parametrize("kind", [ClarificationKind.MISSING_ANCHOR, ClarificationKind.AMBIGUOUS])
def test_no_other_question_confirms_an_effect(kind: ClarificationKind) -> None:
    pending = replace(CONFIRMING.frames, clarification=question("date", kind=kind))
    turn = Turn(
        replace(CONFIRMING, frames=pending),
        T.T7,
        AnswerMode.CLARIFICATION_REQUIRED,
        (EFFECT, *asked("date")),
    )
    assert _only_fault(turn) == "it intended an effect that nobody confirmed"


@pytest.mark.parametrize("entry", [T.T0, T.T1, T.T10, T.X_HELP, T.X_NONE])
def test_only_the_answer_to_the_confirmation_may_write(entry: TransitionClass) -> None:
    assert _writing(replace(QUIET[entry], before=CONFIRMING)).faults()


# Records that are no turn.

SETTLED: Final = ev.TurnSettled(AT, (EffectRecord("key", EffectOutcome.UNKNOWN),))

SYSTEM: Final[dict[str, tuple[SessionState, Events]]] = {
    "opened": (SessionState(version=-1), (ev.SessionOpened(AT, "owner", "title", "0"),)),
    "closed": (DRILLED, (ev.SessionClosed(AT),)),
    "abandoned": (DRILLED, (opened(DRILLED), ev.TurnAbandoned(AT))),
    "settled": (CONFIRMING, (opened(CONFIRMING), EFFECT, SETTLED)),
    "settled after it was done": (
        CONFIRMING,
        (opened(CONFIRMING), EFFECT, ev.EffectDone("key", EffectOutcome.DONE), SETTLED),
    ),
}


@pytest.mark.parametrize("name", SYSTEM)
def test_a_record_of_the_system_changes_lifecycle_or_turn_alone(name: str) -> None:
    before, events = SYSTEM[name]
    after = judge(before, events)
    assert changed_parts(before, after) <= {Part.TURN, Part.LIFECYCLE, Part.STAGES}
    assert after.lifecycle is (Lifecycle.CLOSED if name == "closed" else Lifecycle.OPEN)
    if name.startswith("settled"):
        assert after.turn.effects == (EffectRecord("key", EffectOutcome.UNKNOWN),)


@pytest.mark.parametrize("name", SYSTEM)
@pytest.mark.parametrize("extra", [CHECKPOINT, ev.GateComputed(LIMITED), DROP, ev.ProgramCleared()])
def test_nothing_else_travels_in_a_record_of_the_system(name: str, extra: ev.SessionEvent) -> None:
    before, events = SYSTEM[name]
    assert faults_of(before, (*events, extra)) == ["a turn is opened first, routed once and closed last"]


@pytest.mark.parametrize(
    ("before", "events"),
    [
        (CONFIRMING, (opened(CONFIRMING), EFFECT, ev.TurnAbandoned(AT))),
        (CONFIRMING, (EFFECT, ev.SessionClosed(AT))),
        (CONFIRMING, (opened(CONFIRMING), SETTLED)),
    ],
    ids=["abandoned with an effect", "closed with an effect", "settled without one"],
)
def test_effects_belong_to_a_settled_turn(before: SessionState, events: Events) -> None:
    assert faults_of(before, events)


def test_a_session_is_opened_by_its_first_record_and_once() -> None:
    again = ev.SessionOpened(AT, "somebody else", "title", "0")
    fault = ["a session is opened by its first record, and only by that"]
    assert faults_of(DRILLED, [again]) == fault
    assert faults_of(SessionState(version=-1), [ev.SessionClosed(AT)]) == fault


@pytest.mark.parametrize("version", [0, 7, -3])
def test_a_turn_is_opened_upon_the_state_it_found(version: int) -> None:
    assert DRILLED.version == 2
    first, *rest = replace(QUIET[T.X_HELP], before=DRILLED).events()
    assert isinstance(first, ev.TurnOpened)
    assert faults_of(DRILLED, [replace(first, expected_version=version), *rest]) == [
        f"the turn expects record {version}, the session is at 2"
    ]


# The program's phases, as the design draws them.

_AT_REST: Final = (
    Phase.NEW,
    Phase.INTENT,
    Phase.INTENT_CLARIFY,
    Phase.UNRESOLVED_REFS,
    Phase.READY,
    Phase.DONE,
    Phase.SYNTAX_ERROR,
    Phase.SEMANTIC_ERROR,
    Phase.DEPENDENCY_ERROR,
)

Move = tuple[Phase, Phase]


def _drawn(*lines: str) -> frozenset[Move]:
    """Moves in words: the phase, and where it may go from there."""
    named = (map(Phase, line.split()) for line in lines)
    return frozenset((source, end) for source, *ends in named for end in ends)


def _from(sources: Iterable[Phase], *ends: Phase) -> frozenset[Move]:
    return frozenset(itertools.product(sources, ends))


DRAWN: Final[dict[type[ev.Event], frozenset[Move]]] = {
    ev.IntentCaptured: _from(_AT_REST, Phase.INTENT),
    ev.ClarificationAsked: _drawn("INTENT INTENT_CLARIFY", "SEMANTICS INTENT_CLARIFY"),
    ev.ClarificationCleared: _drawn("INTENT_CLARIFY INTENT"),
    ev.QuestionDropped: _drawn("INTENT_CLARIFY INTENT", "UNRESOLVED_REFS INTENT"),
    ev.DiscoveryDone: _drawn("INTENT DISCOVERY"),
    ev.OmlSynthesisStart: _drawn("INTENT SYNTHESIS", "DISCOVERY SYNTHESIS"),
    ev.OmlSynthesisComplete: _drawn("SYNTHESIS SYNTAX", "REGENERATE SYNTAX"),
    ev.SchemaGuardPass: _drawn("SYNTAX SEMANTICS", "SEMANTICS DEPENDENCIES"),
    ev.SchemaGuardFail: _drawn(
        "SYNTAX SYNTAX_ERROR", "SEMANTICS SEMANTIC_ERROR", "DEPENDENCIES DEPENDENCY_ERROR"
    ),
    ev.RegenerationAttempt: _drawn("SYNTAX REGENERATE", "SEMANTICS REGENERATE"),
    ev.RefsUnresolved: _drawn("SEMANTICS UNRESOLVED_REFS"),
    ev.RefSettled: _drawn("UNRESOLVED_REFS SEMANTICS"),
    ev.ResolutionResumed: _from(_AT_REST, Phase.UNRESOLVED_REFS),
    ev.CompileComplete: _drawn("DEPENDENCIES READY"),
    ev.RunStarted: _drawn("READY RUNNING", "DONE RUNNING"),
    ev.RunFinished: _drawn("RUNNING DONE"),
    ev.ProgramEdited: _from(Phase, Phase.SYNTAX),
    ev.ProgramRestored: _from(Phase, Phase.SYNTAX, Phase.NEW)
    | _from(_AT_REST, Phase.INTENT, Phase.INTENT_CLARIFY),
    ev.ProgramCleared: _from(Phase, Phase.NEW),
}

every_kind_that_moves = pytest.mark.parametrize(
    "kind",
    list(DRAWN),
    ids=lambda kind: kind.__name__,
)


def _tag(kind: type[ev.Event]) -> str:
    return str(kind.__struct_config__.tag)


@every_kind_that_moves
def test_the_phase_table_is_what_is_drawn(kind: type[ev.Event]) -> None:
    declared = {(edge.source, edge.target) for edge in PHASE_EDGES if _tag(kind) in edge.by.split(", ")}
    assert declared == DRAWN[kind]


def test_the_phase_table_names_no_other_event() -> None:
    assert {name for edge in PHASE_EDGES for name in edge.by.split(", ")} == set(map(_tag, DRAWN))


@every_kind_that_moves
def test_a_move_is_legal_if_it_is_drawn_and_refused_if_not(kind: type[ev.Event]) -> None:
    event = next(
        e for e in (*MOVING, ev.ProgramRestored(), CLEAR_QUESTION, dropped(ASKED)) if type(e) is kind
    )
    for source, destination in itertools.product(Phase, repeat=2):
        if (source, destination) in DRAWN[kind]:
            check_move(source, destination, event)
            continue
        with pytest.raises(IllegalPhaseMove) as refusal:
            check_move(source, destination, event)
        assert dict(refusal.value.details) == {
            "source": source,
            "target": destination,
            "event": _tag(kind),
        }


@pytest.mark.parametrize(
    "event", [opened(FRESH), CHECKPOINT, ev.CompileStart(), DROP], ids=lambda e: type(e).__name__
)
def test_no_other_event_moves_the_program(event: ev.SessionEvent) -> None:
    assert type(event) not in DRAWN
    for source, destination in itertools.product(Phase, repeat=2):
        with pytest.raises(IllegalPhaseMove):
            check_move(source, destination, event)


MOVING: Final[dict[ev.SessionEvent, Phase]] = {
    captured(): Phase.INTENT,
    ev.ClarificationAsked(question("date"), intent=True): Phase.INTENT_CLARIFY,
    ev.DiscoveryDone("shop", "0", 7): Phase.DISCOVERY,
    ev.OmlSynthesisStart(): Phase.SYNTHESIS,
    ev.OmlSynthesisComplete(Notation.VERBS, "(a.b)", (Statement("a.b"),)): Phase.SYNTAX,
    EDITED: Phase.SYNTAX,
    ev.SchemaGuardPass(Stage.SYNTAX): Phase.SEMANTICS,
    ev.SchemaGuardPass(Stage.SEMANTICS): Phase.DEPENDENCIES,
    ev.SchemaGuardFail(Stage.SYNTAX, (), final=True): Phase.SYNTAX_ERROR,
    ev.SchemaGuardFail(Stage.SEMANTICS, (), final=True): Phase.SEMANTIC_ERROR,
    ev.SchemaGuardFail(Stage.DEPENDENCIES, (), final=True): Phase.DEPENDENCY_ERROR,
    ev.RegenerationAttempt(1): Phase.REGENERATE,
    ev.RefsUnresolved((reference(),)): Phase.UNRESOLVED_REFS,
    ev.RefSettled(reference(Skipped())): Phase.SEMANTICS,
    ev.ResolutionResumed(): Phase.UNRESOLVED_REFS,
    ev.CompileComplete(Plan("0", ())): Phase.READY,
    ev.RunStarted("run"): Phase.RUNNING,
    ev.RunFinished("run", ok=False, rows=0, error_code="run_failed"): Phase.DONE,
    ev.ProgramCleared(): Phase.NEW,
}


def test_every_phase_but_those_of_undo_is_reached_by_an_event() -> None:
    assert {target(event) for event in MOVING} == set(MOVING.values()) == set(Phase)


def _named(value: ev.SessionEvent | Phase) -> str:
    return value if isinstance(value, Phase) else f"{type(value).__name__}-{MOVING[value]}"


@pytest.mark.parametrize("source", Phase)
@pytest.mark.parametrize("event", MOVING, ids=_named)
def test_an_event_moves_the_program_only_along_its_own_edges(event: ev.SessionEvent, source: Phase) -> None:
    standing = _standing(source)
    found = encode_state(standing)
    events = (opened(standing), event)
    if (source, MOVING[event]) in DRAWN[type(event)]:
        assert faults_of(standing, events) == ["a turn is opened first, routed once and closed last"]
    else:
        with pytest.raises(IllegalPhaseMove, match=f"from {source} to {MOVING[event]} "):
            judge(standing, events)
    assert encode_state(standing) == found


def _standing(phase: Phase) -> SessionState:
    return replace(DRILLED, program=replace(DRILLED.program, phase=phase))


@pytest.mark.parametrize("source", Phase)
def test_undo_reads_a_program_or_empties_the_slate_from_any_phase(source: Phase) -> None:
    for before in (FRESH, ROOTED):
        standing = _cleared_and_standing(before, source)
        events = (opened(standing), ev.ProgramRestored())
        assert faults_of(standing, events) == ["a turn is opened first, routed once and closed last"]


@pytest.mark.parametrize(
    "source",
    list(_AT_REST),
)
def test_undo_brings_a_question_back_from_wherever_a_program_rests(source: Phase) -> None:
    standing = _cleared_and_standing(ASKED, source)
    after = Turn(standing, T.X_UNDO, AnswerMode.NONE, (ev.ProgramRestored(),)).judged()
    assert after.program.phase is Phase.INTENT_CLARIFY
    assert after.frames.clarification == ASKED.frames.clarification


def _cleared_and_standing(before: SessionState, phase: Phase) -> SessionState:
    """A session that was cleared, with the program in a phase that it may have reached since."""
    held = Turn(before, T.X_CLEAR, AnswerMode.NONE, (CHECKPOINT, ev.ProgramCleared())).judged()
    return replace(held, program=replace(held.program, phase=phase))


def _repaired(times: int) -> Turn:
    complete = ev.OmlSynthesisComplete(Notation.VERBS, "(inventory.stock)", (Statement(STOCK),))
    failed = ev.SchemaGuardFail(Stage.SYNTAX, (Diagnostic("bad_verb", "?"),), final=False)
    repairs = tuple(
        event
        for attempt in range(1, times + 1)
        for event in (failed, ev.RegenerationAttempt(attempt), complete)
    )
    body = (
        CHECKPOINT,
        captured(Origin.MESSAGE),
        ev.OmlSynthesisStart(),
        complete,
        *repairs,
        *COMPILED,
        *RUN,
        root(FRESH),
        *answered(FRESH),
    )
    return Turn(FRESH, T.T1, AnswerMode.CONFIRMED, body)


def test_a_program_may_be_repaired_once() -> None:
    assert _repaired(1).judged().program.repairs_used == 1


def test_a_program_may_not_be_repaired_twice() -> None:
    assert _repaired(2).faults()


# And with a real store: what is refused leaves nothing behind but the turn that was given up.


@pytest.fixture
def journal(tmp_path: Path) -> Iterable[Journal]:
    journal = Journal(open_sqlite_store(tmp_path / "sessions.sqlite"))
    yield journal
    journal.close()


@pytest.mark.parametrize(
    "breaking",
    [
        ev.RunStarted("run"),
        ev.SessionCancelled(),
        ev.ProgramCleared(),
        ev.AnswerGiven(answer(ROOTED)),
        ev.DefaultScopeSet((BETA,)),
    ],
    ids=lambda event: type(event).__name__,
)
def test_a_refused_turn_changes_nothing_in_the_store(journal: Journal, breaking: ev.SessionEvent) -> None:
    session = journal.create(owner="owner")
    _take(journal, session, WHOLE["T1 first"].events()[1:])
    found = journal.state(session)

    _, *events, closed = replace(QUIET[T.X_HELP], before=found).events()
    with pytest.raises((TransitionViolation, IllegalPhaseMove)):
        _take(journal, session, [*events, breaking, closed])

    after = journal.state(session)
    assert changed_parts(found, after) == {Part.TURN, Part.STAGES}
    assert after.turn.status is TurnStatus.ABANDONED
    assert after.version == found.version + 1
    assert encode_state(replay(journal.store, session).state) == encode_state(after)
    assert journal.store.head(session).lifecycle is Lifecycle.OPEN
    _take(journal, session, replace(QUIET[T.X_HELP], before=after).events()[1:])
    assert journal.state(session).turn.status is TurnStatus.CLOSED


def _take(journal: Journal, session: str, events: Sequence[ev.SessionEvent]) -> None:
    with journal.turn(session, "?") as turn:
        assert isinstance(turn, LiveTurn)
        turn.record(events)


# The question that was pending.

OTHER_QUESTION: Final = ev.QuestionDropped(question("date", route="vat.payable"), DropReason.FOLLOW_UP)


def _answers_something_else(*question_events: ev.SessionEvent) -> Turn:
    body = (*written(Origin.MESSAGE), root(ASKED), *question_events, *answered(ASKED))
    return Turn(ASKED, T.T1, AnswerMode.CONFIRMED, body)


def test_a_question_is_not_forgotten_without_a_word() -> None:
    fault = "the pending question is gone, and nothing says so"
    assert fault in _answers_something_else(CLEAR_QUESTION).faults()
    assert (
        fault
        in Turn(ASKED, T.X_EDIT, AnswerMode.NONE, (CHECKPOINT, EDITED, CLEAR_QUESTION, *COMPILED)).faults()
    )


def test_an_answer_to_something_else_leaves_no_question() -> None:
    assert "it answers something else and leaves the question pending" in _answers_something_else().faults()


def test_only_the_pending_question_is_dropped_and_only_by_what_takes_its_place() -> None:
    assert "it drops a question that was not pending" in _answers_something_else(OTHER_QUESTION).faults()
    talks = Turn(ASKED, T.T0, AnswerMode.NONE, (dropped(ASKED),))
    assert "T0 drops no question" in talks.faults()


def test_a_question_about_something_else_says_that_the_first_is_dropped() -> None:
    body = asked("date", route="vat.payable")
    silent = Turn(ASKED, T.T1, AnswerMode.CLARIFICATION_REQUIRED, body)
    assert silent.faults() == ["the pending question is gone, and nothing says so"]


def test_a_yes_does_not_outlive_its_program() -> None:
    body = (CHECKPOINT, replace(EDITED, ast=(Statement("vat.payable"),)), *COMPILED)
    assert (
        "the question whether to write outlived its program"
        in Turn(CONFIRMING, T.X_NONE, AnswerMode.NONE, body).faults()
    )


@pytest.mark.parametrize("entry", [T.T7, T.X_RUN])
def test_a_refusal_is_no_failed_run(entry: TransitionClass) -> None:
    before = CONFIRMING if entry is T.T7 else READY
    body = (CHECKPOINT, *RUN, *answered(before, NOT_DONE))
    assert (
        f"{entry} ends in unsupported only where a run failed"
        in Turn(before, entry, AnswerMode.UNSUPPORTED, body).faults()
    )
