"""Identifiers for names that are none: stable, alike for nobody else, and readable where that is possible."""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Hashable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

import yaml

from dragoman.language.program_names import IDENTIFIER, MAX_CHARACTERS

Key = TypeVar("Key", bound=Hashable)

_HASH = 6
_FIRST_SYLLABLE, _VOWELS, _LASTS = 0xAC00, 21, 28
_SYLLABLES = 19 * _VOWELS * _LASTS
_SILENT = frozenset("'\"`’‘“”´")


def identifiers(
    names: Mapping[Key, str], fallback: str, reserved: Collection[str] = frozenset()
) -> dict[Key, str]:
    """One identifier for each key, whatever their order. A name that is an identifier keeps it; each other
    gets one that nobody else has, with a piece of a hash where letters were lost or two are alike."""
    kept = _kept(names, reserved)
    taken = set(kept.values())
    made = {key: _made(name, reserved) for key, name in names.items() if key not in kept}
    wishes = Counter(wish for wish, _ in made.values())
    # Sorted by the real name: the same schema gives the same identifiers, whatever order discovery listed it
    # in.
    for key, (wish, lost) in sorted(made.items(), key=lambda item: repr(item[0])):
        alone = wish and not lost and wish not in reserved and wishes[wish] == 1 and wish not in taken
        kept[key] = wish if alone else _told_apart(wish or fallback, repr(key), taken)
        taken.add(kept[key])
    return {key: kept[key] for key in names}


def readable(name: str) -> bool:
    """Whether a database can be told this name at all."""
    return bool(name) and "\0" not in name and not any("\ud800" <= each <= "\udfff" for each in name)


def _kept(names: Mapping[Key, str], reserved: Collection[str]) -> dict[Key, str]:
    fitting = {
        key: name
        for key, name in names.items()
        if len(name) <= MAX_CHARACTERS and IDENTIFIER.match(name) and name not in reserved
    }
    found: dict[str, list[Key]] = {}
    for key, name in fitting.items():
        found.setdefault(name, []).append(key)
    # Two that are spelled alike (a table in two schemas) both get a made name: neither has a better claim.
    return {keys[0]: name for name, keys in found.items() if len(keys) == 1}


def _told_apart(wish: str, told_by: str, taken: Collection[str]) -> str:
    digest = hashlib.sha256(told_by.encode("utf-8", "surrogatepass")).hexdigest()
    stem = wish[: MAX_CHARACTERS - len(digest) - 1]
    length = _HASH
    while f"{stem}-{digest[:length]}" in taken:
        length += 1
    return f"{stem}-{digest[:length]}"


def _made(name: str, reserved: Collection[str]) -> tuple[str, bool]:
    """An identifier out of a name's letters, and whether some of it was lost on the way."""
    if name in reserved:
        return f"{name}_", False
    pieces, lost = list[str](), False
    for letter in unicodedata.normalize("NFC", name):
        piece = _written(letter)
        lost |= piece is None
        pieces.append(piece or "")
    text = re.sub(r"-{2,}", "-", "".join(pieces)).strip("-")
    if text[:1].isdigit():
        text = f"_{text}"
    return text[:MAX_CHARACTERS], lost or len(text) > MAX_CHARACTERS


def _written(letter: str) -> str | None:
    """A letter as an identifier can have it; None when it cannot be told."""
    if letter.isascii():
        return letter if letter.isalnum() or letter == "_" else "" if letter in _SILENT else "-"
    if letter in _SILENT:
        return ""
    small = _letters()["letters"].get(letter.lower())
    if small is not None:
        return str(small) if letter == letter.lower() else str(small).capitalize()
    syllable = ord(letter) - _FIRST_SYLLABLE
    if 0 <= syllable < _SYLLABLES:
        return _hangul(syllable)
    plain = "".join(each for each in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(each))
    if plain.isascii() and plain.isalnum():
        return plain
    if len(plain) == 1 and plain != letter:
        return _written(plain)
    return None if letter.isalnum() or unicodedata.category(letter)[0] in "MS" else "-"


def _hangul(syllable: int) -> str:
    parts = _letters()["hangul"]
    first, rest = divmod(syllable, _VOWELS * _LASTS)
    vowel, last = divmod(rest, _LASTS)
    return str(parts["first"][first] + parts["vowel"][vowel] + parts["last"][last])


@cache
def _letters() -> dict[str, Any]:
    text = files("dragoman.tables").joinpath("letters.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return loaded
