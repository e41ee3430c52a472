"""What an edit is made with: the frame in hand, a sketch of the message, and what its names mean."""

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.first_row import FirstRow, first_row
from dragoman.planning.database.frame import Aggregate, Condition, Frame, Group, Linked, Measure, Ref
from dragoman.planning.database.graft import Graft, main_table, rows_of
from dragoman.planning.database.joins import Way
from dragoman.planning.database.lean import Lean
from dragoman.planning.database.resolver import Chosen
from dragoman.planning.database.segments import Piece, is_weak, things_of
from dragoman.planning.database.sketch import Slot
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Table


class Edit(Record, frozen=True, gc=True):
    """A frame made of the one in hand, what its choices cost, and what was guessed."""

    frame: Frame
    cost: float = 0.0
    guesses: tuple[str, ...] = ()
    covered: tuple[str, ...] = ()
    """Words that the sketch could make nothing of, and the edit could."""
    first: FirstRow | None = None
    """The row of the answer before that is spoken of."""


class Workbench:
    """One frame, one sketch and one choice of names."""

    told = False
    """It is asked who has the rows behind one of the groups in hand."""

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
        # "Who is their boss": what stands behind "who" is asked for.
        self.asked = [*self.sketch.shown, *(self.sketch.context if self.sketch.who else ())]
        self.groups = self.sketch.groups
        if self.lean.pronoun is not None and self.lean.has("each") and not self.frame.gathered:
            # "When did each of them last order": what follows is told of each, not gathered by.
            named = [each for each in self.sketch.groups if isinstance(each, Slot)]
            self.asked, self.groups = [*self.asked, *named], []
        elif self.lean.has("each") and not self.frame.gathered:
            # "How many bays does each depot have" of the depots in hand.
            self.groups = [each for each in self.groups if not self._are_rows(each)]
        if self.frame.gathered and self.lean.opens("by") and not self.groups and self._only_names():
            # "For each colour" after a figure: it is gathered by what is named, and nothing is shown.
            self.asked, self.groups = [], [*self.asked]
        if self.lean.each_verb:
            self.groups = [each for each in self.groups if not self._is_column(each)]
        self.flags = self._flags()
        self.asked = [slot for slot in self.asked if slot not in self.flags]
        compared = {id(each.name) for each in self.sketch.compared}
        self.asked = [slot for slot in self.asked if id(slot) not in compared]
        if self.lean.opens("only"):
            # "Only accounts opened in 2019": the date is named for the period.
            near = {id(each.near) for each in self.sketch.dated}
            self.asked = [slot for slot in self.asked if id(slot) not in near]
        if self.lean.opens("about", "and", "only", "same"):
            # "What about the Harbour branch": the noun belongs to the value.
            valued = {values[0].thing.table.key for values in self.chosen.values.values()}
            self.asked = [s for s in self.asked if (t := self.thing(s)) is None or t.table.key not in valued]

    def tells_each(self, table: Table | None) -> bool:
        """ "With the number of races" after a list of boats: told of each boat, and no figure of them all."""
        first = next((each for each in self.sketch.pieces if each.piece is not Piece.MARK), None)
        adds = self.lean.has("also") or (first is not None and "with" in first.kinds)
        return adds and not self.frame.gathered and table is not None and table.key != self.rows.key

    def first(self, table: Table) -> FirstRow | None:
        """The one row that is spoken of, as rows of a table point at it."""
        one = self.frame.limit == 1 or (self.lean.has("first") and self.frame.limit is not None)
        return first_row(self.frame, table, self.graft.schema) if one else None

    def _only_names(self) -> bool:
        """Whether a message names something and says nothing of it."""
        sketch = self.sketch
        said = sketch.kept or sketch.dated or sketch.compared or sketch.ranked or sketch.orders
        figures = sketch.counts or sketch.counted or sketch.measured
        return bool(self.asked) and "group" in self.cues and not (said or figures or sketch.who)

    def _are_rows(self, slot: Slot | str) -> bool:
        thing = self.thing(slot) if isinstance(slot, Slot) else None
        return thing is not None and thing.column is None and thing.table.key == self.rows.key

    def _is_column(self, slot: Slot | str) -> bool:
        thing = self.thing(slot) if isinstance(slot, Slot) else None
        return thing is not None and thing.column is not None

    def _flags(self) -> list[Slot]:
        """ "Only active ones": a flag that is named holds, unless it is to be shown."""
        if "show" in self.cues or self.lean.has("also"):
            return []
        named = [slot for slot in self.asked if (thing := self.thing(slot)) is not None and thing.column]
        flags = [slot for slot in named if self.knowledge.role(self.chosen.things[id(slot)]) is Role.FLAG]
        if flags and len(named) > len(flags) and "with" in self.cues:
            # "With price and guarantee": what stands beside what is shown is shown, too.
            return []
        return [slot for slot in flags if not _is_guessed(slot, self.chosen.things[id(slot)])]

    def thing(self, slot: Slot | None) -> Thing | None:
        return None if slot is None else self.chosen.things.get(id(slot))

    def things_of(self, slots: list[Slot]) -> list[Thing]:
        return [thing for slot in slots if (thing := self.thing(slot)) is not None]

    def labels(self, table: Table) -> tuple[Ref, ...]:
        named = dict.fromkeys((*self.knowledge.natural_key(table), *self.knowledge.labels(table)))
        return tuple(Ref(each) for each in named)

    def is_group(self, thing: Thing) -> bool:
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

    def aggregate(self) -> Aggregate | None:
        """ "And the max?" after a figure: another figure of the same column."""
        measured = any(measure.ref or measure.factors for measure in self.frame.measures)
        for kind in ("max", "min", "average", "sum"):
            if measured and kind in self.cues and not self.frame.groups:
                return Aggregate(kind)
        return None

    def people_behind(self) -> Table | None:
        """The table of the people that the rows in hand belong to."""
        composed = self.graft.composed(
            self.chosen, self.graft.rows, shown=[], who=True, context=[self.graft.rows]
        )
        if composed is None or composed[0].subject.key == self.rows.key:
            return None
        return composed[0].subject

    def rows_behind(self) -> Frame:
        """The rows behind a figure."""
        frame = self.frame
        labels = self.labels(frame.subject)
        everything = not self.knowledge.has_name(frame.subject)
        return Frame(
            frame.subject,
            shown=() if everything else labels,
            everything=everything,
            conditions=frame.conditions,
            either=frame.either,
            linked=frame.linked,
        )

    def measuring(
        self, measures: tuple[Measure, ...], groups: tuple[Group, ...], rows: Frame | None = None
    ) -> Frame:
        """A figure of the rows of a list: of the one in hand, or of one that was made of it."""
        frame = rows or self.frame
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
            linked=self._linked_from(main, frame),
        )

    def _linked_from(self, main: Table, frame: Frame) -> tuple[Linked, ...]:
        """Linked rows seen from the measured table; that it has rows of its own goes without saying."""
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

    def _by_way_of_rows(self, condition: Condition, main: Table, way: Way) -> Condition:
        """ "How many rides do they have": what held of the lines in hand holds of the line of each ride,
        and not of something that a ride has by another way."""
        ref = condition.ref
        there, usual = self.joins.way(self.base, ref.table), self.joins.way(main, ref.table)
        if there is None or usual is None or any(link.target == main.key for link in there.links):
            return condition
        links = (*way.links, *there.links)
        return condition if usual.links == links else replace(condition, ref=Ref(ref.thing, links))

    def _rooted(self, condition: Condition, main: Table) -> Condition:
        ref = condition.ref
        way = self.joins.way(main, self.base)
        if ref.links is None and ref.through is None and way is not None and way.single:
            return self._by_way_of_rows(condition, main, way)
        if ref.links is None:
            return condition
        return condition if way is None else replace(condition, ref=Ref(ref.thing, (*way.links, *ref.links)))


def _is_guessed(slot: Slot, thing: Thing) -> bool:
    """Whether it is hardly what the name means, and something else is rather."""
    return is_weak(slot.segment, thing) and things_of(slot.segment)[0][0].number != thing.number
