"""What is asked of a language model, and what comes back.

A model only writes text or names a tool. What it writes is checked by whoever asked, like anybody's output;
that it was written to the end is checked by the client. A reply that is cut off, empty or not what its
protocol says is an error of `ModelError`, never a reply.
"""

from collections.abc import Callable
from decimal import Decimal
from enum import StrEnum
from typing import Any, Protocol

import msgspec

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.record import Record
from dragoman.contracts.report import Recovery

TEMPERATURE = 0
"""The same question should get the same program."""


class Speaker(StrEnum):
    """Whose words a message has. Only `SYSTEM` is instruction; everything else is data to the model."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class ToolCall(Record, frozen=True):
    """A tool that the model wants used. `arguments` is JSON as the model wrote it, unchecked."""

    id: str
    name: str
    arguments: str


class Message(Record, frozen=True):
    """One message of the conversation with the model.

    `values` is text made of rows or of values of columns. It stands after `text`, and is left out where
    values may not be sent. `call_id` is the call that a message of `TOOL` answers.
    """

    speaker: Speaker
    text: str
    values: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    call_id: str = ""


class Tool(Record, frozen=True):
    """What the model may call. `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, Any]


class ModelRequest(Record, frozen=True):
    """One question to a model. The temperature is always 0."""

    messages: tuple[Message, ...]
    response_schema: dict[str, Any] | None = None
    """The JSON schema that the text of the reply has to fit. The provider is told it; nothing is checked."""
    response_name: str = "response"
    tools: tuple[Tool, ...] = ()
    must_call: str = ""
    """The tool that has to be called; otherwise the model may call any or none."""
    max_output_tokens: int | None = None
    """Narrower than the provider's own limit, never wider."""


class EndReason(StrEnum):
    """Why a whole reply ended. Whatever cuts a reply off is an error."""

    STOP = "stop"
    TOOL_CALLS = "tool_calls"


class TokenUsage(Record, frozen=True):
    """`estimated` where the provider did not count: then both figures come from the length of the texts."""

    input: int = 0
    output: int = 0
    estimated: bool = False

    @property
    def total(self) -> int:
        return self.input + self.output

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        return TokenUsage(
            self.input + other.input, self.output + other.output, self.estimated or other.estimated
        )


class ModelAttempt(Record, frozen=True):
    """One request to one provider. `code` is that of its error, empty for the one that succeeded.

    `recovery` is what was done about an error: the same provider was asked again, or the next one. It is none
    where nobody was left to ask: only the caller knows whether the embedded planner takes over, which is a
    reassignment too, or whether it is a failure.
    """

    provider: str
    model: str
    code: str = ""
    message: str = ""
    recovery: Recovery | None = None
    usage: TokenUsage = TokenUsage()
    cost: Decimal | None = None
    seconds: float = 0.0


class ModelSpending(Record, frozen=True):
    """What requests have used. `cost` leaves out those to providers without prices; none where all are."""

    requests: int = 0
    failures: int = 0
    usage: TokenUsage = TokenUsage()
    cost: Decimal | None = None


class ModelReply(Record, frozen=True):
    """A whole reply. There is text, or a tool call, or both.

    `usage` and `cost` are those of this reply alone; `cost` is none where the provider has no prices. What
    was spent before it stands in `attempts`, which ends with the one that succeeded.
    """

    text: str
    tool_calls: tuple[ToolCall, ...]
    ended: EndReason
    usage: TokenUsage
    provider: str
    model: str
    cost: Decimal | None = None
    attempts: tuple[ModelAttempt, ...] = ()


class TextPiece(Record, frozen=True):
    """Text of a reply while it comes. With a new `attempt`, counted from 1, the text begins anew."""

    attempt: int
    provider: str
    text: str


OnText = Callable[[TextPiece], None]
"""Called in the thread that asked. An error raised in it ends the request and goes through to the caller."""


class TurnPurse(msgspec.Struct):
    """What everybody who asks models in one turn spends from: one budget, and one time. Whoever asks first
    fills it."""

    account: object = None
    ends: float | None = None

    def until(self, now: float, seconds: float) -> float:
        """When the time of the turn is over: so many seconds after the first model was asked."""
        if self.ends is None:
            self.ends = now + seconds
        return self.ends


class Model(Protocol):
    """Whoever answers a request: one provider, a chain of them, a stand-in."""

    def complete(
        self,
        request: ModelRequest,
        *,
        deadline_seconds: float,
        cancel: Cancellation | None = None,
        on_text: OnText | None = None,
    ) -> ModelReply:
        """A whole reply, within the deadline whatever the other side does. Raises `ModelError`.

        Safe to call from several threads. With `on_text` the reply is streamed.
        """
