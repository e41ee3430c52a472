"""The turns that move the session without running a request: talk, scope, escape hatches, boundaries."""

from dragoman.answering import resolving
from dragoman.answering.about import speak
from dragoman.answering.attempts import turned_down
from dragoman.answering.boundaries import refuse
from dragoman.answering.compilation import compile_text
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.loaded import loaded_periods, loaded_span
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
    Stage,
    TransitionClass,
)
from dragoman.planning.contract import Refusal, Request
from dragoman.planning.packs.relation import answers_meant
from dragoman.planning.packs.root_request import request_of
from dragoman.reading.cues import asks_cause
from dragoman.reading.hand_written import HandWritten
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
    if context.reading.asks_loaded and context.catalog.verbs:
        return loaded_periods(context.phrases, context.catalog).lstrip()
    # With a pack people ask for what it names; its tables would be noise.
    held = {} if context.catalog.verbs else context.catalog.tables_held()
    if not held:
        return context.wording.data_scope() + loaded_span(context.phrases, context.catalog)
    told = [(", ".join(names[:_SHOWN_TABLES]), name) for name, names in held.items()]
    lists = [f"{names} ({name})" if len(told) > 1 else names for names, name in told]
    return context.phrases.say("data_tables", names="; ".join(lists))


def clear(context: TurnContext) -> Conclusion:
    events = (ev.CheckpointTaken(), ev.ProgramCleared())
    return Conclusion(TransitionClass.X_CLEAR, AnswerMode.NONE, context.phrases.say("cleared"), events)


def cancel(context: TurnContext) -> Conclusion:
    said = context.phrases.say("cancelled")
    return Conclusion(TransitionClass.X_CANCEL, AnswerMode.NONE, said, (ev.SessionCancelled(),))


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
    """X_EDIT: the program as the user wrote it is read from scratch; it runs when they say so. Names in it
    are resolved as in any other."""
    written = context.written or HandWritten((), Notation.VERBS)
    program, notation = written.program, written.notation
    compiled = compile_text(context.text, program, context.catalog, notation)
    events: list[ev.SessionEvent] = [ev.CheckpointTaken(), ev.ProgramEdited(notation, context.text, program)]
    if context.before.frames.clarification is not None:
        events.append(ev.ClarificationCleared())
    if compiled.unresolved:
        resolution, opened = resolving.opened(context, context.text, notation, binds=True)
        events += [ev.SchemaGuardPass(Stage.SYNTAX), *opened]
        went_on = resolving.go_on(context, resolution, events, TransitionClass.X_EDIT, edited=True)
        if isinstance(went_on, Conclusion):
            return went_on
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
    waits = bool(compiled.unresolved) and back.clarification is not None
    if waits:
        resolution = resolving.restored(back, compiled.unresolved)
        question = resolving.question_in_words(context, resolution)
        events += [ev.SchemaGuardPass(Stage.SYNTAX), resolving.unresolved(resolution)]
        said = say("undone_question", question=question)
        return Conclusion(TransitionClass.X_UNDO, AnswerMode.NONE, said, tuple(events))
    events += compiled.events
    if compiled.fault:
        said = say("undone_broken", problem=compiled.fault)
        return Conclusion(TransitionClass.X_UNDO, AnswerMode.NONE, said, tuple(events))
    pending = back.clarification
    wrote = (
        pending is not None
        and pending.clarification_kind is ClarificationKind.CONFIRM_RUN
        and state.program.ast == back.ast
        and state.program.run_ok is True
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
    about = context.asked.in_context
    if asked is MetaQuestionKind.COMPARISON:
        about = _spoken_of(context)
    elif not asks_cause(context.text, context.reading.language):
        # A refusal is neither sure nor unsure: that is asked of what was found before it.
        about = tuple(each for each in about if each.grounded) or about
    spoken = speak(asked, about, context.continuity.root_answer, context.wording)
    if spoken is None:
        return refuse(context, Refusal("nothing_to_judge"))
    return _meta(TransitionClass.T8, spoken.source, spoken.kind, spoken.message)


def _spoken_of(context: TurnContext) -> tuple[AnswerObject, ...]:
    """The answers that are held against each other: those of the verbs that are named, or the one of a named
    period and the newest beside it."""
    given, asked = context.asked.in_context, context.asked
    if context.reading.compared:
        return tuple(each for each in given if each.route in context.reading.compared)
    meant = answers_meant(asked.reading, asked.continuity, asked.catalog, asked.today, given)
    newest = next((each for each in reversed(given) if each.grounded), None)
    if not meant or newest is None or newest in meant:
        return given
    return (meant[-1], newest)


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
