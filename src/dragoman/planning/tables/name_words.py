"""Names of tables and columns as words: split, written out, and with what they are also called."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from dragoman.locales.thesaurus import english_words
from dragoman.planning.tables.fused_words import NameWords, is_cut_short, written_apart
from dragoman.planning.tables.lexicon import ENGLISH, Languages, lexicons
from dragoman.planning.tables.words import irregular_plurals, stem

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
DECORATIONS = frozenset({"tbl", "ref", "reference", "dim", "fact", "stg", "tb"})
SILENT = frozenset({"of", "the", "a", "an", "and", "or", "for", "in", "on", "at", "by", "is", "with"})
"""Words inside of names that say nothing."""
_CLOCK = frozenset({"hr", "hrs", "min", "sec"})
_SHORTEST = 2
_VOWELS = frozenset("aeiou")
_FEWEST_CONSONANTS = 3

_NEAR, _FAR, _PHRASE = 0.8, 0.6, 0.85


@cache
def _short() -> dict[str, tuple[str, ...]]:
    return {word: parts for each in lexicons() for word, parts in each.short.items()}


@cache
def _known() -> frozenset[str]:
    """Words that may stand inside a name without anything between them."""
    found = {word for group in _groups() for phrase in group for word in phrase.split()}
    found.update(part for parts in _short().values() for part in parts)
    found.update(word for each in lexicons() for word in each.parts)
    return frozenset(word for word in found if len(word) > _SHORTEST) | {"id", "no"}


def _groups(languages: Languages = ENGLISH, *, wider: bool = False) -> Iterable[tuple[str, ...]]:
    for each in lexicons(languages):
        yield from each.synonyms
        if wider:
            yield from each.wider


def name_words(
    name: str,
    around: frozenset[str] = frozenset(),
    near: Sequence[str] = (),
    *,
    initials: bool = False,
) -> tuple[str, ...]:
    """The stems of a name's words. `around`: words of the same database, which fused names are made of.
    `near`: words that its beginning may be cut from, the best first: those of its table, and of the tables
    that it leads to. `initials`: it is written in capitals, and others are not: HR are no hours."""
    pieces = _joined_initials(_WORD.findall(name[:200]))
    found: list[str] = []
    for place, piece in enumerate(pieces):
        low = piece.lower()
        if initials and low in _CLOCK:
            found.append(low)
        else:
            found.extend(_written_out(low, around, near, cut=place == 0 and len(pieces) > 1))
    told = [word for word in found if word not in SILENT] or found
    return tuple(stem(word) for word in told) or (name.lower(),)


def _joined_initials(pieces: list[str]) -> list[str]:
    """A letter that is a short form only together with the word behind it: LName is lname."""
    if len(pieces) < _SHORTEST or len(pieces[0]) > 1:
        return pieces
    joined = pieces[0] + pieces[1]
    return [joined, *pieces[2:]] if joined.lower() in _short() else pieces


@cache
def plain_words(name: str) -> tuple[str, ...]:
    """The words of a name as they are written, in small letters."""
    return tuple(word for word in (piece.lower() for piece in _WORD.findall(name[:200])) if len(word) > 1)


def _written_out(word: str, around: frozenset[str], near: Sequence[str], *, cut: bool) -> tuple[str, ...]:
    if cut and word not in _known() and word not in around:
        whole = next((each for each in near if is_cut_short(word, each)), None)
        if whole is not None:
            return (whole,)
    short = _short().get(word)
    if short is not None:
        return short
    if word in _known() or stem(word) in _stems() or word in around:
        return (word,)
    if (whole := _without_vowels().get(word)) is not None:
        return (whole,)
    return written_apart(word, _words(around), near) or (word,)


@cache
def _without_vowels() -> dict[str, str]:
    """Words of databases by what is left of them without their vowels: `rgn` for a region, `chldrn` for
    children. Where several words are left alike, none is meant."""
    found: dict[str, set[str]] = {}
    for word in sorted(_known() | irregular_plurals()):
        rest = word[0] + "".join(letter for letter in word[1:] if letter not in _VOWELS)
        if len(rest) >= _FEWEST_CONSONANTS and rest != word:
            found.setdefault(rest, set()).add(word)
    return {rest: min(words) for rest, words in found.items() if len({*map(_spelled, words)}) == 1}


def _spelled(word: str) -> str:
    """A word as either English writes it: colour, color."""
    return stem(word).replace("our", "or")


@cache
def _words(around: frozenset[str]) -> NameWords:
    return NameWords(_known() | around, _short(), _dictionary())


def name_parts() -> NameWords:
    """What names of any database are made of."""
    return _words(frozenset())


@cache
def _dictionary() -> frozenset[str]:
    return frozenset(english_words())


def is_made_of_words(word: str, around: frozenset[str]) -> bool:
    """Whether a word is several that were written as one."""
    if word in _known() or stem(word) in _stems() or word in _dictionary() or word in _short():
        return False
    return bool(written_apart(word, _words(around - {word})))


@cache
def _stems() -> frozenset[str]:
    return frozenset(stem(word) for word in _known())


@cache
def likenesses(languages: Languages = ENGLISH, *, wider: bool = False) -> dict[str, dict[str, float]]:
    """For the stem of a word the stems of words that stand for it, and how well."""
    found: dict[str, dict[str, float]] = {}
    for group in _groups(languages, wider=wider):
        singles = [stem(phrase) for phrase in group if " " not in phrase]
        named = stem(group[0])
        for one in singles:
            for other in singles:
                if one != other:
                    weight = _NEAR if named in (one, other) else _FAR
                    near = found.setdefault(one, {})
                    near[other] = max(near.get(other, 0.0), weight)
    return found


@cache
def phrases(
    languages: Languages = ENGLISH, *, wider: bool = False
) -> dict[tuple[str, ...], tuple[tuple[tuple[str, ...], float], ...]]:
    """For several words that are one idea, what it is called otherwise."""
    found: dict[tuple[str, ...], dict[tuple[str, ...], float]] = {}
    for group in _groups(languages, wider=wider):
        stemmed = [tuple(stem(word) for word in phrase.split() if word != "of") for phrase in group]
        for one in stemmed:
            for other in stemmed:
                if one != other and (len(one) > 1 or len(other) > 1):
                    found.setdefault(one, {})[other] = _PHRASE
    return {one: tuple(others.items()) for one, others in found.items()}
