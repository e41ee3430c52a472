"""Names of tables and columns as words: split, written out, and with what they are also called."""

import re
from collections.abc import Iterable
from functools import cache

from dragoman.planning.tables.lexicon import ENGLISH, Languages, lexicons
from dragoman.planning.tables.words import stem

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
DECORATIONS = frozenset({"tbl", "ref", "reference", "dim", "fact", "stg", "tb"})
_SILENT = frozenset({"of", "the", "a", "an", "and", "or", "for", "in", "on", "at", "by", "is", "with"})
"""Words inside of names that say nothing."""
_SHORTEST, _LONGEST_FUSED = 2, 30

_NEAR, _FAR, _PHRASE = 0.8, 0.6, 0.85


@cache
def _short() -> dict[str, tuple[str, ...]]:
    return {word: parts for each in lexicons() for word, parts in each.short.items()}


@cache
def _known() -> frozenset[str]:
    """Words that may stand inside a name without anything between them."""
    found = {word for group in _groups() for phrase in group for word in phrase.split()}
    found.update(part for parts in _short().values() for part in parts)
    return frozenset(word for word in found if len(word) > _SHORTEST) | {"id", "no"}


def _groups(languages: Languages = ENGLISH) -> Iterable[tuple[str, ...]]:
    return (group for each in lexicons(languages) for group in each.synonyms)


def name_words(name: str, around: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The stems of a name's words. `around`: words of the same database, which fused names are made of."""
    found: list[str] = []
    for piece in _WORD.findall(name[:200]):
        low = piece.lower()
        found.extend(_written_out(low, around))
    told = [word for word in found if word not in _SILENT] or found
    return tuple(stem(word) for word in told) or (name.lower(),)


def _written_out(word: str, around: frozenset[str]) -> tuple[str, ...]:
    short = _short().get(word)
    if short is not None:
        return short
    if word in _known() or stem(word) in _stems() or word in around or len(word) > _LONGEST_FUSED:
        return (word,)
    parts = _apart(word, around)
    return parts or (word,)


@cache
def _stems() -> frozenset[str]:
    return frozenset(stem(word) for word in _known())


def _apart(word: str, around: frozenset[str]) -> tuple[str, ...]:
    """Two or three known words that were written as one: `hiredate`, `clublocation`, `stuid`."""
    for cut in range(len(word) - 2, 0, -1):
        first, rest = word[:cut], word[cut:]
        if not _is_part(rest, around):
            continue
        whole = _short().get(rest, (rest,))
        if _is_part(first, around):
            return (*_short().get(first, (first,)), *whole)
        prefixed = [each for each in sorted(around) if len(first) >= 1 and each.startswith(first)]
        if rest in ("id", "name", "type", "code", "no", "number", "date", "key") and (prefixed or cut <= 4):
            return (*(prefixed[:1] or (first,)), *whole)
    return ()


def _is_part(word: str, around: frozenset[str]) -> bool:
    return len(word) >= _SHORTEST and (word in _known() or word in _short() or word in around)


@cache
def likenesses(languages: Languages = ENGLISH) -> dict[str, dict[str, float]]:
    """For the stem of a word the stems of words that stand for it, and how well."""
    found: dict[str, dict[str, float]] = {}
    for group in _groups(languages):
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
    languages: Languages = ENGLISH,
) -> dict[tuple[str, ...], tuple[tuple[tuple[str, ...], float], ...]]:
    """For several words that are one idea, what it is called otherwise."""
    found: dict[tuple[str, ...], dict[tuple[str, ...], float]] = {}
    for group in _groups(languages):
        stemmed = [tuple(stem(word) for word in phrase.split() if word != "of") for phrase in group]
        for one in stemmed:
            for other in stemmed:
                if one != other and (len(one) > 1 or len(other) > 1):
                    found.setdefault(one, {})[other] = _PHRASE
    return {one: tuple(others.items()) for one, others in found.items()}
