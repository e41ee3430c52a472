"""A SELECT as a statement over the verbs of tables, where one says the same.

The same rows and the same columns, in the same order: whatever a verb would say otherwise is left to SQL.
Names that a query gives its columns are dropped, since a verb names its own.
"""

from collections.abc import Iterable
from typing import Final

from sqlglot import exp

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.program import (
    Argument,
    Boolean,
    Entry,
    Integer,
    Map,
    Nil,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.contracts.record import Record
from dragoman.planning.sql.conditions import Conditions, Tested, where_of
from dragoman.planning.sql.group_program import grouped_arguments, is_grouped
from dragoman.planning.sql.same_rows import gives_the_same
from dragoman.planning.sql.shown import Shown, ShownReader
from dragoman.planning.sql.sources import Source, Sources
from dragoman.planning.sql.typed_query import TypedQuery
from dragoman.planning.sql.unsaid import Unsaid
from dragoman.tables.catalog import CompiledRead, TableCatalog
from dragoman.tables.verbs import TableVerb, Word

_TAKEN: Final = frozenset(
    {"expressions", "from_", "joins", "where", "group", "having", "order", "limit", "distinct"}
)


class Said(Record, frozen=True):
    """A statement, and whether it says the same of any data."""

    statement: Statement
    doubted: bool
    shown: tuple[Shown, ...]
    sorted_by: tuple[Shown, ...] = ()


def said_with_verbs(typed: TypedQuery, catalog: Catalog) -> Statement | str:
    """The statement that says the same as a query; what no verb says, where there is none."""
    tables = catalog.tables_of(typed.place.spec)
    if tables is None:
        return "nothing was discovered"
    try:
        said = translated(typed, tables)
    except Unsaid as unsaid:
        return unsaid.message
    statement = said.statement
    if catalog.default != typed.place.spec:
        named = Argument(Word.CONNECTION.value, Text(f"@{catalog.databases.told_apart(typed.place.spec)}"))
        statement = Statement(statement.verb, (*statement.arguments, named))
    elif statement.verb in catalog.packs.verbs:
        return f"{statement.verb} is a verb of a pack"
    if said.doubted and not gives_the_same(typed, statement, said.sorted_by, said.shown, catalog):
        return "its rows are others"
    return statement


def translated(typed: TypedQuery, tables: TableCatalog) -> Said:
    """The statement of a query. Raises `Unsaid`."""
    tree, dialect = typed.tree, typed.place.schema.dialect
    if not isinstance(tree, exp.Select):
        raise Unsaid(type(tree).__name__.upper())
    others = [name for name, value in tree.args.items() if value and name not in _TAKEN]
    if others:
        raise Unsaid(others[0].strip("_").upper())
    sources = Sources(tree, tables.graph, typed.place.schema)
    reader = ShownReader(tree, sources, dialect)
    shown = reader.shown()
    keys = [reader.sorted_by(each) for each in _ordered(tree)]
    conditions = Conditions(sources, dialect)
    plain, several = conditions.read(sources.conditions)
    joined, needed = _required(sources)
    own, where = where_of([*plain, *needed], several)
    arguments = [Argument(each.key, each.value) for each in own]
    if joined:
        arguments.append(Argument(Word.WITH.value, Text(joined)))
    if where is not None:
        arguments.append(Argument(Word.WHERE.value, where))
    if is_grouped(tree, shown):
        verb, rest = grouped_arguments(tree, reader, shown, keys)
    else:
        verb, rest = TableVerb.LIST, _listed(tree, reader, shown, keys)
    limit = _limit(tree)
    if limit is not None:
        word = Word.TOP if keys else Word.LIMIT
        rest = [*rest, Argument(word.value, Integer(limit))]
    statement = Statement(f"{sources.base.table.name}.{verb}", (*rest, *arguments))
    _check(statement, shown, tables, typed)
    doubted = conditions.doubted or reader.doubted or limit is not None
    return Said(statement, doubted, tuple(shown), tuple(key for key, _ in keys))


def _listed(
    tree: exp.Select, reader: ShownReader, shown: list[Shown], keys: list[tuple[Shown, bool]]
) -> list[Argument]:
    if any(each.measure is not None for each in shown) or tree.args.get("having") is not None:
        raise Unsaid("HAVING without groups")
    found: list[Argument] = []
    if not reader.is_everything:
        found.append(Argument(Word.COLUMNS.value, one_or_several(each.value for each in shown)))
    distinct = tree.args.get("distinct")
    if distinct is not None:
        if distinct.args.get("on") is not None:
            raise Unsaid("DISTINCT ON")
        found.append(Argument(Word.DISTINCT.value, Boolean(value=True)))
        reader.gathered(_nodes(tree))
    if keys:
        found.append(
            Argument(Word.ORDER.value, one_or_several(in_order(key.value, down) for key, down in keys))
        )
    return found


def _nodes(tree: exp.Select) -> list[exp.Expr]:
    """What different rows differ by: the columns that are shown, and no more than that."""
    return [each.unalias() for each in tree.expressions if not each.is_star]


def _required(sources: Sources) -> tuple[str, list[Tested]]:
    """The one way that is joined on purpose, and the tests that leave out rows without other linked rows."""
    required = sources.required
    if not required:
        return "", []
    longest = max(required, key=lambda each: len(each.links))
    rest = [each for each in required if longest.links[: len(each.links)] != each.links]
    return "/".join(longest.path), [_there(each, sources) for each in rest]


def _there(source: Source, sources: Sources) -> Tested:
    """Only rows that have a row there. A column of the same name would be asked instead."""
    at = sources.base.table
    for link in source.links[:-1]:
        at = sources.graph.tables[link.target]
    name = source.links[-1].name
    if at.column(name) is not None:
        raise Unsaid(f"a join along {name}")
    return Tested(source.path[:-1], name, Map((Entry("not", Nil()),)))


def _ordered(tree: exp.Select) -> list[exp.Ordered]:
    order = tree.args.get("order")
    return list(order.expressions) if order is not None else []


def _limit(tree: exp.Select) -> int | None:
    limit = tree.args.get("limit")
    if limit is None:
        return None
    number = limit.expression if isinstance(limit, exp.Limit) else None
    if not isinstance(number, exp.Literal) or not str(number.this).isdecimal() or limit.expressions:
        raise Unsaid("a limit that is no plain number")
    if not int(number.this):
        raise Unsaid("a limit of nothing")
    return int(number.this)


def _check(statement: Statement, shown: list[Shown], tables: TableCatalog, typed: TypedQuery) -> None:
    """The verb itself says whether it takes the statement, and how many columns it gives."""
    compiled = tables.compile(statement, typed.place.schema.dialect)
    if not isinstance(compiled, CompiledRead):
        raise Unsaid(compiled[0].message)
    if len(compiled.columns) != len(shown):
        raise Unsaid("other columns than are shown")


def in_order(value: Value, descending: bool) -> Value:
    return Map((Entry("desc", value),)) if descending else value


def one_or_several(values: Iterable[Value]) -> Value:
    found = tuple(values)
    return found[0] if len(found) == 1 else Sequence(found)
