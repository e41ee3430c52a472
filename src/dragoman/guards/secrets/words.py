"""The words the finder knows, read once when the first of them is asked for."""

import unicodedata
from functools import cache
from importlib.resources import files


@cache
def words(entry: str) -> frozenset[str]:
    return _vocabulary()[entry]


@cache
def without_accents(entry: str) -> frozenset[str]:
    """The words of an entry as they are compared with a text."""
    return frozenset(unaccented(word) for word in words(entry))


def unaccented(text: str) -> str:
    """A text with plain letters where Latin ones have accents: people leave them out, and names must."""
    return text if text.isascii() else text.translate(_plain_letters()).replace("\u0307", "")


@cache
def _vocabulary() -> dict[str, frozenset[str]]:
    import yaml

    text = files("dragoman.guards.secrets").joinpath("words.yaml").read_text(encoding="utf-8")
    entries: dict[str, str] = yaml.load(text, Loader=yaml.CSafeLoader)
    return {name: frozenset(listed.split()) for name, listed in entries.items()}


@cache
def _plain_letters() -> dict[int, str]:
    table = {ord(letter): plain for letter, plain in zip("łŁıđĐøØ", "lLidDoO", strict=True)}
    for code in (*range(0x00C0, 0x0250), *range(0x1E00, 0x1F00)):
        first = unicodedata.normalize("NFD", chr(code))[0]
        if first.isascii() and first.isalpha():
            table[code] = first
    return table
