"""The planner over any discovered database: complete readings of a question, the best first."""

import math

import msgspec

from dragoman.catalog.tables.catalog import TableCatalog
from dragoman.catalog.tables.graph import Graph
from dragoman.catalog.values import ValueIndex
from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema
from dragoman.planning.tables.cues import cues_of
from dragoman.planning.tables.finishing import Finisher
from dragoman.planning.tables.linking import Linker, Links
from dragoman.planning.tables.plan import Plan
from dragoman.planning.tables.scopes import likely_scopes
from dragoman.planning.tables.stepping import Stepper
from dragoman.planning.tables.things import Things, pairs
from dragoman.planning.tables.weighing import Weights, weights
from dragoman.planning.tables.words import Token, tokens_of
from dragoman.planning.tables.writing import statement_of

MOST_READINGS = 10
_TRIED = 60


class TableReading(Record, frozen=True):
    """One way to understand a question, as a program of one statement.

    `score` is the probability that it is what is meant; `uncovered` are words that nothing in it accounts for.
    """

    statement: Statement
    score: float
    uncovered: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    follow_up: bool = False
    """It changes the statement in hand."""


class WeighedPlan(Record, frozen=True):
    """A plan with its program and what it is worth."""

    plan: Plan
    statement: Statement
    worth: float


class TablePlanner:
    """Plans questions over one database. What is made of its schema is made once."""

    def __init__(
        self, tables: TableCatalog, schema: DatabaseSchema, values: ValueIndex, weighed: Weights | None = None
    ) -> None:
        self._tables = tables
        self._things = Things(Graph(schema))
        self._pairs = pairs(self._things.graph)
        self._linker = Linker(self._things, values)
        self._weights = weighed or weights()

    def readings(self, text: str, previous: Statement | None = None) -> tuple[TableReading, ...]:
        """The readings of a message, the best first. The same message gives the same readings."""
        plans = self.plans(text)
        if not plans:
            return ()
        best = plans[0].worth
        total = sum(math.exp(each.worth - best) for each in plans)
        return tuple(
            TableReading(
                each.statement, math.exp(each.worth - best) / total, each.plan.uncovered, each.plan.notes
            )
            for each in plans
        )

    def plans(self, text: str, most: int = MOST_READINGS) -> list[WeighedPlan]:
        tokens = tokens_of(text)
        links = self._linker.links(tokens)
        found = self._weighed(tokens, links)
        kept: list[WeighedPlan] = []
        seen: set[bytes] = set()
        for plan in found[:_TRIED]:
            statement = statement_of(plan)
            if statement is None:
                continue
            key = msgspec.json.encode(statement)
            if key in seen:
                continue
            seen.add(key)
            if self._tables.findings(statement):
                continue
            kept.append(WeighedPlan(plan, statement, plan.score))
            if len(kept) == most:
                break
        return kept

    def _weighed(self, tokens: tuple[Token, ...], links: Links) -> list[Plan]:
        cues = cues_of(tokens)
        plans: list[Plan] = []
        for scope in likely_scopes(self._things, self._pairs, tokens, links):
            stepper = Stepper(tokens, cues, links, self._things, scope, self._weights)
            finisher = Finisher(self._things, scope)
            for draft in stepper.drafts():
                plans.extend(
                    msgspec.structs.replace(plan, score=self._weights.of(plan.features))
                    for plan in finisher.plans(draft)
                )
        plans.sort(key=lambda plan: -plan.score)
        return plans
