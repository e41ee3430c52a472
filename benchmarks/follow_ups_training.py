"""Learns the weights of follow-ups from the turns of conversations over the development databases.

python -m benchmarks.follow_ups_training --data FOLDER [--every N] [--out FILE]

Every reading of a turn is run; those that give the right answer share the praise. Learning starts from what
one would say before it (`follow_ups_priors.yaml`), and a few follow-ups of our own are learned from as well.
While learning, the turn before is taken as it should have been read, where one of its readings was right; the
figures at the end take it as it was read. A fifth of the development databases is left out of the learning
unless `--whole` is given; the part that is held out for the benchmark is never opened.
"""

import argparse
import hashlib
import json
import math
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import yaml

from benchmarks import follow_ups_examples
from benchmarks.questions_data import Asked, Opened, is_plain, opened_each, questions
from benchmarks.questions_match import is_ordered, same
from benchmarks.questions_training import Example, accuracy, is_tested, learned
from dragoman.contracts.program import Statement
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.tables.follow_up_candidates import candidates
from dragoman.planning.tables.follow_up_features import Candidate
from dragoman.planning.tables.follow_up_readings import evidence, follow_up_weights
from dragoman.planning.tables.plan_search import MOST_READINGS
from dragoman.planning.tables.table_planner import TablePlanner
from dragoman.planning.tables.weights import Weights

CANDIDATES: Final = 25
EPOCHS: Final = 6
OWN: Final = ""
"""The name of the database of our own."""
OWN_SHARE: Final = 2
OWN_SURENESS: Final = 3
"""How often ours count for how sure a reading may be: what is said there has one meaning."""
FOLDS: Final = 3
PRIORS: Final = Path(__file__).with_name("follow_ups_priors.yaml")


class Turn(NamedTuple):
    """A turn that follows another, what it may mean, and which of that is right."""

    database: str
    candidates: list[Candidate]
    right: list[bool]


def priors() -> dict[str, float]:
    loaded: dict[str, float] = yaml.safe_load(PRIORS.read_text(encoding="utf-8"))
    return {name: float(weight) for name, weight in loaded.items()}


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


def best_candidates(
    text: str, previous: Statement, planner: TablePlanner, weights: Weights
) -> list[Candidate]:
    given = candidates(text, previous, planner.search)
    given.sort(key=lambda each: -weights.of(each.features))
    return given[:CANDIDATES]


def turns_of(
    database: Opened, planner: TablePlanner, conversation: list[Asked], weights: Weights, *, taught: bool
) -> Iterator[Turn]:
    previous: Statement | None = None
    for asked in conversation:
        if previous is None:
            statements = [plan.statement for plan in planner.search.plans(asked.question)]
            right = judged(database, asked, statements) if taught else None
        else:
            given = best_candidates(asked.question, previous, planner, weights)
            statements = [each.statement for each in given]
            right = judged(database, asked, statements)
            if right is not None:
                yield Turn(asked.database, given, right)
        if statements:
            previous = statements[right.index(True) if taught and right and any(right) else 0]


def gathered(data: Path, asked: list[Asked], weights: Weights, *, taught: bool, every: int) -> list[Turn]:
    by_name = conversations(asked)
    found: list[Turn] = []
    for name, database in opened_each(data, sorted(by_name)):
        planner = TablePlanner(database.tables, database.schema, database.values)
        for conversation in by_name[name][::every]:
            found.extend(turns_of(database, planner, conversation, weights, taught=taught))
    return found


def own_turns(weights: Weights) -> list[Turn]:
    """The follow-ups of our own. Every one of them has an answer."""
    found: list[Turn] = []
    with tempfile.TemporaryDirectory() as folder:
        database = Opened(follow_ups_examples.make(Path(folder) / "ferries.sqlite"))
        planner = TablePlanner(database.tables, database.schema, database.values)
        for before, message, after in follow_ups_examples.examples():
            wanted = database.answer(_statement(after))
            if wanted is None:
                raise SystemExit(f"this does not run: {after}")
            given = best_candidates(message, _statement(before), planner, weights)
            answers = [database.answer(each.statement) for each in given]
            ordered = ":order" in after
            right = [rows is not None and same(wanted, rows, ordered=ordered) for rows in answers]
            found.append(Turn(OWN, given, right))
        database.close()
    return found


def _statement(text: str) -> Statement:
    (found,) = read_verbs(Source(text)).statements
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
        found.append(Example(turn.database, features, turn.right, []))
    return found


def fitted(turns: list[Turn], own: list[Turn]) -> dict[str, float]:
    return learned(priors(), [*examples(turns), *examples(own) * OWN_SHARE], EPOCHS)


def calibration(turns: list[Turn], own: list[Turn]) -> dict[str, float]:
    """Logistic figures: how sure the best reading may be, on databases it was not learned from."""
    rows: list[tuple[dict[str, float], bool]] = []
    for fold in range(FOLDS):
        weights = Weights(
            fitted(
                [turn for turn in turns if _fold(turn.database) != fold],
                [turn for n, turn in enumerate(own) if n % FOLDS != fold],
            )
        )
        theirs = [turn for turn in turns if _fold(turn.database) == fold]
        ours = [turn for n, turn in enumerate(own) if n % FOLDS == fold]
        for turn in (*theirs, *ours * OWN_SURENESS):
            if turn.candidates:
                worths = [weights.of(each.features) for each in turn.candidates]
                best = worths.index(max(worths))
                ranked = sorted(worths, reverse=True)[:MOST_READINGS]
                share = 1 / sum(math.exp(each - ranked[0]) for each in ranked)
                rows.append((evidence(turn.candidates[best], share), turn.right[best]))
    figures: dict[str, float] = {name: 0.0 for found, _ in rows for name in found}
    for _ in range(1_200):
        steps = dict.fromkeys(figures, 0.0)
        for found, right in rows:
            total = sum(figures[name] * value for name, value in found.items())
            error = right - 1 / (1 + math.exp(-total))
            for name, value in found.items():
                steps[name] += error * value
        for name, step in steps.items():
            figures[name] += 0.3 * step / len(rows)
    return {name: round(value, 3) for name, value in sorted(figures.items())}


def _fold(database: str) -> int:
    return int(hashlib.sha256(f"{database}/fold".encode()).hexdigest(), 16) % FOLDS


def told(title: str, turns: list[Turn], own: list[Turn], weights: dict[str, float]) -> None:
    parts = {
        "learned from": [turn for turn in turns if not is_tested(turn.database)],
        "not learned from": [turn for turn in turns if is_tested(turn.database)],
        "our own": own,
    }
    for name, part in parts.items():
        first, some = accuracy(weights, examples(part))
        print(f"{title}, {name}: {len(part)} turns, first {first:.1%}, any {some:.1%}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="only every so many conversations of a database")
    parser.add_argument("--whole", action="store_true", help="learn from all development databases")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    asked = questions(options.data, held=False, turns=True)
    features = dict(follow_up_weights().features)
    if options.out:
        start = Weights(priors())
        turns = gathered(options.data, asked, start, taught=True, every=options.every)
        own = own_turns(start)
        told("before", turns, own, start.features)
        features = fitted([turn for turn in turns if options.whole or not is_tested(turn.database)], own)
        features = {name: round(value, 3) for name, value in sorted(features.items()) if abs(value) >= 0.01}
        told("after", turns, own, features)
        weights = Weights(features, calibration(turns, own))
        options.out.write_text(json.dumps(msgspec.to_builtins(weights), indent=0) + "\n")
    turns = gathered(options.data, asked, Weights(features), taught=False, every=options.every)
    told("as it would go", turns, own_turns(Weights(features)), features)
    kinds = Counter(turn.candidates[turn.right.index(True)].kind for turn in turns if any(turn.right))
    print("right by kind:", kinds.most_common(30))


if __name__ == "__main__":
    main()
