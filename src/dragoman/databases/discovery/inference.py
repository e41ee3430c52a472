"""Foreign keys that nobody declared: guessed from names and types, kept only where the data agrees.

A guess needs exactly one table that fits. It is checked on a bounded part of the column: one value without a
partner is enough to drop it, and so is a check that could not be made.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from sqlglot import exp

from dragoman.contracts.access import Reader
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.query import Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, ForeignKey, TableInfo, TableKind, ValueType
from dragoman.databases.discovery.budget import Purse
from dragoman.databases.discovery.catalog_reader import Fault, Progress, fault_of, whole_of
from dragoman.databases.discovery.draft import Place
from dragoman.databases.discovery.name_words import pointed_at, subject_of, words_of
from dragoman.databases.discovery.single_table_keys import holds_by_values
from dragoman.databases.discovery.single_tables import SingleTableReader
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

BATCH = 25
"""How many guesses are checked by one query."""

CHECKED_ROWS = 2_000

_SELF = frozenset({("parent",), ("super",)})
_GENERIC = frozenset(
    {"id", "key", "code", "no", "name", "number", "uuid", "guid", "pk", "rowid", "index", "type"}
)
_TYPES = frozenset({ValueType.INTEGER, ValueType.TEXT, ValueType.UUID, ValueType.DECIMAL})


class Guess(Record, frozen=True):
    place: Place
    column: str
    target: Place
    target_column: str


def infer(
    reader: Reader, tables: Sequence[TableInfo], purse: Purse, progress: Progress
) -> tuple[TableInfo, ...]:
    """The tables with the keys that were guessed and held, marked as not declared."""
    guesses = list(guessed(tables))
    found: dict[Place, list[ForeignKey]] = defaultdict(list)
    for start in range(0, len(guesses), BATCH):
        if purse.is_empty:
            break
        progress(start, len(guesses), "keys")
        for guess in _holding(reader, guesses[start : start + BATCH], purse):
            key = ForeignKey(
                (guess.column,), guess.target[1], (guess.target_column,), guess.target[0], declared=False
            )
            found[guess.place].append(key)
    return tuple(_with_keys(table, found.get((table.schema, table.name), [])) for table in tables)


def guessed(tables: Iterable[TableInfo]) -> Iterator[Guess]:
    """What names and types suggest, where exactly one table fits."""
    known = [table for table in tables if table.kind is TableKind.TABLE]
    by_subject: dict[tuple[str, tuple[str, ...]], list[TableInfo]] = defaultdict(list)
    by_key: dict[tuple[str, tuple[str, ...]], list[TableInfo]] = defaultdict(list)
    for table in known:
        by_subject[table.schema, subject_of(table.name)].append(table)
        if len(table.primary_key) == 1:
            by_key[table.schema, words_of(table.primary_key[0])].append(table)
    for table in known:
        declared = {name for key in table.foreign_keys for name in key.columns}
        for each in table.columns:
            if each.name in declared or each.type not in _TYPES or (each.name,) == table.primary_key:
                continue
            targets = _targets(table, each, by_subject, by_key)
            if len(targets) == 1:
                target, key = targets[0]
                yield Guess((table.schema, table.name), each.name, (target.schema, target.name), key)


_Index = dict[tuple[str, tuple[str, ...]], list[TableInfo]]


def _targets(
    table: TableInfo, each: ColumnInfo, by_subject: _Index, by_key: _Index
) -> list[tuple[TableInfo, str]]:
    """Every table and key that a column may mean, by the strongest rule under which there is one."""
    thing, pointer = pointed_at(each.name)
    if thing in _SELF or (thing and thing[0] == "parent" and thing[1:] == subject_of(table.name)):
        return _keys_of([table], each, pointer)
    if thing:
        # `billing_customer_id` points at a customer unless there is a billing customer.
        for start in range(len(thing)):
            named = [t for t in by_subject.get((table.schema, thing[start:]), ()) if t is not table]
            if found := _keys_of(named, each, pointer):
                return found
    words = words_of(each.name)
    if not words or (len(words) == 1 and words[0] in _GENERIC):
        return []
    same = [t for t in by_key.get((table.schema, words), ()) if t is not table]
    return _keys_of(same, each, pointer)


def _keys_of(tables: Iterable[TableInfo], each: ColumnInfo, pointer: str) -> list[tuple[TableInfo, str]]:
    return [(table, key) for table in tables for key in _fitting_keys(table, each, pointer)]


def _fitting_keys(table: TableInfo, each: ColumnInfo, pointer: str) -> list[str]:
    """The key of a table that a column points at: one that is named alike, otherwise the primary key."""
    singles = [c for c in table.columns if c.unique and c.type is each.type]
    primary = [c.name for c in singles if (c.name,) == table.primary_key]
    alike = [c.name for c in singles if words_of(c.name) == words_of(each.name)]
    pointed = [c.name for c in singles if words_of(c.name) == (pointer,)]
    return (alike or primary or pointed)[:1]


def _holding(reader: Reader, guesses: list[Guess], purse: Purse) -> list[Guess]:
    """Those that the data agrees with. One check that fails fails the query for all: then each half alone."""
    if isinstance(reader, SingleTableReader):
        return [guess for guess in guesses if not purse.is_empty and _holds_alone(reader, guess, purse)]
    try:
        rows = reader.read(
            query_of(all_of([_check(n, guess) for n, guess in enumerate(guesses)]), reader.dialect),
            purse.limits(len(guesses)),
        ).rows
    except DragomanError as error:
        if fault_of(error) is Fault.SOURCE:
            raise
        if len(guesses) == 1 or purse.is_empty:
            return []
        middle = len(guesses) // 2
        return [*_holding(reader, guesses[:middle], purse), *_holding(reader, guesses[middle:], purse)]
    return [guesses[whole_of(row[0])] for row in rows if _agrees(row)]


def _holds_alone(reader: Reader, guess: Guess, purse: Purse) -> bool:
    return holds_by_values(reader, guess.place, guess.column, guess.target, guess.target_column, purse)


def _agrees(row: tuple[Value, ...]) -> bool:
    return whole_of(row[1]) == whole_of(row[2])


def _check(number: int, guess: Guess) -> exp.Select:
    """How many different values the first rows of a column have, and how many of them are keys."""
    some = selected([named(column(guess.column), "v")], table_at(guess.place), CHECKED_ROWS)
    there = exp.Not(this=exp.Is(this=column(guess.column), expression=exp.Null()))
    some.set("where", exp.Where(this=there))
    values = selected([named(column("v"), "v")], inner(some, "f"))
    values.set("distinct", exp.Distinct())
    key = column(guess.target_column, "t")
    tree = selected(
        [named(counted(number), "n"), named(count(), "a"), named(count(key), "b")], inner(values, "s")
    )
    same = exp.EQ(this=key.copy(), expression=column("v", "s"))
    tree.append("joins", exp.Join(this=table_at(guess.target, "t"), side="LEFT", on=same))
    return tree


def without_lost_ends(tables: Sequence[TableInfo]) -> tuple[TableInfo, ...]:
    """The tables without keys that lead to one which turned out not to be readable."""
    known = {(table.schema, table.name) for table in tables}
    return tuple(
        table
        if all((key.schema, key.table) in known for key in table.foreign_keys)
        else msgspec.structs.replace(
            table, foreign_keys=tuple(key for key in table.foreign_keys if (key.schema, key.table) in known)
        )
        for table in tables
    )


def _with_keys(table: TableInfo, keys: list[ForeignKey]) -> TableInfo:
    if not keys:
        return table
    return msgspec.structs.replace(table, foreign_keys=(*table.foreign_keys, *keys))
