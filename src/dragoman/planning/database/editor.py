"""Edits of a frame by a message that leans on it: what is asked, held, gathered and ordered."""

import datetime as dt
from collections.abc import Iterator

from msgspec.structs import replace

from dragoman.planning.database.column_edits import ColumnEdits
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.condition_edits import date_in_hand, turned, without
from dragoman.planning.database.figure_bounds import against_figure
from dragoman.planning.database.frame import Aggregate, Condition, Frame, Group, Measure, Order, Ref
from dragoman.planning.database.graft import Graft
from dragoman.planning.database.held_edits import HeldEdits
from dragoman.planning.database.order_edits import ordered
from dragoman.planning.database.sketch import Slot
from dragoman.planning.database.workbench import Edit
from dragoman.planning.tables.schema_names import Thing


class Editor(ColumnEdits, HeldEdits):
    """Edits one frame by one sketch with one choice of names."""

    def edits(self) -> Iterator[Edit]:
        if self.lean.has("later") and self.lean.has("ones"):
            return
        if self.lean.has("undo"):
            yield from self._undone()
            return
        if self.lean.has("year") and (year := _whole_year(self.frame.conditions)) is not None:
            yield Edit(replace(self.frame, conditions=year))
            return
        if (size := self._size()) is not None:
            yield Edit(replace(self.frame, limit=size))
            return
        if (
            self.lean.opens("whole", "same", "about", "and")
            and self.lean.has("whole")
            and not any(slot for _, slot in self.sketch.measured)
            and (found := list(self._whole()))
        ):
            yield from found
            return
        if (bounded := against_figure(self)) is not None:
            yield bounded
            return
        if (fewer := self.unshown()) is not None:
            yield fewer
            return
        if (other := self._drilled() or self._of_all() or self._otherwise()) is not None:
            yield from other.edits()
            return
        for asked in self._asked():
            for held in self.held(asked):
                for gathered in self._gathered(held):
                    yield from self._ordered(gathered)

    def _drilled(self) -> "Editor | None":
        """ "List the northern ones", "which orders are these" after figures of groups: the rows behind them,
        to be edited in their place."""
        frame, sketch = self.frame, self.sketch
        figures = sketch.counts or sketch.counted or sketch.measured or sketch.spent or sketch.share
        if not frame.groups or frame.limit is not None or frame.share is not None:
            return None
        if "show" not in self.cues and not sketch.who:
            return None
        if figures or self.groups or sketch.ranked or sketch.orders or "not" in self.cues:
            return None
        if self.lean.opens("only", "about", "and", "same", "instead", "out", "also", "whole"):
            return None
        ones = bool(sketch.kept) and self.lean.has("ones")
        pointed = self.lean.pronoun is not None or self.lean.has("ones", "rows")
        named = any(
            thing.column is None and thing.table.key == self.main.key and not self.is_group(thing)
            for thing in self.things_of(self.asked)
        )
        if not ones and not ((named or self.lean.has("rows")) and pointed and not frame.having):
            return None
        graft = Graft(sketch, self.rows_behind(), self.graft.schema)
        return Editor(graft, graft.completed(self.chosen), self.lean, self.base, self.cues)

    def _of_all(self) -> "Editor | None":
        """ "By number of visits instead" after rows that were pointed at: another ranking is one of all."""
        frame = self.frame
        kept = tuple(each for each in frame.conditions if not _holds_keys(each))
        points = self.lean.pronoun is not None or not self.lean.has("instead")
        if points or kept == frame.conditions or not (self.groups or self.sketch.ranked):
            return None
        graft = Graft(self.sketch, replace(frame, conditions=kept), self.graft.schema)
        return Editor(graft, graft.completed(self.chosen), self.lean, self.base, self.cues)

    def _otherwise(self) -> "Editor | None":
        """ "And how many don't?" after those that have orders: those that have none."""
        sketch = self.sketch
        said = sketch.kept or sketch.held or sketch.dated or sketch.compared or sketch.slots()
        if "not" not in self.cues or said or sketch.uncovered or sketch.verbs or sketch.ranked:
            return None
        frame = turned(self.frame, self.knowledge)
        if frame is None:
            return None
        graft = Graft(sketch, frame, self.graft.schema)
        sketch.dropped.clear()
        return Editor(graft, graft.completed(self.chosen), self.lean, self.base, self.cues - {"not"})

    def _asked(self) -> Iterator[Edit]:
        sketch = self.sketch
        sorting = "order" in self.cues
        if sketch.who and self.lean.pronoun is not None and (top := self._extreme_row()) is not None:
            yield Edit(top)
        elif (owned := self.owned()) is not None:
            yield owned
        elif sketch.share and self.frame.gathered:
            yield from self.shared()
        elif total := list(self.totalled()):
            yield from total
        elif (extreme := self.extreme()) is not None:
            yield Edit(extreme)
        elif (ranked := self._each_ranked() or self._commonest()) is not None:
            yield ranked
        elif sketch.spent and not (sketch.counted or sketch.measured or self.asked or sketch.compared):
            yield from self.measured([(None, None)])
        elif (
            (sketch.counts or sketch.counted) and not (sorting and not sketch.counted) and not self._is_money
        ):
            yield from self.counted()
        elif sketch.measured:
            yield from self.measured(sketch.measured)
        elif self.asked or sketch.when or sketch.place or sketch.how:
            yield from self.shown()
        elif sketch.who and (self.lean.object or self._asks_whose()):
            yield from self.people()
        elif self._asks_for_people():
            yield Edit(replace(self.rows_behind(), shown=self.labels(self.rows), everything=False))
        elif self.lean.has("rows") and self.frame.gathered and not self.frame.groups:
            yield Edit(self.rows_behind())
        elif (aggregate := self.aggregate()) is not None:
            yield from self.aggregated(aggregate)
        else:
            yield Edit(self.frame)

    def _asks_whose(self) -> bool:
        """ "Who are they for": the pronoun is about the rows, and not about who is asked for."""
        return self.lean.dangling and (self.lean.pronoun is not None or self.lean.has("rows"))

    def _asks_for_people(self) -> bool:
        """ "Who came in May" after numbers of people, of all or by months: they themselves."""
        frame, sketch = self.frame, self.sketch
        counts = all(each.aggregate is Aggregate.COUNT and each.ref is None for each in frame.measures)
        if not (sketch.who and frame.measures and counts) or sketch.ranked or "most" in self.cues:
            return False
        dated = all(each.part is not None for each in frame.groups)
        held = sketch.dated or sketch.kept or sketch.compared
        return (
            bool(held) and dated and self.main.key == self.rows.key and self.knowledge.names_rows(self.rows)
        )

    @property
    def _is_money(self) -> bool:
        """ "How much money came in": an amount, although no column is named, and no number of rows."""
        sketch = self.sketch
        return sketch.amount and not sketch.counted and (None, None) in sketch.measured

    def _each_ranked(self) -> Edit | None:
        """ "Which city had the most" after one figure: that of each city, to be ranked."""
        frame, ranked = self.frame, self.sketch.ranked
        if frame.groups or not frame.measures or not self.asked or not ranked or ranked[0].name is not None:
            return None
        if self.groups or self.sketch.counts or self.sketch.counted or self.sketch.measured:
            return None
        composed = self.graft.composed(
            self.chosen, self.graft.main, groups=self.asked, kept=[], dated=[], compared=[], absent=[]
        )
        if composed is None or not composed[0].groups:
            return None
        return Edit(replace(frame, groups=composed[0].groups), composed[1], composed[2])

    def _commonest(self) -> Edit | None:
        """ "Which of these cities is the most common" after a list: how often there is each."""
        frame, ranked, things = self.frame, self.sketch.ranked, self.things_of(self.asked)
        if frame.gathered or frame.limit is not None or len(ranked) != 1 or not ranked[0].common:
            return None
        if len(things) != 1 or things[0].column is None or self.groups or not self.is_single(things[0].table):
            return None
        count = Measure(Aggregate.COUNT, counts=frame.subject)
        by = self.measuring((count,), (Group(Ref(things[0])),))
        return Edit(replace(by, unshown=True))

    def _size(self) -> int | None:
        """ "Make it 10" after a top 5, "just the first 3"."""
        sketch = self.sketch
        if self.lean.head is not None and (self.frame.groups or not self.frame.gathered):
            return self.lean.head
        bare = sketch.compared[0] if len(sketch.compared) == 1 else None
        if self.frame.limit is None or bare is None or not bare.numbers or not self.lean.has("resize"):
            return None
        alone = bare.operation == "equal" and bare.name is None and bare.unit is None and not bare.money
        whole = alone and not (sketch.kept or sketch.dated or sketch.slots()) and bare.numbers[0] % 1 == 0
        return int(bare.numbers[0]) if whole and bare.numbers[0] >= 1 else None

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
        if thing.column is None:
            # "All teams" of a year: the year stays.
            named = tuple(each for each in dropped if each.operation == "equal" and not _is_figure(each))
            kept, dropped = (*kept, *(each for each in dropped if each not in named)), named
        if dropped and frame.gathered:
            group = self._group_of(dropped[0], thing)
            groups = frame.groups if group in frame.groups else (*frame.groups, group)
            yield Edit(replace(frame, conditions=kept, groups=groups))
        elif dropped:
            labels = () if frame.everything else self.labels(frame.subject)
            shown = tuple(dict.fromkeys((*labels, *frame.shown)))
            yield Edit(replace(frame, conditions=kept, shown=shown))
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


def _holds_keys(condition: Condition) -> bool:
    """Whether rows are held by several keys: nobody says those, they were pointed at."""
    several = condition.operation == "equal" and not condition.negative and len(condition.values) > 1
    return several and condition.ref.thing.is_key


def _is_figure(condition: Condition) -> bool:
    """Whether a column is compared that counts or dates rows, and names none."""
    thing = condition.ref.thing
    return thing.is_date or (thing.is_number and not thing.is_key)


def _whole_year(conditions: tuple[Condition, ...]) -> tuple[Condition, ...] | None:
    """The conditions with their days made those of the whole year."""
    for place, each in enumerate(conditions):
        match each:
            case Condition(operation="days", values=(dt.date() as first, dt.date() as last)) if (
                first.year == last.year
            ):
                days = (dt.date(first.year, 1, 1), dt.date(first.year, 12, 31))
                return (*conditions[:place], replace(each, values=days), *conditions[place + 1 :])
            case _:
                continue
    return None
