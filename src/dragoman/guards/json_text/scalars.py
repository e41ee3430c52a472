"""Strings and numbers as models write them. What was mended and what is wrong is noted beside the value."""

import re

from dragoman.guards.json_text import tokens
from dragoman.guards.json_text.model import (
    MAX_REPAIRS_TOLD,
    JsonCode,
    JsonRefusal,
    JsonRefused,
    Repair,
    RepairCode,
    Repairs,
)
from dragoman.guards.json_text.strict import exact_integer, finite_float

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LAYOUT = re.compile(r"[\t\n\r]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class Notes:
    """What a reading has to say beside its value: repairs, and the first flaw that spoils it."""

    def __init__(self) -> None:
        self.flaw: JsonRefusal | None = None
        self._first: list[Repair] = []
        self._total = 0

    def mend(self, code: RepairCode, at: int) -> None:
        self._total += 1
        if self._total <= MAX_REPAIRS_TOLD:
            self._first.append(Repair(code, at))

    def mend_many(self, count: int) -> None:
        """More of what was told often enough."""
        self._total += count

    @property
    def full(self) -> bool:
        return self._total >= MAX_REPAIRS_TOLD

    def spoil(self, code: JsonCode, message: str, at: int) -> None:
        if self.flaw is None:
            self.flaw = JsonRefusal(code, message, at)

    def repairs(self) -> Repairs:
        return Repairs(tuple(self._first), self._total)


def read_string(text: str, at: int, notes: Notes) -> tuple[str, int]:
    """The string whose opening quote is at `at`, and its end."""
    quote = text[at]
    body = tokens.BODIES[quote].match(text, at + 1)
    end = body.end() if body else at + 1
    if end >= len(text):
        raise JsonRefused(JsonCode.TRUNCATED, "the text ends inside a string", len(text))
    if quote != tokens.STRAIGHT_DOUBLE:
        notes.mend(RepairCode.SINGLE_QUOTES if quote == "'" else RepairCode.SMART_QUOTES, at)
    return _content(text[at + 1 : end], at + 1, quote, notes), end + 1


def _content(raw: str, at: int, quote: str, notes: Notes) -> str:
    control = _CONTROL.search(raw)
    if control is not None:
        message = f"a control character (U+{ord(control.group()):04X}) in a string"
        notes.spoil(JsonCode.CONTROL_CHARACTER, message, at + control.start())
    for layout in _LAYOUT.finditer(raw):
        if notes.full:
            notes.mend_many(sum(raw.count(character, layout.start()) for character in "\t\n\r"))
            break
        tab = layout.group() == "\t"
        notes.mend(RepairCode.RAW_TAB if tab else RepairCode.RAW_NEWLINE, at + layout.start())
    if "\\" in raw:
        raw = _ESCAPE.sub(lambda escape: _escaped(escape, at, quote, notes), raw)
    if _SURROGATE.search(raw):
        try:
            raw = raw.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeDecodeError:
            notes.spoil(JsonCode.LONE_SURROGATE, "half of a surrogate pair in a string", at)
    return raw


def _escaped(escape: re.Match[str], at: int, quote: str, notes: Notes) -> str:
    word = escape[1]
    if word in _ESCAPES:
        return _ESCAPES[word]
    if len(word) == 5:
        return chr(int(word[1:], 16))
    if word == "'" == quote:
        return word
    notes.spoil(JsonCode.SYNTAX, f"\\{word} is no escape of JSON", at + escape.start())
    return word


def read_number(word: str, at: int, notes: Notes) -> int | float | None:
    """The number a word stands for; none where it stands for none, which is noted."""
    if tokens.NOT_FINITE.fullmatch(word):
        notes.spoil(JsonCode.NOT_FINITE, f"{word} is no number of JSON", at)
        return None
    parts = tokens.AMOUNT.fullmatch(word)
    if parts is None or not (parts[2] or parts[4]):
        raise JsonRefused(JsonCode.SYNTAX, f"{word[:40]!r} is no number", at)
    if parts[1] == "+" or (parts[3] and not (parts[2] and parts[4])):
        notes.mend(RepairCode.NUMBER_FORM, at)
    try:
        return finite_float(word) if parts[3] or parts[5] else exact_integer(word)
    except JsonRefused as refused:
        notes.spoil(refused.refusal.code, refused.refusal.message, at)
        return None
