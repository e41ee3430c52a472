"""Learns the weights of the planner's features from questions over the development databases.

python -m benchmarks.questions_training --data FOLDER [--every N] [--rounds N] [--out FILE]

Every reading of a question is run; those that give the right answer share the blame and the praise. A fifth of
the databases is left out of the learning, to see what it is worth on databases it has not seen; the part that is
held out for the benchmark is never opened.
"""

import argparse
import hashlib
import json
import math
import random
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from benchmarks.questions_data import Asked, is_plain, opened_each, questions
from benchmarks.questions_match import is_ordered, same
from dragoman.planning.tables import weighing
from dragoman.planning.tables.planner import TablePlanner
from dragoman.planning.tables.weighing import Weights

CANDIDATES: Final = 25
EPOCHS: Final = 12
RATE: Final = 0.12
DECAY: Final = 0.003
SEED: Final = 7


class Example(NamedTuple):
    """The readings of one question: their features, and which are right."""

    database: str
    features: list[dict[str, float]]
    right: list[bool]


def examples(folder: Path, asked: list[Asked], weights: Weights) -> list[Example]:
    by_name: dict[str, list[Asked]] = {}
    for each in asked:
        by_name.setdefault(each.database, []).append(each)
    found: list[Example] = []
    for name, database in opened_each(folder, sorted(by_name)):
        planner = TablePlanner(database.tables, database.schema, database.values, weights)
        for each in by_name[name]:
            gold = database.gold(each.sql)
            if gold is None:
                continue
            plans = planner.plans(each.question, CANDIDATES)
            features, right = [], []
            for plan in plans:
                rows = database.answer(plan.statement)
                if rows is None:
                    continue
                summed: dict[str, float] = {}
                for feature, value in plan.plan.features:
                    summed[feature] = summed.get(feature, 0.0) + value
                features.append({key: value for key, value in summed.items() if value})
                right.append(same(gold, rows, ordered=is_ordered(each.sql)))
            found.append(Example(name, features, right))
    return found


def learned(start: dict[str, float], given: list[Example], epochs: int = EPOCHS) -> dict[str, float]:
    """Gradient ascent on the likelihood that a right reading wins, pulled softly towards the start."""
    weights = dict(start)
    squares: dict[str, float] = {}
    order = [each for each in given if any(each.right) and not all(each.right)]
    source = random.Random(SEED)
    for _ in range(epochs):
        source.shuffle(order)
        for each in order:
            scores = [sum(weights.get(name, 0.0) * value for name, value in features.items()) for features in each.features]
            best = max(scores)
            chances = [math.exp(score - best) for score in scores]
            total = sum(chances)
            good = sum(chance for chance, right in zip(chances, each.right, strict=True) if right)
            gradient: dict[str, float] = {}
            for features, chance, right in zip(each.features, chances, each.right, strict=True):
                share = (chance / good if right else 0.0) - chance / total
                if abs(share) < 1e-4:
                    continue
                for name, value in features.items():
                    gradient[name] = gradient.get(name, 0.0) + share * value
            for name, slope in gradient.items():
                slope -= DECAY * (weights.get(name, 0.0) - start.get(name, 0.0))
                squares[name] = squares.get(name, 0.0) + slope * slope
                weights[name] = weights.get(name, 0.0) + RATE * slope / math.sqrt(squares[name] + 1e-6)
    return weights


def accuracy(weights: dict[str, float], given: list[Example]) -> tuple[float, float]:
    """How often the best reading is right, and how often any is."""
    first = some = 0
    for each in given:
        if not each.features:
            continue
        scores = [sum(weights.get(name, 0.0) * value for name, value in features.items()) for features in each.features]
        first += each.right[scores.index(max(scores))]
        some += any(each.right)
    return first / max(len(given), 1), some / max(len(given), 1)


def is_tested(database: str) -> bool:
    """A part of the development databases that is not learned from while learning is tried out."""
    return int(hashlib.sha256(f"{database}/test".encode()).hexdigest(), 16) % 5 == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--whole", action="store_true", help="learn from all development databases")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    asked = [each for each in questions(options.data, held=False) if is_plain(each.sql)]
    now = weighing.weights()
    features = dict(now.features)
    for number in range(options.rounds):
        part = asked[number % options.every :: options.every]
        given = examples(options.data, part, Weights(features))
        learning = [each for each in given if options.whole or not is_tested(each.database)]
        testing = [each for each in given if is_tested(each.database)]
        print(f"round {number}: before, learned from {accuracy(features, learning)}, not {accuracy(features, testing)}", flush=True)
        features = learned(features, learning)
        print(f"round {number}: after, learned from {accuracy(features, learning)}, not {accuracy(features, testing)}", flush=True)
        rounded = {name: round(value, 3) for name, value in sorted(features.items()) if abs(value) >= 0.001}
        options.out.write_text(json.dumps(msgspec.to_builtins(Weights(rounded, now.calibration)), indent=0) + "\n")


if __name__ == "__main__":
    main()
