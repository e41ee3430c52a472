"""A statement that calls a verb of a pack, as the query that a viewer may run."""

from msgspec.structs import replace
from sqlglot import exp

from dragoman.contracts.pack import Pack
from dragoman.contracts.program import Statement
from dragoman.contracts.query import Query, Value
from dragoman.contracts.schema import DatabaseSchema
from dragoman.contracts.viewer import Viewer
from dragoman.packs.arguments import verb_values
from dragoman.packs.policy_application import Author, rules_applied
from dragoman.packs.policy_rules import PolicyRefusal, Rules, rules_for
from dragoman.packs.policy_views import with_views
from dragoman.packs.policy_visibility import refused
from dragoman.packs.queries import parsed, query_of_tree, recounting, template_of
from dragoman.packs.statements import USER


def verb_query(
    pack: Pack,
    statement: Statement,
    schema: DatabaseSchema,
    viewer: Viewer | None,
    new_key: str = "",
    rules: Rules | None = None,
) -> Query:
    """The SQL of the verb for the schema's dialect, narrowed to what the viewer may see or change.

    `rules` are what holds there for this viewer; by default what the pack itself says.

    Raises `ArgumentsNotFit` where the statement does not fit the verb, and `PolicyViolation`.
    """
    tree, values, _ = _narrowed(pack, statement, schema, viewer, new_key, rules)
    return query_of_tree(tree, schema.dialect, values)


def verb_queries(
    pack: Pack,
    statement: Statement,
    schema: DatabaseSchema,
    viewer: Viewer | None,
    summed: tuple[int, ...],
    rules: Rules | None = None,
) -> tuple[Query, Query]:
    """The query of a read verb, and the same one counted and added up by the database: how many rows, then
    the sum of each column that `summed` names by its place."""
    if not (pack.policies if rules is None else rules):
        spec, values = pack.verbs[statement.verb], verb_values(pack, statement)
        asked = (spec.sql, pack.dialect, schema.dialect)
        return template_of(*asked, _given(values)).with_values(values), template_of(
            *asked, _given(values), summed
        ).with_values(values)
    tree, values, plain = _narrowed(pack, statement, schema, viewer, "", rules)
    return (
        replace(
            query_of_tree(tree, schema.dialect, values),
            shown=plain.sql,
            shown_parameters=plain.parameters,
        ),
        query_of_tree(recounting(tree, summed), schema.dialect, values),
    )


def _given(values: dict[str, Value]) -> frozenset[str]:
    return frozenset(name for name, value in values.items() if value is not None)


def _narrowed(
    pack: Pack,
    statement: Statement,
    schema: DatabaseSchema,
    viewer: Viewer | None,
    new_key: str,
    rules: Rules | None,
) -> tuple[exp.Expr, dict[str, Value], Query]:
    """The statement of a verb under the rules, its values, and what may be shown of it."""
    values = verb_values(pack, statement, new_key)
    tree = parsed(pack.verbs[statement.verb].sql, pack.dialect)
    if rules is None:
        rules = with_views(rules_for((pack,), viewer), schema)
    narrowed = rules_applied(tree, rules, schema, Author.PACK)
    if isinstance(narrowed, PolicyRefusal):
        raise refused(narrowed)
    user: dict[str, Value] = {USER: viewer.name} if viewer is not None else {}
    return narrowed, {**values, **user}, query_of_tree(tree, schema.dialect, values)
