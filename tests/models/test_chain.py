"""The chain: the same provider again, the next one, or an error that says everything that was tried."""

import datetime as dt
from decimal import Decimal
from email.utils import format_datetime

import httpx
import pytest
from msgspec.structs import replace

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import (
    ModelBudgetSpent,
    ModelCancelled,
    ModelOverloaded,
    ModelRefused,
    ModelReplyEmpty,
    ModelTimeout,
    ModelUnusable,
)
from dragoman.contracts.model import ModelAttempt, ModelSpending, TokenUsage
from dragoman.contracts.model_settings import ModelsSettings
from dragoman.contracts.report import (
    OutputValidationFailureEvent,
    OutputValidationSettings,
    Recovery,
    ValidationMode,
)
from dragoman.models import Models, Patience, counted_in
from dragoman.models.exchange import retry_after
from dragoman.reports.tally import MemoryRecorder, metrics_of
from dragoman.reports.validation import OutputValidation
from tests.model_server import (
    Behaviour,
    ModelServer,
    cuts,
    disconnects,
    disconnects_midway,
    empty,
    filters,
    says,
    stalls,
    status,
    types,
)
from tests.models.ground import LONG, REQUEST, SHORT, Clock, Ground

RETRY, REASSIGNMENT = Recovery.RETRY, Recovery.REASSIGNMENT


@pytest.mark.parametrize(
    "first", [status(429), status(503), disconnects(), disconnects_midway(), empty(), types("text/html")]
)
@pytest.mark.parametrize("stream", [False, True])
def test_bad_then_good(first: Behaviour, stream: bool) -> None:
    with ModelServer(first, says("a program")) as server:
        ground = Ground(server.settings("openai"))
        reply = ground.ask(stream=stream)
        assert len(server.requests) == 2
        assert server.requests[0].raw == server.requests[1].raw
    assert reply.text == "a program"
    assert [attempt.recovery for attempt in reply.attempts] == [RETRY, None]
    assert list(reply.attempts) == ground.attempts
    assert len(ground.waits) == 1
    if stream:
        assert ground.streamed == "a program", "the text of the first attempt is told apart"
        assert ground.pieces[-1].attempt == 2


@pytest.mark.parametrize("behaviour", [status(400), cuts("half"), filters()])
def test_what_would_only_happen_again_is_not_retried(behaviour: Behaviour) -> None:
    with ModelServer(behaviour) as server:
        ground = Ground(server.settings("anthropic", retries=5))
        ground.refusal()
        assert len(server.requests) == 1
    assert ground.waits == []


def test_retries_end() -> None:
    with ModelServer(status(503)) as server:
        ground = Ground(server.settings("openai", retries=3))
        error = ground.refusal()
        assert len(server.requests) == 4
    assert isinstance(error, ModelOverloaded)
    assert [attempt.recovery for attempt in ground.attempts] == [RETRY, RETRY, RETRY, None]
    assert ground.waits == [0.5, 1.0, 2.0]
    assert (
        error.details["attempts"]
        == [{"provider": "scripted", "model": "scripted", "code": "model_overloaded"}] * 4
    )


@pytest.mark.parametrize("stream", [False, True])
def test_the_next_provider_takes_over(stream: bool) -> None:
    with ModelServer(disconnects_midway()) as bad, ModelServer(says("a program")) as good:
        first, second = bad.settings("anthropic", "first", retries=1), good.settings("openai", "second")
        ground = Ground(first, second)
        reply = ground.ask(stream=stream)
    assert (reply.text, reply.provider) == ("a program", "second")
    assert [attempt.recovery for attempt in reply.attempts] == [RETRY, REASSIGNMENT, None]
    assert [attempt.provider for attempt in reply.attempts] == ["first", "first", "second"]
    if stream:
        assert {piece.attempt: piece.provider for piece in ground.pieces} == {
            1: "first",
            2: "first",
            3: "second",
        }


def test_when_all_fail_the_last_error_tells_everything() -> None:
    with ModelServer(status(401)) as one, ModelServer(empty()) as two:
        ground = Ground(one.settings("openai", "one"), two.settings("anthropic", "two", retries=0))
        error = ground.refusal()
    assert isinstance(error, ModelReplyEmpty)
    assert [attempt.recovery for attempt in ground.attempts] == [REASSIGNMENT, None]
    tried = error.details["attempts"]
    assert isinstance(tried, list)
    assert [each["code"] for each in tried if isinstance(each, dict)] == [
        "model_refused",
        "model_reply_empty",
    ]


def test_a_provider_that_hangs_leaves_the_next_one_time() -> None:
    with ModelServer(stalls()) as bad, ModelServer(says("a program")) as good:
        ground = Ground(
            bad.settings("openai", "first", deadline_seconds=1), good.settings("openai", "second")
        )
        clock = Clock()
        assert ground.ask().provider == "second"
    assert ground.codes == ["model_timeout", ""]
    assert clock.seconds < LONG


def test_nobody_is_asked_after_the_deadline() -> None:
    with ModelServer(stalls()) as bad, ModelServer(says("a program")) as good:
        ground = Ground(bad.settings("openai", "first"), good.settings("openai", "second"))
        error = ground.refusal(seconds=SHORT)
        assert good.requests == []
    assert isinstance(error, ModelTimeout)
    assert [(each.code, each.recovery) for each in ground.attempts] == [("model_timeout", None)]


@pytest.mark.parametrize(
    ("header", "least"), [("7", 7.0), ("0.25", 0.25), ("junk", 0.5), ("-3", 0.5), ("nan", 0.5)]
)
def test_it_waits_as_long_as_it_is_asked_to(header: str, least: float) -> None:
    with ModelServer(status(429, retry_after=header), says("x")) as server:
        ground = Ground(server.settings("openai"))
        ground.ask()
    assert least <= ground.waits[0] <= least + 0.05


def test_it_does_not_wait_past_its_deadline() -> None:
    with ModelServer(status(429, retry_after="3600")) as busy, ModelServer(says("x")) as good:
        ground = Ground(busy.settings("openai", "first"), good.settings("openai", "second"))
        assert ground.ask().provider == "second"
    assert ground.waits == []
    assert [attempt.recovery for attempt in ground.attempts] == [REASSIGNMENT, None]


def test_retry_after_may_be_a_date() -> None:
    at = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=1_000)
    for date in (format_datetime(at, usegmt=True), at.strftime("%A, %d-%b-%y %H:%M:%S GMT")):
        found = retry_after(httpx.Headers({"retry-after": date}))
        assert found is not None
        assert 900 < found <= 1_000
    assert retry_after(httpx.Headers({"retry-after": "Sun, 06 Nov 1994 08:49:37 GMT"})) == 0
    assert retry_after(httpx.Headers({"retry-after-ms": "1500", "retry-after": "9"})) == 1.5
    assert retry_after(httpx.Headers({"retry-after": "1e300"})) == 86_400
    assert retry_after(httpx.Headers()) is None


def test_waits_differ_and_grow() -> None:
    chances = iter([0.0, 1.0, 0.5] * 10)
    patience = Patience(chance=lambda: next(chances))
    busy = ModelOverloaded("busy")
    assert [patience.seconds(busy, 1) for _ in range(3)] == [0.25, 0.5, 0.375]
    assert [patience.seconds(busy, 9) for _ in range(3)] == [10, 20, 15]


def test_a_wait_ends_when_it_is_cancelled() -> None:
    cancel = Cancellation()

    def chance() -> float:
        """Asked right before the wait, which would take half an hour."""
        cancel.cancel()
        return 1.0

    with ModelServer(status(429, retry_after="1800")) as server:
        settings = ModelsSettings((server.settings("openai", deadline_seconds=3_600),))
        model = Models(settings, {}, patience=Patience(chance)).turn()
        with pytest.raises(ModelCancelled):
            model.complete(REQUEST, deadline_seconds=3_600, cancel=cancel)
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "said", [{"key": "${NO_SUCH_KEY}"}, {"base_url": "${NO_URL}"}, {"model": "${NO_MODEL}"}]
)
def test_a_missing_variable_is_a_reason_to_ask_the_next(said: dict[str, str]) -> None:
    with ModelServer(says("x")) as server:
        broken = replace(server.settings("openai", "first"), **said)
        ground = Ground(broken, server.settings("openai", "second"))
        assert ground.ask().provider == "second"
        error = Ground(broken).refusal()
    assert isinstance(error, ModelUnusable)
    assert "is not set" in error.message
    assert ground.attempts[0].usage == TokenUsage()


def test_an_address_from_a_variable_is_judged_when_it_is_known() -> None:
    with ModelServer(says("x")) as server:
        settings = server.settings("openai", "first")
    for url in ("http://169.254.169.254/v1", "http://models.example.org/v1", "file:///etc/passwd"):
        broken = replace(settings, base_url="${URL}")
        error = Ground(broken, environment={"URL": url}).refusal()
        assert isinstance(error, ModelUnusable), url


def test_without_providers_nobody_is_asked() -> None:
    assert isinstance(Ground().refusal(), ModelUnusable)


# What it costs


def test_tokens_and_costs_are_counted() -> None:
    with ModelServer(says("x")) as server:
        paid = server.settings("openai", price_in=Decimal(3), price_out=Decimal("15.5"))
        ground = Ground(paid)
        reply = ground.ask()
        ground.ask()
        other = ground.models.turn()
        other.complete(REQUEST, deadline_seconds=LONG)
    once = (11 * Decimal(3) + 7 * Decimal("15.5")) / 1_000_000
    assert reply.cost == once
    assert ground.turn.spent == ModelSpending(2, 0, TokenUsage(22, 14), once * 2)
    assert other.spent.requests == 1
    assert ground.models.totals == {"scripted": ModelSpending(3, 0, TokenUsage(33, 21), once * 3)}


def test_what_failed_is_counted_too() -> None:
    with ModelServer(cuts("half of a reply"), says("x")) as server:
        one = server.settings(
            "openai", "one", price_in=Decimal(1), price_out=Decimal(1), max_output_tokens=500
        )
        ground = Ground(one, server.settings("openai", "two"))
        ground.ask()
        sent = -(-len(server.requests[0].raw) // 3)
    assert ground.attempts[0].usage == TokenUsage(sent, 500, estimated=True)
    assert ground.turn.spent.usage == TokenUsage(sent + 11, 507, estimated=True)
    assert ground.turn.spent.failures == 1
    assert ground.turn.spent.cost == Decimal(sent + 500) / 1_000_000, "the second has no prices"


@pytest.mark.parametrize("behaviour", [status(429), status(400), disconnects()])
def test_what_was_refused_costs_nothing(behaviour: Behaviour) -> None:
    with ModelServer(behaviour) as server:
        ground = Ground(server.settings("openai", retries=0))
        ground.refusal()
    assert ground.turn.spent == ModelSpending(1, 1)


def test_the_budget_of_a_turn_bounds_what_is_asked_for() -> None:
    with ModelServer(says("x")) as server:
        ground = Ground(server.settings("openai", max_output_tokens=1_000), turn_tokens=600)
        ground.ask()
        first = server.requests[0]
    assert 100 < first.body["max_tokens"] < 600
    assert -(-len(first.raw) // 3) + first.body["max_tokens"] <= 601


def test_turn_tokens_hold_for_the_turn_alone() -> None:
    with ModelServer(says("x")) as server:
        ground = Ground(server.settings("openai"), turn_tokens=400)
        error = next(filter(None, map(ground.outcome, range(40))))
        assert isinstance(error, ModelBudgetSpent)
        assert error.details["setting"] == "turn_tokens"
        assert ground.turn.spent.usage.total <= 400
        before = len(server.requests)
        assert ground.models.turn().complete(REQUEST, deadline_seconds=LONG).text == "x"
        assert len(server.requests) == before + 1


def test_turn_cost_leaves_free_models_to_be_asked() -> None:
    with ModelServer(says("x")) as server:
        dear = server.settings("openai", "dear", price_in=Decimal(1), price_out=Decimal(1_000_000))
        free = server.settings("openai", "free", price_in=Decimal(0), price_out=Decimal(0))
        ground = Ground(dear, free, turn_cost=Decimal("0.5"))
        assert ground.ask().provider == "free"
        assert ground.codes == ["model_budget_spent", ""]
        assert isinstance(Ground(dear, turn_cost=Decimal("0.5")).refusal(), ModelBudgetSpent)


def test_an_error_of_whoever_watches_leaves_the_account_in_order() -> None:
    class Enough(Exception):
        pass

    def watch(_: ModelAttempt) -> None:
        raise Enough

    with ModelServer(says("x")) as server:
        models = Models(
            ModelsSettings((server.settings("openai", max_output_tokens=300),), turn_tokens=5_000), {}
        )
        turn = models.turn(watch)
        for _ in range(20):
            with pytest.raises(Enough):
                turn.complete(REQUEST, deadline_seconds=LONG)
        assert turn.spent.requests == 20


# What became of it, in the account of the reports


def test_recoveries_and_failures_are_counted_with_those_of_reports() -> None:
    recorder, told = MemoryRecorder(), list[OutputValidationFailureEvent]()
    settings = OutputValidationSettings(
        ValidationMode.SHADOW, ValidationMode.SHADOW, canary_acknowledged=False
    )
    validation = OutputValidation(settings, recorder, lambda: 1_000.0, unrecorded=lambda error: None)
    with ModelServer(status(503, message="password=Tr0ub4dor-and-3")) as bad, ModelServer(says("x")) as good:
        first, second = bad.settings("openai", "first", retries=2), good.settings("openai", "second")
        models = Models(ModelsSettings((first, second)), {}, patience=Patience(pause=lambda *_: None))
        watch = counted_in(validation, task="plan", listener=told.append)
        models.turn(watch).complete(REQUEST, deadline_seconds=LONG)
    metrics = metrics_of(recorder.tally, settings, 1_000.0)
    assert (metrics.recoveries.retries, metrics.recoveries.reassignments, metrics.recoveries.failures) == (
        2,
        1,
        0,
    )
    assert metrics.failures_by_code == {"model_overloaded": 3}
    assert {(each.agent, each.agent_type, each.code, each.enforced) for each in told} == {
        ("first", "model", "model_overloaded", True)
    }
    assert len(told) == 3
    assert all("status 503" in each.error and "Tr0ub4dor" not in each.error for each in told)


def test_nothing_is_counted_where_nobody_checks() -> None:
    recorder, told = MemoryRecorder(), list[OutputValidationFailureEvent]()
    settings = OutputValidationSettings(
        ValidationMode.DISABLED, ValidationMode.DISABLED, canary_acknowledged=False
    )
    validation = OutputValidation(settings, recorder, unrecorded=lambda error: None)
    watch = counted_in(validation, task="plan", listener=told.append)
    watch(ModelAttempt("first", "m", "model_timeout", "too late"))
    assert told == []
    assert recorder.tally.failures == {}


def test_an_unknown_error_is_worth_no_retry() -> None:
    with ModelServer(status(418)) as server:
        error = Ground(server.settings("openai")).refusal()
        assert len(server.requests) == 1
    assert isinstance(error, ModelRefused)
