"""The first row or group of an answer in the place of a value: "how much did the first one buy"."""

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Call, Entry, Map, Statement, Text, Value
from dragoman.contracts.record import Record
from dragoman.planning.database.frame import Condition, Frame, Ref
from dragoman.planning.database.graft import Schema
from dragoman.planning.database.joins import Joins
from dragoman.planning.database.writer import written
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Link, Table


class FirstRow(Record, frozen=True):
    """What rows of `table` must point at: the path from them to a key, and the call that gives its value."""

    table: Table
    links: tuple[str, ...]
    column: str
    value: Call


def first_row(frame: Frame, table: Table, schema: Schema) -> FirstRow | None:
    """The first row of an ordered frame, as rows of a table point at it; None where they do not."""
    key = _key(frame, schema)
    inner = None if key is None or not frame.order else _call(frame, key, schema)
    if key is None or inner is None:
        return None
    through = frame.groups[0].through if frame.groups else None
    if through is not None and through.table.key == table.key and through.column is not None:
        return FirstRow(table, (), through.column.name, Call(inner))
    way = schema.joins.way(table, key.table)
    if way is None or key.column is None:
        return None
    links, column = _near(way.links, table, key, schema.joins)
    return FirstRow(table, tuple(link.name for link in links), column, Call(inner))


def _key(frame: Frame, schema: Schema) -> Thing | None:
    """The column whose value tells the row or the group."""
    if frame.groups and (len(frame.groups) > 1 or frame.groups[0].part is not None):
        return None
    if frame.groups and frame.groups[0].ref is not None:
        return frame.groups[0].ref.thing
    table = frame.groups[0].target if frame.groups else frame.subject
    keys = table.info.primary_key
    return schema.knowledge.things.of_column.get((*table.key, keys[0])) if len(keys) == 1 else None


def _call(frame: Frame, key: Thing, schema: Schema) -> Statement | None:
    if not frame.gathered:
        frame = replace(frame, shown=(Ref(key),), everything=False, distinct=False, limit=1)
        return written(frame, schema.knowledge, schema.joins)
    if not frame.groups:
        return None
    statement = written(replace(frame, shown=(), limit=1), schema.knowledge, schema.joins)
    if statement is None:
        return None
    by = next((each.value for each in statement.arguments if each.name == "by"), None)
    if not isinstance(by, Text):
        return None
    kept = [each for each in statement.arguments if each.name != "columns"]
    return replace(statement, arguments=(*kept, Argument("columns", by)))


def _near(links: tuple[Link, ...], table: Table, key: Thing, joins: Joins) -> tuple[tuple[Link, ...], str]:
    """The column that points at a row, instead of the key that it points at."""
    name = "" if key.column is None else key.column.info.name
    if links and links[-1].single and len(links[-1].pairs) == 1:
        here, there = links[-1].pairs[0]
        before = table if len(links) == 1 else joins.graph.tables[links[-2].target]
        column = before.by_real_name.get(here)
        if there == name and column is not None:
            return links[:-1], column.name
    return links, "" if key.column is None else key.column.name


def held_to(statement: Statement, first: FirstRow) -> Statement | None:
    """A statement whose rows point at that first row; None where it asks another table."""
    if statement.verb.rpartition(".")[0] != first.table.name:
        return None
    if not first.links:
        if any(each.name == first.column for each in statement.arguments):
            return None
        return replace(statement, arguments=(*statement.arguments, Argument(first.column, first.value)))
    value: Value = first.value
    for name in reversed((*first.links[1:], first.column)):
        value = Map((Entry(name, value),))
    entry = Entry(first.links[0], value)
    where = next((each.value for each in statement.arguments if each.name == "where"), Map(()))
    if not isinstance(where, Map) or any(each.key == entry.key for each in where.entries):
        return None
    rest = [each for each in statement.arguments if each.name != "where"]
    return replace(statement, arguments=(*rest, Argument("where", Map((*where.entries, entry)))))


def parted(statement: Statement) -> tuple[Statement, tuple[Argument, ...]]:
    """A statement without the arguments whose value is a call, and those arguments."""
    calls = tuple(each for each in statement.arguments if isinstance(each.value, Call))
    plain = tuple(each for each in statement.arguments if each not in calls)
    return replace(statement, arguments=plain), calls


def without_replaced(
    calls: tuple[Argument, ...], conditions: tuple[Condition, ...], base: Table, schema: Schema
) -> tuple[Argument, ...]:
    """The calls that stay where rows are held to a name: "and those of Ann" after the orders of whoever had
    the most are hers, and not some of theirs."""
    named = [each.ref for each in conditions if each.operation == "equal" and not each.negative]

    def stays(call: Argument) -> bool:
        column = base.columns.get(call.name)
        key = None if column is None else schema.knowledge.things.of_column.get((*base.key, column.info.name))
        link = None if key is None else schema.joins.find_link(key)
        return not any(
            ref.thing == key
            or (link is not None and ref.table.key == link.target and ref.links in (None, (link,)))
            for ref in named
        )

    return tuple(each for each in calls if stays(each))
