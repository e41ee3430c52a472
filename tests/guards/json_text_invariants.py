"""What must hold of looking for an object in any text at all."""

import json
from typing import Any

from dragoman.guards.json_text.lenient import JsonVerdict, extract_object
from dragoman.guards.json_text.model import JsonRefusal
from dragoman.guards.json_text.strict import read_strict

_DECODER = json.JSONDecoder()
# Beyond this the search for what was read in what was written costs more than it finds.
_PLACES = 200


def dumped(value: object) -> str:
    """JSON text tells 1 from true and 1.0, where Python's equality does not."""
    return json.dumps(value, sort_keys=True)


def check_extraction(text: str) -> JsonVerdict:
    """Look for the object, and hold everything that is promised of every text against what came out."""
    found = extract_object(text)
    assert (found.value is None) == (found.code is not None) == bool(found.message)
    assert extract_object(text) == found
    strict = read_strict(text)
    if isinstance(strict, dict):
        assert dumped(found.value) == dumped(strict)
        assert not found.warnings
        _check_beginnings(text)
    elif not isinstance(strict, JsonRefusal):
        assert found.value is None
    if found.value is None:
        assert not found.warnings
        return found
    written = dumped(found.value)
    assert dumped(read_strict(json.dumps(found.value))) == written
    if not found.warnings and text.count("{") <= _PLACES:
        assert _stands_in(written, text)
    assert extract_object(text, contract=lambda _: False).value is None
    assert extract_object(text, required_keys=found.value).value == found.value
    return found


def _check_beginnings(text: str) -> None:
    """An object that is cut off is never completed."""
    whole = text.rstrip()
    for end in {len(whole) // 3, len(whole) // 2, len(whole) - 1}:
        assert extract_object(whole[:end]).value is None


def _stands_in(written: str, text: str) -> bool:
    """Whether the text has the object letter for letter: nothing was mended, so it must."""
    return any(mark == "{" and _reads_as(text, place) == written for place, mark in enumerate(text))


def _reads_as(text: str, place: int) -> str | None:
    try:
        value: Any = _DECODER.raw_decode(text, place)[0]
    except (json.JSONDecodeError, RecursionError):
        return None
    return dumped(value)
