"""Messages, the protocol of Anthropic."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import ModelReplyMalformed, ModelReplyWithheld
from dragoman.contracts.model import TEMPERATURE, Message, ModelRequest, Speaker, TokenUsage, Tool, ToolCall
from dragoman.contracts.model_settings import ProviderSettings, SchemaMode
from dragoman.models.sse import ServerEvent
from dragoman.models.wire import (
    ReplyStream,
    WireReply,
    counted,
    length_error,
    parsed,
    stated_error,
    unfinished,
    whole_reply,
)

VERSION = "2023-06-01"
_RESPONSE = "The whole response, in this form. Call it once."
_ENDS = frozenset({"end_turn", "stop_sequence", "tool_use"})
_MOST_BLOCKS = 256


class _Block(msgspec.Struct):
    type: str = ""
    text: str = ""
    id: str = ""
    name: str = ""
    input: msgspec.Raw = msgspec.Raw(b"{}")


class _Failure(msgspec.Struct):
    type: str = ""
    message: str = ""


class _Body(msgspec.Struct):
    type: str = ""
    content: list[_Block] = msgspec.field(default_factory=list)
    stop_reason: str | None = None
    usage: Any = None
    error: _Failure | None = None


class _Delta(msgspec.Struct):
    type: str = ""
    text: str = ""
    partial_json: str = ""
    stop_reason: str | None = None


class _Event(msgspec.Struct):
    type: str = ""
    message: _Body | None = None
    index: int = 0
    content_block: _Block | None = None
    delta: _Delta | None = None
    usage: Any = None
    error: _Failure | None = None


class Messages:
    """The wire of `kind: anthropic`."""

    def url(self, base: str) -> str:
        base = base.rstrip("/")
        return f"{base}/messages" if base.endswith("/v1") else f"{base}/v1/messages"

    def headers(self, key: str) -> Mapping[str, str]:
        return {"anthropic-version": VERSION, **({"x-api-key": key} if key else {})}

    def body(
        self, request: ModelRequest, settings: ProviderSettings, model: str, *, limit: int, stream: bool
    ) -> dict[str, Any]:
        system = [message.text for message in request.messages if message.speaker is Speaker.SYSTEM]
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": limit,
            "messages": _turns(request.messages),
            **({"system": "\n\n".join(system)} if system else {}),
        }
        if settings.send_temperature:
            body["temperature"] = TEMPERATURE
        tools = [_tool(tool) for tool in request.tools]
        must_call = request.must_call
        if request.response_schema is not None and settings.schema is SchemaMode.SCHEMA:
            # A schema is a tool that must be called; what it is called with is the response.
            response = Tool(request.response_name, _RESPONSE, request.response_schema)
            tools.append(_tool(response))
            must_call = must_call or ("" if request.tools else request.response_name)
            body["tool_choice"] = {"type": "any"}
        if must_call:
            body["tool_choice"] = {"type": "tool", "name": must_call}
        if tools:
            body["tools"] = tools
        if stream:
            body["stream"] = True
        return body

    def reply(self, body: bytes, request: ModelRequest) -> WireReply:
        read = parsed(body, _Body)
        if read.error is not None:
            raise stated_error(read.error.type, read.error.message)
        if read.type != "message":
            raise ModelReplyMalformed("the reply is no message")
        _check_end(read.stop_reason)
        text = "".join(block.text for block in read.content if block.type == "text")
        calls = tuple(
            ToolCall(block.id or f"call_{number}", block.name, _written(block))
            for number, block in enumerate(read.content)
            if block.type == "tool_use"
        )
        return whole_reply(text, calls, _usage(read.usage, read.usage), _response_name(request))

    def stream(self, request: ModelRequest) -> ReplyStream:
        return _Events(_response_name(request))


class _Events:
    """The events of one streamed reply."""

    def __init__(self, response_name: str) -> None:
        self._response_name = response_name
        self._blocks: list[tuple[int, _Block, list[str]]] = []
        self._end: str | None = None
        self._usages: list[Any] = [None, None]
        self.whole = False

    def take(self, event: ServerEvent) -> str:
        read = parsed(event.data, _Event)
        match read.type:
            case "error":
                failure = read.error or _Failure()
                raise stated_error(failure.type, failure.message)
            case "message_start" if read.message is not None:
                self._usages[0] = read.message.usage
            case "content_block_start" if read.content_block is not None:
                return self._begin(read.index, read.content_block)
            case "content_block_delta" if read.delta is not None:
                return self._add(read.index, read.delta)
            case "message_delta":
                self._end = (read.delta.stop_reason if read.delta else None) or self._end
                self._usages[1] = read.usage
            case "message_stop":
                self.whole = True
        # Other events keep the line open, or are newer than this.
        return ""

    def _begin(self, index: int, block: _Block) -> str:
        """Blocks come one after the other, so that what was told is what the reply says."""
        if (self._blocks and index <= self._blocks[-1][0]) or len(self._blocks) >= _MOST_BLOCKS:
            raise ModelReplyMalformed("the blocks of the reply are out of order, or too many")
        first = block.text if block.type == "text" else ""
        self._blocks.append((index, block, [first]))
        return self._told(block, first)

    def _add(self, index: int, delta: _Delta) -> str:
        if delta.type not in ("text_delta", "input_json_delta"):
            return ""
        if not self._blocks or self._blocks[-1][0] != index:
            raise ModelReplyMalformed("the reply goes on with a block that has not begun, or is over")
        _, block, pieces = self._blocks[-1]
        piece = delta.text if delta.type == "text_delta" else delta.partial_json
        pieces.append(piece)
        return self._told(block, piece)

    def _told(self, block: _Block, piece: str) -> str:
        """With a response schema the text is what its tool is called with, not what is said around it."""
        if self._response_name:
            return piece if block.name == self._response_name else ""
        return piece if block.type == "text" else ""

    def reply(self) -> WireReply:
        if self._end == "max_tokens":
            raise length_error()
        if not self.whole:
            raise unfinished()
        _check_end(self._end)
        text, calls = list[str](), list[ToolCall]()
        for number, block, pieces in self._blocks:
            if block.type == "text":
                text += pieces
            elif block.type == "tool_use":
                arguments = "".join(pieces) or _written(block)
                calls.append(ToolCall(block.id or f"call_{number}", block.name, arguments))
        return whole_reply("".join(text), tuple(calls), _usage(*self._usages), self._response_name)


def _response_name(request: ModelRequest) -> str:
    return request.response_name if request.response_schema is not None else ""


def _check_end(reason: str | None) -> None:
    match reason:
        case "max_tokens" | "model_context_window_exceeded":
            raise length_error()
        case "refusal":
            raise ModelReplyWithheld("the model declined to answer")
        case None | "":
            raise ModelReplyMalformed("the reply does not say why it ended")
        case _ if reason not in _ENDS:
            raise ModelReplyMalformed(f"the reply ended for a reason that is not known: {reason[:40]!r}")


def _turns(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Two speakers take turns: what one says in a row is one message, and results of tools are the user's."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        if message.speaker is Speaker.SYSTEM:
            continue
        role = "assistant" if message.speaker is Speaker.ASSISTANT else "user"
        if not turns or turns[-1]["role"] != role:
            turns.append({"role": role, "content": []})
        turns[-1]["content"] += _blocks(message)
    return turns


def _blocks(message: Message) -> list[dict[str, Any]]:
    if message.speaker is Speaker.TOOL:
        return [{"type": "tool_result", "tool_use_id": message.call_id, "content": message.text}]
    # An empty text is refused, and says nothing.
    said: list[dict[str, Any]] = [{"type": "text", "text": message.text}] if message.text.strip() else []
    return said + [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": _object(call.arguments)}
        for call in message.tool_calls
    ]


def _object(arguments: str) -> dict[str, Any]:
    """What a model wrote need not be JSON, and only an object is taken back."""
    try:
        return decoded(arguments, dict[str, Any])
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return {}


def _written(block: _Block) -> str:
    """What a tool is called with, as it came: nothing has looked at its letters until now."""
    try:
        return bytes(block.input).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ModelReplyMalformed("the reply is no UTF-8") from error


def _tool(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}


def _usage(first: Any, last: Any) -> TokenUsage | None:
    """What was read is counted at the start of a stream, what was written at its end."""
    if not isinstance(first, dict) or not isinstance(last, dict):
        return None
    cached = (first.get("cache_creation_input_tokens") or 0, first.get("cache_read_input_tokens") or 0)
    read, written = counted(first.get("input_tokens"), *cached), counted(last.get("output_tokens"))
    return None if read is None or written is None else TokenUsage(read, written)
