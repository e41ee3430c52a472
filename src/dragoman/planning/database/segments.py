"""A message cut into pieces that mean something: cues, names, values, numbers, periods; and words left over."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.databases.values import ValueIndex
from dragoman.planning.database.knowledge import UNITS, Unit
from dragoman.planning.database.vocabulary import Adjective, Words, words_in
from dragoman.locales.documents import lexicon_of
from dragoman.locales.registry import FALLBACK, language
from dragoman.planning.tables.cues import Cue, cues_of, linking_words, number_of, working_words
from dragoman.planning.tables.lexicon import spoken
from dragoman.planning.tables.linking import Linker, Named
from dragoman.planning.tables.things import Thing, Things
from dragoman.planning.tables.value_linking import Valued
from dragoman.planning.tables.words import Kind, Token, tokens_of
from dragoman.reading.periods import PeriodMention

MOST_CUTS = 4


class Piece(StrEnum):
    CUE = "cue"
    NAME = "name"
    VALUE = "value"
    NUMBER = "number"
    PERIOD = "period"
    PART = "part"
    MONEY = "money"
    SOLD = "sold"
    SHARE = "share"
    WHO = "who"
    WHEN = "when"
    WHERE = "where"
    VERB = "verb"
    HOW = "how"
    UNIT = "unit"
    MARK = "mark"
    UNKNOWN = "unknown"


class Segment(Record, frozen=True):
    """Words `start` to `end` and what they are."""

    start: int
    end: int
    piece: Piece
    text: str
    stem: str = ""
    score: float = 0.0
    cue: str = ""
    kinds: frozenset[str] = frozenset()
    """All that a cue may be."""
    adjective: Adjective | None = None
    names: tuple[Named, ...] = ()
    values: tuple[Valued, ...] = ()
    number: float | None = None
    unit: Unit | None = None
    money: bool = False
    period: PeriodMention | None = None
    part: str = ""


class Cut(Record, frozen=True):
    """One way to cut a message."""

    segments: tuple[Segment, ...]
    score: float


class Segmenter:
    """Cuts messages against the names and values of one database."""

    def __init__(self, things: Things, values: ValueIndex, linker: Linker) -> None:
        self._things = things
        self._values = values
        self._linker = linker
        english = language(FALLBACK)
        self._small = working_words() | english.function_words() | frozenset(lexicon_of(english)["fillers"])

    def cuts(self, text: str, periods: Sequence[PeriodMention] = ()) -> list[Cut]:
        tokens = tokens_of(text)
        languages = spoken(text)
        words = words_in(languages)
        options = self._options(tokens, words, periods)
        # The best few ways to cover the words from left to right.
        best: dict[int, list[tuple[float, tuple[Segment, ...]]]] = {0: [(0.0, ())]}
        for at in range(len(tokens)):
            for score, segments in best.get(at, ()):
                for option in options[at]:
                    best.setdefault(option.end, []).append((score + option.score, (*segments, option)))
            for end in list(best):
                if end > at:
                    best[end] = sorted(best[end], key=lambda each: -each[0])[:MOST_CUTS]
        found = best.get(len(tokens), [])
        return [Cut(segments, score) for score, segments in found]

    def _options(
        self, tokens: tuple[Token, ...], words: Words, periods: Sequence[PeriodMention]
    ) -> list[list[Segment]]:
        links = self._linker.links(tokens)
        cues = cues_of(tokens)
        languages = spoken(" ".join(token.text for token in tokens))
        spans = _placed(periods, tokens)
        options: list[list[Segment]] = []
        for at, token in enumerate(tokens):
            found: list[Segment] = []
            numbers = _numbers(tokens, at, languages)
            measured = any(number.unit is not None or number.money or number.end > at + 1 for number in numbers)
            if not (measured and all(span.end == at + 1 for span in spans.get(at, ()))):
                found.extend(spans.get(at, ()))
            if not (spans.get(at) and not measured):
                found.extend(numbers)
            found.extend(_decades(tokens, at))
            found.extend(_how(tokens, at, words))
            if token.low in UNITS and at > 0 and tokens[at - 1].low == "in" and len(token.low) > 1:
                unit = UNITS[token.low]
                found.append(Segment(at, at + 1, Piece.UNIT, token.text, token.stem, 1.2, unit=unit))
            before = at == 0 or bool(cues.get(at - 1)) or tokens[at - 1].kind is not Kind.WORD
            found.extend(_cues(tokens, cues.get(at, ()), words, before))
            found.extend(_special(tokens, at, words))
            found.extend(_names(tokens, links.named.get(at, ())))
            found.extend(self._valued(tokens, links.valued.get(at, ()), words))
            known = any(segment.piece is not Piece.PERIOD for segment in found)
            if not known or (token.text[:1].isupper() and at > 0 and not cues.get(at)):
                found.extend(self._begun(tokens, at, cues, words))
            if token.kind is Kind.MARK:
                found.append(Segment(at, at + 1, Piece.MARK, token.text, token.low, 0.1))
            verb = token.stem in words.record_verbs or token.stem in words.date_verbs
            if verb and token.kind is Kind.WORD:
                found.append(Segment(at, at + 1, Piece.VERB, token.text, token.stem, 0.55))
            if token.low in linking_words() and not any(segment.end == at + 1 for segment in found):
                found.append(_fill(at, token))
            if not any(segment.end == at + 1 for segment in found):
                found.extend(_slips(at, token))
                found.extend(self._nearly(at, token))
                found.append(Segment(at, at + 1, Piece.UNKNOWN, token.text, token.stem, -0.6))
            options.append(found)
        return options

    def _valued(self, tokens: tuple[Token, ...], valued: tuple[Valued, ...], words: Words) -> list[Segment]:
        by_end: dict[int, list[Valued]] = {}
        for each in valued:
            token = tokens[each.start]
            if each.end == each.start + 1 and not each.quoted and token.kind is Kind.WORD:
                # A small word stands in data by chance, unless it is written as the data has it.
                short = len(token.low) <= 2 or (len(token.low) == 3 and each.value.isupper())
                small = token.low in self._small or short or token.low in words.plain
                if small and token.text != each.value:
                    continue
            by_end.setdefault(each.end, []).append(each)
        found = []
        for end, values in by_end.items():
            start = values[0].start
            length = end - start
            top = max(each.score for each in values)
            quoted = any(each.quoted for each in values)
            token = tokens[start]
            score = 1.15 * length * top
            if length == 1 and not quoted:
                capital = token.text[:1].isupper() and start > 0
                score = (1.05 if capital else 0.86) * top
                if token.kind is Kind.NUMBER:
                    score = 0.4
                elif len(token.low) <= 2 and not token.text.isupper():
                    score = 0.2
            if quoted:
                score = 1.6
            found.append(
                Segment(start, end, Piece.VALUE, _text(tokens, start, end), token.stem, score, values=tuple(values))
            )
        return found

    def _nearly(self, at: int, token: Token) -> list[Segment]:
        """A value with a slip of the keyboard."""
        if token.kind is not Kind.WORD or len(token.low) < 6:
            return []
        values = []
        for place, score in self._values.nearly(token.text)[:4]:
            thing = self._things.of_column.get((place.schema, place.table, place.column))
            if thing is not None:
                values.append(Valued(at, at + 1, thing, place.value, score * 0.7))
        if not values:
            return []
        return [Segment(at, at + 1, Piece.VALUE, token.text, token.stem, 0.4, values=tuple(values))]

    def _begun(
        self, tokens: tuple[Token, ...], at: int, cues: Mapping[int, tuple[Cue, ...]], words: Words
    ) -> list[Segment]:
        """Names by their beginning, or by a word that only few values have: United for United Air Lines."""
        token = tokens[at]
        if token.kind is not Kind.WORD or len(token.low) < 3 or token.low in self._small or token.low in words.plain:
            return []
        capital = token.text[:1].isupper() and at > 0
        found: list[Segment] = []
        for end in range(min(at + 4, len(tokens)), at, -1):
            span = tokens[at:end]
            if any(each.kind is not Kind.WORD for each in span) or cues.get(end - 1):
                continue
            text = " ".join(each.text for each in span)
            places = self._values.holding(text)
            if not places:
                continue
            columns: dict[tuple[str, str, str], list[str]] = {}
            for place in places:
                columns.setdefault((place.schema, place.table, place.column), []).append(place.value)
            values: list[Valued] = []
            for key, held in columns.items():
                thing = self._things.of_column.get(key)
                if thing is None or len(held) > 3:
                    continue
                low = text.casefold()
                begins = [value for value in held if value.casefold().startswith(low)]
                if not begins and not capital and end == at + 1:
                    continue
                for value in begins or held:
                    whole = 0.8 if begins else 0.6
                    values.append(Valued(at, end, thing, value, whole / len(begins or held)))
            if values:
                score = (0.75 if capital else 0.35) if end == at + 1 else 1.05 * (end - at)
                found.append(Segment(at, end, Piece.VALUE, text, token.stem, score, values=tuple(values[:8])))
                break
        return found


_MISSPELT = {
    "average": "average", "percentage": "share", "percent": "share", "different": "distinct", "distinct": "distinct",
    "total": "sum", "number": "count", "maximum": "max", "minimum": "min", "highest": "most", "lowest": "least",
}
"""Cues that are worth a slip of the keyboard."""


def _slips(at: int, token: Token) -> list[Segment]:
    if token.kind is not Kind.WORD or len(token.low) < 5:
        return []
    from rapidfuzz.distance import OSA

    near = [word for word in _MISSPELT if OSA.distance(token.low, word, score_cutoff=1) <= 1]
    if not near:
        return []
    kind = _MISSPELT[near[0]]
    if kind == "share":
        return [Segment(at, at + 1, Piece.SHARE, near[0], near[0], 0.6)]
    return [Segment(at, at + 1, Piece.CUE, near[0], near[0], 0.6, cue=kind, kinds=frozenset({kind}))]


def _fill(at: int, token: Token) -> Segment:
    """A verb that only links what is named says nothing more."""
    return Segment(at, at + 1, Piece.CUE, token.text, token.stem, 0.3, cue="fill", kinds=frozenset({"fill"}))


def _text(tokens: tuple[Token, ...], start: int, end: int) -> str:
    return " ".join(token.text for token in tokens[start:end])


def _placed(periods: Sequence[PeriodMention], tokens: tuple[Token, ...]) -> Mapping[int, list[Segment]]:
    found: dict[int, list[Segment]] = {}
    for period in periods:
        inside = [place for place, token in enumerate(tokens) if token.start < period.end and token.end > period.start]
        if inside:
            start, end = inside[0], inside[-1] + 1
            score = 1.25 * (end - start)
            found.setdefault(start, []).append(
                Segment(start, end, Piece.PERIOD, period.text, "", score, period=period)
            )
    return found


_TENS = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70,
         "eighties": 80, "nineties": 90}
_DECADE = re.compile(r"(?:(1[89]|20)?(\d)0)'?s$")


def _decades(tokens: tuple[Token, ...], at: int) -> list[Segment]:
    """The nineties, the 1990s."""
    token = tokens[at]
    written = _DECADE.fullmatch(token.low)
    if token.low in _TENS:
        first = 1900 + _TENS[token.low]
    elif written is not None:
        first = int(written.group(1) or 19) * 100 + int(written.group(2)) * 10
    else:
        return []
    last = PeriodMention(start=token.start, end=token.end, text=token.text, year=first + 9)
    period = PeriodMention(start=token.start, end=token.end, text=token.text, year=first, until=last)
    return [Segment(at, at + 1, Piece.PERIOD, token.text, token.stem, 1.3, period=period)]


def _how(tokens: tuple[Token, ...], at: int, words: Words) -> list[Segment]:
    """ "How long", "how old": the column that the adjective speaks of is asked for."""
    if tokens[at].low != "how" or at + 1 >= len(tokens):
        return []
    adjective = words.base.get(tokens[at + 1].low)
    if adjective is None:
        return []
    text = _text(tokens, at, at + 2)
    return [Segment(at, at + 2, Piece.HOW, text, tokens[at + 1].stem, 2.2, adjective=adjective)]


_SCALE = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "mln": 1e6, "bn": 1e9, "billion": 1e9}
_STUCK = re.compile(r"(\d+(?:\.\d+)?)(k|m|kg|g|km|cm|mm|ft|min|h|hrs|mb|gb|lbs?|%)$", re.IGNORECASE)


def _numbers(tokens: tuple[Token, ...], at: int, languages: tuple[str, ...]) -> list[Segment]:
    token = tokens[at]
    number = number_of(token, languages)
    money = token.text[:1] in "$€£"
    unit: Unit | None = None
    end = at + 1
    if number is None:
        stuck = _STUCK.fullmatch(token.low)
        if stuck is None:
            return []
        number = float(stuck.group(1))
        word = stuck.group(2).lower()
        if word in ("k", "m"):
            number *= _SCALE[word]
        else:
            unit = UNITS.get(word)
    if token.kind is Kind.WORD and token.low in ("single", "once", "half"):
        return []
    if at > 0 and tokens[at - 1].text in "$€£":
        money = True
    if end < len(tokens) and tokens[end].low in _SCALE and (len(tokens[end].low) > 1):
        number *= _SCALE[tokens[end].low]
        end += 1
    if unit is None and end < len(tokens) and tokens[end].low in UNITS and tokens[end].low not in ("day", "days"):
        unit = UNITS[tokens[end].low]
        end += 1
    elif end < len(tokens) and tokens[end].low in ("day", "days"):
        unit = UNITS["days"]
        end += 1
    if unit is not None and unit.dimension == "money":
        money, unit = True, None
    spelled = token.kind is Kind.WORD and unit is None and token.low == "one"
    compared = at > 0 and tokens[at - 1].low in ("than", "least", "most", "exactly", "only")
    score = 0.5 if spelled and not compared else 0.9 * (end - at)
    return [Segment(at, end, Piece.NUMBER, _text(tokens, at, end), token.low, score, number=number, unit=unit, money=money)]


_STRONG = frozenset({"count", "average", "sum", "max", "min", "most", "least", "common", "rare", "group", "order",
                     "above", "below", "at-least", "at-most", "or-more", "or-less", "between", "contains", "starts",
                     "ends", "not", "missing", "distinct", "limit", "ascending", "descending", "everything"})


def _cues(tokens: tuple[Token, ...], cues: tuple[Cue, ...], words: Words, cues_before: bool) -> list[Segment]:
    found: dict[int, Segment] = {}
    for cue in cues:
        length = cue.end - cue.start
        token = tokens[cue.start]
        adjective = None
        kind = cue.kind
        if length == 1:
            adjective = words.forms.get(token.low)
        elif length == 2 and kind in ("most", "least"):
            adjective = words.graded.get(tokens[cue.start + 1].low)
        elif length >= 2 and kind in ("above", "below"):
            adjective = words.forms.get(token.low)
        # A phone number of somebody is not a number of anybody.
        if kind == "count" and token.low == "number" and cue.start > 0 and not cues_before:
            continue
        # A noun in the plural is not the verb that sorts: "orders" names something, "order by" does not.
        if length == 1 and kind == "order" and token.low.startswith("order"):
            after = tokens[cue.end].low if cue.end < len(tokens) else ""
            if after not in ("by", "in", "from", "alphabetically", "descending", "ascending", "chronologically"):
                continue
        weight = 0.85 if kind in _STRONG else 0.62
        score = weight * length + (0.25 if length > 1 else 0)
        known = found.get(cue.end)
        if known is None:
            text = _text(tokens, cue.start, cue.end)
            found[cue.end] = Segment(
                cue.start, cue.end, Piece.CUE, text, token.stem, score, cue=kind, kinds=frozenset({kind}), adjective=adjective
            )
        else:
            found[cue.end] = replace(
                known, kinds=known.kinds | {kind}, score=max(known.score, score), adjective=known.adjective or adjective
            )
    return list(found.values())


def _special(tokens: tuple[Token, ...], at: int, words: Words) -> list[Segment]:
    """Words of analysts: money, trade, shares, parts of dates, adjectives that are graded."""
    found: list[Segment] = []
    stems = [token.stem for token in tokens]
    token = tokens[at]
    for length in (3, 2, 1):
        key = tuple(stems[at : at + length])
        if len(key) < length:
            continue
        for piece, known in (
            (Piece.MONEY, words.money),
            (Piece.SOLD, words.sold),
            (Piece.SHARE, words.share),
            (Piece.WHEN, words.when),
            (Piece.WHERE, words.where),
        ):
            if key in known:
                weight = 0.72 if piece in (Piece.MONEY, Piece.SOLD) else 0.8
                found.append(Segment(at, at + length, piece, _text(tokens, at, at + length), token.stem, weight * length + (0.45 if length > 1 else 0)))
        if key in words.parts:
            found.append(Segment(at, at + length, Piece.PART, _text(tokens, at, at + length), token.stem, 0.9 * length, part=words.parts[key]))
    if token.low in words.who:
        found.append(Segment(at, at + 1, Piece.WHO, token.text, token.stem, 0.9))
    adjective = words.forms.get(token.low)
    if adjective is not None and token.kind is Kind.WORD:
        superlative = token.low.endswith("st")
        kind = ("least" if adjective.least else "most") if superlative else ("below" if adjective.least else "above")
        after = stems[at + 1] if at + 1 < len(stems) else ""
        if superlative:
            found.append(Segment(at, at + 1, Piece.CUE, token.low, token.stem, 0.9, cue=kind, kinds=frozenset({kind}), adjective=adjective))
        elif after == "than":
            found.append(Segment(at, at + 2, Piece.CUE, token.low, token.stem, 2.1, cue=kind, kinds=frozenset({kind}), adjective=adjective))
    if token.low in ("most", "least") and at + 1 < len(tokens):
        graded = words.graded.get(tokens[at + 1].low)
        if graded is not None:
            least = (token.low == "least") != graded.least
            found.append(Segment(at, at + 2, Piece.CUE, _text(tokens, at, at + 2), token.stem, 2.1, cue="least" if least else "most", kinds=frozenset({"least" if least else "most"}), adjective=graded))
    if token.low == "more" and at + 2 < len(tokens) and tokens[at + 2].low == "than":
        graded = words.graded.get(tokens[at + 1].low)
        if graded is not None:
            kind = "below" if graded.least else "above"
            found.append(Segment(at, at + 3, Piece.CUE, _text(tokens, at, at + 3), token.stem, 3.0, cue=kind, kinds=frozenset({kind}), adjective=graded))
    return found


def _names(tokens: tuple[Token, ...], named: tuple[Named, ...]) -> list[Segment]:
    by_end: dict[int, list[Named]] = {}
    for each in named:
        # A verb that only links is no name by another word for it: "placed" is not a place.
        low = tokens[each.start].low
        if each.end == each.start + 1 and each.score < 0.95 and low in linking_words() and low.endswith(("ed", "ing", "n")):
            continue
        by_end.setdefault(each.end, []).append(each)
    found = []
    for end, names in by_end.items():
        start = names[0].start
        top = max(each.score for each in names)
        length = end - start
        content = sum(1 for token in tokens[start:end] if token.kind is not Kind.MARK)
        score = (1.0 * top + 0.08) * content + (0.3 if length > 1 and top >= 0.8 else 0)
        if top < 0.55:
            score -= 0.25 * content
        found.append(Segment(start, end, Piece.NAME, _text(tokens, start, end), tokens[start].stem, score, names=tuple(names)))
    return found


def things_of(segment: Segment) -> list[tuple[Thing, float]]:
    """The things a name may mean, each once, the best first."""
    best: dict[int, tuple[Thing, float]] = {}
    for each in segment.names:
        known = best.get(each.thing.number)
        if known is None or each.score > known[1]:
            best[each.thing.number] = (each.thing, each.score)
    return sorted(best.values(), key=lambda each: -each[1])
