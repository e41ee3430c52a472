"""Closed questions back: which anchor is missing, which of several is meant, which reading."""

from dragoman.answering import resolving
from dragoman.answering.attempts import turned_down, unanswered
from dragoman.answering.compilation import compile_text
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.phrases import in_quotes
from dragoman.contracts import events as ev
from dragoman.contracts.pack import VerbFrame
from dragoman.contracts.program import Argument, Binding, EntityMatch, Program, Statement, Text
from dragoman.contracts.state import READING, CandidateScope, ClarificationState, SuspendedTarget
from dragoman.contracts.vocabulary import (
    AnswerMode,
    ClarificationKind,
    Notation,
    ResumeFrame,
    Stage,
    TransitionClass,
)
from dragoman.entities import name_resolution
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
        resume_target_frame=SuspendedTarget(frame, context.entered_as, question.bindings),
    )
    said = context.wording.question(question, not_understood=_is_asked_again(context, question))
    pending = context.continuity.clarification
    if routing.entry_class is TransitionClass.T7 and pending is not None and _is_same(question, pending):
        # The answer did not help: the question stays as it is, and the program that waits behind it.
        again = (ev.ClarificationAsked(pending, intent=False),)
        return Conclusion(TransitionClass.T7, AnswerMode.CLARIFICATION_REQUIRED, said, again)
    # A name that fits several is written into the program as it was said. So the question and the program
    # show the same open reference, and resolving it there or here is one thing.
    opened = _opened_with_name(context, question) if question.named else None
    if opened is not None:
        return opened
    events = (
        ev.CheckpointTaken(),
        ev.IntentCaptured(signature.name, signature.domain, question.bindings),
        ev.ClarificationAsked(clarification, intent=True),
    )
    return Conclusion(routing.entry_class, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def _is_asked_again(context: TurnContext, question: Question) -> bool:
    """Whether words were not understood that should have answered this very question."""
    pending = context.continuity.clarification
    same = pending is not None and pending.missing_anchors[:1] == question.missing[:1]
    answers = context.routing.entry_class is TransitionClass.T7
    return bool(context.reading.uncovered) and answers and same


def _is_same(question: Question, pending: ClarificationState) -> bool:
    """Whether a question asks what is asked already, of the same request."""
    held = [(binding.name, binding.value) for binding in pending.resume_target_frame.bindings]
    bound = [(binding.name, binding.value) for binding in question.bindings]
    return (
        question.verb.signature.name == pending.resume_target_route
        and question.missing == pending.missing_anchors
        and question.candidates == pending.candidate_scopes
        and bound == held
    )


def _opened_with_name(context: TurnContext, question: Question) -> Conclusion | None:
    """The resolution of the program with the name as it was said; None where the compiler knows it as a key,
    or does not look it up at all: then it stays a question about the request."""
    verb = question.verb
    missing = question.missing[0]
    argument = missing if missing in verb.spec.arguments else verb.takes.get(missing)
    if argument is None:
        return None
    bound = [Argument(b.name, b.value, b.display) for b in question.bindings if b.name != argument]
    named = Argument(argument, Text(question.named))
    order = [each.name for each in verb.signature.arguments]
    arguments = sorted((named, *bound), key=lambda each: order.index(each.name))
    name = verb.signature.name
    program: Program = (Statement(name, tuple(arguments), name.replace(".", "-")),)
    return open_program(context, program, question.bindings, verb.signature.domain, question.candidates)


def open_program(
    context: TurnContext,
    program: Program,
    bindings: tuple[Binding, ...] = (),
    domain: str = "",
    read: tuple[CandidateScope, ...] = (),
) -> Conclusion | None:
    """The question about the first name of a program that the conversation wrote; None where it has none.

    When all its names are settled, a read is run and a write asks for a yes (`resolving.go_on`). `read` is
    what the name was read as: a name in another case may be one that the search does not find."""
    source, verb = print_program(program), program[-1].verb
    compiled = compile_text(source, program, context.catalog)
    if not compiled.unresolved:
        return None
    resolution, opened = resolving.opened(context, source, Notation.VERBS, binds=False)
    reference = resolution.open[0]
    if read and not resolving.offered(reference):
        found = tuple(EntityMatch(each.key, each.label, 1.0) for each in read)
        resolution = name_resolution.narrow(resolution, reference.ref.ref_id, (), found)
        opened.append(ev.RefSearched(resolution.open[0]))
    events: resolving.Events = [
        ev.CheckpointTaken(),
        ev.IntentCaptured(verb, domain or verb.rpartition(".")[0], bindings),
        ev.OmlSynthesisStart(),
        ev.OmlSynthesisComplete(Notation.VERBS, source, program),
        ev.SchemaGuardPass(Stage.SYNTAX),
        *opened,
    ]
    return resolving.asked(context, resolution, events, context.routing.entry_class)


def offer(context: TurnContext, candidates: tuple[Candidate, ...]) -> Conclusion:
    """Which of the programs that are close is meant; of a single one, whether it is meant."""
    # Rows that look alike are offered by their names, and there may be more of them than readings.
    candidates = candidates if candidates[0].label else candidates[:MAX_OPTIONS]
    sentences = _in_words(context, candidates)
    offered = tuple(
        CandidateScope(
            READING, print_program(each.program), each.label or said, each.reference_date, each.focus
        )
        for each, said in zip(candidates, sentences, strict=True)
    )
    # A program is only written for whoever picks it; how it came about is for the log.
    context.draft.tried_in_vain(*context.proposal.synthesis)
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
    words, say = _left_out(context, candidates), context.phrases.say
    said = context.wording.readings(offered)
    if words:
        said = f"{say('uncovered_words', words=in_quotes(words))} {said}"
    if len(words) == 1 and not one and words[0].isalpha():
        # None of these may be what the word means: whoever used it can say.
        said = "\n".join((said, say("teach_instead", word=words[0])))
    return Conclusion(context.routing.entry_class, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def _in_words(context: TurnContext, candidates: tuple[Candidate, ...]) -> tuple[str, ...]:
    """What each reading would look up. A verb of a pack is said as its answer would be; no two read alike."""
    programs = context.wording.programs([each.program for each in candidates])
    said = tuple(
        context.wording.subject(each.request) if each.request is not None else in_words
        for each, in_words in zip(candidates, programs, strict=True)
    )
    return said if len(set(said)) == len(said) else programs


def _left_out(context: TurnContext, candidates: tuple[Candidate, ...]) -> tuple[str, ...]:
    """The words that none of the readings accounts for."""
    first, *others = candidates
    return tuple(
        word
        for word in first.uncovered
        if word in context.text and all(word in each.uncovered for each in others)
    )


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
