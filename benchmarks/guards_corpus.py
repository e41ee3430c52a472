"""What becomes of the messy texts of the tests: ours beside repair libraries and beside a regular expression.

./do bench guards_corpus

Every reader is asked for one object. A result that is none (a list, a string) counts as a refusal, as a
caller would treat it; where one of several objects is asked for by its keys, the others choose as they do.
"""

import json
import re
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from importlib import import_module
from typing import Any, Final

from dragoman.guards.json_text.lenient import extract_object
from tests.guards.model_texts import CASES, Case

PATIENCE: Final = 10

Reader = Callable[[Case], object]


class Outcome(StrEnum):
    CORRECT = "correct"
    REFUSED = "refused"
    """There is an object, and it was not found."""
    WRONG = "silently wrong"
    """A value that is not there, or another than the one that is."""
    CRASHED = "crashed"


class OutOfPatience(BaseException):
    """Not an `Exception`: a reader that catches those must not catch this one."""


@contextmanager
def patience() -> Iterator[None]:
    def give_up(number: int, frame: object) -> None:
        raise OutOfPatience

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def ours(case: Case) -> object:
    return extract_object(case.text, required_keys=case.keys).value


def by_regex(case: Case) -> object:
    """What is written first: from the first brace to the last, commas before a closing bracket taken out."""
    found = re.search(r"\{.*\}", case.text, re.DOTALL)
    if found is None:
        return None
    return json.loads(re.sub(r",\s*\]", "]", re.sub(r",\s*\}", "}", found.group())))


def readers() -> dict[str, Reader]:
    # Installed for benchmarks only.
    json_repair: Any = import_module("json_repair")
    dirtyjson: Any = import_module("dirtyjson")

    def first_of_list(case: Case) -> object:
        value = json_repair.loads(case.text)
        objects = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
        return objects[0] if objects else value

    return {
        "dragoman": ours,
        "json_repair": lambda case: json_repair.loads(case.text),
        "json_repair, first of a list": first_of_list,
        "json_repair, strict": lambda case: json_repair.loads(case.text, strict=True),
        "dirtyjson": lambda case: dirtyjson.loads(case.text, search_for_first_object=True),
        "regular expression": by_regex,
    }


def outcome(read: Reader, case: Case) -> Outcome:
    try:
        with patience():
            value = read(case)
    except ValueError:
        # How every one of them says that it cannot read a text.
        value = None
    except (Exception, OutOfPatience):  # noqa: BLE001 - that anything else gets out is what is counted
        return Outcome.CRASHED
    if not isinstance(value, dict):
        return Outcome.CORRECT if case.code is not None else Outcome.REFUSED
    if case.code is not None:
        return Outcome.WRONG
    return Outcome.CORRECT if _dumped(value) == _dumped(case.value) else Outcome.WRONG


def _dumped(value: object) -> str:
    """JSON text tells 1 from true and 1.0, where Python's equality does not."""
    return json.dumps(value, sort_keys=True)


def main() -> int:
    with_object = sum(case.code is None for case in CASES)
    print(f"{len(CASES)} texts, {with_object} with an object and {len(CASES) - with_object} without")
    print(f"{'':<30}" + "".join(f"{name:>16}" for name in Outcome))
    wrong = {}
    for name, read in readers().items():
        counted = Counter(outcome(read, case) for case in CASES)
        print(f"{name:<30}" + "".join(f"{counted[kind]:>16}" for kind in Outcome), flush=True)
        wrong[name] = counted[Outcome.WRONG] + counted[Outcome.CRASHED]
    reached = wrong["dragoman"] == 0
    print(f"bar: none of ours silently wrong or crashed: {'reached' if reached else 'missed'}")
    return int(not reached)


if __name__ == "__main__":
    sys.exit(main())
