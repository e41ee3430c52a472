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
from dragoman.planning.contract import CERTAIN, Asked, Candidate, PlannerName, Proposal, Refusal
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
        from dragoman.planning.sql.typed_query import typed_query

        typed = typed_query(text, asked.catalog, strict=self._strict)
        if typed is None:
            return None
        if isinstance(typed, Refusal):
            return Proposal(self.name, _REFUSED, CERTAIN, refuses=typed)
        return self._proposal(typed, asked)

    def _proposal(self, typed: "TypedQuery", asked: Asked) -> Proposal:
        from dragoman.planning.sql.verb_program import said_with_verbs

        said = said_with_verbs(typed, asked.catalog)
        if isinstance(said, Statement):
            statement: Statement | None = said
            rule = "take: the query was typed, and the verbs of tables say the same"
        else:
            statement = extraction(typed, asked.catalog)
            rule = f"take: the query was typed, and the verbs of tables do not say it: {said}"
        if statement is None:
            return Proposal(self.name, _REFUSED, CERTAIN, refuses=Refusal(NO_EXTRACTOR), rule=rule)
        program = (statement,)
        candidate = Candidate(program, difference(asked.continuity.base, program), CERTAIN)
        return Proposal(self.name, _OPENS, CERTAIN, (candidate,), rule=rule)


def extraction(typed: "TypedQuery", catalog: Catalog) -> Statement | None:
    """The query itself, asked by the extractor of its database; None where that takes no query."""
    verb = query_verb(typed.place.spec)
    if verb is None:
        return None
    name = connection_name(typed, catalog)
    return Statement(verb, (Argument("connection", Text(name)), Argument("query", Text(typed.text))))


def connection_name(typed: "TypedQuery", catalog: Catalog) -> str:
    """The shortest name that leads to the database."""
    spec = typed.place.spec
    alias = f"@{spec.alias}"
    return alias if catalog.connection_named(spec.alias) == spec else spec.name
