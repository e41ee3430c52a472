"""Words, integers and dates that may turn out to be none."""

import datetime as dt
from typing import Final

from dragoman.contracts.program import Boolean, Date, Integer, Nil, Value
from dragoman.language.document import Extent
from dragoman.language.verbs.limits import MAX_INTEGER, MIN_INTEGER
from dragoman.language.verbs.oddities import Fault, Report, bareword, date_fault, shown

_CONSTANTS: Final[dict[str, Value]] = {"true": Boolean(True), "false": Boolean(False), "nil": Nil()}
_LONGEST_INTEGER: Final = len(str(MIN_INTEGER))


def constant(word: str, start: int, end: int, report: Report) -> Value:
    value = _CONSTANTS.get(word)
    if value is None:
        report(bareword(word, start, end))
        return Nil()
    return value


def integer(digits: str, extent: Extent, report: Report) -> Value:
    # The length first: the interpreter refuses to make a number of thousands of digits.
    if len(digits) <= _LONGEST_INTEGER and MIN_INTEGER <= (number := int(digits)) <= MAX_INTEGER:
        return Integer(number)
    message = f"{shown(digits)} does not fit into 64 bits"
    hint = f"write a number from {MIN_INTEGER} to {MAX_INTEGER}, or a decimal such as 1.0"
    report(Fault("number_out_of_range", *extent, message, hint))
    return Nil()


def date(digits: str, extent: Extent, report: Report) -> Value:
    try:
        return Date(dt.date.fromisoformat(digits))
    except ValueError:
        report(date_fault(digits, *extent))
        return Nil()
