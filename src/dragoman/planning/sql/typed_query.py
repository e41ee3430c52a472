"""A message as a query that may run: parsed in the dialect of its database, judged, its names known."""

import re
from typing import Any, Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, SqlglotError, TokenError

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.query_reads import judged
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect
from dragoman.guards.sql import SqlCode, SqlVerdict
from dragoman.planning.contract import Position, Refusal
from dragoman.planning.sql.recognition import (
    Place,
    begins_like_query,
    change_in,
    has_signs,
    names_known_table,
    places_of,
)
from dragoman.planning.sql.unknown_names import table_named, tables_in, unknown_name

SYNTAX: Final = "sql_syntax"
CHANGES: Final = "sql_changes_data"
SEVERAL: Final = "sql_several_statements"
UNKNOWN_TABLE: Final = "sql_unknown_table"
UNKNOWN_COLUMN: Final = "sql_unknown_column"
NOT_ALLOWED: Final = "sql_not_allowed"
NO_DATABASE: Final = "sql_no_database"

_CODES: Final = {
    SqlCode.SEVERAL_STATEMENTS: SEVERAL,
    SqlCode.NOT_A_QUERY: CHANGES,
    SqlCode.CHANGES_DATA: CHANGES,
    SqlCode.INTO: CHANGES,
}
_TRIPPED: Final = (ValueError, TypeError, AttributeError, LookupError, AssertionError, RecursionError)
"""What a text that is no query can make the parser stumble over."""
_TERMINAL: Final = re.compile(r"\x1b\[\d+m")


class TypedQuery(Record, frozen=True, gc=True):
    """A query, where it is asked, and its text without the end of a statement."""

    place: Place
    text: str
    tree: exp.Expr


def typed_queries(
    text: str, catalog: Catalog, named: str = "", *, strict: bool = False
) -> tuple[TypedQuery, ...] | Refusal | None:
    """The query that a message is, once for each database that it can be asked of; why it cannot run; or None
    where the message is not SQL. `named` is the database that was asked for; `strict`: the message is meant
    to be SQL whatever it looks like, so it is never None."""
    found = _typed(text, catalog, named, sure=strict or has_signs(text))
    if found is not None or not strict:
        return found
    words = text.split()
    return Refusal(SYNTAX, (words[0] if words else "",), position=_position(text, 0))


def _typed(text: str, catalog: Catalog, named: str, *, sure: bool) -> tuple[TypedQuery, ...] | Refusal | None:
    """`sure`: it is written as nobody writes a sentence."""
    if not change_in(text) and not begins_like_query(text):
        return None
    places = places_of(text, catalog, named)
    if not places:
        return Refusal(NO_DATABASE) if sure else None
    read = [_typed_at(place, text, sure=sure) for place in places]
    # What one database can be asked is no mistake, whatever another of the same tables lacks.
    return tuple(each for each in read if isinstance(each, TypedQuery)) or next(
        (each for each in read if isinstance(each, Refusal)), None
    )


def _typed_at(place: Place, text: str, *, sure: bool) -> TypedQuery | Refusal | None:
    change = change_in(text)
    if change:
        return Refusal(CHANGES, (change,)) if _is_statement(text, place.schema.dialect) else None
    plain = text.strip().rstrip(";").rstrip()
    verdict = judged(plain, place.schema)
    tree = _parsed(plain, place.schema.dialect) if _was_read(verdict) else None
    if tree is None:
        return _unreadable(plain, verdict, place, sure=sure)
    if not tables_in(tree):
        return _without_tables(TypedQuery(place, plain, tree), verdict, sure=sure)
    return _over_tables(TypedQuery(place, plain, tree), verdict, sure=sure)


def _over_tables(typed: TypedQuery, verdict: SqlVerdict, *, sure: bool) -> TypedQuery | Refusal | None:
    text, schema = typed.text, typed.place.schema
    known = any(table_named(node, schema) is not None for node in tables_in(typed.tree))
    # "select best customers from last year": nothing in it is a table, and nothing looks like SQL.
    if not known and not sure:
        return None
    missing = unknown_name(typed.tree, schema)
    if missing is not None:
        if not missing.is_table and not sure:
            return None
        code = UNKNOWN_TABLE if missing.is_table else UNKNOWN_COLUMN
        return Refusal(code, (missing.name,), position=_position(text, missing.start, missing.near))
    if not _shown_columns(typed.tree):
        return Refusal(SYNTAX, ("SELECT",), position=_position(text, 0)) if sure else None
    return typed if verdict.is_allowed else _denied(verdict)


def _without_tables(typed: TypedQuery, verdict: SqlVerdict, *, sure: bool) -> TypedQuery | Refusal | None:
    """What reads no table is SQL where no word in it could be one of a sentence: it has no columns, or those
    of a query inside of it."""
    words = typed.tree.find(exp.Column) is not None
    if not _shown_columns(typed.tree) or (words and not (sure and typed.tree.find(exp.From))):
        return None
    return typed if verdict.is_allowed else _denied(verdict)


def _shown_columns(tree: exp.Expr) -> bool:
    return isinstance(tree, exp.Values) or (isinstance(tree, exp.Query) and bool(tree.selects))


def _denied(verdict: SqlVerdict) -> Refusal:
    code = _CODES.get(verdict.code, NOT_ALLOWED) if verdict.code is not None else NOT_ALLOWED
    return Refusal(code, (verdict.reason,))


def _was_read(verdict: SqlVerdict) -> bool:
    """Whether the guard could read it: what it could not read must not reach another parser."""
    unread = (SqlCode.UNREADABLE, SqlCode.TOO_DEEP, SqlCode.TOO_COMPLEX, SqlCode.SEVERAL_STATEMENTS)
    return verdict.is_allowed or verdict.code not in unread


def _unreadable(text: str, verdict: SqlVerdict, place: Place, *, sure: bool) -> Refusal | None:
    """What begins like SQL and names a table where rows are read from is SQL with a mistake in it."""
    named = names_known_table(text, place.schema)
    if verdict.code is not SqlCode.UNREADABLE:
        return _denied(verdict) if named or sure else None
    if not named:
        return None
    near, start = _mistake(text, place.schema.dialect)
    return Refusal(SYNTAX, (near,), position=_position(text, start))


def _mistake(text: str, dialect: Dialect) -> tuple[str, int]:
    """The piece of the text at which it cannot be read any more, and where that stands."""
    try:
        sqlglot.parse(text, read=dialect.value)
    except (ParseError, TokenError) as error:
        found: dict[str, Any] = next(iter(getattr(error, "errors", [])), {})
        near = _TERMINAL.sub("", str(found.get("highlight") or ""))
        before = str(found.get("start_context") or "")
        start = text.find(before + near) + len(before) if near and before + near in text else len(text)
        return near or text[-20:], start
    except _TRIPPED:
        return text[:20], 0
    return text[:20], 0


def _parsed(text: str, dialect: Dialect) -> exp.Expr | None:
    try:
        return sqlglot.parse_one(text, read=dialect.value)
    except (SqlglotError, *_TRIPPED):
        return None


def _is_statement(text: str, dialect: Dialect) -> bool:
    """Whether a text that begins like a change reads as one: a sentence may begin so, too."""
    try:
        first = sqlglot.parse(text, read=dialect.value)[0]
    except (SqlglotError, *_TRIPPED):
        return False
    return first is not None and not isinstance(first, exp.Command)


def _position(text: str, start: int, near: tuple[str, ...] = ()) -> Position:
    before = text[:start]
    return Position(before.count("\n") + 1, len(before) - before.rfind("\n"), near)
