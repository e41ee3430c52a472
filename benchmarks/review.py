"""The second reader: how many wrong readings it stops, and how many right ones.

python -m benchmarks.review --data FOLDER --cache FILE [--every N] [--start N] [--show CODE]

The readings are those of the planner of tables over databases that are not held out. `--show` prints the
readings that one objection stops.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from benchmarks.questions_data import Opened
from benchmarks.review_readings import Planned, kept
from dragoman.language.verbs.printer import print_line
from dragoman.planning.tables.weights import weights
from dragoman.review import Review, review
from dragoman.tables.graph import Graph


def reviewed(folder: Path, readings: list[Planned]) -> Iterator[tuple[Planned, Review]]:
    for name, of_database in groupby(readings, key=lambda each: each.database):
        database = Opened(folder / "databases" / f"{name}.sqlite")
        graph = Graph(database.schema)
        for each in of_database:
            yield each, review(each.question, "en", (each.statement,), graph, values=database.values)
        database.close()


def told(title: str, judged: list[tuple[Planned, Review]]) -> None:
    right = [found for reading, found in judged if reading.right]
    wrong = [found for reading, found in judged if not reading.right]
    stopped = [sum(bool(found.objections) for found in part) for part in (right, wrong)]
    print(
        f"{title}: stops {stopped[0]}/{len(right)} right ({stopped[0] / max(len(right), 1):.1%}), "
        f"{stopped[1]}/{len(wrong)} wrong ({stopped[1] / max(len(wrong), 1):.1%})"
    )


def by_code(judged: list[tuple[Planned, Review]]) -> None:
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for reading, found in judged:
        codes = {str(each.code) for each in found.objections}
        (right if reading.right else wrong).update(codes)
    for code in sorted({*right, *wrong}, key=lambda each: -wrong[each]):
        print(f"  {code:22} right {right[code]:4} wrong {wrong[code]:4}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--every", type=int, default=4)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--show", default="")
    parser.add_argument(
        "--wrong", action="store_true", help="with --show: wrong readings instead of right ones"
    )
    options = parser.parse_args()
    judged = list(reviewed(options.data, kept(options.cache, options.data, options.every, options.start)))
    first = [each for each in judged if each[0].rank == 0]
    sure = [each for each in first if each[0].score >= weights().confident]
    told("sure first readings", sure)
    told("first readings", first)
    told("all readings", judged)
    by_code(first)
    for reading, found in first if options.show else ():
        hit = [each for each in found.objections if options.show in ("any", each.code)]
        if reading.right is not options.wrong and (hit or options.show == "none"):
            if options.show == "none" and found.objections:
                continue
            print(f"{reading.question}\n    {print_line((reading.statement,))}\n    gold: {reading.sql}")
            print("\n".join(f"    {each.code}: {each.text}" for each in found.objections))


if __name__ == "__main__":
    main()
