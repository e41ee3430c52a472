"""The words of a message about one row: which say nothing, which open, which point at the row in hand."""

from collections.abc import Iterable
from enum import StrEnum
from functools import cache, lru_cache

from dragoman.contracts.record import Record
from dragoman.locales.documents import rows_of
from dragoman.locales.language import Language
from dragoman.planning.database.lean import is_written_as_name
from dragoman.planning.tables.lexicon import others_spoken
from dragoman.planning.tables.words import Kind, Token, tokens_of
from dragoman.reading.languages import spoken_with
from dragoman.reading.periods import PeriodMention
from dragoman.reading.reading import MentionKind, Reading

_LONGEST = 4
_OPENERS = "\"'“„«‘`"
_CLOSERS = "\"'”“»’`"


@lru_cache(maxsize=8)
def _languages(language: str, text: str) -> tuple[Language, ...]:
    """The languages of a message, found once for every question about it."""
    return spoken_with(language, text).languages


class Part(StrEnum):
    """What a word is to a message about a row."""

    SMALL = "small"
    OPENING = "opening"
    ROW = "row"
    PRONOUN = "pronoun"
    PLURAL = "plural"
    POINTING = "pointing"
    HAVING = "having"
    COUNTING = "counting"
    EVERYTHING = "everything"
    EACH = "each"
    PICK = "pick"
    PERIOD = "period"
    MARK = "mark"
    CONTENT = "content"


_SECTIONS = {
    Part.EACH: "each",
    Part.EVERYTHING: "everything",
    Part.COUNTING: "counting",
    Part.PRONOUN: "pronouns",
    Part.PLURAL: "plural_pronouns",
    Part.POINTING: "pointing",
    Part.OPENING: "opening",
    Part.ROW: "row",
    Part.SMALL: "small",
    Part.HAVING: "having",
}
"""Where the words of a part stand. A word of two sections is what the first says."""

_PICKS = (MentionKind.ORDINAL, MentionKind.SUPERLATIVE)


class Word(Record, frozen=True):
    """A word and what it is to the message."""

    token: Token
    part: Part


class Said(Record, frozen=True):
    """A message, word by word."""

    text: str
    words: tuple[Word, ...]
    language: str
    dates: tuple[PeriodMention, ...] = ()

    def has(self, *parts: Part) -> bool:
        return any(word.part in parts for word in self.words)

    def of(self, *parts: Part) -> tuple[Token, ...]:
        return tuple(word.token for word in self.words if word.part in parts)

    @property
    def content(self) -> tuple[Token, ...]:
        """The words that say what is asked for."""
        return self.of(Part.CONTENT)

    def only(self, *parts: Part) -> bool:
        return all(word.part in parts for word in self.words)

    def without(self, *parts: Part) -> str:
        """The text with some words blanked, every other in its place."""
        rest = list(self.text)
        for token in self.of(*parts):
            rest[token.start : token.end] = " " * (token.end - token.start)
        return "".join(rest)


def asks(said: Said, what: str) -> bool:
    """Whether a word of the message asks for somebody, or for a time."""
    return place_of(said, what) is not None


def place_of(said: Said, what: str) -> int | None:
    """Which word of the message asks for that."""
    known = {
        str(word).casefold()
        for language in _languages(said.language, said.text)
        for word in rows_of(language)[what]
    }
    return next((place for place, word in enumerate(said.words) if word.token.low in known), None)


class Clicked(Record, frozen=True):
    """The name of an object that was clicked on a page, and what is said of it."""

    name: str
    rest: str


@cache
def _words(language: Language) -> dict[tuple[str, ...], Part]:
    """Phrases of a language, by their words."""
    document = rows_of(language)
    found: dict[tuple[str, ...], Part] = {}
    for part, section in _SECTIONS.items():
        for phrase in document[section]:
            found.setdefault(tuple(str(phrase).casefold().split()), part)
    return found


def said(text: str, reading: Reading) -> Said:
    """The message, with the part of each word. What picks a row by its place or amount was read before."""
    known = [_words(language) for language in _languages(reading.language, text)]
    picks = [(m.start, m.end) for m in reading.mentions if m.kind in _PICKS]
    # Other planners read the periods of English questions better than a schema alone can.
    foreign = bool(others_spoken(text))
    spans = [(p.start, p.end) for p in reading.dates] if foreign else []
    tokens = tokens_of(text)
    parts: list[Part] = []
    while len(parts) < len(tokens):
        parts += _unless_name(tokens[len(parts)], text, _next(tokens[len(parts) :], known, picks))
    words = tuple(
        Word(token, _in_place(token, part, describes=_describes(place, parts), spans=spans))
        for place, (token, part) in enumerate(zip(tokens, parts, strict=True))
    )
    return Said(text, words, reading.language, reading.dates if foreign else ())


def _unless_name(token: Token, text: str, parts: list[Part]) -> list[Part]:
    """ "And for IT" is about a department, and about no row."""
    points = parts[0] in (Part.PRONOUN, Part.PLURAL, Part.POINTING)
    return [Part.CONTENT] if points and is_written_as_name(token.text, text) else parts


def _in_place(token: Token, part: Part, *, describes: bool, spans: list[tuple[int, int]]) -> Part:
    if any(start <= token.start < end for start, end in spans):
        return Part.PERIOD
    return Part.CONTENT if describes else part


def _describes(place: int, parts: list[Part]) -> bool:
    """Whether a word that could open something says of what stands behind it how it is: his open orders."""
    leads = all(part in (Part.SMALL, Part.MARK) for part in parts[:place])
    before_noun = parts[place + 1 : place + 2] == [Part.CONTENT]
    return parts[place] is Part.OPENING and not leads and before_noun


def _next(
    tokens: tuple[Token, ...], known: Iterable[dict[tuple[str, ...], Part]], picks: list[tuple[int, int]]
) -> list[Part]:
    first = tokens[0]
    if first.kind is Kind.MARK:
        return [Part.MARK]
    for length in range(min(_LONGEST, len(tokens)), 0, -1):
        form = tuple(token.low for token in tokens[:length])
        part = next((words[form] for words in known if form in words), None)
        if part is not None and first.kind is Kind.WORD and not _inside(first, picks, part):
            return [part] * length
    return [Part.PICK] if any(start <= first.start < end for start, end in picks) else [Part.CONTENT]


def _inside(token: Token, picks: list[tuple[int, int]], part: Part) -> bool:
    """Whether a word belongs to what picks a row: the last of "the last". An article beside it does not."""
    silent = part in (Part.SMALL, Part.ROW, Part.OPENING)
    return not silent and any(start <= token.start < end for start, end in picks)


def clicked(text: str, language: str) -> Clicked | None:
    """The object that the page names as selected, where the message begins with that."""
    low = text.strip().casefold()
    for each in _languages(language, text):
        for phrase in sorted(map(str, rows_of(each)["selected"]), key=len, reverse=True):
            if low.startswith(phrase.casefold()):
                return _named(text.strip()[len(phrase) :].lstrip(" :,-"))
    return None


def _named(after: str) -> Clicked | None:
    """What stands in quotes, and what behind it."""
    if not after or after[0] not in _OPENERS:
        return None
    end = next((place for place, letter in enumerate(after) if place and letter in _CLOSERS), 0)
    return Clicked(after[1:end].strip(), after[end + 1 :].strip(" :,-—–")) if end > 1 else None


def asks_which_were_counted(text: str, language: str) -> bool:
    """Whether a message is nothing but the question which rows those are."""
    plain = " ".join("".join(c if c.isalnum() or c == "'" else " " for c in text).casefold().split())
    return any(
        plain == str(phrase).casefold()
        for each in _languages(language, text)
        for phrase in rows_of(each)["counted"]
    )
