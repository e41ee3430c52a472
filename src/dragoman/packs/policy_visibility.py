"""The policies of packs over the verbs of tables: hidden columns are not there, and rows are narrowed."""

from collections.abc import Sequence

from sqlglot import exp

from dragoman.contracts.errors import InternalError
from dragoman.contracts.pack import Pack, Viewer
from dragoman.contracts.query import Query, Value
from dragoman.contracts.schema import DatabaseSchema, Dialect
from dragoman.databases.sql_text import place, written
from dragoman.packs.policies import (
    PolicyRefusal,
    policy_applied_for,
    rules_for,
    visible_schema,
)
from dragoman.packs.statements import USER
from dragoman.packs.verb_queries import refused


class PolicyVisibility:
    """What a viewer may see of the database that these packs are for; the policies of all of them hold."""

    def __init__(self, packs: Sequence[Pack], viewer: Viewer | None) -> None:
        self._packs = packs
        self._viewer = viewer
        self._whole: DatabaseSchema | None = None

    def schema(self, schema: DatabaseSchema) -> DatabaseSchema:
        self._whole = schema
        for pack in self._packs:
            schema = visible_schema(schema, rules_for(pack.policies, self._viewer, pack.dialect))
        return schema

    def written(self, tree: exp.Expr, dialect: Dialect, values: Sequence[Value]) -> Query:
        if self._whole is None:
            raise InternalError("a query was narrowed before its schema was known")
        bound = list(values)
        for pack in self._packs:
            narrowed = policy_applied_for(
                tree, pack.policies, self._viewer, self._whole, pack.dialect, ours=True
            )
            if isinstance(narrowed, PolicyRefusal):
                raise refused(narrowed)
            tree = narrowed
        for node in list(tree.find_all(exp.Placeholder)):
            if node.name == USER:
                node.replace(place(len(bound)))
                bound.append(self._viewer.name if self._viewer is not None else None)
        return written(tree, dialect, bound)
