"""Learns the weights of the planner's features from questions over the development databases.

python -m benchmarks.questions_training --data FOLDER [--every N] [--rounds N] [--out FILE]

Every reading of a question is run; those that give the right answer share the praise. A fifth of the
databases is left out of the learning, to see what it is worth on databases it has not seen; the part that is
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
from dragoman.planning.tables.plan import Plan
from dragoman.planning.tables.probability import chances, evidence, probability
from dragoman.planning.tables.table_planner import TablePlanner
from dragoman.planning.tables.weights import Weights
from dragoman.planning.tables.weights import weights as shipped_weights

CANDIDATES: Final = 18
EPOCHS: Final = 10
RATE: Final = 0.12
DECAY: Final = 0.004
SEED: Final = 7
STRANGE: Final = 8
FOLDS: Final = 3


class Example(NamedTuple):
    """The readings of one question: their features, and which are right."""

    database: str
    features: list[dict[str, float]]
    right: list[bool]
    plans: list[Plan]
    own: bool = True
    """Whether the question is about this database."""


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
            plans = planner.search.plans(each.question, CANDIDATES)
            features, right, kept = [], [], []
            for plan in plans:
                rows = database.answer(plan.statement)
                if rows is None:
                    continue
                features.append(_summed(plan.plan))
                kept.append(plan.plan)
                right.append(same(gold, rows, ordered=is_ordered(each.sql)))
            found.append(Example(name, features, right, kept))
        found.extend(_strange(name, planner, asked))
    return found


def _strange(name: str, planner: TablePlanner, asked: list[Asked]) -> list[Example]:
    """Questions about other databases: no reading of them is right, and none should be sure."""
    source = random.Random(f"{SEED}/{name}")
    found: list[Example] = []
    for each in source.sample(asked, min(STRANGE, len(asked))):
        if each.database != name:
            plans = planner.search.plans(each.question)
            features = [_summed(plan.plan) for plan in plans]
            found.append(
                Example(name, features, [False] * len(plans), [plan.plan for plan in plans], own=False)
            )
    return found


def _summed(plan: Plan) -> dict[str, float]:
    summed: dict[str, float] = {}
    for feature, value in plan.features:
        summed[feature] = summed.get(feature, 0.0) + value
    return {key: value for key, value in summed.items() if value}


def learned(start: dict[str, float], given: list[Example], epochs: int = EPOCHS) -> dict[str, float]:
    """Gradient ascent on the likelihood that a right reading wins, pulled softly towards the start."""
    weights = dict(start)
    squares: dict[str, float] = {}
    order = [each for each in given if any(each.right) and not all(each.right)]
    source = random.Random(SEED)
    for _ in range(epochs):
        source.shuffle(order)
        for each in order:
            scores = [
                sum(weights.get(name, 0.0) * value for name, value in features.items())
                for features in each.features
            ]
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
    given = [each for each in given if each.own]
    for each in given:
        if not each.features:
            continue
        scores = [
            sum(weights.get(name, 0.0) * value for name, value in features.items())
            for features in each.features
        ]
        first += each.right[scores.index(max(scores))]
        some += any(each.right)
    return first / max(len(given), 1), some / max(len(given), 1)


def scores_of(weights: dict[str, float], each: Example) -> list[float]:
    return [
        sum(weights.get(name, 0.0) * value for name, value in features.items()) for features in each.features
    ]


def calibrated(start: dict[str, float], given: list[Example]) -> dict[str, float]:
    """The weights of what a probability is made of, where the ranking never saw the database."""
    rows: list[tuple[dict[str, float], bool]] = []
    for fold in range(FOLDS):
        inside = [each for each in given if _fold(each.database) != fold]
        weights = learned(start, inside)
        for each in given:
            if _fold(each.database) == fold and each.features:
                scores = scores_of(weights, each)
                # Only the first ten are ever shown.
                best = sorted(range(len(scores)), key=lambda at: -scores[at])[:10]
                share = chances([scores[at] for at in best])
                rows.append((evidence(each.plans[best[0]], share[0]), each.right[best[0]]))
    return logistic(rows)


def logistic(rows: list[tuple[dict[str, float], bool]]) -> dict[str, float]:
    weights: dict[str, float] = {}
    squares: dict[str, float] = {}
    source = random.Random(SEED)
    for _ in range(60):
        source.shuffle(rows)
        for found, right in rows:
            error = float(right) - probability({"bias": 0.0, **weights}, found)
            for name, value in found.items():
                slope = error * value - 0.002 * weights.get(name, 0.0)
                squares[name] = squares.get(name, 0.0) + slope * slope
                weights[name] = weights.get(name, 0.0) + 0.1 * slope / math.sqrt(squares[name] + 1e-6)
    return {name: round(value, 3) for name, value in sorted(weights.items())}


def _fold(database: str) -> int:
    return int(hashlib.sha256(f"{database}/fold".encode()).hexdigest(), 16) % FOLDS


def is_tested(database: str) -> bool:
    """A part of the development databases that is not learned from while learning is tried out."""
    return int(hashlib.sha256(f"{database}/test".encode()).hexdigest(), 16) % 5 == 0


def _told(
    number: int, when: str, features: dict[str, float], learning: list[Example], testing: list[Example]
) -> None:
    seen, of_seen = accuracy(features, learning)
    unseen, of_unseen = accuracy(features, testing)
    print(
        f"round {number} {when}: seen {seen:.1%} of {of_seen:.1%}, unseen {unseen:.1%} of {of_unseen:.1%}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--whole", action="store_true", help="learn from all development databases")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    asked = [each for each in questions(options.data, held=False) if is_plain(each.sql)]
    now = shipped_weights()
    features = dict(now.features)
    for number in range(options.rounds):
        part = asked[number % options.every :: options.every]
        given = examples(options.data, part, Weights(features))
        learning = [each for each in given if options.whole or not is_tested(each.database)]
        testing = [each for each in given if is_tested(each.database)]
        _told(number, "before", features, learning, testing)
        before = features
        features = learned(before, learning)
        _told(number, "after", features, learning, testing)
        calibration = calibrated(before, given) if number == options.rounds - 1 else now.calibration
        rounded = {name: round(value, 3) for name, value in sorted(features.items()) if abs(value) >= 0.001}
        options.out.write_text(
            json.dumps(msgspec.to_builtins(Weights(rounded, calibration, now.confident)), indent=0) + "\n"
        )


if __name__ == "__main__":
    main()
