"""Names of entities written in Hangul as they sound: 베타 리테일 is Beta Retail.

A name is known by its consonants, gathered into classes that the two scripts share; vowels and the vowel that
Korean puts between consonants are left out.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache

from dragoman._patterns import lazy_pattern
from dragoman.locales.data import LanguageData

_HANGUL = lazy_pattern(r"[가-힣]+")
_LATIN = lazy_pattern(r"[a-z]+")
_FEWEST = 2
_MOST_WORDS = 4
_LONGEST_CODE = 5


Entities = Sequence[tuple[str, Sequence[str]]]


@cache
def _classes(language: LanguageData) -> dict[str, str]:
    groups = language.document("sounds")
    return {letter: name for name, letters in groups.items() for letter in letters}


def spelled(language: LanguageData, text: str, words: Iterable[str], entities: Entities) -> str:
    """The text with the names among `words` written as the data has them; others stay as they are."""
    sought = {word for word in words if _HANGUL.search(word)}
    if not sought:
        return text
    found = list(_HANGUL.finditer(text))
    names = _names(language, entities)
    place = 0
    result, last = [], 0
    while place < len(found):
        for length in range(min(_MOST_WORDS, len(found) - place), 0, -1):
            span = found[place : place + length]
            said = text[span[0].start() : span[-1].end()]
            if not any(
                each.group() in sought or any(w.startswith(each.group()) for w in sought) for each in span
            ):
                continue
            name = next(
                (
                    names[key]
                    for form in _without_particle(language, said)
                    if (key := _sound(language, form)) in names
                ),
                None,
            )
            if name is not None:
                result += [text[last : span[0].start()], name]
                last = span[-1].end()
                place += length
                break
        else:
            place += 1
    return "".join([*result, text[last:]])


def _names(language: LanguageData, entities: Entities) -> dict[str, str]:
    """The names by their sound, where one sound is one name."""
    found: dict[str, set[str]] = {}
    for shown, names in entities:
        for name in names:
            if name.isascii() and not _is_code(name) and len(_sound(language, name)) >= _FEWEST:
                found.setdefault(_sound(language, name), set()).add(shown)
                # Korean does not hear an r at the end.
                if name.casefold().endswith("r"):
                    found.setdefault(_sound(language, name[:-1]), set()).add(shown)
    return {sound: next(iter(meant)) for sound, meant in found.items() if len(meant) == 1}


def _is_code(name: str) -> bool:
    """Whether a name is spelled out and not pronounced: AGF. Few consonants sound like any short word."""
    return name.isupper() and name.isalnum() and len(name) <= _LONGEST_CODE


def _without_particle(language: LanguageData, said: str) -> list[str]:
    particles: list[str] = language.document("lexicon")["particles"]
    forms = [said]
    forms += [said[: -len(p)] for p in sorted(particles, key=len, reverse=True) if p and said.endswith(p)]
    return [form for form in forms if form]


def _sound(language: LanguageData, text: str) -> str:
    classes = _classes(language)
    letters = unicodedata.normalize("NFD", text.casefold())
    digits = "".join(c for c in letters if c.isdigit())
    heard = [
        classes.get(letter, "") for letter in letters.replace("ch", "k").replace("ph", "f").replace("th", "t")
    ]
    kept: list[str] = []
    for sound in heard:
        if sound and (not kept or kept[-1] != sound):
            kept.append(sound)
    return "".join(kept) + digits
