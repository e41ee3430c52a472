"""What the answers of PostgREST mean: rows, how many there are in all, or what went wrong."""

import decimal
import json
import re
from typing import TypeGuard

import msgspec

from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import (
    AccessError,
    AuthenticationFailed,
    DatabaseBusy,
    DriverFailed,
    QueryFailed,
    QueryTimeout,
    RestCannot,
)
from dragoman.databases.access.refusals import said
from dragoman.databases.families.supabase.http_connection import Answer

Cell = str | int | decimal.Decimal | bool | None
Row = dict[str, Cell]

SQL_HINT = "give the PostgreSQL URL of the project"

_TOTAL = re.compile(r"(?:\*|\d+-\d+)/(\d+)")
_FINE = frozenset({200, 206})
_AGGREGATES_OFF = "PGRST123"
_NO_PERMISSION = "42501"
_STATEMENT_TIMEOUT = "57014"
_BUSY = frozenset({"PGRST000", "PGRST001", "PGRST002", "PGRST003", "53300", "55P03"})
"""No connection to the database, none free in time, or somebody else's lock."""


class _Problem(msgspec.Struct):
    code: str | None = None
    message: str | None = None
    hint: str | None = None


def checked(answer: Answer, where: str, key: str) -> Answer:
    """The answer if it is one. Raises AccessError."""
    if answer.status not in _FINE:
        raise _refusal(answer, where, key)
    return answer


def rows_of(answer: Answer, where: str) -> list[Row]:
    """The rows of an answer, numbers digit by digit. Raises DriverFailed."""
    try:
        found: object = json.loads(answer.body, parse_float=decimal.Decimal, parse_constant=_no_constant)
        if not _are_rows(found):
            raise ValueError("no rows")
    except (ValueError, RecursionError, decimal.DecimalException) as error:
        raise DriverFailed(
            f"{where} answers with something else than rows", hint="check the address of the project"
        ) from error
    return found


def _are_rows(found: object) -> TypeGuard[list[Row]]:
    return isinstance(found, list) and all(
        isinstance(row, dict)
        and all(cell is None or isinstance(cell, str | int | decimal.Decimal) for cell in row.values())
        for row in found
    )


def total_of(answer: Answer) -> int | None:
    """How many rows there are in all, where the answer says so."""
    found = _TOTAL.fullmatch(answer.header("content-range"))
    return int(found[1]) if found else None


def _no_constant(text: str) -> object:
    raise ValueError(f"{text} is not JSON")


def _problem(body: bytes) -> _Problem:
    try:
        return decoded(body, _Problem)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _Problem()


def _refusal(answer: Answer, where: str, key: str) -> AccessError:
    problem = _problem(answer.body)
    text = said(problem.message or f"HTTP {answer.status}", key)
    code, status = problem.code or "", answer.status
    if 300 <= status < 400:
        return DriverFailed(
            f"{where} sends the question elsewhere, and nobody follows with a key",
            hint="check the address of the project",
            status=status,
        )
    if code == _AGGREGATES_OFF:
        return RestCannot(
            f"{where} has aggregate functions switched off",
            hint=f"switch on db-aggregates-enabled, or {SQL_HINT}",
            part="aggregate",
        )
    if code == _STATEMENT_TIMEOUT or status in (408, 504):
        return QueryTimeout(
            f"{where} stopped the query, which took too long: {text}", hint="narrow the question"
        )
    if status in (429, 503) or code in _BUSY:
        return DatabaseBusy(f"{where} has too much to do: {text}", hint="try again in a while")
    # That one table may not be read says nothing against the key.
    if status in (401, 403) and code != _NO_PERMISSION:
        return AuthenticationFailed(f"{where} refused the key: {text}", hint="check the key of the project")
    if status >= 500 and not code:
        return DriverFailed(f"{where} failed: {text}", hint="try again; see the project's log", status=status)
    return QueryFailed(
        f"{where} refused the query: {text}",
        hint=said(problem.hint or "check the query", key),
        status=status,
        sqlstate=code or None,
    )
