"""Makes complete readings of a message that was read to its end: what is listed, counted or gathered."""

from collections.abc import Iterator

from dragoman.planning.tables.plan import Plan
from dragoman.planning.tables.reading import Draft, Having, Measure, Sorting
from dragoman.planning.tables.things import Scope, Thing, Things
from dragoman.planning.tables.weighing import Feature

Features = list[Feature]


class Finisher:
    """Finishes the drafts of one scope."""

    def __init__(self, things: Things, scope: Scope) -> None:
        self._things = things
        self._scope = scope

    def plans(self, draft: Draft) -> Iterator[Plan]:
        draft, left = _settled(draft)
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
            for distinct, told in _distinct(draft, bool(order) and not set(_things(order)) <= set(columns)):
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

    def _counts(self, draft: Draft) -> Iterator[tuple[tuple[Measure, ...], Features]]:
        """How what is counted may be counted: rows, or different values."""
        if not draft.counted:
            yield (), []
            return
        first = draft.counted[0]
        said = "said" if draft.count_distinct or draft.distinct else "unsaid"
        if first is None or first.column is None:
            is_other = first is not None and first.table.key != self._scope.root.key
            side = "other" if is_other else "root"
            yield (Measure("count"),), [(f"count.rows.{side}.{said}", 1.0)]
            if is_other or first is None:
                key = self._key_of_link()
                if key is not None:
                    yield (Measure("count", key, True),), [(f"count.key.{side}.{said}", 1.0)]
            return
        yield (Measure("count", first, True),), [(f"count.values.distinct.{said}", 1.0)]
        yield (Measure("count"),), [(f"count.values.rows.{said}", 1.0)]

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

    def _gatherable(self, by: list[Thing], columns: list[Thing]) -> tuple[list[Thing], list[Thing], Features]:
        """What is shown beside groups must be the same for all of a group: otherwise it is gathered by too."""
        loose = [each for each in columns if not self._is_settled(each, by)]
        return [*by, *loose], columns, [("group.loose", float(len(loose)))]

    def _is_settled(self, thing: Thing, by: list[Thing]) -> bool:
        if thing in by:
            return True
        scope, names = (
            self._scope,
            {each.column.info.name for each in by if each.column and each.table.key == self._scope.root.key},
        )
        if thing.table.key == scope.root.key:
            return bool(scope.root.determined_by(names))
        near = {here for here, _ in scope.link.pairs} if scope.link else set()
        return bool(near) and near <= names and bool(scope.link and scope.link.single)

    def _kept_groups(self, draft: Draft, features: Features) -> Iterator[Plan]:
        """Those of something that have the most of something, or at least so many."""
        shown = list(draft.shown)
        subject = self._subject(draft)
        order, top = self._group_order(draft)
        counted = [
            thing
            for thing in (*draft.linked, *(each.of for each in draft.having if each.of))
            if thing is not None
        ]
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
        by: list[Thing] = []
        if self._scope.other is not None and any(each.table.key == self._scope.other.key for each in shown):
            keys = self._keys(self._things.table_thing[self._scope.other.key])
            if keys is not None:
                by.extend(keys)
                features = [*features, ("kept.by.key", 1.0)]
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
        columns = list(draft.shown)
        by: list[Thing] = []
        other = self._scope.other
        if other is not None and all(each.table.key == other.key for each in columns):
            by = list(self._keys(self._things.table_thing[other.key]) or ())
        by, columns, more = self._gatherable(by, columns)
        order, top = self._group_order(draft)
        for measures, told in self._counts(draft):
            yield self._plan(
                draft,
                [*features, *more, *told, ("shape.implied", 1.0)],
                columns=tuple(columns),
                by=tuple(by),
                measures=(*draft.measures, *measures),
                order=order,
                top=top,
                having=draft.having,
            )

    # What the shapes share.

    def _plan(self, draft: Draft, features: Features, **parts: object) -> Plan:
        used = self._uses_other(draft, parts)
        said = [("scope.other.unused", 1.0)] if self._scope.other is not None and not used else []
        return Plan(
            scope=self._scope,
            conditions=draft.conditions,
            features=(*draft.features, *features, *said),
            uncovered=draft.uncovered,
            notes=draft.notes,
            **parts,  # type: ignore[arg-type]
        )

    def _uses_other(self, draft: Draft, parts: dict[str, object]) -> bool:
        if self._scope.other is None:
            return False
        columns: list[Thing] = [*parts.get("columns", ())]  # type: ignore[misc]
        columns += [each.thing for each in draft.conditions]
        columns += [each.thing for each in parts.get("measures", ()) if each.thing is not None]  # type: ignore[attr-defined]
        columns += [each.thing for each in parts.get("order", ()) if each.thing is not None]  # type: ignore[attr-defined]
        columns += [each for each in parts.get("by", ())]  # type: ignore[attr-defined]
        keys = {each.table.key for each in columns}
        if not columns and self._scope.root.key not in keys:
            keys.add(self._scope.root.key)
        return self._scope.other.key in keys

    def _of_scope(self, draft: Draft) -> Features:
        found: Features = [("shown", float(len(draft.shown))), ("conditions", float(len(draft.conditions)))]
        tested = {each.thing.number for each in draft.conditions}
        found.append(("shown.tested", float(sum(each.number in tested for each in draft.shown))))
        if self._scope.other is not None:
            found.append(("scope.pair", 1.0))
            if self._scope.link is not None and not self._scope.link.declared:
                found.append(("scope.inferred", 1.0))
        said = {thing.table.key for thing in (*draft.subjects, *draft.linked, *draft.groups)}
        found.append(("scope.root.said", 1.0 if self._scope.root.key in said else 0.0))
        if self._scope.other is not None:
            found.append(("scope.other.said", 1.0 if self._scope.other.key in said else 0.0))
        shown = {thing.table.key for thing in draft.shown}
        if draft.subjects and shown and draft.subjects[0].table.key not in shown:
            found.append(("scope.shown.elsewhere", 1.0))
        return found

    def _subject(self, draft: Draft) -> Thing | None:
        for thing in (*draft.subjects, *draft.linked):
            if self._scope.holds(thing.table):
                return thing
        return self._things.table_thing[self._scope.root.key]

    def _order(self, draft: Draft) -> tuple[Sorting, ...]:
        if draft.orders:
            return tuple(order for order in draft.orders if order.thing is not None)
        if draft.ordering and draft.shown:
            return (Sorting(draft.shown[0], bool(draft.descending)),)
        return ()

    def _group_order(self, draft: Draft) -> tuple[tuple[Sorting, ...], int | None]:
        if draft.extreme is not None:
            return (draft.extreme,), draft.top or 1
        if draft.orders:
            return draft.orders, draft.top
        if draft.ordering and draft.shown:
            return (Sorting(draft.shown[0], bool(draft.descending)),), draft.top
        return (), draft.top

    def _keys(self, group: Thing) -> list[Thing] | None:
        """The columns of the root that tell the rows of a table apart."""
        root = self._scope.root
        if group.table.key == root.key:
            names = root.info.primary_key
        elif self._scope.link is not None:
            names = tuple(near for near, _ in self._scope.link.pairs)
        else:
            return None
        found = [self._things.of_column.get((*root.key, name)) for name in names]
        return [each for each in found if each is not None] or None

    def _key_of_link(self) -> Thing | None:
        if self._scope.link is None or len(self._scope.link.pairs) != 1:
            return None
        return self._things.of_column.get((*self._scope.root.key, self._scope.link.pairs[0][0]))


def _things(order: tuple[Sorting, ...]) -> list[Thing]:
    return [each.thing for each in order if each.thing is not None]


def _distinct(draft: Draft, impossible: bool) -> Iterator[tuple[bool, Features]]:
    if draft.distinct and not impossible:
        yield True, [("distinct.said", 1.0)]
    elif draft.distinct:
        yield False, [("distinct.impossible", 1.0)]
    else:
        yield False, []
        if not impossible and draft.top is None and draft.extreme is None:
            yield True, [("distinct.unsaid", 1.0)]


def _settled(draft: Draft) -> tuple[Draft, Features]:
    """What still waits at the end: some of it has a meaning, the rest counts against the reading."""
    waiting = draft.waiting
    features: Features = []
    changes: dict[str, object] = {}
    if waiting.counting:
        if not draft.counted:
            changes["counted"] = (None,)
        features.append(("left.count", 1.0))
    if waiting.extreme:
        if draft.extreme is None:
            changes["extreme"] = Sorting(None, waiting.extreme in ("most", "common"))
        features.append((f"left.{waiting.extreme}", 1.0))
    if waiting.numbers and waiting.comparison and not draft.having:
        features.append(("left.compared", 1.0))
        changes["having"] = (Having(Measure("count"), waiting.comparison, waiting.numbers[-1]),)
    elif waiting.numbers:
        features.append(("left.number", 1.0))
    elif waiting.comparison:
        features.append(("left.comparison", 1.0))
    for name, there in (
        ("verbs", waiting.verbs),
        ("group", waiting.grouping),
        ("like", waiting.like),
        ("negative", waiting.negative),
        ("first", waiting.first),
        ("held", draft.held is not None),
    ):
        if there:
            features.append((f"left.{name}", 1.0))
    return (draft.changed(**changes) if changes else draft), features
