"""How far a statement reaches: the tables that it speaks of, and keys of others told by the columns that hold
them."""

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Entry, Map, Nil, Sequence, Statement, Text, Value
from dragoman.tables.graph import Graph, Link, Table, TableKey

_CONDITIONS = frozenset({"where", "that"})
_EACH_OF = frozenset({"all", "any", "not"})


def tables_of(statement: Statement, graph: Graph) -> frozenset[TableKey]:
    """The tables whose rows a statement speaks of."""
    table = graph.by_name.get(statement.verb.rpartition(".")[0])
    if table is None:
        return frozenset()
    found = {table.key}
    for argument in statement.arguments:
        if argument.name in _CONDITIONS or graph.link(table, argument.name) is not None:
            _reach(argument.value, table, graph, found)
        else:
            _reach_paths(argument.value, table, graph, found)
    if statement.argument("distinct") is not None and (of := statement.argument("of")) is not None:
        _reach_counted(of.value, table, graph, found)
    return frozenset(found)


def _reach_counted(value: Value, table: Table, graph: Graph, found: set[TableKey]) -> None:
    """Whose different keys are counted, they are counted themselves."""
    if isinstance(value, Text) and "/" not in value.value and (column := table.column(value.value)):
        for link in graph.links(table).values():
            if link.single and [here for here, _ in link.pairs] == [column.info.name]:
                found.add(link.target)


def _reach(value: Value, table: Table, graph: Graph, found: set[TableKey]) -> None:
    """The tables of a condition on rows of a table."""
    if isinstance(value, Sequence):
        for each in value.items:
            _reach(each, table, graph, found)
    if not isinstance(value, Map):
        return
    for entry in value.entries:
        link = graph.link(table, entry.key)
        if link is not None and isinstance(entry.value, Map | Nil | Sequence):
            found.add(link.target)
            _reach(entry.value, graph.tables[link.target], graph, found)
        elif entry.key in _EACH_OF:
            _reach(entry.value, table, graph, found)


def _reach_paths(value: Value, table: Table, graph: Graph, found: set[TableKey]) -> None:
    """The tables along the paths of an argument."""
    match value:
        case Text(value=path):
            at = table
            for step in path.split("/"):
                link = graph.link(at, step)
                # A column may be called as the link that leads along it: the last step is the column then.
                if link is None or (at.column(step) is not None and path.endswith(step)):
                    return
                found.add(link.target)
                at = graph.tables[link.target]
        case Sequence(items=items):
            for each in items:
                _reach_paths(each, table, graph, found)
        case Map(entries=entries):
            for entry in entries:
                _reach_paths(entry.value, table, graph, found)


def by_own_keys(statement: Statement, graph: Graph) -> Statement:
    """The same statement, with the key of another row told by the column that holds it: orders by the key of
    their customers are orders by customer."""
    table = graph.by_name.get(statement.verb.rpartition(".")[0])
    if table is None:
        return statement
    arguments: list[Argument] = []
    for each in statement.arguments:
        if each.name != "where":
            arguments.append(replace(each, value=_shorter_paths(each.value, table, graph)))
            continue
        where = _shorter(each.value, table, graph)
        if not isinstance(where, Map):
            arguments.append(replace(each, value=where))
            continue
        own = [entry for entry in where.entries if not _is_way(entry, table, graph)]
        left = tuple(entry for entry in where.entries if entry not in own)
        arguments += [Argument(entry.key, entry.value) for entry in own]
        arguments += [replace(each, value=Map(left))] if left else []
    return replace(statement, arguments=tuple(arguments))


def _is_way(entry: Entry, table: Table, graph: Graph) -> bool:
    """Whether a condition must stay in a map of its own: it leads to another table, or combines others."""
    if entry.key in _EACH_OF or table.column(entry.key) is None:
        return True
    return graph.link(table, entry.key) is not None and isinstance(entry.value, Map | Nil)


def _shorter(value: Value, table: Table, graph: Graph) -> Value:
    if isinstance(value, Sequence):
        return Sequence(tuple(_shorter(each, table, graph) for each in value.items))
    if not isinstance(value, Map):
        return value
    entries: list[Entry] = []
    for entry in value.entries:
        link = graph.link(table, entry.key)
        if link is None or not isinstance(entry.value, Map):
            inner = _shorter(entry.value, table, graph) if entry.key in _EACH_OF else entry.value
            entries.append(replace(entry, value=inner))
            continue
        inner = _shorter(entry.value, graph.tables[link.target], graph)
        entries.append(_through(replace(entry, value=inner), link, table, graph))
    return Map(tuple(entries))


def _through(entry: Entry, link: Link, table: Table, graph: Graph) -> Entry:
    """A condition on nothing but the key that a link leads along is one on the column that holds it."""
    match entry.value:
        case Map(entries=(Entry(key=key, value=value),)):
            held = _held(link, key, table, graph)
            return entry if held is None else Entry(held, value)
    return entry


def _shorter_paths(value: Value, table: Table, graph: Graph) -> Value:
    match value:
        case Text(value=path) if "/" in path:
            return Text(_shorter_path(path, table, graph))
        case Sequence(items=items):
            return Sequence(tuple(_shorter_paths(each, table, graph) for each in items))
        case Map(entries=entries):
            return Map(
                tuple(replace(each, value=_shorter_paths(each.value, table, graph)) for each in entries)
            )
    return value


def _shorter_path(path: str, table: Table, graph: Graph) -> str:
    *steps, last = path.split("/")
    at = [table]
    links: list[Link] = []
    for step in steps:
        link = graph.link(at[-1], step)
        if link is None:
            return path
        links.append(link)
        at.append(graph.tables[link.target])
    while links and (held := _held(links[-1], last, at[-2], graph)) is not None:
        last = held
        steps, links, at = steps[:-1], links[:-1], at[:-1]
    return "/".join([*steps, last])


def _held(link: Link, key: str, table: Table, graph: Graph) -> str | None:
    """The column of a table that holds the key of the one row a link leads to."""
    column = graph.tables[link.target].column(key)
    if column is None or not link.single or link.apart or len(link.pairs) != 1:
        return None
    (here, there), *_ = link.pairs
    return table.by_real_name[here].name if column.info.name == there else None
