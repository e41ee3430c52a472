"""What a draft says as a text: its sections, the phrases in it, the object that it is."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Any, Final

from dragoman.guards.json_text.model import JsonRefusal
from dragoman.guards.json_text.strict import read_strict

_FENCED: Final = re.compile(r"```(?:json)?\s*\n(.*?)\n\s*```", re.DOTALL | re.IGNORECASE)
_DECORATION: Final = "#*_ \t"
_WRITTEN_TOGETHER: Final = ("HANGUL", "CJK", "HIRAGANA", "KATAKANA")


def plain(text: str) -> str:
    """Without case, and one spelling for each letter."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def object_of(draft: str) -> dict[str, Any] | None:
    """The JSON object that a draft is, alone or in a fence; None where it is none."""
    fenced = _FENCED.search(draft)
    for text in (draft.strip(), fenced[1] if fenced is not None else ""):
        value = read_strict(text) if text.startswith("{") else None
        if isinstance(value, dict):
            return value
    return None


def broken_fence(draft: str) -> bool:
    """Whether a fenced object is none; a draft without any has none that is broken."""
    fences = _FENCED.findall(draft)
    return not fences or any(isinstance(read_strict(text), JsonRefusal) for text in fences)


def has_section(draft: str, title: str) -> bool:
    """A heading of that title, a line that begins with it and a colon, or a key of the object that it is."""
    wanted = plain(title).strip(_DECORATION).rstrip(":")
    value = object_of(draft)
    if value is not None and any(plain(key) == wanted for key in value):
        return True
    for line in plain(draft).splitlines():
        bare = line.strip(_DECORATION)
        if bare.rstrip(":").rstrip(_DECORATION) == wanted or bare.startswith((f"{wanted}:", f"{wanted}**:")):
            return True
        if line.lstrip().startswith("#") and wanted in bare:
            return True
    return False


def has_phrase(draft: str, phrase: str) -> bool:
    """Whether a phrase stands in a draft as whole words. Particles of Korean are written onto them."""
    said, wanted = plain(draft), " ".join(plain(phrase).split())
    said = " ".join(said.split())
    place = said.find(wanted) if wanted else -1
    while place >= 0:
        before, after = said[place - 1 : place], said[place + len(wanted) : place + len(wanted) + 1]
        ends = not after.isalnum() or not wanted[-1].isalnum() or _is_written_together(wanted[-1])
        if ends and (not before.isalnum() or not wanted[0].isalnum() or _is_written_together(wanted[0])):
            return True
        place = said.find(wanted, place + 1)
    return False


def _is_written_together(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(_WRITTEN_TOGETHER)


def uses_any(draft: str, terms: Iterable[str]) -> bool:
    """Whether one of the terms is used, in whatever form an ending gives it."""
    said = plain(draft)
    return any(plain(term) in said for term in terms)
