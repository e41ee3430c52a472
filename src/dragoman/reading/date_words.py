"""The words of dates, out of lexicons, and a message as a line of their classes: one letter each.

The grammar of periods is written over these letters, once for all languages.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from dragoman.locales.documents import lexicon_of
from dragoman.locales.registry import glues, same_letters
from dragoman.reading.languages import Spoken
from dragoman.reading.periods import Unit

_NUMERIC = re.compile(
    r"(?<![\w./-])(?:"
    r"(?P<y1>\d{4})-(?P<m1>\d{2})-(?P<d1>\d{2})"
    r"|(?P<y2>\d{4})-(?P<m2>\d{2})"
    r"|(?P<d3>\d{1,2})(?P<sep>[./-])(?P<m3>\d{1,2})(?P=sep)(?P<y3>\d{4})"
    r"|(?P<y4>\d{4})(?P<sep4>[./]) ?(?P<m4>\d{1,2})(?P=sep4) ?(?P<d4>\d{1,2})\.?"
    r"|(?P<m5>\d{2})[./](?P<y5>\d{4})"
    r"|[Qq](?P<q6>[1-4]),?\s*(?P<y6>\d{4})"
    r")(?![\w-]|[./:]\d)"
)
_PIECE = re.compile(r"\d+|[\uac00-\ud7a3]+|[^\W\d_\uac00-\ud7a3]+|_|[^\w\s]")

_SIGNS = frozenset(",.-–—/")

CLASSES: Mapping[str, str] = {
    "ordinal_suffixes": "s",
    "year_marks": "g",
    "month_marks": "M",
    "day_marks": "D",
    "quarter_letters": "Q",
    "half_letters": "H",
    "previous": "p",
    "next": "x",
    "this": "i",
    "same": "S",
    "later": "l",
    "earlier": "r",
    "in_time": "v",
    "back_in_time": "V",
    "more": "E",
    "ends": "e",
    "starts": "b",
    "middles": "d",
    "from": "f",
    "to": "t",
    "between": "w",
    "and": "a",
    "glue": "k",
}
_OPEN = {"l": "L", "r": "R", "f": "F", "t": "T", "": "O"}
"""The letter of a word that also opens a period without another end: after, before, since."""


class Piece(NamedTuple):
    """A word, a number or a sign of a text: where it stands, its class, and its value where it has one."""

    start: int
    end: int
    code: str
    value: int = 0
    unit: Unit | None = None
    beside: bool = False
    """Whether it is a form that stands with another thing, and never begins a time: `с мартом`."""
    date: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)
    """Year, month, day and quarter of a date in digits."""


class DateWords:
    """Which word is of which class, over the lexicons of some languages."""

    def __init__(self, spoken: Spoken) -> None:
        lexicons = [lexicon_of(language) for language in spoken.languages]
        self._words: dict[str, tuple[str, int, Unit | None]] = {}
        self._month_first = any(language.date_order == "mdy" for language in spoken.languages)
        self.articles = frozenset(word for lexicon in lexicons for word in lexicon["dates"]["articles"])
        self.inclusive = frozenset(word for lexicon in lexicons for word in lexicon["dates"]["inclusive"])
        self._beside = frozenset(
            same_letters(word) for lexicon in lexicons for word in lexicon["dates"]["beside"]
        )
        self._compounds: dict[str, tuple[str, ...]] = {}
        for lexicon in lexicons:
            for word, parts in lexicon["dates"]["compounds"].items():
                self._compounds[same_letters(word)] = tuple(map(same_letters, parts))
            self._words.update(
                (same_letters(word.casefold()), meaning) for word, meaning in _classes(lexicon)
            )
        glued = sorted((word for word in self._words if glues(word[0])), key=len, reverse=True)
        tails = [tail for lexicon in lexicons for tail in lexicon["particles"]]
        self._glued = re.compile("|".join(map(re.escape, glued))) if glued else None
        self._tails = frozenset(tails)

    def is_known(self, word: str) -> bool:
        return word in self._words

    def longer(self) -> tuple[str, ...]:
        """The names of months and units, of which slips are made."""
        return tuple(word for word, (code, _, _) in self._words.items() if code in "muU")

    def pieces(self, text: str) -> list[Piece]:
        """The text as pieces, the dates in digits as one piece each."""
        pieces: list[Piece] = []
        position = 0
        for match in _NUMERIC.finditer(text):
            pieces.extend(self._plain(text, position, match.start()))
            pieces.append(_numeric(match, month_first=self._month_first))
            position = match.end()
        pieces.extend(self._plain(text, position, len(text)))
        return pieces

    def _plain(self, text: str, start: int, end: int) -> Iterator[Piece]:
        digits_end = -1
        for match in _PIECE.finditer(text, start, end):
            word = same_letters(match.group().casefold())
            if word[0] in "0123456789" and word.isascii() and word.isdigit():
                digits_end = match.end()
                yield _digits(match)
            elif glues(word[0]):
                yield from self._segments(match)
            elif word in _SIGNS and not (word in self._words and match.start() == digits_end):
                # A sign is a word only where it is written onto a number: 31. März.
                yield Piece(match.start(), match.end(), word)
            else:
                for part in self._compounds.get(word, (word,)):
                    code, value, unit = self._words.get(part, ("?", 0, None))
                    yield Piece(match.start(), match.end(), code, value, unit, word in self._beside)

    def _segments(self, match: re.Match[str]) -> list[Piece]:
        """A word as the date words it is glued of, if it is all of such, but for a particle."""
        word, position = match.group(), 0
        found: list[Piece] = []
        while self._glued is not None and (part := self._glued.match(word, position)) is not None:
            code, value, unit = self._words[part.group()]
            start = match.start() + position
            found.append(Piece(start, start + len(part.group()), code, value, unit))
            position = part.end()
        rest = word[position:]
        if not found or (rest and rest not in self._tails):
            return [Piece(match.start(), match.end(), "?")]
        return found


def _classes(lexicon: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, int, Unit | None]]]:
    dates = lexicon["dates"]
    opening = frozenset(dates["open"])
    for word in dates["open"]:
        yield word, (_OPEN[""], 0, None)
    for name, code in CLASSES.items():
        for word in dates[name]:
            # "This month" is the one that it is now; "that month" is the one that is spoken of.
            now = int(name == "this" and word in dates["now"])
            yield word, (_OPEN.get(code, code) if word in opening else code, now, None)
    for unit, words in dates["units"].items():
        for word in words:
            yield word, ("U" if word in dates["year_marks"] else "u", 0, Unit(unit))
    for code, values in (("o", "ordinals"), ("c", "counts"), ("j", "halves"), ("z", "years"), ("q", "clock")):
        for word, value in dates[values].items():
            yield word, (code, value, None)
    for names in (lexicon["months"], lexicon["month_abbreviations"]):
        for number, name in enumerate(names, 1):
            yield name, ("m", number, None)
    for name, number in lexicon["more_month_names"].items():
        yield name, ("m", number, None)


def _digits(match: re.Match[str]) -> Piece:
    digits = match.group()
    code = {1: "n", 2: "n", 3: "N", 4: "y"}.get(len(digits), "?")
    return Piece(match.start(), match.end(), code, int(digits) if code != "?" else 0)


def _numeric(match: re.Match[str], *, month_first: bool) -> Piece:
    parts = match.groupdict()

    def of(*names: str) -> int | None:
        return next((int(parts[name]) for name in names if parts[name] is not None), None)

    year, month, day = (
        of("y1", "y2", "y3", "y4", "y5", "y6"),
        of("m1", "m2", "m3", "m4", "m5"),
        of("d1", "d3", "d4"),
    )
    if month_first and parts["d3"] is not None:
        month, day = day, month
    return Piece(match.start(), match.end(), "A", date=(year, month, day, of("q6")))
