"""The strict profile: one JSON document, as the standard has it, nothing repaired.

Stricter than most readers: no NaN, no duplicate keys, no half of a character, no number that loses itself.

>>> read_strict('{"a": 1}')
{'a': 1}
>>> read_strict('{"a": 1,}').code
<JsonCode.SYNTAX: 'invalid_json'>
"""

import json
import math
import re
import sys
from collections import Counter
from typing import Any, NoReturn

from dragoman.guards.json_text.model import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    MAX_INTEGER_DIGITS,
    JsonCode,
    JsonRefusal,
    JsonRefused,
)

_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{}]', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


def read_strict(text: str) -> Any:
    """The value of a document, or a `JsonRefusal`."""
    try:
        if len(text) > MAX_CHARACTERS:
            raise JsonRefused(JsonCode.TOO_LARGE, f"more than {MAX_CHARACTERS:,} characters")
        refuse_depth(text)
        value = DECODER.decode(text)
        if _SURROGATE_ESCAPE.search(text) or not text.isascii():
            refuse_lone_surrogates(value)
    except json.JSONDecodeError as error:
        ended = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        code = JsonCode.TRUNCATED if ended and text.strip() else JsonCode.SYNTAX
        return JsonRefusal(code, f"{error.msg} at line {error.lineno}, column {error.colno}", error.pos)
    except JsonRefused as refused:
        return refused.refusal
    return value


def refuse_depth(text: str, start: int = 0, end: int = sys.maxsize, limit: int = MAX_DEPTH) -> None:
    """A reader that descends would exhaust its stack."""
    if text.count("[", start, end) + text.count("{", start, end) <= limit:
        return
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text, start, end):
        mark = text[match.start()]
        if mark in "[{":
            depth += 1
            if depth > limit:
                message = f"nested deeper than {MAX_DEPTH} levels"
                raise JsonRefused(JsonCode.TOO_DEEP, message, match.start())
        elif mark in "]}":
            depth -= 1


def refuse_lone_surrogates(value: Any) -> None:
    """Half of a character cannot be written down again."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise JsonRefused(JsonCode.LONE_SURROGATE, "an escape is half of a surrogate pair") from error


def unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        keys = Counter(key for key, _ in pairs)
        twice = next(key for key, times in keys.items() if times > 1)
        raise JsonRefused(JsonCode.DUPLICATE_KEY, f"the key {twice[:80]!r} stands twice")
    return made


def exact_integer(digits: str) -> int:
    if len(digits.lstrip("+-")) > MAX_INTEGER_DIGITS:
        message = f"an integer of more than {MAX_INTEGER_DIGITS:,} digits"
        raise JsonRefused(JsonCode.INTEGER_TOO_LONG, message)
    return int(digits)


def finite_float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise JsonRefused(JsonCode.OVERFLOW, f"the number {digits[:40]} is too large")
    return number


def refuse_constant(word: str) -> NoReturn:
    raise JsonRefused(JsonCode.NOT_FINITE, f"{word} is no number of JSON")


DECODER = json.JSONDecoder(
    object_pairs_hook=unique_pairs,
    parse_int=exact_integer,
    parse_float=finite_float,
    parse_constant=refuse_constant,
)
