"""A message that points at the period in hand: "that year" after orders of 2017 is the year 2017.

It is read as if the year had been said, whether the message goes on from what was asked or asks something of
its own. Otherwise the words would be lost, and everything that ever was would be the answer.
"""

import calendar
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.state import DateScope
from dragoman.planning.contract import Asked
from dragoman.planning.database.lean import said_phrases
from dragoman.planning.message_periods import period_in_hand
from dragoman.planning.tables.lexicon import others_spoken
from dragoman.planning.tables.words import Kind, tokens_of
from dragoman.reading.period_grammar import period_grammar

_UNITS: Final = ("same_year", "same_month")


def with_period_in_hand(asked: Asked) -> Asked:
    """The message with the period in hand in the place of what points at it; as it is where nothing does, or
    where that is no year or month."""
    days = period_in_hand(asked.continuity.in_hand)
    if days is None or others_spoken(asked.text):
        return asked
    text = said_in_full(asked.text, days)
    if text == asked.text:
        return asked
    dates = tuple(period_grammar().find(text))
    return replace(asked, text=text, reading=replace(asked.reading, dates=dates))


def said_in_full(text: str, days: DateScope) -> str:
    tokens = tokens_of(text)
    for phrase in said_phrases(text):
        unit = next((each for each in _UNITS if each in phrase.kinds), None)
        ends = phrase.last == len(tokens) or tokens[phrase.last].kind is Kind.MARK
        # "That month's orders" are another thing.
        if unit is None or not (ends or phrase.first == 0):
            continue
        said = _said(days, unit)
        return f"{text[: phrase.start]}in {said}{text[phrase.end :]}" if said else text
    return text


def _said(days: DateScope, unit: str) -> str:
    if days.start.year != days.end.year:
        return ""
    if unit == "same_year":
        return str(days.end.year)
    month = calendar.month_name[days.end.month]
    return f"{month} {days.end.year}" if days.start.month == days.end.month else ""
