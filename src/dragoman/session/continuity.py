"""The continuity of a session: everything a turn may carry over, resolved into one snapshot.

Planners, routing and enforcement all read this snapshot. If each looked at the state by itself, one stage
could carry a date that another had already dropped.
"""

import threading

from dragoman.contracts.answer import FOUND_OUT, AnswerObject
from dragoman.contracts.program import Program
from dragoman.contracts.record import Record
from dragoman.contracts.resolution import Reference
from dragoman.contracts.state import (
    READING,
    AnswersRegion,
    AttemptState,
    ClarificationState,
    DateScope,
    EntityRef,
    ReferenceDate,
    RootFrameState,
    SelectedObjectFrameState,
    SessionState,
)
from dragoman.contracts.transition import Transition
from dragoman.contracts.vocabulary import CarryoverDepth, ClarificationKind, Phase, Prior, ResumeFrame
from dragoman.session.carryover import narrower


class Continuity(Record, frozen=True):
    """What the session holds as the turn begins: frames, scope, pending question, answers, and how far each
    may be carried."""

    root: RootFrameState | None
    selected_object: SelectedObjectFrameState | None
    organization: EntityRef | None
    date: DateScope | None
    clarification: ClarificationState | None
    default_scope: tuple[EntityRef, ...]
    default_scope_turn: int
    reference_date: ReferenceDate | None
    root_answer: AnswerObject | None
    last_answer: AnswerObject | None
    program: Program
    """The program in hand."""
    base: Program
    """The program that a follow-up edits: the one behind the slice in hand, or what a person made of it."""
    offers_readings: bool
    """Whether the pending question is which reading is meant, or whether the one there is."""
    resolving: Reference | None
    """The reference that the pending question is about, where it is about one."""
    attempt: AttemptState | None
    """The question before this one, where it was not answered: a follow-up is about that, and is asked about
    in its turn."""
    in_hand: Program
    """The program that a follow-up over tables is about: the last attempt, or what the slice rests on."""
    last_found: AnswerObject | None
    """The last answer that found something out: refusals since then do not hide it."""
    root_eligibility: CarryoverDepth
    object_eligibility: CarryoverDepth
    answer_eligibility: CarryoverDepth
    priors: frozenset[Prior]


class _Newest(threading.local):
    """The snapshot that a thread made last. A turn is taken by one thread, and beside it run others."""

    made: tuple[SessionState, Continuity] | None = None


_newest = _Newest()


def resolve(state: SessionState) -> Continuity:
    """The snapshot of a state. A turn asks for the same one twice, to be routed and to be judged."""
    made = _newest.made
    if made is not None and made[0] is state:
        return made[1]
    continuity = _resolved(state)
    _newest.made = (state, continuity)
    return continuity


def _resolved(state: SessionState) -> Continuity:
    frames = state.frames
    root, selected = frames.root, frames.selected_object
    in_context = _in_context(state.answers)
    root_answer = _answer(in_context, root.root_answer_object_ref if root else "")
    object_answer = _answer(in_context, selected.provenance_bundle_ref if selected else "")
    last_answer = in_context[-1] if in_context else None
    base, attempt, pending = _base(state, root_answer), state.attempt, frames.clarification
    return Continuity(
        root=root,
        selected_object=selected,
        organization=root.organization_scope if root else None,
        date=root.date_scope if root else None,
        clarification=pending,
        default_scope=frames.default_scope,
        default_scope_turn=frames.default_scope_turn,
        reference_date=frames.reference_date,
        root_answer=root_answer,
        last_answer=last_answer,
        program=state.program.ast,
        base=base,
        offers_readings=pending is not None and pending.missing_anchors == (READING,),
        resolving=state.program.open_reference if pending is not None else None,
        attempt=attempt,
        in_hand=attempt.program if attempt is not None and attempt.program else base,
        last_found=next(
            (answer for answer in reversed(in_context) if answer.gate.truth_mode in FOUND_OUT), None
        ),
        root_eligibility=_eligibility(root_answer),
        object_eligibility=_eligibility(object_answer),
        answer_eligibility=_eligibility(last_answer),
        priors=_priors(state, bool(in_context)),
    )


def _base(state: SessionState, root_answer: AnswerObject | None) -> Program:
    """A program that a person edited takes the place of the slice's own where it asks the same verbs: they
    have said what they mean. Where the slice's answer has left the state, the program may still be there."""
    root, program = state.frames.root, state.program
    if root is None:
        return ()
    # The answer's program, not the one in hand: a drilldown or an export in between changes what is in hand,
    # and "and for April?" still means the slice.
    behind = root_answer.program if root_answer is not None else ()
    asked = [statement.verb for statement in behind] or [root.root_route_id]
    same = [statement.verb for statement in program.ast] == asked
    return program.ast if same and (program.edited_by_user or not behind) else behind


def effective_depth(transition: Transition, continuity: Continuity) -> CarryoverDepth:
    """The narrower of what the class allows and what the gate of the frame it carries from allows."""
    allowed = transition.allowed_carryover_depth
    match allowed:
        case CarryoverDepth.ROOT_ONLY:
            return narrower(allowed, continuity.root_eligibility)
        case CarryoverDepth.OBJECT_ONLY if Prior.OBJECT in continuity.priors:
            return narrower(allowed, continuity.object_eligibility)
        case CarryoverDepth.META_ONLY if Prior.ANSWER in continuity.priors:
            return narrower(allowed, continuity.answer_eligibility)
        case _:
            return allowed


def _priors(state: SessionState, any_answer: bool) -> frozenset[Prior]:
    frames, program = state.frames, state.program
    priors: list[Prior] = []
    has_result = frames.root is not None and bool(frames.root.root_result_set_id)
    if frames.root is not None:
        priors.append(Prior.ROOT)
    if has_result:
        priors.append(Prior.RESULT_SET)
    if frames.selected_object is not None:
        priors.append(Prior.OBJECT)
    if frames.selected_object is not None or has_result:
        priors.append(Prior.OBJECT_OR_RESULT_SET)
    # Something that is being created for a reference is a question too: none of it leads back.
    if frames.clarification is not None or program.waiting is not None:
        priors.append(Prior.CLARIFICATION)
    pending = frames.clarification
    # A reference that waits for the user and the question which one is meant are one thing.
    which = pending is not None and (
        pending.clarification_kind is ClarificationKind.AMBIGUOUS
        or (
            pending.clarification_kind is ClarificationKind.MISSING_ANCHOR
            and pending.resume_target_frame.frame is ResumeFrame.OBJECT
        )
    )
    if program.phase is Phase.UNRESOLVED_REFS or which:
        priors.append(Prior.UNRESOLVED_REFS)
    if any_answer:
        priors.append(Prior.ANSWER)
    if state.answers.grounded_count:
        priors.append(Prior.GROUNDED_ANSWER)
    if program.source:
        priors.append(Prior.PROGRAM)
    # A program that was run and failed is still in hand: it can be tried again.
    failed = program.phase is Phase.DONE and program.run_ok is False
    if program.phase is Phase.READY or failed:
        priors.append(Prior.READY)
    if program.history:
        priors.append(Prior.HISTORY)
    return frozenset(priors)


def _in_context(answers: AnswersRegion) -> tuple[AnswerObject, ...]:
    """Mostly all of them: then nothing is copied."""
    items, since = answers.items, answers.context_from
    if not items or items[0].turn_index >= since:
        return items
    return tuple(answer for answer in items if answer.turn_index >= since)


def _answer(answers: tuple[AnswerObject, ...], ref: str) -> AnswerObject | None:
    """Looked for from the newest on: that is where it mostly is."""
    if ref:
        for answer in reversed(answers):
            if answer.ref == ref:
                return answer
    return None


def _eligibility(answer: AnswerObject | None) -> CarryoverDepth:
    return answer.gate.carryover_eligibility if answer else CarryoverDepth.NONE
