"""What a viewer may see of one database: the rules of all packs for it, and its views, put to use."""

from collections.abc import Sequence
from functools import cached_property

import sqlglot
from msgspec.structs import replace
from sqlglot import exp

from dragoman.contracts.errors import InternalError, PolicyViolation
from dragoman.contracts.pack import Pack
from dragoman.contracts.query import Query, Value
from dragoman.contracts.schema import DatabaseSchema, Dialect
from dragoman.contracts.viewer import Viewer
from dragoman.databases.sql_text import place, written
from dragoman.guards.sql import judge_sql
from dragoman.packs.policy_application import Author, rules_applied
from dragoman.packs.policy_rules import (
    PolicyCode,
    PolicyRefusal,
    Rule,
    Rules,
    own_name,
    rules_for,
    visible_schema,
)
from dragoman.packs.policy_views import with_views
from dragoman.packs.queries import parsed
from dragoman.packs.statements import USER


class PolicyVisibility:
    """What a viewer may see of the database that these packs are for; the policies of all of them hold."""

    def __init__(self, packs: Sequence[Pack], viewer: Viewer | None) -> None:
        self._said = rules_for(packs, viewer)
        self._viewer = viewer
        self._whole: DatabaseSchema | None = None

    def schema(self, schema: DatabaseSchema) -> DatabaseSchema:
        self._whole = schema
        self.__dict__.pop("rules", None)
        return visible_schema(schema, self.rules)

    @cached_property
    def rules(self) -> Rules:
        """The rules of tables, and of the views over them where the schema is known."""
        return self._said if self._whole is None else with_views(self._said, self._whole)

    def rule(self, table: str) -> Rule | None:
        """The rule of a table, however its name is qualified or quoted."""
        plain = table.replace('"', "").replace("`", "")
        return self.rules.get(own_name(plain)) or self.rules.get(plain.casefold())

    def pack(self, pack: Pack) -> Pack:
        """A pack without the verbs that name a hidden column, and without what leads to them."""
        whole = self._whole
        if whole is None or not any(rule.hidden or rule.withheld for rule in self.rules.values()):
            return pack
        hidden = {
            name
            for name, verb in pack.verbs.items()
            if isinstance(
                found := rules_applied(parsed(verb.sql, pack.dialect), self.rules, whole, Author.PACK),
                PolicyRefusal,
            )
            and found.code is PolicyCode.HIDDEN_COLUMN
        }
        if not hidden:
            return pack
        return replace(
            pack,
            verbs={name: verb for name, verb in pack.verbs.items() if name not in hidden},
            metrics={name: each for name, each in pack.metrics.items() if each.verb not in hidden},
            entities={
                name: replace(
                    each,
                    card="" if each.card in hidden else each.card,
                    create="" if each.create in hidden else each.create,
                )
                for name, each in pack.entities.items()
            },
        )

    def written(self, tree: exp.Expr, dialect: Dialect, values: Sequence[Value]) -> Query:
        """A query of ours, narrowed. What is shown of it names nothing that is hidden."""
        shown = written(tree.copy(), dialect, values)
        narrowed, bound = self._asked_by(self._narrowed(tree, Author.OURS), values)
        return _shown_as(written(narrowed, dialect, bound), shown)

    def of_person(self, sql: str, dialect: Dialect) -> Query:
        """A query that a person wrote, narrowed to what they may see. Raises `PolicyViolation`."""
        verdict = judge_sql(sql, dialect, allowed_tables=self._discovered)
        if verdict.sql is None:
            raise PolicyViolation(
                f"the query cannot be narrowed to what you may see: {verdict.reason}",
                hint="write one SELECT over the tables that dragoman discover lists",
                rule=PolicyCode.UNPROVEN,
                name=verdict.code.value if verdict.code else "",
            )
        tree = sqlglot.parse_one(verdict.sql, read=dialect.value)
        narrowed, bound = self._asked_by(self._narrowed(tree, Author.PERSON), ())
        return replace(written(narrowed, dialect, bound, as_given=True), shown=verdict.sql)

    def _narrowed(self, tree: exp.Expr, author: Author) -> exp.Expr:
        if self._whole is None:
            raise InternalError("a query was narrowed before its schema was known")
        narrowed = rules_applied(tree, self.rules, self._whole, author)
        if isinstance(narrowed, PolicyRefusal):
            raise refused(narrowed)
        return narrowed

    def _asked_by(self, tree: exp.Expr, values: Sequence[Value]) -> tuple[exp.Expr, list[Value]]:
        """The query with its viewer among the values."""
        bound = list(values)
        for node in list(tree.find_all(exp.Placeholder)):
            if node.name == USER:
                node.replace(place(len(bound)))
                bound.append(self._viewer.name if self._viewer is not None else None)
        return tree, bound

    @cached_property
    def _discovered(self) -> tuple[str, ...]:
        """Every table there is, as the guard wants it named. One that is withheld is refused afterwards."""
        tables = self._whole.tables if self._whole is not None else ()
        parts = [(table.schema, table.name) if table.schema else (table.name,) for table in tables]
        return tuple(".".join('"' + part.replace('"', '""') + '"' for part in each) for each in parts)


def _shown_as(query: Query, shown: Query) -> Query:
    return replace(query, shown=shown.sql, shown_parameters=shown.parameters)


def refused(refusal: PolicyRefusal) -> PolicyViolation:
    return PolicyViolation(refusal.message, hint=refusal.hint, rule=refusal.code, name=refusal.name)
