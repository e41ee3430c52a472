"""A statement that calls a verb of a pack, as the query that a viewer may run."""

from dragoman.catalog.packs.arguments import verb_values
from dragoman.catalog.packs.policies import PolicyRefusal, policy_applied_for
from dragoman.catalog.packs.queries import parsed, query_of_tree
from dragoman.catalog.packs.statements import USER
from dragoman.contracts.errors import PolicyViolation
from dragoman.contracts.pack import Pack, Viewer
from dragoman.contracts.program import Statement
from dragoman.contracts.query import Query
from dragoman.contracts.schema import DatabaseSchema


def verb_query(
    pack: Pack, statement: Statement, schema: DatabaseSchema, viewer: Viewer | None, new_key: str = ""
) -> Query:
    """The SQL of the verb for the schema's dialect, narrowed to what the viewer may see or change.

    Raises `ArgumentsNotFit` where the statement does not fit the verb, and `PolicyViolation`.
    """
    values = verb_values(pack, statement, new_key)
    tree = parsed(pack.verbs[statement.verb].sql, pack.dialect)
    narrowed = policy_applied_for(tree, pack.policies, viewer, schema, pack.dialect)
    if isinstance(narrowed, PolicyRefusal):
        raise refused(narrowed)
    user = {USER: viewer.name} if viewer is not None else {}
    return query_of_tree(narrowed, schema.dialect, {**values, **user})


def refused(refusal: PolicyRefusal) -> PolicyViolation:
    return PolicyViolation(refusal.message, hint=refusal.hint, rule=refusal.code, name=refusal.name)
