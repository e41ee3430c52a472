"""What plans of every shape are made of: keys, counts, orders, and what speaks for their scope."""

from collections.abc import Iterator

import msgspec

from dragoman.planning.tables.partial_reading import Draft, Measure, Sorting
from dragoman.planning.tables.plan import Plan
from dragoman.planning.tables.schema_names import Thing, Things
from dragoman.planning.tables.scope import Scope
from dragoman.planning.tables.weights import Features
from dragoman.tables.graph import TableKey


class PlanParts:
    """The parts of the plans of one scope."""

    def __init__(self, things: Things, scope: Scope, said: frozenset[str] = frozenset()) -> None:
        """`said` are the stems of the message: they may tell which of two links is meant."""
        self._things = things
        self._scope = scope
        self._said = said

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

    def _gatherable(self, by: list[Thing], columns: list[Thing]) -> tuple[list[Thing], list[Thing], Features]:
        """What is shown beside groups is the same for all of a group: otherwise it is gathered by too."""
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

    def _keyings(self, shown: list[Thing]) -> Iterator[tuple[list[Thing], Features]]:
        """What columns beside figures are gathered by: the key of the table they are of, or themselves."""
        other = self._scope.other
        if other is not None and any(each.table.key == other.key for each in shown):
            names = self._things.names_of(other)
            telling = any(each in names or (each.column and each.column.info.unique) for each in shown)
            told = "telling" if telling else "shared"
            keys = self._keys(self._things.table_thing[other.key])
            if keys is not None:
                yield keys, [("keyed", 1.0), (f"keyed.{told}", 1.0)]
            yield [], [("keyed.not", 1.0), (f"keyed.not.{told}", 1.0)]
            return
        yield [], []
        root = self._keys(self._things.table_thing[self._scope.root.key])
        if root is not None and other is None and len(root) > 1:
            return

    def _repeating(self, draft: Draft, columns: tuple[Thing, ...]) -> Features:
        """What speaks for showing each row once: rows of another table, or few values in many rows."""
        found: Features = []
        if self._scope.other is not None:
            ours = all(each.table.key == self._scope.other.key for each in columns)
            found.append(("distinct.other" if ours else "distinct.pair", 1.0))
        if len(columns) == 1 and columns[0].column is not None:
            info, rows = columns[0].column.info, columns[0].table.info.rows
            if info.distinct is not None and rows and info.distinct <= rows * 0.7:
                found.append(("distinct.few", 1.0))
                if not draft.conditions:
                    found.append(("distinct.few.unconditional", 1.0))
            if info.unique:
                found.append(("distinct.unique", 1.0))
        else:
            found.append(("distinct.several", 1.0))
        return found

    def _plan(self, draft: Draft, features: Features, **parts: object) -> Plan:
        plan = Plan(
            scope=self._scope,
            conditions=draft.conditions,
            features=(*draft.features, *features),
            uncovered=draft.uncovered,
            notes=draft.notes,
            **parts,  # type: ignore[arg-type]
        )
        if self._scope.other is None or self._scope.other.key in _tables(plan):
            return plan
        return msgspec.structs.replace(plan, features=(*plan.features, ("scope.other.unused", 1.0)))

    def _of_scope(self, draft: Draft) -> Features:
        found: Features = [("shown", float(len(draft.shown))), ("conditions", float(len(draft.conditions)))]
        if draft.ordering and not draft.orders:
            found.append(("order.implied" if draft.descending is None else "order.implied.directed", 1.0))
        tested = {each.thing.number for each in draft.conditions}
        found.append(("shown.tested", float(sum(each.number in tested for each in draft.shown))))
        if self._scope.other is not None:
            found.append(("scope.pair", 1.0))
            found.append(("scope.link.said", self._link_said()))
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

    def _link_said(self) -> float:
        """How much is said of what a link adds to the name of its table: "end station"."""
        scope = self._scope
        if scope.link is None or scope.other is None:
            return 0.0
        plain = set(self._things.table_thing[scope.other.key].words) | {"id", "code", "number"}
        columns = [self._things.of_column.get((*scope.root.key, near)) for near, _ in scope.link.pairs]
        words = {word for each in columns if each is not None for word in each.words} - plain
        return len(words & self._said) / len(words) if words else 0.5

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
        if draft.ordering and draft.descending is not None:
            # An order without a name is that of the figures: "from most to least".
            figure = draft.measures[0] if draft.measures and not draft.counted else None
            return (Sorting(None, draft.descending, figure),), draft.top
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


def _tables(plan: Plan) -> set[TableKey]:
    """The tables whose columns a plan speaks of."""
    things = [*plan.columns, *plan.by, *(each.thing for each in plan.conditions)]
    measured = [*(each.thing for each in plan.measures), *(each.thing for each in plan.order)]
    return {each.table.key for each in (*things, *measured) if each is not None}
