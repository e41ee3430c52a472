"""What a plain scalar means here.

`true`, `false` and `null` as every YAML has them; whole numbers, decimals and ISO dates of that very shape.
All else is the text that the author wrote: `no`, `on`, `0123`, `1e6`, `0x1F`, `12:30`.
"""

import datetime as dt

from dragoman._patterns import lazy_pattern
from dragoman.contracts.program import Boolean, Date, Integer, Nil, Number, Symbol, Text, Value
from dragoman.contracts.record import Record
from dragoman.language.verbs.limits import MAX_INTEGER, MIN_INTEGER

_TRUE, _FALSE, _NIL = Boolean(True), Boolean(False), Nil()
WORDS: dict[str, Value] = {
    **dict.fromkeys(("true", "True", "TRUE"), _TRUE),
    **dict.fromkeys(("false", "False", "FALSE"), _FALSE),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), _NIL),
}
_INTEGER = lazy_pattern(r"-?(?:0|[1-9][0-9]*)\Z")
_DECIMAL = lazy_pattern(r"-?(?:0|[1-9][0-9]*)\.[0-9]+\Z")
_DATE = lazy_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_DIGITS = frozenset("-0123456789")
REFERENCE = lazy_pattern(r"\$\{steps\.([A-Za-z_][A-Za-z0-9_-]*)\}\Z")
"""A step's result as a value: `${steps.extract-users}` is `@extract-users` in verb notation."""


class Misread(Record, frozen=True):
    """A plain scalar that looks like a value and is none."""

    code: str
    message: str
    hint: str


def plain_value(text: str) -> Value | Misread:
    """What a scalar without quotes means."""
    if text in WORDS:
        return WORDS[text]
    if text[0] not in _DIGITS:
        return text_value(text)
    if _INTEGER.match(text):
        # No number of more than 20 digits is in range, and Python takes none of more than 4300.
        if len(text) > 20 or not MIN_INTEGER <= int(text) <= MAX_INTEGER:
            message = "a whole number has at most 64 bits"
            return Misread("number_out_of_range", message, "write it in quotes, as a text")
        return Integer(int(text))
    if _DECIMAL.match(text):
        return Number(text)
    return _date_value(text) if _DATE.match(text) else Text(text)


def text_value(text: str) -> Value:
    """What a scalar in quotes means, or a plain one that means nothing else."""
    if text.startswith("${steps.") and (reference := REFERENCE.match(text)):
        return Symbol(reference[1])
    return Text(text)


def _date_value(text: str) -> Value | Misread:
    try:
        return Date(dt.date.fromisoformat(text))
    except ValueError:
        return Misread("invalid_date", f"there is no day {text}", "write a real day, or quotes around it")
