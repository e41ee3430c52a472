"""The reducer: what each event makes of the state. Pure, total, deterministic, and the only way.

Whether an event was allowed is not asked here (see `enforcement`): every event folds into every state.
"""

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.state import (
    MAX_ANSWERS,
    MAX_HISTORY,
    AnswersRegion,
    Checkpoint,
    FramesRegion,
    ProgramRegion,
    SessionState,
    TurnRegion,
)
from dragoman.contracts.vocabulary import FrameStatus, Lifecycle, Phase, TurnStatus
from dragoman.session import phases
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
    match event:
        case ev.SessionOpened(at=at, owner=owner):
            return replace(state, owner=owner, opened_at=at)
        case ev.SessionClosed():
            return replace(state, lifecycle=Lifecycle.CLOSED)
        case ev.SessionCancelled():
            return replace(state, lifecycle=Lifecycle.CANCELLED)
        case ev.TurnOpened() | ev.TurnRouted() | ev.TurnClosed() | ev.TurnAbandoned() | ev.TurnSettled():
            return _turn(state, event)
        case ev.MessageRead() | ev.EmptyLlmResponse() | ev.CompileStart() | ev.AttemptRefused():
            return state
        case ev.EffectIntended() | ev.EffectDone():
            return state
        case ev.CheckpointTaken():
            return _program(state, history=(*state.program.history, _checkpoint(state))[-MAX_HISTORY:])
        case ev.IntentCaptured():
            return _program(state, phase=Phase.INTENT, epoch=state.program.epoch + 1, repairs_used=0)
        case ev.OmlSynthesisComplete(notation=notation, source=source, ast=ast):
            return _written(state, ProgramRegion(notation=notation, source=source, ast=ast))
        case ev.ProgramEdited(notation=notation, source=source, ast=ast):
            return _written(
                state, ProgramRegion(notation=notation, source=source, ast=ast, edited_by_user=True)
            )
        case ev.SchemaGuardFail(diagnostics=diagnostics):
            return _program(state, phase=phases.target(event) or state.program.phase, diagnostics=diagnostics)
        case ev.RegenerationAttempt(attempt=attempt):
            return _program(state, phase=Phase.REGENERATE, repairs_used=attempt)
        case ev.RefsUnresolved(refs=refs):
            return _program(state, phase=Phase.UNRESOLVED_REFS, unresolved_refs=refs)
        case ev.RefSettled(ref=ref):
            refs = tuple(ref if old.ref_id == ref.ref_id else old for old in state.program.unresolved_refs)
            return _program(state, phase=Phase.SEMANTICS, unresolved_refs=refs)
        case ev.CompileComplete(plan=plan):
            return _program(state, phase=Phase.READY, plan=plan, diagnostics=(), run_ok=None)
        case ev.RunFinished(ok=ok):
            return _program(state, phase=Phase.DONE, run_ok=ok)
        case ev.DiscoveryDone() | ev.OmlSynthesisStart() | ev.SchemaGuardPass() | ev.RunStarted():
            return _program(state, phase=phases.target(event) or state.program.phase)
        case ev.ProgramRestored():
            return _restored(state)
        case ev.ProgramCleared():
            return _cleared(state)
        case ev.GateComputed(gate=gate):
            return replace(state, gate=gate)
        case ev.RootFrameSet(frame=frame):
            return _frames(state, root=frame)
        case ev.ObjectFrameSet(frame=frame):
            return _frames(state, selected_object=frame)
        case ev.ObjectFrameDropped():
            return _frames(state, selected_object=None)
        case ev.MetaFrameSet(frame=frame):
            return _frames(state, meta=frame)
        case ev.MetaFrameDropped():
            return _frames(state, meta=None)
        case ev.ClarificationAsked(clarification=clarification, intent=intent):
            asked = _frames(state, clarification=clarification)
            return _program(asked, phase=Phase.INTENT_CLARIFY) if intent else asked
        case ev.ClarificationCleared():
            cleared = _frames(state, clarification=None)
            waited = state.program.phase is Phase.INTENT_CLARIFY
            return _program(cleared, phase=Phase.INTENT) if waited else cleared
        case ev.DefaultScopeSet(scope=scope):
            return _frames(state, default_scope=scope)
        case ev.AnswerGiven(answer=answer):
            return replace(state, answers=_answered(state, answer))
        case _:
            assert_never(event)


def _program(state: SessionState, **changes: object) -> SessionState:
    return replace(state, program=replace(state.program, **changes))


def _frames(state: SessionState, **changes: object) -> SessionState:
    return replace(state, frames=replace(state.frames, **changes))


TurnEvent = ev.TurnOpened | ev.TurnRouted | ev.TurnClosed | ev.TurnAbandoned | ev.TurnSettled


def _turn(state: SessionState, event: TurnEvent) -> SessionState:
    turn = state.turn
    match event:
        case ev.TurnOpened(turn_id=turn_id, trace_id=trace_id, expected_version=version):
            opened = TurnRegion(
                status=TurnStatus.OPEN,
                index=version + 1,
                turn_id=turn_id,
                trace_id=trace_id,
                found_mode=living_mode(state) if turn.outcome_class else turn.found_mode,
            )
            return replace(state, turn=opened)
        case ev.TurnRouted(entry_class=entry, carryover=depth, reason=reason):
            return replace(state, turn=replace(turn, entry_class=entry, carryover=depth, reason=reason))
        case ev.TurnClosed(outcome_class=outcome, answer_mode=answer_mode, carryover=depth):
            closed = replace(
                turn,
                status=TurnStatus.CLOSED,
                outcome_class=outcome,
                answer_mode=answer_mode,
                carryover=depth,
            )
            return replace(state, turn=closed)
        case ev.TurnAbandoned():
            return replace(state, turn=replace(turn, status=TurnStatus.ABANDONED))
        case ev.TurnSettled(effects=effects):
            return replace(state, turn=replace(turn, status=TurnStatus.SETTLED, effects=effects))
        case _:
            assert_never(event)


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
    )


def _written(state: SessionState, text: ProgramRegion) -> SessionState:
    """A new text of the program: it is read from SYNTAX on. Epoch, history and budget go on."""
    old = state.program
    program = replace(
        text, phase=Phase.SYNTAX, epoch=old.epoch, history=old.history, repairs_used=old.repairs_used
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
        epoch=state.program.epoch + 1,
        history=history[:-1],
        edited_by_user=back.edited_by_user,
    )
    root = back.root and replace(back.root, frame_status=FrameStatus.RESTORED)
    selected = back.selected_object and replace(back.selected_object, frame_status=FrameStatus.RESTORED)
    frames = replace(
        state.frames, root=root, selected_object=selected, meta=back.meta, clarification=back.clarification
    )
    answers = replace(state.answers, context_from=back.context_from)
    return replace(state, program=program, frames=frames, answers=answers, gate=back.gate)


def restored_phase(back: Checkpoint) -> Phase:
    """A program that comes back is read again; a question or an empty slate comes back as it was."""
    if back.phase in (Phase.NEW, Phase.INTENT, Phase.INTENT_CLARIFY) or not back.source:
        return back.phase
    return Phase.SYNTAX


def _cleared(state: SessionState) -> SessionState:
    old = state.program
    program = ProgramRegion(epoch=old.epoch + 1, history=old.history)
    frames = FramesRegion(default_scope=state.frames.default_scope)
    answers = replace(state.answers, context_from=state.turn.index + 1)
    return replace(state, program=program, frames=frames, answers=answers, gate=None)


def _answered(state: SessionState, answer: AnswerObject) -> AnswersRegion:
    grounded = state.answers.grounded_count + answer.grounded
    items = (*state.answers.items, answer)
    while len(items) > MAX_ANSWERS:
        leaves = _least_needed(state, items)
        items = items[:leaves] + items[leaves + 1 :]
    return replace(state.answers, items=items, grounded_count=grounded)


def _least_needed(state: SessionState, items: tuple[AnswerObject, ...]) -> int:
    """The oldest answer that no frame speaks of; if possible, none that undo would bring back either."""
    frames = state.frames
    now = _spoken_of(frames.root, frames.selected_object)
    later = now.union(*(_spoken_of(back.root, back.selected_object) for back in state.program.history))
    candidates = range(len(items) - 1)
    for needed in (later, now):
        for index in candidates:
            if items[index].ref not in needed:
                return index
    return 0


def _spoken_of(root: object, selected: object) -> frozenset[str]:
    refs = (getattr(root, "root_answer_object_ref", ""), getattr(selected, "provenance_bundle_ref", ""))
    return frozenset(ref for ref in refs if ref)
