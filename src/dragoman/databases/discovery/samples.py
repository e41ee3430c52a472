"""A look at the data: one bounded read of each table tells its frequent values and often its size."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from sqlglot import exp

from dragoman.contracts.access import Reader
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.schema import ColumnInfo, SkippedTable, TableInfo, TableKind, ValueType
from dragoman.databases.discovery.budget import Purse
from dragoman.databases.discovery.catalog_reader import Fault, Progress, fault_of, whole_of
from dragoman.databases.discovery.first_rows import (
    LONGEST,
    Cell,
    Glance,
    batches,
    first_rows,
    glance_at,
    sorted_out,
)
from dragoman.databases.discovery.single_tables import SingleTableReader, estimated_size, first_rows_of
from dragoman.databases.discovery.statements import count, counted, inner, named, query_of, selected, table_at
from dragoman.databases.discovery.values import sampled_text, type_of_storage
from dragoman.databases.discovery.written_types import are_no_dates, numbers_of_texts, type_of_texts
from dragoman.guards.secrets import find_secrets

_FEW = 12
"""A number that takes no more values than this is a code, and its values say something."""

_NUMBERS = frozenset({ValueType.INTEGER, ValueType.DECIMAL, ValueType.FLOAT})
_DATES = frozenset({ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT})
_SILENT = frozenset({ValueType.UUID, ValueType.BYTES, ValueType.OTHER})

Looked = TableInfo | SkippedTable


class Sampled(msgspec.Struct, frozen=True):
    tables: tuple[TableInfo, ...]
    failed: tuple[SkippedTable, ...]


def sample(reader: Reader, tables: Sequence[TableInfo], purse: Purse, progress: Progress) -> Sampled:
    """The tables with what their data shows, as far as the purse goes; what cannot be read is set apart."""
    looked: list[Looked] = []
    glances = [glance_at(table, reader.dialect) for table in tables]
    alone = isinstance(reader, SingleTableReader)
    for batch in [[each] for each in glances] if alone else batches(glances, purse.budget.rows):
        progress(len(looked), len(tables), batch[0].table.name)
        if purse.is_empty:
            looked.extend(glance.table for glance in batch)
        else:
            looked.extend(_looked_at(reader, batch, purse))
    found = tuple(each for each in looked if isinstance(each, TableInfo))
    return Sampled(found, tuple(each for each in looked if isinstance(each, SkippedTable)))


def _looked_at(reader: Reader, batch: list[Glance], purse: Purse) -> Iterator[Looked]:
    """Each table of a batch. One that cannot be read fails the query for all: then each is asked alone."""
    rows = purse.budget.rows + 1
    try:
        if isinstance(reader, SingleTableReader):
            seen, truncated = [first_rows_of(reader, batch[0], purse)], False
        else:
            result = reader.read(first_rows(batch, rows, reader.dialect), purse.limits(rows * len(batch)))
            seen, truncated = sorted_out(batch, result), result.truncated
    except DragomanError as error:
        fault = fault_of(error)
        if fault is Fault.SOURCE:
            raise
        if len(batch) > 1:
            for glance in batch:
                yield from _looked_at(reader, [glance], purse) if not purse.is_empty else [glance.table]
        elif fault is Fault.LIMIT:
            yield batch[0].table
        else:
            yield SkippedTable(batch[0].table.name, error.message, batch[0].table.schema)
        return
    for glance, found in zip(batch, seen, strict=True):
        yield _with_data(reader, glance, found, purse, whole=len(found) < rows and not truncated)


def _with_data(
    reader: Reader, glance: Glance, rows: list[tuple[Cell, ...]], purse: Purse, *, whole: bool
) -> TableInfo:
    table = glance.table
    kinds = {each.name: len(glance.chosen) + place for place, each in enumerate(glance.open)}
    seen: dict[str, ColumnInfo] = {}
    for place, each in enumerate(glance.chosen):
        known = each
        if each.name in kinds:
            kind = type_of_storage(row[kinds[each.name]] for row in rows)
            known = msgspec.structs.replace(each, type=kind)
        if reader.dialect.is_untyped and known.type is ValueType.TEXT:
            kind = type_of_texts(row[place] or "" for row in rows)
            known = msgspec.structs.replace(known, type=kind)
        elif (
            reader.dialect.is_untyped
            and known.type in _DATES
            and are_no_dates(row[place] or "" for row in rows)
        ):
            known = msgspec.structs.replace(known, type=ValueType.TEXT)
        seen[each.name] = _with_values(known, [row[place] for row in rows], purse, whole=whole)
    size = len(rows) if whole else _size(reader, table, len(rows), purse)
    columns = (seen.get(each.name, each) for each in table.columns)
    exact = size if whole else None
    told = tuple(_with_distinct(each, exact) for each in columns)
    return msgspec.structs.replace(table, columns=told, rows=size)


def _with_values(each: ColumnInfo, cells: list[Cell], purse: Purse, *, whole: bool) -> ColumnInfo:
    counts = Counter(cell for cell in cells if cell is not None)
    complete = whole and all(len(value) < LONGEST for value in counts)
    gaps = counts.total() < len(cells)
    found = msgspec.structs.replace(each, distinct=len(counts) if complete else None, has_gaps=gaps)
    if each.type in _NUMBERS:
        found = _with_ends(found, counts)
    elif each.type is ValueType.TEXT and (numbers := numbers_of_texts(counts)) is not None:
        kind, least, most = numbers
        found = msgspec.structs.replace(found, writes=kind, least=least, most=most)
    if each.samples or not _tells(found, counts):
        return found
    frequent = [value for value, _ in counts.most_common(4 * purse.budget.values)]
    return msgspec.structs.replace(found, samples=_shown(found, frequent, purse))


def _with_ends(each: ColumnInfo, values: Iterable[str]) -> ColumnInfo:
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        # SQLite takes texts into columns of numbers.
        return each
    if not numbers or not all(map(math.isfinite, numbers)):
        return each
    return msgspec.structs.replace(each, least=min(numbers), most=max(numbers))


def _tells(each: ColumnInfo, counts: Counter[str]) -> bool:
    """Whether a few of the values help somebody who asks: words do, and codes, but not any numbers."""
    if each.type in _NUMBERS:
        return not each.unique and len(counts) <= _FEW
    return each.type not in _SILENT


def _shown(each: ColumnInfo, values: list[str], purse: Purse) -> tuple[str, ...]:
    shown: dict[str, None] = {}
    for value in values:
        # The whole value is searched: cut, a secret would no longer look like one.
        text = sampled_text(value, each.type, purse.budget.characters)
        if text and not find_secrets(value):
            shown[text] = None
    return tuple(shown)[: purse.budget.values]


def _with_distinct(each: ColumnInfo, size: int | None) -> ColumnInfo:
    if each.distinct is not None or not each.unique or each.nullable or size is None:
        return each
    return msgspec.structs.replace(each, distinct=size)


def _size(reader: Reader, table: TableInfo, seen: int, purse: Purse) -> int | None:
    """How many rows there are: the catalog's estimate, unless more were seen; else a quick count."""
    if table.rows is not None and table.rows >= seen:
        return table.rows
    if isinstance(reader, SingleTableReader):
        return estimated_size(reader, table, seen, purse)
    place = (table.schema, table.name)
    bound = purse.budget.count_rows
    first = selected([named(counted(1), "c0")], table_at(place), bound + 1)
    bounded = selected([count()], inner(first, "s"))
    every = selected([count()], table_at(place))
    found = _count(reader, bounded, purse)
    if found is None or found <= bound:
        return found
    return _count(reader, every, purse) if table.kind is TableKind.TABLE else None


def _count(reader: Reader, tree: exp.Select, purse: Purse) -> int | None:
    if purse.is_empty:
        return None
    try:
        return whole_of(reader.read(query_of(tree, reader.dialect), purse.limits(1)).rows[0][0])
    except DragomanError as error:
        if fault_of(error) is Fault.SOURCE:
            raise
        return None
