"""Cypher in a program: what is wrong with it, and the columns that it gives."""

from dragoman.catalog.knowledge.signatures import QUERY
from dragoman.catalog.knowledge.verbs import text_in
from dragoman.contracts.answer import CellType, Column
from dragoman.contracts.errors import GraphQueryRefused
from dragoman.contracts.program import Diagnostic, Statement
from dragoman.guards.cypher import CypherQuery, CypherRefusal, judge_cypher


def cypher_findings(statement: Statement) -> tuple[Diagnostic, ...]:
    judged = judge_cypher(text_in(statement, QUERY))
    return () if isinstance(judged, CypherQuery) else (Diagnostic(judged.code, _said(judged), judged.hint),)


def proven(statement: Statement) -> CypherQuery:
    """The query as it may run. Raises `GraphQueryRefused`."""
    judged = judge_cypher(text_in(statement, QUERY))
    if isinstance(judged, CypherQuery):
        return judged
    raise GraphQueryRefused(_said(judged), hint=judged.hint, reason=judged.code)


def cypher_columns(statement: Statement) -> tuple[Column, ...]:
    """What a query returns, by the names it gives. A graph has no types of columns."""
    return tuple(Column(name, CellType.TEXT) for name in proven(statement).columns)


def _said(refusal: CypherRefusal) -> str:
    return f"in :{QUERY}, character {refusal.place + 1}: {refusal.message}"
