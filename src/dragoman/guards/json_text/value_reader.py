"""Reads one object or array out of a text, mending only what has a single reading.

An explicit stack, so that no depth can exhaust ours. A flaw of meaning (a duplicate key, a number that
overflows) is noted and the reading goes on to the end of the value; a flaw of form ends it where it stands.
"""

import json
import re
from enum import Enum, auto
from typing import Any

from dragoman.contracts.record import Record
from dragoman.guards.json_text import tokens
from dragoman.guards.json_text.clean import CleanReader
from dragoman.guards.json_text.model import (
    MAX_DEPTH,
    JsonCode,
    JsonRefusal,
    JsonRefused,
    RepairCode,
    Repairs,
)
from dragoman.guards.json_text.scalars import Notes, read_number, read_string

_CLOSERS: dict[str, object] = {"}": dict, "]": list}
# What ends a passage of a model's text: what was open before it was cut off.
_PASSAGE_ENDS = ("```", "<|", "</")

_Container = dict[str, Any] | list[Any]


class Read(Record, frozen=True):
    """A complete value, where it ends, and what was mended in it."""

    value: Any
    end: int
    repairs: Repairs


class Broken(Record, frozen=True):
    """No value here: why, how far it was read, and from where the text may hold another one.

    `meant` tells a value that was begun in earnest from a bracket in prose.
    """

    refusal: JsonRefusal
    resume: int
    reached: int
    meant: bool
    unclosed: bool = False
    """Its brackets are never closed: what follows may still be meant as a part of it."""
    inside: bool = False
    """The search goes on inside a string that never ends: what is found there may be only a text."""


class _Expect(Enum):
    FIRST = auto()
    """The first key or item, or the end."""
    FOLLOWING = auto()
    """Another key or item after a comma, or the end."""
    COLON = auto()
    VALUE = auto()
    SEPARATOR = auto()


def read_value(text: str, start: int, clean: CleanReader) -> Read | Broken:
    """The object or array that begins at `start`."""
    whole = clean.read(start, 0)
    if whole is not None:
        return Read(whole[0], whole[1], Repairs())
    return _Reader(text, start, clean).read()


class _Reader:
    def __init__(self, text: str, start: int, clean: CleanReader) -> None:
        self._text = text
        self._start = start
        self._clean = clean
        self._notes = Notes()
        self._open: list[tuple[_Container, str, int]] = []
        self._quoted_key = False
        self._any_key = False
        self._any_item = False
        self._last_string = (-1, -1)
        self._unended = -1
        self._quote = ""

    def read(self) -> Read | Broken:
        try:
            value, end = self._walk()
        except JsonRefused as refused:
            return self._broken(refused.refusal)
        if self._notes.flaw is not None:
            return Broken(self._notes.flaw, end, end, meant=True)
        return Read(value, end, self._notes.repairs())

    def _walk(self) -> tuple[_Container, int]:
        text, match, pos = self._text, tokens.TOKEN.match, self._start + 1
        first, following, colon, value_due, separator = _Expect
        container = _new(text[self._start])
        expect, key, key_at, comma_at = first, "", 0, 0
        while True:
            if expect is first or expect is following:
                begun = pos
                pos, separated = self._simple(container, pos)
                if pos > begun:
                    comma_at = pos - 1
                    expect = following if separated else separator
            token = match(text, pos)
            assert token is not None  # noqa: S101 - the last alternatives take any character, and the end
            kind = token.lastgroup
            at, pos = token.start(kind or 0) - (kind == "plain"), token.end()
            if kind == "space" or kind == "comment":
                pos = self._gap(kind, at, pos)
                continue
            mark = text[at] if kind == "mark" else ""
            if expect is colon:
                if mark != ":":
                    raise self._stop(at, pos, "a colon is missing after a key")
                expect = value_due
                self._any_key = True
            elif expect is separator and mark == ",":
                comma_at = at
                expect = following
            elif expect is not value_due and _CLOSERS.get(mark) is type(container):
                if expect is following:
                    self._notes.mend(RepairCode.TRAILING_COMMA, comma_at)
                if not self._open:
                    return container, pos
                whole = container
                container, key, key_at = self._open.pop()
                self._put(container, key, key_at, whole)
                expect = separator
            elif expect is separator:
                raise self._stop(at, pos, "a comma or the end is missing")
            elif expect is not value_due and type(container) is dict:
                key, key_at, pos = self._key(kind, at, pos)
                expect = colon
            elif mark == "{" or mark == "[":
                read = self._clean.read(at, len(self._open) + 1)
                if read is not None:
                    self._put(container, key, key_at, read[0])
                    pos, expect = read[1], separator
                    continue
                self._enter(container, key, key_at, at)
                container, expect = _new(mark), first
            else:
                value, pos = self._scalar(kind, at, pos)
                self._put(container, key, key_at, value)
                expect = separator

    def _enter(self, container: _Container, key: str, key_at: int, at: int) -> None:
        """Keep a container that is not complete while one inside of it is read."""
        self._open.append((container, key, key_at))
        if len(self._open) >= MAX_DEPTH:
            raise JsonRefused(JsonCode.TOO_DEEP, f"nested deeper than {MAX_DEPTH} levels", at)

    def _simple(self, container: _Container, pos: int) -> tuple[int, bool]:
        """Read as many simple items or pairs as stand here; their end, and whether a comma was the last."""
        separated = False
        keyed = not isinstance(container, list)
        if isinstance(container, list):
            items = self._clean.items(pos)
            if items is not None:
                container.extend(items[0])
                pos, separated, self._any_item = items[1], True, True
            find, key = tokens.ITEM.match, ""
        else:
            pairs = self._clean.pairs(pos)
            if pairs is not None:
                for key, value in pairs[0]:
                    self._put(container, key, pos, value)
                pos, separated, self._quoted_key, self._any_key = pairs[1], True, True, True
            find = tokens.PAIR.match
        while found := find(self._text, pos):
            if keyed:
                key_quote, key, bare, key_curved, quote, content, number, word, curved, comma = found.groups()
                if key_quote is None:
                    key = self._unusual_key(found, bare, key_curved)
                else:
                    self._quoted_key = True
                    if key_quote == "'":
                        self._notes.mend(RepairCode.SINGLE_QUOTES, found.start("kq"))
                self._any_key = True
            else:
                quote, content, number, word, curved, comma = found.groups()
            if quote is not None:
                value = content
                self._last_string = found.start("vq"), found.end("vtext") + 1
                if quote == "'":
                    self._notes.mend(RepairCode.SINGLE_QUOTES, found.start("vq"))
            elif number is not None:
                value = read_number(number, found.start("number"), self._notes)
            elif word in tokens.JSON_WORDS:
                value = tokens.JSON_WORDS[word]
            elif word is not None:
                value = tokens.PYTHON_WORDS[word]
                self._notes.mend(RepairCode.PYTHON_LITERAL, found.start("word"))
            else:
                value = curved
                self._last_string = found.start("vcurved") - 1, found.end("vcurved") + 1
                self._notes.mend(RepairCode.SMART_QUOTES, self._last_string[0])
            self._put(container, key, found.start(), value)
            pos, separated = found.end(), comma is not None
            if not separated:
                break
        return pos, separated

    def _unusual_key(self, found: re.Match[str], bare: str | None, curved: str | None) -> str:
        """The key of a pair, without quotes or in curved ones."""
        if bare is not None:
            self._notes.mend(RepairCode.UNQUOTED_KEY, found.start("bare"))
            return bare
        self._quoted_key = True
        self._notes.mend(RepairCode.SMART_QUOTES, found.start("kcurved") - 1)
        return curved or ""

    def _gap(self, kind: str, at: int, end: int) -> int:
        """The end of what stands between tokens."""
        self._notes.mend(RepairCode.ODD_SPACE if kind == "space" else RepairCode.COMMENT, at)
        if not self._text.startswith("/*", at):
            return end
        closed = self._clean.comment_end(at)
        if closed is None:
            self._unended = at
            raise JsonRefused(JsonCode.TRUNCATED, "the text ends inside a comment", len(self._text))
        return closed

    def _put(self, container: _Container, key: str, key_at: int, value: Any) -> None:
        if isinstance(container, list):
            container.append(value)
            self._any_item = True
        elif key not in container:
            container[key] = value
        elif self._notes.flaw is not None:
            # It is spoilt already; to compare on would cost the square of the text.
            return
        elif _same(container[key], value):
            self._notes.mend(RepairCode.DUPLICATE_KEY, key_at)
        else:
            self._notes.spoil(
                JsonCode.DUPLICATE_KEY, f"the key {key[:80]!r} stands twice, with two values", key_at
            )

    def _key(self, kind: str | None, at: int, end: int) -> tuple[str, int, int]:
        if kind == "plain" or kind == "quote":
            self._quoted_key = True
            key, end = self._string(at)
            return key, at, end
        word = self._text[at:end]
        if kind != "word" or word in tokens.JSON_WORDS or word in tokens.PYTHON_WORDS:
            raise self._stop(at, end, "a key is missing")
        self._notes.mend(RepairCode.UNQUOTED_KEY, at)
        return word, at, end

    def _scalar(self, kind: str | None, at: int, end: int) -> tuple[Any, int]:
        word = self._text[at:end]
        match kind:
            case "plain" | "quote":
                return self._string(at)
            case "number" | "amount":
                try:
                    return read_number(word, at, self._notes), end
                except JsonRefused as refused:
                    raise self._stop(at, end, refused.refusal.message) from refused
            case "word" if word in tokens.JSON_WORDS:
                return tokens.JSON_WORDS[word], end
            case "word" if word in tokens.PYTHON_WORDS:
                self._notes.mend(RepairCode.PYTHON_LITERAL, at)
                return tokens.PYTHON_WORDS[word], end
            case "word" if tokens.NOT_FINITE.fullmatch(word):
                return read_number(word, at, self._notes), end
            case _:
                raise self._stop(at, end, "a value is missing")

    def _string(self, at: int) -> tuple[str, int]:
        self._unended = at
        self._quote = self._text[at]
        value, end = read_string(self._text, at, self._notes)
        self._last_string, self._unended = (at, end), -1
        return value, end

    def _stop(self, at: int, end: int, message: str) -> JsonRefused:
        """What stands from `at` to `end` does not belong there; at the end of the text, more was to come."""
        text = self._text
        cut_off = at == len(text) or (end == len(text) and text[at:end].isalnum())
        if cut_off or text.startswith(_PASSAGE_ENDS, at):
            return JsonRefused(JsonCode.TRUNCATED, "the text ends inside a value", at)
        return JsonRefused(JsonCode.SYNTAX, message, at)

    def _broken(self, refusal: JsonRefusal) -> Broken:
        """Where to look next. What a broken value already held is part of it and no value of its own."""
        text, at = self._text, refusal.offset
        meant = (self._quoted_key and self._any_key) or self._any_item
        match refusal.code:
            case JsonCode.TOO_DEEP:
                meant = True
            case JsonCode.TRUNCATED if not meant:
                bare = not text[self._start + 1 : at].strip()
                quoted = self._quoted_key or self._quote == tokens.STRAIGHT_DOUBLE
                meant = self._any_key or (at >= len(text) and (quoted or bare))
            case JsonCode.SYNTAX if tokens.NUMBERS.fullmatch(text, self._start + 1, at):
                # A half-open interval, or a note: what closes it may stand behind the object that was meant.
                meant = False
        if not meant:
            return Broken(refusal, self._start + 1, at, meant=False)
        begun = self._any_key or self._any_item
        if (
            refusal.code is JsonCode.TRUNCATED
            and not begun
            and self._quote not in ("", tokens.STRAIGHT_DOUBLE)
        ):
            # It ends in its first key: as likely a brace in quotes, in prose, as an object that was cut off.
            return Broken(refusal, self._start + 1, at, meant=True)
        if refusal.code is JsonCode.TRUNCATED:
            resume = self._after_the_cut(at)
            return Broken(refusal, resume, at, meant=True, unclosed=True, inside=resume < at)
        string_at, string_end = self._last_string
        if refusal.code is JsonCode.SYNTAX and 0 <= string_end <= at and not text[string_end:at].strip():
            # The string just read may have been closed by a quote that opens another one.
            return Broken(refusal, string_at + 1, at, meant=True)
        too_deep = refusal.code is JsonCode.TOO_DEEP
        end = _closing(text, at, len(self._open) + (not too_deep))
        if end is None:
            # It is never closed. What is nested too deep stays one value; otherwise the model began anew.
            resume = len(text) if too_deep else at
            return Broken(refusal, resume, len(text), meant=True, unclosed=True)
        return Broken(refusal, end, end, meant=True)

    def _after_the_cut(self, at: int) -> int:
        """Where another value may begin after one that was cut off at `at`.

        A straight string that never ends takes the rest with it. Any other quote, or a comment, may as well
        have been no quote and no comment.
        """
        text, begun = self._text, self._unended
        if text.startswith(_PASSAGE_ENDS, at):
            return at
        if begun < 0 or at < len(text) or text[begun] == tokens.STRAIGHT_DOUBLE:
            return len(text)
        return begun + 1


def _new(mark: str) -> _Container:
    return dict[str, Any]() if mark == "{" else list[Any]()


def _closing(text: str, at: int, depth: int) -> int | None:
    """Where a value that cannot be read is closed, by its brackets alone."""
    for match in tokens.STRING_OR_BRACKET.finditer(text, at):
        mark = text[match.start()]
        if mark in "{[":
            depth += 1
        elif mark in "}]":
            depth -= 1
            if depth == 0:
                return match.end()
    return None


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: `1`, `1.0` and `true` are three values."""
    if type(one) is not type(other):
        return False
    if isinstance(one, str | int | None):
        return bool(one == other)
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
