"""Closed questions back: which anchor is missing, which of several is meant, which reading."""

from dragoman.answering.attempts import turned_down, unanswered
from dragoman.answering.compilation import compile_text
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.phrases import in_quotes
from dragoman.contracts import events as ev
from dragoman.contracts.pack import VerbFrame
from dragoman.contracts.program import Argument, Program, Statement, Text
from dragoman.contracts.state import READING, CandidateScope, ClarificationState, SuspendedTarget
from dragoman.contracts.vocabulary import (
    AnswerMode,
    ClarificationKind,
    Notation,
    ResumeFrame,
    TransitionClass,
)
from dragoman.language.verbs.printer import print_program
from dragoman.planning.contract import MAX_OPTIONS, Candidate, Question


def ask(context: TurnContext, question: Question) -> Conclusion:
    """D2: the turn keeps its class and ends in a question; the request waits behind it."""
    signature, routing = question.verb.signature, context.routing
    of_object = question.verb.spec.frame is VerbFrame.OBJECT
    frame = ResumeFrame.OBJECT if of_object else ResumeFrame.ROOT
    kind = ClarificationKind.AMBIGUOUS if question.ambiguous else ClarificationKind.MISSING_ANCHOR
    clarification = ClarificationState(
        clarification_kind=kind,
        missing_anchors=question.missing,
        candidate_scopes=question.candidates,
        resume_target_route=signature.name,
        resume_target_frame=SuspendedTarget(frame, routing.entry_class, question.bindings),
    )
    said = context.wording.question(question, not_understood=bool(context.reading.uncovered))
    # A name that fits several is written into the program as it was said. So the question and the program
    # show the same open reference, and resolving it there or here is one thing.
    unresolved = _written_with_name(context, question) if question.named else ()
    events = (
        ev.CheckpointTaken(),
        ev.IntentCaptured(signature.name, signature.domain, question.bindings),
        *unresolved,
        ev.ClarificationAsked(clarification, intent=not unresolved),
    )
    return Conclusion(routing.entry_class, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def _written_with_name(context: TurnContext, question: Question) -> tuple[ev.SessionEvent, ...]:
    """The program with the name as it was said, which the compiler finds unresolved."""
    verb = question.verb
    missing = question.missing[0]
    argument = missing if missing in verb.spec.arguments else verb.takes.get(missing)
    if argument is None:
        return ()
    bound = [Argument(b.name, b.value, b.display) for b in question.bindings if b.name != argument]
    named = Argument(argument, Text(question.named))
    order = [each.name for each in verb.signature.arguments]
    arguments = sorted((named, *bound), key=lambda each: order.index(each.name))
    name = verb.signature.name
    program: Program = (Statement(name, tuple(arguments), name.replace(".", "-")),)
    source = print_program(program)
    compiled = compile_text(source, program, context.catalog)
    # The compiler may know the name as a key, or not look it up at all: then it stays a question about the
    # request.
    if not compiled.unresolved:
        return ()
    return (
        ev.OmlSynthesisStart(),
        ev.OmlSynthesisComplete(Notation.VERBS, source, program),
        *compiled.events,
    )


def offer(context: TurnContext, candidates: tuple[Candidate, ...]) -> Conclusion:
    """Which of the programs that are close is meant; of a single one, whether it is meant."""
    candidates = candidates[:MAX_OPTIONS]
    sentences = context.wording.programs([each.program for each in candidates])
    offered = tuple(
        CandidateScope(READING, print_program(each.program), said, each.reference_date)
        for each, said in zip(candidates, sentences, strict=True)
    )
    verb = candidates[0].program[0].verb
    one = len(offered) == 1
    clarification = ClarificationState(
        clarification_kind=ClarificationKind.CONFIRM_READING if one else ClarificationKind.AMBIGUOUS,
        missing_anchors=(READING,),
        candidate_scopes=offered,
        resume_target_route=verb,
        resume_target_frame=SuspendedTarget(ResumeFrame.ROOT, context.routing.entry_class),
    )
    events = (
        ev.CheckpointTaken(),
        ev.IntentCaptured(verb, verb.rpartition(".")[0], ()),
        ev.ClarificationAsked(clarification, intent=True),
        *unanswered(context),
    )
    said = _without(context, candidates) + context.wording.readings(offered)
    return Conclusion(context.routing.entry_class, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def _without(context: TurnContext, candidates: tuple[Candidate, ...]) -> str:
    """The words that none of the readings accounts for, said before the question."""
    first, *others = candidates
    words = tuple(
        word
        for word in first.uncovered
        if word in context.text and all(word in each.uncovered for each in others)
    )
    return context.phrases.say("uncovered_words", words=in_quotes(words)) + " " if words else ""


def decline(context: TurnContext) -> Conclusion:
    """A no to the readings that were offered: nothing is run, and what was meant is asked in other words."""
    events = (ev.CheckpointTaken(), ev.ClarificationCleared(), *turned_down(context))
    return Conclusion(TransitionClass.T7, AnswerMode.NONE, context.phrases.say("declined"), events)


def ask_again(context: TurnContext) -> Conclusion:
    """The message picks none of the readings that were offered: the question stays."""
    pending = context.continuity.clarification
    offered = pending.candidate_scopes if pending is not None else ()
    said = context.phrases.say("did_not_understand", question=context.wording.readings(offered))
    events = (ev.CheckpointTaken(),)
    return Conclusion(TransitionClass.T7, AnswerMode.CLARIFICATION_REQUIRED, said, events)
