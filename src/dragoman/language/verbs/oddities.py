"""What is wrong with text that is no token, and what was probably meant by it."""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from dragoman._patterns import lazy_pattern
from dragoman.language.verbs.comments import comment_line
from dragoman.language.verbs.scanner import CONTROL, SPACES
from dragoman.language.verbs.strings import dedented, escape_faults, unescaped


class Fault(NamedTuple):
    """A finding before it has lines and columns."""

    code: str
    start: int
    end: int
    message: str
    hint: str


Report = Callable[[Fault], None]


class StringRead(NamedTuple):
    """A text, where it ends, and what is wrong with it; `cut` when its end is missing."""

    value: str
    end: int
    faults: tuple[Fault, ...] = ()
    cut: bool = False


_INVISIBLE: Final = lazy_pattern(rf"(\ufeff+)|([{SPACES}]+)|([{CONTROL}]+)")
_UNWRITABLE: Final = lazy_pattern(rf"(?!\r\n)[{CONTROL}]|([\ud800-\udfff])")
_LOOSE_STRING: Final = lazy_pattern(r'"((?:[^"\\\n]|\\[^\n])*+)"')
_LINE: Final = lazy_pattern(r"[^\n\r]*+")

_JOINED_KEY: Final = lazy_pattern(r':([A-Za-z_][A-Za-z0-9_-]*+)(?=[:@"(\[{])')
_APART: Final = frozenset(" \t\n\r()[]{},;") | {""}

_DATE: Final = lazy_pattern(r"[0-9]{1,4}[-/][0-9]{1,2}[-/][0-9]|[0-9]{4}-[0-9]{2}\Z")
_NUMBER: Final = lazy_pattern(r"[+-]?\.?[0-9]")
_LEADING_ZERO: Final = lazy_pattern(r"-?0[0-9]+(?:\.[0-9]+)?\Z")
_WORDS: Final = {"null": "nil", "none": "nil", "true": "true", "false": "false", "nil": "nil"}


def shown(text: str) -> str:
    """A piece of source for a message: short, and nothing in it that cannot be seen."""
    return comment_line(text if len(text) <= 40 else text[:37] + "...")


def invisible(text: str, start: int) -> Fault | None:
    """A byte order mark, foreign white space or control characters at this place, if they are there."""
    found = _INVISIBLE.match(text, start)
    if found is None:
        return None
    name = f"U+{ord(text[start]):04X}"
    match found.lastindex:
        case 1:
            return Fault("byte_order_mark", *found.span(), "a byte order mark stands here", "save without it")
        case 2:
            hint = "write a plain space, or put the text in quotes"
            return Fault("non_ascii_space", *found.span(), f"{name} only looks like a space", hint)
        case _:
            return Fault("control_character", *found.span(), f"control character {name}", "remove it")


def unwritable(text: str, start: int, end: int, *, inside: str) -> Iterator[Fault]:
    """Characters that no text and no comment may hold as they are."""
    for found in _UNWRITABLE.finditer(text, start, end):
        name = f"U+{ord(found[0]):04X}"
        if found[1]:
            hint = "write the whole character, or remove it"
            yield Fault("lone_surrogate", *found.span(), f"{name} is half of a surrogate pair", hint)
        else:
            hint = f"write \\u{ord(found[0]):04x}" if inside == "string" else "remove it"
            yield Fault("control_character", *found.span(), f"control character {name} in a {inside}", hint)


def string_at(text: str, start: int) -> StringRead:
    """The text whose opening quote stands here, block string or not."""
    if text.startswith('"""', start):
        return _block_string_at(text, start)
    found = _LOOSE_STRING.match(text, start)
    if found is None:
        line = _LINE.match(text, start)
        end = line.end() if line else start
        fault = Fault(
            "unterminated_string",
            start,
            end,
            "the text does not end on its line",
            'close it with ", or write """ around text of several lines',
        )
        return StringRead("", end, (fault,), cut=True)
    first = start + 1
    faults = [*unwritable(text, first, found.end() - 1, inside="string")]
    faults += [_escape_fault(text, first + f.start, first + f.end, f.code) for f in escape_faults(found[1])]
    return StringRead("" if faults else unescaped(found[1]), found.end(), tuple(faults))


def _block_string_at(text: str, start: int) -> StringRead:
    first = start + 3
    end = text.find('"""', first)
    if end < 0:
        fault = Fault(
            "unterminated_block_string",
            start,
            first,
            "the block string has no end",
            'close it with """ on a line of its own',
        )
        # Where a statement begins after it, reading goes on.
        resume = text.find("\n(", first)
        return StringRead("", resume if resume >= 0 else len(text), (fault,), cut=True)
    faults = tuple(unwritable(text, first, end, inside="block string"))
    return StringRead("" if faults else dedented(text[first:end]), end + 3, faults)


def _escape_fault(text: str, start: int, end: int, code: str) -> Fault:
    written = shown(text[start:end])
    match code:
        case "lone_surrogate":
            hint = "write both halves of the pair, \\uD83D\\uDE00 for example, or the character itself"
            return Fault(code, start, end, f"{written} is half of a surrogate pair", hint)
        case "bad_unicode_escape":
            return Fault(code, start, end, "\\u without four hexadecimal digits", "write \\u0041 for example")
        case _:
            hint = r"write \\ for a backslash; the escapes are \n \r \t \\ \" and \uXXXX"
            return Fault(code, start, end, f"there is no escape {written}", hint)


def run_fault(text: str, start: int, end: int) -> Fault:
    """What is wrong with a run of characters that is neither key, symbol, number, date nor word."""
    run = text[start:end]
    if run[0] == ":":
        hint = "write : and a name of ASCII letters, digits, - and _"
        return Fault("bad_key", start, end, f"{shown(run)} is not the name of an argument", hint)
    if run[0] == "@":
        hint = "write @ and a name of ASCII letters, digits, - and _, no dots and no $"
        return Fault("bad_symbol", start, end, f"{shown(run)} is not a symbol", hint)
    if _DATE.match(run):
        return date_fault(run, start, end)
    if _LEADING_ZERO.match(run):
        hint = "write it without the leading zeros, or in quotes if it is a code"
        return Fault("leading_zero", start, end, f"{shown(run)} begins with a zero", hint)
    if _NUMBER.match(run):
        return Fault("bad_number", start, end, f"{shown(run)} is not a number", _number_hint(run))
    return bareword(run, start, end)


def joined_key_fault(text: str, start: int) -> Fault | None:
    """What is wrong with a key that its value, or another key, follows without white space."""
    found = _JOINED_KEY.match(text, start)
    if found is None:
        return None
    message, hint = (
        f":{shown(found[1])} and its value are written together",
        f"write a space after :{shown(found[1])}",
    )
    return Fault("missing_space_after_key", *found.span(), message, hint)


def gap_fault(text: str, end: int) -> Fault | None:
    """What stands too near behind a value that ends here; what cannot be seen is reported by itself."""
    following = text[end : end + 1]
    if following in _APART or _INVISIBLE.match(text, end):
        return None
    message = f"{shown(following)} stands right behind a value"
    return Fault("missing_space", end, end + 1, message, "write a space before it")


def date_fault(run: str, start: int, end: int) -> Fault:
    hint = "write a day that exists as 2020-03-31; put a date with a time in quotes"
    return Fault("bad_date", start, end, f"{shown(run)} is not a date", hint)


def _number_hint(run: str) -> str:
    for shape, hint in _NUMBER_HINTS:
        if shape.match(run):
            return hint
    return "write digits with or without a fraction, as 12 or -0.50; put anything else in quotes"


_NUMBER_HINTS: Final = (
    (re.compile(r"\+"), "leave the plus sign away"),
    (re.compile(r"-?\.[0-9]+\Z"), "write a zero before the point"),
    (re.compile(r"-?[0-9]+\.\Z"), "write a digit after the point, or no point"),
    (re.compile(r"-?[0-9.]+[eE][+-]?[0-9]+\Z"), "write the number out, without an exponent"),
    (re.compile(r"-?[0-9]+_[0-9_.]*\Z"), "write the digits without _"),
    (re.compile(r"-?0[xXoObB]"), "write the number with decimal digits"),
)


def bareword(run: str, start: int, end: int) -> Fault:
    if meant := _WORDS.get(run.lower()):
        hint = f"write {meant}"
    elif run[0] == "#" or run.startswith(("//", "--")):
        hint = "a comment begins with ;"
    elif "${" in run:
        hint = f'put it in quotes: "{shown(run)}"'
    else:
        hint = 'put text in quotes: "…"'
    return Fault("bareword", start, end, "a word stands without quotes", hint)
