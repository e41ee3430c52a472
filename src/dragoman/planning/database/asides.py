"""Words that only say what does not matter: "regardless of when they were made", "the overall average"."""

import re
from collections.abc import Container
from functools import cache

from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.words import stem

_CLOSED = r"(?=\s*(?:[,;:)?!.]|-\s|$))"


def without_asides(text: str, named: Container[str] = ()) -> str:
    """A message with such clauses blank, and every other word in its place. What names or numbers anything
    is left: it may matter after all. `named`: the stems of words that stand in names."""
    end = _endings().search(text)
    if end is not None and not any(stem(word) in named for word in end.group().casefold().split()):
        text = text[: end.start()] + " " * len(end.group()) + text[end.end() :]
    text = _before_averages().sub(lambda found: " " * len(found.group()), text)
    return _clauses().sub(lambda found: " " * len(found.group()), text)


@cache
def _endings() -> re.Pattern[str]:
    """ "The dearest tent in the catalogue": where else, at the end of a question."""
    phrases = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in english().closing_asides)
    return re.compile(rf"(?i)(?<=\w)\s+(?:{phrases})(?=\s*[?!.]*\s*$)")


@cache
def _before_averages() -> re.Pattern[str]:
    """ "Above the overall average": an average is of all rows anyway, and nothing is added up."""
    words = "|".join(map(re.escape, english().before_averages))
    return re.compile(rf"(?i)\b(?:{words})\s+(?=(?:average|mean)\b)")


@cache
def _clauses() -> re.Pattern[str]:
    opening = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in english().regardless)
    # No digits, quotes or capitals within it.
    return re.compile(rf",?\s*\b(?i:{opening})\b[a-z\s'’]*{_CLOSED}")
