"""CPU to check a status report of four lists with 50 items each, beside jsonschema.

./do bench guards_report

Both begin with the text. `jsonschema.validate` is what a program calls first: it checks the schema each time,
and of all errors it raises the best one. The kept validator had its schema checked before, and lists all
errors, as ours does. Neither can say what our second layer says: that a task stands in two lists.
"""

import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from dragoman.guards.report.kinds import LISTS
from dragoman.guards.report.report_check import check_report

ITEMS: Final = 50
BAR: Final = 1 / 20
REPEATS: Final = 9
SECONDS_OF_A_REPEAT: Final = 0.05

_ITEMS_SCHEMA: Final[dict[str, Any]] = {"type": "array", "items": {"type": "string"}, "maxItems": ITEMS}
SCHEMA: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "additionalProperties": False,
    "required": [*LISTS, "notes"],
    "properties": {
        **dict.fromkeys(LISTS, _ITEMS_SCHEMA),
        "next_focus": {**_ITEMS_SCHEMA, "minItems": 1},
        "notes": {"type": "string", "minLength": 1, "maxLength": 5000},
    },
}

Items = Callable[[str, int], object]


def report(item: Items) -> str:
    lists = {field: [item(field, place) for place in range(ITEMS)] for field in LISTS}
    return json.dumps({**lists, "notes": "All is well. " * 40})


def _in_two_lists(field: str, place: int) -> str:
    """The first two lists share all their items, and so do the last two."""
    return f"T{LISTS.index(field) // 2}.{place}: load the orders"


REPORTS: Final[dict[str, tuple[str, int]]] = {
    "valid": (report(lambda field, place: f"T{place}: load the orders of {field}"), 0),
    "every item wrong": (report(lambda field, place: place), 4 * ITEMS),
    "every item in two lists": (report(_in_two_lists), 2 * ITEMS),
}
"""The text, and how many errors ours must list."""


def microseconds(work: Callable[[], object]) -> float:
    """The best of several repeats, each of as many calls as fill its time."""
    started = time.process_time()
    work()
    calls = max(1, int(SECONDS_OF_A_REPEAT / max(time.process_time() - started, 1e-6)))
    best = float("inf")
    for _ in range(REPEATS):
        started = time.process_time()
        for _ in range(calls):
            work()
        best = min(best, (time.process_time() - started) / calls)
    return best * 1e6


class Peer:
    """jsonschema in the two ways it is called, from the text."""

    def __init__(self) -> None:
        # Installed for benchmarks only.
        self._jsonschema: Any = import_module("jsonschema")
        self._validator: Any = self._jsonschema.Draft202012Validator(SCHEMA)

    def validate(self, text: str) -> bool:
        try:
            self._jsonschema.validate(json.loads(text), SCHEMA)
        except self._jsonschema.ValidationError:
            return False
        return True

    def every_error(self, text: str) -> list[str]:
        return [error.message for error in self._validator.iter_errors(json.loads(text))]


def compared(title: str, text: str, errors: int, peer: Peer) -> bool:
    assert len(check_report(text).errors) == errors
    assert peer.validate(text) == (not peer.every_error(text))
    ours = microseconds(lambda: check_report(text))
    validate = microseconds(lambda: peer.validate(text))
    listed = microseconds(lambda: peer.every_error(text))
    reached = ours <= BAR * validate
    print(f"{title}, {errors} errors")
    print(f"  dragoman                           {ours:8.1f} µs CPU (best of {REPEATS})")
    print(
        f"  jsonschema.validate                {validate:8.1f} µs CPU, {len(peer.every_error(text))} errors"
    )
    print(f"  jsonschema, kept validator, all    {listed:8.1f} µs CPU; ours is 1/{listed / ours:.1f} of it")
    print(
        f"  bar: at most 1/{1 / BAR:.0f} of jsonschema.validate: 1/{validate / ours:.1f} "
        f"{'reached' if reached else 'missed'}"
    )
    return reached


def main() -> int:
    peer = Peer()
    reached = [compared(title, text, errors, peer) for title, (text, errors) in REPORTS.items()]
    return int(not all(reached))


if __name__ == "__main__":
    sys.exit(main())
