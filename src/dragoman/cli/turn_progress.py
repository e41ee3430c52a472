"""How far a turn is, while somebody at a terminal waits: a line on standard error, gone when it ends."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from dragoman.cli.failures import printable

_CLEAR: Final = "\r\x1b[K"
_LONGEST: Final = 60


@contextmanager
def stages_shown() -> Iterator[tuple[Callable[[Any], None], ...]]:
    """Who listens to a turn; nobody where nobody looks."""
    if not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        yield ()
        return
    from dragoman.workspace.progress_words import stage_of
    from dragoman.workspace.turn_progress import Progress

    def listen(progress: Progress) -> None:
        stage = stage_of(progress.event)
        if stage:
            sys.stderr.write(f"{_CLEAR}… {printable(stage)[:_LONGEST]}")
            sys.stderr.flush()

    try:
        yield (listen,)
    finally:
        sys.stderr.write(_CLEAR)
        sys.stderr.flush()
