"""A million names as registers have them: companies and people, in Latin, Cyrillic and Hangul."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import yaml

_WORDS: Final[dict[str, dict[str, str | list[str]]]] = yaml.safe_load(
    Path(__file__).with_name("entity_words.yaml").read_text(encoding="utf-8")
)

Random = random.Random


class Words(NamedTuple):
    """What the names of one part of the world are made of. Not every part has all of it."""

    surnames: list[str]
    given: list[str]
    trades: list[str]
    forms: list[str]
    syllables: list[str]
    patronymics: list[str]
    places: list[str]
    stems: list[str]


def _words(language: str) -> Words:
    lists = {
        kind: words.split() if isinstance(words, str) else words for kind, words in _WORDS[language].items()
    }
    return Words(**{kind: lists.get(kind, []) for kind in Words._fields})


_RUSSIAN: Final = _words("russian")
_WESTERN: Final = _words("western")
_KOREAN: Final = _words("korean")


def _joined(chance: Random, syllables: list[str], least: int, most: int) -> str:
    return "".join(chance.choice(syllables) for _ in range(chance.randint(least, most)))


def _russian_company(chance: Random) -> str:
    form, trade = chance.choice(_RUSSIAN.forms), chance.choice(_RUSSIAN.trades)
    stem = _joined(chance, _RUSSIAN.syllables, 2, 3).capitalize()
    words = [stem, trade] if chance.random() < 0.7 else [stem + trade.lower()]
    if chance.random() < 0.3:
        words.append(chance.choice(_RUSSIAN.places))
    joined = chance.choice((" ", " ", "-")).join(words)
    return f"{form} «{joined}»" if chance.random() < 0.6 else f'{form} "{joined}"'


def _russian_person(chance: Random) -> str:
    surname = chance.choice(_RUSSIAN.surnames)
    return f"{surname} {chance.choice(_RUSSIAN.given)} {chance.choice(_RUSSIAN.patronymics)}"


def _western_company(chance: Random) -> str:
    if chance.random() < 0.25:
        stem = f"{chance.choice(_WESTERN.surnames)} & {chance.choice(_WESTERN.surnames)}"
    else:
        stem = _joined(chance, _WESTERN.syllables, 2, 4).capitalize()
    words = [stem, chance.choice(_WESTERN.trades)]
    if chance.random() < 0.4:
        words.insert(chance.choice((1, 2)), chance.choice(_WESTERN.places))
    if words[-1] == "Fund":
        words.append(str(chance.randint(1, 999)))
    return " ".join((*words, chance.choice(_WESTERN.forms))).strip()


def _western_person(chance: Random) -> str:
    given, surname = chance.choice(_WESTERN.given), chance.choice(_WESTERN.surnames)
    middle = chance.choice((f"{chance.choice('ABCDEFGHJKLMNPRSTW')}.", chance.choice(_WESTERN.given)))
    second = f"-{chance.choice(_WESTERN.surnames)}" if chance.random() < 0.3 else ""
    return f"{given} {middle} {surname}{second}"


def _korean_company(chance: Random) -> str:
    stem = chance.choice(_KOREAN.stems) + (
        _joined(chance, _KOREAN.syllables, 1, 2) if chance.random() < 0.7 else ""
    )
    words = [stem, chance.choice(_KOREAN.trades)]
    if chance.random() < 0.4:
        words.insert(0, chance.choice(_KOREAN.stems))
    return chance.choice(_KOREAN.forms).format(chance.choice(("", " ")).join(words))


def _korean_person(chance: Random) -> str:
    return chance.choice(_KOREAN.surnames) + chance.choice(_KOREAN.given) + chance.choice(_KOREAN.given)


KINDS: Final[tuple[tuple[Callable[[Random], str], float], ...]] = (
    (_russian_company, 0.26),
    (_russian_person, 0.11),
    (_western_company, 0.32),
    (_western_person, 0.14),
    (_korean_company, 0.16),
    (_korean_person, 0.01),
)


def names(count: int, seed: int) -> Iterator[str]:
    """Different names, the same ones for the same seed."""
    chance = random.Random(seed)
    makers, weights = zip(*KINDS, strict=True)
    seen: set[str] = set()
    while len(seen) < count:
        for maker in chance.choices(makers, weights, k=1_000):
            name = maker(chance)
            if name not in seen and len(seen) < count:
                seen.add(name)
                yield name
