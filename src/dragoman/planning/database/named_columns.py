"""Columns that a message names: of which rows they are, and whether they are shown alone."""

from msgspec.structs import replace

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.count_edits import CountEdits
from dragoman.planning.database.draft.groups import says_id
from dragoman.planning.database.frame import Aggregate, Frame, Order, Ref
from dragoman.planning.database.segments import things_of
from dragoman.planning.database.workbench import Edit
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Table

_SEVERAL = 2
"""So many columns of one name are shown together, at most."""


class NamedColumns(CountEdits):
    """What the names of columns mean upon the rows in hand."""

    def own_names(self) -> list[Thing]:
        """What is asked for. "The names" are those of the rows in hand, where nothing else is spoken of."""
        spoken = self.things_of([*self.asked, *self.sketch.context])
        labels = self.labels(self.rows)
        if any(each.column is None for each in spoken) or not labels:
            return self.things_of(self.asked)
        return [
            labels[0].thing if self._says_name(thing) and thing.table.key != self.rows.key else thing
            for thing in self.things_of(self.asked)
        ]

    def _says_name(self, thing: Thing) -> bool:
        return any(slot.segment.stem == "name" for slot in self.asked if self.thing(slot) == thing)

    def alone(self, things: list[Thing]) -> Edit | None:
        """ "What are their heights" after a number: the columns that are named and no others.

        Beside something only goes what there is a list of, and what is asked for besides.
        """
        frame, columns = self.frame, [each for each in self.named_once(things) if each.column is not None]
        others = [each for each in things if each.column is None and each.table.key != self.rows.key]
        if not columns or others or self.sketch.who or self.lean.has("also", "each"):
            return None
        if any(each.table.key != self.rows.key for each in columns) or "with" in self.cues:
            return None
        pointing = self.lean.has("what") and self.lean.pronoun is not None
        if frame.groups:
            return (self._of_groups(columns) or self._behind_groups(columns)) if pointing else None
        named = any(ref in frame.shown for ref in self.labels(frame.subject))
        more = any(Ref(each) not in frame.shown for each in columns)
        if not (pointing or frame.gathered or (more and not (named or frame.everything))):
            return None
        rows = self._one_behind() or self.rows_behind() if frame.gathered else frame
        same = [each.ref for each in frame.measures if each.distinct]
        shown = tuple(dict.fromkeys(ref for thing in columns for ref in self._whole_name(thing)))
        return Edit(replace(rows, shown=shown, everything=False, distinct=rows.distinct or [*shown] == same))

    def _one_behind(self) -> Frame | None:
        """ "What is that boat's name" after the greatest length: of the one that has it."""
        measure = self.frame.measures[0] if self.frame.measures else None
        if measure is None or measure.ref is None or not self.lean.has("singular"):
            return None
        if measure.aggregate not in (Aggregate.MAX, Aggregate.MIN) or measure.ref.table.key != self.rows.key:
            return None
        order = Order(measure.ref, measure.aggregate is Aggregate.MAX)
        return replace(self.rows_behind(), order=(order,), limit=1)

    def _of_groups(self, columns: list[Thing]) -> Edit | None:
        """ "What are their heights" of trees that pickings were counted by."""
        group = self.frame.groups[0]
        if len(self.frame.groups) > 1 or group.table is None:
            return None
        shown = tuple(dict.fromkeys(ref for thing in columns for ref in self.refs(thing)))
        return Edit(replace(self.frame, shown=shown, named=True, unshown=True))

    def _behind_groups(self, columns: list[Thing]) -> Edit | None:
        """ "What are their names" after numbers of people by rank: of the people, whatever their rank is."""
        frame, own = self.frame, self.main.key == self.rows.key
        values = all(each.ref is not None and each.ref.table.key == self.rows.key for each in frame.groups)
        if not (own and values) or frame.limit is not None or frame.having or frame.share is not None:
            return None
        shown = tuple(dict.fromkeys(ref for thing in columns for ref in self._whole_name(thing)))
        return Edit(replace(self.rows_behind(), shown=shown, everything=False))

    def _whole_name(self, thing: Thing) -> list[Ref]:
        """ "Their names" of people are both of theirs."""
        labels = self.labels(thing.table)
        named = self._says_name(thing) or thing not in self.things_of(self.asked)
        return [*labels] if named and Ref(thing) in labels else self.refs(thing)

    def names_alone(self) -> Edit | None:
        """ "Show me their names" of rows that have none: the people whose rows they are, and nothing else."""
        if not self.asked or any(slot.segment.stem != "name" for slot in self.asked) or self.frame.groups:
            return None
        if self.sketch.context or self.sketch.kept or self.lean.pronoun is None:
            return None
        people = self._people_of_rows()
        rows = self.rows_behind() if self.frame.gathered else self.frame
        return Edit(replace(rows, shown=tuple(people), everything=False)) if people else None

    def _people_of_rows(self) -> list[Ref]:
        """ "Their names" of rows that have none are those of the one kind of people that they belong to."""
        if self.knowledge.has_name(self.rows):
            return []
        found: list[list[Ref]] = []
        for facts in self.knowledge.columns(self.rows):
            link = self.joins.find_link(facts.thing)
            target = None if link is None else self.joins.graph.tables[link.target]
            labels = () if target is None else self.knowledge.labels(target)
            if len(labels) > 1:
                found.append([Ref(label, through=facts.thing) for label in labels])
        return found[0] if len(found) == 1 else []

    def as_likely(self, thing: Thing) -> list[Thing]:
        """ "With price and stock": where two columns of the rows are called so, and neither is meant rather,
        both are shown."""
        slot = next((each for each in self.asked if self.thing(each) == thing), None)
        found = [] if slot is None else things_of(slot.segment)
        best = next((score for each, score in found if each == thing), 0.0)
        alike = [
            each
            for each, score in found
            if score == best and each.column is not None and each.table.key == thing.table.key
        ]
        own = [each for each in alike if self.knowledge.role(each) is not Role.FLAG]
        several = bool(own) and thing in alike and thing.table.key == self.rows.key and len(own) <= _SEVERAL
        return sorted(own, key=lambda each: each.number) if several else [thing]

    def named_once(self, things: list[Thing]) -> list[Thing]:
        """ "The client's name" is the client: the table says which name. The client's phone is the phone."""
        found: list[Thing] = []
        for thing in things:
            last = found[-1] if found else None
            name = thing.column is not None and set(thing.required) <= {"name", "titl"} | set(thing.optional)
            beside = last is not None and last.column is None and last.table.key != self.rows.key
            if beside and name:
                continue
            if beside and last is not None and thing.column is not None and thing.table.key == last.table.key:
                # "The room number" is one column of the room.
                found[-1] = thing
                continue
            found.append(thing)
        return found

    def is_single(self, table: Table) -> bool:
        """Whether a row has one value of a column of a table at most."""
        way = self.joins.way(self.rows, table)
        return way is not None and way.single

    def refs(self, thing: Thing) -> list[Ref]:
        through = next(
            (g.through for g in self.frame.groups if g.table is not None and g.table.key == thing.table.key),
            None,
        )
        things = [thing] if thing.column is not None else self._telling_columns(thing.table)
        link = self.joins.find_link(thing) if thing.column is not None else None
        if link is not None and thing.table.key == self.rows.key and not self._says_id(thing):
            target = self.joins.graph.tables[link.target]
            return [Ref(ref.thing, through=thing) for ref in self.labels(target)] or [Ref(thing)]
        return [Ref(each, through=through) for each in things]

    def _says_id(self, thing: Thing) -> bool:
        """ "Their owner ids": the key itself, and not what it points at."""
        return any(says_id(slot) for slot in self.asked if self.thing(slot) == thing)

    def _telling_columns(self, table: Table) -> list[Thing]:
        """What is shown of a row that is named by its table: its name, or else its figures."""
        labels = [ref.thing for ref in self.labels(table)]
        if self.knowledge.has_name(table):
            return labels
        return self.knowledge.measures(table)[:3] or labels
