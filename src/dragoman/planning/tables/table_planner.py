"""The planner over any discovered database: complete readings of a question, the best first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import msgspec

from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema
from dragoman.databases.values import ValueIndex
from dragoman.planning.tables.cues import cues_of
from dragoman.planning.tables.day_spans import DaySpan, PlacedSpan, placed
from dragoman.planning.tables.likely_scopes import likely_scopes
from dragoman.planning.tables.name_linker import Linker, Links
from dragoman.planning.tables.plan import Plan
from dragoman.planning.tables.plan_shapes import Finisher
from dragoman.planning.tables.plan_writer import statement_of
from dragoman.planning.tables.probability import chances, evidence, probability
from dragoman.planning.tables.reading_search import Stepper
from dragoman.planning.tables.schema_names import Scope, Things, pairs
from dragoman.planning.tables.weights import Weights, weights
from dragoman.planning.tables.words import Token, tokens_of
from dragoman.tables.catalog import TableCatalog
from dragoman.tables.graph import Graph

MOST_READINGS = 10
_TRIED = 60


class TableReading(Record, frozen=True):
    """One way to understand a question, as a program of one statement.

    `score` is the probability that it is what is meant; `uncovered` are words that it does not account for.
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
        self,
        tables: TableCatalog,
        schema: DatabaseSchema,
        values: ValueIndex,
        weighed: Weights | None = None,
        called: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self._tables = tables
        self._things = Things(Graph(schema), called)
        self._pairs = pairs(self._things.graph)
        self._linker = Linker(self._things, values)
        self._weights = weighed or weights()

    def readings(
        self, text: str, previous: Statement | None = None, spans: Sequence[DaySpan] = ()
    ) -> tuple[TableReading, ...]:
        """The readings of a message, the best first. The same message gives the same readings.

        After a statement a message may also be a change of that. `spans` are the periods of the message.
        """
        if previous is not None:
            from dragoman.planning.tables.follow_up_readings import follow_ups

            return follow_ups(text, previous, self, spans)
        plans = self.plans(text, spans=spans)
        shares = chances([each.worth for each in plans])
        found: list[TableReading] = []
        left = 1.0
        for each, share in zip(plans, shares, strict=True):
            score = min(probability(self._weights.calibration, evidence(each.plan, share)), left)
            found.append(TableReading(each.statement, round(score, 4), each.plan.uncovered, each.plan.notes))
            # Two readings cannot both be what is meant.
            left = max(0.0, left - score)
        return tuple(found)

    def plans(self, text: str, most: int = MOST_READINGS, spans: Sequence[DaySpan] = ()) -> list[WeighedPlan]:
        tokens = tokens_of(text)
        links = self._linker.links(tokens)
        written = _written(self._weighed(tokens, links, placed(spans, tokens))[:_TRIED])
        kept: list[WeighedPlan] = []
        # As many at once as are still wanted: mostly nothing is wrong with any of them.
        while batch := list(islice(written, most - len(kept))):
            findings = self._tables.findings_of([each.statement for each in batch])
            kept += [each for each, found in zip(batch, findings, strict=True) if not found]
        return kept

    def _weighed(
        self, tokens: tuple[Token, ...], links: Links, spans: Mapping[int, PlacedSpan]
    ) -> list[Plan]:
        cues = cues_of(tokens)
        plans: list[Plan] = []
        said = frozenset(token.stem for token in tokens)
        for scope in likely_scopes(self._things, self._pairs, tokens, links):
            stepper = Stepper(tokens, cues, links, self._things, scope, self._weights, spans)
            finisher = Finisher(self._things, scope, said)
            for draft in stepper.drafts():
                plans.extend(
                    msgspec.structs.replace(plan, score=self._weights.of(plan.features))
                    for plan in finisher.plans(draft)
                )
        plans.sort(key=lambda plan: -plan.score)
        return plans

    # What follow-ups are read with.

    @property
    def tables(self) -> TableCatalog:
        return self._tables

    @property
    def things(self) -> Things:
        return self._things

    @property
    def pairs(self) -> list[Scope]:
        return self._pairs

    @property
    def linker(self) -> Linker:
        return self._linker

    @property
    def weights(self) -> Weights:
        return self._weights


def _written(plans: Iterable[Plan]) -> Iterator[WeighedPlan]:
    """The plans with their programs, each program once."""
    seen: set[bytes] = set()
    for plan in plans:
        statement = statement_of(plan)
        key = msgspec.json.encode(statement)
        if statement is not None and key not in seen:
            seen.add(key)
            yield WeighedPlan(plan, statement, plan.score)
