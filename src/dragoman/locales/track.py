"""Words that ask for care, as a list of every form that people would write."""

import re
from functools import cache

from dragoman.locales.data import LanguageData

# Only these make another word of a hint: "DB에서" speaks of a db, "goodbye" and "db_x" do not.
_WORD = r"0-9_a-zªºß-öø-ɏḀ-ỿ"


def has_listed_word(language: LanguageData, text: str) -> bool:
    pattern = _pattern(language)
    return pattern is not None and pattern.search(text) is not None


@cache
def _pattern(language: LanguageData) -> re.Pattern[str] | None:
    listed = language.document("track_hints").get("words", ())
    words = "|".join(map(re.escape, listed))
    return re.compile(f"(?<![{_WORD}])(?:{words})(?![{_WORD}])") if listed else None
