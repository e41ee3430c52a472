"""The planner over any discovered database: readings of a question or a follow-up, the best first."""

from collections.abc import Iterable, Mapping, Sequence

from dragoman.contracts.program import Statement
from dragoman.contracts.schema import DatabaseSchema
from dragoman.databases.values import ValueIndex
from dragoman.planning.tables.day_spans import DaySpan
from dragoman.planning.tables.plan_search import PlanSearch
from dragoman.planning.tables.probability import chances, evidence, probability
from dragoman.planning.tables.schema_names import Things
from dragoman.planning.tables.table_notes import NO_NOTES, TableNotes
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.tables.weights import Weights, weights
from dragoman.tables.catalog import TableCatalog
from dragoman.tables.graph import Graph


class TablePlanner:
    """Plans questions over one database. What is made of its schema is made once."""

    def __init__(
        self,
        tables: TableCatalog,
        schema: DatabaseSchema,
        values: ValueIndex,
        weighed: Weights | None = None,
        called: Mapping[str, Iterable[str]] | None = None,
        notes: TableNotes = NO_NOTES,
    ) -> None:
        things = Things(Graph(schema), called, notes=notes)
        self.search = PlanSearch(tables, things, values, weighed or weights())

    def readings(
        self, text: str, previous: Statement | None = None, spans: Sequence[DaySpan] = ()
    ) -> tuple[TableReading, ...]:
        """The readings of a message, the best first. The same message gives the same readings.

        After a statement a message may also be a change of that. `spans` are the periods of the message.
        """
        if previous is not None:
            # The first question of a process is no follow-up, and need not wait for what reads them.
            from dragoman.planning.tables.follow_up_readings import follow_ups

            return follow_ups(text, previous, self.search, spans)
        plans = self.search.plans(text, spans=spans)
        shares = chances([each.worth for each in plans])
        calibration = self.search.weights.calibration
        found: list[TableReading] = []
        left = 1.0
        for each, share in zip(plans, shares, strict=True):
            score = min(probability(calibration, evidence(each.plan, share)), left)
            found.append(TableReading(each.statement, round(score, 4), each.plan.uncovered, each.plan.notes))
            # Two readings cannot both be what is meant.
            left = max(0.0, left - score)
        return tuple(found)
