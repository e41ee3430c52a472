"""The turns that move the session without running a request: talk, scope, escape hatches, boundaries."""

from dragoman.answering.about import speak
from dragoman.answering.compilation import compile_text
from dragoman.answering.coverage import closed_gate
from dragoman.answering.draft import Conclusion
from dragoman.answering.recap import recall
from dragoman.answering.scene import Scene
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.state import Checkpoint, MetaFrameState
from dragoman.contracts.vocabulary import (
    AnswerMode,
    ClarificationKind,
    MetaQuestionKind,
    MetaTruthMode,
    Notation,
    Phase,
    Prior,
    Signal,
    TransitionClass,
    TruthMode,
)
from dragoman.planning.anchors import Refusal, Request
from dragoman.planning.hand_written import HandWritten
from dragoman.planning.request import request_of
from dragoman.session.phases import ERRORS
from dragoman.session.reducer import restored_phase

_SHOWN_QUESTION = 80


def talk(scene: Scene, data: str) -> Conclusion:
    """T0: chat, what there is, or the organization to work with from now on."""
    chosen = scene.reading.entity(scene.catalog.anchor)
    signals = scene.routing.reason.signals
    say = scene.phrases.say
    if Signal.SCOPE_CHOICE in signals and chosen is not None:
        name = scene.catalog.shown(chosen, scene.phrases.language)
        said = say("scope_set", name=name, kind=scene.wording.kind(chosen.kind))
        return Conclusion(TransitionClass.T0, AnswerMode.NONE, said, (ev.DefaultScopeSet(scope=(chosen,)),))
    said = data if Signal.DATA_SCOPE in signals else say("chat")
    return Conclusion(TransitionClass.T0, AnswerMode.NONE, said)


def clear(scene: Scene) -> Conclusion:
    events = (ev.CheckpointTaken(), ev.ProgramCleared())
    return Conclusion(TransitionClass.X_CLEAR, AnswerMode.NONE, scene.phrases.say("cleared"), events)


def cancel(scene: Scene) -> Conclusion:
    said = scene.phrases.say("cancelled")
    return Conclusion(TransitionClass.X_CANCEL, AnswerMode.NONE, said, (ev.SessionCancelled(),))


def offer_help(scene: Scene) -> Conclusion:
    """What can be done from where the session stands."""
    state, say = scene.draft.before, scene.phrases.say
    pending = state.frames.clarification
    kind = scene.wording.kind(scene.catalog.anchor)
    if pending is not None:
        key = "help_unresolved" if state.program.phase is Phase.UNRESOLVED_REFS else "help_pending"
        said = say(key, question=scene.wording.pending(pending, state.program.ast))
    elif state.program.phase is Phase.READY:
        said = say("help_ready")
    elif state.program.phase in ERRORS:
        said = say("help_broken")
    elif not scene.catalog.verbs:
        said = say("help_tables")
    elif state.program.phase is Phase.DONE:
        said = say("help_done", kind=kind) + scene.wording.abilities()
    else:
        said = say("help_new", kind=kind) + scene.wording.abilities()
        said += say("for_example", example=scene.wording.example())
    return Conclusion(TransitionClass.X_HELP, AnswerMode.NONE, said)


def none_of_these(scene: Scene) -> Conclusion:
    """The offered answers are dropped, and the question with them."""
    said = scene.phrases.say("none_of_these") + scene.wording.abilities()
    events: tuple[ev.SessionEvent, ...] = (ev.CheckpointTaken(), ev.ClarificationCleared())
    if scene.draft.before.program.phase is Phase.UNRESOLVED_REFS:
        events = back_to_intent(scene)
    return Conclusion(TransitionClass.X_NONE, AnswerMode.NONE, said, events)


def back_to_intent(scene: Scene) -> tuple[ev.SessionEvent, ...]:
    """The question is dropped; a program that waited for it is no longer in the way."""
    pending = scene.draft.before.frames.clarification
    route = pending.resume_target_route if pending is not None else ""
    events: list[ev.SessionEvent] = [ev.CheckpointTaken()]
    events.append(ev.IntentCaptured(route, route.partition(".")[0], ()))
    if pending is not None:
        events.append(ev.ClarificationCleared())
    return tuple(events)


def edit(scene: Scene) -> Conclusion:
    """X_EDIT: the program as the user wrote it is read from scratch; it runs when they say so."""
    written = scene.program or HandWritten((), Notation.VERBS)
    program, notation = written.program, written.notation
    compiled = compile_text(scene.text, program, scene.catalog.programs, notation)
    events: list[ev.SessionEvent] = [ev.CheckpointTaken(), ev.ProgramEdited(notation, scene.text, program)]
    if scene.draft.before.frames.clarification is not None:
        events.append(ev.ClarificationCleared())
    events += compiled.events
    key = "edited_broken" if compiled.fault else "edited"
    said = scene.phrases.say(key, problem=compiled.fault)
    return Conclusion(TransitionClass.X_EDIT, AnswerMode.NONE, said, tuple(events))


def undo(scene: Scene) -> Conclusion:
    """The program and the frames of the turn before, read again from SYNTAX."""
    state, say = scene.draft.before, scene.phrases.say
    back = state.program.history[-1]
    events: list[ev.SessionEvent] = [ev.ProgramRestored()]
    if restored_phase(back) is not Phase.SYNTAX:
        said = say("undone_empty")
        if back.clarification is not None:
            said = say("undone_question", question=scene.wording.pending(back.clarification, back.ast))
        return Conclusion(TransitionClass.X_UNDO, AnswerMode.NONE, said, tuple(events))
    compiled = compile_text(back.source, back.ast, scene.catalog.programs, back.notation)
    events += compiled.events
    waits = bool(compiled.unresolved) and back.clarification is not None
    if compiled.fault and not waits:
        said = say("undone_broken", problem=compiled.fault)
        return Conclusion(TransitionClass.X_UNDO, AnswerMode.NONE, said, tuple(events))
    pending = back.clarification
    wrote = (
        pending is not None
        and pending.clarification_kind is ClarificationKind.CONFIRM_RUN
        and state.program.phase is Phase.DONE
    )
    if pending is not None and not wrote:
        said = say("undone_question", question=scene.wording.pending(pending, back.ast))
        return Conclusion(TransitionClass.X_UNDO, AnswerMode.NONE, said, tuple(events))
    subject, then = _then(scene, back)
    said = say("undone", subject=subject, then=then)
    if wrote:
        # A yes was given and is used up: another one has to be asked for.
        events.append(ev.ClarificationCleared())
        said = say("stays_written") + said
    return Conclusion(TransitionClass.X_UNDO, AnswerMode.NONE, said, tuple(events))


def _then(scene: Scene, back: Checkpoint) -> tuple[str, str]:
    """What the restored program was about, and what it gave then."""
    say = scene.phrases.say
    answers = scene.draft.before.answers.items
    answer = next((a for a in reversed(answers) if a.program == back.ast and a.subject), None)
    if answer is None:
        request = request_of(back.ast, scene.catalog)
        if isinstance(request, Request):
            return scene.wording.subject(request), ""
        return say("the_program_before"), ""
    truth = say(f"truth_{answer.truth_mode}")
    return answer.subject, say("undone_then", finding=scene.wording.finding(answer), truth=truth)


def about_answer(scene: Scene) -> Conclusion:
    """T8: computed from the answers in context; how sure it sounds is how sure they are."""
    asked = scene.reading.meta or MetaQuestionKind.EVALUATION
    spoken = speak(asked, scene.in_context, scene.continuity.root_answer, scene.wording)
    if spoken is None:
        return refuse(scene, Refusal("nothing_to_judge"))
    return _meta(TransitionClass.T8, spoken.source, spoken.kind, spoken.message)


def recapped(scene: Scene, older: tuple[AnswerObject, ...]) -> Conclusion:
    """T9: from the record, `older` being what has left the state."""
    recalled = recall((*older, *scene.draft.before.answers.items), scene.reading, scene.wording)
    if recalled is None:
        return refuse(scene, Refusal("nothing_said"))
    return _meta(TransitionClass.T9, recalled.weakest, MetaQuestionKind.MEMORY_RECAP, recalled.message)


def _meta(outcome: TransitionClass, source: AnswerObject, kind: MetaQuestionKind, message: str) -> Conclusion:
    frame = MetaFrameState(source.ref, kind, source.gate, MetaTruthMode(source.truth_mode))
    return Conclusion(outcome, AnswerMode(source.truth_mode), message, (ev.MetaFrameSet(frame),))


def lacking(scene: Scene) -> Conclusion:
    """T10: nothing fitted, or what fitted lacked its prior state."""
    reading, routing = scene.reading, scene.routing
    if Signal.WRITE_REQUEST in routing.reason.signals:
        return refuse(scene, Refusal("write_not_supported"))
    if reading.uncovered:
        return refuse(scene, Refusal("uncovered_words", reading.uncovered))
    missing = tuple(prior for weighed in routing.reason.weighed for prior in weighed.missing)
    of_object = bool({Signal.ACTION, Signal.ANAPHOR} & set(routing.reason.signals))
    said = scene.wording.lacking(missing, of_object=of_object)
    pending = scene.draft.before.frames.clarification
    if pending is not None and Prior.UNRESOLVED_REFS in missing:
        asked = scene.wording.pending(pending, scene.draft.before.program.ast)
        said = scene.phrases.say("not_that_question", question=asked)
    asks = Prior.ROOT in missing or Prior.OBJECT_OR_RESULT_SET in missing or of_object
    mode = TruthMode.CLARIFICATION_REQUIRED if asks else TruthMode.UNSUPPORTED
    code = f"lacks_{missing[0]}" if missing else "unknown_request"
    return boundary(scene, code, said, truth_mode=mode)


def refuse(scene: Scene, refusal: Refusal) -> Conclusion:
    return boundary(scene, refusal.code, scene.wording.refusal(refusal), route=refusal.route)


def boundary(
    scene: Scene,
    code: str,
    message: str,
    *,
    route: str = "",
    source: str = "",
    truth_mode: TruthMode = TruthMode.UNSUPPORTED,
) -> Conclusion:
    """T10: the frames and the program stay as they were; the refusal itself can be asked about."""
    gate = closed_gate(code, truth_mode)
    asked = scene.text if len(scene.text) <= _SHOWN_QUESTION else scene.text[: _SHOWN_QUESTION - 1] + "…"
    answer = AnswerObject(
        ref=f"answer-{scene.index}",
        turn_index=scene.index,
        route=route,
        gate=gate,
        subject=f"“{' '.join(asked.split())}”",
        note=message,
    )
    events = (
        ev.AttemptRefused(route=route, source=source, code=code),
        ev.GateComputed(gate=gate),
        ev.AnswerGiven(answer=answer),
    )
    return Conclusion(TransitionClass.T10, AnswerMode(truth_mode), message, events)
