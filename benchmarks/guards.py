"""The guards in one run: checking reports, finding objects in large texts, and what becomes of messy ones.

./do bench guards
"""

import sys
from collections.abc import Callable
from typing import Final

from benchmarks import guards_corpus, guards_extraction, guards_report

SECTIONS: Final[dict[str, Callable[[], int]]] = {
    "a report of 4 × 50 items beside jsonschema": guards_report.main,
    "an object in 10 MB of text": guards_extraction.main,
    "messy texts beside repair libraries": guards_corpus.main,
}


def main() -> int:
    missed = []
    for title, section in SECTIONS.items():
        print(f"── {title}")
        if section():
            missed.append(title)
    print(f"guards: {'missed: ' + ', '.join(missed) if missed else 'every bar reached'}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
