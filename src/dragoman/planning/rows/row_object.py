"""One row of a table as an object: its key, its name, and the program that shows it whole."""

import datetime as dt
import re

import msgspec
from msgspec.structs import replace

from dragoman.contracts.answer import Cell
from dragoman.contracts.decoding import decoded
from dragoman.contracts.program import (
    Argument,
    Boolean,
    Date,
    Integer,
    Number,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.contracts.state import EntityRef
from dragoman.planning.database.knowledge import Knowledge
from dragoman.tables.graph import Column, Graph, Table
from dragoman.tables.verbs import NUMBERS

_WHOLE = re.compile(r"-?[0-9]+")
_NUMBER = re.compile(r"-?[0-9]+\.[0-9]+")
_DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d)")


class RowObject(Record, frozen=True):
    """A row, by the columns that tell it from all others."""

    table: Table
    key: tuple[tuple[str, Cell], ...]
    """What programs call the columns, and what stands in them."""
    name: str

    @property
    def ref(self) -> EntityRef:
        """What the session keeps of it. A key of one column is written as it is, any other by its columns."""
        single = len(self.key) == 1 and self.table.info.primary_key == (self._real(self.key[0][0]),)
        written = str(self.key[0][1]) if single else msgspec.json.encode(dict(self.key)).decode()
        return EntityRef(self.table.name, written, self.name)

    def _real(self, name: str) -> str:
        return self.table.columns[name].info.name

    def conditions(self) -> tuple[Argument, ...]:
        """What holds for this row alone, with its name beside a key of one column."""
        bound = [Argument(name, value_of(cell, self.table.columns[name])) for name, cell in self.key]
        if len(bound) > 1:
            return tuple(bound)
        # A name stands behind its key until the end of the line.
        name = " ".join(self.name.split())
        display = name if name != str(self.key[0][1]) and name.isprintable() else ""
        return (replace(bound[0], display=display),)


def row_of(ref: EntityRef, graph: Graph) -> RowObject | None:
    """The row that a session keeps; None where there is no such table any more, or none for this viewer."""
    table = graph.by_name.get(ref.kind)
    if table is None:
        return None
    keys = table.info.primary_key
    if len(keys) == 1 and keys[0] in table.by_real_name:
        return RowObject(table, ((table.by_real_name[keys[0]].name, ref.id),), ref.name)
    try:
        cells = decoded(ref.id, dict[str, str | int | None])
    except msgspec.DecodeError:
        return None
    known = all(name in table.columns for name in cells)
    return RowObject(table, tuple(cells.items()), ref.name) if cells and known else None


def value_of(cell: Cell, column: Column) -> Value:
    """A cell as a program writes it. Session and database tell the same number in different ways."""
    text = str(cell)
    # A database may hold a word in a column of numbers: it is compared as the text that it is.
    if column.type in NUMBERS and _WHOLE.fullmatch(text):
        return Integer(int(text))
    if column.type in NUMBERS and _NUMBER.fullmatch(text):
        return Number(text)
    if column.type is ValueType.BOOLEAN:
        return Boolean(text.casefold() in ("1", "true"))
    if column.type is ValueType.DATE and _DAY.fullmatch(text):
        return Date(dt.date.fromisoformat(text))
    return Text(text)


def opened(row: RowObject, knowledge: Knowledge) -> Statement:
    """The program that shows a row whole."""
    columns = telling_columns(row.table, knowledge)
    shown = () if columns is None else (Argument("columns", columns),)
    return Statement(f"{row.table.name}.list", (*shown, *row.conditions()), f"{row.table.name}-list")


_NO_CONDITIONS = frozenset({"of", "distinct", "by", "groups", "per", "also", "having", "with", "connection"})


def listed_rows(counted: Statement, table: Table, knowledge: Knowledge) -> Statement | None:
    """The rows that a statement counts; None where it counts values or groups."""
    given = {argument.name for argument in counted.arguments}
    if not counted.verb.endswith(".count") or given & _NO_CONDITIONS:
        return None
    columns = telling_columns(table, knowledge)
    shown = () if columns is None else (Argument("columns", columns),)
    return Statement(f"{table.name}.list", (*counted.arguments, *shown), f"{table.name}-list")


def counted_rows(listed: Statement) -> Statement | None:
    """The number of the rows that a statement lists; None where it lists only some of them, or values."""
    given = {argument.name for argument in listed.arguments}
    table, _, verb = listed.verb.rpartition(".")
    if verb != "list" or given & (_NO_CONDITIONS | {"top"}):
        return None
    kept = tuple(each for each in listed.arguments if each.name not in ("columns", "order"))
    return Statement(f"{table}.count", kept, f"{table}-count")


def telling_columns(table: Table, knowledge: Knowledge) -> Sequence | None:
    """All columns of a table, with the names of what its keys lead to in place of those keys; None where it
    has no such keys: then a program need not say which."""
    found: list[Value] = []
    told = False
    for column in table.columns.values():
        names = _names_behind(table, column, knowledge)
        own = not names or column.info.name in table.info.primary_key or column.type is ValueType.TEXT
        found += [Text(column.name)] if own else []
        found += [Text(name) for name in names]
        told = told or bool(names)
    return Sequence(tuple(found)) if told else None


def _names_behind(table: Table, column: Column, knowledge: Knowledge) -> list[str]:
    """What the row is called that a key of one column leads to."""
    graph = knowledge.things.graph
    for link in graph.links(table).values():
        target = graph.tables[link.target]
        leads = link.single and link.declared and [here for here, _ in link.pairs] == [column.info.name]
        if leads and "-by-" not in link.name and knowledge.has_name(target):
            return [
                f"{link.name}/{label.column.name}"
                for label in knowledge.labels(target)
                if label.column is not None
            ]
    return []
