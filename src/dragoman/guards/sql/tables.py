"""The tables a query reads, found scope by scope: a name of WITH hides a table only where it is known."""

import re
from collections import Counter
from collections.abc import Collection, Iterator

from sqlglot import exp

from dragoman.contracts.schema import Dialect
from dragoman.guards.sql.policy import Functions, SystemNames, is_harmful, policy_of
from dragoman.guards.sql.table_names import AllowedTables, TableName, fold, name_of
from dragoman.guards.sql.tokens import MAX_CTES, MAX_JOINS
from dragoman.guards.sql.tree import is_field
from dragoman.guards.sql.verdict import Refusal, SqlCode, shown

Scope = frozenset[str]
"""The names of WITH that are known at some place."""

_FILE = re.compile(r"[./\\*?:\[\]]")
"""In the name of a table, DuckDB takes these for a file's or an address's."""

_FUNCTION_NAME = re.compile(r"[\w$.\"`]+(?=\s*\()")


def fault_of_tables(
    tree: exp.Expr, dialect: Dialect, allowed: AllowedTables, functions: Functions
) -> Refusal | None:
    sources = list(_sources(tree, dialect))
    kinds = Counter(type(node) for node in tree.walk())
    if kinds[exp.CTE] > MAX_CTES:
        return Refusal(SqlCode.TOO_MANY_CTES, f"the query has more than {MAX_CTES} parts in WITH")
    # A comma in FROM is a join too.
    if kinds[exp.Join] > MAX_JOINS:
        return Refusal(SqlCode.TOO_MANY_JOINS, f"the query has more than {MAX_JOINS} joins")
    for node, scope in sources:
        fault = (
            _fault_of_table(node, scope, dialect, allowed, functions)
            if isinstance(node, exp.Table)
            else _fault_of_function(node, dialect, functions)
        )
        if fault is not None:
            return fault
    return _fault_of_called_columns(tree, dialect) if dialect is Dialect.POSTGRES else None


def _sources(tree: exp.Expr, dialect: Dialect) -> Iterator[tuple[exp.Expr, Scope]]:
    """Everything that rows come from, with the names of WITH known there. No recursion: trees are deep."""
    waiting: list[tuple[exp.Expr, Scope]] = [(tree, frozenset())]
    while waiting:
        node, scope = waiting.pop()
        inside = scope
        head = node.args.get("with_")
        if isinstance(head, exp.With):
            inside = _names_of_with(head, scope, dialect, waiting)
        if isinstance(node, exp.Table):
            yield node, scope
        if isinstance(node, exp.From | exp.Join | exp.Lateral) and _is_function(node.this):
            yield node.this, scope
        waiting.extend((child, inside) for child in node.iter_expressions() if child is not head)


def _names_of_with(
    head: exp.With, scope: Scope, dialect: Dialect, waiting: list[tuple[exp.Expr, Scope]]
) -> Scope:
    """Put the parts of WITH in the queue, each with what it knows: those before it, and maybe itself."""
    known = scope
    for part in head.expressions:
        name = _name_of_part(part, dialect)
        body = part.this
        waiting.extend((child, known) for child in part.iter_expressions() if child is not body)
        may_recur = bool(head.args.get("recursive")) or dialect is Dialect.SQLITE
        if may_recur and isinstance(body, exp.Union) and body.args.get("with_") is None:
            first, later, rest = _arms(body, dialect)
            waiting.append((first, known))
            waiting.extend((arm, known | {name}) for arm in later)
            waiting.extend((each, known) for each in rest)
        else:
            # Here its own name is a table's: servers differ, and the table is the worse of the two.
            waiting.append((body, known))
        known = known | {name}
    return known


def _arms(union: exp.Union, dialect: Dialect) -> tuple[exp.Expr, list[exp.Expr], list[exp.Expr]]:
    """The arm that starts a recursion, those that may go on with it, and what else hangs on the union.

    PostgreSQL and DuckDB let only the last arm go on; in the ones before it the name is still a table's.
    """
    rest = _beside_arms(union)
    first: exp.Expr = union.this
    later: list[exp.Expr] = [union.expression]
    while (
        dialect in (Dialect.MYSQL, Dialect.SQLITE)
        and isinstance(first, exp.Union)
        and first.args.get("with_") is None
    ):
        rest.extend(_beside_arms(first))
        later.append(first.expression)
        first = first.this
    return first, later, rest


def _beside_arms(union: exp.Union) -> list[exp.Expr]:
    arms = (id(union.this), id(union.expression))
    return [each for each in union.iter_expressions() if id(each) not in arms]


def _name_of_part(part: exp.Expr, dialect: Dialect) -> str:
    alias = part.args.get("alias")
    named = alias.this if isinstance(alias, exp.TableAlias) else None
    if not isinstance(named, exp.Identifier):
        return "\0"
    return fold(named.name, dialect, quoted=bool(named.args.get("quoted")))


def _is_function(node: object) -> bool:
    return isinstance(node, exp.Func | exp.UDTF) and not isinstance(
        node, exp.Values | exp.Lateral | exp.Subquery
    )


def _fault_of_table(
    table: exp.Table, scope: Scope, dialect: Dialect, allowed: AllowedTables, functions: Functions
) -> Refusal | None:
    if isinstance(table.this, exp.Func):
        if len(table.parts) > 1:
            return Refusal(SqlCode.TABLE_FUNCTION, "a function of a schema is not allowed as a table")
        return _fault_of_function(table.this, dialect, functions)
    if not all(isinstance(part, exp.Identifier) for part in table.parts) or table.args.get("rows_from"):
        return Refusal(SqlCode.TABLE_FUNCTION, "what stands in FROM is not the name of a table")
    if len(table.parts) == 1 and fold(table.name, dialect, quoted=_is_quoted(table)) in scope:
        return None
    name = name_of(table, dialect)
    if name in allowed:
        return None
    told = shown(".".join(part.name for part in table.parts))
    if is_system(name, dialect):
        return Refusal(SqlCode.SYSTEM_CATALOG, f"{told} belongs to the system catalog")
    if not allowed.any:
        return Refusal(SqlCode.TABLE, f"the table {told} is not among those that may be read")
    if dialect is Dialect.DUCKDB and any(_FILE.search(part) for part in name):
        return Refusal(SqlCode.FILE, f"{told} would be read as a file")
    return None


def _is_quoted(table: exp.Table) -> bool:
    return bool(table.this.args.get("quoted"))


def is_system(name: TableName, dialect: Dialect) -> bool:
    """Whether a table is the server's own. Case is ignored: to refuse too much is the safe side here."""
    *qualifiers, table = (part.lower() for part in name)
    system: SystemNames = policy_of(dialect).system
    if len(qualifiers) > 1 and qualifiers[-2] in system.catalogs:
        return True
    # A catalog alone before the table stands where a schema does.
    if qualifiers and qualifiers[-1] in system.schemas | system.catalogs:
        return True
    if qualifiers and system.schema_prefixes and qualifiers[-1].startswith(system.schema_prefixes):
        return True
    return table in system.tables or bool(system.prefixes and table.startswith(system.prefixes))


def _fault_of_function(node: exp.Expr, dialect: Dialect, functions: Functions) -> Refusal | None:
    # As it is written: the parser's own name for it may be another.
    match = _FUNCTION_NAME.match(node.sql(dialect=dialect.value))
    name = match.group().lower().strip('"`') if match else type(node).__name__.lower()
    if name in functions.tables or (functions.trusted and not is_harmful(name)):
        return None
    return Refusal(SqlCode.TABLE_FUNCTION, f"the function {shown(name)} is not allowed as a table")


def _fault_of_called_columns(tree: exp.Expr, dialect: Dialect) -> Refusal | None:
    """In PostgreSQL t.f calls the function f when t stands for one value: FROM unnest(…) AS t."""
    columns_of = dict(_aliases_of_functions(tree, dialect))
    if not columns_of:
        return None
    policy = policy_of(dialect)
    for column in tree.find_all(exp.Column):
        table = column.args.get("table")
        if not isinstance(table, exp.Identifier) or isinstance(column.this, exp.Star):
            continue
        alias = fold(table.name, dialect, quoted=bool(table.args.get("quoted")))
        if alias not in columns_of:
            continue
        name = fold(column.name, dialect, quoted=bool(column.this.args.get("quoted")))
        if name != alias and name not in columns_of[alias] and not is_field(name, policy):
            return Refusal(
                SqlCode.FIELD, f"{shown(alias)}.{shown(name)} might be a function that is called so"
            )
    return None


def _aliases_of_functions(tree: exp.Expr, dialect: Dialect) -> Iterator[tuple[str, Collection[str]]]:
    for node in tree.walk():
        source = node.this if isinstance(node, exp.Table | exp.Lateral) else node
        alias = node.args.get("alias")
        if not isinstance(node, exp.Table | exp.Lateral | exp.Unnest) or not _is_function(source):
            continue
        if not isinstance(alias, exp.TableAlias) or not isinstance(alias.this, exp.Identifier):
            yield _written_name(source), ("ordinality",)
            continue
        columns = {
            fold(column.name, dialect, quoted=bool(_identifier(column).args.get("quoted")))
            for column in alias.args.get("columns") or ()
        }
        # The parser keeps the last column of WITH ORDINALITY apart.
        place = source.args.get("offset")
        if isinstance(place, exp.Identifier):
            columns.add(fold(place.name, dialect, quoted=bool(place.args.get("quoted"))))
        quoted = bool(alias.this.args.get("quoted"))
        yield fold(alias.this.name, dialect, quoted=quoted), columns | {"ordinality"}


def _identifier(column: exp.Expr) -> exp.Expr:
    return column.this if isinstance(column, exp.ColumnDef) else column


def _written_name(source: exp.Expr) -> str:
    """A function without an alias has its own name for one."""
    match = _FUNCTION_NAME.match(source.sql(dialect=Dialect.POSTGRES.value))
    return match.group().lower() if match else ""
