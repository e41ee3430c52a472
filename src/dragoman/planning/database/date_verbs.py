"""Verbs before a period: they say which of the dates is meant, whatever else they may name."""

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.segments import Piece, Segment
from dragoman.planning.database.verb_forms import speaks_of
from dragoman.planning.database.vocabulary import Words, english
from dragoman.planning.database.word_segments import is_noun
from dragoman.planning.tables.cues import working_words
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import Kind, Token

_SURE = 1.5
_LIKELY = 1.1
_SURE_NAME, _LIKELY_NAME = 0.9, 0.6
_WORDS_BETWEEN = 3
_OBJECT = 4
_CALENDAR = (Role.YEAR, Role.MONTH)


class DateVerbs:
    """Finds the verbs that speak of a date of one database."""

    def __init__(self, knowledge: Knowledge) -> None:
        dates = [date for table in knowledge.things.graph.tables.values() for date in knowledge.dated(table)]
        parts = [each.thing for each in knowledge.facts.values() if each.role in _CALENDAR]
        self._dates = [*dates, *parts]
        tables = knowledge.things.graph.tables.values()
        self.paired = any(len(knowledge.dates(table)) > 1 for table in tables)
        """Whether anything has a first and a last day."""
        self._known: dict[str, bool] = {}
        self._planned: bool | None = None

    def before_period(
        self,
        tokens: Sequence[Token],
        at: int,
        words: Words,
        periods: Collection[int],
        options: Sequence[Sequence[Segment]],
        found: Sequence[Segment],
    ) -> list[Segment]:
        """The word at a place as such a verb. `options`: what the words before it may be; `found`: what else
        it may be itself."""
        token = tokens[at]
        # "How many orders in May": whatever has an order date, nobody orders.
        least = _LIKELY_NAME if is_noun(tokens, at) else _SURE_NAME
        if token.kind is not Kind.WORD or token.low in working_words() or _is_table(found, at + 1, least):
            return []
        near = _leads(tokens, at + 1, periods)
        if not near and not (_is_past(token) and _led_to(tokens, at + 1, periods)):
            return []
        # "How much was paid in May" asks for money; "invoices paid in May" does not.
        money = any(each.piece in (Piece.MONEY, Piece.SOLD) for each in found)
        if money and not (at > 0 and _is_table(options[at - 1], at, _SURE_NAME)):
            return []
        if not self._speaks(words, token.stem):
            return []
        return [Segment(at, at + 1, Piece.VERB, token.text, token.stem, _SURE if near else _LIKELY)]

    def sure(
        self, tokens: Sequence[Token], words: Words, periods: Collection[int], found: Sequence[Segment]
    ) -> list[Segment]:
        """Verbs of two words before a period, that a date answers: came back in May."""
        return [
            replace(each, score=each.score + _SURE)
            if each.piece is Piece.VERB
            and each.end - each.start > 1
            and _leads(tokens, each.end, periods)
            and self._speaks(words, each.stem)
            else each
            for each in found
        ]

    def planned(self, words: Words) -> bool:
        """Whether anything is planned for a day."""
        if self._planned is None:
            self._planned = any(words.planned & set(date.words) for date in self._dates)
        return self._planned

    def _speaks(self, words: Words, verb: str) -> bool:
        known = self._known.get(verb)
        if known is None:
            known = self._known[verb] = any(_named_by(words, verb, date) for date in self._dates)
        return known


def _named_by(words: Words, verb: str, date: Thing) -> bool:
    return verb not in words.any_date and speaks_of(words, verb, date)


def _is_table(found: Sequence[Segment], end: int, least: float) -> bool:
    """Whether a word names a table, as well as `least`."""
    names = (name for each in found if each.piece is Piece.NAME and each.end == end for name in each.names)
    return any(name.thing.column is None and name.score >= least for name in names)


def _leads(tokens: Sequence[Token], at: int, periods: Collection[int]) -> bool:
    """Whether a period follows, with nothing between but small words."""
    for place in range(at, min(at + _WORDS_BETWEEN + 1, len(tokens))):
        if place in periods:
            return True
        if tokens[place].low not in english().before_periods:
            return False
    return False


def _is_past(token: Token) -> bool:
    return token.low.endswith("ed") or not token.low.startswith(token.stem[:-1])


def _led_to(tokens: Sequence[Token], at: int, periods: Collection[int]) -> bool:
    """Whether a period follows behind an object: left the team in 2020."""
    for place in range(at, min(at + _OBJECT + 1, len(tokens))):
        if place in periods:
            return True
        if tokens[place].kind is not Kind.WORD or tokens[place].low in ("and", "or"):
            return False
    return False
