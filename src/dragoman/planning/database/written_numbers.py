"""Numbers that a database keeps as texts: which columns planners may read as numbers.

Discovery tells which texts were all numbers where it looked. A code looks so too: the number of a phone, an
account, a house. So the name of a column and the form of its numbers must not speak of one.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, TableInfo, ValueType
from dragoman.planning.database.column_facts import unit_named
from dragoman.planning.database.column_words import column_words
from dragoman.planning.database.number_spelling import NO_NUMBERS, Marked, NumberSpelling
from dragoman.planning.database.written_dates import form_of
from dragoman.planning.tables.name_words import name_words
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Graph

_CODE_DIGITS: Final = 4
"""So many digits, alike in all rows, are those of a code or a year, unless the name says otherwise."""
_RANKED: Final = frozenset({stem("level")})
"""Kinds that may be more or less of something."""

Key = tuple[str, str]


class WrittenNumbers:
    """The numbers in texts of one database. Without any, everything here leaves all as it is."""

    def __init__(self, schema: DatabaseSchema) -> None:
        self._real = schema
        keys = _keys_in(schema.tables)
        found = {
            (table.schema, table.name): frozenset(
                each.name for each in table.columns if _is_number(table, each, keys)
            )
            for table in schema.tables
        }
        self._marked: Marked = {key: names for key, names in found.items() if names}
        self.schema = replace(schema, tables=tuple(map(self._read, schema.tables))) if self else schema
        """The schema as planners read it: such columns are numbers."""

    def __bool__(self) -> bool:
        return bool(self._marked)

    @cached_property
    def spelling(self) -> NumberSpelling:
        return NumberSpelling(Graph(self.schema), self._marked, Graph(self._real)) if self else NO_NUMBERS

    def _read(self, table: TableInfo) -> TableInfo:
        names = self._marked.get((table.schema, table.name), frozenset())
        if not names:
            return table
        columns = (
            replace(each, type=each.writes or each.type) if each.name in names else each
            for each in table.columns
        )
        return replace(table, columns=tuple(columns))


def _keys_in(tables: Iterable[TableInfo]) -> dict[Key, set[str]]:
    """The columns of each table that tell its rows apart, or lead from or to rows of others."""
    found: dict[Key, set[str]] = {}
    for table in tables:
        own = found.setdefault((table.schema, table.name), set())
        own.update(table.primary_key)
        for key in table.foreign_keys:
            own.update(key.columns)
            found.setdefault((key.schema or table.schema, key.table), set()).update(key.target_columns)
    return found


def _is_number(table: TableInfo, each: ColumnInfo, keys: dict[Key, set[str]]) -> bool:
    if each.type is not ValueType.TEXT or each.writes is None or each.unique or each.options:
        return False
    if each.name in keys[(table.schema, table.name)] or form_of(each.samples) is not None:
        return False
    least, most = each.least, each.most
    if least is None or most is None or (each.writes is ValueType.INTEGER and least >= 0 and most <= 1):
        # Nought and one are yes and no.
        return False
    words, known = name_words(each.name), column_words()
    if words[-1] in known.numbering or words[-1] in known.kinds - _RANKED or set(words) & known.ordinals:
        return False
    if set(words) & set(_amounts()) or unit_named(each.name) is not None:
        return True
    own = set(words) <= set(name_words(table.name))
    return not (own or set(words) & known.codes or _is_of_one_length(each, least, most))


def _amounts() -> Iterator[str]:
    """Words of columns that say how much or how many there is of something."""
    known = column_words()
    for words in (known.money, known.quantities, known.counts, known.wages, known.each, known.sizes):
        yield from words


def _is_of_one_length(each: ColumnInfo, least: float, most: float) -> bool:
    """Whether whole numbers have so many digits as those of codes have, all alike."""
    if each.writes is not ValueType.INTEGER or least < 0:
        return False
    digits = {len(str(int(end))) for end in (least, most)}
    return len(digits) == 1 and digits.pop() >= _CODE_DIGITS
