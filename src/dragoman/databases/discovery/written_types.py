"""What texts turn out to hold: dates, where an engine has no type for them, and numbers."""

import re
from collections.abc import Iterable

from dragoman.contracts.schema import ValueType

_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_MOMENT = re.compile(_DAY.pattern + r"[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?P<zone>Z|[+-]\d\d:\d\d)?")

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?")
"""A nought in front, a plus, or more digits than anything counts tell of a code: 007, +4930123456."""
_NOTHING = frozenset({"-", "--", "?", "n/a", "n.a.", "na", "nan", "nil", "none", "null", "unknown"})
"""What people write where there is no number."""
_SEVERAL = 2
_MOST_MISFITS = 0.1


def are_no_dates(values: Iterable[str]) -> bool:
    """Whether an engine that checks nothing took other texts into a column of dates: 1989-8-1, 04/12/2005.
    Neither their order nor their parts are those of dates."""
    written = [value for value in values if value.strip()]
    misfits = sum(not (_DAY.fullmatch(value) or _MOMENT.fullmatch(value)) for value in written)
    return misfits > _MOST_MISFITS * len(written)


def type_of_texts(values: Iterable[str]) -> ValueType:
    """What all texts of a column are. Empty ones say nothing; one that is no date makes them texts."""
    days = moments = zones = 0
    for value in values:
        if not value.strip():
            continue
        if _DAY.fullmatch(value):
            days += 1
        elif (moment := _MOMENT.fullmatch(value)) is not None:
            moments += 1
            zones += moment["zone"] is not None
        else:
            return ValueType.TEXT
    if not moments:
        return ValueType.DATE if days else ValueType.TEXT
    return ValueType.INSTANT if zones == moments else ValueType.DATETIME


def numbers_of_texts(values: Iterable[str]) -> tuple[ValueType, float, float] | None:
    """Which kind of numbers all texts of a column write, the least of them and the greatest. None where one
    is something else, or where they tell too little: one number by itself may stand there by chance."""
    kind, found = ValueType.INTEGER, set[float]()
    for value in values:
        text = value.strip()
        if not text or text.casefold() in _NOTHING:
            continue
        if not _NUMBER.fullmatch(text):
            return None
        if "." in text:
            kind = ValueType.DECIMAL
        found.add(float(text))
    return (kind, min(found), max(found)) if len(found) >= _SEVERAL else None
