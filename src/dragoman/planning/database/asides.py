"""Clauses that only say what does not matter: "regardless of when they were made"."""

import re
from functools import cache

from dragoman.planning.database.vocabulary import english

_CLOSED = r"(?=\s*(?:[,;:)?!.]|-\s|$))"


def without_asides(text: str) -> str:
    """A message with such clauses blank, and every other word in its place. What names or numbers anything
    is left: it may matter after all."""
    return _clauses().sub(lambda found: " " * len(found.group()), text)


@cache
def _clauses() -> re.Pattern[str]:
    opening = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in english().regardless)
    # No digits, quotes or capitals within it.
    return re.compile(rf",?\s*\b(?i:{opening})\b[a-z\s'’]*{_CLOSED}")
