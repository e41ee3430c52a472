"""Words for rows below others of their kind: subdocks, sub-tasks, subcategories."""

from collections.abc import Sequence

from dragoman.planning.database.joins import Joins
from dragoman.planning.database.segments import Piece, Segment
from dragoman.planning.tables.name_linker import Linker, Named
from dragoman.planning.tables.words import Kind, Token, tokens_of
from dragoman.tables.graph import Graph

_WITHIN = "sub"
_SHORTEST = 3
_LEAST, _SURE, _WORTH = 0.55, 0.95, 1.1


class RowsBelow:
    """Knows which tables have rows below others, and the words for those."""

    def __init__(self, graph: Graph, linker: Linker) -> None:
        joins = Joins(graph)
        self._tables = {table.key for table in graph.tables.values() if joins.link_up(table) is not None}
        self._linker = linker

    def alone(self, tokens: Sequence[Token], at: int, found: list[Segment]) -> list[Segment]:
        """The pieces that begin at a word: subdocks are no docks of any other kind."""
        below = self._at(tokens, at)
        if not below:
            return found
        return [each for each in found if each.piece is not Piece.NAME or each.end > at + 1] + below

    def _at(self, tokens: Sequence[Token], at: int) -> list[Segment]:
        token = tokens[at]
        rest = token.low.removeprefix(_WITHIN).lstrip("-")
        if not self._tables or token.kind is not Kind.WORD or rest == token.low or len(rest) < _SHORTEST:
            return []
        known = self._linker.links((token,)).named.get(0, ())
        if any(each.score >= _SURE for each in known):
            return []
        links = self._linker.links(tokens_of(rest))
        found = [
            Named(at, at + 1, each.thing, max(each.score, 0.9))
            for each in links.named.get(0, ())
            if not each.slip
            and each.thing.column is None
            and each.thing.table.key in self._tables
            and each.score >= _LEAST
        ]
        if not found:
            return []
        text = token.text
        return [Segment(at, at + 1, Piece.NAME, text, token.stem, _WORTH, names=tuple(found), below=True)]
