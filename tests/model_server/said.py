"""What a model says, in the words of both protocols."""

import json
from typing import Any, NamedTuple


class Said(NamedTuple):
    """`ended` is stop, tools, length or filter."""

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    ended: str = "stop"
    counted: bool = True


USAGE = (11, 7)
"""Tokens in and out, of every reply that is counted."""

_OPENAI_ENDS = {"stop": "stop", "tools": "tool_calls", "length": "length", "filter": "content_filter"}
_ANTHROPIC_ENDS = {"stop": "end_turn", "tools": "tool_use", "length": "max_tokens", "filter": "refusal"}
_PIECE = 3


def pieces(text: str) -> list[str]:
    return [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]


def body_of(said: Said, *, anthropic: bool, response_tool: str = "") -> dict[str, Any]:
    return _anthropic(said, response_tool) if anthropic else _openai(said)


def events_of(said: Said, *, anthropic: bool, response_tool: str = "") -> list[bytes]:
    """A stream to its end, event by event."""
    return _anthropic_events(said, response_tool) if anthropic else _openai_events(said)


def failure_of(message: str, kind: str, *, anthropic: bool) -> dict[str, Any]:
    error = {"type": kind, "message": message}
    return {"type": "error", "error": error} if anthropic else {"error": {**error, "code": None}}


def _openai(said: Said) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.text or None}
    if said.calls:
        message["tool_calls"] = [
            {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for number, (name, arguments) in enumerate(said.calls)
        ]
    choice = {"index": 0, "message": message, "finish_reason": _OPENAI_ENDS[said.ended]}
    usage = {"prompt_tokens": USAGE[0], "completion_tokens": USAGE[1], "total_tokens": sum(USAGE)}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "scripted",
        "choices": [choice],
        **({"usage": usage} if said.counted else {}),
    }


def _openai_events(said: Said) -> list[bytes]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in pieces(said.text)]
    for number, (name, arguments) in enumerate(said.calls):
        named = {"index": number, "id": f"call_{number}", "type": "function"}
        deltas.append({"tool_calls": [{**named, "function": {"name": name, "arguments": ""}}]})
        deltas += [
            {"tool_calls": [{"index": number, "function": {"arguments": piece}}]}
            for piece in pieces(arguments)
        ]
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas
    ]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": _OPENAI_ENDS[said.ended]}]})
    if said.counted:
        chunks.append({"choices": [], "usage": {"prompt_tokens": USAGE[0], "completion_tokens": USAGE[1]}})
    sent = [json.dumps({"object": "chat.completion.chunk", **chunk}) for chunk in chunks]
    return [f"data: {data}\n\n".encode() for data in (*sent, "[DONE]")]


def _anthropic(said: Said, response_tool: str) -> dict[str, Any]:
    content = [
        {"type": kind, "text": text}
        if kind == "text"
        else {"type": kind, "id": f"toolu_{number}", "name": name, "input": json.loads(text)}
        for number, (kind, name, text) in enumerate(_blocks(said, response_tool))
    ]
    usage = {"usage": {"input_tokens": USAGE[0], "output_tokens": USAGE[1]}} if said.counted else {}
    ended = _ANTHROPIC_ENDS[said.ended]
    return {"type": "message", "role": "assistant", "content": content, "stop_reason": ended, **usage}


def _anthropic_events(said: Said, response_tool: str) -> list[bytes]:
    usage = {"usage": {"input_tokens": USAGE[0], "output_tokens": 1}} if said.counted else {}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"type": "message", "content": [], **usage}},
        {"type": "ping"},
    ]
    for number, (kind, name, text) in enumerate(_blocks(said, response_tool)):
        block = (
            {"type": kind, "text": ""}
            if kind == "text"
            else {"type": kind, "id": f"toolu_{number}", "name": name, "input": {}}
        )
        events.append({"type": "content_block_start", "index": number, "content_block": block})
        delta, field = ("text_delta", "text") if kind == "text" else ("input_json_delta", "partial_json")
        events += [
            {"type": "content_block_delta", "index": number, "delta": {"type": delta, field: piece}}
            for piece in pieces(text)
        ]
        events.append({"type": "content_block_stop", "index": number})
    counted = {"usage": {"output_tokens": USAGE[1]}} if said.counted else {}
    ended = _ANTHROPIC_ENDS[said.ended]
    events.append({"type": "message_delta", "delta": {"stop_reason": ended}, **counted})
    events.append({"type": "message_stop"})
    return [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events]


def _blocks(said: Said, response_tool: str) -> list[tuple[str, str, str]]:
    """Kind, name and text. Where a schema is asked for, a text that is JSON is the call of its tool."""
    if response_tool and _is_object(said.text):
        return [("tool_use", response_tool, said.text)]
    text = [("text", "", said.text)] if said.text else []
    return [*text, *(("tool_use", name, arguments) for name, arguments in said.calls)]


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
