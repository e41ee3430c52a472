"""What a schema says beyond its names: which columns label a row, count time or money, flag or measure."""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property

from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.databases.values import ValueIndex
from dragoman.planning.tables.things import Thing, Things
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table
from dragoman.tables.verbs import DATES, NUMBERS


class Role(StrEnum):
    """What a column is to a question."""

    KEY = "key"
    LABEL = "label"
    DATE = "date"
    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    MEASURE = "measure"
    FLAG = "flag"
    CATEGORY = "category"
    TEXT = "text"


class Unit(Record, frozen=True):
    """A unit of measure: what it measures, and how many of the dimension's base units it is."""

    dimension: str
    factor: float


UNITS: dict[str, Unit] = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds", "msec", "millis"), Unit("time", 0.001)),
    **dict.fromkeys(("second", "seconds", "sec", "secs"), Unit("time", 1.0)),
    **dict.fromkeys(("minute", "minutes", "min", "mins"), Unit("time", 60.0)),
    **dict.fromkeys(("hour", "hours", "hr", "hrs", "h"), Unit("time", 3600.0)),
    **dict.fromkeys(("day", "days"), Unit("time", 86400.0)),
    **dict.fromkeys(("g", "gram", "grams", "gr"), Unit("mass", 1.0)),
    **dict.fromkeys(("kg", "kilo", "kilos", "kilogram", "kilograms"), Unit("mass", 1000.0)),
    **dict.fromkeys(("lb", "lbs", "pound", "pounds"), Unit("mass", 453.59237)),
    **dict.fromkeys(("ton", "tons", "tonne", "tonnes"), Unit("mass", 1_000_000.0)),
    **dict.fromkeys(("mm", "millimeter", "millimeters"), Unit("length", 0.001)),
    **dict.fromkeys(("cm", "centimeter", "centimeters"), Unit("length", 0.01)),
    **dict.fromkeys(("meter", "meters", "metre", "metres"), Unit("length", 1.0)),
    **dict.fromkeys(("km", "kilometer", "kilometers", "kilometre", "kilometres", "kms"), Unit("length", 1000.0)),
    **dict.fromkeys(("mile", "miles"), Unit("length", 1609.344)),
    **dict.fromkeys(("ft", "foot", "feet"), Unit("length", 0.3048)),
    **dict.fromkeys(("inch", "inches"), Unit("length", 0.0254)),
    **dict.fromkeys(("dollar", "dollars", "usd", "bucks", "euro", "euros", "eur", "$", "€", "£"), Unit("money", 1.0)),
    **dict.fromkeys(("percent", "%", "pct"), Unit("share", 1.0)),
    **dict.fromkeys(("kb", "kilobyte", "kilobytes"), Unit("bytes", 1024.0)),
    **dict.fromkeys(("mb", "megabyte", "megabytes"), Unit("bytes", 1048576.0)),
    **dict.fromkeys(("gb", "gigabyte", "gigabytes"), Unit("bytes", 1073741824.0)),
    **dict.fromkeys(("byte", "bytes"), Unit("bytes", 1.0)),
}

DIMENSIONS: dict[str, tuple[str, ...]] = {
    "time": tuple(map(stem, ("duration", "length", "time", "runtime"))),
    "mass": tuple(map(stem, ("weight", "mass"))),
    "bytes": tuple(map(stem, ("size", "filesize"))),
}
"""What a column is called by its unit."""
UNIT_WORDS: dict[str, frozenset[str]] = {
    "time": frozenset(map(stem, "duration length time runtime delay age long".split())),
    "length": frozenset(map(stem, "distance length height altitude elevation depth width size alt".split())),
    "mass": frozenset(map(stem, "weight mass".split())),
    "bytes": frozenset(map(stem, "size bytes".split())),
}
"""Words of columns that may be measured in a dimension."""

_PIECES = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_MONEY = frozenset(map(stem, "total amount price cost revenue sales payment fee salary charge balance value subtotal paid income turnover earnings profit budget rate spend".split()))
_TOTALS = frozenset(map(stem, "total amount revenue sales subtotal paid payment turnover earnings income".split()))
_NOT_MONEY = frozenset(map(stem, "refund outstanding discount due tax shipping freight payable limit".split()))
_TRADE = frozenset(map(stem, "payment invoice sale order transaction receipt purchase bill".split()))
_PRICES = frozenset(map(stem, "price cost".split()))
_QUANTITY = frozenset(map(stem, "quantity qty".split()))
_DISCOUNT = frozenset(map(stem, "discount".split()))
_LABELS = ("name", "title", "label", "description", "subject", "model", "caption", "detail", "details", "symbol", "code")
_OPEN = frozenset(map(stem, ("name", "title")))
"""Labels that may stand beside any word: "course name", "job title"."""
_FLAG_TEXTS = frozenset({"y", "n", "yes", "no", "true", "false", "t", "f", "0", "1", "on", "off"})
_YES = ("Y", "Yes", "yes", "y", "YES", "true", "True", "TRUE", "T", "t", "1", "on")
_NO = ("N", "No", "no", "n", "NO", "false", "False", "FALSE", "F", "f", "0", "off")


class ColumnFacts(Record, frozen=True):
    """A column and what is known of it."""

    thing: Thing
    role: Role
    unit: Unit | None = None
    money: bool = False
    yes: str = ""
    no: str = ""
    """Of a flag: the values that mean yes and no, as samples write them."""


class Knowledge:
    """What the schema of one database says to a reader of questions."""

    def __init__(self, things: Things, values: ValueIndex | None = None) -> None:
        self.things = things
        self._distinct = _counts(values)
        self.facts: dict[int, ColumnFacts] = {}
        for thing in things.all:
            if thing.column is not None:
                self.facts[thing.number] = _facts(thing)
        self._call_by_units()
        self._labels: dict[tuple[str, str], tuple[Thing, ...]] = {}

    def _call_by_units(self) -> None:
        """A column of milliseconds is a length of time, whatever it is called."""
        for facts in self.facts.values():
            if facts.unit is None or facts.role is not Role.MEASURE:
                continue
            for word in DIMENSIONS.get(facts.unit.dimension, ()):
                known = self.things.by_word.setdefault(word, [])
                own = {self.things.all[number].table.key for number, _ in known}
                # Only where no column of the table is called so.
                if facts.thing.table.key not in own:
                    self.things.aliases.setdefault(word, []).append((facts.thing.number, 0))

    def is_role(self, thing: Thing) -> bool:
        """Whether a foreign key is called by the part its row plays: destination, support rep."""
        if thing.column is None or thing.column.info.name in thing.table.info.primary_key:
            return False
        for key in thing.table.info.foreign_keys:
            if key.columns == (thing.column.info.name,):
                target = self.things.table_thing.get((key.schema, key.table)) or self.things.table_thing.get(
                    (thing.table.info.schema, key.table)
                )
                words = set(thing.words) - {"id", "cod", "code", "key", "number"}
                return target is not None and not words <= set(target.words)
        return False

    def columns(self, table: Table) -> list[ColumnFacts]:
        return [self.facts[thing.number] for thing in self.things.of_table[table.key]]

    def role(self, thing: Thing) -> Role | None:
        facts = self.facts.get(thing.number)
        return None if facts is None else facts.role

    def labels(self, table: Table) -> tuple[Thing, ...]:
        """The columns that tell a person which row it is; the key where there are none."""
        found = self._labels.get(table.key)
        if found is None:
            found = self._labels[table.key] = self._label_columns(table)
        return found

    def has_name(self, table: Table) -> bool:
        """Whether rows have a name of their own, and not only a key."""
        labels = self.labels(table)
        if not labels or not all(label.is_text for label in labels):
            return False
        named = {"name", "titl", "last", "first", "surname"}
        return all(named & set(label.words) or label.is_key for label in labels)

    def identifies(self, table: Table) -> bool:
        """Whether the labels of a table tell its rows apart: people by their names, or what has no name twice."""
        labels = self.labels(table)
        if not self.has_name(table):
            return False
        if len(labels) > 1:
            return True
        column = labels[0].column
        if column is None or column.info.unique or (column.info.name,) in table.info.unique_keys:
            return True
        rows = table.info.rows
        return rows is not None and self._distinct.get((*table.key, column.info.name), 0) >= 0.98 * rows

    def natural_key(self, table: Table) -> tuple[Thing, ...]:
        """The key of a table where it says something to a person: a code, a tail number."""
        keys = [self.things.of_column.get((*table.key, name)) for name in table.info.primary_key]
        found = tuple(key for key in keys if key is not None and key.is_text)
        return found if len(found) == len(keys) == 1 else ()

    def _label_columns(self, table: Table) -> tuple[Thing, ...]:
        columns = self.things.of_table[table.key]
        texts = [each for each in columns if each.is_text]
        foreign = {name for key in table.info.foreign_keys for name in key.columns}
        own = [each for each in texts if each.column is not None and each.column.info.name not in foreign]
        exact = [each for each in own if each.required == ("name",)]
        if exact:
            return (exact[0],)
        mine = set(self.things.table_thing[table.key].words)
        alike = [each for each in own if set(each.words) <= mine]
        if alike:
            return (alike[0],)
        first = next((e for e in own if {"first", "name"} <= set(e.words) or {"given", "name"} <= set(e.words)), None)
        last = next(
            (e for e in own if "last" in e.words or "surname" in e.words or {"family", "name"} <= set(e.words)), None
        )
        if first and last:
            return (first, last)
        for word in map(stem, _LABELS):
            named = [each for each in own if word in each.words]
            best = [e for e in named if set(e.words) - {word} <= mine]
            if word in _OPEN and not best:
                best = [e for e in named if e.words[-1] == word] or (named if word == "name" else [])
            if best:
                return (min(best, key=lambda each: (len(each.words), each.number)),)
        if last or first:
            return (last or first,)  # type: ignore[return-value]
        keys = [each for each in columns if each.column and each.column.info.name in table.info.primary_key]
        if keys and all(key.is_text for key in keys):
            return tuple(keys)
        unique = [e for e in own if e.column and e.column.info.unique]
        if unique:
            return (unique[0],)
        return tuple(keys)

    def dates(self, table: Table) -> list[Thing]:
        return [each for each in self.things.of_table[table.key] if each.is_date]

    def own_count(self, table: Table) -> Thing | None:
        """The column that counts what its table is called after: degrees.Degrees."""
        for thing in self.measures(table):
            if thing.column is not None and thing.column.info.name.casefold() == table.info.name.casefold():
                return thing
        return None

    def of_role(self, table: Table, role: Role) -> list[Thing]:
        return [each.thing for each in self.columns(table) if each.role is role]

    def measures(self, table: Table) -> list[Thing]:
        return self.of_role(table, Role.MEASURE)

    @cached_property
    def totals(self) -> list[Thing]:
        """Columns that hold money that changed hands: totals and amounts before prices."""
        found = [
            each.thing
            for each in self.facts.values()
            if each.role is Role.MEASURE and _TOTALS & set(each.thing.words) and not _DISCOUNT & set(each.thing.words)
        ]

        def rank(thing: Thing) -> tuple[bool, bool, bool, int]:
            table = set(self.things.table_thing[thing.table.key].words)
            return (
                bool(_NOT_MONEY & set(thing.words)),
                not _TRADE & table,
                not thing.table.info.foreign_keys,
                thing.number,
            )

        return sorted(found, key=rank)

    @cached_property
    def lines(self) -> list[tuple[Thing, Thing, Thing | None]]:
        """Tables of lines: a price, a quantity, and perhaps a discount."""
        found = []
        for table in self.things.graph.tables.values():
            measures = self.measures(table)
            price = next((m for m in measures if _PRICES & set(m.words)), None)
            quantity = next((m for m in measures if _QUANTITY & set(m.words)), None)
            discount = next((m for m in measures if _DISCOUNT & set(m.words)), None)
            if price and quantity and table.info.foreign_keys:
                found.append((price, quantity, discount))
        return found

    @cached_property
    def quantities(self) -> list[Thing]:
        return [
            each.thing
            for each in self.facts.values()
            if each.role is Role.MEASURE and _QUANTITY & set(each.thing.words) and each.thing.table.info.foreign_keys
        ]


def _facts(thing: Thing) -> ColumnFacts:
    column = thing.column
    assert column is not None
    info = column.info
    pieces = [piece.lower() for piece in _PIECES.findall(info.name)]
    unit = next((UNITS[piece] for piece in reversed(pieces) if piece in UNITS and piece != "h"), None)
    if unit is not None and unit.dimension == "time" and pieces[-1] in ("day", "days") and len(pieces) == 1:
        unit = None
    # The flight of flights is a number of it; the degrees of a table of degrees are how many there were.
    alike = set(thing.words) <= set(thing.optional) and column.type is ValueType.INTEGER
    if thing.is_key or (alike and info.name.casefold() != thing.table.info.name.casefold()):
        return ColumnFacts(thing, Role.KEY)
    if column.type in DATES:
        return ColumnFacts(thing, Role.DATE)
    flag = _flag(thing)
    if flag is not None:
        return flag
    if column.type in NUMBERS:
        words = set(thing.words)
        if column.type is ValueType.INTEGER and thing.words[-1] in ("year", "month", "day") and _calendar(thing):
            return ColumnFacts(thing, Role(thing.words[-1]))
        if len(words & {"id", "code", "zip"}) and column.type is ValueType.INTEGER:
            return ColumnFacts(thing, Role.KEY)
        return ColumnFacts(thing, Role.MEASURE, unit, money=bool(_MONEY & words))
    if column.type in (ValueType.TEXT, ValueType.OTHER):
        few = info.distinct is not None and info.distinct <= 50
        return ColumnFacts(thing, Role.CATEGORY if few else Role.TEXT, unit)
    return ColumnFacts(thing, Role.TEXT)


def _calendar(thing: Thing) -> bool:
    assert thing.column is not None
    try:
        numbers = [float(each) for each in thing.column.info.samples if each]
    except ValueError:
        return False
    least, most = {"year": (1000, 2300), "month": (1, 12), "day": (1, 31)}[thing.words[-1]]
    if not numbers:
        # Nothing was sampled: the name alone has to do, where it says nothing else.
        return len(thing.required) == 1
    return all(least <= number <= most for number in numbers)


def _flag(thing: Thing) -> ColumnFacts | None:
    column = thing.column
    assert column is not None
    if column.type is ValueType.BOOLEAN:
        return ColumnFacts(thing, Role.FLAG, yes="true", no="false")
    samples = [each for each in column.info.samples if each != ""]
    distinct = column.info.distinct
    if not samples or len(samples) > 2 or (distinct is not None and distinct > 2):
        return None
    if column.type in NUMBERS:
        if column.type is ValueType.INTEGER and set(samples) == {"0", "1"}:
            return ColumnFacts(thing, Role.FLAG, yes="1", no="0")
        return None
    if {each.casefold() for each in samples} <= _FLAG_TEXTS:
        yes = next((each for each in samples if each in _YES), "")
        no = next((each for each in samples if each in _NO), "")
        if yes or no:
            return ColumnFacts(thing, Role.FLAG, yes=yes, no=no)
    return None


def _counts(values: ValueIndex | None) -> dict[tuple[str, str, str], int]:
    """How many different values of each column are known."""
    found: dict[tuple[str, str, str], int] = {}
    for place in values.places() if values is not None else ():
        key = (place.schema, place.table, place.column)
        found[key] = found.get(key, 0) + 1
    return found


def words_of(names: Iterable[str]) -> frozenset[str]:
    return frozenset(map(stem, names))
