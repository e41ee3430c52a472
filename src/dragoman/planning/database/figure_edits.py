"""Edits that ask for figures: how many there are, how much it is, another figure of the same."""

from collections.abc import Iterator

from msgspec.structs import replace

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.condition_edits import is_period
from dragoman.planning.database.frame import Aggregate, Frame, Group, Measure, Ref
from dragoman.planning.database.sketch import Slot
from dragoman.planning.database.workbench import Edit, Workbench
from dragoman.planning.tables.schema_names import Thing


class FigureEdits(Workbench):
    """Figures of the rows or the groups in hand."""

    def _of_first(
        self, measures: tuple[Measure, ...], cost: float, guesses: tuple[str, ...]
    ) -> Iterator[Edit]:
        """A figure of the one row that is spoken of."""
        table = measures[0].table
        first = None if table is None or self.lean.has("each") else self.first(table)
        if table is not None and first is not None and self.frame.gathered and self.frame.groups:
            more = 0.0 if self.lean.has("first") else 0.2
            yield Edit(Frame(table, measures=measures), cost + more, guesses, first=first)

    def measured(self, wanted: list[tuple[Aggregate | None, Slot | None]]) -> Iterator[Edit]:
        """Figures by what is measured; None for the slot is money."""
        frame = self.frame
        plain = [aggregate for aggregate, slot in wanted if slot is None and aggregate is not None]
        if plain and any(measure.ref or measure.factors for measure in frame.measures):
            yield from self.aggregated(plain[0])
            return
        figures = [ref for ref in frame.shown if self.knowledge.role(ref.thing) is Role.MEASURE]
        if plain and len(wanted) == 1 and figures and not frame.gathered and frame.limit is None:
            # "The average of that": of the figure that the rows are shown with.
            yield Edit(self.measuring((Measure(plain[0], figures[-1]),), ()))
            return
        composed = self.graft.composed(
            self.chosen,
            self.graft.main,
            measured=wanted,
            groups=[*self.groups] or [*self.graft.groups],
            context=[self.graft.rows],
            kept=[],
            dated=[],
            compared=[],
        )
        if composed is None or not composed[0].measures:
            return
        measures = composed[0].measures
        yield from self._of_first(measures, composed[1], composed[2])
        if frame.gathered:
            yield Edit(self.swapped(measures), composed[1], composed[2])
        elif frame.limit is None:
            # "Who spent the most": each one's, to be ranked.
            ranked = self.sketch.spent and bool(self.sketch.ranked)
            each = self.lean.has("each") or ranked or self.tells_each(measures[0].table)
            by = (Group(table=self.rows),) if each else ()
            yield Edit(self.measuring(measures, by), composed[1], composed[2])

    def totalled(self) -> Iterator[Edit]:
        """ "What is the total", "how much is that": of the figures that are shown, or of all groups."""
        frame, sketch = self.frame, self.sketch
        named = sketch.counted or any(slot for _, slot in sketch.measured) or self.asked or self.groups
        if (Aggregate.SUM, None) not in sketch.measured or named or self.lean.has("each"):
            return
        if frame.groups:
            added = all(each.aggregate in (Aggregate.SUM, Aggregate.COUNT) for each in frame.measures)
            cut = frame.having or frame.limit is not None or frame.share is not None
            if added and frame.measures and not cut and not self.lean.has("instead", "replaced"):
                yield Edit(replace(frame, groups=(), order=(), shown=()))
            return
        if frame.gathered or frame.limit is not None:
            return
        if sketch.counts and not self.lean.has("much") and not sketch.uncovered:
            return
        figures = [ref for ref in frame.shown if self.knowledge.role(ref.thing) is Role.MEASURE]
        if frame.everything:
            figures = [Ref(each) for each in self.knowledge.measures(self.rows) if "total" in each.words]
        if figures:
            yield Edit(self.measuring((Measure(Aggregate.SUM, figures[-1]),), ()), 0.1)
        elif self.lean.has("much"):
            yield from self.measured([(Aggregate.SUM, None)])

    def extreme(self) -> Frame | None:
        """ "What was her highest bid": the figure, not the row."""
        ranked = self.sketch.ranked[0] if len(self.sketch.ranked) == 1 else None
        if ranked is None or ranked.name is None or ranked.limit is not None or self.frame.gathered:
            return None
        pointing = self.lean.pronoun is not None and "show" in self.cues
        if not pointing or self.asked or self.frame.limit is not None or ranked.adjective is None:
            return None
        thing = self.thing(ranked.name)
        if thing is not None and thing.column is None and thing.table.key == self.rows.key:
            thing = self._own_figure(thing)
        if thing is None or self.knowledge.role(thing) is not Role.MEASURE:
            return None
        aggregate = Aggregate.MAX if ranked.descending else Aggregate.MIN
        return self.measuring((Measure(aggregate, Ref(thing)),), ())

    def _own_figure(self, thing: Thing) -> Thing | None:
        """The figure that rows are called after: the salary of salaries."""
        figures = self.knowledge.measures(thing.table)
        return next((each for each in figures if set(each.words) <= set(thing.words)), None)

    def shared(self) -> Iterator[Edit]:
        """ "As a percentage": each group's part of all, or the part that meets the conditions."""
        frame = self.frame
        figure = next((each for each in frame.measures if each.aggregate is Aggregate.SUM), None)
        if (
            not frame.measures
            or frame.having
            or any(each.aggregate not in (Aggregate.SUM, Aggregate.COUNT) for each in frame.measures)
        ):
            return
        measures = () if figure is None else (figure,)
        if frame.groups:
            yield Edit(replace(frame, measures=measures, share=(), order=(), limit=None, shown=()))
        elif frame.conditions:
            # "What part of that month's orders is that": the month holds of all of them.
            again = self.sketch.dated or self.lean.has("same_month", "same_year")
            within = tuple(each for each in frame.conditions if again and is_period(each, self.knowledge))
            part = tuple(each for each in frame.conditions if each not in within)
            if part:
                yield Edit(replace(frame, measures=measures, share=part, conditions=within))

    def aggregated(self, aggregate: Aggregate) -> Iterator[Edit]:
        measures = tuple(
            replace(each, aggregate=aggregate) if each.ref or each.factors else each
            for each in self.frame.measures
        )
        yield Edit(self.swapped(measures[:1]))

    def swapped(self, measures: tuple[Measure, ...]) -> Frame:
        """Other figures of the same groups. A top that is spoken of stays the top of what it was."""
        frame = self.frame
        if self.lean.has("also"):
            return replace(frame, measures=tuple(dict.fromkeys((*frame.measures, *measures))))
        old = frame.measures[0] if frame.measures else None
        kept = self.lean.pronoun is not None or self.lean.has("each", "first")
        order = frame.order
        if not kept or frame.limit is None or self.lean.has("instead"):
            order = tuple(replace(each, key=measures[0]) if each.key == old else each for each in order)
        return replace(frame, measures=measures, order=order, count_groups=False)
