"""Names of a schema as words: `BillingCountry` is billing country, `order_id` is order ID."""

import re
from functools import lru_cache

_APART = re.compile(r"[\s_/.\-]+")
_LONGEST_ABBREVIATION = 4
_ABBREVIATED = {"id": "ID", "ids": "IDs"}
"""What people write in capitals however a schema has it."""


@lru_cache(maxsize=8192)
def in_words(name: str) -> str:
    """The words of a name, in small letters; abbreviations keep their capitals."""
    # A name all in capitals says nothing about abbreviations, unless it is one itself.
    shouted = name.isupper() and (len(name) > _LONGEST_ABBREVIATION or bool(_APART.search(name)))
    pieces = [piece for part in _APART.split(name) for piece in ([part] if shouted else _humps(part))]
    words = " ".join(_word(piece, shouted=shouted) for piece in pieces if piece)
    return words or name


@lru_cache(maxsize=8192)
def as_heading(words: str) -> str:
    """Words as the head of a column: `Billing Country`."""
    return " ".join(word[:1].upper() + word[1:] for word in words.split(" "))


def as_sentence(words: str) -> str:
    """Words that begin a sentence. A letter with no single capital stays as it is."""
    first = words[:1].upper()
    return first + words[1:] if len(first) == 1 else words


def _word(piece: str, *, shouted: bool) -> str:
    known = _ABBREVIATED.get(piece.casefold())
    if known is not None:
        return known
    return piece if piece.isupper() and len(piece) > 1 and not shouted else piece.lower()


def _humps(text: str) -> list[str]:
    """`HTTPRequestID` is HTTP, Request, ID."""
    found: list[str] = []
    start = 0
    for place in range(1, len(text)):
        before, here, after = text[place - 1], text[place], text[place + 1 : place + 2]
        new_word = here.isupper() and not before.isupper()
        ends_capitals = here.isupper() and before.isupper() and after.islower()
        if new_word or ends_capitals:
            found.append(text[start:place])
            start = place
    return [*found, text[start:]]
