"""How long something is or takes: the words that ask for it, for how late it was, and for how much time."""

from collections.abc import Collection, Container, Sequence

from msgspec.structs import replace

from dragoman.planning.database import word_segments
from dragoman.planning.database.date_verbs import DateVerbs
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.segments import Piece, Segment, text_of
from dragoman.planning.database.silent_units import unit_of
from dragoman.planning.database.units import UNITS
from dragoman.planning.database.vocabulary import Adjective, Words, english
from dragoman.planning.database.word_segments import cue_segment
from dragoman.planning.tables.words import Token, stem

_SHORT = 2


class LengthSegments:
    """Finds such words, where a database has something that lasts, or is planned for a day."""

    def __init__(self, knowledge: Knowledge, dates: DateVerbs, names: Container[str]) -> None:
        """`names`: the words of the names of tables and columns, as stems."""
        self._dates = dates
        self._names = names
        units = map(unit_of, knowledge.facts.values())
        self._timed = any(unit is not None and unit.dimension == "time" for unit in units)

    def segments(
        self, tokens: Sequence[Token], at: int, words: Words, dated: Collection[int]
    ) -> list[Segment]:
        """What a word may begin. `dated`: where periods begin."""
        found = [*how(tokens, at, words, dated), *named_superlatives(tokens, at, self._names)]
        if self._timed:
            found += amounts_of_time(tokens, at, self._names)
            found += time_spent(tokens, at)
        if self._timed or self._dates.paired:
            found += lasting(tokens, at)
        if self._dates.planned(words):
            found += word_segments.late(tokens, at, words)
            if not any(stem(word) in self._names for word in english().delays):
                found += delays(tokens, at)
        return found


def how(tokens: Sequence[Token], at: int, words: Words, dated: Collection[int] = ()) -> list[Segment]:
    """ "How long", "how old": the column that the adjective speaks of is asked for."""
    if tokens[at].low != "how" or at + 1 >= len(tokens):
        return []
    adjective = words.base.get(tokens[at + 1].low)
    unit = UNITS.get(tokens[at + 2].low) if at + 2 < len(tokens) and tokens[at + 1].low == "many" else None
    if unit is not None and unit.dimension == "time" and _takes_time(tokens, at + 3, dated):
        # "How many days does it take": how long, in days.
        text, long = text_of(tokens, at, at + 3), words.base["long"]
        return [Segment(at, at + 3, Piece.HOW, text, tokens[at + 2].stem, 3.2, adjective=long, unit=unit)]
    if adjective is None:
        return []
    text = text_of(tokens, at, at + 2)
    return [Segment(at, at + 2, Piece.HOW, text, tokens[at + 1].stem, 2.2, adjective=adjective)]


def _takes_time(tokens: Sequence[Token], at: int, dated: Collection[int]) -> bool:
    """Whether something lasts so long: by a verb behind it, or from one thing to another. "Between March and
    May" is a period."""
    rest = range(at, len(tokens))
    both = {" ".join(each.low for each in tokens[place : place + 2]) for place in rest}
    if not both.isdisjoint(english().duration_verbs):
        return True
    return any(
        tokens[place].low in english().duration_verbs
        or (tokens[place].low in english().span_words and place not in dated and place + 1 not in dated)
        for place in rest
    )


def amounts_of_time(tokens: Sequence[Token], at: int, names: Container[str]) -> list[Segment]:
    """ "How many hours": a length of time, where rows have one and nothing is called so."""
    said = " ".join(token.low for token in tokens[at : at + 2])
    unit = UNITS.get(tokens[at + 2].low) if said == "how many" and at + 2 < len(tokens) else None
    if unit is None or unit.dimension != "time" or unit.factor >= UNITS["day"].factor:
        return []
    if tokens[at + 2].stem in names:
        return []
    text = text_of(tokens, at, at + 3)
    kinds = frozenset({"count"})
    return [Segment(at, at + 3, Piece.UNIT, text, tokens[at + 2].stem, 3.1, kinds=kinds, unit=unit)]


def time_spent(tokens: Sequence[Token], at: int) -> list[Segment]:
    """ "The total time spent on repairs": the length of time that rows have."""
    said = " ".join(token.low for token in tokens[at : at + 2])
    if said not in english().time_spent:
        return []
    text = text_of(tokens, at, at + 2)
    return [Segment(at, at + 2, Piece.UNIT, text, tokens[at].stem, 2.1, kinds=frozenset({"count", "time"}))]


def named_superlatives(tokens: Sequence[Token], at: int, names: Container[str]) -> list[Segment]:
    """ "The snowiest day", where a column is called snow."""
    low, known = tokens[at].low, english()
    base = low.removesuffix("iest")
    nouns = (base, base + base[-1:], base[:-1]) if base != low else ()
    noun = next((each for each in nouns if len(each) > _SHORT and stem(each) in names), None)
    if noun is None or low in known.forms:
        return []
    adjective = Adjective(words=(noun,))
    return [replace(cue_segment(tokens, at, at + 1, "most", 0.9, adjective), text=low)]


def lasting(tokens: Sequence[Token], at: int) -> list[Segment]:
    """Words for how long something takes; likelier where something is long."""
    found = []
    long = any(token.low in ("long", "longest", "longer") for token in tokens)
    for length in (5, 4, 3, 2, 1):
        said = " ".join(token.low for token in tokens[at : at + length])
        if at + length <= len(tokens) and (said in english().lengths or said in english().duration_verbs):
            score = 0.66 * length + (0.3 if length > 1 else 0) + (0.3 if long else 0)
            text = text_of(tokens, at, at + length)
            found.append(Segment(at, at + length, Piece.LASTS, text, tokens[at].stem, score))
    return found


def delays(tokens: Sequence[Token], at: int) -> list[Segment]:
    """How long after the day that was planned, where no column says it."""
    if tokens[at].low not in english().delays:
        return []
    return [Segment(at, at + 1, Piece.LASTS, tokens[at].text, tokens[at].stem, 1.3)]
