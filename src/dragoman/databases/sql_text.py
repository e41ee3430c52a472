"""A tree of SQL written down for a dialect: names quoted, values as `?`, the parameters in their order."""

import re
from collections.abc import Sequence

from sqlglot import exp

from dragoman.contracts.errors import InternalError
from dragoman.contracts.query import Query, Value
from dragoman.contracts.schema import Dialect
from dragoman.databases.shallow_sql import shallow


def place(number: int) -> exp.Placeholder:
    """Where the value with this number stands in a tree."""
    return exp.Placeholder(this=str(number))


def written(tree: exp.Expr, dialect: Dialect, values: Sequence[Value], *, as_given: bool = False) -> Query:
    """The query of a tree whose placeholders are numbers of values. The tree is used up.

    `as_given` leaves names as they were written: to SQLite a name in quotes that is no column is a text.
    """
    if not (dialect.nests_deeply or as_given):
        tree = shallow(tree)
    mark = _unlike_any_name(tree)
    for node in list(tree.find_all(exp.Placeholder)):
        node.set("this", f"{mark}{node.name}")
    text = tree.sql(dialect=dialect.value, identify=not as_given, comments=False)
    order: list[int] = []

    def number(found: re.Match[str]) -> str:
        order.append(int(found[1] or found[2]))
        return "?"

    # As the dialects write a named parameter: `%(name)s`, `:name`, `$name`.
    sql = re.sub(rf"%\({mark}(\d+)\)s|[:@$]{mark}(\d+)", number, text)
    if set(order) != set(range(len(values))):
        raise InternalError("a parameter was lost while SQL was written")
    return Query(sql, tuple(values[each] for each in order))


def _unlike_any_name(tree: exp.Expr) -> str:
    """A mark that stands in no name and no text of the tree, whatever its tables and columns are called."""
    said = [str(node.this) for node in tree.find_all(exp.Identifier, exp.Literal, exp.Var)]
    number = 0
    while any(f"dragoman_{number}_value_" in each for each in said):
        number += 1
    return f"dragoman_{number}_value_"
