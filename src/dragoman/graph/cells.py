"""What a Cypher store gives, as cells of an answer."""

import json
from typing import Any

from dragoman.contracts.answer import Cell

_LONGEST = 10_000


def cell(value: Any) -> Cell:
    """A plain value as it is; anything built of others as JSON, its inner names left out."""
    if value is None or isinstance(value, bool | int | str):
        return value if not isinstance(value, str) else value[:_LONGEST]
    if isinstance(value, float):
        return repr(value)
    return json.dumps(_plain(value), ensure_ascii=False, default=str, sort_keys=True)[:_LONGEST]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items() if not str(key).startswith("_")}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
