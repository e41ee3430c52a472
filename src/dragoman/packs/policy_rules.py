"""What the policies of packs say of each table, for one viewer: which rows and which columns may be seen.

A policy holds for a table by its name, however it is qualified. All policies of all packs for a database hold
together. Views are narrowed as well: `policy_views` finds their rules.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum

from msgspec.structs import replace
from sqlglot import exp

from dragoman.contracts.pack import Pack, PackPolicy
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema, Dialect, TableInfo
from dragoman.contracts.viewer import Viewer
from dragoman.packs.statements import USER

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


class RowCondition(Record, frozen=True):
    """What every visible row satisfies, in the dialect of the pack that says so."""

    text: str
    dialect: Dialect

    @property
    def tree(self) -> exp.Expr:
        return exp.condition(self.text, dialect=self.dialect.value)


class Rule(Record, frozen=True):
    """What all policies that hold say of one table or view together."""

    table: str
    conditions: tuple[RowCondition, ...] = ()
    hidden: tuple[str, ...] = ()
    """Columns that are not there for the viewer, in small letters."""
    definition: str = ""
    """Of a view over guarded tables: the query that is read in its place, without its hidden columns."""
    withheld: bool = False
    """Nothing of it may be seen: what it reads is not known."""

    def hides(self, column: str) -> bool:
        return self.withheld or column.casefold() in self.hidden


Rules = Mapping[str, Rule]
"""The rules of a database by the tables' own names, in small letters and without what qualifies them."""


def own_name(table: str) -> str:
    """A table as rules know it."""
    return table.rpartition(".")[2].casefold()


def holding(policies: Sequence[PackPolicy], roles: Collection[str]) -> tuple[PackPolicy, ...]:
    """The policies that hold for somebody with these roles."""
    mine = set(roles)
    return tuple(
        policy
        for policy in policies
        if (not policy.roles or mine & set(policy.roles)) and not mine & set(policy.unless)
    )


def rules_of(policies: Sequence[PackPolicy], dialect: Dialect) -> dict[str, Rule]:
    """Policies put together by table."""
    return _together((policy, dialect) for policy in policies)


def rules_for(packs: Sequence[Pack], viewer: Viewer | None) -> dict[str, Rule]:
    """What holds for a viewer of the database that these packs are for. Without a viewer every policy holds,
    and a condition that asks who they are lets no row through."""
    if viewer is not None:
        return _together(
            (policy, pack.dialect) for pack in packs for policy in holding(pack.policies, viewer.roles)
        )
    every = rules_for_all(packs)
    return {
        name: replace(rule, conditions=tuple(map(_anybodys, rule.conditions))) for name, rule in every.items()
    }


def rules_for_all(packs: Sequence[Pack]) -> dict[str, Rule]:
    """Every policy, whomever it is for: what is kept for all viewers together is held to these."""
    return _together((policy, pack.dialect) for pack in packs for policy in pack.policies)


def _together(policies: Iterable[tuple[PackPolicy, Dialect]]) -> dict[str, Rule]:
    found: dict[str, Rule] = {}
    for policy, dialect in policies:
        name = own_name(policy.table)
        rule = found.get(name, Rule(name))
        said = (RowCondition(policy.rows, dialect),) if policy.rows.strip() else ()
        hidden = (column.casefold() for column in policy.hide)
        found[name] = replace(
            rule,
            conditions=tuple(dict.fromkeys((*rule.conditions, *said))),
            hidden=tuple(dict.fromkeys((*rule.hidden, *hidden))),
        )
    return found


def _anybodys(condition: RowCondition) -> RowCondition:
    """A condition as it is where nobody asks: one that speaks of who asks lets nothing through."""
    asked = condition.tree.find_all(exp.Placeholder)
    return replace(condition, text=_NOTHING) if any(node.name == USER for node in asked) else condition


def visible_schema(schema: DatabaseSchema, rules: Rules) -> DatabaseSchema:
    """The schema without what the rules hide, and without what leads there."""
    if not rules:
        return schema
    tables = (_visible(table, rules) for table in schema.tables if not _is_withheld(table.name, rules))
    skipped = tuple(each for each in schema.skipped if each.name.casefold() not in rules)
    return replace(schema, tables=tuple(table for table in tables if table.columns), skipped=skipped)


def _is_withheld(table: str, rules: Rules) -> bool:
    rule = rules.get(table.casefold())
    return rule is not None and rule.withheld


def _visible(table: TableInfo, rules: Rules) -> TableInfo:
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
        # The query of a view may name what is hidden.
        definition="",
    )
