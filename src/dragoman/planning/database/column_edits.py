"""Edits that ask for more columns, for the rows behind a figure, or for other things of the same rows."""

from collections.abc import Iterator

from msgspec.structs import replace

from dragoman.planning.database.carried import carried
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.evidence import says_again
from dragoman.planning.database.frame import Aggregate, Condition, Frame, Linked, Measure, Ref
from dragoman.planning.database.named_columns import NamedColumns
from dragoman.planning.database.vocabulary import english
from dragoman.planning.database.workbench import Edit
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Table

_FAR = 0.7
_OTHERS = 0.5


class ColumnEdits(NamedColumns):
    """What is shown of the rows in hand."""

    def shown(self) -> Iterator[Edit]:
        things = self.own_names()
        whole = (
            self._had_instead(things)
            or self.names_alone()
            or self._whole_rows(things)
            or self._hidden(things)
            or self._top_by_another(things)
        )
        if whole is not None:
            yield whole
            return
        if place := self._place():
            yield from self._another(place, [], named=True)
            return
        whole = self._counted_instead(things) or self._there_after_all(things)
        if whole is not None or self._did_it(things):
            yield from [whole] if whole is not None else self.people()
            return
        if self.frame.gathered and (found := self._measures_of(things)):
            yield Edit(self.swapped(found))
            return
        refs: list[Thing] = []
        others: list[Thing] = []
        for thing in self.named_once(things):
            if self.is_group(thing) or Ref(thing) in self.frame.shown:
                continue
            if self._measured_rows(thing):
                yield from self._another([thing], [])
                return
            if thing.column is None and thing.table.key in (self.rows.key, self.frame.subject.key):
                continue
            way = self.joins.way(self.rows, thing.table)
            if way is None:
                continue
            if not way.single and self._must_have(thing):
                yield Edit(replace(self.frame, linked=(*self.frame.linked, Linked(thing.table))))
                return
            # "Include the activities", "what kind is each": beside each row, however many there are.
            beside = way.single or (self.lean.has("also", "each") and not self.frame.gathered)
            (refs if beside and not self._new_subject(thing) else others).append(thing)
        if others:
            yield from self._another(others, refs)
            return
        yield from self._beside_them(things, refs)

    def _beside_them(self, things: list[Thing], refs: list[Thing]) -> Iterator[Edit]:
        """What is asked for of each row in hand: alone, or beside what is shown."""
        asked = self._also_asked()
        alone = self._of_named(asked) if asked and not refs else None if asked else self.alone(things)
        alone = self._whereof(refs) or alone
        if alone is not None:
            yield alone
            return
        shown = [ref for thing in refs for each in self.as_likely(thing) for ref in self.refs(each)]
        if self.sketch.who:
            # "Who booked them, with phone": the person before what is asked of the person.
            people = dict.fromkeys(ref.table for ref in shown if ref.table.key != self.rows.key)
            shown = [*(ref for table in people for ref in self.labels(table)), *shown]
        # A column that a row has several values of is seldom meant where its own is.
        far = any(thing.column is not None and not self.is_single(thing.table) for thing in refs)
        yield Edit(self._with_shown([*asked, *shown]), _FAR if far else 0.0)
        if self.frame.groups and self.frame.groups[0].ref is not None and refs:
            # "The sex of the students in this major": rows of the first group.
            yield from self._another(refs, [])

    def _had_instead(self, things: list[Thing]) -> Edit | None:
        """ "And letters?" after guests who have parcels: those who have letters."""
        frame, thing = self.frame, things[0] if len(things) == 1 else None
        old = frame.linked[0] if len(frame.linked) == 1 else None
        if old is None or thing is None or old.operation or old.conditions or self.lean.pronoun is not None:
            return None
        if thing.column is not None or thing.table.key in (old.table.key, frame.subject.key, self.rows.key):
            return None
        way = self.joins.way(self.main, old.table) if old.links is None else None
        links = old.links if way is None else way.links
        if not links or not self.lean.opens("and", "about", "same", "instead"):
            return None
        at = self.joins.graph.tables[links[-2].target] if len(links) > 1 else self.main
        steps = [each for each in self.joins.links(at).values() if each.target == thing.table.key]
        if len(steps) != 1 or steps[0].single != links[-1].single:
            return None
        other = replace(old, table=thing.table, links=(*links[:-1], steps[0]))
        return Edit(replace(frame, linked=(other,)))

    def _whereof(self, things: list[Thing]) -> Edit | None:
        """ "In which towns?" after a number: the towns, and not each row with its own."""
        if not (self.lean.opens("whereof") and things and self.frame.gathered) or self.frame.groups:
            return None
        shown = tuple(dict.fromkeys(ref for thing in things for ref in self.refs(thing)))
        return Edit(replace(self.rows_behind(), shown=shown, everything=False, distinct=True))

    def _of_named(self, asked: list[Ref]) -> Edit | None:
        """ "How old is Ida" after another thing of Ida."""
        if self.frame.gathered or not says_again(self.sketch, self.frame):
            return None
        return Edit(replace(self.frame, shown=tuple(asked), everything=False))

    def _top_by_another(self, things: list[Thing]) -> Edit | None:
        """ "What about weight" after the one with the greatest length: the one with the greatest weight. "The
        weight" would be its own."""
        frame = self.frame
        old = frame.order[0].key if frame.order and frame.limit == 1 and not frame.gathered else None
        asks_anew = self.lean.opens("about") and self.lean.opens("what") and self.lean.pronoun is None
        if not isinstance(old, Ref) or not asks_anew or len(things) != 1 or self.lean.has("article"):
            return None
        new, measures = Ref(things[0]), {self.knowledge.role(old.thing), self.knowledge.role(things[0])}
        if measures != {Role.MEASURE} or new.table.key != old.table.key or new == old:
            return None
        shown = tuple(dict.fromkeys(new if ref == old else ref for ref in frame.shown))
        return Edit(replace(frame, order=(replace(frame.order[0], key=new), *frame.order[1:]), shown=shown))

    def _did_it(self, things: list[Thing]) -> bool:
        """ "Who booked them on that day": nothing is named but what was done, and when."""
        made = set(self.knowledge.things.table_thing[self.rows.key].words)
        asks = self.sketch.who and (self.lean.object or self.told)
        return asks and all(each.is_date or _is_verb(each, made) for each in things)

    def _hidden(self, things: list[Thing]) -> Edit | None:
        """ "Drop the price": it is shown no more."""
        return self._fewer(things) if self.lean.opens("out") else None

    def unshown(self) -> Edit | None:
        """ "Without the price" of rows that show it. What names a row or dates it may be missing instead."""
        sketch = self.sketch
        things = self.things_of([*sketch.missing, *sketch.absent])
        figures = all(self.knowledge.role(each) is Role.MEASURE for each in things)
        others = sketch.kept or sketch.dated or sketch.compared or sketch.shown or sketch.counts
        return self._fewer(things) if figures and not others and self.lean.pronoun is None else None

    def _fewer(self, things: list[Thing]) -> Edit | None:
        names = {thing.required for thing in things}
        kept = tuple(ref for ref in self.frame.shown if ref.thing.required not in names)
        known = names <= {ref.thing.required for ref in self.frame.shown}
        return Edit(replace(self.frame, shown=kept)) if things and known and kept else None

    def _must_have(self, thing: Thing) -> bool:
        """ "Only the ones with orders", "which of them have orders": those that have some."""
        fewer = self.lean.has("only", "ones") or (self.lean.pronoun is not None and "show" in self.cues)
        listed = thing.column is None and not self.frame.gathered
        # "Which of them also have orders" adds nothing that is shown.
        adds = self.lean.has("also") and not (self.lean.has("partial") and "show" in self.cues)
        return listed and fewer and "with" in self.cues and not adds and not self._they_have()

    def _they_have(self) -> bool:
        """ "Which orders do they have" asks for orders, and not which of them have some."""
        they = [each.start for each in self.sketch.pieces if each.text.casefold() in english().they]
        return bool(they and self.asked) and max(they) > max(slot.segment.start for slot in self.asked)

    def _whole_rows(self, things: list[Thing]) -> Edit | None:
        """ "All information on that airport"."""
        known = all(each.column is None and each.table.key == self.rows.key for each in things)
        if not self.sketch.everything or not known or self.lean.strength == 0.0:
            return None
        if not self.frame.gathered:
            return Edit(replace(self.frame, shown=(), everything=True, distinct=False))
        first = self.first(self.rows)
        found = carried(self.frame, self.base, self.rows, self.joins) or (Frame(self.rows) if first else None)
        return None if found is None else Edit(replace(found, everything=True), first=first)

    def _place(self) -> list[Thing]:
        """ "Where does it sail to": the column of what is measured that a preposition speaks of."""
        if not self.sketch.place or not self.frame.groups:
            return []
        directions = self.graft.schema.words.directions
        said = {word for each in self.sketch.prepositions for word in directions.get(each, ())}
        columns = self.knowledge.things.of_table[self.main.key]
        meant = [each for each in columns if said & set(each.words)]
        # A place is something that rows point at, or is written; no time of day.
        return sorted(meant, key=lambda each: (not each.is_key, not each.is_text))[:1]

    def owned(self) -> Edit | None:
        """ "Whose are they": the people beside the rows in hand."""
        if not self.lean.has("whose") or self.lean.pronoun is None or self.frame.gathered:
            return None
        people = self.people_behind()
        if people is None or not self.is_single(people):
            return None
        return Edit(self._with_shown([*self.labels(people)]))

    def people(self) -> Iterator[Edit]:
        """ "Who placed them": the people behind the rows in hand."""
        people = self.people_behind()
        if people is not None:
            yield from self._another([self.knowledge.things.table_thing[people.key]], [])
        elif self.frame.gathered and not self.frame.groups and self.knowledge.names_rows(self.rows):
            # "Who are these tenants" after a number of rows that have the names of people, whatever
            # the rows are called.
            called = self.sketch.uncovered
            covered = tuple(called) if len(called) == 1 and self.lean.pronoun is not None else ()
            rows = replace(self.rows_behind(), shown=self.labels(self.rows), everything=False)
            yield Edit(rows, covered=covered)

    def _there_after_all(self, things: list[Thing]) -> Edit | None:
        """ "With a company instead" after those without one."""
        numbers = {thing.number for thing in things if thing.column is not None}
        missing = [
            e for e in self.frame.conditions if e.operation == "missing" and e.ref.thing.number in numbers
        ]
        if not missing or not self.lean.has("instead", "about", "and"):
            return None
        turned = tuple(
            replace(each, negative=not each.negative) if each in missing else each
            for each in self.frame.conditions
        )
        return Edit(replace(self.frame, conditions=turned))

    def _counted_instead(self, things: list[Thing]) -> Edit | None:
        """ "And branches?" after members were counted."""
        frame = self.frame
        rows = [each for each in frame.measures if each.aggregate is Aggregate.COUNT and each.ref is None]
        leans = self.lean.opens("and", "about", "same") and self.lean.pronoun is None
        if not (rows and leans) or frame.groups or len(things) != 1:
            return None
        table = things[0].table
        if things[0].column is not None and self.knowledge.role(things[0]) is Role.MEASURE:
            return None
        if table.key == self.main.key:
            return None
        conditions = [self._moved(each, table) for each in frame.conditions]
        kept = tuple(each for each in conditions if each is not None)
        measure = Measure(Aggregate.COUNT, counts=table)
        if things[0].column is not None:
            measure = Measure(Aggregate.COUNT, Ref(things[0]), distinct=True)
        lost = len(conditions) - len(kept) + len(frame.linked)
        return Edit(Frame(table, measures=(measure,), conditions=kept), 0.6 * lost)

    def _moved(self, condition: Condition, table: Table) -> Condition | None:
        """The same of another thing: a column of the same name, or one that both lead to."""
        ref = condition.ref
        for thing in self.knowledge.things.of_table[table.key]:
            if ref.table.key == self.main.key and thing.required == ref.thing.required:
                return replace(condition, ref=Ref(thing))
        way = self.joins.way(table, ref.table)
        if ref.table.key != self.main.key and way is not None and way.single and ref.links is None:
            return condition
        return None

    def _measures_of(self, things: list[Thing]) -> tuple[Measure, ...]:
        """ "And weight" after an average of lengths."""
        first = self.frame.measures[0] if self.frame.measures else None
        if first is None or first.ref is None or not things or self._pronoun_about_rows():
            return ()
        if not all(self.knowledge.role(each) is Role.MEASURE for each in things):
            return ()
        if self.frame.groups and any(each.table.key == self.rows.key != self.main.key for each in things):
            return ()
        return tuple(replace(first, ref=Ref(each), divisor=1.0) for each in things)

    def _pronoun_about_rows(self) -> bool:
        return self.lean.pronoun is not None and bool(self.frame.groups)

    def _new_subject(self, thing: Thing) -> bool:
        """ "Which tailors sewed them", "who are the tenants": a list of its own."""
        if thing.column is not None or self.frame.groups or self.lean.has("also"):
            return False
        return self.sketch.who or (self.lean.object and self.lean.last and self.lean.pronoun != 0)

    def _measured_rows(self, thing: Thing) -> bool:
        """ "Which of these loans" after loans were counted by branch."""
        gathered = self.frame.gathered and thing.column is None and self.lean.pronoun is not None
        return gathered and thing.table.key == self.main.key != self.rows.key

    def _another(self, things: list[Thing], beside: list[Thing], *, named: bool = False) -> Iterator[Edit]:
        """Another thing of the rows in hand."""
        table = things[0].table
        found = carried(self.frame, self.base, table, self.joins)
        first = self.first(table) if found is None else None
        if found is None and first is not None:
            found = Frame(table)
        if found is None:
            return
        columns = [thing for thing in things if thing.column is not None and thing.table.key == table.key]
        # "Only" asks for fewer of the rows in hand, seldom for others.
        other = _OTHERS if self.lean.opens("only") else 0.0
        if columns:
            cost = other + (0.0 if named else 0.4 if self.lean.pronoun is not None else 0.2)
            shown = tuple(Ref(each) for each in columns)
            # What else was asked for is of other rows, and is lost.
            lost = _OTHERS * len(beside)
            yield Edit(replace(found, shown=shown, distinct=True), cost + lost, first=first)
            return
        everything = not self.knowledge.has_name(table)
        labels = () if everything else self.labels(table)
        way = self.joins.way(table, self.rows)
        if everything and self._they_have() and way is not None and way.single:
            # "Which hobbies do they have": each with whom it is of.
            own = [each for each in self.knowledge.things.of_table[table.key] if not self._leads_back(each)]
            everything, labels = False, (*self.labels(self.rows), *map(Ref, own))
        shown = (*labels, *(Ref(each) for each in beside))
        yield Edit(replace(found, shown=shown, everything=everything), other, first=first)

    def _leads_back(self, key: Thing) -> bool:
        """Whether a key points at the rows in hand."""
        link = self.joins.find_link(key)
        return link is not None and link.target == self.rows.key

    def _also_asked(self) -> list[Ref]:
        """ "When were they planted", "where do they live", "how long are they"."""
        sketch = self.sketch
        if not (sketch.when or sketch.place or sketch.how):
            return []
        composed = self.graft.composed(
            self.chosen,
            self.graft.rows,
            shown=[self.graft.rows],
            when=sketch.when,
            place=sketch.place,
            how=sketch.how,
            kept=[],
            dated=[],
            compared=[],
        )
        labels = set(self.labels(self.rows))
        shown = () if composed is None else composed[0].shown
        found = [ref for ref in shown if ref not in labels and self.is_single(ref.table)]
        if not found and sketch.when:
            found = [Ref(each) for each in self.knowledge.of_role(self.rows, Role.YEAR)[:1]]
        return found

    def _with_shown(self, refs: list[Ref]) -> Frame:
        frame = self.frame
        if frame.gathered and not frame.groups:
            frame = self.rows_behind()
        if not refs:
            return frame
        if frame.everything:
            own = [Ref(each) for each in self.knowledge.things.of_table[frame.subject.key]]
            if all(ref in own for ref in refs):
                return replace(
                    frame, everything=False, shown=tuple(dict.fromkeys((*self._telling(frame), *refs)))
                )
            return replace(frame, everything=False, shown=tuple(dict.fromkeys((*own, *refs))))
        return replace(frame, shown=tuple(dict.fromkeys((*frame.shown, *refs))))

    def _telling(self, frame: Frame) -> list[Ref]:
        """What of a row says which one it is, and why it is there."""
        things = self.knowledge.things
        keys = [things.of_column[(*frame.subject.key, name)] for name in frame.subject.info.primary_key]
        held = [
            each.ref
            for each in frame.conditions
            if each.ref.table.key == frame.subject.key and each.ref.links is None
        ]
        return [*map(Ref, keys), *self.labels(frame.subject), *held]


def _is_verb(thing: Thing, rows: set[str]) -> bool:
    """Whether a table was only named by a verb that makes its rows: "who booked them" of bookings."""
    return thing.column is None and bool(rows & set(thing.words))
