"""A message as tokens: words with their stems, numbers and quoted texts."""

import re
from enum import StrEnum
from functools import cache, lru_cache

from dragoman.contracts.record import Record
from dragoman.locales.en.spelling import american
from dragoman.locales.language import Language
from dragoman.locales.registry import default_of, glued_language
from dragoman.locales.script import script_of
from dragoman.planning.tables.lexicon import lexicon, lexicons, others_spoken

MOST_CHARACTERS = 2_000
"""What of a message is read at most."""


class Kind(StrEnum):
    WORD = "word"
    NUMBER = "number"
    QUOTED = "quoted"
    MARK = "mark"


class Token(Record, frozen=True):
    """A piece of a message. `low` is it in small letters, `stem` what its forms have in common."""

    text: str
    low: str
    stem: str
    kind: Kind
    start: int
    end: int


_PIECES = re.compile(
    r"""(?P<quoted>(?<![\w])"[^"]{1,200}"|(?<![\w])'(?:[^']|(?<=\w)'(?=\w)){1,200}'(?!\w)|“[^”]{1,200}”|‘[^’]{1,200}’|«[^»]{1,200}»|``[^`']{1,200}'')
    |(?P<number>(?<![\w.])[-]?[$€£]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w])|(?<![\w.])-?[$€£]?\d+(?:\.\d+)?(?![\w])(?![-/:.]\d))
    |(?P<word>\d[\d:/.-]*\d(?:[ T]\d\d:\d\d(?::\d\d)?)?(?![^\W_])|[^\W_]+(?:[-&./@_][^\W_]+)*|'s\b|n't\b)
    |(?P<mark>[^\w\s])""",
    re.VERBOSE,
)
_QUOTES = "\"'“”‘’«»`"


def tokens_of(text: str) -> tuple[Token, ...]:
    found: list[Token] = []
    read = _with_points(text[:MOST_CHARACTERS].replace("’s ", "'s "))
    for piece in _PIECES.finditer(read):
        kind = Kind(piece.lastgroup or "mark")
        whole = piece.group()
        shown = whole.strip(_QUOTES).strip() if kind is Kind.QUOTED else whole
        low = shown.casefold()
        if kind is Kind.NUMBER:
            low = low.replace(",", "").replace("$", "").replace("€", "").replace("£", "")
        glued = glued_language(low) if kind is Kind.WORD and not low.isascii() else None
        if glued is not None:
            found.extend(_parted(glued, shown, piece.start(), piece.end()))
            continue
        found.append(
            Token(shown, low, stem(low) if kind is Kind.WORD else low, kind, piece.start(), piece.end())
        )
    return tuple(found)


def _with_points(text: str) -> str:
    """The text with its numbers written the English way, where its language writes them otherwise."""
    if not any(letter.isdigit() for letter in text):
        return text
    for language in others_spoken(text):
        if language.decimal != ".":
            swapped = str.maketrans({language.decimal: ".", language.thousands: ","})
            text = "".join(
                part.translate(swapped) if place % 2 else part
                for place, part in enumerate(_numbers(language).split(text))
            )
    return text


@cache
def _numbers(language: Language) -> re.Pattern[str]:
    """1.000,5 and 0,5, where the comma is the decimal sign."""
    point, mark = re.escape(language.decimal), re.escape(language.thousands)
    number = rf"\d{{1,3}}(?:{mark}\d{{3}})+(?:{point}\d+)?|\d+{point}\d+"
    return re.compile(rf"(?<![\w.,])({number})(?![\w]|[.,]\d)")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """What forms of a word have in common: the singular, and verbs without their endings."""
    word = word.casefold()
    if not word.isascii():
        return _foreign(word)
    word = word.removesuffix("'s")
    return _without_ending(american(_irregular().get(word) or _singular(word)))


@cache
def _irregular() -> dict[str, str]:
    return {form: word for each in lexicons() for form, word in each.irregular.items()}


def verb_of(form: str) -> str | None:
    """The verb of a form that no rule makes: wrote, taught."""
    return _irregular().get(form)


def irregular_plurals() -> frozenset[str]:
    """Forms of words that no rule makes: children, women."""
    return frozenset(form for form in _irregular() if form.isascii())


_PERSONS = {"people": "person", "smen": "sman", "swomen": "swoman"}
"""Endings of words for people: salespeople, craftsmen."""
_MANY = ("s", *_PERSONS)


_OF_VERBS = ("ing", "ed")


def _singular(word: str) -> str:
    if not word.endswith(_MANY):
        return word
    for many, one in _PERSONS.items():
        if word.endswith(many):
            return word.removesuffix(many) + one
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def in_one(word: str) -> str:
    """A word in the singular; verbs keep their endings."""
    return _singular(word)


def is_verb_form(word: str) -> bool:
    """Whether a word may be what was done: rented, sold."""
    return word.endswith("ed") or stem(word) != _without_ending(_singular(word))


def _without_ending(word: str) -> str:
    for ending in _OF_VERBS if word.endswith(_OF_VERBS) else ():
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and any(letter in "aeiouy" for letter in base):
            if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz":
                return base[:-1]
            return base.removesuffix("e")
    return word.removesuffix("e") if len(word) > 4 else word


def _foreign(word: str) -> str:
    """The form that a dictionary has a word under, one that the lexicon knows first."""
    language = default_of(script_of(word))
    if language is None or language.normal_forms is None:
        return word
    forms = language.normal_forms(language, word)
    known = _lexicon_words(language.code)
    return next((form for form in forms if form in known), forms[0])


def _parted(language: Language, word: str, start: int, end: int) -> list[Token]:
    """A word without its particles. What means "for each" is put before the noun, as elsewhere."""
    told, known = lexicon(language.code), _lexicon_words(language.code)
    bases = [word.removesuffix(particle) for particle in told.particles if word.endswith(particle)]
    # A word that is known is not cut: 나이 does not end in a particle.
    base = next((each for each in (word, *bases) if each in known), next(filter(None, bases), word))
    each = next((mark for mark in told.each if len(base) > len(mark) and base.endswith(mark)), "")
    base = base.removesuffix(each) if each else base
    return [Token(text, text, text, Kind.WORD, start, end) for text in (each, base) if text]


@cache
def _lexicon_words(language: str) -> frozenset[str]:
    """Every word of a language's file, as it stands there."""
    told = lexicon(language)
    phrases = [phrase for each in told.cues.values() for phrase in each]
    phrases += [phrase for group in told.synonyms for phrase in group]
    phrases += [*told.superlatives, *told.comparatives, *told.numbers]
    return frozenset(word for phrase in phrases for word in phrase.split())
