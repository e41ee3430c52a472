"""Edits by conditions: values, periods and numbers that rows or groups are held to."""

from collections.abc import Iterator

from msgspec.structs import replace

from dragoman.planning.database.carried import carried
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.condition_edits import merged, spoken_periods
from dragoman.planning.database.frame import Aggregate, Condition, Frame, Having, Measure, Ref
from dragoman.planning.database.sketch import Compared, Slot
from dragoman.planning.database.workbench import Edit, Workbench

_OPPOSITE = {"above": "at-most", "below": "at-least", "at-least": "below", "at-most": "above"}


class HeldEdits(Workbench):
    """What must hold of the rows in hand."""

    def held(self, edit: Edit) -> Iterator[Edit]:
        sketch = self.sketch
        having, compared = self._havings(edit.frame)
        if not (
            sketch.kept
            or compared
            or sketch.dated
            or sketch.absent
            or sketch.missing
            or sketch.linked
            or sketch.absent_verbs
        ):
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
        for kept, more in merged(
            before, conditions, self.lean, self.knowledge, self.sketch.dated, self.graft.schema.today
        ):
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

    def _beside(self, condition: Condition) -> Condition:
        """A condition on a table that another one speaks of is about the same row."""
        for known in self.frame.conditions:
            if (
                known.ref.table.key == condition.ref.table.key
                and condition.ref.links is None
                and known.ref.links
            ):
                return replace(condition, ref=replace(condition.ref, links=known.ref.links))
        return condition

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
        more = [ref for ref in found.shown if ref not in labels]
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
        # A share of each group has no measure.
        first = frame.measures[0] if frame.measures else None
        named = [thing for slot in (compared.after, compared.name) if (thing := self.thing(slot)) is not None]
        if not named and compared.adjective is None:
            return counts[0] if counts and "count" in self.cues else first
        for thing in named:
            for measure in frame.measures:
                if measure.ref is not None and measure.ref.thing.number == thing.number:
                    return measure
            if thing.column is None and thing.table.key == self.main.key:
                return Measure(Aggregate.COUNT, counts=self.main)
        if all(self.is_group(thing) for thing in named) and compared.operation != "equal":
            return counts[0] if counts else first
        return None
