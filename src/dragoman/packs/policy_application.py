"""Who may see what: rules on rows and columns, put into a statement's tree before it is written as SQL.

Every mention of a table with a rule becomes a subquery of the rows and columns that may be seen, so that
whatever stands around it (joins, subqueries, set operations, aliases) sees no more. A view over such a table
becomes its own query, narrowed in the same way. What cannot be shown to be safe is refused.
"""

from collections.abc import Collection, Iterator, Sequence
from enum import Enum, auto

import sqlglot
from sqlglot import exp

from dragoman.contracts.pack import PackPolicy
from dragoman.contracts.schema import DatabaseSchema, Dialect
from dragoman.language.oml.findings import listed
from dragoman.packs.policy_rules import PolicyCode, PolicyRefusal, Rule, Rules, holding, rules_of
from dragoman.packs.policy_views import with_views
from dragoman.packs.sources import Scopes, TableLookup
from dragoman.packs.statements import harmless_functions, target_of

_ROW_NUMBERS = frozenset({"rowid", "oid", "_rowid_"})


class Author(Enum):
    """Who wrote a statement, and so what of it needs a proof."""

    OURS = auto()
    """A verb of a table: its functions are ours, and its columns those that may be seen."""
    PACK = auto()
    """A pack. It is code of its workspace, so that a hidden column in it is named and refused."""
    PERSON = auto()
    """A person, a program or a model. A hidden column does not exist; which functions and tables there may be
    is the SQL guard's to say, before this."""


def policy_applied(
    tree: exp.Expr,
    policies: Sequence[PackPolicy],
    roles: Collection[str],
    schema: DatabaseSchema,
    dialect: Dialect,
) -> exp.Expr | PolicyRefusal:
    """A pack's statement as somebody with these roles may run it. The tree that is given stays as it is.

    `dialect` is that of the conditions: the pack's. A condition may ask for `:user`.
    """
    rules = with_views(rules_of(holding(policies, roles), dialect), schema)
    return rules_applied(tree, rules, schema, Author.PACK)


def rules_applied(
    tree: exp.Expr, rules: Rules, schema: DatabaseSchema, author: Author
) -> exp.Expr | PolicyRefusal:
    """A statement as somebody may run it for whom these rules hold. The tree that is given stays as it is."""
    if not rules:
        return tree
    tree = tree.copy()
    refusal = next(_Application(tree, rules, schema, author).refusals(), None)
    return refusal if refusal is not None else tree


class _Application:
    """One statement under some rules. The first refusal ends it, before anything was changed by it."""

    def __init__(self, tree: exp.Expr, rules: Rules, schema: DatabaseSchema, author: Author) -> None:
        self._tree = tree
        self._rules = rules
        self._schema = schema
        self._author = author
        self._lookup = TableLookup(schema)
        self._target = None if isinstance(tree, exp.Query) else target_of(tree)
        self._scopes = Scopes(self._lookup)

    def refusals(self) -> Iterator[PolicyRefusal]:
        """Refuse, or change the tree and yield nothing."""
        yield from self._unproven()
        if self._author is not Author.PERSON:
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
                case exp.Func() if self._author is Author.PACK and not is_harmless(node):
                    yield _unproven(called(node), "what this function reads is not known")
                case exp.Table() if not isinstance(node.this, exp.Identifier):
                    yield _unproven(node.sql(), "a function stands where a table should")
                case exp.Column() if self._is_row_number(node):
                    yield _unproven(node.name, "what may be seen of a table has no row numbers")
                case _:
                    pass

    def _is_row_number(self, column: exp.Column) -> bool:
        """Whether a column is SQLite's own number of a row, which is NULL in all but the table itself."""
        if column.name.casefold() not in _ROW_NUMBERS:
            return False
        tables = [source for source in self._scopes.sources_of(column) if isinstance(source, exp.Table)]
        return any(
            self._rule(table) and column.name not in (self._lookup.columns(table) or ()) for table in tables
        )

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
        if rule.withheld:
            yield _unproven(table.name, "what it reads is not known")
            return
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
        source = self._source(table, rule)
        if isinstance(source, PolicyRefusal):
            yield source
            return
        select = exp.Select().select(*shown, copy=False).from_(source, copy=False)
        for condition in self._conditions(rule):
            select = select.where(exp.paren(condition), copy=False)
        alias = table.args.get("alias") or exp.TableAlias(this=table.this.copy())
        inner = exp.Subquery(this=select, alias=alias)
        if joins := table.args.get("joins"):
            inner.set("joins", joins)
        table.replace(inner)
        yield from ()

    def _source(self, table: exp.Table, rule: Rule) -> exp.Expr | PolicyRefusal:
        """What the visible part is read from: the table itself; of a view its query, under the same rules."""
        if not rule.definition:
            return exp.Table(**{name: table.args.get(name) for name in ("this", "db", "catalog")}).copy()
        query = sqlglot.parse_one(rule.definition, read=self._schema.dialect.value)
        inner = rules_applied(query, self._rules, self._schema, Author.OURS)
        if isinstance(inner, PolicyRefusal) or not isinstance(inner, exp.Query):
            return _unproven(table.name, "its query cannot be narrowed")
        return inner.subquery(alias=exp.to_identifier(table.name, quoted=True), copy=False)

    def _conditions(self, rule: Rule) -> list[exp.Expr]:
        return [condition.tree for condition in rule.conditions]


def _assigned(tree: exp.Expr) -> list[exp.Expr]:
    """The columns that a change fills."""
    match tree:
        case exp.Insert() if isinstance(tree.this, exp.Schema):
            return list(tree.this.expressions)
        case exp.Update():
            return [each.this for each in tree.expressions if isinstance(each, exp.EQ)]
        case _:
            return []


def called(function: exp.Func) -> str:
    return function.name if isinstance(function, exp.Anonymous) else function.sql_name()


def is_harmless(function: exp.Func) -> bool:
    """Whether a function that a pack calls only computes."""
    return called(function).lower() in harmless_functions()


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
