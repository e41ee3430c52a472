"""Ends of messages that only say how the answer is shown: "Show the numbers too", "List each only once".

They are put as other questions put them, so that nothing else has to know the many ways to say it.
"""

import re
from functools import cache

from dragoman.contracts.record import Record
from dragoman.planning.database.vocabulary import english

_END = r"\s*[.?!]*\s*$"
_AND_HOW_MANY = ", and how many"
_WITH_TOTALS = ", with the totals"
_ONCE = ", without duplicates"
_MAY_END_SO = re.compile(r"(?i)[.?!;,]\s*\w|\sand\s+how\s")
"""Nothing else can have such an end; making the patterns takes longer than reading most messages."""
_MOST_WORDS = 6
"""So long may what is to be shown as well be: their ages and their towns."""


class _Endings(Record, frozen=True):
    """The patterns, made once of the words of a language."""

    figures: re.Pattern[str]
    totals: re.Pattern[str]
    each_has: re.Pattern[str]
    once: re.Pattern[str]
    theirs: re.Pattern[str]


def with_plain_ending(text: str) -> str:
    """A message with such an end in its plain form; everything before it stays in its place. A message that
    is nothing but such an end says what to do with the answer before, and is left as it is."""
    if not _MAY_END_SO.search(text):
        return text
    known = _endings()
    text = known.once.sub(_ONCE, text)
    text = known.figures.sub(_AND_HOW_MANY, text)
    text = known.totals.sub(_WITH_TOTALS, text)
    text = known.each_has.sub(lambda found: f"{_AND_HOW_MANY}{found['counted'] or ''}", text)
    return known.theirs.sub(lambda found: f", and {found['shown']}", text)


@cache
def _endings() -> _Endings:
    told = english().told_endings
    shows, also = _one_of(told.shows), _one_of(told.also)
    # Something is said before it, and the first sentence has ended.
    opening = rf"(?i)(?<=\w)\s*[.?!;,]\s*(?:and\s+)?(?:please\s+)?(?:(?:{shows})\b(?:\s+me|\s+us)?)"
    article = rf"(?:(?:the|also|{_one_of(english().theirs)})\s+)*"
    of_each = rf"(?:\s+(?:{_one_of(told.of_each)}))?"
    have = _one_of(told.have)
    shown = rf"(?P<shown>(?:the|{_one_of(english().theirs)})(?:\s+[a-z][a-z'’-]*){{1,{_MOST_WORDS}}}?)"
    return _Endings(
        re.compile(rf"{opening}\s+{article}(?:{_one_of(told.counts)}){of_each}(?:\s+(?:{also}))*{_END}"),
        re.compile(rf"{opening}\s+{article}(?:{_one_of(told.totals)}){of_each}(?:\s+(?:{also}))*{_END}"),
        re.compile(
            rf"(?i)(?<=\w)\s*[,;]?\s+and\s+how\s+"
            # "And how many did each place", "and how often was each rented": the verb was said before.
            rf"(?:(?:many|often)\s+(?:{_one_of(told.do)})\s+(?:{_one_of(told.each)})(?:\s+[a-z]+)?"
            rf"|many(?P<counted>\s+[a-z]+)?\s+(?:"
            rf"(?:{_one_of(told.do)})\s+(?:{_one_of(told.each)})(?:\s+(?:{have}))?"
            rf"|(?:{_one_of(told.of_each)})\s+(?:{_one_of(told.we_sell)})"
            rf"|(?:{_one_of(told.was_that)}))){_END}"
        ),
        re.compile(
            rf"{opening}\s+(?:{_one_of(told.each)})(?:\s+(?:{_one_of(told.names)}))?"
            rf"(?:\s+(?:only|just))?\s+once(?:\s+only)?{_END}"
        ),
        # Without an "as well" it may be all that is to be shown.
        re.compile(rf"{opening}\s+{shown}\s+(?:{also}){_END}"),
    )


def _one_of(phrases: tuple[str, ...]) -> str:
    """A pattern for any of some phrases, the longest first."""
    ordered = sorted(phrases, key=len, reverse=True)
    return "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in ordered)
