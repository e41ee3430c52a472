"""The skeleton of a name: how it sounds, in one small alphabet for all scripts.

Names are looked up and measured by their skeletons. Hangul is taken apart into its letters, since a slip
of the finger changes a letter and not a syllable; a Han character counts as two letters, since it says more.
"""

import re
import unicodedata
from functools import cache
from typing import Final, NamedTuple

from dragoman._patterns import lazy_pattern
from dragoman.entities.folded_names import fold
from dragoman.entities.vocabulary import table

_MIXED: Final = 2
_LATIN_LETTER: Final = lazy_pattern("[a-z]")
_REMEMBERED: Final = 30_000
_FIRST_BEYOND_LATIN: Final = "\u0250"
_NONE: Final = "-"
_SCRIPTS: Final = (re.compile("[a-z]"), re.compile("[\u0400-\u052f]"), re.compile("[\u0370-\u03ff]"))
"""Latin, Cyrillic, Greek: the scripts that have letters in common to the eye."""


class _Sounds(dict[int, str]):
    """The sound of each character, filled as characters are met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if "가" <= character <= "힣":
            sound = unicodedata.normalize("NFD", character)
        elif unicodedata.name(character, "").startswith("CJK UNIFIED"):
            sound = character * 2
        else:
            sound = character
        self[code] = sound
        return sound


class _Rules(NamedTuple):
    spellings: dict[str, list[list[str]]]
    closings: list[list[str]]
    sounds: _Sounds
    alike: tuple[dict[int, str], ...]
    """For each script of `_SCRIPTS` what a letter of another one is taken for."""


@cache
def _rules() -> _Rules:
    tables = table("transliteration")
    letters = {ord(letter): sound for letter, sound in tables["letters"].items()}
    alike = tuple(
        {
            ord(other): row[script]
            for row in tables["alike"]
            for other in row
            if row[script] != _NONE and other not in (_NONE, row[script])
        }
        for script in range(len(_SCRIPTS))
    )
    return _Rules(tables["spellings"], tables["closings"], _Sounds(letters), alike)


@cache
def _loan_words() -> dict[str, str]:
    words = table("transliteration")["loan_words"]
    return {_sounds(fold(written)[0]): _sounds(fold(meant)[0]) for written, meant in words.items()}


class _Words(dict[str, str]):
    """The skeletons of words. The first ones met are remembered: the words that come again come early.
    A word without any sound, of soft signs alone, stays as it is."""

    def __missing__(self, word: str) -> str:
        sounds = _sounds(word)
        bones = _loan_words().get(sounds, sounds) or word
        if len(self) < _REMEMBERED:
            self[word] = bones
        return bones


_WORDS: Final = _Words()


def skeleton(words: list[str]) -> str:
    """The skeleton of folded words, one space between them."""
    return " ".join(map(_WORDS.__getitem__, words))


def _of_one_script(word: str) -> str:
    """A word into which letters of another script have slipped that look like its own.

    It is of the script of its unmistakable letters; without any, of that with most letters, or at its start.
    """
    found = [script.findall(word) for script in _SCRIPTS]
    if sum(map(bool, found)) < _MIXED:
        return word
    alike = _rules().alike

    def weight(place: int) -> tuple[int, int, bool]:
        others = [table for other, table in enumerate(alike) if other != place and found[other]]
        sure = sum(not any(ord(letter) in table for table in others) for letter in found[place])
        return sure, len(found[place]), _SCRIPTS[place].match(word) is not None

    return word.translate(alike[max(range(len(_SCRIPTS)), key=weight)])


def _sounds(text: str) -> str:
    rules = _rules()
    plain = text.isascii()
    if not plain and _LATIN_LETTER.search(text):
        text = _of_one_script(text)
        plain = _LATIN_LETTER.search(text) is not None
    if plain or text[0] < _FIRST_BEYOND_LATIN:
        for letter, spellings in rules.spellings.items():
            if letter in text:
                for before, after in spellings:
                    text = text.replace(before, after)
    if not text.isascii():
        text = text.translate(rules.sounds)
    for before, after in rules.closings:
        text = text.replace(before, after)
    return text
