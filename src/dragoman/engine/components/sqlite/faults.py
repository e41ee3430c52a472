"""What SQLite's errors mean to a run."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dragoman.contracts.errors import (
    DiskFull,
    EngineError,
    SourceFailed,
    TargetFailed,
    TransientFault,
)
from dragoman.engine.component import StepContext
from dragoman.engine.components.interruption import cancelled
from dragoman.engine.time_limit import time_over
from dragoman.guards.secrets import scrubbed

_PRIMARY = 0xFF
_TRANSIENT = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})


@contextmanager
def translated(
    context: StepContext, connection: sqlite3.Connection, failed: type[SourceFailed] | type[TargetFailed]
) -> Iterator[None]:
    """Errors of SQLite as the engine's own; a cancelled run interrupts what SQLite does."""
    with context.cancel.told_to(connection.interrupt):
        try:
            if context.cancel.cancelled:
                raise cancelled()
            yield
        except sqlite3.Error as error:
            raise fault(error, context, failed) from error


def fault(error: sqlite3.Error, context: StepContext, failed: Callable[..., EngineError]) -> EngineError:
    if context.cancel.cancelled:
        return cancelled()
    if _code(error) == sqlite3.SQLITE_INTERRUPT:
        return time_over(context.limits)
    return said_by_sqlite(error, failed)


def said_by_sqlite(error: sqlite3.Error, failed: Callable[..., EngineError]) -> EngineError:
    """What it means when nobody has stopped it."""
    code, text = _code(error), scrubbed(str(error))
    if code in _TRANSIENT:
        return TransientFault("somebody else has the SQLite file locked", hint="it is tried again")
    if code == sqlite3.SQLITE_FULL:
        return DiskFull("there is no space left for the SQLite file", hint="make room, then run it again")
    if code == sqlite3.SQLITE_CONSTRAINT:
        return failed(f"a row breaks a rule of the table: {text}", hint="mend the rows or the rule")
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return failed(f"the file is not a sound SQLite database: {text}", hint="check the file")
    return failed(f"SQLite refused: {text}", hint="check the step")


def _code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & _PRIMARY
