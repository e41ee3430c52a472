"""A run that the person asked for and that failed: the program stays in hand, done and not well.

Nobody guessed here what was meant, so nothing is taken back: the turn keeps its class, the gate has the
code of the failure, and "run it" tries again. A read that the conversation wrote and that fails is a
boundary.
"""

from dragoman.answering.context import TurnContext
from dragoman.answering.coverage import closed_gate
from dragoman.answering.draft import Conclusion
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.program import Program
from dragoman.contracts.vocabulary import AnswerMode, Phase, TransitionClass, TruthMode


def failed_run(
    context: TurnContext,
    outcome: TransitionClass,
    run: ev.RunFinished,
    message: str,
    *,
    program: Program,
    subject: str,
    ends_question: bool = False,
) -> Conclusion:
    """The end of a run that was started and failed. The failure can be asked about afterwards."""
    gate = closed_gate(run.error_code, TruthMode.UNSUPPORTED)
    answer = AnswerObject(
        ref=f"answer-{context.index}",
        turn_index=context.index,
        route=program[-1].verb,
        gate=gate,
        program=program,
        subject=subject,
        note=message,
    )
    cleared = (ev.ClarificationCleared(),) if ends_question else ()
    events = (run, ev.GateComputed(gate), *cleared, ev.AnswerGiven(answer))
    return Conclusion(outcome, AnswerMode.UNSUPPORTED, message, events)


def last_failure(context: TurnContext) -> str:
    """What was said of the run of the program in hand, where that failed; empty otherwise."""
    program = context.before.program
    if program.phase is not Phase.DONE or program.run_ok is not False:
        return ""
    found = (answer for answer in reversed(context.asked.in_context) if answer.program == program.ast)
    return next((answer.note for answer in found if answer.truth_mode is TruthMode.UNSUPPORTED), "")
