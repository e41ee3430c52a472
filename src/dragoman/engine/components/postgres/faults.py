"""What PostgreSQL, its driver and its scanner say when something fails, as the engine's own errors.

The driver gives codes. The scanner gives words: those of libpq and of the server, behind its own.
"""

import re
from enum import StrEnum

import duckdb
import psycopg
from psycopg import errors as pg

from dragoman.contracts.errors import (
    ColumnRefused,
    DiskFull,
    EngineError,
    RunCancelled,
    RunLimitExceeded,
    SourceFailed,
    TargetFailed,
    TransientFault,
)
from dragoman.databases.access.refusals import said


class Side(StrEnum):
    SOURCE = "source"
    TARGET = "target"


_TRANSIENT_CODES = frozenset(
    {
        "40001",  # serialization
        "40P01",  # deadlock
        "55P03",  # a lock not got in time
        "57P01",  # the server shuts down
        "57P02",
        "57P03",
        "57P05",
        "53300",  # too many connections
        "25P03",
    }
)
_LINE_CLASS = "08"
_DISK_CODES = frozenset({"53100", "58030"})
_DISK_WORDS = ("no space left on device", "could not extend file", "disk quota exceeded")
_TRANSIENT_WORDS = (
    "server closed the connection",
    "connection not open",
    "connection reset",
    "connection refused",
    "connection timed out",
    "could not connect",
    "could not receive data",
    "could not send data",
    "could not translate host name",
    "no connection to the server",
    "broken pipe",
    "connection to server was lost",
    "eof detected",
    "ssl syscall",
    "terminating connection",
    "the database system is",
    "too many clients",
    "remaining connection slots",
    "deadlock detected",
    "due to lock timeout",
    "could not serialize",
    "timeout expired",
)
_LOGIN_WORDS = (
    "authentication failed",
    "no password supplied",
    "not permitted to log in",
    "no pg_hba.conf entry",
    'fatal: role "',
)
_MARK = re.compile(r"dragoman column (\d+) holds ([a-z]+)\.")
_COPY_COLUMN = re.compile(r"COPY dragoman_stage_\w+, line \d+, column c(\d+)")
_NUL_BYTE = "with a NULL-byte"


def mark(number: int, what: str) -> str:
    """What an error is made to say, here or on the server, when a value cannot be kept."""
    return f"dragoman column {number} holds {what}."


def marked(text: str) -> tuple[int, str] | None:
    found = _MARK.search(text)
    return (int(found[1]), found[2]) if found else None


def copied_column(text: str) -> int | None:
    """The number of the column that the server speaks of while a staging table is filled."""
    found = _COPY_COLUMN.search(text)
    return int(found[1]) if found else None


def driver_fault(
    error: psycopg.Error | duckdb.Error, side: Side, where: str, secret: str, doing: str = ""
) -> EngineError:
    """`doing` says in a few words what was tried."""
    code = error.sqlstate if isinstance(error, psycopg.Error) else None
    primary = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    text = said(primary or error, secret)
    words = text.lower()
    what = f"PostgreSQL at {where}{f', {doing}' if doing else ''}: {text}"
    if isinstance(error, duckdb.InterruptException) or "due to user request" in words:
        return RunCancelled("the run was cancelled")
    if code in _DISK_CODES or any(word in words for word in _DISK_WORDS):
        return DiskFull(what, hint="make room on the server's disk")
    if "due to statement timeout" in words:
        return RunLimitExceeded(what, hint="allow the run more seconds")
    kind: type[EngineError] = SourceFailed if side is Side.SOURCE else TargetFailed
    if any(word in words for word in _LOGIN_WORDS):
        return kind(what, hint="check the user and the password of the connection")
    if "database" in words and "does not exist" in words:
        return kind(what, hint="check the name of the database")
    lost = isinstance(error, psycopg.OperationalError) and code is None
    if lost or code in _TRANSIENT_CODES or (code or "").startswith(_LINE_CLASS):
        return TransientFault(what, hint="try again")
    if any(word in words for word in _TRANSIENT_WORDS):
        return TransientFault(what, hint="try again")
    if isinstance(error, pg.InsufficientPrivilege):
        return kind(what, hint="ask for the right, or use another user")
    hint = said(error.diag.message_hint or "", secret) if isinstance(error, psycopg.Error) else ""
    if isinstance(error, psycopg.Error) and (column := error.diag.column_name):
        return kind(what, hint=hint, column=column)
    return kind(what, hint=hint)


def chained_text(error: BaseException) -> str:
    """Everything that an error and its causes say; other components wrap what they meet."""
    parts = list[str]()
    seen: BaseException | None = error
    while seen is not None and len(parts) < 8:
        parts.append(str(seen))
        seen = seen.__cause__ or seen.__context__
    return "\n".join(parts)


REFUSALS = {
    "nan": ("NaN, which a decimal of a fixed size cannot carry", "add nan_to_null to `convert`"),
    "infinity": ("an infinite value, which nothing else can hold", "add infinity_to_null to `convert`"),
    "beyond": ("a moment beyond the year 294246", "leave such rows out"),
    "midnight": ("the time 24:00:00, which is no time of a day elsewhere", "leave such rows out"),
    "nul": ("the character NUL, which PostgreSQL cannot hold in a text", "take it out before"),
    "early": ("a date before 4713 BC, which PostgreSQL cannot hold", "leave such rows out"),
}


def value_refused(column: str, what: str) -> ColumnRefused:
    reason, hint = REFUSALS[what]
    return ColumnRefused(f"column {column} holds {reason}", hint=hint, column=column)
