"""The readers of events and of replies: whatever comes is a reply or an error with a name."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.errors import ModelReplyMalformed, ModelReplyTruncated
from dragoman.contracts.model_settings import ProviderKind
from dragoman.models.provider import WIRES
from dragoman.models.sse import EventReader, ServerEvent
from dragoman.models.tokens import estimated_tokens
from tests.model_server.said import Said, body_of, events_of
from tests.models.ground import REQUEST
from tests.models.reader_invariants import check_reply, check_stream, read_stream

KINDS = pytest.mark.parametrize("kind", list(ProviderKind))
ENDS = ("\n", "\r", "\r\n")


def read(*chunks: bytes) -> list[ServerEvent]:
    reader = EventReader()
    return [event for chunk in chunks for event in reader.feed(chunk)]


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("data: a\n\n", [("a", "")]),
        ("data:a\n\n", [("a", "")]),
        ("data:  a\n\n", [(" a", "")]),
        ("event: e\ndata: a\n\ndata: b\n\n", [("a", "e"), ("b", "")]),
        ("data: a\ndata: b\n\n", [("a\nb", "")]),
        ("data\n\n", [("", "")]),
        (": comment\nid: 1\nretry: 5\nother: x\ndata: a\n\n", [("a", "")]),
        ("event: e\n\ndata: a\n\n", [("a", "")]),
        ("data: a", []),
        ("data: a\n", []),
        ("\ufeffdata: a\n\n", [("a", "")]),
        ("data: a\u2028b\x0b\x0c\x85\n\n", [("a\u2028b\x0b\x0c\x85", "")]),
        ("data: a\r\rdata: b\r\n\r\n", [("a", ""), ("b", "")]),
        ("\n\n\n", []),
    ],
)
def test_events(text: str, events: list[tuple[str, str]]) -> None:
    assert [(event.data, event.event) for event in read(text.encode())] == events


lines = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=20)
_events = st.builds(ServerEvent, lines, st.from_regex(r"[a-z_]{0,10}", fullmatch=True))


@given(st.lists(_events), st.lists(st.sampled_from(ENDS), min_size=1), st.data())
def test_events_are_the_same_however_they_are_cut(
    events: list[ServerEvent], ends: list[str], data: st.DataObject
) -> None:
    written = ""
    for number, event in enumerate(events):
        end = ends[number % len(ends)]
        written += f"event: {event.event}{end}data: {event.data}{end}{end}"
    raw = written.encode()
    cuts = data.draw(st.lists(st.integers(0, len(raw)), max_size=8).map(sorted))
    chunks = [raw[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    assert read(*chunks) == events
    assert read(*(raw[place : place + 1] for place in range(len(raw)))) == events


@given(st.lists(st.binary(max_size=40), max_size=6))
def test_any_bytes_are_events_or_no_utf8(chunks: list[bytes]) -> None:
    try:
        found = read(*chunks)
    except ModelReplyMalformed:
        return
    assert found == read(b"".join(chunks))


def test_a_line_in_many_pieces_takes_time_in_proportion() -> None:
    def seconds(count: int) -> float:
        began = time.process_time()
        read(b"data: ", *([b"x" * 100] * count), b"\n\n")
        return time.process_time() - began

    seconds(100)
    few, many = max(seconds(2_000), 1e-4), seconds(40_000)
    assert many < few * 20 * 15, "a square would be 400 times as long"


# Replies


@pytest.mark.parametrize(
    ("message", "end", "text", "arguments"),
    [
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "stop", "ab", ()),
        ({"content": "a"}, "eos", "a", ()),
        ({"content": "a", "reasoning_content": "hm", "refusal": None, "tool_calls": None}, "stop", "a", ()),
        ({"tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]}, "stop", "", ('{"a":1}',)),
        ({"tool_calls": [{"function": {"name": "f"}}]}, "tool_calls", "", ("{}",)),
    ],
)
def test_servers_that_are_particular_are_understood(
    message: dict[str, object], end: str, text: str, arguments: tuple[str, ...]
) -> None:
    body = {"choices": [{"message": message, "finish_reason": end}], "usage": {"prompt_tokens": -1}}
    reply = WIRES[ProviderKind.OPENAI].reply(json.dumps(body).encode(), REQUEST)
    assert (reply.text, tuple(call.arguments for call in reply.tool_calls)) == (text, arguments)
    assert reply.usage is None


def test_what_was_read_from_a_cache_was_read() -> None:
    usage = {
        "input_tokens": 5,
        "cache_read_input_tokens": 70,
        "cache_creation_input_tokens": 20,
        "output_tokens": 3,
    }
    body = {
        "type": "message",
        "content": [{"type": "text", "text": "a"}],
        "stop_reason": "end_turn",
        "usage": usage,
    }
    reply = WIRES[ProviderKind.ANTHROPIC].reply(json.dumps(body).encode(), REQUEST)
    assert reply.usage is not None
    assert (reply.usage.input, reply.usage.output) == (95, 3)


@KINDS
@given(text=st.text(st.characters(exclude_categories=["Cs"])), cut=st.integers(0, 400))
def test_a_stream_that_is_cut_anywhere_is_no_reply(kind: ProviderKind, text: str, cut: int) -> None:
    events = events_of(Said(text or "x"), anthropic=kind is ProviderKind.ANTHROPIC)
    whole = b"".join(events)
    reply = read_stream(kind, whole) if (text or "x").strip() else None
    if reply is not None:
        assert reply.text == (text or "x")
    part = whole[: max(0, len(whole) - 2 - cut)]
    with pytest.raises(ModelReplyTruncated):
        read_stream(kind, part)


@KINDS
@given(text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1), cut=st.integers(1, 400))
def test_a_body_that_is_cut_anywhere_is_no_reply(kind: ProviderKind, text: str, cut: int) -> None:
    body = json.dumps(body_of(Said(f".{text}"), anthropic=kind is ProviderKind.ANTHROPIC)).encode()
    assert WIRES[kind].reply(body, REQUEST).text == f".{text}"
    with pytest.raises(ModelReplyTruncated):
        WIRES[kind].reply(body[:-cut], REQUEST)


_keys = st.sampled_from(
    (
        *(
            "choices",
            "message",
            "delta",
            "content",
            "finish_reason",
            "tool_calls",
            "function",
            "name",
            "usage",
        ),
        *(
            "arguments",
            "index",
            "id",
            "error",
            "type",
            "text",
            "stop_reason",
            "input",
            "content_block",
            "code",
        ),
        *("partial_json", "prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "refusal"),
    )
)
_words = st.sampled_from(
    (
        *(
            "stop",
            "length",
            "tool_calls",
            "text",
            "tool_use",
            "message",
            "end_turn",
            "error",
            "message_start",
        ),
        *("content_block_start", "content_block_delta", "message_delta", "message_stop", "text_delta"),
        *("input_json_delta", "max_tokens", "refusal", "generate_pipeline", "{}", ""),
    )
)
_leaves = st.none() | st.booleans() | st.integers() | st.floats() | _words | st.text(max_size=5)
values = st.recursive(
    _leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=6),
    max_leaves=20,
)


def mutated(draw: Any, value: Any) -> Any:
    """A right reply with something wrong in one place."""
    if isinstance(value, dict) and value and draw(st.integers(0, 5)):
        key = draw(st.sampled_from(sorted(value)))
        changed = dict(value)
        if draw(st.booleans()):
            changed[key] = mutated(draw, value[key])
        else:
            del changed[key]
        return changed
    if isinstance(value, list) and value and draw(st.integers(0, 5)):
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], mutated(draw, value[place]), *value[place + 1 :]]
    return draw(values)


@KINDS
@given(body=values)
def test_any_json_is_a_reply_or_an_error(kind: ProviderKind, body: Any) -> None:
    check_reply(kind, json.dumps(body).encode())
    check_stream(kind, f"data: {json.dumps(body)}\n\ndata: [DONE]\n\n".encode())


@KINDS
@given(data=st.data())
def test_nearly_right_json_is_a_reply_or_an_error(kind: ProviderKind, data: st.DataObject) -> None:
    said = Said("some text", (("generate_pipeline", '{"a": 1}'),), "tools")
    anthropic = kind is ProviderKind.ANTHROPIC
    check_reply(kind, json.dumps(mutated(data.draw, body_of(said, anthropic=anthropic))).encode())
    events = events_of(said, anthropic=anthropic)
    place = data.draw(st.integers(0, len(events) - 2))
    head, _, event = events[place].partition(b"data: ")
    changed = json.dumps(mutated(data.draw, json.loads(event))).encode()
    check_stream(
        kind, b"".join([*events[:place], head + b"data: " + changed + b"\n\n", *events[place + 1 :]])
    )
    check_stream(kind, b"".join(data.draw(st.permutations(events))))


@KINDS
@given(body=st.binary(max_size=80))
def test_any_bytes_are_a_reply_or_an_error(kind: ProviderKind, body: bytes) -> None:
    check_reply(kind, body)
    check_stream(kind, body)


@KINDS
def test_a_tool_that_is_called_with_something_else_than_letters(kind: ProviderKind) -> None:
    said = Said("", (("look", '{"name": "x"}'),), "tools")
    body = json.dumps(body_of(said, anthropic=kind is ProviderKind.ANTHROPIC)).encode()
    with pytest.raises(ModelReplyMalformed):
        WIRES[kind].reply(body.replace(b"x", b"\xe5"), REQUEST)


@given(st.text())
def test_tokens_are_estimated_for_any_text(text: str) -> None:
    assert estimated_tokens(text) >= len(text) / 4
    assert estimated_tokens(text + "x") >= estimated_tokens(text)
