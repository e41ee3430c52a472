"""Foreign keys that nobody declared: guessed from names and types, kept only where the data agrees.

A guess needs exactly one table that fits. It is checked on a bounded part of the column: one value without a
partner is enough to drop it, and so is a check that could not be made. Where a name says less, the data must
say more: then there have to be several values. Where the name says all of it and no value of many rows speaks
against it, the key is as good as declared.
"""

from collections import defaultdict
from collections.abc import Sequence

import msgspec
from sqlglot import exp

from dragoman.contracts.access import Reader
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.query import Value
from dragoman.contracts.schema import ForeignKey, TableInfo, TableKind, ValueType
from dragoman.databases.discovery.budget import Purse
from dragoman.databases.discovery.catalog_reader import Fault, Progress, fault_of, whole_of
from dragoman.databases.discovery.draft import Place
from dragoman.databases.discovery.key_evidence import own_key
from dragoman.databases.discovery.key_guesses import Guess, guessed, guessed_by_part, guessed_by_values
from dragoman.databases.discovery.own_keys import with_own_keys
from dragoman.databases.discovery.shared_lists import guessed_lists
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
CERTAIN_ROWS = 200_000
"""Of how many rows no value may speak against a key that shall be as good as declared."""

_SPARSE = 0.1


def infer(
    reader: Reader, tables: Sequence[TableInfo], purse: Purse, progress: Progress
) -> tuple[TableInfo, ...]:
    """The tables with the keys that were guessed and held, marked as not declared."""
    known = tables if isinstance(reader, SingleTableReader) else with_own_keys(reader, tables, purse)
    known = _with_held(reader, known, list(guessed(known)), purse, progress)
    known = _with_held(reader, known, list(guessed_by_part(known)), purse, progress)
    known = _with_held(reader, known, list(guessed_lists(reader, known, purse)), purse, progress)
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
    single = [fitting[0] for fitting in held.values() if len(fitting) == 1]
    certain = _certain(reader, single, purse)
    found: dict[Place, list[ForeignKey]] = defaultdict(list)
    for guess in single:
        schema, name = guess.target
        sure = (guess.place, guess.columns) in certain
        key = ForeignKey(guess.columns, name, guess.target_columns, schema, declared=False, certain=sure)
        found[guess.place].append(key)
    return tuple(_with_keys(table, found.get((table.schema, table.name), [])) for table in tables)


def _certain(reader: Reader, held: list[Guess], purse: Purse) -> set[tuple[Place, tuple[str, ...]]]:
    """The columns whose names say where they lead, and against which nothing speaks in many rows."""
    if isinstance(reader, SingleTableReader):
        # It was asked for as many values as it can be asked for.
        return {(each.place, each.columns) for each in held if each.named}
    # A column without values agrees with anything.
    named = [msgspec.structs.replace(each, fewest=max(1, each.fewest)) for each in held if each.named]
    found: list[Guess] = []
    for start in range(0, len(named), BATCH):
        if not purse.is_empty:
            found += _holding(reader, named[start : start + BATCH], purse, CERTAIN_ROWS)
    return {(guess.place, guess.columns) for guess in found}


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


def _holding(
    reader: Reader, guesses: list[Guess], purse: Purse, rows_read: int = CHECKED_ROWS
) -> list[Guess]:
    """Those that the data agrees with. One check that fails fails the query for all: then each half alone."""
    if isinstance(reader, SingleTableReader):
        return [guess for guess in guesses if not purse.is_empty and _holds_alone(reader, guess, purse)]
    try:
        rows = reader.read(
            query_of(
                all_of([_check(n, guess, rows_read) for n, guess in enumerate(guesses)]), reader.dialect
            ),
            purse.limits(len(guesses)),
        ).rows
    except DragomanError as error:
        if fault_of(error) is Fault.SOURCE:
            raise
        if len(guesses) == 1 or purse.is_empty:
            return []
        middle = len(guesses) // 2
        halves = (guesses[:middle], guesses[middle:])
        return [guess for half in halves for guess in _holding(reader, half, purse, rows_read)]
    return [guesses[whole_of(row[0])] for row in rows if _agrees(row, guesses[whole_of(row[0])])]


def _holds_alone(reader: Reader, guess: Guess, purse: Purse) -> bool:
    if len(guess.columns) > 1:
        return False
    (name,), (key,) = guess.columns, guess.target_columns
    return holds_by_values(reader, guess.place, name, guess.target, key, purse)


def _agrees(row: tuple[Value, ...], guess: Guess) -> bool:
    return whole_of(row[1]) == whole_of(row[2]) >= guess.fewest


def _check(number: int, guess: Guess, rows_read: int) -> exp.Select:
    """How many different values the first rows of columns have, and how many of them are keys."""
    pairs = [
        (f"v{at}", here, there)
        for at, (here, there) in enumerate(zip(guess.columns, guess.target_columns, strict=True))
    ]
    parts = [named(column(here), name) for name, here, _ in pairs]
    some = selected(parts, table_at(guess.place), rows_read)
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
    if guess.only is not None:
        told, value = guess.only
        same.append(exp.EQ(this=column(told, "t"), expression=exp.Literal.string(value)))
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
