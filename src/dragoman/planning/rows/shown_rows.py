"""What the rows of an answer are: rows of which table, told by which cells, known by which key.

A key that was not shown is looked up by the same program with the key beside its columns. Rows that look the
same stay several: nobody chooses between them but the person.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts.answer import AnswerObject, Cell
from dragoman.contracts.program import Argument, Boolean, Sequence, Statement, Text, Value
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.rows.row_object import RowObject, value_of
from dragoman.tables.findings import Findings
from dragoman.tables.graph import Column, Table
from dragoman.tables.paths import ColumnPath, Paths
from dragoman.tables.verbs import MEASURING

LIMITS = ReadLimits(rows=10_000, seconds=10.0)
"""What is read at most to find a row again."""

_ROWS = ("list", "top")
_GATHERING = frozenset(verb.value for verb in MEASURING) | {"top"}

Cells = tuple[Cell, ...]


class Shown(Record, frozen=True, gc=True):
    """The rows of an answer as things of a table."""

    answer: AnswerObject
    statement: Statement
    base: Table
    """The table that was asked."""
    table: Table
    """The table whose rows the rows stand for."""
    group: ColumnPath | None
    """What they are gathered by, where they are groups."""
    labels: tuple[int, ...]
    """The places of the columns that name a row."""

    def name_of(self, row: Cells) -> str:
        named = [str(row[place]) for place in self.labels if row[place] is not None]
        return " ".join(named) or next((str(cell) for cell in row if cell is not None), "")


def shown_rows(answer: AnswerObject | None, catalog: Catalog, knowledge: Knowledge) -> Shown | None:
    """The rows of an answer, where a table's verb gave them and each stands for one thing."""
    if answer is None or not answer.rows or len(answer.program) != 1:
        return None
    (statement,) = answer.program
    domain, _, action = statement.verb.rpartition(".")
    base = knowledge.things.graph.by_name.get(domain)
    given = {argument.name for argument in statement.arguments}
    owned = statement.verb in catalog.packs.verbs or "connection" in given
    if base is None or owned or "with" in given:
        return None
    if "by" not in given:
        if action not in _ROWS:
            return None
        # Each key that is listed once stands for what it leads to.
        group = _gathered_by(statement, base, knowledge, "columns") if _is_once(statement) else None
        table = _thing_of(group, base, knowledge) if group is not None else None
        shown = Shown(answer, statement, base, table or base, group if table is not None else None, ())
    else:
        group = _gathered_by(statement, base, knowledge, "by") if action in _GATHERING else None
        table = _thing_of(group, base, knowledge) if group is not None else None
        if table is None or "groups" in given:
            return None
        shown = Shown(answer, statement, base, table, group, ())
    return replace(shown, labels=_label_places(shown, knowledge))


def _is_once(statement: Statement) -> bool:
    return statement.argument("distinct") == Argument("distinct", Boolean(True))


def _gathered_by(statement: Statement, base: Table, knowledge: Knowledge, name: str) -> ColumnPath | None:
    argument = statement.argument(name)
    value = argument.value if argument is not None else None
    if isinstance(value, Sequence) and len(value.items) == 1:
        value = value.items[0]
    if not isinstance(value, Text):
        return None
    path = Paths(knowledge.things.graph, Findings()).column(base, value.value, name)
    return path if path is not None and path.part is None else None


def _thing_of(group: ColumnPath, base: Table, knowledge: Knowledge) -> Table | None:
    """The table whose rows are told by what is gathered by: the one that a key leads to, or that is named."""
    graph = knowledge.things.graph
    at = graph.tables[group.links[-1].target] if group.links else base
    real = group.column.info.name
    if at.info.primary_key == (real,):
        return at
    for link in graph.links(at).values():
        if link.single and [here for here, _ in link.pairs] == [real] and "-by-" not in link.name:
            return graph.tables[link.target]
    names = knowledge.labels(at) if knowledge.has_name(at) else ()
    named = len(names) == 1 and names[0].column is not None and names[0].column.info.name == real
    return at if named and group.links else None


def _label_places(shown: Shown, knowledge: Knowledge) -> tuple[int, ...]:
    """The columns with the names of the things, whatever path leads to them."""
    graph = knowledge.things.graph
    labels = [each.column for each in knowledge.labels(shown.table) if each.column is not None]
    places: list[int] = []
    for label in labels:
        for place, column in enumerate(shown.answer.columns):
            path = Paths(graph, Findings()).column(shown.base, column.name, "columns", parts=False)
            if path is None or path.column.info.name != label.info.name:
                continue
            end = graph.tables[path.links[-1].target] if path.links else shown.base
            same = len(path.links) <= 1 + (len(shown.group.links) if shown.group else 0)
            if end.key == shown.table.key and same and (shown.group is not None or not path.links):
                places.append(place)
                break
    return tuple(places) if len(places) == len(labels) else ()


def widened(shown: Shown, columns: Iterable[Column], catalog: Catalog) -> Shown:
    """The same rows with more of their columns, as many as are read at most."""
    listed = (*_listed(shown), *(Text(column.name) for column in columns))
    kept = tuple(each for each in shown.statement.arguments if each.name not in ("columns", "distinct"))
    once = tuple(dict.fromkeys(listed))
    statement = replace(shown.statement, arguments=(Argument("columns", Sequence(once)), *kept))
    found = look_up(catalog, replace(statement, binds=""), limits=LIMITS)
    count = len(found.rows) + found.truncated
    answer = replace(shown.answer, columns=found.columns, rows=found.rows, row_count=count)
    return replace(shown, answer=answer, statement=statement)


def _listed(shown: Shown) -> tuple[Value, ...]:
    """What a result shows, as a program lists it."""
    given = shown.statement.argument("columns")
    if given is None:
        return tuple(Text(column.name) for column in shown.answer.columns)
    return given.value.items if isinstance(given.value, Sequence) else (given.value,)


def keyed(shown: Shown, positions: Iterable[int], catalog: Catalog, knowledge: Knowledge) -> list[RowObject]:
    """The things that some rows of the result stand for, in that order: one for each row where its key is
    known, several where several look like it, none where it cannot be told."""
    wanted = list(positions)
    keys = [shown.table.by_real_name.get(name) for name in shown.table.info.primary_key]
    if not keys or any(key is None for key in keys):
        return _by_cells(shown, wanted, catalog)
    columns = [key for key in keys if key is not None]
    places = _key_places(shown, columns)
    found: list[RowObject] = []
    again: list[Cells] | None = None
    rows = shown.answer.rows
    if places is not None and any(position >= len(rows) for position in wanted):
        # The session keeps the first rows only: the others are read again.
        rows = look_up(catalog, replace(shown.statement, binds=""), limits=LIMITS).rows
    for position in wanted:
        if places is not None:
            row = rows[position] if position < len(rows) else ()
            found += _object(shown, columns, [row[place] for place in places], row) if row else []
            continue
        again = _rows_with(shown, columns, catalog) if again is None else again
        found += _found_again(shown, position, columns, again)
    return list(dict.fromkeys(found))


def named(row: RowObject, catalog: Catalog, knowledge: Knowledge) -> RowObject:
    """The row under its own name, where the result that it was found in did not show that."""
    labels = [each.column for each in knowledge.labels(row.table) if each.column is not None]
    if not knowledge.has_name(row.table) or not labels:
        return row
    listed = Argument("columns", Sequence(tuple(Text(label.name) for label in labels)))
    asked = Statement(f"{row.table.name}.list", (listed, *row.conditions()))
    rows = look_up(catalog, asked, limits=LIMITS).rows
    cells = [str(cell) for cell in rows[0] if cell is not None] if len(rows) == 1 else []
    return replace(row, name=" ".join(cells)) if cells else row


def _object(shown: Shown, columns: list[Column], cells: list[Cell], row: Cells) -> list[RowObject]:
    if any(cell is None for cell in cells):
        return []
    key = tuple((column.name, cell) for column, cell in zip(columns, cells, strict=True))
    return [RowObject(shown.table, key, shown.name_of(row))]


def _key_places(shown: Shown, columns: list[Column]) -> list[int] | None:
    """Where the key stands among what was shown."""
    names = [column.name for column in shown.answer.columns]
    if shown.group is None:
        wanted = [column.info.name for column in columns]
    elif _is_key(shown, columns):
        wanted = [shown.group.title]
    else:
        return None
    return [names.index(name) for name in wanted] if all(name in names for name in wanted) else None


def _is_key(shown: Shown, columns: list[Column]) -> bool:
    """Whether what is gathered by holds the key of the thing, and not its name."""
    group = shown.group
    if group is None or len(columns) != 1:
        return False
    end = group.links[-1].target if group.links else shown.base.key
    return end != shown.table.key or group.column.info.name == columns[0].info.name


def _rows_with(shown: Shown, columns: list[Column], catalog: Catalog) -> list[Cells]:
    """The same rows, each behind its key. Rows that are shown once are all there."""
    statement = shown.statement
    if shown.group is None:
        added = [column.name for column in columns]
    elif _is_key(shown, columns):
        added = [shown.group.written]
    else:
        return _by_name(shown, columns, catalog)
    listed = Argument("columns", Sequence((*(Text(name) for name in added), *_listed(shown))))
    dropped = {"columns", "distinct", "top"} if _is_once(statement) else {"columns"}
    kept = tuple(each for each in statement.arguments if each.name not in dropped)
    asked = replace(statement, arguments=(listed, *kept), binds="")
    return list(look_up(catalog, asked, limits=LIMITS).rows)


def _by_name(shown: Shown, columns: list[Column], catalog: Catalog) -> list[Cells]:
    """The keys of things that the groups name, each before its name."""
    if shown.group is None:
        return []
    label = shown.group.column
    listed = Sequence((*(Text(column.name) for column in columns), Text(label.name)))
    asked = Statement(f"{shown.table.name}.list", (Argument("columns", listed),))
    return list(look_up(catalog, asked, limits=LIMITS).rows)


def _found_again(shown: Shown, position: int, columns: list[Column], again: list[Cells]) -> list[RowObject]:
    width = len(columns)
    shown_row = shown.answer.rows[position] if position < len(shown.answer.rows) else None
    if shown_row is None:
        # Behind what the session keeps only its place says which row it is.
        row = again[position] if position < len(again) else None
        return _object(shown, columns, list(row[:width]), row[width:]) if row is not None else []
    compared = shown_row
    if shown.group is not None and not _is_key(shown, columns):
        names = [column.name for column in shown.answer.columns]
        title = shown.group.title
        if title not in names:
            return []
        compared = (shown_row[names.index(title)],)
    fitting = [row for row in again if tuple(row[width:]) == tuple(compared)]
    return [each for row in fitting for each in _object(shown, columns, list(row[:width]), shown_row)]


def _by_cells(shown: Shown, positions: list[int], catalog: Catalog) -> list[RowObject]:
    """Rows of a table without a key are told by everything that is shown of them, where that is one row."""
    if shown.group is not None:
        return []
    own = {
        place: shown.base.by_real_name[column.name]
        for place, column in enumerate(shown.answer.columns)
        if column.name in shown.base.by_real_name
    }
    found: list[RowObject] = []
    for position in positions:
        if position >= len(shown.answer.rows):
            continue
        row = shown.answer.rows[position]
        key = tuple((column.name, row[place]) for place, column in own.items() if row[place] is not None)
        if not key:
            continue
        conditions = tuple(Argument(name, value_of(cell, shown.base.columns[name])) for name, cell in key)
        rows = look_up(catalog, Statement(f"{shown.base.name}.list", conditions), limits=LIMITS).rows
        if len(rows) == 1:
            found.append(RowObject(shown.table, key, shown.name_of(row)))
    return found
