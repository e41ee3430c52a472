"""Models over a scripted server, with a patience that counts where it would wait."""

import time
from collections.abc import Mapping
from typing import Final

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import ModelError
from dragoman.contracts.model import (
    Message,
    ModelAttempt,
    ModelReply,
    ModelRequest,
    OnText,
    Speaker,
    TextPiece,
)
from dragoman.contracts.model_settings import ModelsSettings, ProviderSettings
from dragoman.models import Models, Patience, TurnModel

LONG: Final = 60.0
"""A deadline that no test comes near."""

SHORT: Final = 0.4
"""A deadline that a test waits for."""

REQUEST: Final = ModelRequest(
    (Message(Speaker.SYSTEM, "Write a program."), Message(Speaker.USER, "How many orders are there?"))
)
SCHEMA: Final = {
    "type": "object",
    "properties": {"verb": {"type": "string"}},
    "required": ["verb"],
    "additionalProperties": False,
}


class Ground:
    """A chain of providers in which nobody waits. `waits` has the seconds that it would have waited."""

    def __init__(
        self, *providers: ProviderSettings, environment: Mapping[str, str] | None = None, **settings: object
    ) -> None:
        self.waits: list[float] = []
        self.attempts: list[ModelAttempt] = []
        self.pieces: list[TextPiece] = []
        self.models = Models(
            ModelsSettings(providers, **settings),  # type: ignore[arg-type]
            environment or {},
            patience=Patience(chance=lambda: 1.0, pause=lambda seconds, _: self.waits.append(seconds)),
        )
        self.turn: TurnModel = self.models.turn(self.attempts.append)

    def ask(
        self,
        request: ModelRequest = REQUEST,
        *,
        seconds: float = LONG,
        stream: bool = False,
        cancel: Cancellation | None = None,
    ) -> ModelReply:
        on_text: OnText | None = self.pieces.append if stream else None
        return self.turn.complete(request, deadline_seconds=seconds, cancel=cancel, on_text=on_text)

    def refusal(
        self, request: ModelRequest = REQUEST, *, seconds: float = LONG, stream: bool = False
    ) -> ModelError:
        try:
            reply = self.ask(request, seconds=seconds, stream=stream)
        except ModelError as error:
            return error
        raise AssertionError(f"there is a reply: {reply}")

    def outcome(self, _: int) -> ModelError | None:
        """The error of one more request, if there is one."""
        try:
            self.ask()
        except ModelError as error:
            return error
        return None

    @property
    def codes(self) -> list[str]:
        return [attempt.code for attempt in self.attempts]

    @property
    def streamed(self) -> str:
        """The text of the last attempt, as it was told."""
        last = self.pieces[-1].attempt if self.pieces else 0
        return "".join(piece.text for piece in self.pieces if piece.attempt == last)


class Clock:
    """How long something took."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began
