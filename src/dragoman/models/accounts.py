"""What models have used: within one turn, which has a budget, and in all."""

import threading
from decimal import Decimal

from dragoman.contracts.errors import ModelBudgetSpent
from dragoman.contracts.model import ModelAttempt, ModelSpending, TokenUsage
from dragoman.contracts.model_settings import ModelsSettings, ProviderSettings
from dragoman.contracts.record import Record
from dragoman.models.tokens import cost_of

_LEAST_OUTPUT = 100
"""With fewer tokens nothing of use can be written: then the budget counts as spent."""

_MILLION = 1_000_000


class Reserved(Record, frozen=True):
    """What a request may use at most. It counts as spent until the request is over."""

    tokens: int
    cost: Decimal
    output: int


def with_attempt(spending: ModelSpending, attempt: ModelAttempt) -> ModelSpending:
    cost = spending.cost
    if attempt.cost is not None:
        cost = attempt.cost + (cost or 0)
    return ModelSpending(
        spending.requests + 1,
        spending.failures + (attempt.code != ""),
        spending.usage + attempt.usage,
        cost,
    )


class TurnAccount:
    """The budget of one turn. Threads may share it."""

    def __init__(self, settings: ModelsSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._held: list[Reserved] = []
        self.spending = ModelSpending()
        self.seconds = 0.0

    def reserve(self, provider: ProviderSettings, input_tokens: int, wanted: int) -> Reserved:
        """Output tokens for a request, as many as wanted or as the budget still allows.

        Raises `ModelBudgetSpent`.
        """
        with self._lock:
            tokens, cost = self._left()
            most = wanted
            if tokens is not None:
                most = min(most, tokens - input_tokens)
                self._check(most, wanted, "turn_tokens")
            if cost is not None:
                for_input = input_tokens * (provider.price_in or 0)
                price = provider.price_out or Decimal(0)
                left = cost * _MILLION - for_input
                most = min(most, int(left // price) if price else most if left >= 0 else 0)
                self._check(most, wanted, "turn_cost")
            usage = TokenUsage(input_tokens, most)
            reserved = Reserved(usage.total, cost_of(usage, provider) or Decimal(0), most)
            self._held.append(reserved)
            return reserved

    def settle(self, reserved: Reserved | None, attempt: ModelAttempt) -> None:
        """A request is over, or could not be made."""
        with self._lock:
            self._let_go(reserved)
            self.spending = with_attempt(self.spending, attempt)
            self.seconds += attempt.seconds

    def release(self, reserved: Reserved | None) -> None:
        with self._lock:
            self._let_go(reserved)

    def _let_go(self, reserved: Reserved | None) -> None:
        if reserved is not None:
            self._held.remove(reserved)

    def _left(self) -> tuple[int | None, Decimal | None]:
        tokens, cost = self._settings.turn_tokens, self._settings.turn_cost
        if tokens is not None:
            tokens -= self.spending.usage.total + sum(each.tokens for each in self._held)
        if cost is not None:
            cost -= (self.spending.cost or 0) + sum(each.cost for each in self._held)
        return tokens, cost

    @staticmethod
    def _check(most: int, wanted: int, setting: str) -> None:
        if most < min(wanted, _LEAST_OUTPUT):
            raise ModelBudgetSpent(
                f"the models may use no more in this turn ({setting} under models in dragoman.yaml)",
                hint="raise the budget, or ask for less",
                setting=setting,
            )


class Totals:
    """What every provider has used since the process began. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spent: dict[str, ModelSpending] = {}

    def add(self, attempt: ModelAttempt) -> None:
        with self._lock:
            before = self._spent.get(attempt.provider, ModelSpending())
            self._spent[attempt.provider] = with_attempt(before, attempt)

    def spent(self) -> dict[str, ModelSpending]:
        """By provider."""
        with self._lock:
            return dict(self._spent)
