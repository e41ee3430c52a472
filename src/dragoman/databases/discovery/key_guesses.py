"""Foreign keys that nobody declared, guessed from names and types; whether the data agree is seen elsewhere.

Where a name says the whole of it, `customer_id` of customers, the guess is `named`. Where it says less, the
data must say more: then there have to be several values.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

import msgspec

from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, TableInfo, TableKind, ValueType
from dragoman.databases.discovery.draft import Place
from dragoman.databases.discovery.key_evidence import (
    COUNTED,
    GENERIC,
    KEY_TYPES,
    homes,
    is_own_list,
    is_told_part,
    likely_targets,
    own_key,
)
from dragoman.databases.discovery.name_words import pointed_at, singular, subject_of, words_of
from dragoman.guards.secrets import is_telling

_SELF = frozenset({("parent",), ("super",)})
_SEVERAL, _MANY = 2, 8
"""How many values have to agree where the name says part of it, and where it says nothing."""
_MOST_BY_VALUES = 400
_NUMBERS = (ValueType.INTEGER, ValueType.DECIMAL)
_LOOSE = frozenset({"no", "nr", "num", "number"})
"""An `order_number` may be that of an order; it may as well be a number that is kept with something else."""


_WHICH = frozenset({"from", "to", "a", "b", "one", "two"})
"""Behind the name of something: which of two of them."""


class Guess(Record, frozen=True):
    """Columns that may hold a key of another table. `fewest`: how many values must speak for it."""

    place: Place
    columns: tuple[str, ...]
    target: Place
    target_columns: tuple[str, ...]
    fewest: int = 0
    zero: bool = False
    """Whether 0 may stand for none: a boss has the boss 0."""
    named: bool = False
    """Whether the name alone says where it leads."""
    only: tuple[str, str] | None = None
    """A column of the target and its value: only rows that have it are meant."""


class _Target(Record, frozen=True):
    """A key that a column may mean, and how its name says so."""

    table: TableInfo
    key: str
    fewest: int = 0
    named: bool = True


_Index = dict[tuple[str, tuple[str, ...]], list[TableInfo]]


def guessed(tables: Iterable[TableInfo]) -> Iterator[Guess]:
    """What names and types suggest, where exactly one table fits."""
    known = [table for table in tables if table.kind is TableKind.TABLE]
    by_subject: _Index = defaultdict(list)
    by_key: _Index = defaultdict(list)
    for table in known:
        by_subject[table.schema, subject_of(table.name)].append(table)
        if len(table.primary_key) == 1:
            by_key[table.schema, words_of(table.primary_key[0])].append(table)
    for table in known:
        declared = {name for key in table.foreign_keys for name in key.columns}
        for each in table.columns:
            if each.name in declared or each.type not in KEY_TYPES:
                continue
            targets = _targets(table, each, by_subject, by_key)
            if len(targets) == 1:
                yield _pointing(table, each, targets[0])


def _pointing(table: TableInfo, each: ColumnInfo, found: _Target) -> Guess:
    there = (found.table.schema, found.table.name)
    return Guess(
        (table.schema, table.name),
        (each.name,),
        there,
        (found.key,),
        found.fewest,
        named=found.named,
    )


def _targets(table: TableInfo, each: ColumnInfo, by_subject: _Index, by_key: _Index) -> list[_Target]:
    """Every table and key that a column may mean, by the strongest rule under which there is one."""
    thing, pointer = pointed_at(each.name)
    if (each.name,) == table.primary_key:
        return _of_another(table, each, thing or _subject(each), pointer, by_subject)
    if thing in _SELF or (thing and thing[0] == "parent" and thing[1:] == subject_of(table.name)):
        return _keys_of([table], each, pointer)
    if thing:
        # `billing_customer_id` points at a customer unless there is a billing customer.
        plain = _unnumbered(thing)
        for start in range(len(plain)):
            named = [t for t in by_subject.get((table.schema, plain[start:]), ()) if t is not table]
            if found := _keys_of(named, each, pointer):
                return found
        # The `status_id` of issues points at their statuses where those are the only ones.
        own = by_subject.get((table.schema, (*subject_of(table.name), *plain)), ())
        if found := _keys_of(own, each, pointer):
            return [msgspec.structs.replace(target, fewest=_SEVERAL) for target in found]
    elif found := _by_subject(table, each, by_subject):
        return found
    words = words_of(each.name)
    if not words or (len(words) == 1 and words[0] in GENERIC):
        return []
    same = [t for t in by_key.get((table.schema, words), ()) if t is not table]
    return _keys_of(same, each, pointer)


def _of_another(
    table: TableInfo, each: ColumnInfo, thing: tuple[str, ...], pointer: str, by_subject: _Index
) -> list[_Target]:
    """What a table's own key may be the key of: one row more on each thing, in a table beside that of the
    things. The key is named after the things, and the table is not."""
    if not thing or thing == subject_of(table.name) or _is_amount(each, thing):
        return []
    named = [other for other in by_subject.get((table.schema, thing), ()) if other is not table]
    return [msgspec.structs.replace(found, fewest=_SEVERAL) for found in _keys_of(named, each, pointer)]


def _by_subject(table: TableInfo, each: ColumnInfo, by_subject: _Index) -> list[_Target]:
    """`country` of a city, `team_1` and `team_2` of a match, and the `river` into which a river flows."""
    words = words_of(each.name)
    if words[:1] == ("parent",) and len(words) > 1:
        named = [table]
    else:
        thing = _subject(each)
        if not thing or _is_amount(each, thing):
            return []
        named = by_subject.get((table.schema, thing), [])
    return [msgspec.structs.replace(found, fewest=_SEVERAL) for found in _keys_of(named, each, "")]


def _subject(each: ColumnInfo) -> tuple[str, ...]:
    """The words of a name in the singular, without a number after them."""
    words = _unnumbered(words_of(each.name))
    return (*words[:-1], singular(words[-1])) if words else ()


def _is_amount(each: ColumnInfo, thing: tuple[str, ...]) -> bool:
    return each.type in _NUMBERS and thing[-1] in COUNTED


def _unnumbered(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words before what says which of two it is: the second, or the one that it comes from."""
    apart = len(words) > 1 and (words[-1].isdigit() or words[-1] in _WHICH)
    return words[:-1] if apart else words


def _keys_of(tables: Iterable[TableInfo], each: ColumnInfo, pointer: str) -> list[_Target]:
    return [found for table in tables for found in _fitting_keys(table, each, pointer)]


def _fitting_keys(table: TableInfo, each: ColumnInfo, pointer: str) -> list[_Target]:
    """The key of a table that a column points at: one that is named alike, otherwise the primary key."""
    singles = [c for c in table.columns if c.unique and c.type is each.type and c is not each]
    primary = [c.name for c in singles if (c.name,) == table.primary_key]
    alike = [c.name for c in singles if words_of(c.name) == words_of(each.name)]
    pointed = [c.name for c in singles if words_of(c.name) == (pointer,)]
    named = bool(alike) or pointer not in _LOOSE
    return [_Target(table, name, named=named) for name in (alike or primary or pointed)[:1]]


def guessed_by_part(tables: Sequence[TableInfo]) -> Iterator[Guess]:
    """What parts of names, roles and abbreviations suggest, for columns that lead nowhere yet."""
    known = [table for table in tables if table.kind is TableKind.TABLE]
    for table in known:
        for each in leading_nowhere(table):
            targets = likely_targets(table, each, known)
            # The own table comes first: whom an employee reports to is one of the employees.
            chosen = [other for other in targets if other is table] or targets
            if len(chosen) == 1:
                guess = _guess(table, (each.name,), chosen[0], _SEVERAL)
                named = any(rule(table, each, chosen[0]) for rule in (is_own_list, is_told_part))
                yield msgspec.structs.replace(guess, zero=each.type in _NUMBERS, named=named)
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
        for each in leading_nowhere(table)
        for other, key in targets
        if other is not table
        and other.schema == table.schema
        and each.type is key.type
        # Two ways to one table are one too many where no name tells them apart.
        and not any(key.table == other.name for key in table.foreign_keys)
    ]
    return guesses if len(guesses) <= _MOST_BY_VALUES else []


def leading_nowhere(table: TableInfo) -> list[ColumnInfo]:
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
