"""What happens to a signal while a child that must not be cut short is at work."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def redirected(action: Callable[[int], object], *numbers: signal.Signals) -> Iterator[None]:
    """Call `action` with the number of a signal instead of obeying it. Children start with it obeyed."""

    def handle(number: int, frame: FrameType | None) -> None:
        action(number)

    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
