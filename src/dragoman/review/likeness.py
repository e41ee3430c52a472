"""Whether a word of a message says a value of the data: as it is, in another form, cut short or by a code."""

import re
from typing import Final

from dragoman.locales.known_names import other_names
from dragoman.review.words import Word

SHORT: Final = 3
"""So long is a code at most."""
_PIECES: Final = re.compile(r"[A-Za-z][a-z]+(?=[A-Z])|(?<=[a-z])[A-Z][a-z]+")
"""The words of a code that is written in one: tvSeries."""
_ENOUGH: Final = 4
"""So many first letters in common make two words forms of one."""


def split(text: str) -> list[str]:
    """The words of a value; its marks part them."""
    return "".join(letter if letter.isalnum() else " " for letter in text).split() or [text]


def supports(word: Word, value: str) -> bool:
    """Whether a word says a value, or part of it."""
    low = value.casefold()
    if word.quoted:
        one, other = "".join(split(word.form)), "".join(split(low))
        return one in other or other in one
    parts = [*split(low), *(piece.casefold() for piece in _PIECES.findall(value))]
    if "." in low and len(parts) > 1 and all(len(part) == 1 for part in parts):
        # "I.O.M." is the Isle of Man.
        return word.form.replace(".", "") == "".join(parts) or (word.capital and word.form[:1] in parts)
    if "'" in word.form and "".join(split(word.form)) in "".join(split(low)):
        # O'Neil is one word, whatever stands in it.
        return True
    if _is_initials(word, low) or (word.capital and is_code(low, word.form)):
        return True
    # A short word is a name only in capitals: the US, and not "to us".
    if low in other_names().get(word.form, ()) and (len(word.form) > SHORT or word.text.isupper()):
        return True
    if len(low) <= SHORT:
        return low in word.keys or word.form.startswith(low) or (word.capital and low.startswith(word.form))
    if not word.form.isalnum() and "".join(split(word.form)) in "".join(split(low)):
        # O'Brien.
        return True
    return word.form in parts or any(alike(word, part) for part in parts if len(part) >= SHORT)


def alike(word: Word, part: str) -> bool:
    """Whether two words are forms of one, or one with a slip of the keyboard: Brasil, Parisian."""
    if part in word.keys or word.form == part:
        return True
    size = min(len(word.form), len(part))
    common = next((n for n in range(size) if word.form[n] != part[n]), size)
    return common >= _ENOUGH or (size >= SHORT and common >= size - 1 and common >= SHORT)


def is_code(code: str, name: str) -> bool:
    """Whether a short code is made of letters of a name, in their order: NHV of North Haven."""
    letters = iter(name)
    return 2 <= len(code) <= SHORT and len(name) > len(code) and all(letter in letters for letter in code)


def _is_initials(word: Word, value: str) -> bool:
    letters = "".join(part[0] for part in split(value) if part)
    return len(letters) > 1 and word.form.replace(".", "") in (letters, letters[:2])
