"""T10: nothing was run, or what ran failed. The turn says why; frames and program stay as they were."""

from dragoman.answering.attempts import unanswered
from dragoman.answering.context import TurnContext
from dragoman.answering.coverage import closed_gate
from dragoman.answering.draft import Conclusion
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.vocabulary import AnswerMode, Prior, Signal, TransitionClass, TruthMode
from dragoman.planning.contract import Refusal

_SHOWN_QUESTION = 80


def boundary(
    context: TurnContext,
    code: str,
    message: str,
    *,
    route: str = "",
    source: str = "",
    truth_mode: TruthMode = TruthMode.UNSUPPORTED,
) -> Conclusion:
    """The refusal itself can be asked about afterwards."""
    gate = closed_gate(code, truth_mode)
    asked = context.text
    if len(asked) > _SHOWN_QUESTION:
        asked = asked[: _SHOWN_QUESTION - 1] + "…"
    answer = AnswerObject(
        ref=f"answer-{context.index}",
        turn_index=context.index,
        route=route,
        gate=gate,
        subject=f"“{' '.join(asked.split())}”",
        note=message,
    )
    # AttemptRefused keeps what was tried on record; the draft drops the events of the attempt itself, so that
    # nothing of it is in hand.
    events = (
        ev.AttemptRefused(route=route, source=source, code=code),
        *unanswered(context),
        ev.GateComputed(gate=gate),
        ev.AnswerGiven(answer=answer),
    )
    return Conclusion(TransitionClass.T10, AnswerMode(truth_mode), message, events)


def refuse(context: TurnContext, refusal: Refusal) -> Conclusion:
    if refusal.problem:
        said = context.phrases.say("failed_run", problem=refusal.problem)
        return boundary(context, refusal.code, said)
    said = context.wording.refusal(refusal)
    return boundary(context, refusal.code, said, route=refusal.route)


def lack(context: TurnContext) -> Conclusion:
    """Nothing fitted, or what fitted lacked its prior state."""
    reading, routing = context.reading, context.routing
    if context.proposal.refuses is not None:
        return refuse(context, context.proposal.refuses)
    if Signal.WRITE_REQUEST in routing.reason.signals:
        return refuse(context, Refusal("write_not_supported"))
    if reading.uncovered:
        return refuse(context, Refusal("uncovered_words", reading.uncovered))
    missing = tuple(prior for weighed in routing.reason.weighed for prior in weighed.missing)
    of_object = bool({Signal.ACTION, Signal.ANAPHOR} & set(routing.reason.signals))
    said = context.wording.lacking(missing, of_object=of_object)
    pending = context.before.frames.clarification
    if pending is not None and Prior.UNRESOLVED_REFS in missing:
        asked = context.wording.pending(pending, context.before.program.ast)
        said = context.phrases.say("not_that_question", question=asked)
    elif pending is not None and Prior.READY in missing and context.before.program.open_reference is not None:
        asked = context.wording.pending(pending, context.before.program.ast)
        said = context.phrases.say("name_open", question=asked)
    # What lacks something that the user can give sounds like a question, not like a refusal.
    # What was discussed is nobody's to give: without an answer there is nothing to recap.
    recaps = Signal.RECAP in routing.reason.signals
    asks = Prior.ROOT in missing or Prior.OBJECT_OR_RESULT_SET in missing or of_object
    mode = TruthMode.CLARIFICATION_REQUIRED if asks and not recaps else TruthMode.UNSUPPORTED
    code = f"lacks_{missing[0]}" if missing else "unknown_request"
    return boundary(context, code, said, truth_mode=mode)
