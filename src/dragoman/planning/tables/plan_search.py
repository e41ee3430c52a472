"""Every plan that a message by itself may mean, in all likely scopes, the best first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import msgspec

from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.databases.values import ValueIndex
from dragoman.planning.tables.cues import cues_of
from dragoman.planning.tables.day_spans import DaySpan, PlacedSpan, placed
from dragoman.planning.tables.likely_scopes import likely_scopes
from dragoman.planning.tables.name_linker import Linker, Links
from dragoman.planning.tables.plan import Plan
from dragoman.planning.tables.plan_shapes import PlanShapes
from dragoman.planning.tables.plan_writer import statement_of
from dragoman.planning.tables.reading_search import drafts_of
from dragoman.planning.tables.schema_names import Things
from dragoman.planning.tables.scope import pairs
from dragoman.planning.tables.scoped_message import ScopedMessage
from dragoman.planning.tables.weights import Weights
from dragoman.planning.tables.words import Token, tokens_of
from dragoman.tables.catalog import TableCatalog

MOST_READINGS = 10
_TRIED = 60


class WeighedPlan(Record, frozen=True):
    """A plan with its program and what it is worth."""

    plan: Plan
    statement: Statement
    worth: float


class PlanSearch:
    """Plans messages over one database. What is made of its schema is made once."""

    def __init__(self, tables: TableCatalog, things: Things, values: ValueIndex, weights: Weights) -> None:
        self.tables = tables
        self.things = things
        self.pairs = pairs(things.graph)
        self.linker = Linker(things, values)
        self.weights = weights

    def plans(self, text: str, most: int = MOST_READINGS, spans: Sequence[DaySpan] = ()) -> list[WeighedPlan]:
        tokens = tokens_of(text)
        links = self.linker.links(tokens)
        written = _written(self._weighed(tokens, links, placed(spans, tokens))[:_TRIED])
        kept: list[WeighedPlan] = []
        # As many at once as are still wanted: mostly nothing is wrong with any of them.
        while batch := list(islice(written, most - len(kept))):
            findings = self.tables.findings_of([each.statement for each in batch])
            kept += [each for each, found in zip(batch, findings, strict=True) if not found]
        return kept

    def _weighed(
        self, tokens: tuple[Token, ...], links: Links, spans: Mapping[int, PlacedSpan]
    ) -> list[Plan]:
        cues = cues_of(tokens)
        plans: list[Plan] = []
        said = frozenset(token.stem for token in tokens)
        for scope in likely_scopes(self.things, self.pairs, tokens, links):
            message = ScopedMessage(tokens, cues, links, self.things, scope, self.weights, spans)
            shapes = PlanShapes(self.things, scope, said)
            for draft in drafts_of(message):
                plans.extend(
                    msgspec.structs.replace(plan, score=self.weights.of(plan.features))
                    for plan in shapes.plans(draft)
                )
        plans.sort(key=lambda plan: -plan.score)
        return plans


def _written(plans: Iterable[Plan]) -> Iterator[WeighedPlan]:
    """The plans with their programs, each program once."""
    seen: set[bytes] = set()
    for plan in plans:
        statement = statement_of(plan)
        key = msgspec.json.encode(statement)
        if statement is not None and key not in seen:
            seen.add(key)
            yield WeighedPlan(plan, statement, plan.score)
