"""The status report of a turn: what was done, what waits, what is in the way, what comes next."""

from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.model_remarks import with_remark
from dragoman.answering.open_questions import with_open_question
from dragoman.answering.roles.road import with_stages
from dragoman.contracts import events as ev
from dragoman.contracts.report import StatusReport
from dragoman.contracts.stages import StageFigures
from dragoman.contracts.state import ReportRecord, SessionState
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass
from dragoman.guards.report import AWAIT_USER, make_report, written_report
from dragoman.reports.validation import OutputValidation

AGENT = "dragoman"
TURN = "turn"
"""The kind of report, and of agent, that a turn of a conversation is."""

_ENDS_A_QUESTION = (
    ev.ClarificationCleared,
    ev.QuestionDropped,
    ev.ProgramCleared,
    ev.ProgramRestored,
    ev.SessionCancelled,
)


def guard(context: TurnContext, conclusion: Conclusion, validation: OutputValidation) -> None:
    """Conclude the turn with its report: made, guarded and counted. What became of a question that was open
    when it began belongs to how it ends."""
    conclusion = with_open_question(context, with_stages(context, conclusion))
    conclusion = with_remark(context, conclusion)
    task = _task(context.before, conclusion)
    report, text = _report(task, context.before, conclusion)
    judged = validation.judge(
        text, task=task, agent=AGENT, agent_type=TURN, kind=TURN, stages=_figures(context, conclusion)
    )
    code = judged.verdict.code if judged.verdict else None
    record = ReportRecord(report, validation.settings.effective_mode, judged.accepted, code)
    failed = () if judged.failure is None else (ev.OutputValidationFailed(judged.failure),)
    context.draft.conclude(conclusion, context.routing, *failed, ev.ReportEmitted(record))


def _figures(context: TurnContext, conclusion: Conclusion) -> StageFigures:
    gates = (each.gate for each in conclusion.events if isinstance(each, ev.GateComputed))
    return context.stages.figures(next((gate.coverage_status for gate in gates), None))


def _report(task: str, before: SessionState, conclusion: Conclusion) -> tuple[StatusReport, str]:
    """What a turn has to report, and its wire form. A turn that ended in a question goes on with the answer
    to it."""
    completed, in_progress, blockers = [], [], []
    match conclusion.answer_mode:
        case AnswerMode.UNSUPPORTED:
            blockers.append(f"{task}: {conclusion.message}")
        case AnswerMode.CLARIFICATION_REQUIRED:
            in_progress.append(f"{task}: a question is open")
        case AnswerMode.LIMITED:
            completed.append(task)
            # A limited answer is done, and what limits it is still in the way.
            blockers.extend(f"{task}: limited by {code}" for code in _reason_codes(conclusion))
        case AnswerMode.CONFIRMED | AnswerMode.NONE:
            completed.append(task)
    return written_report(
        completed, in_progress, blockers, (_awaited(before, conclusion),), conclusion.message, kind=TURN
    )


def interrupted_report(turn: int, message: str) -> StatusReport:
    """What can be said of a turn whose process was gone before it could report."""
    return make_report((), (), (f"turn {turn}: {message}",), (AWAIT_USER,), message, kind=TURN)


def _task(before: SessionState, conclusion: Conclusion) -> str:
    given = _answer_given(conclusion)
    route = f" {given.answer.route}" if given and given.answer.route else ""
    return f"turn {before.version + 1}: {conclusion.outcome}{route}"


def _awaited(before: SessionState, conclusion: Conclusion) -> str:
    if conclusion.answer_mode is AnswerMode.CLARIFICATION_REQUIRED:
        return f"await user: {conclusion.message}"
    if conclusion.outcome is TransitionClass.X_CANCEL:
        return "await user: a new session"
    ended = any(isinstance(event, _ENDS_A_QUESTION) for event in conclusion.events)
    if before.frames.clarification is not None and not ended:
        return "await user: the answer to the open question"
    return AWAIT_USER


def _answer_given(conclusion: Conclusion) -> ev.AnswerGiven | None:
    return next((event for event in conclusion.events if isinstance(event, ev.AnswerGiven)), None)


def _reason_codes(conclusion: Conclusion) -> tuple[str, ...]:
    given = _answer_given(conclusion)
    return given.answer.gate.reason_codes if given else ()
