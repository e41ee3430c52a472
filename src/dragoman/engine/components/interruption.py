"""Work on a lane that stops when the run is cancelled."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb
import pyarrow as pa

from dragoman.contracts.errors import RunCancelled, SourceFailed, TargetFailed
from dragoman.engine.component import StepContext

STREAM_ERRORS = (duckdb.Error, pa.ArrowException, OSError)
"""What DuckDB complains of: as itself, or through Arrow where its rows are read as a stream."""

FLOW_ERRORS = (*STREAM_ERRORS, SourceFailed, TargetFailed)
"""The same, or what whoever takes the rows made of it: a writer tells of its own step and knows no better."""

_AGAIN_SECONDS = 0.1
_LONGEST_CHAIN = 8


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


def complaint(error: BaseException) -> str:
    """All that was said of a failure, by whom it met last and by whom it met first."""
    texts, each = list[str](), error
    while each.__cause__ is not None and len(texts) < _LONGEST_CHAIN:
        texts.append(str(each))
        each = each.__cause__
    return "\n".join([*texts, str(each)])
