"""The reducer: what each event does to the state. Pure, total and deterministic; nothing else changes state.

It does not ask whether an event was allowed (see `enforcement`): every event folds into every state. So old
records always load, whatever rules were added since.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from dragoman.contracts import events as ev
from dragoman.contracts.answer import FOUND_OUT, AnswerObject
from dragoman.contracts.state import (
    MAX_ANSWERS,
    MAX_HISTORY,
    AnswersRegion,
    Checkpoint,
    FramesRegion,
    ProgramRegion,
    ReportsRegion,
    SessionState,
    TurnRegion,
)
from dragoman.contracts.vocabulary import FrameStatus, Lifecycle, Phase, TransitionClass, TurnStatus
from dragoman.session import phases, resolutions, stages
from dragoman.session.living_mode import living_mode

UNOPENED = SessionState(version=-1)
"""Before the first record, which is number 0."""


def fold(state: SessionState, events: Iterable[ev.SessionEvent]) -> SessionState:
    for event in events:
        state = apply(state, event)
    return state


def fold_record(state: SessionState, version: int, events: Iterable[ev.SessionEvent]) -> SessionState:
    """Fold one stored record (a turn, or the opening or closing of the session) and count it."""
    return replace(fold(state, events), version=version)


def apply(state: SessionState, event: ev.SessionEvent) -> SessionState:
    return _FOLDS[type(event)](state, event)


def _program(state: SessionState, **changes: object) -> SessionState:
    return replace(state, program=replace(state.program, **changes))


def _turn(state: SessionState, **changes: object) -> SessionState:
    return replace(state, turn=replace(state.turn, **changes))


def _frames(state: SessionState, **changes: object) -> SessionState:
    return replace(state, frames=replace(state.frames, **changes))


def _opened(state: SessionState, event: ev.TurnOpened) -> SessionState:
    opened = TurnRegion(
        status=TurnStatus.OPEN,
        index=event.expected_version + 1,
        turn_id=event.turn_id,
        trace_id=event.trace_id,
        # How long a mode has lasted cannot be derived from the last turn alone. An interrupted turn has no
        # outcome, so the mode from before it is passed on.
        found_mode=living_mode(state) if state.turn.outcome_class else state.turn.found_mode,
        language=state.turn.language,
    )
    return replace(state, turn=opened, stages=stages.opened(event))


def _closed(state: SessionState, event: ev.TurnClosed) -> SessionState:
    turn = state.turn
    understood = event.outcome_class is not TransitionClass.T10 or not turn.language
    return _turn(
        replace(state, stages=stages.closed(state, event)),
        language=(turn.heard or turn.language) if understood else turn.language,
        status=TurnStatus.CLOSED,
        outcome_class=event.outcome_class,
        answer_mode=event.answer_mode,
        carryover=event.carryover,
    )


def _checkpoint(state: SessionState) -> Checkpoint:
    program, frames = state.program, state.frames
    return Checkpoint(
        turn_index=state.turn.index,
        phase=program.phase,
        notation=program.notation,
        source=program.source,
        ast=program.ast,
        plan=program.plan,
        epoch=program.epoch,
        edited_by_user=program.edited_by_user,
        root=frames.root,
        selected_object=frames.selected_object,
        meta=frames.meta,
        clarification=frames.clarification,
        gate=state.gate,
        context_from=state.answers.context_from,
        root_answer=_outline(state),
        resolution=program.resolution,
        waiting=program.waiting,
    )


def _outline(state: SessionState) -> AnswerObject | None:
    """The answer behind the root slice without what was found: whose it was, and its gate."""
    root = state.frames.root
    if root is None:
        return None
    for answer in reversed(state.answers.items):
        if answer.ref == root.root_answer_object_ref:
            # Enough for carryover and follow-ups. The rows may leave the state; a checkpoint that held them
            # would keep 20 results alive.
            return AnswerObject(answer.ref, answer.turn_index, answer.route, answer.gate, answer.program)
    return None


def _written(state: SessionState, text: ProgramRegion) -> SessionState:
    """A new text of the program: it is read from SYNTAX on. Epoch, history and budget go on."""
    old = state.program
    # The repair budget belongs to the request, not to the text: a second text must not get a second repair.
    program = replace(
        text,
        phase=Phase.SYNTAX,
        epoch=old.epoch,
        history=old.history,
        repairs_used=old.repairs_used,
        waiting=old.waiting,
    )
    return replace(state, program=program)


def _restored(state: SessionState) -> SessionState:
    history = state.program.history
    if not history:
        return state
    back = history[-1]
    program = ProgramRegion(
        phase=restored_phase(back),
        notation=back.notation,
        source=back.source,
        ast=back.ast,
        plan=back.plan,
        # A restored program is a new epoch too, so that nothing of the undone one can be mistaken for it.
        epoch=state.program.epoch + 1,
        history=history[:-1],
        edited_by_user=back.edited_by_user,
        resolution=back.resolution,
        waiting=back.waiting,
    )
    root = back.root and replace(back.root, frame_status=FrameStatus.RESTORED)
    selected = back.selected_object and replace(back.selected_object, frame_status=FrameStatus.RESTORED)
    frames = replace(
        state.frames, root=root, selected_object=selected, meta=back.meta, clarification=back.clarification
    )
    answers = replace(state.answers, items=_with_outline(state, back), context_from=back.context_from)
    # What was not answered is not brought back: undo returns to what was.
    return replace(state, program=program, frames=frames, attempt=None, answers=answers, gate=back.gate)


def _with_outline(state: SessionState, back: Checkpoint) -> tuple[AnswerObject, ...]:
    """The answers at hand, and the outline of the restored one if it has left; the next oldest makes room."""
    items, outline = state.answers.items, back.root_answer
    if outline is None or any(answer.ref == outline.ref for answer in items):
        return items
    return (outline, *items[-(MAX_ANSWERS - 1) :])


def restored_phase(back: Checkpoint) -> Phase:
    """A program that comes back is read again; a question or an empty slate comes back as it was."""
    if back.phase in (Phase.NEW, Phase.INTENT, Phase.INTENT_CLARIFY) or not back.source:
        return back.phase
    return Phase.SYNTAX


def _cleared(state: SessionState) -> SessionState:
    old = state.program
    program = ProgramRegion(epoch=old.epoch + 1, history=old.history)
    old_frames = state.frames
    frames = FramesRegion(
        default_scope=old_frames.default_scope,
        default_scope_turn=old_frames.default_scope_turn,
        reference_date=old_frames.reference_date,
    )
    # Answers stay for recaps. Follow-ups may not speak of them any more.
    answers = replace(state.answers, context_from=state.turn.index + 1)
    return replace(state, program=program, frames=frames, attempt=None, answers=answers, gate=None)


def _given(state: SessionState, event: ev.AnswerGiven) -> SessionState:
    """Whatever is found out ends the attempt: follow-ups are about the answer from now on."""
    found = event.answer.gate.truth_mode in FOUND_OUT
    return replace(
        state,
        answers=_answered(state, event.answer),
        attempt=None if found else state.attempt,
        stages=replace(state.stages, evidence=event.answer.evidence),
    )


def _edited(state: SessionState, event: ev.ProgramEdited) -> SessionState:
    """Whoever writes the program says what they mean: nothing is guessed any more."""
    text = ProgramRegion(notation=event.notation, source=event.source, ast=event.ast, edited_by_user=True)
    written = _written(state, text)
    waiting = resolutions.still_waiting(written.program.waiting, event.ast[-1].verb if event.ast else "")
    return replace(_program(written, waiting=waiting), attempt=None)


def _answered(state: SessionState, answer: AnswerObject) -> AnswersRegion:
    grounded = state.answers.grounded_count + (answer.gate.truth_mode in FOUND_OUT)
    items = (*state.answers.items, answer)
    while len(items) > MAX_ANSWERS:
        leaves = _least_needed(state, items)
        items = items[:leaves] + items[leaves + 1 :]
    return replace(state.answers, items=items, grounded_count=grounded)


def _least_needed(state: SessionState, items: tuple[AnswerObject, ...]) -> int:
    """The oldest answer that no frame speaks of; if possible, none that undo would bring back either."""
    now = _spoken_of((state.frames,))
    later = now | _spoken_of(state.program.history)
    # If every answer is needed for some undo, what the conversation is about now still wins.
    for needed in (later, now):
        for index, item in enumerate(items[:-1]):
            if item.ref not in needed:
                return index
    return 0


def _spoken_of(found: Iterable[FramesRegion | Checkpoint]) -> set[str]:
    refs = set()
    for one in found:
        if one.root is not None:
            refs.add(one.root.root_answer_object_ref)
        if one.selected_object is not None:
            refs.add(one.selected_object.provenance_bundle_ref)
        if one.meta is not None:
            refs.add(one.meta.source_answer_object_ref)
    return refs


def _moved(state: SessionState, event: ev.SessionEvent) -> SessionState:
    return _program(state, phase=phases.target(event) or state.program.phase)


def _captured(state: SessionState, event: ev.IntentCaptured) -> SessionState:
    """A new request: what an earlier one waited for is dropped, unless it is what creates it."""
    program = state.program
    waiting = resolutions.still_waiting(program.waiting, event.route)
    return _program(
        state,
        phase=Phase.INTENT,
        epoch=program.epoch + 1,
        repairs_used=0,
        resolution=None,
        waiting=waiting,
    )


def _asked(state: SessionState, event: ev.ClarificationAsked) -> SessionState:
    asked = _frames(state, clarification=event.clarification)
    return _program(asked, phase=Phase.INTENT_CLARIFY) if event.intent else asked


def _question_cleared(state: SessionState, event: ev.ClarificationCleared) -> SessionState:
    cleared = _frames(state, clarification=None)
    waited = state.program.phase is Phase.INTENT_CLARIFY
    return _program(cleared, phase=Phase.INTENT) if waited else cleared


def _question_dropped(state: SessionState, event: ev.QuestionDropped) -> SessionState:
    """What waited for the answer waits no more: the request, or the program with the open reference."""
    dropped = _frames(state, clarification=None)
    waited = state.program.phase in (Phase.INTENT_CLARIFY, Phase.UNRESOLVED_REFS)
    return _program(dropped, phase=Phase.INTENT, resolution=None) if waited else dropped


def _unchanged(state: SessionState, event: ev.SessionEvent) -> SessionState:
    return state


_FOLDS: dict[type[ev.Event], Callable[[SessionState, Any], SessionState]] = {
    ev.SessionOpened: lambda state, event: replace(state, owner=event.owner, opened_at=event.at),
    ev.SessionClosed: lambda state, event: replace(state, lifecycle=Lifecycle.CLOSED),
    ev.SessionCancelled: lambda state, event: replace(state, lifecycle=Lifecycle.CANCELLED),
    ev.TurnOpened: _opened,
    ev.TurnRouted: lambda state, event: _turn(
        state, entry_class=event.entry_class, carryover=event.carryover, reason=event.reason
    ),
    ev.PlanMade: lambda state, event: replace(state, stages=stages.planned(state.stages, event)),
    ev.SpecDrawn: lambda state, event: replace(
        state, stages=replace(state.stages, architect_spec=event.spec)
    ),
    ev.DraftJudged: lambda state, event: replace(state, stages=stages.judged(state.stages, event)),
    ev.StagesTimed: lambda state, event: replace(state, stages=stages.timed(state.stages, event)),
    ev.TurnClosed: _closed,
    ev.TurnAbandoned: lambda state, event: _turn(state, status=TurnStatus.ABANDONED),
    ev.TurnSettled: lambda state, event: _turn(state, status=TurnStatus.SETTLED, effects=event.effects),
    ev.MessageRead: lambda state, event: _turn(state, heard=event.language),
    ev.ReadingsWeighed: _unchanged,
    ev.WordTaught: _unchanged,
    ev.WordForgotten: _unchanged,
    ev.RivalsRun: _unchanged,
    ev.ReadingReviewed: _unchanged,
    ev.EmptyLlmResponse: _unchanged,
    ev.ModelAsked: _unchanged,
    ev.QuestionRefused: _unchanged,
    ev.OutputValidationFailed: _unchanged,
    ev.CompileStart: _unchanged,
    ev.AttemptRefused: _unchanged,
    ev.AttemptKept: lambda state, event: replace(state, attempt=event.attempt),
    ev.EffectIntended: _unchanged,
    ev.EffectDone: _unchanged,
    ev.CheckpointTaken: lambda state, event: _program(
        state, history=(*state.program.history, _checkpoint(state))[-MAX_HISTORY:]
    ),
    ev.IntentCaptured: _captured,
    ev.DiscoveryDone: _moved,
    ev.OmlSynthesisStart: _moved,
    ev.OmlSynthesisComplete: lambda state, event: _written(
        state, ProgramRegion(notation=event.notation, source=event.source, ast=event.ast)
    ),
    ev.SchemaGuardPass: _moved,
    ev.SchemaGuardFail: lambda state, event: _program(
        state, phase=phases.target(event) or state.program.phase, diagnostics=event.diagnostics
    ),
    ev.RegenerationAttempt: lambda state, event: _program(
        state, phase=Phase.REGENERATE, repairs_used=event.attempt
    ),
    ev.RefsUnresolved: lambda state, event: replace(
        state, program=resolutions.unresolved(state.program, event)
    ),
    ev.RefSearched: lambda state, event: replace(
        state, program=resolutions.searched(state.program, event.reference)
    ),
    ev.RefSettled: lambda state, event: replace(state, program=resolutions.settled(state.program, event)),
    ev.ResolutionSuspended: lambda state, event: replace(
        state, program=resolutions.suspended(state.program, event)
    ),
    ev.ResolutionResumed: lambda state, event: replace(state, program=resolutions.resumed(state.program)),
    ev.CompileComplete: lambda state, event: _program(
        state, phase=Phase.READY, plan=event.plan, diagnostics=(), run_ok=None
    ),
    ev.RunStarted: _moved,
    ev.RunFinished: lambda state, event: _program(state, phase=Phase.DONE, run_ok=event.ok),
    ev.GateComputed: lambda state, event: replace(state, gate=event.gate),
    ev.RootFrameSet: lambda state, event: _frames(state, root=event.frame),
    ev.ObjectFrameSet: lambda state, event: _frames(state, selected_object=event.frame),
    ev.ObjectFrameDropped: lambda state, event: _frames(state, selected_object=None),
    ev.MetaFrameSet: lambda state, event: replace(
        _frames(state, meta=event.frame), stages=stages.spoken_of(state, event)
    ),
    ev.MetaFrameDropped: lambda state, event: _frames(state, meta=None),
    ev.ClarificationAsked: _asked,
    ev.ClarificationCleared: _question_cleared,
    ev.QuestionDropped: _question_dropped,
    ev.DefaultScopeSet: lambda state, event: _frames(
        state, default_scope=event.scope, default_scope_turn=state.turn.index
    ),
    ev.ReferenceDateSet: lambda state, event: _frames(state, reference_date=event.reference_date),
    ev.ReportEmitted: lambda state, event: replace(state, reports=ReportsRegion(event.record)),
    ev.AnswerGiven: _given,
    ev.ProgramEdited: _edited,
    ev.ProgramRestored: lambda state, event: _restored(state),
    ev.ProgramCleared: lambda state, event: _cleared(state),
}
"""What each kind of event does; a test holds it to every kind there is."""
