"""What of a database somebody may see, as the verbs of tables ask it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from dragoman.contracts.query import Query, Value
from dragoman.contracts.schema import DatabaseSchema, Dialect

if TYPE_CHECKING:
    from sqlglot import exp


class Visibility(Protocol):
    """A pack's policies and a viewer. It is asked twice: for the columns there are, and for every query."""

    def schema(self, schema: DatabaseSchema) -> DatabaseSchema:
        """The schema without what is hidden."""

    def written(self, tree: "exp.Expr", dialect: Dialect, values: Sequence[Value]) -> Query:
        """A query of ours, narrowed and written down. Raises `PolicyViolation`."""
