"""Words before a noun that say what its rows are: their own value or flag comes before those of others."""

from collections.abc import Sequence

from msgspec.structs import replace

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.segments import Piece, Segment, text_of
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import Kind, Token
from dragoman.tables.graph import TableKey

_SURE = 0.95
_AKIN = 0.85
_MOST_KINDS = 50
"""More different values than that are names, and no kinds."""
_SHORTEST_VERB = 4

Options = list[list[Segment]]


class OwnValues:
    """Knows which columns rows have themselves."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    def first(self, options: Options, tokens: Sequence[Token]) -> Options:
        """What each word may begin, without what only rows of other tables are: "active members", where
        members have a status of their own, speaks of no flag of their club."""
        found = [self._of_noun(each, options, tokens) for each in options]
        return [[*each, *self._done_so(found, at, tokens)] for at, each in enumerate(found)]

    def _of_noun(self, found: list[Segment], options: Options, tokens: Sequence[Token]) -> list[Segment]:
        for end in {each.end for each in found if each.piece in (Piece.VALUE, Piece.NAME)}:
            rows = _named_rows(options, end)
            here = [each for each in found if each.end == end]
            if rows and any(self._is_own(each, rows) for each in here):
                capital = any(token.text[:1].isupper() for token in tokens[here[0].start : end])
                others = [each for each in found if each.end != end]
                own = (self._only_own(each, rows, capital=capital) for each in here)
                found = [*others, *(each for each in own if each is not None)]
        return found

    def _is_own(self, segment: Segment, rows: frozenset[TableKey]) -> bool:
        values = (each.thing for each in segment.values if each.score >= _AKIN and not each.inside)
        flags = (each.thing for each in segment.names if each.score >= _SURE and self._is_flag(each.thing))
        kinds = (each for each in values if self._is_kind(each))
        return any(each.table.key in rows for each in (*kinds, *flags))

    def _only_own(self, segment: Segment, rows: frozenset[TableKey], *, capital: bool) -> Segment | None:
        """What is left of a piece. A name with a capital may be that of something else all the same."""
        if segment.piece is Piece.PART:
            return None
        if segment.piece is Piece.VALUE and not capital:
            own = tuple(each for each in segment.values if each.thing.table.key in rows)
            return replace(segment, values=own) if own else None
        if segment.piece is Piece.NAME:
            kept = tuple(
                each
                for each in segment.names
                if each.thing.table.key in rows or not self._is_flag(each.thing)
            )
            return replace(segment, names=kept) if kept else None
        return segment

    def _is_flag(self, thing: Thing) -> bool:
        return thing.column is not None and self._knowledge.role(thing) is Role.FLAG

    def _is_kind(self, thing: Thing) -> bool:
        distinct = None if thing.column is None else thing.column.info.distinct
        return self._knowledge.role(thing) is Role.CATEGORY and (distinct or 0) <= _MOST_KINDS

    def _done_so(self, options: Options, at: int, tokens: Sequence[Token]) -> list[Segment]:
        """ "Billed monthly", "billed to Oslo": of a column whose name has the verb before the value."""
        verb = tokens[at]
        if verb.kind is not Kind.WORD or len(verb.stem) < _SHORTEST_VERB or not verb.low.endswith("ed"):
            return []
        led = at + 1 < len(tokens) and tokens[at + 1].low in english().prepositions
        if led and any(
            text_of(tokens, place, place + 2).casefold() in english().amounts for place in range(at)
        ):
            # "How much was billed to Oslo": the verb says that it is money.
            return []
        found = []
        for each in options[at + 1 + led] if at + 1 + led < len(options) else ():
            values = tuple(
                value
                for value in each.values
                if verb.stem in value.thing.words and (led or self._is_kind(value.thing))
            )
            if values:
                text = text_of(tokens, at, each.end)
                score = 1.15 * (each.end - at)
                found.append(Segment(at, each.end, Piece.VALUE, text, verb.stem, score, values=values))
        return found


def _named_rows(options: Options, at: int) -> frozenset[TableKey]:
    """The tables whose rows a noun certainly names, the longest name first."""
    names = [each for each in options[at] if each.piece is Piece.NAME] if at < len(options) else []
    longest = max((each.end for each in names), default=0)
    return frozenset(
        named.thing.table.key
        for each in names
        if each.end == longest
        for named in each.names
        if named.thing.column is None and named.score >= _SURE
    )
