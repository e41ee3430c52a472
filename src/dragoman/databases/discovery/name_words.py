"""Names read by their words: `CustomerIDs`, `customer_ids` and `customer id` are the same two words."""

import re
from functools import lru_cache

LONGEST = 200

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_POINTERS = ("id", "ids", "key", "fk", "code", "no", "nr", "num", "number", "uuid", "guid", "ref", "pk")
_DECORATIONS = frozenset({"tbl", "table", "tb", "t", "dim", "fact", "fct", "stg", "src"})
_OF_US = re.compile(r"\w{2,}[^aeiou]uses")
"""Plurals of words that end in -us: statuses, campuses; not houses and causes."""
_FUSED = re.compile(r"(.{2,}?)_?(id|uuid|guid)\Z")


@lru_cache(maxsize=65536)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in small letters."""
    return tuple(word.lower() for word in _WORD.findall(name[:LONGEST]))


@lru_cache(maxsize=65536)
def subject_of(name: str) -> tuple[str, ...]:
    """The thing a table holds, in the singular: `tbl_OrderItems` holds an order item."""
    words = words_of(name)
    while len(words) > 1 and words[0] in _DECORATIONS:
        words = words[1:]
    return (*words[:-1], singular(words[-1])) if words else ()


@lru_cache(maxsize=65536)
def pointed_at(name: str) -> tuple[tuple[str, ...], str]:
    """The thing that a column's name points at and how it does so; no thing where the name does not point."""
    words = words_of(name)
    if len(words) > 1 and words[0] in ("id", "fk"):
        rest = words[1:]
        return (*rest[:-1], singular(rest[-1])), words[0]
    if len(words) > 1 and words[-1] in _POINTERS:
        before = words[:-1]
        return (*before[:-1], singular(before[-1])), words[-1]
    if len(words) == 1 and (fused := _FUSED.match(words[0])):
        return (singular(fused[1]),), fused[2]
    return (), ""


def singular(word: str) -> str:
    """The singular of an English plural; other words as they are."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word == "people":
        return "person"
    if _OF_US.fullmatch(word):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
