"""Work on a lane that stops when the run is cancelled."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb
import pyarrow as pa

from dragoman.contracts.errors import RunCancelled
from dragoman.engine.component import StepContext

STREAM_ERRORS = (duckdb.Error, pa.ArrowException, OSError)
"""What DuckDB complains of: as itself, or through Arrow where its rows are read as a stream."""

_AGAIN_SECONDS = 0.1


@contextmanager
def interruptible(context: StepContext) -> Iterator[None]:
    """Interrupt what the lane does when the run is cancelled. Raises RunCancelled."""
    over = threading.Event()

    def insist() -> None:
        # An interruption before a statement has begun is lost, so it is said until somebody hears it.
        while not over.wait(_AGAIN_SECONDS):
            context.lane.interrupt()

    def stop() -> None:
        threading.Thread(target=insist, daemon=True).start()

    try:
        with context.cancel.told_to(stop):
            if context.cancel.cancelled:
                raise cancelled()
            yield
    except STREAM_ERRORS as error:
        if context.cancel.cancelled:
            raise cancelled() from error
        raise
    finally:
        over.set()


def cancelled() -> RunCancelled:
    return RunCancelled("the run was cancelled", hint="run it again to begin anew")
