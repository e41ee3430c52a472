"""Edits of a frame by a message that leans on it: what is asked, held, gathered and ordered."""

import datetime as dt
from collections.abc import Iterator

from msgspec.structs import replace

from dragoman.planning.database.carried import carried
from dragoman.planning.database.condition_edits import turned, without
from dragoman.planning.database.evidence import asks_of_group
from dragoman.planning.database.figure_bounds import against_figure
from dragoman.planning.database.frame import Aggregate, Condition, Frame, Group, Measure, Order, Ref
from dragoman.planning.database.graft import Graft
from dragoman.planning.database.group_edits import GroupEdits
from dragoman.planning.database.held_edits import HeldEdits
from dragoman.planning.database.order_edits import ordered
from dragoman.planning.database.workbench import Edit
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Link


class Editor(GroupEdits, HeldEdits):
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
        if (other := self._drilled() or self._of_all() or self._otherwise() or self._of_pairs()) is not None:
            yield from other.edits()
            return
        for asked in self._asked():
            for held in self.held(asked):
                for gathered in self.gathered(held):
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
        if self._ranks_rows() and not (figures or self.groups or sketch.orders):
            return self._behind()
        if figures or self.groups or sketch.ranked or sketch.orders or "not" in self.cues:
            return None
        if self.lean.opens("only", "about", "and", "same", "instead", "out", "also", "whole"):
            return None
        # "Which are cancelled", "who got a distinction".
        asks = sketch.who or (self.lean.opens("what") and self.lean.has("being"))
        if asks and asks_of_group(sketch, frame, self.joins):
            return self._behind(told=True)
        ones = bool(sketch.kept) and self.lean.has("ones")
        pointed = self.lean.pronoun is not None or self.lean.has("ones", "rows")
        named = any(
            thing.column is None and thing.table.key == self.main.key and not self.is_group(thing)
            for thing in self.things_of(self.asked)
        )
        if not ones and not ((named or self.lean.has("rows")) and pointed and not frame.having):
            return None
        return self._behind()

    def _ranks_rows(self) -> bool:
        """ "What was the biggest single order" after sums of orders by town: an order, and no town."""
        ranked = self.sketch.ranked[0] if len(self.sketch.ranked) == 1 else None
        thing = None if ranked is None else self.thing(ranked.name)
        if thing is None or thing.column is not None or thing.table.key != self.main.key or self.asked:
            return False
        return self.lean.pronoun is None and not self.is_group(thing)

    def _behind(self, *, told: bool = False) -> "Editor":
        """The editor of the rows behind figures. `told`: who has them is asked."""
        graft = Graft(self.sketch, self.rows_behind(), self.graft.schema)
        editor = Editor(graft, graft.completed(self.chosen), self.lean, self.base, self.cues)
        editor.told = told
        return editor

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

    def _of_pairs(self) -> "Editor | None":
        """ "With the average rating" after the comedies, which stand in a table that pairs films with kinds:
        that of each film."""
        frame, figures = self.frame, self.sketch.measured or self.sketch.counted
        if not figures or frame.gathered or frame.limit is not None or self.knowledge.has_name(self.rows):
            return None
        said = {link.target for e in frame.conditions if (link := self._first_link(e.ref)) is not None}
        keys = [
            link for link in self.joins.links(self.rows).values() if link.single and link.target not in said
        ]
        if len(keys) != 1 or not said:
            return None
        table = self.joins.graph.tables[keys[0].target]
        rows = carried(frame, self.base, table, self.joins) if self.tells_each(table) else None
        if rows is None or not self.knowledge.has_name(table):
            return None
        graft = Graft(self.sketch, replace(rows, shown=self.labels(table)), self.graft.schema)
        return Editor(graft, graft.completed(self.chosen), self.lean, table, self.cues)

    def _first_link(self, ref: Ref) -> Link | None:
        """The first step from the rows in hand to a column."""
        way = self.joins.way(self.rows, ref.table)
        links = ref.links if ref.links is not None else () if way is None else way.links
        return links[0] if links else self.joins.find_link(ref.thing)

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
        elif sketch.who and (self.lean.object or self._asks_whose() or self.told):
            yield from self.people()
        elif self._asks_for_people():
            yield Edit(replace(self.rows_behind(), shown=self.labels(self.rows), everything=False))
        elif self._asks_for_rows():
            yield Edit(self.rows_behind())
        elif (aggregate := self.aggregate()) is not None:
            yield from self.aggregated(aggregate)
        else:
            yield Edit(self.frame)

    def _asks_whose(self) -> bool:
        """ "Who are they for": the pronoun is about the rows, and not about who is asked for."""
        return self.lean.dangling and (self.lean.pronoun is not None or self.lean.has("rows"))

    def _asks_for_rows(self) -> bool:
        """ "Which of those depots have more than 20 bays", "list them" after a figure of depots: they
        themselves."""
        sketch = self.sketch
        held = sketch.kept or sketch.compared or sketch.dated
        points = self.lean.has("plural") and self.lean.opens("what") and self.lean.pronoun is not None
        asks = self.lean.has("rows") or (bool(held) and points)
        return asks and self.frame.gathered and not self.frame.groups

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
        if self.lean.size is not None and self.frame.limit is not None:
            return self.lean.size
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
