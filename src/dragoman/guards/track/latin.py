"""Hints in Latin letters: whole words, next to letters of any other script."""

import re
from functools import cache

from dragoman.guards.track.vocabulary import LatinHints, hints_of

# Only these make another word of a hint: "DB에서" speaks of a db, "goodbye" and "db_x" do not.
_WORD = r"0-9_a-zªºß-öø-ɏḀ-ỿ"


def has_latin_hint(text: str) -> bool:
    return _pattern().search(text) is not None


@cache
def _pattern() -> re.Pattern[str]:
    words = "|".join(map(re.escape, hints_of("latin", LatinHints).words))
    return re.compile(f"(?<![{_WORD}])(?:{words})(?![{_WORD}])")
