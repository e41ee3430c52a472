"""Words that people use instead of the words of a schema: near English words, and what foreign words mean.

The tables beside this module are derived from other works by `python -m tools.thesaurus` and have licences of
their own, in the files whose names begin with LICENSE. A table is read when a word is first asked for, and a
line of it is taken apart when its word is.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from dragoman.locales.registry import same_letters

Stem = Callable[[str], str]

_NEAR: Final = "near"
_BEGINNING: Final = 3
_LEAST_KIN: Final = 5
_ENDING: Final = 4
"""What words that are made of each other may differ in, at their ends."""
_MOST_KIN: Final = 3
_NOTHING: Final[Mapping[str, float]] = MappingProxyType({})


def near(word: str, stem: Stem | None = None) -> Mapping[str, float]:
    """English words that may mean what a word means, between 0 and 1: voucher is near coupon.

    Words are dictionary forms. With a stemmer the word is a form or a stem, and so are the words that are
    found stems; a name of several words is one of several stems.
    """
    return _near(word.casefold(), stem)


@lru_cache(maxsize=4096)
def _near(word: str, stem: Stem | None) -> Mapping[str, float]:
    if stem is None:
        return _weights(_lines(_NEAR).get(word, ""))
    # The stem of a stem may be another one: expense, expens, expen.
    own = {word, _stemmed(word, stem)}
    found: dict[str, float] = {}
    for letters in {each[:_BEGINNING] for each in own}:
        for each in _by_beginning().get(letters, ()):
            if _stemmed(each, stem) in own:
                _merge(found, _stems(_weights(_lines(_NEAR)[each]), stem))
    return MappingProxyType({other: weight for other, weight in found.items() if other not in own})


def english_words() -> Iterable[str]:
    """The dictionary forms of the English table."""
    return _lines(_NEAR).keys()


@cache
def near_words() -> frozenset[str]:
    """Every English word of the table."""
    lines = _lines(_NEAR)
    known = set(lines)
    for line in lines.values():
        for part in line.split("\t"):
            known.update(part.partition(":")[2].split(","))
    return frozenset(word for each in known for word in each.split())


def translations(language_code: str, lemma: str, stem: Stem | None = None) -> Mapping[str, float]:
    """English words for a dictionary form of a language, between 0 and 1; as stems where a stemmer is given.

    Names of countries and languages are among them. Nothing where the language has no table."""
    own = looked_up(lemma)
    found = dict(_weights(_lines(f"names-{language_code}").get(own, "")))
    _merge(found, _weights(_lines(f"words-{language_code}").get(own, "")))
    return MappingProxyType(found if stem is None else dict(_stems(found, stem)))


def words_for(language_code: str, english: str) -> Mapping[str, float]:
    """The dictionary forms of a language that mean an English word, between 0 and 1."""
    return MappingProxyType(_by_english(language_code).get(english.casefold(), {}))


def names(language_code: str, lemma: str) -> Mapping[str, float]:
    """The English names of a country or a language."""
    return _weights(_lines(f"names-{language_code}").get(looked_up(lemma), ""))


def kin_of(language_code: str, lemma: str) -> tuple[str, ...]:
    """Words of a language's table that begin as a word does that is not in it, the likest first."""
    own = looked_up(lemma)
    if len(own) < _LEAST_KIN:
        return ()
    found = []
    for word in _beginnings(f"words-{language_code}").get(own[:_BEGINNING], ()):
        same = _same_letters(own, word)
        if same >= max(_BEGINNING + 1, len(own) - _ENDING) and len(word) - same <= _ENDING:
            found.append((len(own) + len(word) - 2 * same, word))
    return tuple(word for _, word in sorted(found)[:_MOST_KIN])


def looked_up(lemma: str) -> str:
    """How a word of any language is written in its table."""
    return same_letters(lemma.casefold())


@cache
def _lines(table: str) -> Mapping[str, str]:
    """The lines of a table by their words. Most are never asked for, so none is taken apart yet."""
    place = files(__name__).joinpath(f"{table}.txt")
    if not place.is_file():
        return {}
    lines = place.read_text(encoding="utf-8").splitlines()
    return {word: rest for word, _, rest in (line.partition("\t") for line in lines)}


@cache
def _by_english(language_code: str) -> Mapping[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for word, line in _lines(f"words-{language_code}").items():
        for english, weight in _weights(line).items():
            found[english][word] = weight
    return found


def _same_letters(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (first, second) in pairs if first != second), min(len(one), len(other)))


@cache
def _beginnings(table: str) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for word in _lines(table):
        if " " not in word:
            found[word[:_BEGINNING]].append(word)
    return found


@cache
def _by_beginning() -> Mapping[str, list[str]]:
    """The words of the English table by their first letters. A stem begins as its word does, so few words
    have to be stemmed to find those of a stem."""
    found: dict[str, list[str]] = defaultdict(list)
    for word in _lines(_NEAR):
        found[word[:_BEGINNING]].append(word)
    return found


def _stemmed(word: str, stem: Stem) -> str:
    return " ".join(map(stem, word.split())) if " " in word else stem(word)


def _stems(weights: Mapping[str, float], stem: Stem) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for word, weight in weights.items():
        _merge(found, {_stemmed(word, stem): weight})
    return found


def _merge(found: dict[str, float], others: Mapping[str, float]) -> None:
    for word, weight in others.items():
        found[word] = max(weight, found.get(word, 0.0))


def _weights(line: str) -> Mapping[str, float]:
    return MappingProxyType(dict(_read(line))) if line else _NOTHING


def _read(line: str) -> Iterator[tuple[str, float]]:
    for part in line.split("\t"):
        weight, _, words = part.partition(":")
        for word in words.split(","):
            yield word, int(weight) / 100
