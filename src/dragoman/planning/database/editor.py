"""Edits of a frame by a message that leans on it: what is asked, held, gathered and ordered."""

from collections.abc import Iterator

from msgspec.structs import replace

from dragoman.planning.database.column_edits import ColumnEdits
from dragoman.planning.database.condition_edits import without
from dragoman.planning.database.frame import Aggregate, Condition, Frame, Group, Measure, Order, Ref
from dragoman.planning.database.held_edits import HeldEdits
from dragoman.planning.database.order_edits import ordered
from dragoman.planning.database.sketch import Slot
from dragoman.planning.database.workbench import Edit
from dragoman.planning.tables.things import Thing


class Editor(ColumnEdits, HeldEdits):
    """Edits one frame by one sketch with one choice of names."""

    def edits(self) -> Iterator[Edit]:
        if self.lean.has("later") and self.lean.has("ones"):
            return
        if self.lean.has("undo"):
            yield from self._undone()
            return
        if (
            self.lean.opens("whole", "same", "about", "and")
            and self.lean.has("whole")
            and (found := list(self._whole()))
        ):
            yield from found
            return
        for asked in self._asked():
            for held in self.held(asked):
                for gathered in self._gathered(held):
                    yield from self._ordered(gathered)

    def _asked(self) -> Iterator[Edit]:
        sketch = self.sketch
        sorting = "order" in self.cues
        if sketch.who and self.lean.pronoun is not None and (top := self._extreme_row()) is not None:
            yield Edit(top)
        elif sketch.share and self.frame.gathered:
            yield from self.shared()
        elif sketch.spent and not (sketch.counted or sketch.measured or self.asked or sketch.compared):
            yield from self.measured([(None, None)])
        elif (sketch.counts or sketch.counted) and not (sorting and not sketch.counted):
            yield from self.counted()
        elif sketch.measured:
            yield from self.measured(sketch.measured)
        elif self.asked or sketch.when or sketch.place or sketch.how:
            yield from self.shown()
        elif sketch.who and self.lean.object:
            yield from self.people()
        elif self.lean.has("rows") and self.frame.gathered and not self.frame.groups:
            yield Edit(self.rows_behind())
        elif (aggregate := self.aggregate()) is not None:
            yield from self.aggregated(aggregate)
        else:
            yield Edit(self.frame)

    def _extreme_row(self) -> Frame | None:
        """ "Who is it" after the greatest age: the row that has it."""
        frame = self.frame
        measure = frame.measures[0] if frame.measures else None
        if frame.groups or measure is None or measure.ref is None:
            return None
        if measure.aggregate not in (Aggregate.MAX, Aggregate.MIN):
            return None
        rows = self.rows_behind()
        order = Order(measure.ref, measure.aggregate is Aggregate.MAX)
        shown = rows.shown if rows.everything else (*rows.shown, measure.ref)
        return replace(rows, order=(order,), limit=1, shown=shown)

    def _gathered(self, edit: Edit) -> Iterator[Edit]:
        if not self.groups or (
            self.lean.has("each") and not self.things_of([s for s in self.groups if isinstance(s, Slot)])
        ):
            yield edit
            return
        composed = self.graft.composed(
            self.chosen, self.graft.main, groups=self.groups, kept=[], dated=[], compared=[], absent=[]
        )
        if composed is None or not composed[0].groups:
            return
        groups, cost, guesses = composed[0].groups, edit.cost + composed[1], (*edit.guesses, *composed[2])
        frame = edit.frame
        if not frame.gathered:
            frame = self.measuring((Measure(Aggregate.COUNT, counts=frame.subject),), ())
        joined = tuple(dict.fromkeys((*frame.groups, *groups)))
        alone = replace(frame, groups=groups, order=(), limit=None, shown=())
        both = replace(frame, groups=joined)
        if frame.groups and frame.groups != groups:
            also = self.lean.has("also", "further")
            yield Edit(both if also else alone, cost, guesses)
            yield Edit(alone if also else both, cost + 0.3, guesses)
        else:
            yield Edit(replace(frame, groups=groups), cost, guesses)

    def _ordered(self, edit: Edit) -> Iterator[Edit]:
        for frame, cost in ordered(self, edit.frame):
            yield replace(edit, frame=frame, cost=edit.cost + cost)

    def _undone(self) -> Iterator[Edit]:
        frame = self.frame
        if frame.having:
            yield Edit(replace(frame, having=frame.having[:-1]))
        elif frame.conditions:
            yield Edit(replace(frame, conditions=frame.conditions[:-1]))
            if len(frame.conditions) > 1:
                yield Edit(replace(frame, conditions=()), 0.2)
        elif frame.linked:
            yield Edit(replace(frame, linked=frame.linked[:-1]))
        elif frame.limit is not None:
            yield Edit(replace(frame, limit=None))

    def _whole(self) -> Iterator[Edit]:
        """ "Same for all airports": the condition on them goes, and each is told of by itself."""
        frame, sketch = self.frame, self.sketch
        slots = [
            *sketch.shown,
            *sketch.context,
            *sketch.counted,
            *([sketch.maybe[1]] if sketch.maybe else []),
        ]
        things = self.things_of(slots)
        if not things:
            if sketch.kept or sketch.dated or not self.lean.opens("whole", "about", "and", "same"):
                return
            own = [each for each in frame.conditions if each.operation == "equal"]
            if own:
                yield Edit(
                    replace(frame, conditions=tuple(each for each in frame.conditions if each != own[-1]))
                )
            elif frame.limit is not None:
                yield Edit(replace(frame, limit=None))
            return
        thing = things[0]
        kept, dropped = without(frame.conditions, thing, self.joins)
        if dropped and frame.gathered:
            group = self._group_of(dropped[0], thing)
            groups = frame.groups if group in frame.groups else (*frame.groups, group)
            yield Edit(replace(frame, conditions=kept, groups=groups))
        elif dropped:
            yield Edit(replace(frame, conditions=kept))
        elif frame.limit is not None and (self.is_group(thing) or thing.table.key == self.rows.key):
            yield Edit(replace(frame, limit=None))

    def _group_of(self, condition: Condition, thing: Thing) -> Group:
        held = condition.ref.thing
        link = self.joins.find_link(held)
        if link is not None:
            return Group(table=self.joins.graph.tables[link.target], through=held)
        if thing.column is None and thing.table.key == held.table.key:
            return Group(table=thing.table)
        return Group(Ref(held))
