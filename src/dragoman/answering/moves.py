"""The turns that move the session without running a request: talk, scope, escape hatches, boundaries."""

from dragoman.answering.about import speak
from dragoman.answering.attempts import turned_down
from dragoman.answering.boundaries import refuse
from dragoman.answering.compilation import compile_text
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.recap import recall
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
    Signal,
    TransitionClass,
)
from dragoman.planning.contract import Refusal, Request
from dragoman.planning.packs.root_request import request_of
from dragoman.reading.hand_written import HandWritten
from dragoman.session.phases import ERRORS
from dragoman.session.reducer import restored_phase

_SHOWN_TABLES = 30


def talk(context: TurnContext) -> Conclusion:
    """T0: chat, what there is, or the organization to work with from now on."""
    chosen = context.reading.entity(context.catalog.anchor)
    signals = context.routing.reason.signals
    say = context.phrases.say
    if Signal.SCOPE_CHOICE in signals and chosen is not None:
        name = context.catalog.shown(chosen, context.phrases.language)
        said = say("scope_set", name=name, kind=context.wording.kind(chosen.kind))
        return Conclusion(TransitionClass.T0, AnswerMode.NONE, said, (ev.DefaultScopeSet(scope=(chosen,)),))
    said = _what_there_is(context) if Signal.DATA_SCOPE in signals else say("chat")
    return Conclusion(TransitionClass.T0, AnswerMode.NONE, said)


def _what_there_is(context: TurnContext) -> str:
    # With a pack people ask for what it names; its tables would be noise.
    names = () if context.catalog.verbs else context.catalog.table_names()
    if not names:
        return context.wording.data_scope()
    return context.phrases.say("data_tables", names=", ".join(names[:_SHOWN_TABLES]))


def clear(context: TurnContext) -> Conclusion:
    events = (ev.CheckpointTaken(), ev.ProgramCleared())
    return Conclusion(TransitionClass.X_CLEAR, AnswerMode.NONE, context.phrases.say("cleared"), events)


def cancel(context: TurnContext) -> Conclusion:
    said = context.phrases.say("cancelled")
    return Conclusion(TransitionClass.X_CANCEL, AnswerMode.NONE, said, (ev.SessionCancelled(),))


def offer_help(context: TurnContext) -> Conclusion:
    """What can be done from where the session stands."""
    state, say = context.before, context.phrases.say
    pending = state.frames.clarification
    kind = context.wording.kind(context.catalog.anchor)
    if pending is not None:
        key = "help_unresolved" if state.program.phase is Phase.UNRESOLVED_REFS else "help_pending"
        said = say(key, question=context.wording.pending(pending, state.program.ast))
    elif state.program.phase is Phase.READY:
        said = say("help_ready")
    elif state.program.phase in ERRORS:
        said = say("help_broken")
    elif not context.catalog.verbs:
        said = say("help_tables")
    elif state.program.phase is Phase.DONE:
        said = say("help_done", kind=kind) + context.wording.abilities()
    else:
        said = say("help_new", kind=kind) + context.wording.abilities()
        said += say("for_example", example=context.wording.example())
    return Conclusion(TransitionClass.X_HELP, AnswerMode.NONE, said)


def none_of_these(context: TurnContext) -> Conclusion:
    """The offered answers are dropped, and the question with them."""
    said = context.phrases.say("none_of_these") + context.wording.abilities()
    turned = turned_down(context) if context.continuity.offers_readings else ()
    events: tuple[ev.SessionEvent, ...] = (ev.CheckpointTaken(), ev.ClarificationCleared(), *turned)
    if context.before.program.phase is Phase.UNRESOLVED_REFS:
        events = back_to_intent(context)
    return Conclusion(TransitionClass.X_NONE, AnswerMode.NONE, said, events)


def back_to_intent(context: TurnContext) -> tuple[ev.SessionEvent, ...]:
    """The question is dropped; a program that waited for it is no longer in the way."""
    pending = context.before.frames.clarification
    route = pending.resume_target_route if pending is not None else ""
    events: list[ev.SessionEvent] = [ev.CheckpointTaken()]
    events.append(ev.IntentCaptured(route, route.partition(".")[0], ()))
    if pending is not None:
        events.append(ev.ClarificationCleared())
    return tuple(events)


def edit(context: TurnContext) -> Conclusion:
    """X_EDIT: the program as the user wrote it is read from scratch; it runs when they say so."""
    written = context.written or HandWritten((), Notation.VERBS)
    program, notation = written.program, written.notation
    compiled = compile_text(context.text, program, context.catalog, notation)
    events: list[ev.SessionEvent] = [ev.CheckpointTaken(), ev.ProgramEdited(notation, context.text, program)]
    if context.before.frames.clarification is not None:
        events.append(ev.ClarificationCleared())
    events += compiled.events
    key = "edited_broken" if compiled.fault else "edited"
    said = context.phrases.say(key, problem=compiled.fault)
    return Conclusion(TransitionClass.X_EDIT, AnswerMode.NONE, said, tuple(events))


def undo(context: TurnContext) -> Conclusion:
    """The program and the frames of the turn before, read again from SYNTAX."""
    state, say = context.before, context.phrases.say
    back = state.program.history[-1]
    events: list[ev.SessionEvent] = [ev.ProgramRestored()]
    if restored_phase(back) is not Phase.SYNTAX:
        said = say("undone_empty")
        if back.clarification is not None:
            said = say("undone_question", question=context.wording.pending(back.clarification, back.ast))
        return Conclusion(TransitionClass.X_UNDO, AnswerMode.NONE, said, tuple(events))
    # Read again from the text: the catalog may have changed since.
    compiled = compile_text(back.source, back.ast, context.catalog, back.notation)
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
        said = say("undone_question", question=context.wording.pending(pending, back.ast))
        return Conclusion(TransitionClass.X_UNDO, AnswerMode.NONE, said, tuple(events))
    subject, then = _then(context, back)
    said = say("undone", subject=subject, then=then)
    if wrote:
        # A yes was given and is used up: another one has to be asked for.
        events.append(ev.ClarificationCleared())
        said = say("stays_written") + said
    return Conclusion(TransitionClass.X_UNDO, AnswerMode.NONE, said, tuple(events))


def _then(context: TurnContext, back: Checkpoint) -> tuple[str, str]:
    """What the restored program was about, and what it gave then."""
    say = context.phrases.say
    answers = context.before.answers.items
    answer = next((a for a in reversed(answers) if a.program == back.ast and a.subject), None)
    if answer is None:
        request = request_of(back.ast, context.catalog)
        if isinstance(request, Request):
            return context.wording.subject(request), ""
        return say("the_program_before"), ""
    truth = say(f"truth_{answer.truth_mode}")
    return answer.subject, say("undone_then", finding=context.wording.finding(answer), truth=truth)


def about_answer(context: TurnContext) -> Conclusion:
    """T8: computed from the answers in context; how sure it sounds is how sure they are."""
    asked = context.reading.meta or MetaQuestionKind.EVALUATION
    spoken = speak(asked, context.asked.in_context, context.continuity.root_answer, context.wording)
    if spoken is None:
        return refuse(context, Refusal("nothing_to_judge"))
    return _meta(TransitionClass.T8, spoken.source, spoken.kind, spoken.message)


def recapped(context: TurnContext) -> Conclusion:
    """T9: from the record. Answers that have left the state are read again."""
    held = context.before.answers
    older: tuple[AnswerObject, ...] = ()
    # Records are read only if answers have left the state: most recaps need none.
    if held.grounded_count > sum(answer.grounded for answer in held.items):
        known = {answer.ref for answer in held.items}
        older = tuple(answer for answer in context.earlier() if answer.ref not in known)
    recalled = recall((*older, *held.items), context.reading, context.wording)
    if recalled is None:
        return refuse(context, Refusal("nothing_said"))
    return _meta(TransitionClass.T9, recalled.weakest, MetaQuestionKind.MEMORY_RECAP, recalled.message)


def _meta(outcome: TransitionClass, source: AnswerObject, kind: MetaQuestionKind, message: str) -> Conclusion:
    frame = MetaFrameState(source.ref, kind, source.gate, MetaTruthMode(source.truth_mode))
    return Conclusion(outcome, AnswerMode(source.truth_mode), message, (ev.MetaFrameSet(frame),))
