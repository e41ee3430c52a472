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
from dragoman.contracts.vocabulary import ClarificationKind, FrameStatus, TransitionClass
from dragoman.planning.contract import Request

Frames = tuple[ev.SessionEvent, ...]


def frames_after(context: TurnContext, request: Request | None, answer: AnswerObject) -> Frames:
    """An action on an object leaves the root as it is; everything else is a root slice of its own."""
    # An object opened with nothing in hand needs a root of its own: every object belongs to one.
    by_itself = context.before.frames.root is None
    focus = request.focus if request is not None else None
    if focus is not None and answer.route in context.catalog.actions and not by_itself:
        return _after_action(context, focus, answer)
    root = RootFrameState(
        domain_id=domain_of(answer.program, request),
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
    return (*frames, ev.ObjectFrameSet(_object_frame(selected, answer, root.date_scope)))


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
        frame = _object_frame(focus, answer, before.root.date_scope)
        # The row was found in the root's result, not in that of the action: provenance points there.
        frames.append(ev.ObjectFrameSet(replace(frame, source_result_set_id=before.root.root_result_set_id)))
    if before.clarification is not None:
        frames.append(ev.ClarificationCleared())
    return tuple(frames)


def _object_frame(
    focus: EntityRef, answer: AnswerObject, dates: DateScope | None
) -> SelectedObjectFrameState:
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
    """What a new root slice leaves behind: the object, the talk about answers, the question it answered; and
    the yes that was asked for the program before it."""
    frames = before.frames
    gone: list[ev.SessionEvent] = []
    if frames.selected_object is not None:
        gone.append(ev.ObjectFrameDropped())
    if frames.meta is not None:
        gone.append(ev.MetaFrameDropped())
    pending = frames.clarification
    answered = entry in (TransitionClass.T1, TransitionClass.T7)
    # A yes that was asked for one program must not start another.
    unasked = pending is not None and pending.clarification_kind is ClarificationKind.CONFIRM_RUN
    if pending is not None and (answered or unasked):
        gone.append(ev.ClarificationCleared())
    return tuple(gone)
