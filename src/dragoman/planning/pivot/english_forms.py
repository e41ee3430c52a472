"""English plurals, for nouns that were plural where they came from."""

from typing import Final

_IRREGULAR: Final = {
    "person": "people",
    "man": "men",
    "woman": "women",
    "child": "children",
    "staff": "staff",
    "sales": "sales",
    "goods": "goods",
    "series": "series",
    "species": "species",
    "aircraft": "aircraft",
    "information": "information",
    "data": "data",
    "equipment": "equipment",
    "revenue": "revenue",
    "mass": "mass",
    "news": "news",
    "premises": "premises",
    "headquarters": "headquarters",
    "savings": "savings",
    "earnings": "earnings",
}
_HISSING: Final = ("s", "sh", "ch", "x", "z")


def plural(noun: str) -> str:
    """The plural of the last word."""
    before, _, last = noun.rpartition(" ")
    return f"{before} {_many(last)}".strip()


def _many(word: str) -> str:
    if not word.isascii():
        # A name of the database in letters of its own has no English plural.
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    if word.endswith("s") and not word.endswith("ss"):
        return word if word.endswith(("ics", "ies")) else f"{word}es"
    return f"{word}es" if word.endswith(_HISSING) else f"{word}s"
