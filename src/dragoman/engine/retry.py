"""Another try: only for what may go better the next time, a few times, later and later."""

import random
from collections.abc import Callable
from typing import Final, TypeVar

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import ConnectionRefused, DatabaseBusy, DragomanError, TransientFault

RETRIES: Final = 3
_FIRST_DELAY: Final = 1.0
_FACTOR: Final = 3.0

T = TypeVar("T")

Retried = Callable[[int, DragomanError, float], None]
"""Told of each further try: its number, what went wrong, after how many seconds it comes."""


def is_transient(error: DragomanError) -> bool:
    return isinstance(error, TransientFault | ConnectionRefused | DatabaseBusy)


def delay_before(attempt: int, chance: float) -> float:
    """How long to wait before a further try. Half of it is chance, so that many do not come at once."""
    return _FIRST_DELAY * _FACTOR ** (attempt - 1) * (0.5 + chance / 2)


def with_retries(
    work: Callable[[], T],
    retried: Retried,
    cancel: Cancellation,
    pause: Callable[[float], None],
    *,
    retries: int = RETRIES,
    chance: Callable[[], float] = random.random,
) -> T:
    """Do it; again, where it failed by what may pass. `pause` waits, and ends early when it is cancelled."""
    for attempt in range(1, retries + 1):
        try:
            return work()
        except DragomanError as error:
            if cancel.cancelled or not is_transient(error):
                raise
            delay = delay_before(attempt, chance())
            retried(attempt, error, delay)
            pause(delay)
            if cancel.cancelled:
                raise
    return work()
