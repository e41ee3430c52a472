"""The conditions of a statement read back: what must hold of columns, and which linked rows there must be."""

import datetime as dt
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from dragoman.contracts.program import (
    Boolean,
    Call,
    Date,
    Entry,
    Integer,
    Map,
    Nil,
    Number,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.planning.database.frame import Condition, Linked, Ref
from dragoman.planning.database.paths import Links, Paths, Unreadable, number
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.verbs import ALL, COMPARISONS, HOW_MANY, PARTS, RESERVED, DatePart

Plain = str | float | dt.date | None


class ConditionReader:
    """Gathers conditions and links from the arguments of one statement."""

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        self.conditions: list[Condition] = []
        self.linked: list[Linked] = []
        self.either = False

    def read(self, own: Iterable[Entry], arguments: Mapping[str, Value]) -> None:
        self.nested(own, ())
        during = arguments.get("during")
        if during is not None:
            self._days(during, arguments.get("on"))
        where = arguments.get("where")
        if isinstance(where, Sequence):
            self._any(where)
        elif isinstance(where, Map):
            self.nested(where.entries, ())
        elif where is not None:
            raise Unreadable
        if "as-of" in arguments or "connection" in arguments or "ties" in arguments:
            raise Unreadable

    def _any(self, where: Sequence) -> None:
        if self._mirrored(where):
            return
        if self.conditions:
            raise Unreadable
        for item in where.items:
            if not isinstance(item, Map) or len(item.entries) != 1:
                raise Unreadable
            self.nested(item.entries, ())
        self.either = True

    def _mirrored(self, where: Sequence) -> bool:
        """Reads what holds along either of two ways, and beside each of them the same."""
        readers = [ConditionReader(self.paths) for _ in where.items]
        for reader, item in zip(readers, where.items, strict=True):
            if not isinstance(item, Map):
                return False
            reader.nested(item.entries, ())
        if len(readers) != 2 or readers[0].linked != readers[1].linked:
            return False
        first, second = (reader.conditions for reader in readers)
        apart = [(one, other) for one, other in zip(first, second, strict=False) if one != other]
        if len(first) != len(second) or len(apart) != 1:
            return False
        one, other = apart[0]
        links = self.paths.links(other.ref, other.ref.table)
        if replace(one, ref=other.ref) != other or one.ref.thing != other.ref.thing or not links:
            return False
        here = self.paths.links(one.ref, one.ref.table)
        mirrored = replace(one, ref=Ref(one.ref.thing, here, mirror=links))
        self.conditions += [mirrored if each is one else each for each in first]
        self.linked += readers[0].linked
        return True

    def _days(self, during: Value, on: Value | None) -> None:
        match during:
            case Sequence(items=(Date(value=first), Date(value=last))):
                pass
            case _:
                raise Unreadable
        if isinstance(on, Text):
            links, thing, _ = self.paths.column(on.value)
        else:
            dates = self.paths.knowledge.dates(self.paths.base)
            if len(dates) != 1:
                raise Unreadable
            links, thing = (), dates[0]
        self.conditions.append(Condition(self.paths.ref(links, thing), "days", (first, last)))

    def nested(self, entries: Iterable[Entry], links: Links) -> None:
        for entry in entries:
            if entry.key == ALL and isinstance(entry.value, Sequence):
                for item in entry.value.items:
                    if not isinstance(item, Map):
                        raise Unreadable
                    self.nested(item.entries, links)
                continue
            thing = self.paths.named(links, entry.key)
            further = self.paths.step(links, entry.key)
            if thing is not None and (further is None or not _rows_meant(entry.value)):
                self._column(self.paths.ref(links, thing), thing, entry.value, negative=False)
            elif further is not None:
                self._along(further, entry.value)
            else:
                raise Unreadable

    def _along(self, links: Links, value: Value) -> None:
        table = self.paths.end(links)
        way = None if self.paths.usual(links) else links
        match value:
            case Nil():
                self.linked.append(Linked(table, way, absent=True))
            case Map(entries=(Entry(key="not", value=Nil()),)):
                self.linked.append(Linked(table, way))
            case Map(entries=(Entry(key="not", value=Map(entries=inner)),)):
                self._none(links, inner)
            case Map(entries=(Entry(key="how-many", value=test), *rest)):
                self.linked.append(self._counted(links, test, rest))
            case Map(entries=inner) if not any(entry.key == HOW_MANY for entry in inner):
                self.nested(inner, links)
            case _:
                raise Unreadable

    def _none(self, links: Links, inner: tuple[Entry, ...]) -> None:
        """No linked row: the opposite of one condition, or else rows that must not be there."""
        reader = ConditionReader(self.paths)
        reader.nested(inner, links)
        if reader.linked:
            if reader.conditions or len(reader.linked) != 1:
                raise Unreadable
            only = reader.linked[0]
            if only.absent or only.operation:
                raise Unreadable
            self.linked.append(Linked(only.table, only.links, absent=True))
            return
        single = reader.conditions[0]
        if len(reader.conditions) == 1 and not single.negative:
            self.conditions.append(replace(single, negative=True))
            return
        raise Unreadable

    def _counted(self, links: Links, test: Value, rest: Iterable[Entry]) -> Linked:
        reader = ConditionReader(self.paths)
        reader.nested(rest, links)
        if reader.linked:
            raise Unreadable
        inside = tuple(replace(each, ref=Ref(each.ref.thing)) for each in reader.conditions)
        way = None if self.paths.usual(links) else links
        table = self.paths.end(links)
        match test:
            case Integer() | Number():
                return Linked(table, way, inside, operation="equal", number=number(test))
            case Map(entries=(Entry(key=operation, value=value),)):
                return Linked(table, way, inside, operation=operation, number=number(value))
            case _:
                raise Unreadable

    def _ends(self, entries: tuple[Entry, ...]) -> tuple[dt.date | None, dt.date | None] | None:
        """The ends of days; apart in the exact reading, where two conditions may have been written."""
        return None if self.paths.exact and len(entries) > 1 else _bounds(entries)

    def _elsewhere(self, ref: Ref, thing: Thing, value: Value) -> Condition | None:
        """A comparison with another column of the row, with an average, or with what a named row has."""
        match value:
            case Map(entries=(Entry(key="column", value=Text(value=name)),)):
                return Condition(ref, "equal", other=self._beside(thing, name))
            case Map(
                entries=(Entry(key=key, value=Map(entries=(Entry(key="column", value=Text(value=name)),))),)
            ) if key != "not":
                return Condition(ref, key, other=self._beside(thing, name))
            case Map(entries=(Entry(key=key, value=Call(statement=statement)),)):
                if statement.verb != f"{thing.table.name}.average":
                    raise Unreadable
                return Condition(ref, "average", (key,), within=self._within(thing, statement, "of"))
            case Call(statement=statement):
                if statement.verb != f"{thing.table.name}.list":
                    raise Unreadable
                return Condition(ref, "same", like=self._within(thing, statement, "columns"))
            case _:
                return None

    def _beside(self, thing: Thing, path: str) -> Ref:
        """A column of the same row, or of the one that links lead to from there."""
        links, other, _ = Paths(thing.table, self.paths.knowledge, self.paths.joins, exact=True).column(path)
        return Ref(other, links or None)

    def _within(self, thing: Thing, statement: Statement, named: str) -> tuple[Condition, ...]:
        """The conditions of a statement over the same column."""
        arguments = {each.name: each.value for each in statement.arguments}
        if thing.column is None or arguments.get(named) != Text(thing.column.name):
            raise Unreadable
        paths = Paths(thing.table, self.paths.knowledge, self.paths.joins, exact=self.paths.exact)
        inner = ConditionReader(paths)
        inner.read([Entry(name, each) for name, each in arguments.items() if name not in RESERVED], arguments)
        if inner.linked or inner.either:
            raise Unreadable
        return tuple(inner.conditions)

    def _column(self, ref: Ref, thing: Thing, value: Value, *, negative: bool) -> None:
        # Inside of the links a "not" is of one of the rows: that none is so is said before them.
        same = negative and not all(link.single for link in self.paths.links(ref, ref.table))

        def add(operation: str, *values: Plain, part: DatePart | None = None) -> None:
            self.conditions.append(Condition(ref, operation, values, negative, part, same_row=same))

        if (alike := self._elsewhere(ref, thing, value)) is not None:
            self.conditions.append(replace(alike, negative=negative))
            return
        match value:
            case Nil():
                add("missing")
            case Map(entries=(Entry(key="not", value=inner),)) if not negative:
                self._column(ref, thing, inner, negative=True)
            case Map(entries=entries) if not thing.is_date and (days := _text_days(entries)) is not None:
                add("days", *days)
            case Sequence(items=(Map(entries=(Entry(key="starts" | "ends" | "contains" as key),)), *_)):
                add(key, *_pieces(value, key))
            case Map(entries=entries) if thing.is_date and self._ends(entries) is not None:
                add("days", *(_bounds(entries) or ()))
            case Map(entries=(Entry(key=key, value=inner),)) if key in PARTS:
                add("part", *map(number, _items(inner)), part=DatePart(key))
            case Map(entries=(Entry(key=key, value=inner),)) if key in COMPARISONS and key != "not":
                add(key, *map(_plain, _items(inner)))
            case Map(entries=entries) if len(entries) > 1:
                for part in _parted(entries, dates=thing.is_date and not self.paths.exact):
                    self._column(ref, thing, Map(part), negative=negative)
            case Map():
                raise Unreadable
            case _:
                add("equal", *map(_plain, _items(value)))


def _pieces(value: Sequence, key: str) -> list[str]:
    """The texts of which any is part of a value."""
    found = []
    for item in value.items:
        match item:
            case Map(entries=(Entry(key=same, value=Text(value=text)),)) if same == key:
                found.append(text)
            case _:
                raise Unreadable
    return found


def _text_days(entries: tuple[Entry, ...]) -> tuple[dt.date | None, dt.date | None] | None:
    """The days that a text which writes a date lies within: from the first on, and before the next one."""
    found: dict[str, dt.date] = {}
    for entry in entries:
        if entry.key not in ("at-least", "below") or not isinstance(entry.value, Text):
            return None
        try:
            found[entry.key] = dt.date.fromisoformat(entry.value.value)
        except ValueError:
            return None
    last = found.get("below")
    return found.get("at-least"), None if last is None else last - dt.timedelta(days=1)


def _rows_meant(value: Value) -> bool:
    """Whether a key that names a column and a link speaks of linked rows: a map that compares nothing."""
    if not isinstance(value, Map):
        return False
    if len(value.entries) == 1 and value.entries[0].key == "not":
        return _rows_meant(value.entries[0].value)
    return any(entry.key not in COMPARISONS and entry.key not in PARTS for entry in value.entries)


def _parted(entries: tuple[Entry, ...], *, dates: bool) -> list[tuple[Entry, ...]]:
    """Tests of one column that stand side by side. The two ends of days belong together."""
    found: list[tuple[Entry, ...]] = []
    for entry in entries:
        if found and dates and _bounds((*found[-1], entry)) is not None:
            found[-1] = (*found[-1], entry)
        else:
            found.append((entry,))
    return found


def _bounds(entries: tuple[Entry, ...]) -> tuple[dt.date | None, dt.date | None] | None:
    """The first and the last day that two comparisons leave."""
    found: dict[str, dt.date] = {}
    for entry in entries:
        if entry.key not in ("at-least", "at-most") or not isinstance(entry.value, Date):
            return None
        found[entry.key] = entry.value.value
    return found.get("at-least"), found.get("at-most")


def _items(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Sequence) else (value,)


def _plain(value: Value) -> Plain:
    match value:
        case Text(value=text):
            return text
        case Integer() | Number():
            return number(value)
        case Date(value=day):
            return day
        case Boolean(value=truth):
            return "true" if truth else "false"
        case Nil():
            return None
        case _:
            raise Unreadable
