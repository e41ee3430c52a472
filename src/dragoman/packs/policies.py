"""Who may see what: policies on rows and columns, put into a statement's tree before it is written as SQL.

Every mention of a table with a policy becomes a subquery of the rows and columns that may be seen, so that
whatever stands around it (joins, subqueries, set operations, aliases) sees no more. What cannot be shown to
be safe in this way is refused.

A policy holds for a table by its name, however it is qualified. It does not reach into views of the database:
a view needs a policy of its own.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec.structs import replace
from sqlglot import exp

from dragoman.contracts.pack import PackPolicy, Viewer
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema, Dialect, TableInfo
from dragoman.guards.sql import why_not_condition
from dragoman.language.oml.findings import listed
from dragoman.packs.sources import Lookup, Scopes, TableLookup
from dragoman.packs.statements import USER, Fault, harmless_functions, target_of

_NOTHING = "1 = 0"


class PolicyCode(StrEnum):
    """Why a statement is refused."""

    HIDDEN_COLUMN = "hidden_column"
    SHADOWED_TABLE = "shadowed_table"
    WRITE_BEYOND_POLICY = "write_beyond_policy"
    UNPROVEN = "policy_unproven"


class PolicyRefusal(Record, frozen=True):
    """A statement that may not run. `name` is the column, table or part that it is about."""

    code: PolicyCode
    name: str
    message: str
    hint: str


class Rule(Record, frozen=True):
    """What all policies that hold say of one table together."""

    table: str
    conditions: tuple[str, ...]
    hidden: tuple[str, ...]

    def hides(self, column: str) -> bool:
        return column.casefold() in self.hidden


def holding(policies: Sequence[PackPolicy], roles: Collection[str]) -> tuple[PackPolicy, ...]:
    """The policies that hold for somebody with these roles."""
    mine = set(roles)
    return tuple(
        policy
        for policy in policies
        if (not policy.roles or mine & set(policy.roles)) and not mine & set(policy.unless)
    )


def rules_of(policies: Sequence[PackPolicy]) -> dict[str, Rule]:
    """Policies put together by table; under the table's own name, without what qualifies it."""
    tables: dict[str, list[PackPolicy]] = {}
    for policy in policies:
        tables.setdefault(_own_name(policy.table), []).append(policy)
    return {
        name: Rule(
            name,
            tuple(dict.fromkeys(policy.rows for policy in held if policy.rows.strip())),
            tuple(dict.fromkeys(column.casefold() for policy in held for column in policy.hide)),
        )
        for name, held in tables.items()
    }


def _own_name(table: str) -> str:
    return table.rpartition(".")[2].casefold()


def policy_applied(
    tree: exp.Expr,
    policies: Sequence[PackPolicy],
    roles: Collection[str],
    schema: DatabaseSchema,
    dialect: Dialect,
) -> exp.Expr | PolicyRefusal:
    """A statement as somebody with these roles may run it. The tree that is given stays as it is.

    `dialect` is that of the conditions: the pack's. A condition may ask for `:user`.
    """
    return _applied(tree, rules_of(holding(policies, roles)), schema, dialect)


def policy_applied_for(
    tree: exp.Expr,
    policies: Sequence[PackPolicy],
    viewer: Viewer | None,
    schema: DatabaseSchema,
    dialect: Dialect,
    *,
    ours: bool = False,
) -> exp.Expr | PolicyRefusal:
    """The same for a viewer. Without one every policy holds, and no row is left that is somebody's own.

    `ours`: the tree was made by us, so that the functions in it need no proof.
    """
    return _applied(tree, rules_for(policies, viewer, dialect), schema, dialect, ours=ours)


def rules_for(policies: Sequence[PackPolicy], viewer: Viewer | None, dialect: Dialect) -> dict[str, Rule]:
    """What holds for a viewer, by the table's own name."""
    if viewer is not None:
        return rules_of(holding(policies, viewer.roles))
    return {
        name: Rule(name, tuple(_anybodys(each, dialect) for each in rule.conditions), rule.hidden)
        for name, rule in rules_of(policies).items()
    }


def _anybodys(condition: str, dialect: Dialect) -> str:
    """A condition as it is where nobody asks: one that speaks of who asks lets nothing through."""
    asked = exp.condition(condition, dialect=dialect.value).find_all(exp.Placeholder)
    return _NOTHING if any(node.name == USER for node in asked) else condition


def visible_schema(schema: DatabaseSchema, rules: Mapping[str, Rule]) -> DatabaseSchema:
    """The schema without the columns that the rules hide, and what leads over them."""
    if not any(rule.hidden for rule in rules.values()):
        return schema
    return replace(schema, tables=tuple(_visible(table, rules) for table in schema.tables))


def _visible(table: TableInfo, rules: Mapping[str, Rule]) -> TableInfo:
    def seen(columns: Iterable[str], of: str) -> bool:
        rule = rules.get(of.casefold())
        return rule is None or not any(rule.hides(column) for column in columns)

    return replace(
        table,
        columns=tuple(column for column in table.columns if seen((column.name,), table.name)),
        primary_key=table.primary_key if seen(table.primary_key, table.name) else (),
        unique_keys=tuple(key for key in table.unique_keys if seen(key, table.name)),
        foreign_keys=tuple(
            key
            for key in table.foreign_keys
            if seen(key.columns, table.name) and seen(key.target_columns, key.table)
        ),
    )


def _applied(
    tree: exp.Expr, rules: dict[str, Rule], schema: DatabaseSchema, dialect: Dialect, *, ours: bool = False
) -> exp.Expr | PolicyRefusal:
    if not rules:
        return tree
    tree = tree.copy()
    refusal = next(_Application(tree, rules, TableLookup(schema), dialect, ours).refusals(), None)
    return refusal if refusal is not None else tree


class _Application:
    """One statement under some rules. The first refusal ends it, before anything was changed by it."""

    def __init__(
        self, tree: exp.Expr, rules: dict[str, Rule], lookup: Lookup, dialect: Dialect, ours: bool
    ) -> None:
        self._tree = tree
        self._ours = ours
        self._rules = rules
        self._lookup = lookup
        self._dialect = dialect
        self._target = None if isinstance(tree, exp.Query) else target_of(tree)
        self._scopes = Scopes(lookup)

    def refusals(self) -> Iterator[PolicyRefusal]:
        """Refuse, or change the tree and yield nothing."""
        yield from self._unproven()
        yield from self._hidden_columns()
        if self._target is not None and (rule := self._rule(self._target)):
            yield from self._write(rule)
        bound = [node for node in self._tree.find_all(exp.Table) if node is not self._target]
        for node in bound:
            if rule := self._rule(node):
                yield from self._narrowed(node, rule)
        # A derived table has no schema that a column could name.
        for column in self._tree.find_all(exp.Column):
            if column.table.casefold() in self._rules:
                column.set("db", None)
                column.set("catalog", None)

    def _rule(self, table: exp.Expr) -> Rule | None:
        return self._rules.get(table.name.casefold()) if isinstance(table, exp.Table) else None

    def _unproven(self) -> Iterator[PolicyRefusal]:
        if not isinstance(self._tree, exp.Query | exp.Insert | exp.Update | exp.Delete):
            yield _unproven(self._tree.key.upper(), "it is neither a query nor a change of rows")
        for node in self._tree.walk():
            match node:
                case exp.CTE() if node.alias.casefold() in self._rules:
                    message = f"a part of the query is called {node.alias}, as a table with a policy"
                    yield PolicyRefusal(
                        PolicyCode.SHADOWED_TABLE, node.alias, message, "name the part otherwise"
                    )
                case exp.Command() | exp.Lock() | exp.Into() | exp.DDL() if (
                    node is not self._tree and not isinstance(node, exp.Query)
                ):
                    yield _unproven(node.key.upper(), "it has no place beside a policy")
                case exp.Func() if not self._ours and _called(node).lower() not in harmless_functions():
                    yield _unproven(_called(node), "what this function reads is not known")
                case exp.Table() if not isinstance(node.this, exp.Identifier):
                    yield _unproven(node.sql(), "a function stands where a table should")
                case _:
                    pass

    def _hidden_columns(self) -> Iterator[PolicyRefusal]:
        for column in self._tree.find_all(exp.Column):
            for source in self._scopes.sources_of(column):
                rule = self._rule(source) or self._behind_star(source, column.name)
                if rule and rule.hides(column.name):
                    yield _hidden(column.name, rule)
        for join in self._tree.find_all(exp.Join):
            names = [each.name for each in join.args.get("using") or ()]
            rules = [
                rule for source in self._scopes.beside(join) if (rule := self._rule(source)) and rule.hidden
            ]
            if rules and join.method == "NATURAL":
                yield _unproven("NATURAL JOIN", "it joins by columns that may be hidden")
            for name in names:
                for rule in rules:
                    if rule.hides(name):
                        yield _hidden(name, rule)

    def _behind_star(self, source: exp.Expr, column: str) -> Rule | None:
        """The rule of a hidden column that a derived table with `*` would have had.

        It is not there any more, and SQLite would take its name in quotes for a text.
        """
        known = isinstance(source, exp.Table) and self._lookup.columns(source) is not None
        starred = not known and any(select.is_star for select in self._tree.find_all(exp.Select))
        named = (self._rule(table) for table in self._tree.find_all(exp.Table)) if starred else ()
        return next((rule for rule in named if rule and rule.hides(column)), None)

    def _write(self, rule: Rule) -> Iterator[PolicyRefusal]:
        """The target of a change stays a table; its rows are narrowed by the condition of the change."""
        changed = [node.name for node in _assigned(self._tree)]
        if isinstance(self._tree, exp.Insert):
            if rule.hidden and not changed:
                yield _unproven("INSERT", "it does not name the columns it fills")
            if rule.conditions:
                message = f"a new row of {rule.table} cannot be shown to satisfy the policy"
                yield _beyond(rule, message)
        for name in changed:
            if rule.hides(name):
                yield _hidden(name, rule)
        for condition in self._conditions(rule):
            for column in condition.find_all(exp.Column):
                if column.name.casefold() in {name.casefold() for name in changed}:
                    yield _beyond(rule, f"changing {column.name} would change who may see the row")
            if isinstance(self._tree, exp.Update | exp.Delete):
                self._tree.where(exp.paren(condition), copy=False)

    def _narrowed(self, table: exp.Table, rule: Rule) -> Iterator[PolicyRefusal]:
        odd = {name for name, part in table.args.items() if part} - {
            "this",
            "db",
            "catalog",
            "alias",
            "joins",
        }
        if odd:
            yield _unproven(
                f"{table.name} with {listed(sorted(odd))}", "only the plain table can be narrowed"
            )
            return
        columns = self._lookup.columns(table)
        if columns is None and rule.hidden:
            yield _unproven(table.name, "the columns of the table are not known")
            return
        visible = [name for name in columns or () if not rule.hides(name)]
        if columns is not None and not visible:
            yield _unproven(table.name, "no column of the table may be seen")
            return
        shown: list[exp.Expr] = [exp.column(exp.to_identifier(name, quoted=True)) for name in visible] or [
            exp.Star()
        ]
        plain = exp.Table(**{name: table.args.get(name) for name in ("this", "db", "catalog")}).copy()
        select = exp.Select().select(*shown, copy=False).from_(plain, copy=False)
        for condition in self._conditions(rule):
            select = select.where(exp.paren(condition), copy=False)
        alias = table.args.get("alias") or exp.TableAlias(this=table.this.copy())
        inner = exp.Subquery(this=select, alias=alias)
        if joins := table.args.get("joins"):
            inner.set("joins", joins)
        table.replace(inner)
        yield from ()

    def _conditions(self, rule: Rule) -> list[exp.Expr]:
        return [exp.condition(text, dialect=self._dialect.value) for text in rule.conditions]


def _assigned(tree: exp.Expr) -> list[exp.Expr]:
    """The columns that a change fills."""
    match tree:
        case exp.Insert() if isinstance(tree.this, exp.Schema):
            return list(tree.this.expressions)
        case exp.Update():
            return [each.this for each in tree.expressions if isinstance(each, exp.EQ)]
        case _:
            return []


def _called(function: exp.Func) -> str:
    return function.name if isinstance(function, exp.Anonymous) else function.sql_name()


def _hidden(column: str, rule: Rule) -> PolicyRefusal:
    message = f"the column {column} of {rule.table} is not for everybody"
    return PolicyRefusal(
        PolicyCode.HIDDEN_COLUMN, column, message, "ask without it, or ask somebody who may see it"
    )


def _beyond(rule: Rule, message: str) -> PolicyRefusal:
    return PolicyRefusal(
        PolicyCode.WRITE_BEYOND_POLICY, rule.table, message, "let somebody do it whom no policy binds"
    )


def _unproven(name: str, why: str) -> PolicyRefusal:
    message = f"{name} cannot be narrowed to what may be seen: {why}"
    return PolicyRefusal(PolicyCode.UNPROVEN, name, message, "write the query without it")


def faults_of_policy(policy: PackPolicy, dialect: Dialect) -> Iterator[Fault]:
    """What is wrong with a policy, as far as it can be said without a database."""
    if not policy.table.strip():
        yield Fault("policy_of_nothing", "the policy names no table", "name its table")
    if not policy.rows.strip() and not policy.hide:
        yield Fault("policy_of_nothing", "the policy narrows nothing", "write rows: or hide:")
    if len({column.casefold() for column in policy.hide}) < len(policy.hide):
        yield Fault("repeated", "a column is hidden twice", "keep one of them")
    if both := set(policy.roles) & set(policy.unless):
        yield Fault("policy_roles", f"{listed(sorted(both))} is bound and exempt", "keep one of them")
    if not policy.rows.strip():
        return
    if (reason := why_not_condition(policy.rows, dialect.value)) is not None:
        yield Fault("policy_condition", reason, "write what may stand after WHERE")
        return
    condition = exp.condition(policy.rows, dialect=dialect.value)
    for node in condition.find_all(exp.Placeholder, exp.Parameter):
        if not isinstance(node, exp.Placeholder) or node.name != USER:
            yield Fault("unknown_parameter", f"a policy knows no {node.sql()}", f"only :{USER}, who asks")
    for function in condition.find_all(exp.Func):
        if _called(function).lower() not in harmless_functions():
            message = f"the function {_called(function)} is not one that a pack may call"
            yield Fault("function", message, "use none")
