"""The shape of a SQLite file, from its pragmas: all tables in a few queries."""

from collections import defaultdict

from dragoman.contracts.access import Reader
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.query import Value
from dragoman.contracts.schema import ColumnInfo, Dialect, ForeignKey, Shape, TableKind, ValueType
from dragoman.databases.access.native_types import value_type
from dragoman.databases.discovery.catalog_reader import (
    Fault,
    catalog_rows,
    count_of,
    fault_of,
    text_of,
    whole_of,
)
from dragoman.databases.discovery.declared_options import options_in_declaration, together
from dragoman.databases.discovery.draft import Draft, Place
from dragoman.databases.discovery.generated_columns import computed_from

# Shadow tables, in which full text search and the like keep their own data, have a type of their own.
_TABLES = "SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' ORDER BY name"
_DEFINITIONS = """
SELECT name, sql FROM sqlite_master
WHERE type = 'view' OR (type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%')
"""
_DECLARATIONS = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL"
_CHECKED = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%check%'"
_STATISTICS = "SELECT tbl, stat FROM sqlite_stat1"

_COLUMNS = """
SELECT m.name, c.name, c.type, c."notnull", c.pk, c.hidden
FROM sqlite_master AS m JOIN pragma_table_xinfo(m.name) AS c
WHERE m.type = ? ORDER BY m.name, c.cid
"""
_COLUMNS_OF = 'SELECT ?, name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid'
_FOREIGN = """
SELECT m.name, f.id, f.seq, f."table", f."from", f."to"
FROM sqlite_master AS m JOIN pragma_foreign_key_list(m.name) AS f
WHERE m.type = 'table' ORDER BY m.name, f.id, f.seq
"""
_FOREIGN_OF = 'SELECT ?, id, seq, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq'
_UNIQUE = """
SELECT m.name, l.name, i.seqno, i.name
FROM sqlite_master AS m JOIN pragma_index_list(m.name) AS l JOIN pragma_index_info(l.name) AS i
WHERE m.type = 'table' AND l."unique" = 1 AND l.partial = 0 ORDER BY m.name, l.name, i.seqno
"""
_UNIQUE_OF = """
SELECT ?, l.name, i.seqno, i.name
FROM pragma_index_list(?) AS l JOIN pragma_index_info(l.name) AS i
WHERE l."unique" = 1 AND l.partial = 0 ORDER BY l.name, i.seqno
"""

_HIDDEN = 1
"""A column of a virtual table that only carries arguments."""
_GENERATED = (2, 3)
"""Computed when it is read, or when its row is written."""

Row = tuple[Value, ...]


def sqlite_shape(reader: Reader) -> Shape:
    draft = Draft()
    statistics = _statistics(reader)
    views: list[str] = []
    tables: list[str] = []
    for row in catalog_rows(reader, _TABLES):
        name, kind = text_of(row[0]), text_of(row[1])
        if name.lower().startswith("sqlite_") or kind not in ("table", "view", "virtual"):
            continue
        is_view = kind == "view"
        (views if is_view else tables).append(name)
        draft.table(("", name), TableKind.VIEW if is_view else TableKind.TABLE, statistics.get(name))
    for row in catalog_rows(reader, _DEFINITIONS):
        draft.definition(("", text_of(row[0])), text_of(row[1]))
    columns = _together_or_each(reader, _COLUMNS, _COLUMNS_OF, tables, draft, "table")
    _add_columns(draft, columns, _formulas(reader, columns))
    _add_columns(draft, _together_or_each(reader, _COLUMNS, _COLUMNS_OF, views, draft, "view"), {})
    _add_options(reader, draft)
    _add_unique_keys(draft, _together_or_each(reader, _UNIQUE, _UNIQUE_OF, tables, draft))
    _add_foreign_keys(draft, _together_or_each(reader, _FOREIGN, _FOREIGN_OF, tables, draft), tables)
    return draft.finish()


def _statistics(reader: Reader) -> dict[str, int]:
    """What ANALYZE counted once; without it the table of statistics is not there."""
    try:
        rows = catalog_rows(reader, _STATISTICS)
    except DragomanError:
        return {}
    found: dict[str, int] = {}
    for table, statistic in rows:
        first = text_of(statistic).partition(" ")[0]
        if first.isascii() and first.isdecimal() and (count := count_of(first[:18])) is not None:
            found[text_of(table)] = max(count, found.get(text_of(table), 0))
    return found


def _together_or_each(
    reader: Reader, every: str, one: str, names: list[str], draft: Draft, *parameters: str
) -> list[Row]:
    """One that cannot be looked at, a broken view or a virtual table without its module, fails all."""
    try:
        return catalog_rows(reader, every, *parameters)
    except DragomanError as error:
        if fault_of(error) is Fault.SOURCE:
            raise
        return _each(reader, one, names, draft)


def _each(reader: Reader, one: str, names: list[str], draft: Draft) -> list[Row]:
    found: list[Row] = []
    for name in names:
        try:
            found.extend(catalog_rows(reader, one, name, name))
        except DragomanError as error:
            draft.skip(("", name), error.message)
    return found


def _formulas(reader: Reader, columns: list[Row]) -> dict[tuple[str, str], str]:
    """What generated columns are computed from. Only the text that made a table tells it; where that text
    cannot be read, all of it may be meant."""
    generated = [(text_of(row[0]), text_of(row[1])) for row in columns if whole_of(row[5]) in _GENERATED]
    if not generated:
        return {}
    texts = {text_of(name): text_of(sql) for name, sql in catalog_rows(reader, _DECLARATIONS)}
    return {
        (table, column): computed_from(texts.get(table, ""), column, Dialect.SQLITE)
        for table, column in generated
    }


def _add_columns(draft: Draft, rows: list[Row], formulas: dict[tuple[str, str], str]) -> None:
    keys: dict[Place, dict[int, str]] = defaultdict(dict)
    for row in rows:
        if whole_of(row[5]) == _HIDDEN:
            continue
        place, name, native = ("", text_of(row[0])), text_of(row[1]), text_of(row[2])
        kind, position = value_type(Dialect.SQLITE, native), whole_of(row[4])
        # Only a whole-number key is the row's own number, which is never missing.
        nullable = not whole_of(row[3]) and not (position and kind is ValueType.INTEGER)
        formula = formulas.get((place[1], name), "")
        draft.column(place, ColumnInfo(name, kind, native, nullable, formula=formula))
        if position:
            keys[place][position] = name
    for place, columns in keys.items():
        draft.primary_key(place, [columns[position] for position in sorted(columns)])


def _add_options(reader: Reader, draft: Draft) -> None:
    listed = (
        (("", text_of(name)), each)
        for name, sql in catalog_rows(reader, _CHECKED)
        for each in options_in_declaration(text_of(sql), Dialect.SQLITE)
    )
    for (place, column), options in together(listed).items():
        draft.options(place, column, options)


def _add_unique_keys(draft: Draft, rows: list[Row]) -> None:
    keys: dict[tuple[str, str], list[Value]] = defaultdict(list)
    for table, index, _, column in rows:
        keys[text_of(table), text_of(index)].append(column)
    for (table_name, _), columns in keys.items():
        # A part without a name is an expression.
        if None not in columns:
            draft.unique_key(("", table_name), map(text_of, columns))


def _add_foreign_keys(draft: Draft, rows: list[Row], tables: list[str]) -> None:
    """SQLite keeps a key as it was written: names in any case, the target's columns perhaps left out."""
    real = {name.lower(): name for name in tables}
    keys: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in rows:
        keys[text_of(row[0]), whole_of(row[1])].append(row)
    for (table, _), parts in keys.items():
        target = real.get(text_of(parts[0][3]).lower())
        if target is None:
            continue
        wanted = [text_of(part[5]) for part in parts if part[5] is not None]
        columns = [draft.column_named(("", table), text_of(part[4])) for part in parts]
        targets = [draft.column_named(("", target), name) for name in wanted] or draft.key_of(("", target))
        draft.foreign_key(("", table), ForeignKey(tuple(columns), target, tuple(targets)))
