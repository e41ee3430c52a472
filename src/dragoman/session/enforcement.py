"""Checks every record of a session against what is declared: phases, the six properties, invariants.

A fault is a bug in whoever wrote the events. The whole record is refused and the state is unchanged.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from dragoman.contracts import events as ev
from dragoman.contracts.answer import PREVIEW_ROWS
from dragoman.contracts.errors import TransitionViolation
from dragoman.contracts.state import MAX_ANSWERS, MAX_HISTORY, PROGRAM_REPAIRS, SessionState
from dragoman.contracts.transition import Transition
from dragoman.contracts.vocabulary import (
    AnswerMode,
    CarryoverDepth,
    ClarificationKind,
    Lifecycle,
    Part,
    Phase,
    TransitionClass,
)
from dragoman.session import phases
from dragoman.session.carryover import ORIGINS
from dragoman.session.continuity import Continuity, effective_depth, resolve
from dragoman.session.prohibitions import CHECKS, TurnProposal
from dragoman.session.question_faults import question_faults
from dragoman.session.reducer import UNOPENED, apply
from dragoman.session.registry import BY_CLASS
from dragoman.session.routing import holds
from dragoman.session.stage_faults import stage_faults

_E = TypeVar("_E", bound=ev.Event)

_SYSTEM_RECORDS = (
    (ev.SessionOpened,),
    (ev.SessionClosed,),
    (ev.TurnOpened, ev.TurnAbandoned),
)
"""Records that are no turn of the conversation: they change the lifecycle or the turn, and nothing else."""

_ONCE = (
    ev.IntentCaptured,
    ev.GateComputed,
    ev.AnswerGiven,
    ev.AttemptRefused,
    ev.AttemptKept,
    ev.RootFrameSet,
    ev.ObjectFrameSet,
    ev.MetaFrameSet,
    ev.QuestionDropped,
    ev.CheckpointTaken,
    ev.ProgramRestored,
    ev.ProgramCleared,
    ev.ReportEmitted,
    ev.PlanMade,
    ev.SpecDrawn,
    ev.StagesTimed,
)
"""What a turn does once if at all: a second one would slip past the checks of the first."""

_OF_RECORDS = frozenset({ev.SessionOpened, ev.SessionClosed, ev.TurnOpened, ev.TurnAbandoned, ev.TurnSettled})
"""What begins or ends a record, and has no place inside a turn."""

_OF_EVERY_TURN = (Part.TURN, Part.REPORTS, Part.STAGES)

_FACTS = (AnswerMode.CONFIRMED, AnswerMode.LIMITED)
_ABOUT_ANSWERS = (TransitionClass.T8, TransitionClass.T9)
_RUNNING = (TransitionClass.T7, TransitionClass.X_RUN)
_EFFECTS = (ev.EffectIntended, ev.EffectDone)
_NO_STEP = (TransitionClass.X_UNDO, TransitionClass.X_TEACH)
_UNDOABLE = frozenset({Part.PROGRAM, Part.ROOT_FRAME, Part.OBJECT_FRAME, Part.CLARIFICATION})


def judge(before: SessionState, events: Sequence[ev.SessionEvent]) -> SessionState:
    """Fold a record that may be stored, or raise with everything that is wrong with it."""
    if before.lifecycle is not Lifecycle.OPEN:
        raise _violation(before, [f"the session is {before.lifecycle}"])
    # Checked before folding: the fold of a misplaced record would fail in ways that say nothing about the
    # cause.
    misplaced = list(_misplaced(before, events))
    if misplaced:
        raise _violation(before, misplaced)
    after = _fold_by_the_phase_table(before, events)
    if _is_system_record(events):
        faults = list(_settlement_faults(events))
        faults += list(_stray_changes(changed_parts(before, after), (Part.TURN, Part.LIFECYCLE, Part.STAGES)))
    else:
        faults = list(_turn_faults(before, tuple(events), after))
    if faults:
        raise _violation(after, faults)
    return after


def _is_system_record(events: Sequence[ev.SessionEvent]) -> bool:
    kinds = tuple([type(event) for event in events])
    if kinds in _SYSTEM_RECORDS:
        return True
    # A settled turn carries the effects that were written down before its process was gone.
    opened, *effects, settled = kinds if len(kinds) > 2 else (None, None, None)
    settles = opened is ev.TurnOpened and settled is ev.TurnSettled and effects[0] is ev.EffectIntended
    return settles and all(kind in _EFFECTS for kind in effects)


def _settlement_faults(events: Sequence[ev.SessionEvent]) -> Iterator[str]:
    """Whoever settles a turn accounts for every effect that was intended, and for no other."""
    intended = [event.key for event in events if type(event) is ev.EffectIntended]
    settled = events[-1]
    if isinstance(settled, ev.TurnSettled) and [effect.key for effect in settled.effects] != intended:
        yield "the effects that were settled are not those that were intended"


def _misplaced(before: SessionState, events: Sequence[ev.SessionEvent]) -> Iterator[str]:
    """A session is opened first and once; a turn follows the record it expects."""
    opens = bool(events) and isinstance(events[0], ev.SessionOpened)
    if opens != (before.version == UNOPENED.version):
        yield "a session is opened by its first record, and only by that"
    for event in events:
        if type(event) is ev.TurnOpened and event.expected_version != before.version:
            yield f"the turn expects record {event.expected_version}, the session is at {before.version}"


def _fold_by_the_phase_table(state: SessionState, events: Sequence[ev.SessionEvent]) -> SessionState:
    for event in events:
        phase = state.program.phase
        state = apply(state, event)
        # An event that may move the program is checked even if the phase stays the same: a second run_started
        # in RUNNING is a move from RUNNING to RUNNING, which no table allows.
        if type(event) in phases.MOVERS and (
            state.program.phase is not phase or phases.target(event) is not None
        ):
            phases.check_move(phase, state.program.phase, event)
    return state


def _turn_faults(
    before: SessionState, events: tuple[ev.SessionEvent, ...], after: SessionState
) -> Iterator[str]:
    opened, routed, closed = events[0] if events else None, _only(events, ev.TurnRouted), _last_closed(events)
    if not isinstance(opened, ev.TurnOpened) or routed is None or closed is None:
        yield "a turn is opened first, routed once and closed last"
        return
    entry, outcome = BY_CLASS[routed.entry_class], BY_CLASS[closed.outcome_class]
    proposal = TurnProposal(before, events, after, outcome.id, closed.answer_mode)
    continuity = resolve(before)
    yield from _repetitions(before, events)
    if outcome is not entry and outcome.id is not TransitionClass.T10:
        yield f"entered as {entry.id}, it may end as {entry.id} or T10, not as {outcome.id}"
    yield from _entry_faults(entry, routed, continuity)
    yield from _carryover_faults(entry, outcome, routed, closed, continuity, proposal)
    changed = changed_parts(before, after)
    yield from _stray_changes(changed, (*_OF_EVERY_TURN, *outcome.state_mutations))
    # A turn that entered as T2 and failed as T10 must keep the prohibitions of both: a boundary may not sound
    # confirmed, and the follow-up may still not have forgotten its target.
    for transition in (outcome,) if outcome is entry else (outcome, entry):
        for forbidden in transition.forbidden_carryover:
            fault = CHECKS[forbidden](proposal)
            if fault:
                yield f"{transition.id} must not {forbidden}: {fault}"
    yield from _answer_faults(outcome, proposal)
    yield from stage_faults(proposal, events)
    yield from question_faults(proposal)
    yield from _invariant_faults(proposal, changed)


def _repetitions(state: SessionState, events: tuple[ev.SessionEvent, ...]) -> Iterator[str]:
    kinds = [type(event) for event in events]
    for kind in kinds[1:]:
        if kind in _OF_RECORDS:
            yield f"{kind.__struct_config__.tag} has no place inside a turn"
    for kind in _ONCE:
        if kinds.count(kind) > 1:
            yield f"it has more than one {kind.__struct_config__.tag}"
    before = 0 if ev.IntentCaptured in kinds else state.program.repairs_used
    if before + kinds.count(ev.RegenerationAttempt) > PROGRAM_REPAIRS:
        yield f"a program is repaired {PROGRAM_REPAIRS} time at most"


def _only(events: Sequence[ev.SessionEvent], kind: type[_E]) -> _E | None:
    found = [event for event in events if type(event) is kind]
    return found[0] if len(found) == 1 else None


def _last_closed(events: Sequence[ev.SessionEvent]) -> ev.TurnClosed | None:
    closed = _only(events, ev.TurnClosed)
    return closed if events and events[-1] is closed else None


def _entry_faults(entry: Transition, routed: ev.TurnRouted, continuity: Continuity) -> Iterator[str]:
    if not holds(entry.entry_condition, frozenset(routed.reason.signals)):
        yield f"the entry condition of {entry.id} does not hold: {entry.entry_condition.text}"
    missing = [prior for prior in entry.required_prior_state if prior not in continuity.priors]
    if missing:
        yield f"{entry.id} needs {', '.join(missing)} before it"


def _carryover_faults(
    entry: Transition,
    outcome: Transition,
    routed: ev.TurnRouted,
    closed: ev.TurnClosed,
    continuity: Continuity,
    proposal: TurnProposal,
) -> Iterator[str]:
    depth = effective_depth(entry, continuity)
    if routed.carryover is not depth:
        yield f"{entry.id} carries {depth} here, not {routed.carryover}"
    # A boundary takes nothing over, whatever it was entered with: its attempt is undone.
    ends = CarryoverDepth.NONE if outcome.id is TransitionClass.T10 else depth
    if closed.carryover is not ends:
        yield f"{outcome.id} ends with carryover {ends}, not {closed.carryover}"
    # The declared depth would be a label if nobody looked at the arguments. Every bound argument names its
    # origin, so what was really carried can be compared.
    beyond = proposal.origins - ORIGINS[depth]
    if beyond:
        yield f"arguments from {', '.join(sorted(beyond))} lie beyond the depth {depth}"


def _stray_changes(changed: set[Part], allowed: tuple[Part, ...]) -> Iterator[str]:
    for part in changed.difference(allowed):
        yield f"it changed {part}, which it may not"


def changed_parts(before: SessionState, after: SessionState) -> set[Part]:
    """The parts of the state that differ. Identity is asked first: most regions are the same object."""
    one, two = before.frames, after.frames
    pairs = (
        (Part.LIFECYCLE, before.lifecycle, after.lifecycle),
        (Part.TURN, before.turn, after.turn),
        (Part.PROGRAM, before.program, after.program),
        (Part.ROOT_FRAME, one.root, two.root),
        (Part.OBJECT_FRAME, one.selected_object, two.selected_object),
        (Part.META_FRAME, one.meta, two.meta),
        (Part.CLARIFICATION, one.clarification, two.clarification),
        (Part.ATTEMPT, before.attempt, after.attempt),
        (Part.DEFAULT_SCOPE, one.default_scope, two.default_scope),
        (Part.DEFAULT_SCOPE, one.default_scope_turn, two.default_scope_turn),
        (Part.REFERENCE_DATE, one.reference_date, two.reference_date),
        (Part.ANSWERS, before.answers, after.answers),
        (Part.GATE, before.gate, after.gate),
        (Part.REPORTS, before.reports, after.reports),
        (Part.STAGES, before.stages, after.stages),
    )
    return {part for part, old, new in pairs if old is not new and old != new}


def _answer_faults(outcome: Transition, proposal: TurnProposal) -> Iterator[str]:
    mode, answer = proposal.answer_mode, proposal.answer()
    if mode not in outcome.expected_answer_modes:
        yield f"{outcome.id} may not end in {mode}"
    if answer is None and mode in _FACTS and outcome.id not in _ABOUT_ANSWERS:
        yield f"the turn ends in {mode} and gives no answer"
    if answer is not None and answer.gate.truth_mode.value != mode.value:
        yield f"the turn ends in {mode}, its answer in {answer.gate.truth_mode}"
    if answer is not None and any(len(row) != len(answer.columns) for row in answer.rows):
        yield "the answer has rows that do not fit its columns"
    if answer is not None and answer.turn_index != proposal.before.version + 1:
        yield f"the answer says that it is of turn {answer.turn_index}"
    if mode is AnswerMode.UNSUPPORTED and outcome.id in _RUNNING:
        program = proposal.after.program
        if program.phase is not Phase.DONE or program.run_ok is not False:
            yield f"{outcome.id} ends in {mode} only where a run failed"
        if answer is not None and (answer.rows or answer.figures):
            yield "a failed run shows rows or figures"
    if answer is not None and len(answer.rows) > PREVIEW_ROWS:
        yield f"an answer keeps at most {PREVIEW_ROWS} rows"
    # T8 repeats the mode of the answer it speaks of, and T10 may point at an older question; neither has to
    # leave a new one.
    asks = mode is AnswerMode.CLARIFICATION_REQUIRED and outcome.id not in (
        TransitionClass.T8,
        TransitionClass.T10,
    )
    if asks and proposal.after.frames.clarification is None:
        yield "it ends in a question, but no question is pending"


def _invariant_faults(proposal: TurnProposal, changed: set[Part]) -> Iterator[str]:
    after = proposal.after
    if after.program.phase not in phases.AT_REST:
        yield f"the program rests in {after.program.phase}"
    written = proposal.first(ev.OmlSynthesisComplete)
    if written is not None and not written.source:
        yield "a program was written without a text"
    if after.program.phase is Phase.INTENT_CLARIFY and after.frames.clarification is None:
        yield "the program waits for an answer that nobody was asked for"
    if after.frames.selected_object is not None and after.frames.root is None:
        yield "an object is selected without a root"
    if len(after.answers.items) > MAX_ANSWERS or len(after.program.history) > MAX_HISTORY:
        yield "the state outgrew its bounds"
    # Undo can only bring back what was kept. Undo itself takes a checkpoint off instead of adding one, and
    # what a word means is no step of the conversation: it is taken back by its name.
    undoable = not changed.isdisjoint(_UNDOABLE) and proposal.outcome not in _NO_STEP
    if undoable and not proposal.has(ev.CheckpointTaken):
        yield "it changed program or frames without a checkpoint"
    if proposal.has(ev.EffectIntended) and not _is_the_yes(proposal):
        yield "it intended an effect that nobody confirmed"


def _is_the_yes(proposal: TurnProposal) -> bool:
    """Whether this turn answers the question whether to write."""
    pending, routed = proposal.before.frames.clarification, proposal.first(ev.TurnRouted)
    asked = pending is not None and pending.clarification_kind is ClarificationKind.CONFIRM_RUN
    return asked and routed is not None and routed.entry_class is TransitionClass.T7


def _violation(state: SessionState, faults: list[str]) -> TransitionViolation:
    return TransitionViolation(
        f"turn {state.turn.index} was refused: {'; '.join(faults)}",
        hint="this is a defect of Dragoman: report it with this trace",
        trace_id=state.turn.trace_id,
        faults=faults,
    )
