"""Along the links of the schema: from one row to its columns, to what it belongs to, to what belongs to it.

A way goes down (to rows that point at this one) and then up (to what those point at), or only up. Up and down
again leads through something that two rows happen to share, and says nothing of the row in hand.
"""

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts.program import Argument, Entry, Map, Sequence, Statement, Text, Value
from dragoman.contracts.record import Record
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.rows.row_object import RowObject, telling_columns, value_of
from dragoman.planning.rows.shown_rows import LIMITS
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Graph, Link, Table

Way = tuple[Link, ...]
MOST_STEPS = 4
_SIMPLE = frozenset({"list", "count", "sum", "average", "min", "max", "top"})
_UNSAFE = frozenset({"with", "groups", "per", "share", "connection"})


class Target(Record, frozen=True, gc=True):
    """What a noun means of a row: a column of its own, or rows of a table along a way."""

    thing: Thing
    way: Way = ()
    direct: bool = True
    """One step away, up to what it belongs to, or through a table that does nothing but link."""


def ways(graph: Graph, start: Table, end: Table) -> list[Way]:
    """The shortest ways from the rows of one table to those of another."""
    pending: list[tuple[Table, Way]] = [(start, ())]
    for _ in range(MOST_STEPS):
        longer: list[tuple[Table, Way]] = []
        for at, way in pending:
            been = {start.key, *(link.target for link in way)}
            for link in graph.links(at).values():
                back = link.target in been and link.target != end.key
                if back or (way and _goes_up(way[-1]) and not _goes_up(link)):
                    continue
                longer.append((graph.tables[link.target], (*way, link)))
        found = [way for at, way in longer if at.key == end.key]
        if found:
            return found
        pending = [(at, way) for at, way in longer if at.key != end.key]
    return []


def belongs_to(graph: Graph, row: Table, table: Table) -> bool:
    """Whether rows of a table lead to one row of another at most, or are rows of it."""
    found = ways(graph, row, table)
    return row.key == table.key or any(all(_goes_up(link) for link in way) for way in found)


def _goes_up(link: Link) -> bool:
    return "-by-" not in link.name


def is_linking(table: Table) -> bool:
    """Whether rows of a table do nothing but link two others."""
    keys = {name for key in table.info.foreign_keys for name in key.columns}
    return len(table.info.foreign_keys) > 1 and set(table.info.primary_key) <= keys


def targets(thing: Thing, row: Table, knowledge: Knowledge) -> list[Target]:
    """What a name means of a row of a table: nothing where no way leads there, several where several do."""
    graph = knowledge.things.graph
    if thing.column is not None:
        if thing.table.key != row.key:
            return []
        led = [
            link
            for link in graph.links(row).values()
            if _goes_up(link) and [here for here, _ in link.pairs] == [thing.column.info.name]
        ]
        return [Target(thing, (link,)) for link in led[:1]] or [Target(thing)]
    found = ways(graph, row, thing.table)
    if thing.table.key == row.key:
        # Of a row that points at rows of its own kind, those that point at it are its own.
        found = [way for way in found if len(way) == 1 and not _goes_up(way[0])]
    return [Target(thing, way, _is_direct(way, graph)) for way in found]


def below(row: Table, graph: Graph) -> Way:
    """The way from a row to the rows of its own kind that point at it; none where there is not just one."""
    found = [link for link in graph.links(row).values() if link.target == row.key and not _goes_up(link)]
    return (found[0],) if len(found) == 1 else ()


def is_above(target: Target, row: Table) -> bool:
    """Whether a target is the row of the same kind that a row points at: its boss."""
    return len(target.way) == 1 and target.way[0].target == row.key and _goes_up(target.way[0])


def _is_direct(way: Way, graph: Graph) -> bool:
    return (
        all(_goes_up(link) for link in way)
        or len(way) == 1
        or (len(way) == 2 and is_linking(graph.tables[way[0].target]))
    )


# Programs.


def own_column(row: RowObject, column: str, knowledge: Knowledge) -> Statement:
    """What stands in a column of a row, beside its name."""
    labels = [each.column.name for each in knowledge.labels(row.table) if each.column is not None]
    shown = Sequence(tuple(Text(name) for name in dict.fromkeys((*labels, column))))
    arguments = (Argument("columns", shown), *row.conditions())
    return Statement(f"{row.table.name}.list", arguments, f"{row.table.name}-list")


def linked_rows(row: RowObject, way: Way, knowledge: Knowledge, *, counted: bool = False) -> Statement | None:
    """The rows at the end of a way, or how many they are."""
    graph = knowledge.things.graph
    table = graph.tables[way[-1].target]
    verb = "count" if counted else "list"
    columns = None if counted else telling_columns(table, knowledge)
    arguments = () if columns is None else (Argument("columns", columns),)
    name = f"{table.name}-{verb}"
    return bound(Statement(f"{table.name}.{verb}", arguments, name), row, way, knowledge)


def bound(statement: Statement, row: RowObject, way: Way, knowledge: Knowledge) -> Statement | None:
    """A statement over the table at the end of a way, kept to what belongs to a row; None where it cannot be
    said for sure that it then still asks the same."""
    graph = knowledge.things.graph
    action = statement.verb.rpartition(".")[2]
    given = {argument.name for argument in statement.arguments}
    if action not in _SIMPLE or given & _UNSAFE:
        return None
    held = _held(row, way, graph)
    if held is None:
        return None
    if isinstance(held, tuple):
        if given & {argument.name for argument in held}:
            return None
        return replace(statement, arguments=(*statement.arguments, *held))
    old = statement.argument("where")
    if old is None:
        return replace(statement, arguments=(*statement.arguments, Argument("where", held)))
    if not isinstance(old.value, Map) or {e.key for e in old.value.entries} & {e.key for e in held.entries}:
        return None
    both = Argument("where", Map((*old.value.entries, *held.entries)))
    return replace(
        statement, arguments=tuple(both if each.name == "where" else each for each in statement.arguments)
    )


def _held(row: RowObject, way: Way, graph: Graph) -> tuple[Argument, ...] | Map | None:
    """What keeps rows at the end of a way to those of a row: a key of theirs, or what they are linked to."""
    if not way:
        return row.conditions()
    inner = _by_key(row, way[0], graph)
    if inner is None:
        inner = Map(tuple(Entry(each.name, each.value) for each in row.conditions()))
        steps = _back(row.table, way, graph)
    else:
        steps = _back(row.table, way, graph)
        steps = steps[:-1] if steps is not None else None
        if steps == [] and isinstance(inner, Map):
            table = graph.tables[way[0].target]
            return tuple(
                Argument(
                    e.key, e.value, row.conditions()[-1].display if place == len(inner.entries) - 1 else ""
                )
                for place, e in enumerate(inner.entries)
                if e.key in table.columns
            )
    if steps is None:
        return None
    value: Value = inner
    for step in reversed(steps):
        value = Map((Entry(step, value),))
    return value if isinstance(value, Map) else None


def _by_key(row: RowObject, link: Link, graph: Graph) -> Map | None:
    """The key of the row as the rows that point at it hold it."""
    if _goes_up(link):
        return None
    there = graph.tables[link.target]
    cells = {row.table.columns[name].info.name: cell for name, cell in row.key}
    entries: list[Entry] = []
    for here, theirs in link.pairs:
        column = there.by_real_name.get(theirs)
        if here not in cells or column is None:
            return None
        entries.append(Entry(column.name, value_of(cells[here], column)))
    return Map(tuple(entries)) if len(entries) == len(cells) else None


def _back(start: Table, way: Way, graph: Graph) -> list[str] | None:
    """The names of the steps of a way, from its end back to its beginning."""
    names: list[str] = []
    tables = [start, *(graph.tables[link.target] for link in way)]
    for place in range(len(way) - 1, -1, -1):
        link, here, there = way[place], tables[place], tables[place + 1]
        turned = tuple((b, a) for a, b in link.pairs)
        found = next(
            (
                back.name
                for back in graph.links(there).values()
                if back.target == here.key and back.pairs == turned and _goes_up(back) is not _goes_up(link)
            ),
            None,
        )
        if found is None:
            return None
        names.append(found)
    return names


def above(row: RowObject, way: Way, catalog: Catalog, knowledge: Knowledge) -> RowObject | None:
    """The one row that a way up leads to; None where it leads to none, or to several."""
    graph = knowledge.things.graph
    table = graph.tables[way[-1].target]
    keys = [table.by_real_name.get(name) for name in table.info.primary_key]
    if not keys or any(key is None for key in keys):
        return None
    columns = [key for key in keys if key is not None]
    named = [each.column for each in knowledge.labels(table) if each.column is not None]
    labels = [each for each in named if each not in columns]
    shown = Sequence(tuple(Text(each.name) for each in (*columns, *labels)))
    asked = bound(Statement(f"{table.name}.list", (Argument("columns", shown),)), row, way, knowledge)
    rows = look_up(catalog, asked, limits=LIMITS).rows if asked is not None else ()
    if len(rows) != 1:
        return None
    cells = rows[0]
    key = tuple((column.name, cell) for column, cell in zip(columns, cells, strict=False))
    name = " ".join(str(cell) for cell in cells[len(columns) :] if cell is not None)
    return RowObject(table, key, name or str(cells[0]))
