"""Lists of everything in one table: priorities and activities, told apart by a column that says what each
row lists. A `priority_id` points there if all its values are rows of the one list that is called so."""

from collections.abc import Iterator, Sequence

from sqlglot import exp

from dragoman.contracts.access import Reader
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, TableInfo, TableKind, ValueType
from dragoman.databases.discovery.budget import Purse
from dragoman.databases.discovery.catalog_reader import Fault, fault_of
from dragoman.databases.discovery.draft import Place
from dragoman.databases.discovery.key_evidence import own_key
from dragoman.databases.discovery.key_guesses import Guess, leading_nowhere
from dragoman.databases.discovery.name_words import pointed_at, singular, words_of
from dragoman.databases.discovery.single_tables import SingleTableReader
from dragoman.databases.discovery.statements import column, query_of, selected, table_at

_MOST_LISTS = 100
_FEWEST = 2
_LISTING = frozenset({("type",), ("kind",), ("category",), ("domain",), ("group",), ("class",), ("list",)})
"""How a column may be called that says what a row lists."""


class SharedList(Record, frozen=True):
    """Rows of a table that are one list: those whose `column` holds `value`."""

    table: TableInfo
    column: str
    value: str

    @property
    def words(self) -> tuple[str, ...]:
        words = words_of(self.value)
        return (*words[:-1], singular(words[-1])) if words else ()


def guessed_lists(reader: Reader, tables: Sequence[TableInfo], purse: Purse) -> Iterator[Guess]:
    """Columns that are called after one of the lists of a table."""
    if isinstance(reader, SingleTableReader):
        return
    nowhere = [
        (table, each, thing)
        for table in tables
        if table.kind is TableKind.TABLE
        for each in leading_nowhere(table)
        if (thing := pointed_at(each.name)[0])
    ]
    lists = [found for table in tables for found in _lists_of(reader, table, purse)] if nowhere else []
    for table, each, thing in nowhere:
        fitting = [found for found in lists if _fits(found, table, each, thing)]
        if len(fitting) == 1:
            yield _guess(table, each, fitting[0])


def _fits(found: SharedList, table: TableInfo, each: ColumnInfo, thing: tuple[str, ...]) -> bool:
    key = own_key(found.table)
    alike = key is not None and key.type is each.type and found.table.schema == table.schema
    return alike and found.table is not table and found.words[-len(thing) :] == thing


def _guess(table: TableInfo, each: ColumnInfo, found: SharedList) -> Guess:
    place, there = (table.schema, table.name), (found.table.schema, found.table.name)
    only = (found.column, found.value)
    return Guess(place, (each.name,), there, found.table.primary_key, _FEWEST, named=True, only=only)


def _lists_of(reader: Reader, table: TableInfo, purse: Purse) -> Iterator[SharedList]:
    """The lists that a table holds, where one column says which."""
    key = own_key(table)
    telling = [
        each
        for each in table.columns
        if each.type is ValueType.TEXT and each is not key and words_of(each.name)[-1:] in _LISTING
    ]
    if table.kind is not TableKind.TABLE or key is None or len(telling) != 1 or purse.is_empty:
        return
    name = telling[0].name
    for value in _values(reader, (table.schema, table.name), name, purse):
        yield SharedList(table, name, value)


def _values(reader: Reader, place: Place, name: str, purse: Purse) -> list[str]:
    tree = selected([column(name)], table_at(place), _MOST_LISTS)
    tree.set("distinct", exp.Distinct())
    try:
        rows = reader.read(query_of(tree, reader.dialect), purse.limits(_MOST_LISTS)).rows
    except DragomanError as error:
        if fault_of(error) is Fault.SOURCE:
            raise
        return []
    values = [row[0] for row in rows if isinstance(row[0], str)]
    return values if 1 < len(values) < _MOST_LISTS else []
