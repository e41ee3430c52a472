"""Values that need no mending, read by the standard library's scanner, many times faster than ours."""

import json
import re
from json.scanner import make_scanner
from typing import Any

from dragoman.guards.json_text import tokens
from dragoman.guards.json_text.model import MAX_DEPTH, JsonRefused
from dragoman.guards.json_text.strict import (
    DECODER,
    exact_integer,
    finite_float,
    refuse_constant,
    refuse_depth,
)

_NOT_CLEAN = re.compile(r"\{[ \t\n\r]*+[^\"} \t\n\r]|\[[ \t\n\r]*+'")
_PAIRS = json.JSONDecoder(
    object_pairs_hook=list, parse_int=exact_integer, parse_float=finite_float, parse_constant=refuse_constant
)
# The annotations of the standard library know only its slow form.
_SCAN = make_scanner(DECODER)  # type: ignore[arg-type]
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


class CleanReader:
    """Tries a place of a text. What it may waste on places that are not clean is bounded over all of them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._comments_end = text.rfind("*/")
        self._allowance = 4 * len(text) + 100_000

    def read(self, at: int, depth: int) -> tuple[Any, int] | None:
        """The value at `at` and its end, if it is JSON by the letter."""
        if self._allowance < 0 or _NOT_CLEAN.match(self._text, at):
            return None
        try:
            value, end = _SCAN(self._text, at)
        except json.JSONDecodeError as error:
            # The error itself counts the lines before it.
            self._allowance -= error.pos - at + error.pos // 32 + 100
            return None
        except (JsonRefused, RecursionError, StopIteration):
            self._allowance -= len(self._text) - at + 100
            return None
        if _SURROGATE.search(self._text, at, end):
            return None
        try:
            refuse_depth(self._text, at, end, MAX_DEPTH - depth)
        except JsonRefused:
            return None
        return value, end

    def items(self, at: int) -> tuple[list[Any], int] | None:
        """Clean items of an array and the place after their last comma."""
        run = tokens.ITEMS.match(self._text, at)
        return None if run is None else self._decoded(f"[{run.group()[:-1]}]", run.end())

    def pairs(self, at: int) -> tuple[list[tuple[str, Any]], int] | None:
        """Clean pairs of an object and the place after their last comma."""
        run = tokens.PAIRS.match(self._text, at)
        return None if run is None else self._decoded(f"{{{run.group()[:-1]}}}", run.end())

    def comment_end(self, at: int) -> int | None:
        """The end of the block comment that begins at `at`."""
        return self._text.index("*/", at + 2) + 2 if at + 2 <= self._comments_end else None

    def _decoded(self, text: str, end: int) -> tuple[list[Any], int] | None:
        try:
            return _PAIRS.decode(text), end
        except JsonRefused:
            return None
