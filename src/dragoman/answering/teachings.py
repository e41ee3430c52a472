"""X_TEACH: what a word means is shown and asked about; a yes keeps it. The rest of the session stays."""

from dragoman.answering.boundaries import boundary
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.write_questions import CONFIRM
from dragoman.contracts import events as ev
from dragoman.contracts.errors import InternalError, WorkspaceError
from dragoman.contracts.state import CandidateScope, ClarificationState, SuspendedTarget
from dragoman.contracts.taught import TaughtWord
from dragoman.contracts.vocabulary import AnswerMode, ClarificationKind, ResumeFrame, TransitionClass
from dragoman.planning.contract import Refusal, Teaching

_TEACH = TransitionClass.X_TEACH


def teach(context: TurnContext) -> Conclusion:
    """What the message says of words is done, or asked about."""
    teaching = context.proposal.teaches
    if teaching is None:
        raise InternalError("a message was taken for a definition, and nobody says of what")
    try:
        return _concluded(context, teaching)
    except WorkspaceError as error:
        return boundary(context, error.code, context.phrases.say("teach_failed", problem=error.message))


def _concluded(context: TurnContext, teaching: Teaching) -> Conclusion:
    if teaching.problem is not None:
        return _refused(context, teaching.problem)
    if teaching.answer is not None and teaching.word is not None:
        words = (teaching.word, *teaching.more)
        return _kept(context, words) if teaching.answer else _dropped(context, words)
    if teaching.word is not None:
        return _asked(context, teaching.word, teaching)
    if teaching.forgets:
        return _forgotten(context, teaching.forgets)
    return _listed(context)


def _refused(context: TurnContext, problem: Refusal) -> Conclusion:
    said = context.phrases.say(problem.code, what=context.phrases.joined(problem.words))
    return boundary(context, problem.code, said)


def _asked(context: TurnContext, word: TaughtWord, teaching: Teaching) -> Conclusion:
    waits = ClarificationState(
        clarification_kind=ClarificationKind.CONFIRM_TEACH,
        missing_anchors=(CONFIRM,),
        candidate_scopes=(CandidateScope(CONFIRM, "yes", "yes"), CandidateScope(CONFIRM, "no", "no")),
        resume_target_route="",
        resume_target_frame=SuspendedTarget(ResumeFrame.PROGRAM, _TEACH),
        teaches=word,
        teaches_too=teaching.more,
    )
    events = (ev.ClarificationAsked(waits, intent=False),)
    said = context.wording.teaching((word, *teaching.more), teaching.before)
    return Conclusion(_TEACH, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def _kept(context: TurnContext, words: tuple[TaughtWord, ...]) -> Conclusion:
    keep = context.runners.keep
    if keep is None:
        raise InternalError("a conversation was opened without a place for words")
    keep(words)
    events: tuple[ev.SessionEvent, ...] = (ev.ClarificationCleared(), *map(ev.WordTaught, words))
    say, names = context.phrases.say, tuple(word.word for word in words)
    if len(words) > 1:
        said = say("taught_several", words=context.phrases.joined(names))
    else:
        said = say("taught", word=names[0], meaning=context.wording.meaning(words[0]))
    waiting = context.continuity.attempt
    if waiting is not None and any(name.casefold() in waiting.message.casefold() for name in names):
        # The question that failed by this word: what it means now is for the next turn to find out.
        again = say("taught_ask_again", question=" ".join(waiting.message.split()))
        said = f"{said} {again}"
    return Conclusion(_TEACH, AnswerMode.NONE, said, events)


def _dropped(context: TurnContext, words: tuple[TaughtWord, ...]) -> Conclusion:
    events = (ev.ClarificationCleared(),)
    names = context.phrases.joined(tuple(word.word for word in words))
    return Conclusion(_TEACH, AnswerMode.NONE, context.phrases.say("not_taught", word=names), events)


def _forgotten(context: TurnContext, words: tuple[TaughtWord, ...]) -> Conclusion:
    forget = context.runners.forget
    if forget is None:
        raise InternalError("a conversation was opened without a place for words")
    for word in words:
        forget(word)
    cleared = context.before.frames.clarification is not None and context.before.frames.clarification.teaches
    gone = (ev.ClarificationCleared(),) if cleared else ()
    said = context.phrases.say("forgotten", word=words[0].word)
    return Conclusion(_TEACH, AnswerMode.NONE, said, (*gone, *map(ev.WordForgotten, words)))


def _listed(context: TurnContext) -> Conclusion:
    say, words = context.phrases.say, context.catalog.taught
    if not words:
        return Conclusion(_TEACH, AnswerMode.NONE, say("none_taught"))
    lines = [say("taught_line", word=word.word, meaning=context.wording.meaning(word)) for word in words]
    return Conclusion(_TEACH, AnswerMode.NONE, "\n".join((say("taught_list"), *lines)))
