"""Edits that ask for figures: how many there are, how much it is, another figure of the same."""

from collections.abc import Iterator

from msgspec.structs import replace

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.frame import Aggregate, Frame, Group, Measure, Ref
from dragoman.planning.database.sketch import Slot
from dragoman.planning.database.workbench import Edit, Workbench
from dragoman.planning.tables.schema_names import Thing


class FigureEdits(Workbench):
    """Figures of the rows or the groups in hand."""

    def counted(self) -> Iterator[Edit]:
        frame, sketch = self.frame, self.sketch
        things = self.things_of(sketch.counted)
        each = self.lean.has("each") or bool(self.groups)
        if not things:
            yield from self._counted_rows(each=each)
            return
        thing = things[0]
        own = self.knowledge.role(thing) is Role.MEASURE and thing.table.key == self.rows.key
        if own and self.lean.has("each") and not frame.gathered:
            # "How many docks does each have": every row has the number.
            yield Edit(replace(frame, shown=tuple(dict.fromkeys((*frame.shown, Ref(thing))))))
            return
        if own and self.lean.has("singular") and self.lean.pronoun is not None and frame.limit == 1:
            # "How many docks does that port have": the one row has the number.
            yield Edit(replace(frame, shown=(Ref(thing),), everything=False))
            return
        if self.knowledge.role(thing) is Role.MEASURE and (Aggregate.SUM, None) in sketch.measured:
            # "How much is outstanding in total".
            yield from self.measured([(Aggregate.SUM, sketch.counted[0])])
            return
        groups = [*self.groups] or [*self.graft.groups]
        if each and not groups:
            groups = [self.graft.rows]
        composed = self.graft.composed(
            self.chosen,
            self.graft.main,
            counted=sketch.counted,
            counts=True,
            groups=groups,
            kept=[],
            dated=[],
            compared=[],
        )
        if composed is None or not composed[0].measures:
            return
        measure = composed[0].measures[0]
        same = thing.column is None and thing.table.key in (frame.subject.key, self.rows.key)
        # "How many places is that": whatever the rows are called, if it is no other table.
        called = (
            self.lean.last and thing.column is not None and self.knowledge.role(thing) is not Role.MEASURE
        )
        called = called or (self.lean.last and frame.distinct and thing.column is not None)
        if not frame.gathered and not each and (same or called or self._is_shown(thing)):
            yield from self._counted_rows(each=False)
            return
        if not each and self._are_groups(thing):
            yield Edit(replace(frame, count_groups=True, order=(), limit=None, shown=()))
            return
        yield from self._of_first((measure,), composed[1], composed[2])
        if frame.gathered:
            yield Edit(self.swapped((measure,)), composed[1], composed[2])
            return
        by = (Group(table=self.rows),) if each and not self.groups else ()
        if frame.limit is None:
            yield Edit(self.measuring((measure,), by), composed[1], composed[2])

    def _are_groups(self, thing: Thing) -> bool:
        """ "How many growers are they" of groups by customer, "how many countries is that" of groups by
        the country of shipping."""
        groups = self.frame.groups
        if groups and thing.column is None and thing.table.key == self.rows.key != self.main.key:
            return True
        ref = groups[0].ref if len(groups) == 1 and groups[0].part is None else None
        return self.lean.last and ref is not None and bool(set(thing.required) & set(ref.thing.words))

    def _of_first(
        self, measures: tuple[Measure, ...], cost: float, guesses: tuple[str, ...]
    ) -> Iterator[Edit]:
        """A figure of the one row that is spoken of."""
        table = measures[0].table
        first = None if table is None or self.lean.has("each") else self.first(table)
        if table is not None and first is not None and self.frame.gathered and self.frame.groups:
            more = 0.0 if self.lean.has("first") else 0.2
            yield Edit(Frame(table, measures=measures), cost + more, guesses, first=first)

    def _is_shown(self, thing: Thing) -> bool:
        if self.knowledge.role(thing) is Role.MEASURE:
            return False
        return any(
            ref.thing.number == thing.number or ref.table.key == thing.table.key for ref in self.frame.shown
        )

    def _counted_rows(self, *, each: bool) -> Iterator[Edit]:
        """ "How many is that": of rows their number, of groups how many there are."""
        frame = self.frame
        if each and not self.groups:
            yield from self._counted_each()
            return
        if frame.gathered and frame.groups and not each:
            yield Edit(replace(frame, count_groups=True, order=(), limit=None, shown=()))
            return
        count = Measure(Aggregate.COUNT, counts=frame.subject)
        if frame.gathered:
            yield Edit(self.swapped((count,)), 0.3)
            return
        if frame.distinct and len(frame.shown) == 1:
            count = Measure(Aggregate.COUNT, frame.shown[0], distinct=True)
        yield Edit(self.measuring((count,), ()))

    def _counted_each(self) -> Iterator[Edit]:
        """ "How many each": of what the rows were chosen by, where that is another table."""
        frame = self.frame
        if frame.gathered:
            yield Edit(self.swapped((Measure(Aggregate.COUNT, counts=self.main),)), 0.2)
            return
        for thing in self.things_of(self.asked):
            way = self.joins.way(thing.table, frame.subject)
            if thing.column is None and way is not None and way.single and way.links:
                # "How often was each of them repaired": the repairs of each.
                count = Measure(Aggregate.COUNT, counts=thing.table)
                yield Edit(self.measuring((count,), (Group(table=frame.subject),)))
                return
        beside = [ref for ref in frame.shown if ref.table.key != frame.subject.key]
        if beside and not frame.linked and frame.limit is None:
            # "How many of each" after a column of another table was shown beside the rows.
            last = beside[-1]
            group = Group(table=last.table, links=last.links, through=last.through)
            yield Edit(self.measuring((Measure(Aggregate.COUNT, counts=frame.subject),), (group,)), 0.1)
        others = [each.ref.table for each in frame.conditions if each.ref.table.key != frame.subject.key]
        others += [each.table for each in frame.linked if not each.absent]
        for other in others:
            way = self.joins.way(other, frame.subject)
            if way is not None and way.single and way.links:
                yield Edit(
                    self.measuring((Measure(Aggregate.COUNT, counts=other),), (Group(table=frame.subject),))
                )
                return

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
            by = (Group(table=self.rows),) if self.lean.has("each") or ranked else ()
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
            yield Edit(replace(frame, measures=measures, share=frame.conditions, conditions=()))

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
