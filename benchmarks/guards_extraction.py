"""CPU to find the object in 2.5 and in 10 MB of a model's text, clean and in every kind of disorder.

./do bench guards_extraction
"""

import gc
import json
import re
import sys
import time
from collections.abc import Callable
from itertools import count
from typing import Any, Final

from dragoman.guards.json_text.lenient import JsonVerdict, extract_object

SMALL: Final = 2_500_000
LARGE: Final = 10_000_000
BAR: Final = 3.0
GROWTH_BAR: Final = 1.35
"""Four times the text may take this many times four times the CPU: caches are smaller than the text."""

RUNS: Final = 3

Writer = Callable[[dict[str, Any]], str]


def row(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "name": f"item {number}",
        "whole": number % 2 == 0,
        "note": None,
        "price": number / 4,
        "tags": ["red", "green", str(number)],
        "where": {"city": "Graz", "code": 8010},
    }


def rows(characters: int, write: Writer = json.dumps) -> str:
    """As many rows as fill the text."""
    written, length = [], 0
    for number in count():
        text = write(row(number))
        written.append(text)
        length += len(text) + 2
        if length >= characters:
            break
    return ", ".join(written)


def clean(characters: int) -> str:
    return f'Here are the rows you\'d want:\n```json\n{{"rows": [{rows(characters)}]}}\n```\nAnything else?'


def as_python_prints(characters: int) -> str:
    return f"The rows: {{'rows': [{rows(characters, repr)}]}}"


def _with_commas(value: dict[str, Any]) -> str:
    return json.dumps(value).replace("}", ",}").replace("]", ",]")


def trailing_commas(characters: int) -> str:
    return f'{{"rows": [{rows(characters, _with_commas)},],}}'


def _with_bare_keys(value: dict[str, Any]) -> str:
    return re.sub(r'"(\w+)":', r"\1:", json.dumps(value))


def unquoted_keys(characters: int) -> str:
    return f"{{rows: [{rows(characters, _with_bare_keys)}]}}"


def _with_comment(value: dict[str, Any]) -> str:
    return f"{json.dumps(value)[:-1]} // as of today\n}}"


def comments(characters: int) -> str:
    return f'{{"rows": [{rows(characters, _with_comment)}]}}'


def _with_smart_quotes(value: dict[str, Any]) -> str:
    return re.sub(r'"([^"]*)"', r"“\1”", json.dumps(value))


def smart_quotes(characters: int) -> str:
    return f"{{“rows”: [{rows(characters, _with_smart_quotes)}]}}"


def truncated(characters: int) -> str:
    return clean(characters)[:-200]


def braces_in_prose(characters: int) -> str:
    sentence = "Put {name} and [note] where x is in {1, 2} or [0, 1), as {x | x > 0} says.\n"
    return sentence * (characters // len(sentence))


TEXTS: Final[dict[str, tuple[Callable[[int], str], str | None]]] = {
    "clean, in prose and a fence": (clean, None),
    "as Python prints it": (as_python_prints, None),
    "trailing commas": (trailing_commas, None),
    "truncated": (truncated, "truncated_json"),
    "prose with braces only": (braces_in_prose, "no_json_object_found"),
    "unquoted keys": (unquoted_keys, None),
    "comments": (comments, None),
    "smart quotes": (smart_quotes, None),
}
"""How the text is written, and the code it must end with."""


def best_seconds(text: str, code: str | None) -> float:
    best = float("inf")
    for _ in range(RUNS):
        gc.collect()
        before = time.process_time()
        verdict: JsonVerdict | None = extract_object(text)
        best = min(best, time.process_time() - before)
        assert verdict is not None
        assert verdict.code == code, verdict.code
        # What was found is large, and is not to be there when the next one is looked for.
        verdict = None
    return best


def main() -> int:
    reached = True
    print(f"{'':<28} {'2.5 MB':>8} {'10 MB':>8}   bar {BAR:g} s   growth over linear, bar {GROWTH_BAR}")
    for title, (write, code) in TEXTS.items():
        small = best_seconds(write(SMALL), code)
        large = best_seconds(write(LARGE), code)
        growth = large / small * SMALL / LARGE
        fast, linear = large <= BAR, growth <= GROWTH_BAR
        reached = reached and fast and linear
        print(
            f"{title:<28} {small:6.2f} s {large:6.2f} s   {'reached' if fast else 'missed':<9}"
            f" {growth:.2f} {'reached' if linear else 'missed'}",
            flush=True,
        )
    return int(not reached)


if __name__ == "__main__":
    sys.exit(main())
