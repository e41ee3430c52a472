"""The frames after an answer, derived from the program that ran and what it gave. A program is never made of
frames: a follow-up edits the program."""

from msgspec.structs import replace

from dragoman.answering.context import TurnContext
from dragoman.answering.programs import domain_of
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.state import (
    DateScope,
    EntityRef,
    RootFrameState,
    SelectedObjectFrameState,
    SessionState,
)
from dragoman.contracts.vocabulary import FrameStatus, TransitionClass
from dragoman.planning.contract import Request

Frames = tuple[ev.SessionEvent, ...]


def frames_after(context: TurnContext, request: Request | None, answer: AnswerObject) -> Frames:
    """An action on an object leaves the root as it is; everything else is a root slice of its own."""
    # An object opened by a question of its own needs a root of its own: every object belongs to one.
    held = context.before.frames.root
    by_itself = held is None or _entered(context) is TransitionClass.T1
    # A slice that an action opened goes on as one: "and Beta Retail?" asks the same of the same object.
    by_itself = by_itself or (_changes_slice(context) and _is_of_object(context, held))
    row = _row_in_hand(context)
    if row is not None and not by_itself:
        return _after_action(context, row, answer)
    focus = request.focus if request is not None else None
    if focus is not None and answer.route in context.catalog.actions and not by_itself:
        return _after_action(context, focus, answer)
    root = RootFrameState(
        domain_id=_domain(context, request, answer),
        root_route_id=answer.route,
        organization_scope=request.organization if request is not None else None,
        date_scope=request.dates if request is not None else None,
        root_result_set_id=answer.result_set_id,
        root_answer_object_ref=answer.ref,
        frame_status=FrameStatus.ACTIVE,
    )
    frames: Frames = (ev.RootFrameSet(root), *_dropped(context.before, context.routing.entry_class))
    selected = focus if by_itself and focus is not None else selected_by_name(context, request)
    if selected is None:
        return frames
    return (*frames, ev.ObjectFrameSet(object_frame(selected, answer, root.date_scope)))


def _domain(context: TurnContext, request: Request | None, answer: AnswerObject) -> str:
    """The domain of a slice. One that an action opened is of the domain that the action looks into."""
    if request is not None and answer.route in context.catalog.actions:
        return request.verb.domain
    return domain_of(answer.program, request)


def _changes_slice(context: TurnContext) -> bool:
    return _entered(context) is TransitionClass.T2


def _entered(context: TurnContext) -> TransitionClass:
    """The class of the turn; for a yes to a reading, that of the turn that offered it."""
    pending = context.continuity.clarification
    if context.routing.entry_class is TransitionClass.T7 and pending is not None:
        return (
            pending.resume_target_frame.entry_class
            if context.continuity.offers_readings
            else TransitionClass.T7
        )
    return context.routing.entry_class


def _is_of_object(context: TurnContext, root: RootFrameState | None) -> bool:
    return root is not None and root.root_route_id in context.catalog.actions


def _row_in_hand(context: TurnContext) -> EntityRef | None:
    """The row of a table that the program is about."""
    candidates = context.proposal.candidates
    return candidates[0].focus if candidates else None


def selected_by_name(context: TurnContext, request: Request | None) -> EntityRef | None:
    """D4: the one object that a root question names beside what narrows it is selected with it."""
    if request is None or context.routing.entry_class is not TransitionClass.T1:
        return None
    if request.focus is not None:
        return None
    taken = {entity.kind for entity in request.narrowed}
    named = [ref for refs in context.reading.objects for ref in refs if ref.kind not in taken]
    return named[0] if len(named) == 1 and named[0].kind in context.catalog.cards else None


def _after_action(context: TurnContext, focus: EntityRef, answer: AnswerObject) -> Frames:
    """The object is selected when it was drilled into or chosen; its scope is that of the slice."""
    frames: list[ev.SessionEvent] = []
    before = context.before.frames
    if context.routing.entry_class in (TransitionClass.T3, TransitionClass.T7) and before.root is not None:
        frame = object_frame(focus, answer, before.root.date_scope)
        # The row was found in the root's result, not in that of the action: provenance points there.
        # A row of a table may also come from what was shown of another row.
        candidates = context.proposal.candidates
        found_in = (candidates[0].source if candidates else "") or before.root.root_result_set_id
        frames.append(ev.ObjectFrameSet(replace(frame, source_result_set_id=found_in)))
    if before.clarification is not None and context.routing.entry_class is TransitionClass.T7:
        frames.append(ev.ClarificationCleared())
    return tuple(frames)


def object_frame(focus: EntityRef, answer: AnswerObject, dates: DateScope | None) -> SelectedObjectFrameState:
    """The frame of an object that an answer is about."""
    return SelectedObjectFrameState(
        focus_object_ref=focus,
        focus_object_kind=focus.kind,
        source_result_set_id=answer.result_set_id,
        compatible_route_family=focus.kind,
        provenance_bundle_ref=answer.ref,
        temporal_ceiling=dates.end if dates else None,
        frame_status=FrameStatus.ACTIVE,
    )


def _dropped(before: SessionState, entry: TransitionClass) -> Frames:
    """What a new root slice leaves behind: the object, the talk about answers, the question it answered. A
    question that it did not answer is dropped as one (`open_questions`)."""
    frames = before.frames
    gone: list[ev.SessionEvent] = []
    if frames.selected_object is not None:
        gone.append(ev.ObjectFrameDropped())
    if frames.meta is not None:
        gone.append(ev.MetaFrameDropped())
    if frames.clarification is not None and entry is TransitionClass.T7:
        gone.append(ev.ClarificationCleared())
    return tuple(gone)
