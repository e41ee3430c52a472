"""Generated columns in the text that made a table, for databases whose catalog says only that they are."""

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from dragoman.contracts.schema import Dialect


def computed_from(declaration: str, column: str, dialect: Dialect) -> str:
    """The expression of a generated column; the whole declaration where it cannot be found in there."""
    try:
        tree = sqlglot.parse_one(declaration, read=dialect.value)
    except (SqlglotError, RecursionError):
        return declaration
    for made in tree.find_all(exp.ColumnDef):
        found = made.find(exp.ComputedColumnConstraint, exp.GeneratedAsRowColumnConstraint)
        if made.name.casefold() == column.casefold() and isinstance(found, exp.ComputedColumnConstraint):
            return str(found.this.sql(dialect=dialect.value))
    return declaration
