"""The pieces of a message before anything is made of them: words with their forms, numbers, quoted texts."""

import re
from collections.abc import Sequence
from enum import StrEnum

from dragoman._patterns import lazy_pattern
from dragoman.contracts.record import Record
from dragoman.locales.language import Language
from dragoman.locales.registry import same_letters
from dragoman.locales.script import script_of
from dragoman.locales.word_form import Part, WordForm
from dragoman.planning.pivot.grammar import Grammar
from dragoman.reading.periods import PeriodMention

_PIECES = lazy_pattern(
    r"""(?P<quoted>"[^"]{1,200}"|“[^”]{1,200}”|„[^“”]{1,200}[“”]|«[^»]{1,200}»|(?<!\w)'[^']{1,200}'(?!\w))
    |(?P<number>(?<![\w.,])-?\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?:[.,]\d+)?(?!\d)
        |(?<![\w.])-?\d+(?:[.,]\d+)?(?!\d|[-/:.]\d))
    |(?P<date>\d+(?:[-/:.]\d+)+(?:[ T]\d\d:\d\d(?::\d\d)?)?)
    |(?P<word>[^\W_]+(?:[-'’_.&@/][^\W_]+)*)
    |(?P<mark>[^\w\s]|_)""",
    re.VERBOSE,
)
_QUOTES = "\"'“”„«»"
_SPACES = "\u00a0\u202f "


class Kind(StrEnum):
    WORD = "word"
    """In the letters of the language."""
    KEPT = "kept"
    """In other letters, or quoted: it stays as it is."""
    NUMBER = "number"
    PERIOD = "period"
    MARK = "mark"


class Word(Record, frozen=True):
    """A piece of a message. `english` is what it is known to be already, where it is not looked up."""

    kind: Kind
    start: int
    end: int
    form: str
    forms: tuple[WordForm, ...] = ()
    english: str = ""
    capital: bool = False
    """It is written as a name is, and does not begin the message."""

    @property
    def lemmas(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.lemma for each in self.forms))

    @property
    def keys(self) -> tuple[str, ...]:
        """What a phrase may have in its place."""
        if self.kind is Kind.WORD:
            return tuple(dict.fromkeys((self.form, *self.lemmas)))
        if self.kind is Kind.NUMBER:
            # A number in words may be a word of a phrase as well: not a single one.
            return (self.form, *self.lemmas, "#")
        return ("@",) if self.kind is Kind.PERIOD else (self.form,)

    def may_be(self, part: Part) -> bool:
        return any(each.part is part for each in self.forms)


def words_of(
    text: str, language: Language, grammar: Grammar, periods: Sequence[tuple[PeriodMention, str]]
) -> list[Word]:
    """The pieces of a message from left to right. `periods` are those of it that English has words for."""
    quoted = [piece.span() for piece in _PIECES.finditer(text) if piece.lastgroup == "quoted"]
    found = [
        Word(Kind.PERIOD, each.start, each.end, each.text, (), english)
        for each, english in periods
        # A year in a name is a part of the name.
        if not any(start <= each.start and each.end <= end for start, end in quoted)
    ]
    taken = [(each.start, each.end) for each in found]
    for piece in _PIECES.finditer(text):
        start, end = piece.span()
        if any(first < end and start < last for first, last in taken):
            continue
        whole = piece.group()
        match piece.lastgroup:
            case "quoted":
                inner = whole.strip(_QUOTES)
                found.append(Word(Kind.KEPT, start, end, inner, (), f'"{inner}"'))
            case "number":
                found.append(_number(whole, start, end, language))
            case "word":
                found.extend(_parts(whole, start, language, grammar))
            case "date":
                found.append(Word(Kind.KEPT, start, end, whole, (), whole))
            case _:
                found.append(Word(Kind.MARK, start, end, whole, (), whole))
    return sorted(found, key=lambda each: each.start)


def _number(whole: str, start: int, end: int, language: Language) -> Word:
    plain = whole.translate({ord(space): None for space in _SPACES})
    if language.decimal == ",":
        plain = plain.replace(",", ".")
    return Word(Kind.NUMBER, start, end, plain, (), plain)


def _parts(whole: str, start: int, language: Language, grammar: Grammar) -> list[Word]:
    """A word in its letters; where letters of several scripts are written together, each for itself."""
    runs: list[tuple[int, int]] = []
    for at, letter in enumerate(whole):
        own = script_of(letter) == language.script
        if runs and (own == (script_of(whole[runs[-1][0]]) == language.script) or not letter.isalnum()):
            runs[-1] = (runs[-1][0], at + 1)
        elif letter.isalnum():
            runs.append((at, at + 1))
    found = []
    for first, last in runs:
        part = whole[first:last].rstrip("-'’_.&@/")
        found.append(_word(part, start + first, language, grammar))
    return found


def _word(part: str, start: int, language: Language, grammar: Grammar) -> Word:
    end = start + len(part)
    if script_of(part[0]) != language.script:
        number = part.isdigit()
        return Word(Kind.NUMBER if number else Kind.KEPT, start, end, part, (), part)
    form = same_letters(part.casefold())
    forms = tuple(language.word_forms(language, form)) if language.word_forms is not None else ()
    for key in (form, *(each.lemma for each in forms)):
        if key in grammar.sheet.numbers:
            return Word(Kind.NUMBER, start, end, form, forms, grammar.sheet.numbers[key])
    return Word(Kind.WORD, start, end, form, forms, capital=part[0].isupper() and start > 0)
