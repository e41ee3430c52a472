"""What is sent: the request in the words of each protocol, and nothing that should stay here."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dragoman.contracts.connection import SecretText
from dragoman.contracts.errors import ModelError
from dragoman.contracts.model import Message, ModelRequest, Speaker, Tool, ToolCall
from dragoman.contracts.model_settings import LimitName, ModelsSettings, SchemaMode
from dragoman.guards.secrets import find_secrets
from dragoman.models import Models, Patience, recording
from dragoman.models.openai import is_strict
from dragoman.models.outgoing import Outgoing
from tests.guards.test_secrets_kept_out import MESSAGES, SECRET
from tests.model_server import Asked, ModelServer, calls, says, status
from tests.models.ground import LONG, REQUEST, SCHEMA, Ground

KEY: Final = "q7w8-plain-words-as-a-key"
TOOL: Final = Tool("generate_pipeline", "Hand in the program.", SCHEMA)
TALK: Final = ModelRequest(
    (
        Message(Speaker.SYSTEM, "Write a program."),
        Message(Speaker.USER, "How many orders?"),
        Message(Speaker.USER, "In March.", values="\nstates: open, paid"),
        Message(Speaker.ASSISTANT, "", tool_calls=(ToolCall("c1", "look", '{"table": "orders"}'),)),
        Message(Speaker.TOOL, "two columns", call_id="c1"),
        Message(Speaker.SYSTEM, "Be brief."),
    ),
    max_output_tokens=77,
)


def sent(kind: str, request: ModelRequest, *, stream: bool = False, **said: Any) -> Asked:
    with ModelServer(says('{"verb": "x"}')) as server:
        settings = server.settings(kind, key="${MODEL_KEY}", **said)
        Ground(settings, environment={"MODEL_KEY": KEY}).ask(request, stream=stream)
        return server.requests[0]


def test_a_conversation_in_chat_completions() -> None:
    asked = sent("openai", TALK)
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["accept-encoding"] == "identity"
    called = {"name": "look", "arguments": '{"table": "orders"}'}
    assert asked.body == {
        "model": "scripted",
        "messages": [
            {"role": "system", "content": "Write a program."},
            {"role": "user", "content": "How many orders?"},
            {"role": "user", "content": "In March.\nstates: open, paid"},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"id": "c1", "type": "function", "function": called}],
            },
            {"role": "tool", "content": "two columns", "tool_call_id": "c1"},
            {"role": "system", "content": "Be brief."},
        ],
        "max_tokens": 77,
        "temperature": 0,
    }


def test_a_conversation_in_messages() -> None:
    asked = sent("anthropic", TALK)
    assert asked.path == "/v1/messages"
    assert asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in asked.headers
    assert asked.body == {
        "model": "scripted",
        "max_tokens": 77,
        "system": "Write a program.\n\nBe brief.",
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "How many orders?"},
                    {"type": "text", "text": "In March.\nstates: open, paid"},
                ],
            },
            {
                "role": "assistant",
                "content": [
                    {"type": "tool_use", "id": "c1", "name": "look", "input": {"table": "orders"}},
                ],
            },
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "two columns"}],
            },
        ],
        "temperature": 0,
    }


def test_a_schema_and_tools() -> None:
    asked = replace(REQUEST, response_schema=SCHEMA, response_name="plan")
    assert sent("openai", asked).body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "plan", "schema": SCHEMA, "strict": True},
    }
    assert sent("openai", asked, schema=SchemaMode.OBJECT).body["response_format"] == {"type": "json_object"}
    for kind in ("openai", "anthropic"):
        assert not {"response_format", "tools"} & sent(kind, asked, schema=SchemaMode.NONE).body.keys()
    body = sent("anthropic", asked).body
    assert [tool["name"] for tool in body["tools"]] == ["plan"]
    assert body["tools"][0]["input_schema"] == SCHEMA
    assert body["tool_choice"] == {"type": "tool", "name": "plan"}
    forced = replace(REQUEST, tools=(TOOL,), must_call=TOOL.name)
    body = sent("openai", forced).body
    assert body["tools"][0]["function"]["parameters"] == SCHEMA
    assert body["tool_choice"] == {"type": "function", "function": {"name": TOOL.name}}
    assert sent("anthropic", forced).body["tool_choice"] == {"type": "tool", "name": TOOL.name}
    both = replace(asked, tools=(TOOL,))
    body = sent("anthropic", both).body
    assert [tool["name"] for tool in body["tools"]] == [TOOL.name, "plan"]
    assert body["tool_choice"] == {"type": "any"}


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
@pytest.mark.parametrize("stream", [False, True])
def test_a_response_with_a_schema_is_text(kind: str, stream: bool) -> None:
    asked = replace(REQUEST, response_schema=SCHEMA)
    with ModelServer(says('{"verb": "order.count"}')) as server:
        ground = Ground(server.settings(kind))
        reply = ground.ask(asked, stream=stream)
    assert json.loads(reply.text) == {"verb": "order.count"}
    assert reply.tool_calls == ()
    if stream:
        assert json.loads(ground.streamed) == {"verb": "order.count"}


def test_settings_for_servers_that_are_particular() -> None:
    body = sent("openai", REQUEST, limit_name=LimitName.MAX_COMPLETION_TOKENS, send_temperature=False).body
    assert body["max_completion_tokens"] == 2_000
    assert not {"max_tokens", "temperature"} & body.keys()
    assert "temperature" not in sent("anthropic", REQUEST, send_temperature=False).body


def test_addresses_may_be_written_with_and_without_what_always_follows() -> None:
    with ModelServer(says("x")) as server:
        for base in ("", "/v1", "/v1/", "/gateway/v1"):
            Ground(replace(server.settings("anthropic"), base_url=server.url + base)).ask()
        paths = [asked.path for asked in server.requests]
    assert paths == ["/v1/messages", "/v1/messages", "/v1/messages", "/gateway/v1/messages"]


def test_broken_arguments_of_an_earlier_call_break_no_request() -> None:
    for arguments in ("{broken", "[1]", "", "null", "[" * 50_000):
        call = ToolCall("c1", "look", arguments)
        asked = ModelRequest((REQUEST.messages[1], Message(Speaker.ASSISTANT, "", tool_calls=(call,))))
        body = sent("anthropic", asked).body
        assert body["messages"][1]["content"][0]["input"] == {}


def test_what_openai_can_hold_a_model_to() -> None:
    closed = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    strict = {**closed, "additionalProperties": False}
    assert is_strict(strict)
    assert is_strict({**strict, "properties": {"a": {"type": "array", "items": strict}}})
    assert not is_strict(closed)
    assert not is_strict({**strict, "required": []})
    assert not is_strict({**strict, "properties": {"a": {"anyOf": [{"type": "null"}, closed]}}})


# What stays here


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_values_are_left_out_where_they_may_not_be_sent(kind: str) -> None:
    with ModelServer(says("x")) as server:
        own = server.settings(kind, "own", send_values=True, retries=0)
        ground = Ground(server.settings(kind, "far", retries=0), own, send_values=False)
        server.plays(status(503), says("x"))
        assert ground.ask(TALK).provider == "own"
        far, near = server.requests
    assert b"In March." in far.raw
    assert b"open, paid" not in far.raw
    assert b"open, paid" in near.raw


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
@pytest.mark.parametrize("message", MESSAGES)
def test_no_secret_leaves_in_any_request(kind: str, message: str, tmp_path: Path) -> None:
    """Wherever it stands in a request, and with every attempt; nor does a recording have it."""
    schema = {"type": "object", "description": message, "properties": {"a": {"enum": [message, KEY]}}}
    asked = ModelRequest(
        (
            Message(Speaker.SYSTEM, message),
            Message(Speaker.USER, f"{message}\n{KEY}", values=message),
            Message(Speaker.ASSISTANT, message, tool_calls=(ToolCall("c1", "look", json.dumps(message)),)),
            Message(Speaker.TOOL, message, call_id="c1"),
        ),
        response_schema=schema,
        tools=(Tool("look", message, schema),),
    )
    record = tmp_path / "exchanges.jsonl"
    with ModelServer(status(503), calls("look", json.dumps({"said": message}))) as server:
        settings = ModelsSettings((server.settings(kind, key="${MODEL_KEY}"),))
        models = Models(
            settings,
            {"MODEL_KEY": KEY},
            patience=Patience(pause=lambda *_: None),
            transports=recording(record),
        )
        models.turn().complete(asked, deadline_seconds=LONG)
        assert len(server.requests) == 2
        for request in server.requests:
            assert SECRET.encode() not in request.raw
            assert KEY.encode() not in request.raw
            assert [text for text in texts_of(request.body) if find_secrets(text)] == []
            assert [name for name, text in request.headers.items() if KEY in text] == [
                "authorization" if kind == "openai" else "x-api-key"
            ]
            assert SECRET not in str(request.headers) + request.path
    written = record.read_text()
    assert KEY not in written
    assert SECRET not in written


def test_a_secret_in_two_pieces_is_one() -> None:
    asked = ModelRequest((Message(Speaker.USER, "the password is ", values=SECRET),))
    assert SECRET not in json.dumps(sent("openai", asked).body)


@given(
    st.lists(st.sampled_from([*MESSAGES, KEY, "orders", ": ", "password=", "\n", '"']), max_size=6),
    st.booleans(),
)
def test_what_was_cleaned_has_no_known_secret(pieces: list[str], values: bool) -> None:
    text = "".join(pieces)
    asked = ModelRequest((Message(Speaker.USER, text, values=text),))
    clean = Outgoing((SecretText(KEY), SecretText("short"))).request(asked, send_values=values)
    [message] = clean.messages
    assert KEY not in message.text
    assert not find_secrets(message.text)
    assert message.values == ""


def test_errors_and_attempts_name_no_key() -> None:
    with ModelServer(status(400, message=f"bad key {KEY}")) as server:
        ground = Ground(server.settings("openai", key="${MODEL_KEY}"), environment={"MODEL_KEY": KEY})
        error = ground.refusal()
    assert isinstance(error, ModelError)
    assert KEY not in f"{error.args} {error.hint} {error.details} {ground.attempts} {vars(ground.models)}"


def texts_of(value: Any) -> list[str]:
    match value:
        case dict():
            return [text for each in (*value.keys(), *value.values()) for text in texts_of(each)]
        case list():
            return [text for each in value for text in texts_of(each)]
        case str():
            return [value]
        case _:
            return []
