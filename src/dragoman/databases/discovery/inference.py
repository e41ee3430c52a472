"""Foreign keys that nobody declared: guessed from names and types, kept only where the data agrees.

A guess needs exactly one table that fits. It is checked on a bounded part of the column: one value without a
partner is enough to drop it, and so is a check that could not be made. Where a name says less, the data must
say more: then there have to be several values.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

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
from dragoman.databases.discovery.key_evidence import GENERIC, KEY_TYPES, homes, likely_targets, own_key
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
from dragoman.guards.secrets import is_telling

BATCH = 25
"""How many guesses are checked by one query."""

CHECKED_ROWS = 2_000

_SELF = frozenset({("parent",), ("super",)})
_SEVERAL, _MANY = 2, 8
"""How many values have to agree where the name says part of it, and where it says nothing."""
_MOST_BY_VALUES = 400
_SPARSE = 0.1
_NUMBERS = (ValueType.INTEGER, ValueType.DECIMAL)


class Guess(Record, frozen=True):
    """Columns that may hold a key of another table. `fewest`: how many values must speak for it."""

    place: Place
    columns: tuple[str, ...]
    target: Place
    target_columns: tuple[str, ...]
    fewest: int = 0
    zero: bool = False
    """Whether 0 may stand for none: a boss has the boss 0."""


def infer(
    reader: Reader, tables: Sequence[TableInfo], purse: Purse, progress: Progress
) -> tuple[TableInfo, ...]:
    """The tables with the keys that were guessed and held, marked as not declared."""
    known = _with_held(reader, tables, list(guessed(tables)), purse, progress)
    known = _with_held(reader, known, list(guessed_by_part(known)), purse, progress)
    if isinstance(reader, SingleTableReader):
        return known
    by_values = guessed_by_values(known, _sparse(reader, known, purse))
    return _with_held(reader, known, by_values, purse, progress)


def _with_held(
    reader: Reader, tables: Sequence[TableInfo], guesses: list[Guess], purse: Purse, progress: Progress
) -> tuple[TableInfo, ...]:
    """The tables with the keys of those guesses that hold. A column that fits two tables leads to none."""
    held: dict[tuple[Place, tuple[str, ...]], list[Guess]] = defaultdict(list)
    for start in range(0, len(guesses), BATCH):
        if purse.is_empty:
            break
        progress(start, len(guesses), "keys")
        for guess in _holding(reader, guesses[start : start + BATCH], purse):
            held[guess.place, guess.columns].append(guess)
    found: dict[Place, list[ForeignKey]] = defaultdict(list)
    for (place, columns), fitting in held.items():
        if len(fitting) == 1:
            target = fitting[0].target
            key = ForeignKey(columns, target[1], fitting[0].target_columns, target[0], declared=False)
            found[place].append(key)
    return tuple(_with_keys(table, found.get((table.schema, table.name), [])) for table in tables)


def guessed_by_part(tables: Sequence[TableInfo]) -> Iterator[Guess]:
    """What parts of names, roles and abbreviations suggest, for columns that lead nowhere yet."""
    known = [table for table in tables if table.kind is TableKind.TABLE]
    for table in known:
        for each in _leading_nowhere(table):
            targets = likely_targets(table, each, known)
            # The own table comes first: whom an employee reports to is one of the employees.
            chosen = [other for other in targets if other is table] or targets
            if len(chosen) == 1:
                guess = _guess(table, (each.name,), chosen[0], _SEVERAL)
                yield msgspec.structs.replace(guess, zero=each.type in _NUMBERS)
        for other in homes(table, known):
            yield _guess(table, other.primary_key, other, _SEVERAL)


def guessed_by_values(tables: Sequence[TableInfo], sparse: AbstractSet[Place]) -> list[Guess]:
    """Columns that may hold the key of any table: their values have to say it. Numbers coincide by chance,
    unless the keys are `sparse`: few of the numbers between the least and the greatest of them."""
    known = [table for table in tables if table.kind is TableKind.TABLE]
    targets = [
        (other, key)
        for other in known
        if (key := own_key(other)) is not None
        and (key.type is ValueType.TEXT or (other.schema, other.name) in sparse)
    ]
    guesses = [
        _guess(table, (each.name,), other, _MANY)
        for table in known
        for each in _leading_nowhere(table)
        for other, key in targets
        if other is not table
        and other.schema == table.schema
        and each.type is key.type
        # Two ways to one table are one too many where no name tells them apart.
        and not any(key.table == other.name for key in table.foreign_keys)
    ]
    return guesses if len(guesses) <= _MOST_BY_VALUES else []


def _sparse(reader: Reader, tables: Sequence[TableInfo], purse: Purse) -> set[Place]:
    """Tables whose keys are few of the numbers that they lie among."""
    known = [
        (table, key)
        for table in tables
        if table.kind is TableKind.TABLE
        and (key := own_key(table)) is not None
        and key.type is ValueType.INTEGER
    ]
    found: set[Place] = set()
    for start in range(0, len(known), BATCH):
        batch = known[start : start + BATCH]
        branches = [_spread(n, (table.schema, table.name), key.name) for n, (table, key) in enumerate(batch)]
        if purse.is_empty:
            break
        try:
            rows = reader.read(query_of(all_of(branches), reader.dialect), purse.limits(len(batch))).rows
        except DragomanError as error:
            if fault_of(error) is Fault.SOURCE:
                raise
            continue
        for number, many, least, most in rows:
            table = batch[whole_of(number)][0]
            if whole_of(many) < _SPARSE * (whole_of(most) - whole_of(least) + 1):
                found.add((table.schema, table.name))
    return found


def _spread(number: int, place: Place, key: str) -> exp.Select:
    """How many keys there are among the first rows, and between which numbers they lie."""
    some = selected([named(column(key), "v")], table_at(place), CHECKED_ROWS)
    ends = [exp.Min(this=column("v")), exp.Max(this=column("v"))]
    told = [exp.Coalesce(this=end, expressions=[counted(0)]) for end in ends]
    parts = [counted(number), count(), *told]
    return selected([named(part, f"c{at}") for at, part in enumerate(parts)], inner(some, "s"))


def _leading_nowhere(table: TableInfo) -> list[ColumnInfo]:
    """Columns that may hold a key and lead to no table. What a telling name holds is not looked at."""
    linked = {name for key in table.foreign_keys for name in key.columns}
    return [
        each
        for each in table.columns
        if each.name not in linked and (each.name,) != table.primary_key and not is_telling(each.name)
    ]


def _guess(table: TableInfo, columns: tuple[str, ...], target: TableInfo, fewest: int) -> Guess:
    place, there = (table.schema, table.name), (target.schema, target.name)
    return Guess(place, columns, there, target.primary_key, fewest)


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
            if each.name in declared or each.type not in KEY_TYPES or (each.name,) == table.primary_key:
                continue
            targets = _targets(table, each, by_subject, by_key)
            if len(targets) == 1:
                target, key = targets[0]
                there = (target.schema, target.name)
                yield Guess((table.schema, table.name), (each.name,), there, (key,))


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
    if not words or (len(words) == 1 and words[0] in GENERIC):
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
    return [guesses[whole_of(row[0])] for row in rows if _agrees(row, guesses[whole_of(row[0])])]


def _holds_alone(reader: Reader, guess: Guess, purse: Purse) -> bool:
    if len(guess.columns) > 1:
        return False
    (name,), (key,) = guess.columns, guess.target_columns
    return holds_by_values(reader, guess.place, name, guess.target, key, purse)


def _agrees(row: tuple[Value, ...], guess: Guess) -> bool:
    return whole_of(row[1]) == whole_of(row[2]) >= guess.fewest


def _check(number: int, guess: Guess) -> exp.Select:
    """How many different values the first rows of columns have, and how many of them are keys."""
    pairs = [
        (f"v{at}", here, there)
        for at, (here, there) in enumerate(zip(guess.columns, guess.target_columns, strict=True))
    ]
    parts = [named(column(here), name) for name, here, _ in pairs]
    some = selected(parts, table_at(guess.place), CHECKED_ROWS)
    there: list[exp.Expression] = [
        exp.Not(this=exp.Is(this=column(name), expression=exp.Null())) for name in guess.columns
    ]
    if guess.zero:
        there += [exp.NEQ(this=column(name), expression=counted(0)) for name in guess.columns]
    some.set("where", exp.Where(this=exp.and_(*there, copy=False)))
    values = selected([named(column(name), name) for name, *_ in pairs], inner(some, "f"))
    values.set("distinct", exp.Distinct())
    key = column(guess.target_columns[0], "t")
    tree = selected(
        [named(counted(number), "n"), named(count(), "a"), named(count(key), "b")], inner(values, "s")
    )
    same = [exp.EQ(this=column(key, "t"), expression=column(name, "s")) for name, _, key in pairs]
    on = exp.and_(*same, copy=False)
    tree.append("joins", exp.Join(this=table_at(guess.target, "t"), side="LEFT", on=on))
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
