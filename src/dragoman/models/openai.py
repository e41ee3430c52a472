"""Chat completions, the protocol of OpenAI and of most servers of local models."""

from collections.abc import Mapping
from typing import Any

import msgspec

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

_DONE = "[DONE]"
_ENDS = frozenset({"stop", "eos", "end_turn", "stop_sequence", "tool_calls", "function_call"})
"""How a whole reply may end. Some servers have words of their own."""
_MOST_CALLS = 128


class _Part(msgspec.Struct):
    text: str = ""


class _Function(msgspec.Struct):
    name: str | None = None
    arguments: str | dict[str, Any] | None = None


class _Call(msgspec.Struct):
    function: _Function
    id: str | None = None
    index: int = 0


class _Message(msgspec.Struct):
    content: str | list[_Part] | None = None
    tool_calls: list[_Call] | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message = msgspec.field(default_factory=_Message)
    delta: _Message = msgspec.field(default_factory=_Message)
    finish_reason: str | None = None
    index: int = 0


class _Failure(msgspec.Struct):
    message: Any = None
    type: Any = None
    code: Any = None


class _Body(msgspec.Struct):
    choices: list[_Choice] | None = None
    usage: Any = None
    error: _Failure | str | None = None


class ChatCompletions:
    """The wire of `kind: openai`."""

    def url(self, base: str) -> str:
        return f"{base.rstrip('/')}/chat/completions"

    def headers(self, key: str) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(
        self, request: ModelRequest, settings: ProviderSettings, model: str, *, limit: int, stream: bool
    ) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": model,
            "messages": [_sent(message) for message in request.messages],
            str(settings.limit_name): limit,
        }
        if settings.send_temperature:
            body["temperature"] = TEMPERATURE
        if request.response_schema is not None and settings.schema is SchemaMode.SCHEMA:
            schema = request.response_schema
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": request.response_name, "schema": schema, "strict": is_strict(schema)},
            }
        elif request.response_schema is not None and settings.schema is SchemaMode.OBJECT:
            body["response_format"] = {"type": "json_object"}
        if request.tools:
            body["tools"] = [_tool(tool) for tool in request.tools]
        if request.must_call:
            body["tool_choice"] = {"type": "function", "function": {"name": request.must_call}}
        if stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        return body

    def reply(self, body: bytes, request: ModelRequest) -> WireReply:
        read = _checked(parsed(body, _Body))
        if not read.choices:
            raise ModelReplyMalformed("the reply has no choices")
        choice = read.choices[0]
        _check_end(choice.finish_reason)
        _check_refusal(choice.message.refusal or "")
        calls = choice.message.tool_calls or []
        return whole_reply(
            _text(choice.message),
            tuple(_call(call, number) for number, call in enumerate(calls)),
            _usage(read.usage),
        )

    def stream(self, request: ModelRequest) -> ReplyStream:
        return _Chunks()


class _Chunks:
    """The chunks of one streamed reply."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._calls: dict[int, tuple[str, str, list[str]]] = {}
        self._end: str | None = None
        self._usage: TokenUsage | None = None
        self.whole = False

    def take(self, event: ServerEvent) -> str:
        if event.data.strip() == _DONE:
            self.whole = True
            return ""
        read = _checked(parsed(event.data, _Body))
        self._usage = _usage(read.usage) or self._usage
        said = ""
        for choice in read.choices or []:
            if choice.index == 0:
                said += _text(choice.delta)
                self._refusal.append(choice.delta.refusal or "")
                self._end = choice.finish_reason or self._end
                for call in choice.delta.tool_calls or []:
                    self._add(call)
        self._text.append(said)
        return said

    def _add(self, call: _Call) -> None:
        """A call comes in pieces: its name in the first one, its arguments in all of them."""
        known_id, name, arguments = self._calls.get(call.index, ("", "", []))
        piece = call.function.arguments
        arguments.append(piece if isinstance(piece, str) else _written(piece))
        self._calls[call.index] = (known_id or call.id or "", name or call.function.name or "", arguments)
        if len(self._calls) > _MOST_CALLS:
            raise ModelReplyMalformed("the reply calls too many tools")

    def reply(self) -> WireReply:
        if self._end == "length":
            raise length_error()
        if not self.whole:
            raise unfinished()
        _check_end(self._end)
        _check_refusal("".join(self._refusal))
        calls = tuple(
            ToolCall(given or f"call_{number}", name, "".join(arguments) or "{}")
            for number, (given, name, arguments) in sorted(self._calls.items())
        )
        return whole_reply("".join(self._text), calls, self._usage)


def is_strict(schema: object) -> bool:
    """Whether a schema is one that OpenAI can hold a model to: every object closed, every key required."""
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object" or isinstance(schema.get("properties"), dict):
        known = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or {*schema.get("required", ())} != {*known}:
            return False
        return all(map(is_strict, known.values()))
    return all(map(is_strict, schema.values()))


def _sent(message: Message) -> dict[str, Any]:
    sent: dict[str, Any] = {"role": str(message.speaker), "content": message.text}
    if message.tool_calls:
        sent["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.speaker is Speaker.TOOL:
        sent["tool_call_id"] = message.call_id
    return sent


def _tool(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _checked(body: _Body) -> _Body:
    if isinstance(body.error, str):
        raise stated_error("", body.error)
    if body.error is not None:
        raise stated_error(f"{body.error.type or ''} {body.error.code or ''}", str(body.error.message or ""))
    return body


def _check_end(reason: str | None) -> None:
    match reason:
        case "length":
            raise length_error()
        case "content_filter":
            raise ModelReplyWithheld("the provider's filter stopped the reply")
        case None | "":
            raise ModelReplyMalformed("the reply does not say why it ended")
        case _ if reason not in _ENDS:
            raise ModelReplyMalformed(f"the reply ended for a reason that is not known: {reason[:40]!r}")


def _check_refusal(refusal: str) -> None:
    if refusal:
        raise ModelReplyWithheld("the model declined to answer")


def _text(message: _Message) -> str:
    if isinstance(message.content, list):
        return "".join(part.text for part in message.content)
    return message.content or ""


def _call(call: _Call, number: int) -> ToolCall:
    arguments = call.function.arguments
    text = arguments if isinstance(arguments, str) else _written(arguments)
    return ToolCall(call.id or f"call_{number}", call.function.name or "", text or "{}")


def _written(arguments: dict[str, Any] | None) -> str:
    """Arguments as JSON; some servers give them as an object where a text is meant."""
    return "" if arguments is None else msgspec.json.encode(arguments).decode()


def _usage(usage: Any) -> TokenUsage | None:
    if not isinstance(usage, dict):
        return None
    read, written = counted(usage.get("prompt_tokens")), counted(usage.get("completion_tokens"))
    return None if read is None or written is None else TokenUsage(read, written)
