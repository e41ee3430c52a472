"""The planner of typed SQL: whoever types a SELECT has said exactly what they want.

A SELECT becomes a program. Where the verbs of tables say the same, it is those verbs, and words can go on
from there; otherwise it is the extractor of the database with that query.
"""

from typing import TYPE_CHECKING, Final

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.query_reads import query_verb
from dragoman.contracts.program import Argument, Statement, Text
from dragoman.contracts.vocabulary import Signal
from dragoman.language.edits import difference
from dragoman.planning.contract import (
    CERTAIN,
    MAX_OPTIONS,
    Asked,
    Candidate,
    Options,
    PlannerName,
    Proposal,
    Refusal,
)
from dragoman.planning.sql.recognition import begins_like_query, change_in

if TYPE_CHECKING:
    from dragoman.planning.sql.typed_query import TypedQuery

NO_EXTRACTOR: Final = "sql_no_extractor"
_OPENS: Final = (Signal.REQUEST, Signal.OPENS_ROOT)
_REFUSED: Final = (Signal.UNCOVERED,)


class SqlPlanner:
    """Proposes the program of a SELECT, and says what is wrong with other SQL."""

    name = PlannerName.SQL

    def __init__(self, *, strict: bool = False) -> None:
        """`strict`: every message is SQL, and what is none is refused as such."""
        self._strict = strict

    def propose(self, asked: Asked) -> Proposal | None:
        text = asked.text
        may_be = asked.written is None and (begins_like_query(text) or bool(change_in(text)))
        if not may_be and not self._strict:
            return None
        # Imported for SQL alone: the parser is most of what a start would cost.
        from dragoman.planning.sql.typed_query import typed_queries

        named = asked.reading.connections
        if len(named) > 1:
            refusal = Refusal("several_databases", tuple(f"@{name}" for name in named))
            return Proposal(self.name, _REFUSED, CERTAIN, refuses=refusal)
        typed = typed_queries(text, asked.catalog, named[0] if named else "", strict=self._strict)
        if typed is None:
            return None
        if isinstance(typed, Refusal):
            return Proposal(self.name, _REFUSED, CERTAIN, refuses=typed)
        return self._proposal(typed, asked)

    def _proposal(self, typed: "tuple[TypedQuery, ...]", asked: Asked) -> Proposal:
        found = [_statement(each, asked.catalog) for each in typed]
        base = asked.continuity.base
        candidates = tuple(
            Candidate((statement,), difference(base, (statement,)), CERTAIN)
            for statement, _ in found
            if statement is not None
        )
        if not candidates:
            return Proposal(
                self.name, _REFUSED, CERTAIN, refuses=Refusal(NO_EXTRACTOR), rule=f"take: {found[0][1]}"
            )
        if len(candidates) > 1:
            # Both have such tables: the same query, and other rows.
            rule = "ask: several databases have the tables of the query"
            return Proposal(self.name, _OPENS, CERTAIN, candidates[:MAX_OPTIONS], asks=Options(), rule=rule)
        why = next(why for statement, why in found if statement is not None)
        return Proposal(self.name, _OPENS, CERTAIN, candidates, rule=f"take: {why}")


def _statement(typed: "TypedQuery", catalog: Catalog) -> tuple[Statement | None, str]:
    """The program of a query, and why it is this one."""
    from dragoman.planning.sql.verb_program import said_with_verbs

    said = said_with_verbs(typed, catalog)
    if isinstance(said, Statement):
        return said, "the query was typed, and the verbs of tables say the same"
    why = f"the query was typed, and the verbs of tables do not say it: {said}"
    return extraction(typed, catalog), why


def extraction(typed: "TypedQuery", catalog: Catalog) -> Statement | None:
    """The query itself, asked by the extractor of its database; None where that takes no query."""
    verb = query_verb(typed.place.spec)
    if verb is None:
        return None
    name = f"@{catalog.databases.told_apart(typed.place.spec)}"
    return Statement(verb, (Argument("connection", Text(name)), Argument("query", Text(typed.text))))
