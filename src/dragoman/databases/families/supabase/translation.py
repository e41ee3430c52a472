"""SQL into what PostgREST is asked: the part of SELECT that it answers exactly, the rest refused."""

from collections.abc import Callable

import msgspec
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from dragoman.contracts.errors import QueryFailed, ReadOnlyViolation
from dragoman.contracts.query import Query, Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.access.placeholders import numbered
from dragoman.databases.families.supabase.cells import UNCAST
from dragoman.databases.families.supabase.conditions import Conditions, constant, only, part_of
from dragoman.databases.families.supabase.description import RestColumn, RestTable
from dragoman.databases.families.supabase.literals import cannot, quoted
from dragoman.databases.families.supabase.nested_queries import unfolded

_CLAUSES = ("expressions", "from_", "where", "group", "order", "limit", "offset")
_WHOLE = ("smallint", "integer")
_ORDERED = frozenset(
    {
        ValueType.INTEGER,
        ValueType.DECIMAL,
        ValueType.FLOAT,
        ValueType.DATE,
        ValueType.TIME,
        ValueType.DATETIME,
        ValueType.INSTANT,
        ValueType.INTERVAL,
    }
)
_TEXTS = frozenset({"text", "character varying"})
_AGGREGATES: dict[type[exp.Expression], str] = {
    exp.Count: "count",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Min: "min",
    exp.Max: "max",
}


class Output(Record, frozen=True):
    """A column of the result: how it is asked for, and under which key it comes."""

    name: str
    native: str
    type: ValueType
    asked: str
    key: str
    source: str = ""
    """The column of the table that it is, if it is one."""


class Request(Record, frozen=True):
    """One question on one table. `counts`: only how many rows there are."""

    table: RestTable
    outputs: tuple[Output, ...]
    where: str = ""
    order: tuple[str, ...] = ()
    limit: int | None = None
    offset: int = 0
    counts: bool = False
    aggregates: bool = False


class Constants(Record, frozen=True):
    """A query on no table, whose answer is known."""

    names: tuple[str, ...]
    values: tuple[Value, ...]


TableOf = Callable[[str, str], RestTable]
"""The table of a schema, or of the first that has one of this name where the schema is empty."""


def translated(query: Query, table_of: TableOf) -> Request | Constants:
    """What a query asks for. Raises RestCannot, QueryFailed, ReadOnlyViolation, ParameterRefused."""
    tree = _parsed(query)
    only(tree, *_CLAUSES)
    if tree.args.get("from_") is None:
        return _constants(tree, query)
    return _Translation(unfolded(tree), query, table_of).request()


def _parsed(query: Query) -> exp.Select:
    try:
        found = sqlglot.parse(numbered(query, Dialect.POSTGRES), dialect=Dialect.POSTGRES.value)
    except (SqlglotError, RecursionError) as error:
        raise QueryFailed("the query is not SQL that can be read", hint="check the query") from error
    if len(found) != 1:
        raise cannot("statements", "more than one thing at once")
    match found[0]:
        case exp.Select() as tree:
            return tree
        case exp.Query() as other:
            raise cannot(other.key, f"for {part_of(other)}")
        case other:
            raise ReadOnlyViolation(
                f"{part_of(other) if other else 'nothing'} is no SELECT", hint="only read"
            )


def _constants(tree: exp.Select, query: Query) -> Constants:
    only(tree, "expressions")
    names, values = list[str](), list[Value]()
    for each in tree.expressions:
        bare = each.this if isinstance(each, exp.Alias) else each
        values.append(constant(bare, query.parameters))
        names.append(_identifier(each.args["alias"]) if isinstance(each, exp.Alias) else "?column?")
    return Constants(tuple(names), tuple(values))


class _Translation:
    def __init__(self, tree: exp.Select, query: Query, table_of: TableOf) -> None:
        self._tree = tree
        self._parameters = query.parameters
        source = tree.args["from_"].this
        if not isinstance(source, exp.Table) or not isinstance(source.this, exp.Identifier):
            raise cannot("from", f"{part_of(source)} as if it were a table")
        only(source, "this", "db", "alias")
        alias = source.args.get("alias")
        if alias is not None:
            only(alias, "this")
        schema = _identifier(source.args["db"]) if source.args.get("db") else ""
        self._table = table_of(schema, _identifier(source.this))
        self._called = _identifier(alias.this) if alias is not None else self._table.name
        self._prefix = "c"
        while any(each.name.startswith(self._prefix) for each in self._table.columns):
            self._prefix += "_"

    def request(self) -> Request:
        tree = self._tree
        plain = not any(each.find(*_AGGREGATES) for each in tree.expressions) and not tree.args.get("group")
        outputs = self._outputs(plain)
        limit, offset = self._number("limit"), self._number("offset") or 0
        where = tree.args.get("where")
        conditions = Conditions(self._parameters, self._column, self._table.columns[0])
        asked = Request(
            self._table,
            outputs,
            f"({conditions.tree(where.this)})" if where is not None else "",
            limit=limit,
            offset=offset,
            aggregates=not plain,
        )
        if plain:
            return msgspec.structs.replace(asked, order=self._order(outputs))
        grouped = self._grouped(outputs)
        if not grouped and all(output.asked == "count()" for output in outputs):
            # The order of one row is no order.
            return msgspec.structs.replace(asked, counts=True, aggregates=False)
        order = self._order(outputs)
        if any(each.partition('".')[0] + '"' not in map(quoted, grouped) for each in order):
            raise cannot("order", "for groups in the order of something that is not in their GROUP BY")
        return msgspec.structs.replace(asked, order=order)

    def _outputs(self, plain: bool) -> tuple[Output, ...]:
        found = list[Output]()
        for each in self._tree.expressions:
            bare, name = each, ""
            if isinstance(each, exp.Alias):
                only(each, "this", "alias")
                bare, name = each.this, _identifier(each.args["alias"])
            if isinstance(bare, exp.Star) or (
                isinstance(bare, exp.Column) and isinstance(bare.this, exp.Star)
            ):
                only(bare.this if isinstance(bare, exp.Column) else bare)
                if not plain:
                    raise cannot("select", "for all columns of groups")
                self._check_qualifier(bare)
                found.extend(self._column_output(column, "", plain) for column in self._table.columns)
            elif isinstance(bare, exp.Column):
                found.append(self._column_output(self._column(bare), name, plain))
            elif type(bare) in _AGGREGATES:
                found.append(self._aggregate(bare, name, len(found)))
            else:
                raise cannot("select", f"for {part_of(bare)}")
        return tuple(found)

    def _column_output(self, column: RestColumn, name: str, plain: bool) -> Output:
        asked = quoted(column.name)
        if not plain:
            # Groups are made of what is asked for: a text would tell 1.0 from 1.00.
            if column.type in (ValueType.JSON, ValueType.OTHER, ValueType.BYTES) or column.native == "money":
                raise cannot("group", f"for groups of {column.name!r} ({column.native})")
            key = column.name
        else:
            key = f"{self._prefix}{self._table.columns.index(column)}"
            asked = f"{key}:{asked}" + ("" if column.type in UNCAST else "::text")
        return Output(name or column.name, column.native, column.type, asked, key, column.name)

    def _aggregate(self, node: exp.Expression, name: str, place: int) -> Output:
        function = _AGGREGATES[type(node)]
        only(node, "this", *(("big_int",) if function == "count" else ()))
        if function == "count" and isinstance(node.this, exp.Star):
            # The name is settled by the server; there is one row, or its groups, and this is their number.
            return Output(name or "count", "bigint", ValueType.INTEGER, "count()", "count")
        if not isinstance(node.this, exp.Column):
            raise cannot("aggregate", f"for the {function} of {part_of(node.this)}")
        column = self._column(node.this)
        native, held = _result_of(function, column)
        key = f"{self._prefix}a{place}"
        return Output(name or function, native, held, f"{key}:{quoted(column.name)}.{function}()::text", key)

    def _grouped(self, outputs: tuple[Output, ...]) -> list[str]:
        """The columns of GROUP BY: exactly those that are shown, as PostgREST groups by what is asked for."""
        group = self._tree.args.get("group")
        shown = list(dict.fromkeys(output.source for output in outputs if output.source))
        if group is None:
            if shown:
                raise QueryFailed(
                    f"the column {shown[0]!r} must appear in GROUP BY or in an aggregate",
                    hint="check the query",
                )
            return []
        only(group, "expressions")
        named = [self._named(each, outputs, aliases_first=False) for each in group.expressions]
        if set(named) != set(shown):
            raise cannot("group", "for groups by other columns than those that are shown")
        if all(output.source for output in outputs):
            raise cannot("group", "for groups of which nothing is counted or added up")
        if any(output.key == "count" and output.source for output in outputs):
            raise cannot("group", "for groups of a column that is called count")
        return shown

    def _order(self, outputs: tuple[Output, ...]) -> tuple[str, ...]:
        order = self._tree.args.get("order")
        if order is None:
            return ()
        only(order, "expressions")
        terms = list[str]()
        for each in order.expressions:
            only(each, "this", "desc", "nulls_first")
            name = quoted(self._named(each.this, outputs, aliases_first=True))
            way = "desc" if each.args.get("desc") else "asc"
            terms.append(f"{name}.{way}.{'nullsfirst' if each.args.get('nulls_first') else 'nullslast'}")
        return tuple(terms)

    def _named(self, node: exp.Expression, outputs: tuple[Output, ...], *, aliases_first: bool) -> str:
        """The column that ORDER BY or GROUP BY means: by its place, by its name, or itself."""
        output: Output | None = None
        if isinstance(node, exp.Literal) and not node.is_string and str(node.this).isdecimal():
            place = int(node.this)
            if not 1 <= place <= len(outputs):
                raise QueryFailed(f"there is no column at place {place}", hint="check the query")
            output = outputs[place - 1]
        elif isinstance(node, exp.Column) and not node.table and isinstance(node.this, exp.Identifier):
            name = _identifier(node.this)
            shown = next((each for each in outputs if each.name == name), None)
            if aliases_first or self._table.column(name) is None:
                output = shown
        if output is not None:
            if not output.source:
                raise cannot("order", f"for the order of {output.name!r}, which is an aggregate")
            return output.source
        if not isinstance(node, exp.Column):
            raise cannot("order", f"for the order of {part_of(node)}")
        return self._column(node).name

    def _number(self, clause: str) -> int | None:
        node = self._tree.args.get(clause)
        if node is None:
            return None
        if not isinstance(node, exp.Limit | exp.Offset):
            raise cannot(clause, f"with {part_of(node)}")
        only(node, "expression")
        value = constant(node.expression, self._parameters)
        if isinstance(value, bool) or not isinstance(value, int):
            raise cannot(clause, f"with a {clause.upper()} that is no number")
        if value < 0:
            raise QueryFailed(f"{clause.upper()} must not be negative", hint="check the query")
        return value

    def _column(self, node: exp.Column) -> RestColumn:
        self._check_qualifier(node)
        only(node, "this", "table")
        name = _identifier(node.this)
        found = self._table.column(name)
        if found is None:
            raise QueryFailed(
                f"{self._table.name!r} has no column {name!r}",
                hint="check the name of the column",
                column=name,
            )
        return found

    def _check_qualifier(self, node: exp.Expression) -> None:
        qualifier = node.args.get("table")
        if qualifier is not None and _identifier(qualifier) != self._called:
            raise QueryFailed(f"the query has no table {_identifier(qualifier)!r}", hint="check the query")


def _result_of(function: str, column: RestColumn) -> tuple[str, ValueType]:
    """What PostgreSQL's function gives for a column."""
    native, held = column.native, column.type
    match function:
        case "count":
            return "bigint", ValueType.INTEGER
        case "sum" if native in _WHOLE:
            return "bigint", ValueType.INTEGER
        case "sum" | "avg" if held is ValueType.INTEGER or native == "numeric":
            return "numeric", ValueType.DECIMAL
        case "sum" if held in (ValueType.FLOAT, ValueType.INTERVAL) or native == "money":
            return native, held
        case "avg" if held is ValueType.FLOAT:
            return "double precision", ValueType.FLOAT
        case "avg" if held is ValueType.INTERVAL:
            return native, held
        case "min" | "max" if held in _ORDERED:
            return native, held
        case "min" | "max" if native in _TEXTS:
            return "text", ValueType.TEXT
        case _:
            raise cannot("aggregate", f"for the {function} of {column.name!r} ({native})")


def _identifier(node: object) -> str:
    """A name as PostgreSQL reads it: in small letters unless it is quoted."""
    if not isinstance(node, exp.Identifier):
        raise cannot("name", f"for {part_of(node)}")
    return str(node.this) if node.args.get("quoted") else str(node.this).lower()
