"""Gives a message that was read to its end every shape that it may have: listed, one row, in groups."""

from collections.abc import Iterator

from dragoman.planning.tables.leftovers import settled
from dragoman.planning.tables.partial_reading import Draft, Measure, Sorting
from dragoman.planning.tables.plan import Plan
from dragoman.planning.tables.plan_parts import PlanParts
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.weights import Features


class PlanShapes(PlanParts):
    """Makes plans of the drafts of one scope."""

    def plans(self, draft: Draft) -> Iterator[Plan]:
        draft, left = settled(draft)
        features = [*left, *self._of_scope(draft)]
        counted = bool(draft.counted)
        rows_extreme = draft.extreme is not None and draft.extreme.thing is None
        grouped = bool(draft.groups) and (counted or draft.measures or rows_extreme or draft.having)
        if grouped:
            yield from self._per_group(draft, features)
        if (draft.having or rows_extreme) and not grouped:
            yield from self._kept_groups(draft, features)
            return
        if grouped:
            return
        if (counted or draft.measures) and not draft.groups:
            if draft.shown:
                yield from self._implied(draft, features)
            else:
                yield from self._one_row(draft, features)
            return
        if not counted and not draft.measures:
            yield from self._listed(draft, features)

    # The shapes.

    def _listed(self, draft: Draft, features: Features) -> Iterator[Plan]:
        order = self._order(draft)
        top = draft.top
        if draft.extreme is not None and draft.extreme.thing is not None:
            order = (draft.extreme,)
            top = top or 1
            features = [*features, ("list.extreme", 1.0)]
        elif top is not None and not order:
            features = [*features, ("list.limit.unordered", 1.0)]
        groups = tuple(
            thing for thing in draft.groups if thing.column is not None and thing not in draft.shown
        )
        if draft.groups:
            features = [*features, ("list.grouped", 1.0)]
        shown = draft.shown
        for columns, more in self._columns_of_list(draft, shown, groups):
            impossible = bool(order) and not set(_things(order)) <= set(columns)
            for distinct, told in _distinct(draft, impossible, self._repeating(draft, columns)):
                yield self._plan(
                    draft,
                    [*features, *more, *told, ("shape.list", 1.0)],
                    columns=columns,
                    order=order,
                    top=top,
                    distinct=distinct,
                )

    def _columns_of_list(
        self, draft: Draft, shown: tuple[Thing, ...], groups: tuple[Thing, ...]
    ) -> Iterator[tuple[tuple[Thing, ...], Features]]:
        if shown:
            yield shown, [("list.shown", 1.0), ("list.everything.ignored", 1.0 if draft.everything else 0.0)]
            if groups:
                yield (*groups, *shown), [("list.groups.shown", 1.0)]
            return
        subject = self._subject(draft)
        if subject is None:
            return
        told: Features = [("list.default", 1.0), ("list.default.unnamed", 0.0 if draft.subjects else 1.0)]
        names = self._things.names_of(subject.table)
        flag = "said" if draft.everything else "unsaid"
        if names:
            yield names, [*told, (f"default.name.{flag}", 1.0), ("default.names", float(len(names) - 1))]
        if subject.table.key == self._scope.root.key:
            yield (), [*told, (f"default.all.{flag}", 1.0)]
        else:
            every = tuple(self._things.of_table[subject.table.key])
            yield every, [*told, (f"default.all.{flag}", 1.0)]
        key = tuple(
            thing
            for thing in self._things.of_table[subject.table.key]
            if thing.column is not None and (thing.column.info.name,) == subject.table.info.primary_key
        )
        if key:
            yield key, [*told, (f"default.key.{flag}", 1.0)]

    def _one_row(self, draft: Draft, features: Features) -> Iterator[Plan]:
        if draft.extreme is not None:
            features = [*features, ("one.extreme", 1.0)]
        if draft.orders:
            features = [*features, ("one.order", 1.0)]
        for measures, more in self._counts(draft):
            yield self._plan(
                draft, [*features, *more, ("shape.one", 1.0)], measures=(*draft.measures, *measures)
            )

    def _per_group(self, draft: Draft, features: Features) -> Iterator[Plan]:
        """For each of something: its figures."""
        by: list[Thing] = []
        columns: list[Thing] = []
        for group in draft.groups:
            if group.column is not None:
                by.append(group)
                columns.append(group)
                continue
            keys = self._keys(group)
            if keys is None:
                return
            by.extend(keys)
            if not draft.shown:
                columns.extend(self._things.names_of(group.table) or keys)
                features = [*features, ("group.table.named", 1.0)]
        for thing in draft.shown:
            if thing not in columns:
                columns.append(thing)
        by, columns, more = self._gatherable(by, columns)
        order, top = self._group_order(draft)
        if draft.shown:
            features = [*features, ("group.shown", float(len(draft.shown)))]
        for measures, told in self._counts(draft):
            every = (*draft.measures, *measures)
            if not every:
                every, told = (Measure("count"),), [*told, ("group.count.implied", 1.0)]
            shown = not (order and draft.extreme is not None and not draft.counted and not draft.measures)
            yield self._plan(
                draft,
                [
                    *features,
                    *more,
                    *told,
                    ("shape.group", 1.0),
                    ("group.figures" if shown else "group.hidden", 1.0),
                ],
                columns=tuple(columns),
                by=tuple(by),
                measures=every,
                figures=shown,
                having=draft.having,
                order=order,
                top=top,
            )

    def _kept_groups(self, draft: Draft, features: Features) -> Iterator[Plan]:
        """Those of something that have the most of something, or at least so many."""
        shown = list(draft.shown)
        subject = self._subject(draft)
        order, top = self._group_order(draft)
        counted = [*draft.linked, *(each.of for each in draft.having if each.of is not None)]
        if counted:
            rooted = counted[-1].table.key == self._scope.root.key
            features = [*features, ("kept.counts.root" if rooted else "kept.counts.other", 1.0)]
        if not shown:
            if subject is None:
                return
            shown = list(self._things.names_of(subject.table))
            features = [*features, ("kept.default", 1.0)]
            if not shown:
                return
        if counted and subject is not None and counted[-1].table is subject.table and draft.subjects:
            features = [*features, ("kept.same", 1.0)]
        for by, more in self._keyings(shown):
            yield from self._kept_by(draft, [*features, *more], shown, by, order, top)

    def _kept_by(
        self,
        draft: Draft,
        features: Features,
        shown: list[Thing],
        by: list[Thing],
        order: tuple[Sorting, ...],
        top: int | None,
    ) -> Iterator[Plan]:
        by, shown, more = self._gatherable(by, shown)
        in_show = bool(draft.counted or draft.measures)
        for measures, told in self._counts(draft):
            every = (*draft.measures, *measures) or (Measure("count"),)
            yield self._plan(
                draft,
                [
                    *features,
                    *more,
                    *told,
                    ("shape.kept", 1.0),
                    ("kept.figures" if in_show else "kept.hidden", 1.0),
                ],
                columns=tuple(shown),
                by=tuple(by),
                measures=every,
                figures=in_show,
                having=draft.having,
                order=order,
                top=top,
            )

    def _implied(self, draft: Draft, features: Features) -> Iterator[Plan]:
        """Columns beside figures: the figures of each of them."""
        order, top = self._group_order(draft)
        for keys, keyed in self._keyings(list(draft.shown)):
            by, columns, more = self._gatherable(keys, list(draft.shown))
            for measures, told in self._counts(draft):
                yield self._plan(
                    draft,
                    [*features, *keyed, *more, *told, ("shape.implied", 1.0)],
                    columns=tuple(columns),
                    by=tuple(by),
                    measures=(*draft.measures, *measures),
                    order=order,
                    top=top,
                    having=draft.having,
                )


def _things(order: tuple[Sorting, ...]) -> list[Thing]:
    return [each.thing for each in order if each.thing is not None]


def _distinct(draft: Draft, impossible: bool, more: Features) -> Iterator[tuple[bool, Features]]:
    if draft.distinct and not impossible:
        yield True, [("distinct.said", 1.0)]
    elif draft.distinct:
        yield False, [("distinct.impossible", 1.0)]
    else:
        yield False, []
        if not impossible and draft.top is None and draft.extreme is None:
            told = "subject" if draft.subjects else "alone"
            yield True, [("distinct.unsaid", 1.0), (f"distinct.unsaid.{told}", 1.0), *more]
