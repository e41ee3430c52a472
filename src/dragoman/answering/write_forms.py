"""A write verb in a conversation: its program is shown as far as it is known, what it lacks is asked for, and
a whole one waits for a yes. Nothing is run here."""

from msgspec.structs import replace

from dragoman.answering.boundaries import boundary
from dragoman.answering.compilation import compile_text
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.phrases import in_quotes
from dragoman.answering.questions import ask
from dragoman.answering.waiting import give_up
from dragoman.answering.write_questions import awaiting_yes
from dragoman.contracts import events as ev
from dragoman.contracts.program import Binding, Program, Text
from dragoman.contracts.state import ClarificationState, SuspendedTarget
from dragoman.contracts.verb import Effect
from dragoman.contracts.vocabulary import (
    AnswerMode,
    ClarificationKind,
    Notation,
    Origin,
    ResumeFrame,
    Stage,
    TransitionClass,
)
from dragoman.language.edits import difference
from dragoman.language.verbs.printer import print_program
from dragoman.planning.contract import Candidate, Question
from dragoman.planning.packs.write_form import Form, next_question


def is_of_form(question: Question) -> bool:
    """Whether a question is for an argument of a verb that writes."""
    return question.verb.signature.effect is Effect.WRITE


def ask_argument(context: TurnContext, question: Question) -> Conclusion:
    """Ask for what the form lacks first. The program so far is in hand, and in the message."""
    program = _so_far(question)
    if question.named:
        # Which of several is meant is one question, whoever needs the answer.
        asked = ask(context, question)
        if any(isinstance(event, ev.RefsUnresolved) for event in asked.events):
            # The options are those of the resolution: what is said and what is picked are one list.
            return replace(asked, message=_shown(context, program, asked.message))
        said = _shown(context, program, context.wording.question(question))
        return replace(asked, message=said, events=(ev.CheckpointTaken(), *asking(context, question)))
    again = _is_asked_again(context, question)
    said = context.wording.question(question, not_understood=again)
    return Conclusion(
        context.routing.entry_class,
        AnswerMode.CLARIFICATION_REQUIRED,
        _shown(context, program, said),
        (ev.CheckpointTaken(), *asking(context, question)),
    )


def asking(
    context: TurnContext, question: Question, entry: TransitionClass | None = None
) -> tuple[ev.SessionEvent, ...]:
    """The events of the question for an argument: the program as far as it is known, and what waits."""
    program = _so_far(question)
    signature = question.verb.signature
    kind = ClarificationKind.AMBIGUOUS if question.named else ClarificationKind.MISSING_ANCHOR
    clarification = ClarificationState(
        clarification_kind=kind,
        missing_anchors=question.missing,
        candidate_scopes=question.candidates,
        resume_target_route=signature.name,
        resume_target_frame=SuspendedTarget(
            ResumeFrame.PROGRAM, entry or context.entered_as, question.bindings
        ),
    )
    return (
        ev.IntentCaptured(signature.name, signature.domain, question.bindings),
        ev.OmlSynthesisStart(),
        ev.OmlSynthesisComplete(Notation.VERBS, print_program(program), program),
        ev.SchemaGuardPass(Stage.SYNTAX),
        ev.ClarificationAsked(clarification, intent=True),
    )


def _so_far(question: Question) -> Program:
    """The program as far as it is known, a name that fits several as it was said."""
    form = Form(question.verb, question.bindings)
    if question.named:
        form = form.bound(Binding(question.missing[0], Text(question.named), Origin.MESSAGE))
    return form.program


def await_yes(
    context: TurnContext, candidate: Candidate, first: tuple[ev.SessionEvent, ...] = ()
) -> Conclusion:
    """A whole program that writes: it is compiled and shown, and runs after a yes."""
    program = candidate.program
    verb, source = program[-1].verb, print_program(program)
    compiled = compile_text(source, program, context.catalog)
    if compiled.fault:
        said = context.phrases.say("does_not_compile", problem=compiled.fault)
        return boundary(context, "does_not_compile", said, route=verb, source=source)
    entry = context.routing.entry_class
    events = (
        ev.CheckpointTaken(),
        *first,
        ev.IntentCaptured(verb, verb.partition(".")[0], candidate.bindings),
        *(context.proposal.synthesis or (ev.OmlSynthesisStart(),)),
        ev.OmlSynthesisComplete(Notation.VERBS, source, program, candidate.edits),
        *compiled.events,
        ev.ClarificationAsked(awaiting_yes(verb, context.entered_as), intent=False),
    )
    said = _shown(context, program, context.phrases.say("ask_change"))
    if candidate.uncovered:
        unread = context.phrases.say("uncovered_words", words=in_quotes(candidate.uncovered))
        said = f"{unread} {said}"
    return Conclusion(entry, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def stop_form(context: TurnContext) -> Conclusion:
    """A no to what a form asks: it is given up, and nothing is run. What waited for it is asked again."""
    waiting = context.before.program.waiting
    if waiting is not None:
        return give_up(context, waiting)
    pending = context.continuity.clarification
    route = pending.resume_target_route if pending is not None else ""
    bindings = pending.resume_target_frame.bindings if pending is not None else ()
    events = (
        ev.CheckpointTaken(),
        ev.ClarificationCleared(),
        ev.IntentCaptured(route, route.partition(".")[0], bindings),
    )
    return Conclusion(TransitionClass.T7, AnswerMode.NONE, context.phrases.say("form_stopped"), events)


def begin_form(
    context: TurnContext, form: Form, entry: TransitionClass, first: tuple[ev.SessionEvent, ...] = ()
) -> Conclusion:
    """A form that another move opens (create new): its first question, or the yes where nothing lacks.
    `first` are the events of what makes room for it."""
    question = next_question(form, context.catalog)
    if question is None:
        program = form.program
        edits = difference(context.continuity.base, program)
        candidate = Candidate(program, edits, 1.0, bindings=form.bindings, writes=True)
        return await_yes(context, candidate, first)
    said = _shown(context, form.program, context.wording.question(question))
    events = (ev.CheckpointTaken(), *first, *asking(context, question, entry))
    return Conclusion(entry, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def _is_asked_again(context: TurnContext, question: Question) -> bool:
    """Whether the message answers nothing of what was asked."""
    pending = context.continuity.clarification
    if context.routing.entry_class is not TransitionClass.T7 or pending is None:
        return False
    return pending.missing_anchors[:1] == question.missing[:1]


def _shown(context: TurnContext, program: Program, question: str) -> str:
    verb = context.catalog.verb(program[-1].verb)
    title = verb.title(context.phrases.language) if verb is not None else program[-1].verb
    source = print_program(program).strip()
    return context.phrases.say("form", title=title, program=source, question=question)
