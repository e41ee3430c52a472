"""Exchanges kept in a file and given again from it."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import (
    ModelCancelled,
    ModelNotRecorded,
    ModelOverloaded,
    ModelUnreachable,
    RecordingUnusable,
)
from dragoman.contracts.model import Message, ModelReply, ModelRequest, Speaker, TextPiece
from dragoman.contracts.model_settings import ModelsSettings, ProviderSettings
from dragoman.models import Models, Patience, recording, replaying
from dragoman.models.transport import Transports
from tests.model_server import Behaviour, ModelServer, calls, disconnects_midway, lingers, says, status
from tests.models.ground import LONG, REQUEST

KEY = "q7w8-plain-words-as-a-key"
OTHER = ModelRequest((Message(Speaker.USER, "How many 주문 are there?"),))


def asked(
    settings: ProviderSettings,
    transports: Transports,
    request: ModelRequest = REQUEST,
    *,
    stream: bool = False,
) -> tuple[ModelReply, list[TextPiece]]:
    pieces: list[TextPiece] = []
    models = Models(
        ModelsSettings((settings,)),
        {"MODEL_KEY": KEY},
        transports=transports,
        patience=Patience(pause=lambda *_: None),
    )
    on_text = pieces.append if stream else None
    return models.turn().complete(request, deadline_seconds=LONG, on_text=on_text), pieces


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("behaviour", [says("Größe 👋"), calls("look", '{"a": 1}'), lingers("done")])
def test_what_was_recorded_is_given_again(
    kind: str, stream: bool, behaviour: Behaviour, tmp_path: Path
) -> None:
    path = tmp_path / "exchanges.jsonl"
    with ModelServer(status(503, retry_after="0"), behaviour) as server:
        settings = server.settings(kind, key="${MODEL_KEY}")
        first, said = asked(settings, recording(path), stream=stream)
    # The server is gone; its port may be anybody's.
    moved = replace(settings, base_url=settings.base_url.replace("127.0.0.1", "localhost"))
    again, said_again = asked(moved, replaying(path), stream=stream)
    assert replace(again, attempts=()) == replace(first, attempts=())
    assert said_again == said
    assert [attempt.code for attempt in again.attempts] == ["model_overloaded", ""]
    assert KEY not in path.read_text()


def test_answers_come_in_their_order_and_the_last_one_stays(tmp_path: Path) -> None:
    path = tmp_path / "exchanges.jsonl"
    with ModelServer(says("broken"), says("other"), says("good")) as server:
        settings = server.settings("openai")
        for request in (REQUEST, OTHER, REQUEST):
            asked(settings, recording(path), request)
    replay = replaying(path)
    assert asked(settings, replay, OTHER)[0].text == "other"
    assert [asked(settings, replay)[0].text for _ in range(4)] == ["broken", "good", "good", "good"]


def test_what_was_not_recorded_has_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "exchanges.jsonl"
    with ModelServer(says("x")) as server:
        settings = server.settings("openai")
        asked(settings, recording(path))
    with pytest.raises(ModelNotRecorded, match=r"exchanges\.jsonl has no answer") as caught:
        asked(settings, replaying(path), OTHER)
    assert "How many" in str(caught.value.details["request"])
    with pytest.raises(ModelNotRecorded):
        asked(replace(settings, model="another"), replaying(path))


def test_what_broke_off_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "exchanges.jsonl"
    with ModelServer(disconnects_midway(), says("x")) as server:
        asked(server.settings("openai"), recording(path))
        dead = server.settings("openai", retries=0)
    assert len(path.read_text().splitlines()) == 1
    with pytest.raises(ModelUnreachable):
        asked(dead, recording(path))
    assert len(path.read_text().splitlines()) == 1


def test_a_replay_can_be_cancelled(tmp_path: Path) -> None:
    path = tmp_path / "exchanges.jsonl"
    path.write_text("")
    cancel = Cancellation()
    cancel.cancel()
    with ModelServer(says("x")) as server:
        models = Models(ModelsSettings((server.settings("openai"),)), {}, transports=replaying(path))
    with pytest.raises(ModelCancelled):
        models.turn().complete(REQUEST, deadline_seconds=LONG, cancel=cancel)


EXCHANGE = {"request": "POST / {}", "answer": {"status": 200, "headers": {}, "body": ""}}


@pytest.mark.parametrize(
    "line",
    [
        "no JSON",
        "[]",
        "[" * 100_000,
        '{"request": "POST / {}"}',
        json.dumps({**EXCHANGE, "request": 1}),
        json.dumps({**EXCHANGE, "answer": {**EXCHANGE["answer"], "status": 9}}),  # type: ignore[dict-item]
        json.dumps({**EXCHANGE, "answer": {**EXCHANGE["answer"], "headers": {"a": 1}}}),  # type: ignore[dict-item]
    ],
)
def test_a_file_of_something_else_is_refused(line: str, tmp_path: Path) -> None:
    path = tmp_path / "exchanges.jsonl"
    path.write_text(f"{json.dumps(EXCHANGE)}\n{line}\n")
    with pytest.raises(RecordingUnusable, match=r"exchanges\.jsonl:2 "):
        replaying(path)


def test_a_file_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(RecordingUnusable, match="cannot be read"):
        replaying(tmp_path / "none")
    with ModelServer(says("x")) as server, pytest.raises(RecordingUnusable, match="cannot be written"):
        asked(server.settings("openai"), recording(tmp_path))


def test_errors_are_recorded_as_well(tmp_path: Path) -> None:
    path = tmp_path / "exchanges.jsonl"
    with ModelServer(status(503)) as server:
        settings = server.settings("openai", retries=0)
        with pytest.raises(ModelOverloaded):
            asked(settings, recording(path))
    with pytest.raises(ModelOverloaded, match="not now"):
        asked(settings, replaying(path))
