"""Edits of a frame by a message that leans on it: what is asked, what must hold, how it is gathered and ordered."""

from collections.abc import Iterator

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.planning.database.carried import carried
from dragoman.planning.database.condition_edits import merged, spoken_periods, without
from dragoman.planning.database.frame import Aggregate, Condition, Frame, Group, Having, Linked, Measure, Ref
from dragoman.planning.database.graft import Graft, main_table, rows_of
from dragoman.planning.database.knowledge import Role
from dragoman.planning.database.lean import Lean
from dragoman.planning.database.order_edits import ordered
from dragoman.planning.database.resolver import Chosen
from dragoman.planning.database.sketch import Compared, Slot
from dragoman.planning.tables.things import Thing
from dragoman.tables.graph import Table

_OPPOSITE = {"above": "at-most", "below": "at-least", "at-least": "below", "at-most": "above"}


class Edit(Record, frozen=True, gc=True):
    """A frame made of the one in hand, what its choices cost, and what was guessed."""

    frame: Frame
    cost: float = 0.0
    guesses: tuple[str, ...] = ()


class Editor:
    """Edits one frame by one sketch with one choice of names."""

    def __init__(self, graft: Graft, chosen: Chosen, lean: Lean, base: Table, cues: frozenset[str]) -> None:
        self.graft = graft
        self.sketch = graft.sketch
        self.frame = graft.frame
        self.chosen = chosen
        self.lean = lean
        self.base = base
        self.cues = cues
        self.knowledge = graft.schema.knowledge
        self.joins = graft.schema.joins
        self.rows = rows_of(self.frame)
        self.main = main_table(self.frame)
        self.asked = [*self.sketch.shown]
        self.groups = self.sketch.groups
        if self.lean.pronoun is not None and self.lean.has("each") and not self.frame.gathered:
            # "When did each of them last order": what follows is told of each, not gathered by.
            named = [each for each in self.sketch.groups if isinstance(each, Slot)]
            self.asked, self.groups = [*self.asked, *named], []
        if self.lean.opens("about", "and", "only", "same"):
            # "What about the Accounting department": the noun belongs to the value.
            valued = {values[0].thing.table.key for values in self.chosen.values.values()}
            self.asked = [s for s in self.asked if (t := self._thing(s)) is None or t.table.key not in valued]

    def edits(self) -> Iterator[Edit]:
        if self.lean.has("later") and self.lean.has("ones"):
            return
        if self.lean.has("undo"):
            yield from self._undone()
            return
        if self.lean.opens("whole", "same", "about", "and") and self.lean.has("whole") and (found := list(self._whole())):
            yield from found
            return
        for asked in self._asked():
            for held in self._held(asked):
                for gathered in self._gathered(held):
                    yield from self._ordered(gathered)

    def _thing(self, slot: Slot | None) -> Thing | None:
        return None if slot is None else self.chosen.things.get(id(slot))

    def _things(self, slots: list[Slot]) -> list[Thing]:
        return [thing for slot in slots if (thing := self._thing(slot)) is not None]

    # What is asked

    def _asked(self) -> Iterator[Edit]:
        sketch = self.sketch
        sorting = "order" in self.cues
        if (sketch.counts or sketch.counted) and not (sorting and not sketch.counted):
            yield from self._counted()
        elif sketch.measured:
            yield from self._measured()
        elif self.asked or sketch.when or sketch.place or sketch.how:
            yield from self._shown()
        elif self.lean.has("rows") and self.frame.gathered and not self.frame.groups:
            yield Edit(self._list())
        elif (aggregate := self._aggregate()) is not None:
            yield from self._aggregated(aggregate)
        else:
            yield Edit(self.frame)

    def _aggregate(self) -> Aggregate | None:
        """ "And the max?" after a figure: another figure of the same column."""
        measured = any(measure.ref or measure.factors for measure in self.frame.measures)
        for kind in ("max", "min", "average", "sum"):
            if measured and kind in self.cues and not self.frame.groups:
                return Aggregate(kind)
        return None

    def _aggregated(self, aggregate: Aggregate) -> Iterator[Edit]:
        measures = tuple(
            replace(each, aggregate=aggregate) if each.ref or each.factors else each for each in self.frame.measures
        )
        yield Edit(self._swapped(measures[:1]))

    def _list(self) -> Frame:
        """The rows behind a figure."""
        frame = self.frame
        labels = self._labels(frame.subject)
        everything = not self.knowledge.has_name(frame.subject)
        return Frame(
            frame.subject,
            shown=() if everything else labels,
            everything=everything,
            conditions=frame.conditions,
            either=frame.either,
            linked=frame.linked,
        )

    def _labels(self, table: Table) -> tuple[Ref, ...]:
        named = dict.fromkeys((*self.knowledge.natural_key(table), *self.knowledge.labels(table)))
        return tuple(Ref(each) for each in named)

    # Figures

    def _counted(self) -> Iterator[Edit]:
        frame, sketch = self.frame, self.sketch
        things = self._things(sketch.counted)
        each = self.lean.has("each") or bool(self.groups)
        if not things:
            yield from self._counted_rows(each=each)
            return
        thing = things[0]
        groups = [*self.groups] or [*self.graft.groups]
        if each and not groups:
            groups = [self.graft.rows]
        composed = self.graft.composed(
            self.chosen, self.graft.main, counted=sketch.counted, counts=True, groups=groups, kept=[], dated=[], compared=[]
        )
        if composed is None or not composed[0].measures:
            return
        measure = composed[0].measures[0]
        same = thing.column is None and thing.table.key in (frame.subject.key, self.rows.key)
        if not frame.gathered and not each and (same or self._is_shown(thing)):
            yield from self._counted_rows(each=False)
            return
        if frame.gathered and frame.groups and same and not each and thing.table.key == self.rows.key != self.main.key:
            yield Edit(replace(frame, count_groups=True, order=(), limit=None))
            return
        if frame.gathered:
            yield Edit(self._swapped((measure,)), composed[1], composed[2])
            return
        by = (Group(table=self.rows),) if each and not self.groups else ()
        if frame.limit is None:
            yield Edit(self._measuring((measure,), by), composed[1], composed[2])

    def _is_shown(self, thing: Thing) -> bool:
        if self.knowledge.role(thing) is Role.MEASURE:
            return False
        return any(ref.thing.number == thing.number or ref.table.key == thing.table.key for ref in self.frame.shown)

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
            yield Edit(self._swapped((count,)), 0.3)
            return
        if frame.distinct and len(frame.shown) == 1:
            count = Measure(Aggregate.COUNT, frame.shown[0], distinct=True)
        yield Edit(self._measuring((count,), ()))

    def _counted_each(self) -> Iterator[Edit]:
        """ "How many each": of what the rows were chosen by, where that is another table."""
        frame = self.frame
        if frame.gathered:
            yield Edit(self._swapped((Measure(Aggregate.COUNT, counts=self.main),)), 0.2)
            return
        others = [each.ref.table for each in frame.conditions if each.ref.table.key != frame.subject.key]
        others += [each.table for each in frame.linked if not each.absent]
        for other in others:
            way = self.joins.way(other, frame.subject)
            if way is not None and way.single and way.links:
                yield Edit(self._measuring((Measure(Aggregate.COUNT, counts=other),), (Group(table=frame.subject),)))
                return

    def _measuring(self, measures: tuple[Measure, ...], groups: tuple[Group, ...]) -> Frame:
        """A figure of the rows of a list."""
        frame = self.frame
        main = measures[0].table or frame.subject
        conditions = frame.conditions
        if main.key != frame.subject.key:
            conditions = tuple(self._rooted(each, main) for each in conditions)
        return Frame(
            frame.subject,
            measures=measures,
            groups=groups,
            conditions=conditions,
            either=frame.either,
            linked=self._linked_from(main),
        )

    def _linked_from(self, main: Table) -> tuple[Linked, ...]:
        """Linked rows seen from the table that is measured: that there are some of its own goes without saying."""
        frame = self.frame
        if main.key == frame.subject.key:
            return frame.linked
        found = []
        for each in frame.linked:
            plain = not (each.absent or each.operation or each.conditions)
            if plain and each.table.key == main.key:
                continue
            way, there = self.joins.way(main, frame.subject), self.joins.way(frame.subject, each.table)
            links = each.links if each.links is not None else (there.links if there else None)
            if way is not None and way.single and links is not None:
                each = replace(each, links=(*way.links, *links))
            found.append(each)
        return tuple(found)

    def _rooted(self, condition: Condition, main: Table) -> Condition:
        ref = condition.ref
        if ref.links is None:
            return condition
        way = self.joins.way(main, self.base)
        return condition if way is None else replace(condition, ref=Ref(ref.thing, (*way.links, *ref.links)))

    def _measured(self) -> Iterator[Edit]:
        frame, sketch = self.frame, self.sketch
        plain = [aggregate for aggregate, slot in sketch.measured if slot is None and aggregate is not None]
        if plain and any(measure.ref or measure.factors for measure in frame.measures):
            yield from self._aggregated(plain[0])
            return
        composed = self.graft.composed(
            self.chosen, self.graft.main, measured=sketch.measured, groups=[*self.groups] or [*self.graft.groups],
            context=[self.graft.rows], kept=[], dated=[], compared=[],
        )
        if composed is None or not composed[0].measures:
            return
        measures = composed[0].measures
        if frame.gathered:
            yield Edit(self._swapped(measures), composed[1], composed[2])
        elif frame.limit is None:
            by = (Group(table=self.rows),) if self.lean.has("each") else ()
            yield Edit(self._measuring(measures, by), composed[1], composed[2])

    def _swapped(self, measures: tuple[Measure, ...]) -> Frame:
        """Other figures of the same groups. A top that is spoken of stays the top of what it was."""
        frame = self.frame
        if self.lean.has("also"):
            return replace(frame, measures=tuple(dict.fromkeys((*frame.measures, *measures))))
        old = frame.measures[0] if frame.measures else None
        kept = self.lean.pronoun is not None or self.lean.has("each", "first")
        order = frame.order
        if not (kept and frame.limit is not None):
            order = tuple(replace(each, key=measures[0]) if each.key == old else each for each in order)
        return replace(frame, measures=measures, order=order, count_groups=False)

    # Columns

    def _shown(self) -> Iterator[Edit]:
        sketch = self.sketch
        things = self._things(self.asked)
        if self.frame.gathered and (found := self._measures_of(things)):
            yield Edit(self._swapped(found))
            return
        refs: list[Thing] = []
        other: list[Thing] = []
        for thing in self._named_once(things):
            if self._is_group(thing) or Ref(thing) in self.frame.shown:
                continue
            if self._measured_rows(thing):
                yield from self._another([thing], [])
                return
            if thing.column is None and thing.table.key in (self.rows.key, self.frame.subject.key):
                continue
            way = self.joins.way(self.rows, thing.table)
            if way is None:
                continue
            (refs if way.single and not self._new_subject(thing) else other).append(thing)
        if other:
            yield from self._another(other, refs)
            return
        asked = self._also_asked()
        shown = [ref for thing in refs for ref in self._refs(thing)]
        if sketch.who:
            # "Who placed them, with email": the person before what is asked of the person.
            people = dict.fromkeys(ref.table for ref in shown if ref.table.key != self.rows.key)
            shown = [*(ref for table in people for ref in self._labels(table)), *shown]
        yield Edit(self._with_shown([*asked, *shown]))

    def _named_once(self, things: list[Thing]) -> list[Thing]:
        """ "The client's name" is the client: the table says which name."""
        found: list[Thing] = []
        for thing in things:
            last = found[-1] if found else None
            name = thing.column is not None and set(thing.required) <= {"name", "titl"} | set(thing.optional)
            if last is not None and last.column is None and name and last.table.key != self.rows.key:
                continue
            found.append(thing)
        return found

    def _measures_of(self, things: list[Thing]) -> tuple[Measure, ...]:
        """ "And arrival delay" after an average of departure delays."""
        first = self.frame.measures[0]
        if first.ref is None or not things or self._pronoun_about_rows():
            return ()
        if not all(self.knowledge.role(each) is Role.MEASURE for each in things):
            return ()
        if self.frame.groups and any(each.table.key == self.rows.key != self.main.key for each in things):
            return ()
        return tuple(replace(first, ref=Ref(each), divisor=1.0) for each in things)

    def _pronoun_about_rows(self) -> bool:
        return self.lean.pronoun is not None and bool(self.frame.groups)

    def _is_group(self, thing: Thing) -> bool:
        for group in self.frame.groups:
            if group.ref is not None and group.ref.thing.number == thing.number:
                return True
            if group.table is not None and thing.column is None and group.table.key == thing.table.key:
                return True
            if group.through is not None and group.through.number == thing.number:
                return True
            if group.part is not None and str(group.part) in thing.words:
                return True
        return False

    def _new_subject(self, thing: Thing) -> bool:
        """ "Which airlines operate them", "who are the customers": a list of its own."""
        if thing.column is not None or self.frame.groups or self.lean.has("also"):
            return False
        return self.sketch.who or (self.lean.object and self.lean.last and self.lean.pronoun != 0)

    def _measured_rows(self, thing: Thing) -> bool:
        """ "Which of these tracks" after tracks were counted by album."""
        gathered = self.frame.gathered and thing.column is None and self.lean.pronoun is not None
        return gathered and thing.table.key == self.main.key != self.rows.key

    def _another(self, things: list[Thing], beside: list[Thing]) -> Iterator[Edit]:
        """Another thing of the rows in hand."""
        table = things[0].table
        found = carried(self.frame, self.base, table, self.joins)
        if found is None:
            return
        columns = [thing for thing in things if thing.column is not None and thing.table.key == table.key]
        if columns:
            cost = 0.4 if self.lean.pronoun is not None else 0.0
            yield Edit(replace(found, shown=tuple(Ref(each) for each in columns), distinct=True), cost)
            return
        everything = not self.knowledge.has_name(table)
        labels = () if everything else self._labels(table)
        yield Edit(replace(found, shown=(*labels, *(Ref(each) for each in beside)), everything=everything))

    def _also_asked(self) -> list[Ref]:
        """ "When were they hired", "where do they live", "how long are they"."""
        sketch = self.sketch
        if not (sketch.when or sketch.place or sketch.how):
            return []
        composed = self.graft.composed(
            self.chosen, self.graft.rows, shown=[self.graft.rows], when=sketch.when, place=sketch.place, how=sketch.how,
            kept=[], dated=[], compared=[],
        )
        labels = set(self._labels(self.rows))
        found = [] if composed is None else [ref for ref in composed[0].shown if ref not in labels]
        if not found and sketch.when:
            found = [Ref(each) for each in self.knowledge.of_role(self.rows, Role.YEAR)[:1]]
        return found

    def _refs(self, thing: Thing) -> list[Ref]:
        through = next((g.through for g in self.frame.groups if g.table is not None and g.table.key == thing.table.key), None)
        things = [thing] if thing.column is not None else self._telling_columns(thing.table)
        link = self.joins.find_link(thing) if thing.column is not None else None
        if link is not None and thing.table.key == self.rows.key:
            target = self.joins.graph.tables[link.target]
            return [Ref(ref.thing, through=thing) for ref in self._labels(target)] or [Ref(thing)]
        return [Ref(each, through=through) for each in things]

    def _telling_columns(self, table: Table) -> list[Thing]:
        """What is shown of a row that is asked for by the name of its table: its name, or else its figures."""
        labels = [ref.thing for ref in self._labels(table)]
        if self.knowledge.has_name(table):
            return labels
        return self.knowledge.measures(table)[:3] or labels

    def _with_shown(self, refs: list[Ref]) -> Frame:
        frame = self.frame
        if frame.gathered and not frame.groups:
            frame = self._list()
        if not refs:
            return frame
        if frame.everything:
            own = [Ref(each) for each in self.knowledge.things.of_table[frame.subject.key]]
            if all(ref in own for ref in refs):
                return replace(frame, everything=False, shown=tuple(dict.fromkeys((*self._telling(frame), *refs))))
            return replace(frame, everything=False, shown=tuple(dict.fromkeys((*own, *refs))))
        return replace(frame, shown=tuple(dict.fromkeys((*frame.shown, *refs))))

    def _telling(self, frame: Frame) -> list[Ref]:
        """What of a row says which one it is, and why it is there."""
        things = self.knowledge.things
        keys = [things.of_column[(*frame.subject.key, name)] for name in frame.subject.info.primary_key]
        held = [each.ref for each in frame.conditions if each.ref.table.key == frame.subject.key and each.ref.links is None]
        return [*map(Ref, keys), *self._labels(frame.subject), *held]

    # What must hold

    def _held(self, edit: Edit) -> Iterator[Edit]:
        sketch = self.sketch
        having, compared = self._havings(edit.frame)
        if not (sketch.kept or compared or sketch.dated or sketch.absent or sketch.missing or sketch.linked or sketch.absent_verbs):
            yield edit if not having else replace(edit, frame=replace(edit.frame, having=having))
            return
        subject = self.graft.main if self.frame.gathered else self._dated_rows()
        if sketch.absent or sketch.absent_verbs:
            subject = self.graft.rows
        dated, left = spoken_periods(self.frame, sketch.dated, self.knowledge)
        composed = self.graft.composed(self.chosen, subject, compared=compared, groups=[], dated=left)
        if composed is None:
            return
        found, cost, guesses = composed
        found = replace(found, conditions=(*dated, *found.conditions))
        conditions, linked = tuple(self._near(self._beside(each)) for each in found.conditions), found.linked
        if self.lean.has("out"):
            conditions = tuple(replace(each, negative=not each.negative) for each in conditions)
        edit = self._without_rows(edit, found)
        before = edit.frame.conditions
        for kept, more in merged(before, conditions, self.lean, self.knowledge, self.sketch.dated, self.graft.schema.today):
            frame = replace(
                edit.frame,
                conditions=kept,
                linked=tuple(dict.fromkeys((*edit.frame.linked, *linked))),
                having=having or edit.frame.having,
            )
            frame = self._shown_beside(frame, found)
            if self.frame.limit is not None and self.lean.pronoun is not None:
                # Of a top, those that meet a condition: the verbs can only cut after it.
                more, guesses = more + 0.6, (*guesses, "top")
            yield Edit(frame, edit.cost + cost + more, (*edit.guesses, *guesses))

    def _without_rows(self, edit: Edit, found: Frame) -> Edit:
        """ "And who hasn't ordered": those of the things in hand that nothing can be measured of."""
        frame = edit.frame
        absent = any(each.absent and each.table.key == self.main.key for each in found.linked)
        if not absent or not frame.groups or self.rows.key == self.main.key:
            return edit
        rows = carried(replace(frame, limit=None, having=()), self.base, self.rows, self.joins)
        if rows is None:
            return edit
        linked = tuple(each for each in rows.linked if each.table.key != self.base.key)
        shown = tuple(dict.fromkeys((*self._labels(self.rows), *frame.shown)))
        return replace(edit, frame=replace(rows, linked=linked, shown=shown))

    def _dated_rows(self) -> Slot:
        """Rows that were chosen by others: a period speaks of those others where the rows have no dates."""
        if not self.sketch.dated or self.knowledge.dates(self.rows) or self.knowledge.of_role(self.rows, Role.YEAR):
            return self.graft.rows
        for condition in self.frame.conditions:
            table = condition.ref.table
            if self.knowledge.dates(table) or self.knowledge.of_role(table, Role.YEAR):
                slot = self.graft.subject(self.knowledge.things.table_thing[table.key])
                self.chosen = self.graft.with_subject(self.chosen, slot)
                return slot
        return self.graft.rows

    def _beside(self, condition: Condition) -> Condition:
        """A condition on a table that another one speaks of is about the same row."""
        for known in self.frame.conditions:
            if known.ref.table.key == condition.ref.table.key and condition.ref.links is None and known.ref.links:
                return replace(condition, ref=replace(condition.ref, links=known.ref.links))
        return condition

    def _near(self, condition: Condition) -> Condition:
        """The column that points at a row, instead of the key that it points at."""
        ref = condition.ref
        table = self.frame.subject if not self.frame.gathered else self.main
        if ref.links is not None or ref.through is not None or ref.thing.column is None or ref.table.key == table.key:
            return condition
        way = self.joins.way(table, ref.table)
        if way is None or len(way.links) != 1 or not way.single or len(way.links[0].pairs) != 1:
            return condition
        here, there = way.links[0].pairs[0]
        near = self.knowledge.things.of_column.get((*table.key, here))
        if there != ref.thing.column.info.name or near is None:
            return condition
        return replace(condition, ref=Ref(near))

    def _shown_beside(self, frame: Frame, found: Frame) -> Frame:
        """Columns behind "with" are shown; a column that is compared is shown beside."""
        if frame.gathered or frame.everything or frame.distinct or not frame.shown:
            return frame
        labels = set(self._labels(found.subject))
        more = [ref for ref in found.shown if ref not in labels]
        new = [each.ref for each in found.conditions if each.operation not in ("equal", "missing", "contains")]
        more += [ref for ref in new if ref.table.key == frame.subject.key and ref.links is None]
        return replace(frame, shown=tuple(dict.fromkeys((*frame.shown, *more))))

    def _havings(self, frame: Frame) -> tuple[tuple[Having, ...], list[Compared]]:
        """Bare numbers, and numbers of what is measured, hold the figures of groups to something."""
        left: list[Compared] = []
        found: list[Having] = list(frame.having)
        for compared in self.sketch.compared:
            measure = self._figure(compared, frame) if frame.gathered and frame.groups else None
            if measure is None or compared.average:
                left.append(compared)
                continue
            operation = compared.operation
            if self.lean.has("out") or compared.negative:
                operation = _OPPOSITE.get(operation, operation)
            most = compared.numbers[1] if len(compared.numbers) > 1 else None
            found = [each for each in found if each.measure != measure]
            found.append(Having(measure, operation, compared.numbers[0], most))
        return tuple(found), left

    def _figure(self, compared: Compared, frame: Frame) -> Measure | None:
        counts = [each for each in frame.measures if each.aggregate is Aggregate.COUNT]
        named = [thing for slot in (compared.after, compared.name) if (thing := self._thing(slot)) is not None]
        if not named and compared.adjective is None:
            return counts[0] if counts and "count" in self.cues else frame.measures[0]
        for thing in named:
            for measure in frame.measures:
                if measure.ref is not None and measure.ref.thing.number == thing.number:
                    return measure
            if thing.column is None and thing.table.key == self.main.key:
                return Measure(Aggregate.COUNT, counts=self.main)
        if all(self._is_group(thing) for thing in named) and compared.operation != "equal":
            return (counts or list(frame.measures))[0]
        return None

    # Groups

    def _gathered(self, edit: Edit) -> Iterator[Edit]:
        sketch = self.sketch
        if not self.groups or self.lean.has("each") and not self._things([s for s in self.groups if isinstance(s, Slot)]):
            yield edit
            return
        composed = self.graft.composed(self.chosen, self.graft.main, groups=self.groups, kept=[], dated=[], compared=[], absent=[])
        if composed is None or not composed[0].groups:
            return
        groups, cost, guesses = composed[0].groups, edit.cost + composed[1], (*edit.guesses, *composed[2])
        frame = edit.frame
        if not frame.gathered:
            frame = self._measuring((Measure(Aggregate.COUNT, counts=frame.subject),), ())
        joined = tuple(dict.fromkeys((*frame.groups, *groups)))
        alone = replace(frame, groups=groups, order=(), limit=None, shown=())
        both = replace(frame, groups=joined)
        if frame.groups and frame.groups != groups:
            also = self.lean.has("also", "further")
            yield Edit(both if also else alone, cost, guesses)
            yield Edit(alone if also else both, cost + 0.3, guesses)
        else:
            yield Edit(replace(frame, groups=groups), cost, guesses)

    # Orders

    def _ordered(self, edit: Edit) -> Iterator[Edit]:
        for frame, cost in ordered(self, edit.frame):
            yield Edit(frame, edit.cost + cost, edit.guesses)

    # Undoing

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
        slots = [*sketch.shown, *sketch.context, *sketch.counted, *([sketch.maybe[1]] if sketch.maybe else [])]
        things = self._things(slots)
        if not things:
            if sketch.kept or sketch.dated or not self.lean.opens("whole", "about", "and", "same"):
                return
            own = [each for each in frame.conditions if each.operation == "equal"]
            if own:
                yield Edit(replace(frame, conditions=tuple(each for each in frame.conditions if each != own[-1])))
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
        elif frame.limit is not None and (self._is_group(thing) or thing.table.key == self.rows.key):
            yield Edit(replace(frame, limit=None))

    def _group_of(self, condition: Condition, thing: Thing) -> Group:
        held = condition.ref.thing
        link = self.joins.find_link(held)
        if link is not None:
            return Group(table=self.joins.graph.tables[link.target], through=held)
        if thing.column is None and thing.table.key == held.table.key:
            return Group(table=thing.table)
        return Group(Ref(held))
