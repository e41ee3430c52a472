"""Asking a model for a program: one request, and where what it writes is not accepted, one more."""

import time
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from dragoman.contracts import events as ev
from dragoman.contracts.errors import ModelError, ModelReplyEmpty
from dragoman.contracts.model import ModelAttempt, ModelReply, ModelRequest, TextPiece
from dragoman.contracts.model_events import ModelText
from dragoman.contracts.program import Diagnostic
from dragoman.contracts.record import Record
from dragoman.contracts.report import OutputValidationFailureEvent, Recovery
from dragoman.contracts.roles import AnalystPlan
from dragoman.contracts.state import PROGRAM_REPAIRS
from dragoman.contracts.vocabulary import ModelOutcome, Notation, Stage
from dragoman.planning.contract import Asked, Candidate
from dragoman.planning.model.access import ModelAccess
from dragoman.planning.model.account import model_asked, short
from dragoman.planning.model.judged_program import judge
from dragoman.planning.model.prompt import Prompt, repair
from dragoman.planning.model.reply_reader import Fault, Handed, read_reply

_EMPTY: Final = ModelReplyEmpty.code
_REFUSED: Final = "invalid_model_output"
_SHORT: Final = 160


class Synthesis(Record, frozen=True, gc=True):
    """What came of asking. `story` is how the program was written, up to the text that was accepted."""

    outcome: ModelOutcome
    plan: AnalystPlan | None = None
    candidates: tuple[Candidate, ...] = ()
    choice: Candidate | None = None
    story: tuple[ev.SessionEvent, ...] = ()
    problem: str = ""


class Synthesizer:
    """Asks for one message. Everything that it hears from the model goes through the guards."""

    def __init__(self, access: ModelAccess, asked: Asked, prompt: Prompt, seconds: float) -> None:
        self._access = access
        self._asked = asked
        self._prompt = prompt
        self._deadline = asked.purse.until(time.monotonic(), seconds)
        self._model = access.turn(self._watch, self._failed, asked.purse)
        self._attempts: list[ModelAttempt] = []
        self._story: list[ev.SessionEvent] = [ev.OmlSynthesisStart()]

    def run(self) -> Synthesis:
        """What the model hands over, or why nothing came of it. The event of it is told."""
        done = self._done()
        self._asked.tell(model_asked(done.outcome, self._attempts, done.problem))
        return replace(done, story=tuple(self._story))

    def _done(self) -> Synthesis:
        request = self._prompt.request
        for attempt in range(PROGRAM_REPAIRS + 1):
            heard = self._heard(request)
            if isinstance(heard, Synthesis):
                return heard
            handed = read_reply(heard)
            found = self._accepted(handed) if isinstance(handed, Handed) else handed
            if isinstance(found, Synthesis):
                return found
            last = attempt == PROGRAM_REPAIRS
            self._story += _refused(found, final=last)
            self._access.failed(_REFUSED, short(found.problem), heard.provider, self._failed)
            if last:
                return Synthesis(ModelOutcome.REFUSED, problem=short(found.problem, _SHORT))
            self._story.append(ev.RegenerationAttempt(attempt + 1))
            self._access.recovered(Recovery.RETRY)
            request = repair(self._prompt, found.text, heard.tool_calls, found.problem, found.keys)
        return Synthesis(ModelOutcome.NOTHING)

    def _heard(self, request: ModelRequest) -> ModelReply | Synthesis:
        """The reply to a request, or how asking ended without one."""
        before = len(self._attempts)

        def on_text(piece: TextPiece) -> None:
            self._asked.tell(ModelText(before + piece.attempt, piece.provider, piece.text))

        try:
            left = self._deadline - time.monotonic()
            reply = self._model.complete(
                request, deadline_seconds=max(left, 0.001), cancel=self._asked.cancel, on_text=on_text
            )
        except ModelError as error:
            outcome = ModelOutcome.EMPTY if error.code == _EMPTY else ModelOutcome.FAILED
            if len(self._attempts) == before:
                provider = str(error.details.get("provider", ""))
                self._watch(ModelAttempt(provider, "", error.code, error.message))
            return Synthesis(outcome, problem=error.message)
        if len(self._attempts) == before:
            for each in reply.attempts or (ModelAttempt(reply.provider, reply.model, usage=reply.usage),):
                self._watch(each)
        if not reply.text.strip() and not reply.tool_calls:
            self._asked.tell(ev.EmptyLlmResponse(reply.provider))
            return Synthesis(ModelOutcome.EMPTY, problem="the reply is empty")
        return reply

    def _accepted(self, handed: Handed) -> Synthesis | Fault:
        """What was handed over, once everything in it has passed."""
        for question in handed.questions:
            self._asked.tell(ev.QuestionRefused(short(question)))
        if handed.choice is not None:
            return self._chosen(handed)
        texts = (handed.program,) if handed.program else handed.programs
        if not texts and handed.questions:
            return Fault("no open question is asked now: give a program, or programs to choose from", "")
        if not texts:
            return Synthesis(ModelOutcome.NOTHING, handed.plan)
        judged = [judge(each, self._asked, self._prompt.masks, continues=handed.continues) for each in texts]
        found = tuple(each for each in judged if isinstance(each, Candidate))
        faults = [each for each in judged if isinstance(each, Fault)]
        # Of several, those that are right are a question all the same; a single one is no question.
        if not found or (faults and len(found) < 2):
            return faults[0]
        outcome = ModelOutcome.QUESTION if len(found) > 1 else ModelOutcome.PROGRAM
        return Synthesis(outcome, handed.plan, found)

    def _chosen(self, handed: Handed) -> Synthesis | Fault:
        readings, place = self._prompt.readings, handed.choice or 0
        if not 1 <= place <= len(readings):
            return Fault(f"there is no reading {place}; there are {len(readings)}", f"choice: {place}")
        return Synthesis(ModelOutcome.CHOICE, handed.plan, choice=readings[place - 1])

    def _watch(self, attempt: ModelAttempt) -> None:
        self._attempts.append(attempt)
        if attempt.code == _EMPTY:
            self._asked.tell(ev.EmptyLlmResponse(attempt.provider))

    def _failed(self, failure: OutputValidationFailureEvent) -> None:
        self._asked.tell(ev.OutputValidationFailed(failure))


def _refused(fault: Fault, *, final: bool) -> Iterator[ev.SessionEvent]:
    """A text that was not accepted, as the events of any program that does not compile."""
    text = short(fault.text, 2_000) or "nothing"
    yield ev.OmlSynthesisComplete(Notation.VERBS, text, fault.program)
    if fault.stage is not Stage.SYNTAX:
        yield ev.SchemaGuardPass(Stage.SYNTAX)
    told = tuple(
        Diagnostic(each.code, short(each.message), short(each.hint), each.severity)
        for each in fault.told[:20]
    )
    yield ev.SchemaGuardFail(fault.stage, told, final=final)
