"""The planner over any database: readings of a question, the best first."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from msgspec.structs import replace

from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema
from dragoman.databases.values import ValueIndex
from dragoman.planning.database.composer import Composer, Draft
from dragoman.planning.database.frame import Frame, Ref
from dragoman.planning.database.joins import Joins
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.resolver import Resolver
from dragoman.planning.database.segmenter import Segmenter
from dragoman.planning.database.sketch import Sketch
from dragoman.planning.database.sketcher import sketch_of
from dragoman.planning.database.support import Support, support_of
from dragoman.planning.database.vocabulary import words_in
from dragoman.planning.database.writer import written
from dragoman.planning.tables.lexicon import spoken
from dragoman.planning.tables.name_linker import Linker
from dragoman.planning.tables.schema_names import Things
from dragoman.planning.tables.table_notes import NO_NOTES, TableNotes
from dragoman.reading.periods import PeriodMention
from dragoman.tables.catalog import TableCatalog
from dragoman.tables.graph import Graph, TableKey

MOST_READINGS = 8
_MULTIPLIED = 0.4
_CHOICES = 6
_BOTH = 2
_SAME = 0.01
"""How far apart the scores of two readings are, at most, of which neither is the better one."""


class Reading(Record, frozen=True, gc=True):
    """One way to understand a question."""

    statement: Statement
    frame: Frame
    score: float
    uncovered: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()
    explicit: bool = False
    """Columns were asked for by name."""
    follows: bool = False
    """It changes what was asked before."""
    support: Support = Support()
    leans: float = 0.0
    """How much the message cannot stand alone."""


class QuestionPlanner:
    """Plans questions over one database. What is made of its schema is made once."""

    def __init__(
        self,
        tables: TableCatalog,
        schema: DatabaseSchema,
        values: ValueIndex,
        called: Mapping[str, Iterable[str]] | None = None,
        notes: TableNotes = NO_NOTES,
    ) -> None:
        """`called`: what a pack calls tables; `notes`: what else it says of them."""
        self.tables = tables
        self.things = Things(Graph(schema), called, by_roles=True, notes=notes)
        self.values = values
        self.knowledge = Knowledge(self.things, values, notes)
        self.joins = Joins(self.things.graph)
        self.linker = Linker(self.things, values, widely=True)
        self.segmenter = Segmenter(self.knowledge, values, self.linker)
        self.resolver = Resolver(self.knowledge, self.joins)

    def readings(
        self, text: str, periods: Sequence[PeriodMention] = (), today: dt.date | None = None
    ) -> tuple[Reading, ...]:
        today = today or dt.date(2026, 1, 1)
        words = words_in(spoken(text))
        found: dict[Statement, Reading] = {}
        for cut in self.segmenter.cuts(text, periods):
            sketch = sketch_of(cut)
            for chosen in self.resolver.resolved(sketch)[:_CHOICES]:
                left, dropped = list(sketch.uncovered), list(sketch.dropped)
                composer = Composer(sketch, chosen, self.knowledge, self.joins, words, today)
                for draft in composer.drafts():
                    support = support_of(cut, sketch, chosen, draft.cost)
                    self._add(found, draft, sketch, cut.score + chosen.score, support)
                sketch.uncovered[:], sketch.dropped[:] = left, dropped
        ranked = sorted(found.values(), key=lambda each: -each.score)
        return _torn(self.compiled(ranked))

    def compiled(self, ranked: Sequence[Reading], most: int = MOST_READINGS) -> tuple[Reading, ...]:
        """The first of the readings whose programs are right. As many are tried at once as are still wanted:
        mostly nothing is wrong with any of them."""
        good: list[Reading] = []
        left = iter(ranked)
        while batch := list(islice(left, most - len(good))):
            findings = self.tables.findings_of([each.statement for each in batch])
            good += [each for each, found in zip(batch, findings, strict=True) if not found]
        return tuple(good)

    def _add(
        self,
        found: dict[Statement, Reading],
        draft: Draft,
        sketch: Sketch,
        score: float,
        support: Support,
    ) -> None:
        statement = written(draft.frame, self.knowledge, self.joins)
        if statement is None:
            return
        worth = score - draft.cost - 0.15 * len(draft.guesses) - 0.3 * len(sketch.dropped)
        # Rows that are shown once for each of others are seldom what is asked for.
        pairs = sketch.others is not None
        worth -= _MULTIPLIED * any(each.name == "with" and not pairs for each in statement.arguments)
        known = found.get(statement)
        if known is None or worth > known.score:
            uncovered = tuple(dict.fromkeys((*sketch.uncovered, *sketch.dropped)))
            found[statement] = Reading(
                statement, draft.frame, worth, uncovered, draft.guesses, draft.explicit, support=support
            )


def _torn(found: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Two readings that are worth the same, and differ only in whose figure they mean: the hits of the one
    who bats or of the one who pitches. Which of them is asked for, nothing tells."""
    if len(found) < _BOTH or found[0].score - found[1].score > _SAME:
        return found
    one, other = (_figures(each.frame) for each in found[:_BOTH])
    same = [name for name, _ in one] == [name for name, _ in other]
    if not one or not same or one == other:
        return found
    return tuple(
        replace(each, guesses=(*each.guesses, "table")) if place < _BOTH else each
        for place, each in enumerate(found)
    )


def _figures(frame: Frame) -> list[tuple[str, TableKey]]:
    """The columns that are worked out or ranked by, and the tables that they are of."""
    refs = [each.ref for each in frame.measures if each.ref is not None]
    refs += [each.key for each in frame.order if isinstance(each.key, Ref)]
    columns = ((ref.thing.column, ref.table.key) for ref in refs)
    return [(column.info.name.casefold(), key) for column, key in columns if column is not None]
