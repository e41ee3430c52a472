"""What could be offered is tried: hardly anybody asks for what is not there, or for hundreds of rows."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Integer, Statement
from dragoman.planning.database.sameness import is_one_figure

_MOST = 6
"""So many readings are tried at most: each costs a query."""
_MANY = 100
_OF_FIGURES = frozenset({"of", "distinct", "also", "columns", "order"})

Tried = Callable[[Statement, bool], int | None]
"""How many rows a statement gives that follows, or does not follow, what was asked before; None where that is
not soon known, or tells nothing."""


def marks_of_trying(asked: Sequence[tuple[Statement, bool]], tried: Tried) -> list[dict[str, float]]:
    """What trying the statements tells, in their order. Behind one that takes too long none is tried."""
    found: list[dict[str, float]] = []
    for statement, follows in asked[:_MOST]:
        rows = tried(rows_behind(statement), follows)
        if rows is None:
            break
        found.append(
            {"nothing": float(rows == 0), "one row": float(rows == 1), "many rows": float(rows > _MANY)}
        )
    return [*found, *({} for _ in asked[len(found) :])]


def rows_behind(statement: Statement) -> Statement:
    """A figure is one row, whatever it is of: one of the rows behind it is asked for."""
    if not is_one_figure(statement):
        return statement
    table = statement.verb.rpartition(".")[0]
    held = tuple(each for each in statement.arguments if each.name not in _OF_FIGURES)
    return replace(statement, verb=f"{table}.list", arguments=(*held, Argument("limit", Integer(1))))
