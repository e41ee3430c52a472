"""Edits by conditions: values, periods and numbers that rows or groups are held to."""

import dataclasses
from collections.abc import Iterator

from msgspec.structs import replace

from dragoman.planning.database.carried import carried
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.condition_edits import is_period, merged, spoken_periods
from dragoman.planning.database.frame import Aggregate, Condition, Frame, Group, Having, Linked, Measure, Ref
from dragoman.planning.database.graft import main_table
from dragoman.planning.database.sketch import Compared, Slot
from dragoman.planning.database.value_words import words_held
from dragoman.planning.database.workbench import Edit, Workbench
from dragoman.planning.tables.schema_names import Thing

_OPPOSITE = {"above": "at-most", "below": "at-least", "at-least": "below", "at-most": "above"}


class HeldEdits(Workbench):
    """What must hold of the rows in hand."""

    def held(self, edit: Edit) -> Iterator[Edit]:
        sketch = self.sketch
        having, compared = self._havings(edit.frame)
        again, compared = self._compared_again(compared)
        belonging, compared = self._how_many(compared)
        if belonging and (not edit.frame.gathered or self._counts_rows(edit.frame)):
            edit = replace(edit, frame=replace(edit.frame, linked=(*edit.frame.linked, *belonging)))
        said = (
            sketch.kept,
            compared,
            again,
            sketch.dated,
            sketch.absent,
            sketch.missing,
            sketch.linked,
            self.flags,
        )
        if not any(said) and not sketch.absent_verbs:
            edit = edit if not having else replace(edit, frame=replace(edit.frame, having=having))
            yield self._held_by_words(edit) or edit
            return
        newly = self._newly_measured(edit.frame)
        subject = newly or self._subject()
        spoken_of = Frame(edit.frame.subject, measures=edit.frame.measures) if newly else self.frame
        dated, left = spoken_periods(spoken_of, sketch.dated, self.graft.schema, sketch.verbs)
        earned = self._money_column() if sketch.spent else None
        composed = self.graft.composed(
            self.chosen,
            subject,
            compared=compared if earned is None else [_of_money(each) for each in compared],
            groups=[],
            dated=left,
            linked=[*sketch.linked, *self.flags],
            spent=sketch.spent and earned is None,
        )
        if composed is None:
            return
        found, cost, guesses = composed
        found = replace(found, conditions=(*again, *dated, *found.conditions))
        conditions, linked = tuple(self._near(self._beside(each)) for each in found.conditions), found.linked
        if self.lean.has("out"):
            conditions = tuple(replace(each, negative=not each.negative) for each in conditions)
        if self._leaves_out_none(conditions):
            cost, guesses = cost + 0.6, (*guesses, "way")
        edit = self._without_rows(edit, found)
        past = self._past(edit.frame, newly)
        before = tuple(each for each in edit.frame.conditions if each not in past)
        if edit.first is None and self._cuts(conditions, before, linked):
            cost, guesses = cost + 0.6, (*guesses, "top")
        for kept, more in merged(before, conditions, self.lean, self.graft.schema, self.sketch.dated):
            frame = replace(
                edit.frame,
                conditions=(*past, *kept),
                linked=tuple(dict.fromkeys((*self._still_linked(edit.frame, conditions), *linked))),
                having=having or edit.frame.having,
            )
            frame = self._shown_beside(self._named_row(frame, conditions), found)
            frame = self._side_by_side(frame, conditions)
            yield replace(edit, frame=frame, cost=edit.cost + cost + more, guesses=(*edit.guesses, *guesses))

    def _side_by_side(self, frame: Frame, conditions: tuple[Condition, ...]) -> Frame:
        """ "For clerks and mechanics separately" after one figure: that of each."""
        held = [each for each in conditions if each.operation == "equal" and len(each.values) > 1]
        apart = self.sketch.versus and frame.gathered and not frame.groups and frame.share is None
        return replace(frame, groups=(Group(held[0].ref),)) if apart and len(held) == 1 else frame

    def _still_linked(self, frame: Frame, conditions: tuple[Condition, ...]) -> tuple[Linked, ...]:
        """ "How many of them have orders in May": where something is said of the orders, that there are some
        goes without saying."""
        said = {each.ref.table.key for each in conditions if not each.negative}
        return tuple(each for each in frame.linked if each in self.frame.linked or each.table.key not in said)

    def _counts_rows(self, frame: Frame) -> bool:
        """Whether the rows in hand are counted, whatever belongs to them."""
        plain = all(each.aggregate is Aggregate.COUNT and each.ref is None for each in frame.measures)
        return plain and not frame.groups and not self.frame.gathered and self.main.key == self.rows.key

    def _leaves_out_none(self, conditions: tuple[Condition, ...]) -> bool:
        """ "Leave out Garden" of groups: one of the groups goes. What only belongs to some rows is none."""
        ways = (self.joins.way(self.main, each.ref.table) for each in conditions)
        far = any(way is None or any("-by-" in link.name for link in way.links) for way in ways)
        return self.lean.has("out") and bool(self.frame.groups) and far

    def _cuts(
        self, conditions: tuple[Condition, ...], before: tuple[Condition, ...], linked: tuple[Linked, ...]
    ) -> bool:
        """Of a top, those that meet a condition: the verbs can only cut after it. A period in the place of
        another makes another top."""
        if self.frame.limit is None or self.lean.pronoun is None:
            return False
        dated = [each for each in conditions if is_period(each, self.knowledge)]
        swapped = len(dated) == len(conditions) and any(is_period(each, self.knowledge) for each in before)
        return bool(linked) or (bool(conditions) and not swapped)

    def _subject(self) -> Slot:
        """What the conditions of a message are said of."""
        if self.sketch.absent or self.sketch.absent_verbs:
            return self.graft.rows
        return self.graft.main if self.frame.gathered else self._dated_rows()

    def _named_row(self, frame: Frame, conditions: tuple[Condition, ...]) -> Frame:
        """ "How long is the Heron" after the longest boat: a row that is named is no top any more."""
        labels = self.labels(self.rows)
        named = any(each.operation == "equal" and each.ref in labels for each in conditions)
        if not named or frame.limit != 1 or self.lean.pronoun is not None or self.sketch.ranked:
            return frame
        return replace(frame, order=(), limit=None)

    def _held_by_words(self, edit: Edit) -> Edit | None:
        """ "Excluding spare parts", "only second hand": words that are part of a value that is spoken of,
        or the value that makes a noun narrower."""
        negative = "not" in self.cues or self.lean.has("out")
        narrows = negative or self.lean.has("only", "ones") or self.lean.opens("about", "and", "same")
        if not self.sketch.uncovered or not narrows:
            return None
        schema = self.graft.schema
        tables = {thing.table.key for thing in self.things_of(self.asked) if thing.column is None}
        columns = {thing.number for thing in self.things_of(self.asked) if thing.column is not None}
        frame = self.frame if self.asked else edit.frame
        found = words_held(self.sketch.uncovered, frame, schema, schema.values, negative=negative)
        if found is None:
            return None
        held = found.condition.ref.thing
        if self.asked and held.number not in columns and held.table.key not in tables:
            return None
        kept, _ = next(merged(frame.conditions, (found.condition,), self.lean, schema, []))
        frame = replace(frame, conditions=kept)
        return replace(edit, frame=frame, covered=found.words, guesses=(*edit.guesses, "value"))

    def _money_column(self) -> Thing | None:
        """The money that a row has itself: a wage, a price."""
        facts = [each for each in self.knowledge.columns(self.rows) if each.role is Role.MEASURE]
        money = [each for each in facts if each.money]
        return money[0].thing if money else facts[0].thing if len(facts) == 1 else None

    def _compared_again(self, compared: list[Compared]) -> tuple[list[Condition], list[Compared]]:
        """ "Only above 120" after rows above 100: bare numbers are compared with the same column."""
        frame = self.frame
        refs = [
            each.ref for each in frame.conditions if each.operation in _OPPOSITE and each.ref.thing.is_number
        ]
        refs += [each.key for each in frame.order if isinstance(each.key, Ref) and each.key.thing.is_number]
        figures = [ref for ref in frame.shown if self.knowledge.role(ref.thing) is Role.MEASURE]
        if len(figures) == 1 and not frame.gathered:
            refs += figures
        held = [
            each.ref for each in frame.conditions if each.operation == "equal" and each.ref.thing.is_number
        ]
        swaps = self.lean.opens("about", "and", "same", "instead") and not self.lean.has("whole")
        found: list[Condition] = []
        left: list[Compared] = []
        for each in compared:
            bare = each.name is None and each.after is None and each.adjective is None and each.unit is None
            plain = not (each.average or each.counted or each.money)
            if swaps and bare and plain and each.operation == "equal" and len(held) == len(compared) == 1:
                # "And for 550" after those of 520.
                found.append(Condition(held[0], "equal", each.numbers, each.negative))
            elif bare and refs and plain and each.numbers:
                found.append(Condition(refs[0], each.operation, each.numbers, each.negative))
            else:
                left.append(each)
        return found, left

    def _how_many(self, compared: list[Compared]) -> tuple[list[Linked], list[Compared]]:
        """ "Only those with more than 10 orders": so many rows must belong to each."""
        found: list[Linked] = []
        left: list[Compared] = []
        for each in compared:
            thing = self.thing(each.after)
            way = None if thing is None else self.joins.way(self.rows, thing.table)
            counted = thing is not None and thing.column is None and way is not None and not way.single
            if thing is None or not counted or self.frame.gathered or len(each.numbers) != 1 or each.name:
                left.append(each)
                continue
            operation = _OPPOSITE.get(each.operation, each.operation) if each.negative else each.operation
            found.append(Linked(thing.table, operation=operation, number=each.numbers[0]))
        return found, left

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
        shown = tuple(dict.fromkeys((*self.labels(self.rows), *frame.shown)))
        return replace(edit, frame=replace(rows, linked=linked, shown=shown))

    def _dated_rows(self) -> Slot:
        """Rows that were chosen by others: a period speaks of those others where the rows have no dates."""
        if (
            not self.sketch.dated
            or self.knowledge.dates(self.rows)
            or self.knowledge.of_role(self.rows, Role.YEAR)
        ):
            return self.graft.rows
        for condition in self.frame.conditions:
            table = condition.ref.table
            if self.knowledge.dates(table) or self.knowledge.of_role(table, Role.YEAR):
                slot = self.graft.subject(self.knowledge.things.table_thing[table.key])
                self.chosen = self.graft.with_subject(self.chosen, slot)
                return slot
        return self.graft.rows

    def _newly_measured(self, frame: Frame) -> Slot | None:
        """ "How many visits did each of them have in May" of guests: the period is that of the visits, which
        the message itself speaks of, and not a date of the guests."""
        main = main_table(frame)
        if not self.sketch.dated or not frame.measures or main.key == self.main.key:
            return None
        if not self.knowledge.dates(main):
            return None
        slot = self.graft.subject(self.knowledge.things.table_thing[main.key])
        self.chosen = self.graft.with_subject(self.chosen, slot)
        return slot

    def _past(self, frame: Frame, newly: Slot | None) -> tuple[Condition, ...]:
        """ "How many visits did they have in May" of guests who came in April: both periods hold."""
        if newly is None or self.lean.pronoun is None:
            return ()
        return tuple(each for each in frame.conditions if is_period(each, self.knowledge))

    def _beside(self, condition: Condition) -> Condition:
        """A condition on a table that another one speaks of is about the same row. "And to Lehto" after those
        who report to Ann Berg: the name takes the place of hers, and not that of the rows themselves."""
        swaps = self.lean.opens("about", "and", "same", "instead") or self.lean.has("instead")
        if (group := self._group_alike(condition.ref)) is not None:
            return replace(condition, ref=group)
        for known in self.frame.conditions:
            ref = known.ref
            if ref.table.key != condition.ref.table.key or condition.ref.links is not None:
                continue
            if condition.ref.through is not None or (ref.through and not swaps):
                continue
            if (ref.links or ref.through) and (swaps or ref.table.key != self.rows.key):
                return replace(condition, ref=replace(condition.ref, links=ref.links, through=ref.through))
        return condition

    def _group_alike(self, ref: Ref) -> Ref | None:
        """ "Without Norway" of groups by the country of arrival: of the ways to a country, that one."""
        usual = self.joins.way(self.main, ref.table)
        said = ref.links is not None and (usual is None or ref.links != usual.links)
        if ref.through is not None or said or self.sketch.prepositions:
            return None
        groups = (each.ref for each in self.frame.groups if each.ref is not None and each.part is None)
        return next((each for each in groups if each.thing.number == ref.thing.number), None)

    def _near(self, condition: Condition) -> Condition:
        """The column that points at a row, instead of the key that it points at."""
        ref = condition.ref
        table = self.frame.subject if not self.frame.gathered else self.main
        if (
            ref.links is not None
            or ref.through is not None
            or ref.thing.column is None
            or ref.table.key == table.key
        ):
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
        labels = set(self.labels(found.subject))
        # A period of what rows were chosen by shows nothing of that.
        own = found.subject.key == frame.subject.key
        more = [ref for ref in found.shown if ref not in labels] if own else []
        new = [
            each.ref for each in found.conditions if each.operation not in ("equal", "missing", "contains")
        ]
        more += [ref for ref in new if ref.table.key == frame.subject.key and ref.links is None]
        return replace(frame, shown=tuple(dict.fromkeys((*frame.shown, *more))))

    def _havings(self, frame: Frame) -> tuple[tuple[Having, ...], list[Compared]]:
        """Bare numbers, and numbers of what is measured, hold the figures of groups to something."""
        left: list[Compared] = []
        found: list[Having] = list(frame.having)
        for compared in self.sketch.compared:
            measure = self._figure(compared, frame) if frame.gathered and frame.groups else None
            if measure is None or compared.average or not compared.numbers:
                left.append(compared)
                continue
            operation = compared.operation
            if self.lean.has("out") or compared.negative:
                operation = _OPPOSITE.get(operation, operation)
            most = compared.numbers[1] if len(compared.numbers) > 1 else None
            found = [each for each in found if each.measure != measure]
            found.append(Having(measure, operation, compared.numbers[0], most))
        return tuple(found), left

    def _too_many(self, compared: Compared) -> bool:
        """Whether a number is more than all rows there are: it is not how many of them were counted."""
        rows = self.main.info.rows
        more = compared.operation in ("above", "at-least") and bool(compared.numbers)
        return rows is not None and more and compared.numbers[0] > rows

    def _figure(self, compared: Compared, frame: Frame) -> Measure | None:
        counts = [each for each in frame.measures if each.aggregate is Aggregate.COUNT]
        # A share of each group has no measure.
        first = frame.measures[0] if frame.measures else None
        named = [thing for slot in (compared.after, compared.name) if (thing := self.thing(slot)) is not None]
        if not named and compared.adjective is None:
            bare = counts[0] if counts and "count" in self.cues else first
            return None if bare in counts and self._too_many(compared) else bare
        for thing in named:
            for measure in frame.measures:
                if measure.ref is not None and measure.ref.thing.number == thing.number:
                    return measure
            if thing.column is None and thing.table.key == self.main.key:
                return Measure(Aggregate.COUNT, counts=self.main)
        if all(self.is_group(thing) for thing in named) and compared.operation != "equal":
            return counts[0] if counts else first
        return None


def _of_money(compared: Compared) -> Compared:
    return dataclasses.replace(compared, money=True)
