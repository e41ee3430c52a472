"""The tables of a database, what programs call them and their columns, and the links between them."""

import re
from collections.abc import Iterable
from functools import cached_property

from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, ForeignKey, TableInfo, ValueType
from dragoman.tables.identifiers import identifiers, readable
from dragoman.tables.verbs import DATES, OPAQUE, RESERVED, DatePart

TableKey = tuple[str, str]
"""Schema and name, as the database has them."""

OTHERS = "others-by-"
"""How a step begins that leads to the other rows of the same table: `others-by-last_name`."""

_KEY_BEFORE = re.compile(r"(?:id|fk)[_-](?=.)", re.IGNORECASE)
_CAMEL_AFTER = re.compile(r"(?<=[a-z0-9])(?:Id|ID|Key|Code)\Z")
_SNAKE_AFTER = re.compile(r"(?<=.)[_-](?:id|fk|key|code|uuid|guid|ref|no|nr)\Z", re.IGNORECASE)


class Column(Record, frozen=True):
    """A column, and what programs call it."""

    name: str
    info: ColumnInfo
    type: ValueType
    """That of `info`: it is asked for most often of all."""


class Link(Record, frozen=True):
    """A step from a row to rows of another table. `single`: there is one at most, so following it does not
    multiply rows. `pairs`: the columns that must be equal, here and there, under their real names.
    `declared`: the database says so, or what was inferred is as good as that.

    `apart`: of a step to the other rows of the same table, the key by which a row is not its own other; there
    `part` says what of two dates is equal.
    """

    name: str
    target: TableKey
    pairs: tuple[tuple[str, str], ...]
    single: bool
    declared: bool
    apart: tuple[str, ...] = ()
    part: DatePart | None = None


class Table:
    """A table or view. What is made of its columns is made when it is asked for."""

    def __init__(self, name: str, info: TableInfo) -> None:
        self.name = name
        self.info = info
        self.key: TableKey = (info.schema, info.name)

    @cached_property
    def columns(self) -> dict[str, Column]:
        """By what programs call them."""
        found = {info.name: info for info in self.info.columns if readable(info.name)}
        names = identifiers({real: real for real in found}, "column", RESERVED)
        return {name: Column(name, found[real], found[real].type) for real, name in names.items()}

    @cached_property
    def by_real_name(self) -> dict[str, Column]:
        return {column.info.name: column for column in self.columns.values()}

    def column(self, name: str) -> Column | None:
        """By its identifier; or by its real name, which no other column has as its identifier."""
        return self.columns.get(name) or self.by_real_name.get(name)

    @cached_property
    def unique_keys(self) -> tuple[frozenset[str], ...]:
        single = ((column.name,) for column in self.info.columns if column.unique)
        # What is unique decides whether following a link can multiply rows.
        keys = (self.info.primary_key, *self.info.unique_keys, *single)
        return tuple(frozenset(key) for key in keys if key)

    def determined_by(self, columns: Iterable[str]) -> bool:
        """Whether values of these columns belong to one row at most."""
        given = frozenset(columns)
        return any(key <= given for key in self.unique_keys)

    def identified_by(self, columns: Iterable[str]) -> bool:
        """Whether these columns tell any two rows apart: a key in which nothing is missing."""
        given = frozenset(columns)
        required = {info.name for info in self.info.columns if not info.nullable}
        primary = frozenset(self.info.primary_key)
        # NULLs are not equal to each other: a unique key that may be empty does not tell all rows apart.
        keys = (key for key in self.unique_keys if key == primary or key <= required)
        return any(key <= given for key in keys)

    @cached_property
    def measures(self) -> tuple[Column, ...]:
        """Numbers that are no keys."""
        keys = set(self.info.primary_key)
        keys.update(name for key in self.info.foreign_keys for name in key.columns)
        numbers = (ValueType.INTEGER, ValueType.DECIMAL, ValueType.FLOAT)
        return tuple(c for c in self.columns.values() if c.type in numbers and c.info.name not in keys)

    @cached_property
    def dates(self) -> tuple[Column, ...]:
        dates = (ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT)
        return tuple(column for column in self.columns.values() if column.type in dates)


class Graph:
    """All tables of a database and how rows lead to rows."""

    def __init__(self, schema: DatabaseSchema) -> None:
        infos = {
            (info.schema, info.name): info
            for info in schema.tables
            if readable(info.name) and (not info.schema or readable(info.schema))
        }
        wishes = {key: f"{key[0]}-{key[1]}" if key[0] else key[1] for key in infos}
        names = identifiers(wishes, "table")
        self.tables: dict[TableKey, Table] = {key: Table(names[key], info) for key, info in infos.items()}
        self.by_name: dict[str, Table] = {table.name: table for table in self.tables.values()}
        self._links: dict[TableKey, dict[str, Link]] = {}

    def links(self, table: Table) -> dict[str, Link]:
        """Every step from a row of this table, by its name: along its own keys, and back along others'."""
        found = self._links.get(table.key)
        if found is None:
            found = {**self._outgoing(table), **self._incoming(table)}
            self._links[table.key] = found
        return found

    def link(self, table: Table, name: str) -> Link | None:
        """The step of this name. Those to the other rows of the same table are made when they are said: no
        search for a way finds them."""
        found = self.links(table).get(name)
        if found is not None or name in self.by_name or not name.startswith(OTHERS):
            return found
        return _others(table, name)

    def _outgoing(self, table: Table) -> dict[str, Link]:
        keys = self._foreign_keys(table)
        stems = [self._stem(table, key, target) for key, target in keys]
        links: dict[str, Link] = {}
        for (key, target), stem in zip(keys, stems, strict=True):
            wishes = (stem, "-".join(_names(table, key)), f"{'-'.join(_names(table, key))}-to-{target.name}")
            # Two keys that would both be called `customer` are both called by their columns instead: giving
            # the short name to one of them would make it a matter of luck which one a program means.
            free = (wish for wish in wishes if wish not in links and (wish != stem or stems.count(stem) == 1))
            name = next(free, None)
            if name is not None:
                pairs = tuple(zip(key.columns, key.target_columns, strict=True))
                single = target.determined_by(key.target_columns)
                links[name] = Link(name, target.key, pairs, single, key.declared or key.certain)
        return links

    def _incoming(self, table: Table) -> dict[str, Link]:
        links: dict[str, Link] = {}
        for source in self._pointing.get(table.key, ()):
            for link in self._outgoing(source).values():
                if link.target == table.key:
                    name = f"{source.name}-by-{link.name}"
                    pairs = tuple((there, here) for here, there in link.pairs)
                    single = source.determined_by(here for here, _ in link.pairs)
                    links[name] = Link(name, source.key, pairs, single, link.declared)
        return links

    @cached_property
    def _pointing(self) -> dict[TableKey, list[Table]]:
        """The tables that point at a table."""
        pointing: dict[TableKey, list[Table]] = {}
        for table in self.tables.values():
            for target in {target.key: target for _, target in self._foreign_keys(table)}:
                pointing.setdefault(target, []).append(table)
        return pointing

    def _foreign_keys(self, table: Table) -> list[tuple[ForeignKey, Table]]:
        """Those whose two sides are known. The same one told twice counts once, the declared one."""
        found: dict[tuple[TableKey, tuple[tuple[str, str], ...]], tuple[ForeignKey, Table]] = {}
        # Declared first: what discovery inferred may repeat what the database declares, and only the declared
        # one lets an answer be confirmed.
        for key in sorted(table.info.foreign_keys, key=lambda each: not each.declared):
            target = self.tables.get((key.schema, key.table)) or (
                self.tables.get((table.info.schema, key.table)) if not key.schema else None
            )
            if target is None or not key.columns or len(key.columns) != len(key.target_columns):
                continue
            known = all(name in table.by_real_name for name in key.columns)
            if known and all(name in target.by_real_name for name in key.target_columns):
                pairs = tuple(sorted(zip(key.columns, key.target_columns, strict=True)))
                found.setdefault((target.key, pairs), (key, target))
        return list(found.values())

    def _stem(self, table: Table, key: ForeignKey, target: Table) -> str:
        """`customer_id` leads to the customer; several columns lead to what they are the key of."""
        if len(key.columns) > 1:
            return target.name
        name = table.by_real_name[key.columns[0]].name
        stem = _SNAKE_AFTER.sub("", name) if _SNAKE_AFTER.search(name) else _CAMEL_AFTER.sub("", name)
        return _KEY_BEFORE.sub("", stem, count=1) if _KEY_BEFORE.match(stem) else stem


def _names(table: Table, key: ForeignKey) -> list[str]:
    return [table.by_real_name[real].name for real in key.columns]


def others_by(column: str, part: DatePart | None = None) -> str:
    """The step to the other rows with the same value in a column, or with a date in the same year."""
    return f"{OTHERS}{column}-{part}" if part else f"{OTHERS}{column}"


def _others(table: Table, name: str) -> Link | None:
    """None where there is no such column, or no key that tells a row from the others."""
    said, part = name.removeprefix(OTHERS), None
    column = table.column(said)
    if column is None:
        before, _, last = said.rpartition("-")
        part = next((each for each in DatePart if each == last), None)
        column = table.column(before) if part is not None else None
        if column is None or column.type not in DATES:
            return None
    key = table.info.primary_key
    if column.type in OPAQUE or not key or any(real not in table.by_real_name for real in key):
        return None
    if part is DatePart.HOUR and column.type is ValueType.DATE:
        return None
    pair = (column.info.name, column.info.name)
    return Link(
        others_by(column.name, part), table.key, (pair,), single=False, declared=True, apart=key, part=part
    )
