"""What the two protocols have in common: how a request becomes a body, and a body a reply or an error."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

import msgspec

from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import (
    ModelError,
    ModelOverloaded,
    ModelRefused,
    ModelReplyEmpty,
    ModelReplyMalformed,
    ModelReplyTruncated,
)
from dragoman.contracts.model import EndReason, ModelRequest, TokenUsage, ToolCall
from dragoman.contracts.model_settings import ProviderSettings
from dragoman.contracts.record import Record
from dragoman.models.sse import ServerEvent

_Kind = TypeVar("_Kind")

MOST_TOKENS = 1_000_000_000
"""A provider that counts more has miscounted."""


class WireReply(Record, frozen=True):
    """A whole reply. Without usage where the provider did not count."""

    text: str
    tool_calls: tuple[ToolCall, ...]
    ended: EndReason
    usage: TokenUsage | None


class ReplyStream(Protocol):
    """Collects the events of one stream."""

    @property
    def whole(self) -> bool:
        """Whether the stream has said that it is over."""

    def take(self, event: ServerEvent) -> str:
        """What the event adds to the text. Raises `ModelError`."""

    def reply(self) -> WireReply:
        """Everything that was taken, where it is whole. Raises `ModelError`."""


class Wire(Protocol):
    """One protocol."""

    def url(self, base: str) -> str: ...

    def headers(self, key: str) -> Mapping[str, str]: ...

    def body(
        self, request: ModelRequest, settings: ProviderSettings, model: str, *, limit: int, stream: bool
    ) -> dict[str, Any]: ...

    def reply(self, body: bytes, request: ModelRequest) -> WireReply:
        """A reply that came in one piece. Raises `ModelError`."""

    def stream(self, request: ModelRequest) -> ReplyStream: ...


def parsed(data: bytes | str, kind: type[_Kind]) -> _Kind:
    """JSON of a provider. Raises `ModelReplyMalformed`; where its end is missing, `ModelReplyTruncated`."""
    try:
        return decoded(data, kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # Its own words for an unfinished text; it has no error of its own for that.
        if "truncated" in str(error):
            raise ModelReplyTruncated("the reply ends in the middle", cause="connection") from error
        raise ModelReplyMalformed(f"the reply is not what its protocol says: {error}") from error
    except RecursionError as error:
        raise ModelReplyMalformed("the reply is nested too deeply") from error


def whole_reply(
    text: str, calls: tuple[ToolCall, ...], usage: TokenUsage | None, response_name: str = ""
) -> WireReply:
    """A reply that has something in it. A call of the tool that stands for a response schema is its text."""
    answered = [call.arguments for call in calls if response_name and call.name == response_name]
    if answered:
        return WireReply(answered[0], (), EndReason.STOP, usage)
    if any(not call.name for call in calls):
        raise ModelReplyMalformed("the reply calls a tool without a name")
    if not text.strip() and not calls:
        raise ModelReplyEmpty("the reply is empty")
    return WireReply(text, calls, EndReason.TOOL_CALLS if calls else EndReason.STOP, usage)


def counted(*figures: object) -> int | None:
    """The sum of what a provider counted; none where one figure is no count."""
    total = 0
    for figure in figures:
        if type(figure) is not int or not 0 <= figure <= MOST_TOKENS:
            return None
        total += figure
    return total


def length_error() -> ModelError:
    return ModelReplyTruncated(
        "the reply was cut off by the limit of output tokens",
        hint="raise max_output_tokens of the provider in dragoman.yaml",
        cause="length",
    )


def unfinished() -> ModelError:
    return ModelReplyTruncated("the stream broke off before its end", cause="connection")


def stated_error(kind: str, message: str) -> ModelError:
    """An error that a provider tells in the middle of a stream, or with a status that means success."""
    words = kind.lower()
    busy = any(word in words for word in _BUSY)
    said = f"it says {message}" if message else "it gives no reason"
    return ModelOverloaded(said) if busy or not kind else ModelRefused(said)


_BUSY = ("overload", "rate", "server", "timeout", "unavailable", "internal", "api_error", "busy")
