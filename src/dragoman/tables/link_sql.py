"""Links as SQL: which columns of two rows must be equal for one to lead to the other."""

from sqlglot import exp

from dragoman.contracts.schema import Dialect
from dragoman.tables import expressions
from dragoman.tables.graph import Graph, Link
from dragoman.tables.paths import ColumnPath


class LinkSql:
    """Writes what holds between a row and those that a link leads to."""

    def __init__(self, graph: Graph, dialect: Dialect) -> None:
        self._graph = graph
        self._dialect = dialect

    def near(self, alias: str, link: Link) -> list[exp.Expr]:
        """What must be equal, on the side from which a link leads."""
        if link.apart:
            return [self._compared(alias, link)]
        return [expressions.column(alias, name) for name, _ in link.pairs]

    def far(self, alias: str, link: Link) -> list[exp.Expr]:
        if link.apart:
            return [self._compared(alias, link)]
        return [expressions.column(alias, name) for _, name in link.pairs]

    def matched(self, before: str, there: str, link: Link) -> list[exp.Expr]:
        """What must hold of two rows that stand side by side."""
        pairs = zip(self.near(before, link), self.far(there, link), strict=True)
        found: list[exp.Expr] = [exp.EQ(this=far, expression=near) for near, far in pairs]
        if link.apart:
            itself = [
                exp.EQ(this=a, expression=b) for a, b in zip(key(there, link), key(before, link), strict=True)
            ]
            found.append(exp.Not(this=exp.Paren(this=exp.and_(*itself, copy=False))))
        return found

    def _compared(self, alias: str, link: Link) -> exp.Expr:
        # A key points at what it is the key of as the database compares the two. Other values are the same
        # where they are the same on every engine.
        ((name, _),) = link.pairs
        known = self._graph.tables[link.target].by_real_name[name]
        tree = expressions.column(alias, name)
        if link.part is not None:
            return exp.Paren(this=expressions.gathered(tree, ColumnPath((), known, link.part), self._dialect))
        return expressions.key(expressions.plain(tree, known, self._dialect), known.type, self._dialect)


def key(alias: str, link: Link) -> list[exp.Expr]:
    """The key of a row, by which it is not its own other."""
    return [expressions.column(alias, name) for name in link.apart]
