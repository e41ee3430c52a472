"""The turns that move the session without running a request: talk, scope, escape hatches, boundaries."""

from dragoman.answering import wording
from dragoman.answering.compilation import compile_text
from dragoman.answering.coverage import closed_gate
from dragoman.catalog.trade.catalog import ORGANIZATION, TradeCatalog
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.record import Record
from dragoman.contracts.state import Checkpoint, SessionState
from dragoman.contracts.vocabulary import AnswerMode, Phase, Signal, TransitionClass, TruthMode
from dragoman.planning.request import Request, request_of
from dragoman.reading.message import Reading
from dragoman.session.reducer import restored_phase
from dragoman.session.routing import Routing


class Conclusion(Record, frozen=True):
    """How a turn ends: the events that make it so, and what is said."""

    outcome: TransitionClass
    answer_mode: AnswerMode
    message: str
    events: tuple[ev.SessionEvent, ...] = ()


def talk(reading: Reading, routing: Routing, catalog: TradeCatalog) -> Conclusion:
    """T0: chat, what there is, or the organization to work with from now on."""
    chosen = reading.entity(ORGANIZATION)
    signals = routing.reason.signals
    if Signal.SCOPE_CHOICE in signals and chosen is not None:
        said = f"From now on I mean {chosen.name} when you name no organization."
        return Conclusion(TransitionClass.T0, AnswerMode.NONE, said, (ev.DefaultScopeSet(scope=(chosen,)),))
    scope = Signal.DATA_SCOPE in signals
    said = wording.data_scope_sentence(catalog) if scope else wording.chat_sentence()
    return Conclusion(TransitionClass.T0, AnswerMode.NONE, said)


def clear() -> Conclusion:
    said = "Cleared. What was answered stays on record."
    events = (ev.CheckpointTaken(), ev.ProgramCleared())
    return Conclusion(TransitionClass.X_CLEAR, AnswerMode.NONE, said, events)


def cancel() -> Conclusion:
    said = "Cancelled: this session can be read, and takes no more questions. Start a new one to go on."
    return Conclusion(TransitionClass.X_CANCEL, AnswerMode.NONE, said, (ev.SessionCancelled(),))


def offer_help(state: SessionState, catalog: TradeCatalog) -> Conclusion:
    return Conclusion(TransitionClass.X_HELP, AnswerMode.NONE, wording.help_sentence(state, catalog))


def none_of_these() -> Conclusion:
    """The offered answers are dropped, and the question with them."""
    said = "Then tell me in your own words what you want to know, with an organization and a date."
    events = (ev.CheckpointTaken(), ev.ClarificationCleared())
    return Conclusion(TransitionClass.X_NONE, AnswerMode.NONE, said, events)


def undo(state: SessionState, catalog: TradeCatalog) -> Conclusion:
    """The program and the frames of the turn before, read again from SYNTAX."""
    back = state.program.history[-1]
    events: list[ev.SessionEvent] = [ev.ProgramRestored()]
    if restored_phase(back) is not Phase.SYNTAX:
        said = _ASKED_AGAIN if back.clarification is not None else "Undone: there is no program in hand now."
        return Conclusion(TransitionClass.X_UNDO, AnswerMode.NONE, said, tuple(events))
    compiled = compile_text(back.source, back.ast, catalog.programs)
    events += compiled.events
    if compiled.fault:
        said = f"Undone, but the program of the turn before no longer compiles: {compiled.fault}."
        return Conclusion(TransitionClass.X_UNDO, AnswerMode.NONE, said, tuple(events))
    said = f"Undone, back to: {_then(state, back, catalog)}. Say “run it” to run it again."
    return Conclusion(TransitionClass.X_UNDO, AnswerMode.NONE, said, tuple(events))


def _then(state: SessionState, back: Checkpoint, catalog: TradeCatalog) -> str:
    """What the restored program was about, and what it gave then."""
    request = request_of(back.ast, catalog)
    if not isinstance(request, Request):
        return "the program before"
    ref = back.root.root_answer_object_ref if back.root else ""
    answer = next((a for a in state.answers.items if a.ref == ref and a.program == back.ast), None)
    then = f", which gave {wording.finding(answer)} ({answer.truth_mode})" if answer else ""
    return wording.subject(request) + then


_ASKED_AGAIN = "Undone. The question before is open again; say “help” to read it."


def boundary(
    state: SessionState,
    code: str,
    message: str,
    *,
    route: str = "",
    source: str = "",
    truth_mode: TruthMode = TruthMode.UNSUPPORTED,
) -> Conclusion:
    """T10: the frames and the program stay as they were; the refusal itself can be asked about."""
    gate = closed_gate(code, truth_mode)
    index = state.version + 1
    answer = AnswerObject(ref=f"answer-{index}", turn_index=index, route=route, gate=gate)
    events = (
        ev.AttemptRefused(route=route, source=source, code=code),
        ev.GateComputed(gate=gate),
        ev.AnswerGiven(answer=answer),
    )
    return Conclusion(TransitionClass.T10, AnswerMode(truth_mode), message, events)
