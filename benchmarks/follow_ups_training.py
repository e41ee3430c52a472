"""Learns the weights of follow-ups from the turns of conversations over the development databases.

python -m benchmarks.follow_ups_training --data FOLDER [--every N] [--rounds N] [--out FILE]

Every reading of a turn is run; those that give the right answer share the praise. While learning, the turn
before is taken as it should have been read, where one of its readings was right; the figures that are printed
take it as it was read. A fifth of the development databases is left out of the learning unless `--whole` is
given; the part that is held out for the benchmark is never opened.
"""

import argparse
import json
import math
from collections import Counter
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from benchmarks.questions_data import Asked, Opened, is_plain, opened_each, questions
from benchmarks.questions_match import is_ordered, same
from benchmarks.questions_training import Example, accuracy, is_tested, learned
from dragoman.contracts.program import Statement
from dragoman.planning.tables import follow_ups
from dragoman.planning.tables.follow_up_features import Candidate
from dragoman.planning.tables.planner import TablePlanner
from dragoman.planning.tables.weighing import Weights

PLANS: Final = 25


class Turn(NamedTuple):
    """A turn that follows: the one before as it should have been read (`taught`), or as it was."""

    asked: Asked
    previous: Statement
    candidates: list[Candidate]
    right: list[bool]


def conversations(asked: list[Asked]) -> dict[str, list[list[Asked]]]:
    """By database, each conversation in the order of its turns."""
    found: dict[str, dict[int, list[Asked]]] = {}
    for each in asked:
        found.setdefault(each.database, {}).setdefault(each.dialog, []).append(each)
    return {
        name: [sorted(turns, key=lambda turn: turn.turn) for turns in dialogs.values()]
        for name, dialogs in found.items()
    }


def judged(database: Opened, asked: Asked, statements: list[Statement]) -> list[bool] | None:
    """Which statements give the right answer; None where nobody knows it."""
    gold = database.gold(asked.sql) if is_plain(asked.sql) else None
    if gold is None:
        return None
    ordered = is_ordered(asked.sql)
    answers = [database.answer(statement) for statement in statements]
    return [rows is not None and same(gold, rows, ordered=ordered) for rows in answers]


def turns_of(
    database: Opened, planner: TablePlanner, conversation: list[Asked], weights: Weights, *, taught: bool
) -> list[Turn]:
    found: list[Turn] = []
    previous: Statement | None = None
    for asked in conversation:
        if previous is None:
            statements = [plan.statement for plan in planner.plans(asked.question)]
            right = judged(database, asked, statements) if taught else None
        else:
            given = follow_ups.candidates(asked.question, previous, planner)
            given.sort(key=lambda each: -weights.of(each.features))
            given = given[:PLANS]
            statements = [each.statement for each in given]
            right = judged(database, asked, statements)
            if right is not None:
                found.append(Turn(asked, previous, given, right))
        if not statements:
            continue
        best = right.index(True) if taught and right and any(right) else 0
        previous = statements[best]
    return found


def examples(turns: list[Turn]) -> list[Example]:
    found = []
    for turn in turns:
        features = []
        for candidate in turn.candidates:
            summed: dict[str, float] = {}
            for name, value in candidate.features:
                summed[name] = summed.get(name, 0.0) + value
            features.append({name: value for name, value in summed.items() if value})
        found.append(Example(turn.asked.database, features, turn.right, []))
    return found


def calibration(turns: list[Turn], features: dict[str, float]) -> dict[str, float]:
    """Logistic figures: how sure the best reading may be."""
    rows: list[tuple[dict[str, float], bool]] = []
    weights = Weights(features)
    for turn in turns:
        if not turn.candidates:
            continue
        worth = [weights.of(each.features) for each in turn.candidates]
        best = worth.index(max(worth))
        ranked = sorted(worth, reverse=True)[: follow_ups.MOST_READINGS]
        share = 1 / sum(math.exp(each - ranked[0]) for each in ranked)
        rows.append((follow_ups.evidence(turn.candidates[best], share), turn.right[best]))
    figures = dict.fromkeys(follow_ups.evidence(turns[0].candidates[0], 0.5), 0.0) if rows else {}
    for _ in range(1500):
        steps = dict.fromkeys(figures, 0.0)
        for found, right in rows:
            total = sum(figures[name] * value for name, value in found.items())
            error = right - 1 / (1 + math.exp(-total))
            for name, value in found.items():
                steps[name] += error * value
        for name, step in steps.items():
            figures[name] += 0.5 * step / len(rows)
    return {name: round(value, 3) for name, value in figures.items()}


def gathered(data: Path, asked: list[Asked], weights: Weights, *, taught: bool, every: int) -> list[Turn]:
    by_name = conversations(asked)
    found: list[Turn] = []
    for name, database in opened_each(data, sorted(by_name)):
        planner = TablePlanner(database.tables, database.schema, database.values)
        for conversation in by_name[name][::every]:
            found.extend(turns_of(database, planner, conversation, weights, taught=taught))
    return found


def figures(turns: list[Turn], weights: dict[str, float], *, tested: bool) -> str:
    part = examples([turn for turn in turns if is_tested(turn.asked.database) is tested])
    first, some = accuracy(weights, part)
    return f"{len(part)} turns, first {first:.3f}, any {some:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="only every so many conversations of a database")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--whole", action="store_true", help="learn from all development databases")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    asked = questions(options.data, held=False, turns=True)
    now = follow_ups.follow_up_weights()
    features = dict(now.features)
    figured = dict(now.calibration)
    for number in range(options.rounds if options.out else 0):
        turns = gathered(options.data, asked, Weights(features), taught=True, every=options.every)
        learning = [turn for turn in turns if options.whole or not is_tested(turn.asked.database)]
        print(f"round {number}: before: learned from {figures(turns, features, tested=False)}", flush=True)
        print(f"round {number}: before: not {figures(turns, features, tested=True)}", flush=True)
        features = learned(features, examples(learning))
        features = {name: round(value, 3) for name, value in sorted(features.items()) if abs(value) >= 0.001}
        figured = calibration(turns, features)
        print(f"round {number}: after: learned from {figures(turns, features, tested=False)}", flush=True)
        print(f"round {number}: after: not {figures(turns, features, tested=True)}", flush=True)
        weights = Weights(features, figured)
        options.out.write_text(json.dumps(msgspec.to_builtins(weights), indent=0) + "\n")
    turns = gathered(options.data, asked, Weights(features), taught=False, every=options.every)
    print(f"as it would go: learned from {figures(turns, features, tested=False)}")
    print(f"as it would go: not {figures(turns, features, tested=True)}")
    kinds = Counter(turn.candidates[turn.right.index(True)].kind for turn in turns if any(turn.right))
    print("right by kind:", kinds.most_common(30))


if __name__ == "__main__":
    main()
