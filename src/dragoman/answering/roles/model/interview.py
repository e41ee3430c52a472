"""Asking a model to play a role: one request, and where what it hands over is not accepted, one more."""

import json
import time
from collections.abc import Callable
from typing import Final, TypeVar

from msgspec.structs import replace

from dragoman.contracts import events as ev
from dragoman.contracts.errors import ModelCancelled, ModelError, ModelReplyEmpty
from dragoman.contracts.model import Message, ModelAttempt, ModelReply, ModelRequest, Speaker
from dragoman.contracts.model_settings import ModelRole
from dragoman.contracts.record import Record
from dragoman.contracts.report import OutputValidationFailureEvent, Recovery
from dragoman.contracts.vocabulary import ModelOutcome
from dragoman.planning.contract import Asked
from dragoman.planning.model.access import ModelAccess
from dragoman.planning.model.account import model_asked, short

TYPED_REPAIRS: Final = 1
_REFUSED: Final = "invalid_model_output"
_QUOTED: Final = 2_000

Handed = TypeVar("Handed")


class Unfit(Record, frozen=True):
    """Why what a model handed over is not accepted, in words for the model."""

    problem: str


_NO_TOOLS: Final = Unfit("there are no tools; answer with text alone")


class Interview:
    """The models of one turn, asked for roles."""

    def __init__(self, access: ModelAccess, asked: Asked, repair: str, seconds: float) -> None:
        """`repair` is what is said before the second try, with `{problem}` in it."""
        self.asked = asked
        self._access = access
        self._repair = repair
        self._seconds = seconds
        self._attempts: list[ModelAttempt] = []

    def ask(
        self, role: ModelRole, request: ModelRequest, read: Callable[[str], Handed | Unfit]
    ) -> Handed | None:
        """What a model hands over for a role; None where it has nothing that passes, and the embedded role
        has to speak. What became of it is told and counted."""
        self._attempts = []
        outcome, handed, problem = self._asked(request, read)
        if handed is None and not self._is_cancelled:
            self._access.recovered(Recovery.REASSIGNMENT)
        self.asked.tell(model_asked(outcome, self._attempts, problem, str(role)))
        return handed

    def _asked(
        self, request: ModelRequest, read: Callable[[str], Handed | Unfit]
    ) -> tuple[ModelOutcome, Handed | None, str]:
        problem = ""
        for attempt in range(TYPED_REPAIRS + 1):
            try:
                reply = self._reply(request)
            except ModelError as error:
                empty = error.code == ModelReplyEmpty.code
                return ModelOutcome.EMPTY if empty else ModelOutcome.FAILED, None, error.message
            handed = read(reply.text) if not reply.tool_calls else _NO_TOOLS
            if not isinstance(handed, Unfit):
                return ModelOutcome.ROLE, handed, ""
            problem = short(handed.problem)
            self._access.failed(_REFUSED, problem, reply.provider, self._failed)
            if attempt < TYPED_REPAIRS:
                self._access.recovered(Recovery.RETRY)
                request = self._once_more(request, _written(reply), handed.problem)
        return ModelOutcome.REFUSED, None, problem

    def _reply(self, request: ModelRequest) -> ModelReply:
        """Raises `ModelError`."""
        asked = self.asked
        model = self._access.turn(self._watch, self._failed, asked.purse)
        now, before = time.monotonic(), len(self._attempts)
        left = asked.purse.until(now, self._seconds) - now
        try:
            reply = model.complete(request, deadline_seconds=max(left, 0.001), cancel=asked.cancel)
        except ModelError as error:
            if len(self._attempts) == before and not isinstance(error, ModelCancelled):
                self._watch(ModelAttempt(str(error.details.get("provider", "")), "", error.code))
            raise
        if len(self._attempts) == before:
            for each in reply.attempts or (ModelAttempt(reply.provider, reply.model, usage=reply.usage),):
                self._watch(each)
        if not reply.text.strip() and not reply.tool_calls:
            self.asked.tell(ev.EmptyLlmResponse(reply.provider))
            raise ModelReplyEmpty("the reply is empty", provider=reply.provider)
        return reply

    def _once_more(self, request: ModelRequest, written: str, problem: str) -> ModelRequest:
        """The same request, with what was wrong with the reply. What the model wrote is quoted, so that no
        instruction in it stands among ours."""
        quoted = json.dumps({"written": written[:_QUOTED]}, ensure_ascii=False)
        said = self._repair.replace("{problem}", short(problem))
        again = (Message(Speaker.ASSISTANT, quoted), Message(Speaker.USER, said))
        return replace(request, messages=(*request.messages, *again))

    @property
    def _is_cancelled(self) -> bool:
        return self.asked.cancel is not None and self.asked.cancel.cancelled

    def _watch(self, attempt: ModelAttempt) -> None:
        self._attempts.append(attempt)
        if attempt.code == ModelReplyEmpty.code:
            self.asked.tell(ev.EmptyLlmResponse(attempt.provider))

    def _failed(self, failure: OutputValidationFailureEvent) -> None:
        self.asked.tell(ev.OutputValidationFailed(failure))


def _written(reply: ModelReply) -> str:
    return reply.text or " ".join(call.name for call in reply.tool_calls)
