"""Every way in which a provider behaves: a whole reply or an error with a name, always within the time."""

import threading
from typing import Final

import pytest

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import (
    ModelCancelled,
    ModelError,
    ModelOverloaded,
    ModelRefused,
    ModelReplyEmpty,
    ModelReplyMalformed,
    ModelReplyTooLarge,
    ModelReplyTruncated,
    ModelReplyWithheld,
    ModelTimeout,
    ModelUnreachable,
)
from dragoman.contracts.model import EndReason, TokenUsage
from tests.model_server import (
    LEGACY_PROGRAM,
    PROSE,
    UNFINISHED_PROGRAM,
    Behaviour,
    ModelServer,
    breaks_events,
    breaks_json,
    calls,
    cuts,
    disconnects,
    disconnects_midway,
    drips,
    drips_head,
    empty,
    ends_without_end,
    fails_midway,
    filters,
    huge,
    lingers,
    packs,
    says,
    says_whole,
    speaks_no_http,
    stalls,
    status,
    types,
    waits,
)
from tests.models.ground import REQUEST, SHORT, Clock, Ground
from tests.patience import PROMPT, once

KINDS = pytest.mark.parametrize("kind", ["openai", "anthropic"])
STREAMED = pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
TEXT = 'SELECT "Größe" — 주문 👋\n'


REFUSALS: Final[dict[str, tuple[Behaviour, type[ModelError]]]] = {
    "empty": (empty(), ModelReplyEmpty),
    "blank": (says("  \n"), ModelReplyEmpty),
    "cut by length": (cuts("half of"), ModelReplyTruncated),
    "filtered": (filters(), ModelReplyWithheld),
    "disconnects": (disconnects(), ModelUnreachable),
    "disconnects midway": (disconnects_midway(), ModelReplyTruncated),
    "ends without end": (ends_without_end(), ModelReplyTruncated),
    "breaks json": (breaks_json(), ModelReplyMalformed),
    "breaks events": (breaks_events(), ModelReplyMalformed),
    "html": (types("text/html"), ModelReplyMalformed),
    "no type": (types(""), ModelReplyMalformed),
    "a list": (types("application/json", b"[]"), ModelReplyMalformed),
    "an empty object": (types("application/json", b"{}"), ModelReplyMalformed),
    "an empty body": (types("application/json", b""), ModelReplyTruncated),
    "deep": (types("application/json", b"[" * 100_000), ModelReplyMalformed),
    "packed": (packs(), ModelReplyMalformed),
    "no http": (speaks_no_http(), ModelReplyMalformed),
    "huge": (huge(), ModelReplyTooLarge),
    "fails midway": (fails_midway(), ModelOverloaded),
    "refuses midway": (fails_midway("no such tool", "invalid_request_error"), ModelRefused),
    "429": (status(429), ModelOverloaded),
    "500": (status(500), ModelOverloaded),
    "529": (status(529), ModelOverloaded),
    "quota": (status(429, kind="insufficient_quota"), ModelRefused),
    "400": (status(400), ModelRefused),
    "401": (status(401), ModelRefused),
    "404": (status(404), ModelRefused),
    "302": (status(302), ModelRefused),
}


@KINDS
@STREAMED
def test_a_whole_reply(kind: str, stream: bool) -> None:
    with ModelServer(says(TEXT)) as server:
        ground = Ground(server.settings(kind))
        reply = ground.ask(stream=stream)
    assert (reply.text, reply.tool_calls, reply.ended) == (TEXT, (), EndReason.STOP)
    assert (reply.provider, reply.model) == ("scripted", "scripted")
    assert reply.usage == TokenUsage(11, 7)
    assert ground.streamed == (TEXT if stream else "")
    assert ground.codes == [""]


@KINDS
def test_a_server_that_cannot_stream_is_heard_at_the_end(kind: str) -> None:
    with ModelServer(says_whole(TEXT)) as server:
        ground = Ground(server.settings(kind))
        assert ground.ask(stream=True).text == TEXT
    assert [piece.text for piece in ground.pieces] == [TEXT]


@KINDS
@STREAMED
@pytest.mark.parametrize("text", [LEGACY_PROGRAM, UNFINISHED_PROGRAM, PROSE])
def test_a_wrong_program_is_a_whole_reply(kind: str, stream: bool, text: str) -> None:
    """What a model writes is judged by whoever asked it."""
    with ModelServer(says(text)) as server:
        ground = Ground(server.settings(kind))
        assert ground.ask(stream=stream).text == text
    assert ground.codes == [""]


@KINDS
@STREAMED
def test_a_tool_is_called(kind: str, stream: bool) -> None:
    arguments = '{"program":"(order.count)"}'
    with ModelServer(calls("generate_pipeline", arguments, "Here it is.")) as server:
        reply = Ground(server.settings(kind)).ask(stream=stream)
    assert reply.ended is EndReason.TOOL_CALLS
    assert reply.text == "Here it is."
    [call] = reply.tool_calls
    assert (call.name, call.arguments.replace(" ", "")) == ("generate_pipeline", arguments)
    assert call.id


@KINDS
@STREAMED
def test_what_is_not_counted_is_estimated(kind: str, stream: bool) -> None:
    with ModelServer(says("a program", counted=False)) as server:
        reply = Ground(server.settings(kind)).ask(stream=stream)
        sent = len(server.requests[0].raw)
    assert reply.usage == TokenUsage(-(-sent // 3), 3, estimated=True)


@KINDS
@STREAMED
def test_a_line_that_stays_open_behind_the_reply_does_not_matter(kind: str, stream: bool) -> None:
    with ModelServer(lingers("done")) as server:
        assert Ground(server.settings(kind)).ask(stream=stream).text == "done"


@KINDS
@STREAMED
@pytest.mark.parametrize("case", REFUSALS)
def test_what_is_no_whole_reply_is_an_error(kind: str, stream: bool, case: str) -> None:
    behaviour, kind_of_error = REFUSALS[case]
    with ModelServer(behaviour) as server:
        ground = Ground(server.settings(kind, retries=0))
        error = ground.refusal(stream=stream)
    assert type(error) is kind_of_error, error
    assert error.message.startswith("scripted: ")
    assert error.details["provider"] == "scripted"
    assert ground.codes == [error.code]


@KINDS
@STREAMED
@pytest.mark.parametrize("behaviour", [stalls(), drips(), drips_head()], ids=["stalls", "drips", "head"])
def test_no_behaviour_stretches_the_deadline(kind: str, stream: bool, behaviour: Behaviour) -> None:
    with ModelServer(behaviour) as server:
        # On a busy machine the time may be over before the request has come.
        for seconds in (SHORT, 10 * SHORT, 100 * SHORT):
            clock = Clock()
            error = Ground(server.settings(kind)).refusal(seconds=seconds, stream=stream)
            assert isinstance(error, ModelTimeout)
            assert seconds <= clock.seconds < seconds + PROMPT
            if server.held.is_set():
                break
        assert server.gone.wait(PROMPT), "the line was not closed"


@KINDS
@STREAMED
@pytest.mark.parametrize("behaviour", [stalls(), drips(), drips_head()], ids=["stalls", "drips", "head"])
def test_it_can_be_cancelled_from_another_thread(kind: str, stream: bool, behaviour: Behaviour) -> None:
    cancel = Cancellation()
    with ModelServer(behaviour) as server:
        ground = Ground(server.settings(kind), server.settings(kind, "second"))
        with (
            pytest.raises(ModelCancelled),
            once(server.held.is_set, cancel.cancel, "the request has come"),
        ):
            ground.ask(cancel=cancel, stream=stream)
        assert server.gone.wait(PROMPT), "the line was not closed"
    assert ground.codes == ["model_cancelled"], "nobody else is asked"


def test_what_was_cancelled_before_is_not_sent() -> None:
    cancel = Cancellation()
    cancel.cancel()
    with ModelServer(says("x")) as server:
        with pytest.raises(ModelCancelled):
            Ground(server.settings("openai")).ask(cancel=cancel)
        assert server.requests == []


@KINDS
@STREAMED
def test_slow_is_not_wrong(kind: str, stream: bool) -> None:
    gate = threading.Event()
    with (
        ModelServer(waits(gate, "at last")) as server,
        once(server.held.is_set, gate.set, "the request has come"),
    ):
        assert Ground(server.settings(kind)).ask(stream=stream).text == "at last"


@KINDS
def test_an_error_of_the_listener_goes_through_and_closes_the_line(kind: str) -> None:
    class Enough(Exception):
        pass

    def listener(_: object) -> None:
        raise Enough

    with ModelServer(lingers("a long text")) as server:
        ground = Ground(server.settings(kind), turn_tokens=5_000)
        for _ in range(9):
            with pytest.raises(Enough):
                ground.turn.complete(REQUEST, deadline_seconds=PROMPT, on_text=listener)
        assert server.gone.wait(PROMPT)


def test_nobody_there() -> None:
    with ModelServer(says("x")) as server:
        settings = server.settings("openai", retries=0)
    error = Ground(settings).refusal()
    assert isinstance(error, ModelUnreachable)
    assert "base_url" in error.hint


def test_what_the_provider_says_of_an_error_is_told_without_its_key() -> None:
    key = "q7w8-plain-words-as-a-key"
    message = f"Incorrect API key provided: {key}. password=Tr0ub4dor-and-3 is wrong too"
    with ModelServer(status(401, message=message)) as server:
        settings = server.settings("openai", key="${MODEL_KEY}")
        error = Ground(settings, environment={"MODEL_KEY": key}).refusal()
    assert "Incorrect API key provided" in error.message
    assert key not in f"{error.message} {error.hint} {error.details}"
    assert "Tr0ub4dor" not in error.message
    assert error.details["status"] == 401
