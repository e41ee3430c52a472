"""A chain of providers: the same one again, the next one, or the error of the last."""

import time
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import (
    ModelCancelled,
    ModelError,
    ModelOverloaded,
    ModelRefused,
    ModelReplyTruncated,
    ModelUnreachable,
    ModelUnusable,
)
from dragoman.contracts.model import (
    ModelAttempt,
    ModelReply,
    ModelRequest,
    ModelSpending,
    OnText,
    TextPiece,
    TokenUsage,
)
from dragoman.contracts.report import Recovery
from dragoman.models.accounts import Reserved, TurnAccount
from dragoman.models.patience import Patience, is_worth_a_retry
from dragoman.models.provider import Prepared, Provider
from dragoman.models.tokens import cost_of
from dragoman.models.wire import WireReply

Watch = Callable[[ModelAttempt], None]
"""Told of every request when it is over, in the thread that asked."""

_FREE = (ModelUnusable, ModelUnreachable, ModelRefused, ModelOverloaded)
"""After these nothing was written, so that nothing is charged."""


class TurnModel:
    """The model of one turn: it asks the providers in their order, within the budget of the turn."""

    def __init__(
        self, providers: Sequence[Provider], account: TurnAccount, watch: Watch, patience: Patience
    ) -> None:
        self._providers = providers
        self._account = account
        self._watch = watch
        self._patience = patience

    @property
    def spent(self) -> ModelSpending:
        """What the turn has used until now, with everything that failed."""
        return self._account.spending

    @property
    def seconds(self) -> float:
        """How long the requests of the turn took, waits left out."""
        return self._account.seconds

    def complete(
        self,
        request: ModelRequest,
        *,
        deadline_seconds: float,
        cancel: Cancellation | None = None,
        on_text: OnText | None = None,
    ) -> ModelReply:
        """See `Model.complete`. Raises `ModelError`: that of the last provider that was asked."""
        course = _Course(request, time.monotonic() + deadline_seconds, cancel or Cancellation(), on_text)
        failure: ModelError | None = None
        for number, provider in enumerate(self._providers):
            is_last = number == len(self._providers) - 1
            try:
                return self._ask(provider, course, is_last=is_last)
            except ModelCancelled as error:
                raise _told(error, course) from error
            except ModelError as error:
                failure = error
                if course.attempts[-1].recovery is not Recovery.REASSIGNMENT:
                    break
        failure = failure or ModelUnusable("no model is configured", hint="name one in dragoman.yaml")
        raise _told(failure, course) from failure

    def _ask(self, provider: Provider, course: "_Course", *, is_last: bool) -> ModelReply:
        """One provider, as often as its settings say. Its own deadline leaves the next one some time."""
        deadline = min(course.deadline, time.monotonic() + provider.settings.deadline_seconds)
        failures = 0
        while True:
            attempt = _Attempt(provider, course)
            try:
                return self._try(attempt, deadline)
            except ModelError as error:
                failures += 1
                wait = self._wait(error, provider, failures, deadline)
                others = not (is_last or course.is_late() or isinstance(error, ModelCancelled))
                recovery = Recovery.RETRY if wait is not None else Recovery.REASSIGNMENT if others else None
                self._note(attempt, error, recovery)
                if wait is None:
                    raise
            except BaseException:
                self._account.release(attempt.reserved)
                raise
            self._patience.wait(wait, course.cancel)
            if course.cancel.cancelled:
                raise ModelCancelled("the request to the model was cancelled")

    def _wait(self, error: ModelError, provider: Provider, failures: int, deadline: float) -> float | None:
        """The seconds before the next request; none where there should be no other."""
        if failures > provider.settings.retries or not is_worth_a_retry(error):
            return None
        seconds = self._patience.seconds(error, failures)
        return seconds if time.monotonic() + seconds < deadline else None

    def _try(self, attempt: "_Attempt", deadline: float) -> ModelReply:
        provider, course = attempt.provider, attempt.course
        limit = provider.settings.max_output_tokens
        wanted = min(limit, course.request.max_output_tokens or limit)
        stream = course.on_text is not None
        prepared = provider.prepared(course.request, limit=wanted, stream=stream)
        attempt.reserved = self._account.reserve(provider.settings, prepared.input_tokens, wanted)
        if attempt.reserved.output < wanted:
            prepared = provider.prepared(course.request, limit=attempt.reserved.output, stream=stream)
        attempt.prepared = prepared
        said = provider.ask(
            prepared, deadline=deadline, cancel=course.cancel, on_text=course.listener(provider)
        )
        return self._reply(attempt, said)

    def _reply(self, attempt: "_Attempt", said: WireReply) -> ModelReply:
        provider, usage = attempt.provider, said.usage or TokenUsage()
        done = attempt.record(usage)
        self._settle(attempt, done)
        return ModelReply(
            text=said.text,
            tool_calls=said.tool_calls,
            ended=said.ended,
            usage=usage,
            provider=provider.name,
            model=provider.model,
            cost=done.cost,
            attempts=tuple(attempt.course.attempts),
        )

    def _note(self, attempt: "_Attempt", error: ModelError, recovery: Recovery | None) -> None:
        done = attempt.record(attempt.used(error))
        self._settle(attempt, replace(done, code=error.code, message=error.message, recovery=recovery))

    def _settle(self, attempt: "_Attempt", done: ModelAttempt) -> None:
        attempt.course.attempts.append(done)
        self._account.settle(attempt.reserved, done)
        attempt.reserved = None
        self._watch(done)


class _Course:
    """One request on its way through the chain."""

    def __init__(
        self, request: ModelRequest, deadline: float, cancel: Cancellation, on_text: OnText | None
    ) -> None:
        self.request = request
        self.deadline = deadline
        self.cancel = cancel
        self.on_text = on_text
        self.attempts: list[ModelAttempt] = []

    def is_late(self) -> bool:
        return time.monotonic() >= self.deadline

    def listener(self, provider: Provider) -> Callable[[str], None] | None:
        on_text, number = self.on_text, len(self.attempts) + 1
        if on_text is None:
            return None
        return lambda text: on_text(TextPiece(number, provider.name, text))


class _Attempt:
    """One request to one provider."""

    def __init__(self, provider: Provider, course: _Course) -> None:
        self.provider = provider
        self.course = course
        self.prepared: Prepared | None = None
        self.reserved: Reserved | None = None
        self._began = time.monotonic()

    def record(self, usage: TokenUsage) -> ModelAttempt:
        return ModelAttempt(
            provider=self.provider.name,
            model=self.provider.model,
            usage=usage,
            cost=cost_of(usage, self.provider.settings),
            seconds=round(time.monotonic() - self._began, 3),
        )

    def used(self, error: ModelError) -> TokenUsage:
        """What a failed request has probably used: what was sent, and what came before it failed."""
        if self.prepared is None or isinstance(error, _FREE):
            return TokenUsage()
        written = error.details.get("output_tokens")
        if isinstance(error, ModelReplyTruncated) and error.details.get("cause") == "length":
            written = self.prepared.limit
        output = written if isinstance(written, int) else 0
        return TokenUsage(self.prepared.input_tokens, output, estimated=True)


def _told(error: ModelError, course: _Course) -> ModelError:
    """The error, with everything that was tried before it."""
    tried: list[dict[str, object]] = [
        {"provider": attempt.provider, "model": attempt.model, "code": attempt.code}
        for attempt in course.attempts
    ]
    details = {**error.details, "attempts": tried}
    return type(error)(error.message, hint=error.hint, **details)
