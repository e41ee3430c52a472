"""Primary keys that nobody declared, as in tables that were loaded from files: the column whose name says
that it tells the rows apart, where it does so in all rows that are looked at.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from sqlglot import exp

from dragoman.contracts.access import Reader
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, TableInfo, TableKind
from dragoman.databases.discovery.budget import Purse
from dragoman.databases.discovery.catalog_reader import Fault, fault_of, whole_of
from dragoman.databases.discovery.draft import Place
from dragoman.databases.discovery.key_evidence import KEY_TYPES
from dragoman.databases.discovery.name_words import pointed_at, subject_of, words_of
from dragoman.databases.discovery.statements import (
    all_of,
    column,
    count,
    counted,
    inner,
    named,
    query_of,
    selected,
    table_at,
)
from dragoman.guards.secrets import is_telling

_BATCH: Final = 25
_CHECKED_ROWS: Final = 200_000
_FEW, _MANY = 2, 8
"""How many rows must speak for a key that is called after its table, and for one that only comes first."""
_WHOLE: Final = (("id",), ("uuid",), ("guid",))
_POINTERS: Final = frozenset({"id", "key", "code", "uuid", "guid", "no", "number"})


class _OwnKey(Record, frozen=True):
    """A column that may tell the rows of its table apart. `fewest`: how many rows have to say so."""

    place: Place
    name: str
    fewest: int


def with_own_keys(reader: Reader, tables: Sequence[TableInfo], purse: Purse) -> tuple[TableInfo, ...]:
    """The tables, those without any key with the one that their data speaks for."""
    guesses = [guess for table in tables for guess in _guessed(table)]
    held: dict[Place, str] = {}
    for start in range(0, len(guesses), _BATCH):
        for guess in _holding(reader, guesses[start : start + _BATCH], purse):
            held.setdefault(guess.place, guess.name)
    return tuple(_with_key(table, held.get((table.schema, table.name))) for table in tables)


def _guessed(table: TableInfo) -> Iterator[_OwnKey]:
    """The best candidate of a table, if it has one."""
    if table.kind is not TableKind.TABLE or table.primary_key or table.unique_keys:
        return
    fitting = [each for each in table.columns if each.type in KEY_TYPES and not is_telling(each.name)]
    subject = subject_of(table.name)
    own = next((each for each in fitting if _is_called_after(each, subject)), None)
    if own is not None:
        yield _OwnKey((table.schema, table.name), own.name, _FEW)
    elif table.columns[0] in fitting and _points(table.columns[0]):
        yield _OwnKey((table.schema, table.name), table.columns[0].name, _MANY)


def _is_called_after(each: ColumnInfo, subject: tuple[str, ...]) -> bool:
    return words_of(each.name) in _WHOLE or (_points(each) and pointed_at(each.name)[0] == subject)


def _points(each: ColumnInfo) -> bool:
    thing, pointer = pointed_at(each.name)
    return bool(thing) and pointer in _POINTERS


def _holding(reader: Reader, guesses: list[_OwnKey], purse: Purse) -> list[_OwnKey]:
    """Those whose values come once each, and are never missing. What cannot be looked at is no key."""
    if purse.is_empty:
        return []
    branches = [_check(number, guess) for number, guess in enumerate(guesses)]
    try:
        rows = reader.read(query_of(all_of(branches), reader.dialect), purse.limits(len(guesses))).rows
    except DragomanError as error:
        if fault_of(error) is Fault.SOURCE:
            raise
        if len(guesses) == 1:
            return []
        middle = len(guesses) // 2
        halves = (guesses[:middle], guesses[middle:])
        return [guess for half in halves for guess in _holding(reader, half, purse)]
    found = []
    for number, many, told, different in rows:
        guess = guesses[whole_of(number)]
        if whole_of(many) == whole_of(told) == whole_of(different) >= guess.fewest:
            found.append(guess)
    return found


def _check(number: int, guess: _OwnKey) -> exp.Select:
    """How many rows there are, how many of them have the value, and how many values are different."""
    some = selected([named(column(guess.name), "v")], table_at(guess.place), _CHECKED_ROWS)
    different = exp.Count(this=exp.Distinct(expressions=[column("v")]))
    parts = [counted(number), count(), count(column("v")), different]
    return selected([named(part, f"c{at}") for at, part in enumerate(parts)], inner(some, "s"))


def _with_key(table: TableInfo, name: str | None) -> TableInfo:
    if name is None:
        return table
    columns = tuple(
        msgspec.structs.replace(each, unique=True) if each.name == name else each for each in table.columns
    )
    return msgspec.structs.replace(table, columns=columns, primary_key=(name,))
