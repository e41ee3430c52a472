"""Finalize: what goes out of a draft that has passed."""

from msgspec.structs import replace

from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.roles.contract import Retrieved
from dragoman.answering.roles.retrieval import REVIEW
from dragoman.answering.roles.writer import text_of
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject, CoverageGateState
from dragoman.contracts.vocabulary import AnswerMode, CoverageStatus, GroundingStatus, TruthMode
from dragoman.guards.guardian import Passed, Reason


def answer_in(conclusion: Conclusion) -> AnswerObject | None:
    """The answer that a turn gives, if it gives one."""
    return next((each.answer for each in conclusion.events if isinstance(each, ev.AnswerGiven)), None)


def finalize(context: TurnContext, passed: Passed, conclusion: Conclusion, found: Retrieved) -> Conclusion:
    """The draft as a person reads it, with the evidence that it rests on. Where one source is all there is,
    the answer is limited, and says so."""
    reviewed = tuple(each for each in found.answer.evidence if each.ref == REVIEW)
    evidence = (*found.items, *reviewed)
    answer = found.answer if evidence == found.answer.evidence else replace(found.answer, evidence=evidence)
    message = text_of(passed.draft)
    single = Reason.SINGLE_SOURCE in passed.report.reasons
    if single and Reason.SINGLE_SOURCE not in answer.gate.reason_codes:
        reason = context.phrases.say("one_source")
        answer = _limited(answer, reason)
        message += context.phrases.say("limited", reason=reason)
    if answer is found.answer:
        return conclusion if message == conclusion.message else replace(conclusion, message=message)
    events = tuple(_with(each, answer) for each in conclusion.events)
    return replace(conclusion, answer_mode=AnswerMode(answer.truth_mode), message=message, events=events)


def _with(event: ev.SessionEvent, answer: AnswerObject) -> ev.SessionEvent:
    if isinstance(event, ev.AnswerGiven):
        return ev.AnswerGiven(answer)
    return ev.GateComputed(answer.gate) if isinstance(event, ev.GateComputed) else event


def _limited(answer: AnswerObject, reason: str) -> AnswerObject:
    codes = tuple(dict.fromkeys((*answer.gate.reason_codes, str(Reason.SINGLE_SOURCE))))
    gate: CoverageGateState = replace(
        answer.gate,
        coverage_status=CoverageStatus.PARTIAL,
        grounding_status=GroundingStatus.PARTIALLY_GROUNDED,
        truth_mode=TruthMode.LIMITED,
        reason_codes=codes,
    )
    return replace(answer, gate=gate, note="; ".join(filter(None, (answer.note, reason))))
