"""Edits that ask how many there are: of the rows in hand, of groups, of something that each has."""

from collections.abc import Iterator

from msgspec.structs import replace

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.figure_edits import FigureEdits
from dragoman.planning.database.frame import Aggregate, Condition, Frame, Group, Linked, Measure, Ref
from dragoman.planning.database.workbench import Edit
from dragoman.planning.tables.schema_names import Thing


class CountEdits(FigureEdits):
    """Numbers of the rows or the groups in hand."""

    def counted(self) -> Iterator[Edit]:
        sketch = self.sketch
        things = self.things_of(sketch.counted)
        each = self.lean.has("each") or bool(self.groups)
        if not things or (not each and self._is_flag_of_them(things[0])):
            yield from self._counted_rows(each=each)
            return
        thing = things[0]
        if (some := self._some_of_them(thing)) is not None:
            yield Edit(some)
            return
        measure = self.knowledge.role(thing) is Role.MEASURE
        if (told := self._own_number(thing)) is not None:
            yield Edit(told)
            return
        if measure and (Aggregate.SUM, None) in sketch.measured:
            # "How much is outstanding in total".
            yield from self.measured([(Aggregate.SUM, sketch.counted[0])])
            return
        groups = self._groups_counted() if not each and self._are_groups(thing) else None
        if (told := groups or self._of_each(thing) or self._of_other_end(thing)) is not None:
            yield Edit(told)
            return
        yield from self._counted_things(thing, each=each)

    def _is_flag_of_them(self, thing: Thing) -> bool:
        """ "How many of those were late": rows are counted, and the flag holds."""
        flag = self.knowledge.role(thing) is Role.FLAG and self.lean.has("partial")
        if flag:
            self.flags = [*self.flags, self.sketch.counted[0]]
        return flag

    def _some_of_them(self, thing: Thing) -> Frame | None:
        """ "How many of them have an order": those of the rows in hand that have one, and not the orders."""
        frame, pieces = self.frame, self.sketch.pieces
        place = next((at for at, each in enumerate(pieces) if "count" in each.kinds), None)
        pointed = place is not None and self.lean.has("partial") and self.lean.pronoun == pieces[place].end
        counts = all(each.aggregate is Aggregate.COUNT for each in frame.measures)
        if not pointed or not counts or frame.groups or frame.limit is not None or thing.column is not None:
            return None
        if (
            thing.table.key in (self.rows.key, frame.subject.key)
            or self.joins.way(self.rows, thing.table) is None
        ):
            return None
        if not frame.gathered:
            frame = self.measuring((Measure(Aggregate.COUNT, counts=frame.subject),), ())
        return replace(frame, linked=(*frame.linked, Linked(thing.table)))

    def _own_number(self, thing: Thing) -> Frame | None:
        """ "How many docks does each have", "how many docks does it have": the rows have the number."""
        frame = self.frame
        if self.knowledge.role(thing) is not Role.MEASURE or thing.table.key != self.rows.key:
            return None
        if self.lean.has("each") and not frame.gathered:
            return replace(frame, shown=tuple(dict.fromkeys((*frame.shown, Ref(thing)))))
        if self.lean.has("singular") and self.lean.pronoun is not None and frame.limit == 1:
            return replace(frame, shown=(Ref(thing),), everything=False)
        return None

    def _counted_things(self, thing: Thing, *, each: bool) -> Iterator[Edit]:
        """How many of something there are, with what else the message says of it."""
        frame = self.frame
        groups = [*self.groups] or [*self.graft.groups]
        if each and not groups:
            groups = [self.graft.rows]
        composed = self.graft.composed(
            self.chosen,
            self.graft.main,
            counted=self.sketch.counted,
            counts=True,
            groups=groups,
            kept=[],
            dated=[],
            compared=[],
        )
        if composed is None or not composed[0].measures:
            return
        measure = composed[0].measures[0]
        if not frame.gathered and not each and self._are_rows_in_hand(thing):
            yield from self._counted_rows(each=False)
            return
        yield from self._of_first((measure,), composed[1], composed[2])
        if frame.gathered:
            yield Edit(self.swapped((measure,)), composed[1], composed[2])
            return
        told = (each and not self.groups) or self.tells_each(measure.table)
        by = (Group(table=self.rows),) if told else ()
        if frame.limit is None:
            yield Edit(self.measuring((measure,), by), composed[1], composed[2])

    def _are_rows_in_hand(self, thing: Thing) -> bool:
        """ "How many places is that": whatever the rows are called, if it is no other table."""
        if thing.column is None and thing.table.key in (self.frame.subject.key, self.rows.key):
            return True
        called = self.frame.distinct or self.knowledge.role(thing) is not Role.MEASURE
        return (self.lean.last and thing.column is not None and called) or self._is_shown(thing)

    def _groups_counted(self) -> Frame:
        """How many groups there are, whatever figure they were held to."""
        counts = any(each.aggregate is Aggregate.COUNT for each in self.frame.measures)
        measures = self.frame.measures if counts else (Measure(Aggregate.COUNT, counts=self.main),)
        return replace(self.frame, measures=measures, count_groups=True, order=(), limit=None, shown=())

    def _are_groups(self, thing: Thing) -> bool:
        """ "How many growers are they" of groups by customer, "how many countries is that" of groups by
        the country of shipping."""
        groups = self.frame.groups
        if groups and thing.column is None and thing.table.key == self.rows.key != self.main.key:
            return True
        ref = groups[0].ref if len(groups) == 1 and groups[0].part is None else None
        if not self.lean.last or ref is None:
            return False
        said = set(self.sketch.counted[0].segment.stem.split())
        return bool(set(thing.required) & set(ref.thing.words)) or bool(said & set(ref.thing.words))

    def _of_each(self, thing: Thing) -> Frame | None:
        """ "How many clients does each have" of agents that were listed from their clients, "how many
        arrivals has each of them" of ports that sailings arrive at: the rows that point at each."""
        frame = self.frame
        if not self.lean.has("each") or self.groups or frame.gathered or frame.limit is not None:
            return None
        told = frame.shown[0] if frame.shown and frame.distinct else None
        if told is not None and thing.column is None and thing.table.key == frame.subject.key:
            alike = {(ref.table.key, ref.links, ref.through) for ref in frame.shown}
            if len(alike) == 1 and told.table.key != frame.subject.key:
                group = Group(table=told.table, links=told.links, through=told.through)
                return self.measuring((Measure(Aggregate.COUNT, counts=thing.table),), (group,))
        link = None if thing.column is None else self.joins.find_link(thing)
        if link is None or link.target != self.rows.key or frame.linked:
            return None
        conditions = tuple(self._by_role(each, thing) for each in frame.conditions)
        if any(each is None for each in conditions):
            return None
        count = Measure(Aggregate.COUNT, counts=thing.table)
        kept = tuple(each for each in conditions if each is not None)
        group = Group(table=self.rows, through=thing)
        return Frame(thing.table, measures=(count,), groups=(group,), conditions=kept)

    def _of_other_end(self, role: Thing) -> Frame | None:
        """ "And how many landed there" of flights that left somewhere: the place is that of the other end."""
        frame, link = self.frame, self.joins.find_link(role)
        pointing = self.lean.pronoun is not None and self.lean.has("existing")
        if (
            link is None
            or not pointing
            or not frame.measures
            or frame.groups
            or role.table.key != self.main.key
        ):
            return None
        usual = self.joins.way(self.main, self.joins.graph.tables[link.target])
        is_usual = usual is not None and usual.links == (self.joins.link_of(role),)
        conditions = tuple(
            replace(each, ref=Ref(each.ref.thing, through=role))
            if each.ref.table.key == link.target
            and each.ref.links is None
            and each.ref.through != role
            and not (is_usual and each.ref.through is None)
            else each
            for each in frame.conditions
        )
        return replace(frame, conditions=conditions) if conditions != frame.conditions else None

    def _by_role(self, condition: Condition, role: Thing) -> Condition | None:
        """What holds of a row, said of those that point at it by a key."""
        ref = condition.ref
        own = ref.table.key == self.rows.key and ref.links is None and ref.through is None
        return replace(condition, ref=Ref(ref.thing, through=role)) if own else None

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
        if (first := self._count_of_first()) is not None:
            yield first
            return
        if frame.gathered and frame.groups and not each:
            yield Edit(self._groups_counted())
            return
        count = Measure(Aggregate.COUNT, counts=frame.subject)
        if frame.gathered:
            yield Edit(self.swapped((count,)), 0.3)
            return
        if frame.distinct and len(frame.shown) == 1:
            count = Measure(Aggregate.COUNT, frame.shown[0], distinct=True)
        yield Edit(self.measuring((count,), ()))

    def _count_of_first(self) -> Edit | None:
        """ "How many is that", "how many of those were late" after who had the most: those of that one."""
        frame = self.frame
        counts = bool(frame.measures) and frame.measures[0].aggregate is Aggregate.COUNT
        if not (frame.groups and frame.limit == 1 and counts) or self.lean.has("each") or self.groups:
            return None
        first = self.first(self.base) if self.main.key == self.base.key else None
        if first is None:
            return None
        rows = Frame(self.base, measures=frame.measures[:1], conditions=frame.conditions, linked=frame.linked)
        return Edit(rows, first=first)

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
