"""Learns how likely the readings of the two planners are right, from questions whose answers are known.

python -m benchmarks.judgement_training [--real FOLDER]... [--unseen FOLDER]... [--questions FOLDER]
    [--every N] [--cache FILE] [--out FILE] [--offers]

A folder of `--real` has questions.jsonl, dialogs.jsonl and databases/NAME.sqlite; with a colon and another
folder behind it the databases are there. Those of `--unseen` count three times: the planners were not
developed on them, and how sure they may be is learned best where they were surprised. `--questions` is the
folder of the questions benchmark; what that holds out is never opened. Prints what the weights are worth on
databases that they have not seen. With `--offers` it learns how likely readings are that are offered where
nobody is sure: a second run, because that depends on what is sure.
"""

import argparse
import datetime as dt
import json
import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.packed_databases import database_file
from benchmarks.questions import planner_of
from benchmarks.questions_data import Opened, questions
from benchmarks.questions_match import is_ordered, same
from benchmarks.real_match import gold_ordered, matches, widened
from dragoman.contracts.program import Statement
from dragoman.planning.database.hearing import Heard, is_sure
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.database.judgement import evidence, probability
from dragoman.planning.message_periods import placed_periods
from dragoman.reading.period_grammar import period_grammar

TODAY: Final = dt.date(2026, 1, 15)
FOLDS: Final = 8
UNSEEN: Final = 3
ROUNDS: Final = 150
RATE: Final = 0.15
PULL: Final = 0.025
"""How strongly a weight is pulled to nothing."""
_APART: Final = 7
"""So far from each other two questions of one file are of different classes."""
_STEADY: Final = 1e-3
"""Evidence that hardly ever differs tells nothing."""


class Turn(NamedTuple):
    """A message, and the queries of which one answers it; none where it cannot be answered."""

    database: Path
    talk: str
    text: str
    gold: tuple[str, ...]
    strict: bool = False
    """Only the columns of the query will do, as the questions benchmark has it."""
    before: bool = False
    """It only comes before another message, and teaches nothing itself."""


class Example(NamedTuple):
    """What was known of the best readings of a message, and which of them was right."""

    database: str
    follow_up: bool
    evidence: dict[str, float]
    framed: bool
    learned: bool


class OfferExample(NamedTuple):
    """What was known of a reading that could be offered, and whether it was right."""

    follow_up: bool
    evidence: dict[str, float]
    right: bool
    strict: bool


def real_turns(given: str) -> Iterator[Turn]:
    data, _, elsewhere = given.partition(":")
    databases = Path(elsewhere) if elsewhere else Path(data) / "databases"
    for name in ("questions", "dialogs"):
        for line in (Path(data) / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["lang"] == "en":
                talk = f"{name}/{row['dialog']}" if name == "dialogs" else row["id"]
                gold = tuple(sql for sql in (row["sql"], *row["alt"]) if sql)
                yield Turn(database_file(databases, row["db_id"]), talk, row["question"], gold)


def switched(turns: list[Turn]) -> Iterator[Turn]:
    """Questions behind others of the same database: a change of subject, which is no follow-up."""
    alone = sorted((each for each in turns if not each.talk.startswith("dialogs/")), key=lambda t: t.database)
    for _, of_database in groupby(alone, key=lambda each: each.database):
        asked = list(of_database)
        for place, turn in enumerate(asked):
            talk = f"switched/{turn.talk}"
            yield asked[(place + _APART) % len(asked)]._replace(talk=talk, before=True)
            yield turn._replace(talk=talk)


def public_turns(folder: Path, every: int) -> Iterator[Turn]:
    databases = folder / "databases"
    for number, each in enumerate(questions(folder, held=False)[::every]):
        database = databases / f"{each.database}.sqlite"
        yield Turn(database, f"public/{number}", each.question, (each.sql,), strict=True)
    for each in questions(folder, held=False, turns=True):
        if each.dialog % every == 0:
            database = databases / f"{each.database}.sqlite"
            yield Turn(database, f"talk/{each.dialog}", each.question, (each.sql,), strict=True)


def examples(turns: list[Turn]) -> Iterator[Example]:
    for database, planner, talk in _talks(turns):
        for turn, previous, right, heard in _followed(database, planner, talk):
            yield Example(
                turn.database.stem,
                previous is not None,
                evidence(turn.text, heard.framed, heard.learned, follows=previous is not None),
                heard.framed is not None and right(heard.framed.reading.statement),
                heard.learned is not None and right(heard.learned.reading.statement),
            )


def _talks(turns: list[Turn]) -> Iterator[tuple[Opened, JointPlanner, list[Turn]]]:
    ordered = sorted(turns, key=lambda each: each.database)
    for path, of_database in groupby(ordered, key=lambda each: each.database):
        database = Opened(path)
        planner = planner_of(database)
        for _, talk in groupby(of_database, key=lambda each: each.talk):
            yield database, planner, list(talk)
        database.close()


def _followed(
    database: Opened, planner: JointPlanner, talk: list[Turn]
) -> Iterator[tuple[Turn, Statement | None, Callable[[Statement], bool], Heard]]:
    """A follow-up is asked of a right answer: where there is none, the talk ends."""
    previous: Statement | None = None
    for turn in talk:
        right = cache(_judge(database, turn))
        mentions = tuple(period_grammar().find(turn.text))
        said = placed_periods(turn.text, mentions, () if previous is None else (previous,), TODAY)
        if previous is not None and planner.is_new(turn.text, previous, said.periods):
            if turn.talk.startswith("switched/"):
                # Read as if it were alone, and learned from where it is.
                return
            said, previous = placed_periods(turn.text, mentions, (), TODAY), None
        heard = planner.heard(turn.text, previous, said.spans, said.periods, TODAY)
        if not turn.before:
            yield turn, previous, right, heard
        previous = _first_right(heard, right)
        if previous is None:
            return


def _judge(database: Opened, turn: Turn) -> Callable[[Statement], bool]:
    gold = [
        (rows, sql, database.gold(wider) if (wider := widened(sql)) else None)
        for sql in turn.gold
        if (rows := database.gold(sql)) is not None
    ]

    def right(statement: Statement) -> bool:
        ours = database.answer(statement)
        if turn.strict and ours is not None:
            return any(same(rows, ours, ordered=is_ordered(sql)) for rows, sql, _ in gold)
        return ours is not None and any(
            matches(rows, ours, gold_ordered(turn.text, sql), sql, wider=wider) for rows, sql, wider in gold
        )

    return right


def offer_examples(turns: list[Turn]) -> Iterator[OfferExample]:
    """The readings that would be offered, where none is sure."""
    for database, planner, talk in _talks(turns):
        for turn, previous, right, heard in _followed(database, planner, talk):
            readings = planner.weighed(turn.text, heard, previous)
            if readings and is_sure(readings[0]):
                continue
            for offer in planner.offers(turn.text, heard, previous):
                statement = offer.reading.statement
                yield OfferExample(previous is not None, offer.evidence, right(statement), turn.strict)


def _first_right(heard: Heard, right: Callable[[Statement], bool]) -> Statement | None:
    statements = [
        *(each.statement for each in heard.frames),
        *(each.statement for each in heard.phrases[:4]),
    ]
    return next((each for each in statements if right(each)), None)


def fitted(rows: list[tuple[dict[str, float], bool]]) -> dict[str, float]:
    """Logistic regression whose weights are kept small: steps along the gradient, each weight at its own
    pace. Evidence is scaled by its spread, so that all of it is pulled alike."""
    names = sorted({name for found, _ in rows for name in found})
    scales = {name: _spread([found.get(name, 0.0) for found, _ in rows]) for name in names}
    used = [name for name in names if scales[name] > _STEADY]
    places = {name: place for place, name in enumerate(used, 1)}
    table = [
        [(0, 1.0), *((places[name], value / scales[name]) for name, value in found.items() if name in places)]
        for found, _ in rows
    ]
    weights, squares = [0.0] * (len(used) + 1), [1e-9] * (len(used) + 1)
    for _ in range(ROUNDS):
        slopes = [0.0, *(-PULL * weight for weight in weights[1:])]
        for marks, (_, right) in zip(table, rows, strict=True):
            miss = (right - _squashed(sum(weights[place] * mark for place, mark in marks))) / len(rows)
            for place, mark in marks:
                slopes[place] += miss * mark
        for place, slope in enumerate(slopes):
            squares[place] += slope * slope
            weights[place] += RATE * slope / math.sqrt(squares[place])
    plain = {name: weights[place] / scales[name] for name, place in places.items()}
    return {name: round(weight, 4) for name, weight in {"bias": weights[0], **plain}.items()}


def _spread(values: list[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def _squashed(sum_: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, sum_))))


def tested(given: list[Example]) -> list[tuple[float, bool]]:
    """How likely the reading is that would win, and whether it is right, on databases not learned from."""
    names = sorted({each.database for each in given})
    found: list[tuple[float, bool]] = []
    for fold in range(FOLDS):
        left = {name for place, name in enumerate(names) if place % FOLDS == fold}
        learn = [each for each in given if each.database not in left]
        framed = fitted([(each.evidence, each.framed) for each in learn])
        learned = fitted([(each.evidence, each.learned) for each in learn])
        for each in given:
            if each.database in left:
                one, other = probability(framed, each.evidence), probability(learned, each.evidence)
                found.append((one, each.framed) if one >= other else (other, each.learned))
    return found


def shown(title: str, found: list[tuple[float, bool]]) -> str:
    lines = [f"{title}: {len(found)} messages, the best reading right {_share(found):.1%}"]
    for threshold in (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85):
        sure = [each for each in found if each[0] >= threshold]
        answered = len(sure) / max(1, len(found))
        lines.append(f"  from {threshold:.2f} on: answered {answered:.1%}, right {_share(sure):.1%} of them")
    return "\n".join(lines)


def _share(found: list[tuple[float, bool]]) -> float:
    return sum(right for _, right in found) / max(1, len(found))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--real", action="append", default=[])
    parser.add_argument("--unseen", action="append", default=[])
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--every", type=int, default=12)
    parser.add_argument("--cache", type=Path, help="keep what the planners found here, and use it again")
    parser.add_argument("--out", type=Path, default=Path("src/dragoman/planning/database/judgement.json"))
    parser.add_argument("--untested", action="store_true")
    parser.add_argument("--switched", action="store_true", help="learn from changes of subject too")
    parser.add_argument(
        "--offers", action="store_true", help="learn what to offer, by the weights as they are"
    )
    options = parser.parse_args()
    learned = json.loads(options.out.read_text("utf-8"))
    learned |= _learned_offers(options) if options.offers else _learned_readings(options)
    options.out.write_text(json.dumps(learned, indent=1, sort_keys=True) + "\n", "utf-8")


def _turns(options: argparse.Namespace) -> list[Turn]:
    turns = [turn for given in options.real for turn in real_turns(given)]
    turns += list(switched(turns)) if options.switched else []
    turns += public_turns(options.questions, options.every) if options.questions else ()
    return turns


def _unseen(options: argparse.Namespace) -> list[Turn]:
    return [turn for given in options.unseen for turn in real_turns(given)]


def _learned_offers(options: argparse.Namespace) -> dict[str, dict[str, float]]:
    found = list(offer_examples([*_turns(options), *_unseen(options)]))
    # Where only the columns of the query will do, what names too much is wrong: nobody who is asked minds.
    # Of follow-ups there are too few others.
    analysts = [each for each in found if not each.strict]
    questions = [each for each in analysts if not each.follow_up]
    follow_ups = [each for each in [*found, *analysts] if each.follow_up]
    return {
        title: fitted([(each.evidence, each.right) for each in learned])
        for title, learned in (("offered_questions", questions), ("offered_follow_ups", follow_ups))
    }


def _learned_readings(options: argparse.Namespace) -> dict[str, dict[str, dict[str, float]]]:
    if options.cache and options.cache.exists():
        found = [Example(*json.loads(line)) for line in options.cache.read_text("utf-8").splitlines()]
    else:
        unseen = [each for each in examples(_unseen(options)) for _ in range(UNSEEN)]
        found = [*examples(_turns(options)), *unseen]
        if options.cache:
            options.cache.write_text("".join(f"{json.dumps(each)}\n" for each in found), "utf-8")
    learned: dict[str, dict[str, dict[str, float]]] = {}
    for title, follow_up in (("questions", False), ("follow_ups", True)):
        given = [each for each in found if each.follow_up is follow_up]
        if not options.untested:
            print(shown(title, tested(given)))
        learned[title] = {
            "framed": fitted([(each.evidence, each.framed) for each in given]),
            "learned": fitted([(each.evidence, each.learned) for each in given]),
        }
    return learned


if __name__ == "__main__":
    main()
