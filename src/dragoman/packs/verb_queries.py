"""A statement that calls a verb of a pack, as the query that a viewer may run."""

from sqlglot import exp

from dragoman.contracts.errors import PolicyViolation
from dragoman.contracts.pack import Pack, Viewer
from dragoman.contracts.program import Statement
from dragoman.contracts.query import Query, Value
from dragoman.contracts.schema import DatabaseSchema
from dragoman.packs.arguments import verb_values
from dragoman.packs.policies import PolicyRefusal, policy_applied_for
from dragoman.packs.queries import parsed, query_of_tree, recounting, template_of
from dragoman.packs.statements import USER


def verb_query(
    pack: Pack, statement: Statement, schema: DatabaseSchema, viewer: Viewer | None, new_key: str = ""
) -> Query:
    """The SQL of the verb for the schema's dialect, narrowed to what the viewer may see or change.

    Raises `ArgumentsNotFit` where the statement does not fit the verb, and `PolicyViolation`.
    """
    tree, values = _narrowed(pack, statement, schema, viewer, new_key)
    return query_of_tree(tree, schema.dialect, values)


def verb_queries(
    pack: Pack, statement: Statement, schema: DatabaseSchema, viewer: Viewer | None, summed: tuple[int, ...]
) -> tuple[Query, Query]:
    """The query of a read verb, and the same one counted and added up by the database: how many rows, then
    the sum of each column that `summed` names by its place."""
    if not pack.policies:
        spec, values = pack.verbs[statement.verb], verb_values(pack, statement)
        asked = (spec.sql, pack.dialect, schema.dialect)
        return template_of(*asked, _given(values)).with_values(values), template_of(
            *asked, _given(values), summed
        ).with_values(values)
    tree, values = _narrowed(pack, statement, schema, viewer, "")
    return (
        query_of_tree(tree, schema.dialect, values),
        query_of_tree(recounting(tree, summed), schema.dialect, values),
    )


def _given(values: dict[str, Value]) -> frozenset[str]:
    return frozenset(name for name, value in values.items() if value is not None)


def _narrowed(
    pack: Pack, statement: Statement, schema: DatabaseSchema, viewer: Viewer | None, new_key: str
) -> tuple[exp.Expr, dict[str, Value]]:
    values = verb_values(pack, statement, new_key)
    tree = parsed(pack.verbs[statement.verb].sql, pack.dialect)
    narrowed = policy_applied_for(tree, pack.policies, viewer, schema, pack.dialect)
    if isinstance(narrowed, PolicyRefusal):
        raise refused(narrowed)
    user: dict[str, Value] = {USER: viewer.name} if viewer is not None else {}
    return narrowed, {**values, **user}


def refused(refusal: PolicyRefusal) -> PolicyViolation:
    return PolicyViolation(refusal.message, hint=refusal.hint, rule=refusal.code, name=refusal.name)
