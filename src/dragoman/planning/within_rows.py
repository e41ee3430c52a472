"""A statement kept to the rows of another: what was asked of all customers, asked of those in hand.

What holds of the rows in hand is said where the statement speaks of their table: at its own rows, at what it
gathers them by, or at what each of its rows belongs to.
"""

from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Date, Entry, Map, Sequence, Statement, Text, Value
from dragoman.planning.database.joins import Joins
from dragoman.tables.findings import Findings
from dragoman.tables.graph import Link, Table
from dragoman.tables.paths import Paths

_SHOWING: Final = frozenset({"columns", "order"})
"""What says how rows are shown, and not which they are."""
_DATING: Final = frozenset({"on", "during"})
_CUTTING: Final = frozenset(
    {"by", "of", "that", "also", "groups", "per", "having", "with", "distinct", "as-of"}
)
_MANY: Final = frozenset({"all", "any", "not"})
_FEWER: Final = frozenset({"top", "ties", "limit", "connection", "share"})


def is_plain(statement: Statement) -> bool:
    """Whether a statement says by conditions alone which rows of its table it is about."""
    verb = statement.verb.rpartition(".")[2]
    given = {each.name for each in statement.arguments}
    return verb in ("list", "count") and given.isdisjoint(_CUTTING | _FEWER)


def within(statement: Statement, rows: Statement, joins: Joins) -> Statement | None:
    """The statement over what belongs to some rows; None where it does not speak of their table, or where the
    verbs cannot say it."""
    graph = joins.graph
    asked = graph.by_name.get(statement.verb.rpartition(".")[0])
    table = graph.by_name.get(rows.verb.rpartition(".")[0])
    if asked is None or table is None or not is_plain(rows):
        return None
    links = _links_to(statement, asked, table, joins)
    held = _conditions(rows, table)
    if links is None or held is None:
        return None
    if asked.key == table.key and not links:
        period = tuple(each for each in rows.arguments if each.name in _DATING)
        if period and all(statement.argument(name) is None for name in _DATING):
            held = _conditions(replace(rows, arguments=_without(rows, _DATING)), table) or held
            statement = replace(statement, arguments=(*statement.arguments, *period))
        return _beside(_with_columns(statement, rows), held, table, joins)
    value: Value = _unsaid(held, statement, asked, links, joins)
    for link in reversed(links):
        value = Map((Entry(link.name, value),))
    return _merged(statement, value) if isinstance(value, Map) else None


def is_about(statement: Statement, table: str, joins: Joins) -> bool:
    """Whether a statement tells of rows of a table: it lists them, or gathers by them."""
    asked, wanted = joins.graph.by_name.get(statement.verb.rpartition(".")[0]), joins.graph.by_name.get(table)
    if asked is None or wanted is None:
        return False
    return asked.key == wanted.key or bool(_gathered_by(statement, asked, wanted, joins))


def _links_to(statement: Statement, asked: Table, table: Table, joins: Joins) -> tuple[Link, ...] | None:
    """The way from what is asked to the table: the one that its rows are gathered by, or the only one."""
    gathered = _gathered_by(statement, asked, table, joins)
    if asked.key == table.key:
        # Gathered by others of the same table it may be these that are in hand.
        return None if gathered else ()
    if gathered:
        return gathered
    ways = [way.links for way in joins.ways(asked, table) if way.single]
    plain = len(ways) == 1 or (len(ways) > 1 and len(ways[0]) < len(ways[1]))
    return ways[0] if plain else None


def _gathered_by(statement: Statement, asked: Table, table: Table, joins: Joins) -> tuple[Link, ...]:
    """The way to the table over what rows are gathered by; empty where they are not gathered by its rows."""
    by = statement.argument("by")
    for text in _items(by.value) if by is not None else ():
        if not isinstance(text, Text):
            continue
        path = Paths(joins.graph, Findings()).column(asked, text.value, "by")
        if path is None or path.part is not None:
            continue
        at = joins.graph.tables[path.links[-1].target] if path.links else asked
        for link in joins.graph.links(at).values():
            named = [here for here, _ in link.pairs] == [path.column.info.name]
            if link.single and named and link.target == table.key:
                return (*path.links, link)
        if at.key == table.key and path.links:
            return path.links
    return ()


def _conditions(rows: Statement, table: Table) -> Map | None:
    """What holds of the rows, as a condition over their table."""
    found: list[Entry] = []
    on, during = rows.argument("on"), rows.argument("during")
    for each in rows.arguments:
        if each.name in _SHOWING or each.name in ("on", "during"):
            continue
        if each.name == "where":
            if not isinstance(each.value, Map):
                return None
            found.extend(each.value.entries)
        else:
            found.append(Entry(each.name, each.value))
    if during is not None:
        name = on.value.value if on is not None and isinstance(on.value, Text) else _only_date(table)
        match during.value:
            case Sequence(items=(Date() as first, Date() as last)) if name:
                days: Value = Map((Entry("at-least", first), Entry("at-most", last)))
                for step in reversed(name.split("/")):
                    days = Map((Entry(step, days),))
                found.extend(days.entries if isinstance(days, Map) else ())
            case _:
                return None
    return Map(tuple(found))


def _only_date(table: Table) -> str:
    return table.dates[0].name if len(table.dates) == 1 else ""


def _with_columns(statement: Statement, rows: Statement) -> Statement:
    """Of the same rows the same columns are shown, and what was asked for beside them."""
    shown, before = statement.argument("columns"), rows.argument("columns")
    both = statement.verb.endswith(".list") and rows.verb.endswith(".list")
    if not both or before is None or statement.argument("distinct") is not None:
        return statement
    kept = [each for each in statement.arguments if each.name != "columns"]
    if shown is None:
        return replace(statement, arguments=(*kept, before))
    columns = tuple(dict.fromkeys((*_items(before.value), *_items(shown.value))))
    listed = columns[0] if len(columns) == 1 else Sequence(columns)
    return replace(statement, arguments=(*kept, Argument("columns", listed)))


def _without(statement: Statement, names: frozenset[str]) -> tuple[Argument, ...]:
    return tuple(each for each in statement.arguments if each.name not in names)


def _items(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Sequence) else (value,)


def _unsaid(held: Map, statement: Statement, asked: Table, links: tuple[Link, ...], joins: Joins) -> Map:
    """What holds of the rows, without what the statement says itself: a customer whose orders of a year are
    added up has some."""
    own, inner = _conditions(statement, asked), list(links)
    found = list(held.entries)
    while own is not None and inner:
        step = inner.pop(0)
        value = next((each.value for each in own.entries if each.key == step.name), None)
        own = value if isinstance(value, Map) else None
        back = inner[0] if len(inner) == 1 else None
        if own is None or back is None:
            continue
        again = {
            link.name
            for link in joins.graph.links(joins.graph.tables[back.target]).values()
            if link.target == step.target and link.pairs == tuple((there, here) for here, there in back.pairs)
        }
        said = {each.key: each.value for each in own.entries}
        found = [
            each
            for each in found
            if each.key not in again
            or not isinstance(each.value, Map)
            or any(said.get(inside.key) != inside.value for inside in each.value.entries)
        ]
    return Map(tuple(found))


def _leads(entry: Entry, table: Table, joins: Joins) -> bool:
    """Whether a key says what holds of the row that it points at: its link is called like its column."""
    link = joins.link(table, entry.key)
    if link is None or not isinstance(entry.value, Map):
        return False
    target = joins.graph.tables[link.target]
    return all(
        each.key in target.columns or joins.link(target, each.key) is not None for each in entry.value.entries
    )


def _beside(statement: Statement, held: Map, table: Table, joins: Joins) -> Statement | None:
    """The statement with conditions of its own rows more: of its columns as arguments, of others behind."""
    given = {each.name: each.value for each in statement.arguments}
    own = [each for each in held.entries if each.key in table.columns and not _leads(each, table, joins)]
    others = Map(tuple(each for each in held.entries if each not in own))
    new = [each for each in own if given.get(each.key) != each.value]
    if any(each.key in given for each in new):
        return None
    columns = tuple(Argument(each.key, each.value) for each in new)
    return _merged(replace(statement, arguments=(*columns, *statement.arguments)), others)


def _merged(statement: Statement, held: Map) -> Statement | None:
    """The statement with more conditions. Two about the same rows of another table are not one."""
    where = statement.argument("where")
    old = where.value if where is not None else Map(())
    if not isinstance(old, Map):
        return None
    joined = _joined(old, held) or _both(old, held)
    if joined is None:
        return None
    kept = tuple(each for each in statement.arguments if each.name != "where")
    return replace(statement, arguments=(*kept, Argument("where", joined)) if joined.entries else kept)


def _both(one: Map, other: Map) -> Map | None:
    """What holds of rows, and what holds of them besides: that each has one of these, and one of those."""
    keys = {each.key for each in (*one.entries, *other.entries)}
    return None if keys & _MANY else Map((Entry("all", Sequence((one, other))),))


def _joined(one: Map, other: Map) -> Map | None:
    entries = {each.key: each.value for each in one.entries}
    for each in other.entries:
        known = entries.get(each.key)
        if known is None or known == each.value:
            entries[each.key] = each.value
        elif isinstance(known, Map) and isinstance(each.value, Map) and "-by-" not in each.key:
            both = _joined(known, each.value)
            if both is None:
                return None
            entries[each.key] = both
        else:
            return None
    return Map(tuple(Entry(key, value) for key, value in entries.items()))
