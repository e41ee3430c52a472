"""When a provider is asked again, and after how long."""

import random
import threading
from collections.abc import Callable

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import (
    ModelError,
    ModelOverloaded,
    ModelReplyEmpty,
    ModelReplyMalformed,
    ModelReplyTruncated,
    ModelUnreachable,
)

FIRST_SECONDS = 0.5
LONGEST_SECONDS = 20.0

_WORTH_A_RETRY = (ModelOverloaded, ModelUnreachable, ModelReplyEmpty, ModelReplyMalformed)


def is_worth_a_retry(error: ModelError) -> bool:
    """Whether the same provider may do better a moment later.

    It will not where it refused, filtered or ran into a limit; nor where it used up the time.
    """
    broke_off = isinstance(error, ModelReplyTruncated) and error.details.get("cause") == "connection"
    return broke_off or isinstance(error, _WORTH_A_RETRY)


class Patience:
    """How long to wait before a request is made again. `chance` is from 0 to 1, `pause` waits."""

    def __init__(
        self,
        chance: Callable[[], float] = random.random,
        pause: Callable[[float, Cancellation], None] | None = None,
    ) -> None:
        self._chance = chance
        self._pause = pause or _wait

    def seconds(self, error: ModelError, failures: int) -> float:
        """Longer with every failure, and never the same for two who failed at once. A provider that names a
        time is not asked before it."""
        usual = min(LONGEST_SECONDS, FIRST_SECONDS * 2.0 ** (failures - 1)) * (0.5 + self._chance() / 2)
        asked = error.details.get("retry_after")
        if isinstance(asked, int | float):
            return asked + usual * 0.1
        return usual

    def wait(self, seconds: float, cancel: Cancellation) -> None:
        """Wait, or until it is cancelled."""
        self._pause(seconds, cancel)


def _wait(seconds: float, cancel: Cancellation) -> None:
    woken = threading.Event()
    with cancel.told_to(woken.set):
        woken.wait(seconds)
