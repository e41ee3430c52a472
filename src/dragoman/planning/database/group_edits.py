"""Edits that gather: by something else, by one thing more, by what is gathered by already."""

from collections.abc import Iterator

from msgspec.structs import replace

from dragoman.planning.database.column_edits import ColumnEdits
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.condition_edits import date_in_hand
from dragoman.planning.database.frame import Aggregate, Frame, Group, Measure, Order, Ref
from dragoman.planning.database.sketch import Slot
from dragoman.planning.database.workbench import Edit
from dragoman.planning.tables.schema_names import Thing


class GroupEdits(ColumnEdits):
    """What the rows in hand are gathered by."""

    def gathered(self, edit: Edit) -> Iterator[Edit]:
        if not self.groups or (
            self.lean.has("each") and not self.things_of([s for s in self.groups if isinstance(s, Slot)])
        ):
            yield edit
            return
        if (figure := self._by_figure(edit) or self._listed_by(edit)) is not None:
            yield figure
            return
        composed = self.graft.composed(
            self.chosen, self.graft.main, groups=self.groups, kept=[], dated=[], compared=[], absent=[]
        )
        if composed is None or not composed[0].groups:
            return
        groups, cost, guesses = composed[0].groups, edit.cost + composed[1], (*edit.guesses, *composed[2])
        frame = edit.frame
        groups = self._dated_alike(groups, frame)
        if not frame.gathered:
            frame = self.measuring((Measure(Aggregate.COUNT, counts=frame.subject),), ())
        if self._names_groups_again(frame, groups):
            if edit.first is None:
                yield Edit(replace(frame, groups=groups, order=(), limit=None), cost, guesses)
            return
        if (told := self._of_that_one(frame, groups)) is not None:
            yield replace(told, cost=cost, guesses=guesses)
            cost += 0.4
        joined = tuple(dict.fromkeys((*frame.groups, *groups)))
        alone = replace(frame, groups=groups, order=(), limit=None, shown=())
        both = replace(frame, groups=joined)
        if frame.groups and frame.groups != groups:
            also = self.lean.has("also", "further")
            # "By size instead" leaves no doubt.
            other = 0.8 if self.lean.has("instead") else 0.3
            yield Edit(both if also else alone, cost, guesses)
            yield Edit(alone if also else both, cost + other, guesses)
        else:
            yield Edit(replace(frame, groups=groups), cost, guesses)

    def _names_groups_again(self, frame: Frame, groups: tuple[Group, ...]) -> bool:
        """ "And the average price per town" after the top 3 towns by sales: what is gathered by is said once
        more, so another figure of all of them is asked for."""
        before = self.frame
        again = before.limit is not None and groups == before.groups and frame.measures != before.measures
        return again and self.lean.pronoun is None and not self.sketch.ranked and self.sketch.limit is None

    def _of_that_one(self, frame: Frame, groups: tuple[Group, ...]) -> Edit | None:
        """ "And by year" after who spent the most: what that one spent, and not everybody."""
        same = frame.groups == self.frame.groups and frame.limit == 1 and frame.measures
        if not same or not frame.groups or self.lean.has("instead", "also"):
            return None
        first = self.first(self.base) if self.main.key == self.base.key else None
        if first is None:
            return None
        measures, conditions = frame.measures[:1], frame.conditions
        rows = Frame(self.base, measures=measures, groups=groups, conditions=conditions, linked=frame.linked)
        return Edit(rows, first=first)

    def _by_figure(self, edit: Edit) -> Edit | None:
        """ "By weight instead" after a top by number: a figure is measured, and rows are sorted by it."""
        frame = edit.frame
        things = self.things_of([each for each in self.groups if isinstance(each, Slot)])
        if len(self.groups) != 1 or not things or self.knowledge.role(things[0]) is not Role.MEASURE:
            return None
        ref = Ref(things[0])
        if frame.groups and frame.measures and (frame.order or self.lean.has("instead")):
            first = frame.measures[0]
            aggregate = Aggregate.SUM if first.aggregate is Aggregate.COUNT else first.aggregate
            return replace(edit, frame=self.swapped((Measure(aggregate, ref),)))
        if frame.gathered or things[0].table.key != self.rows.key:
            return None
        shown = frame.shown if frame.everything else tuple(dict.fromkeys((*frame.shown, ref)))
        order = Order(ref, descending=frame.limit is not None)
        return replace(edit, frame=replace(frame, order=(order,), shown=shown))

    def _listed_by(self, edit: Edit) -> Edit | None:
        """ "List them by last name": the rows themselves, in that order. How many there are of each was not
        asked."""
        frame = edit.frame
        things = self.things_of([each for each in self.groups if isinstance(each, Slot)])
        listed = self.lean.has("rows") or ("show" in self.cues and self.lean.object)
        if not listed or frame.gathered or self.lean.has("each", "further"):
            return None
        if len(self.groups) != 1 or not things or not self._is_of_rows(things[0]):
            return None
        ref = Ref(things[0])
        shown = frame.shown if frame.everything else tuple(dict.fromkeys((*frame.shown, ref)))
        return replace(edit, frame=replace(frame, order=(Order(ref),), shown=shown))

    def _is_of_rows(self, thing: Thing) -> bool:
        return thing.column is not None and thing.table.key == self.rows.key

    def _dated_alike(self, groups: tuple[Group, ...], frame: Frame) -> tuple[Group, ...]:
        """ "Per month" of rows held to a period: months of the same date."""
        date = date_in_hand(frame)
        if date is None or any(isinstance(each, Slot) for each in self.groups):
            return groups
        return tuple(each if each.part is None else replace(each, ref=date) for each in groups)
