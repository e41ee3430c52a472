"""What MariaDB, MySQL and the drivers say when they fail, as the engine's own errors."""

import re
from typing import Final

import pymysql

from dragoman.contracts.errors import (
    AccessError,
    ConnectionRefused,
    DiskFull,
    EngineError,
    RunCancelled,
    SourceFailed,
    TargetFailed,
    TransientFault,
)
from dragoman.databases.access.refusals import said
from dragoman.databases.families.mysql.codes import Code
from dragoman.databases.families.mysql.target import MysqlTarget
from dragoman.engine.component import StepContext
from dragoman.engine.time_limit import time_over

TRANSIENT: Final = frozenset(
    {
        Code.LOCK_WAIT,
        Code.DEADLOCK,
        Code.HOST_SILENT,
        Code.HOST_GONE,
        Code.HOST_LOST,
        1040,  # too many connections
        1053,  # the server shuts down
        1158,  # and the next three: the line broke
        1159,
        1160,
        1161,
        1203,  # too many connections of this user
        1317,  # the query was stopped, and not by us
        1412,  # the table changed while it was read
        1927,  # the connection was killed
        4031,  # the server was tired of waiting
    }
)
NO_SPACE: Final = frozenset({1021, 1114})
_SPACE_GONE = re.compile(r"errno: 28|errcode: 28|no space left", re.IGNORECASE)
_TIME_OVER = frozenset({Code.MARIADB_TIME_OVER, Code.MYSQL_TIME_OVER})
_NUMBER = re.compile(r"ERROR (\d{4})\b")
# What the drivers say of a lost line where no number of the server's stands.
_LOST_LINE = re.compile(
    r"connection (reset|refused|closed)|broken pipe|server has gone away|lost connection"
    r"|packets out of (order|sync)"
    r"|timed out|unexpected eof|can't connect|channel .*closed|early eof|connection killed"
    r"|io ?error|codecerror|disconnected|the reader ended",
    re.IGNORECASE,
)

# A server that cannot show who it is will not be able to the next time.
_UNTRUSTED = re.compile(r"certificate|tls ?error", re.IGNORECASE)


def source_fault(error: BaseException, target: MysqlTarget, context: StepContext, what: str) -> EngineError:
    return _fault(error, target, context, what, SourceFailed, "reading")


def target_fault(error: BaseException, target: MysqlTarget, context: StepContext, what: str) -> EngineError:
    return _fault(error, target, context, what, TargetFailed, "writing")


def number_of(error: BaseException) -> int | None:
    """The server's number of an error, from whichever driver it came."""
    if isinstance(error, pymysql.err.MySQLError):
        return error.args[0] if error.args and isinstance(error.args[0], int) else None
    found = _NUMBER.search(str(error))
    return int(found[1]) if found else None


def _fault(
    error: BaseException,
    target: MysqlTarget,
    context: StepContext,
    what: str,
    lasting: type[SourceFailed | TargetFailed],
    doing: str,
) -> EngineError:
    if context.cancel.cancelled:
        return RunCancelled(f"{doing} {what} was cancelled")
    if isinstance(error, EngineError):
        return error
    if isinstance(error, AccessError):
        lost = isinstance(error, ConnectionRefused) and not _UNTRUSTED.search(error.message)
        kind = TransientFault if lost else lasting
        return kind(f"{doing} {what}: {error.message}", hint=error.hint)
    number = number_of(error)
    is_ours = isinstance(error, pymysql.err.MySQLError) and len(error.args) > 1
    text = said(error.args[1] if is_ours else error, target.password)
    message = f"{doing} {what} failed: {text}"
    if number in _TIME_OVER:
        return time_over(context.limits, f"{doing} {what}")
    if number in NO_SPACE or _SPACE_GONE.search(text):
        return DiskFull(message, hint="make room on the disk of the server")
    if _UNTRUSTED.search(text):
        return lasting(message, hint="check the TLS settings of the connection")
    if number in TRANSIENT or (number is None and (isinstance(error, OSError) or _LOST_LINE.search(text))):
        return TransientFault(message, hint="try again")
    if number == 0:
        return TransientFault(message, hint="try again")
    return lasting(message, hint="check what the step asks for, and the rights of the user")
