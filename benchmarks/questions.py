"""Questions over real databases, planned without a model: how many are right, also when it may refuse.

python -m benchmarks.questions --data FOLDER [--split dev|held] [--every N] [--picture FILE]
    [--with-drafted-pack]

The databases are opened by discovery and read by the product's reader. Only questions whose query has at
most one join and no nesting count. A fifth of the databases is held out: of them only totals are printed.

With --with-drafted-pack everything is asked a second time, with the pack that `pack draft` writes for each
database, and both are printed side by side; of databases that are not held out also the questions that came
out otherwise. If fewer are right, or more of the answered are wrong, it ends with 1.
"""

import argparse
import datetime as dt
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.drafted import drafted_planner
from benchmarks.questions_data import Asked, Opened, is_plain, opened_each, questions
from benchmarks.questions_drafted import beside, is_worse
from benchmarks.questions_match import is_ordered, same
from benchmarks.questions_picture import picture
from benchmarks.real_match import gold_ordered, matches
from dragoman.contracts.program import Statement
from dragoman.planning.database.hearing import is_sure
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.database.planner import QuestionPlanner
from dragoman.planning.message_periods import placed_periods
from dragoman.planning.session_question import readings_in_session
from dragoman.planning.tables.table_planner import TablePlanner
from dragoman.planning.tables.table_reading import TableReading
from dragoman.reading.period_grammar import period_grammar

FLOORS: Final = {"forced": 0.58, "precision": 0.85, "coverage": 0.45, "follow-ups": 0.36}


class Outcome(NamedTuple):
    """One question: how sure the best reading is, whether it is answered, and whether it is right; with
    `wider`, whether it is where columns beside those of the gold do no harm."""

    score: float
    answered: bool
    right: bool
    wider: bool
    seconds: float
    asked: Asked | None = None
    statement: Statement | None = None


def is_right(database: Opened, asked: Asked, statement: Statement) -> bool:
    """Whether the rows are exactly those of the gold."""
    gold, ours = database.gold(asked.sql), database.answer(statement)
    return gold is not None and ours is not None and same(gold, ours, ordered=is_ordered(asked.sql))


def is_within(database: Opened, asked: Asked, statement: Statement) -> bool:
    """Whether the rows are those of the gold, be it with further columns."""
    gold, ours = database.gold(asked.sql), database.answer(statement)
    ordered = gold_ordered(asked.question, asked.sql)
    return gold is not None and ours is not None and matches(gold, ours, ordered, asked.sql)


def planner_of(database: Opened, *, drafted: bool = False) -> JointPlanner:
    """The planners of the product over one database; with the pack that is drafted for it, if wanted."""
    if drafted:
        return drafted_planner(database)
    phrases = TablePlanner(database.tables, database.schema, database.values)
    frames = QuestionPlanner(database.tables, database.schema, database.values)
    return JointPlanner(frames, phrases, database.values, database.count)


def planned(
    planner: JointPlanner, text: str, previous: Statement | None
) -> tuple[TableReading | None, float]:
    before = time.process_time()
    mentions = tuple(period_grammar().find(text))
    today = dt.datetime.now(dt.UTC).date()
    readings, _ = readings_in_session(
        planner,
        text,
        previous,
        lambda base: placed_periods(text, mentions, () if base is None else (base,), today),
        today,
    )
    return (readings[0] if readings else None), time.process_time() - before


def outcome(
    database: Opened, asked: Asked, reading: TableReading | None, seconds: float, *, rests: bool = True
) -> Outcome:
    """`rests`: whether a follow-up rests on an answer. If it does not, it is asked about, however sure."""
    if reading is None:
        return Outcome(0.0, answered=False, right=False, wider=False, seconds=seconds, asked=asked)
    right = is_right(database, asked, reading.statement)
    wider = right or is_within(database, asked, reading.statement)
    answered = is_answered(reading, rests=rests)
    return Outcome(reading.score, answered, right, wider, seconds, asked, reading.statement)


def is_answered(reading: TableReading | None, *, rests: bool) -> bool:
    return reading is not None and is_sure(reading) and (rests or not reading.follow_up)


def single(folder: Path, asked: list[Asked], *, otherwise: bool, drafted: bool = False) -> Iterator[Outcome]:
    for name, database in opened_each(folder, sorted({each.database for each in asked})):
        planner = planner_of(database, drafted=drafted)
        for each in asked:
            if each.database == name and database.gold(each.sql) is not None:
                text = each.otherwise if otherwise else each.question
                yield outcome(database, each, *planned(planner, text, None))


def conversations(folder: Path, asked: list[Asked], *, drafted: bool = False) -> Iterator[Outcome]:
    """Every turn but the first of its conversation, with the program we planned for the turn before."""
    for name, database in opened_each(folder, sorted({each.database for each in asked})):
        planner = planner_of(database, drafted=drafted)
        previous: Statement | None = None
        talk: int | None = None
        rests = True
        for each in (each for each in asked if each.database == name):
            follows = each.dialog == talk
            previous = previous if follows else None
            rests = rests or not follows
            talk = each.dialog
            reading, seconds = planned(planner, each.question, previous)
            if follows and is_plain(each.sql) and database.gold(each.sql) is not None:
                yield outcome(database, each, reading, seconds, rests=rests)
            rests = is_answered(reading, rests=rests)
            previous = reading.statement if reading is not None else previous


def curve(outcomes: list[Outcome]) -> list[tuple[float, float, float]]:
    """Coverage and precision, from the surest question to all of them; and precision where further columns
    do no harm."""
    ranked = sorted(outcomes, key=lambda each: -each.score)
    right = wider = 0
    points: list[tuple[float, float, float]] = []
    for number, each in enumerate(ranked, 1):
        right, wider = right + each.right, wider + each.wider
        points.append((number / len(ranked), right / number, wider / number))
    return points


def told(title: str, outcomes: list[Outcome]) -> tuple[float, float, float]:
    forced = sum(each.right for each in outcomes) / max(len(outcomes), 1)
    wider = sum(each.wider for each in outcomes) / max(len(outcomes), 1)
    answered = [each for each in outcomes if each.answered]
    coverage = len(answered) / max(len(outcomes), 1)
    precision = sum(each.right for each in answered) / max(len(answered), 1)
    precise = sum(each.wider for each in answered) / max(len(answered), 1)
    spent = sorted(each.seconds for each in outcomes) or [0.0]
    middle, most = spent[len(spent) // 2] * 1000, spent[int(len(spent) * 0.95)] * 1000
    print(
        f"{title}: {len(outcomes)} questions, forced {forced:.1%} ({wider:.1%} with further columns);"
        f" answered {coverage:.1%}, of these right {precision:.1%} ({precise:.1%});"
        f" CPU p50 {middle:.1f} ms, p95 {most:.1f} ms",
        flush=True,
    )
    return forced, coverage, precision


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--split", choices=("dev", "held"), default="held")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--only", choices=("questions", "otherwise", "follow-ups"))
    parser.add_argument("--with-drafted-pack", action="store_true", help="ask again with a drafted pack")
    options = parser.parse_args()
    worse: list[str] = []

    def compare(title: str, plain: list[Outcome], again: Callable[[], Iterator[Outcome]]) -> None:
        if options.with_drafted_pack:
            drafted = list(again())
            told(f"{title}, with a drafted pack", drafted)
            print("\n".join(beside(plain, drafted, shown=not held)), flush=True)
            worse.extend([title] if is_worse(plain, drafted) else [])

    held = options.split == "held"
    plain = [each for each in questions(options.data, held=held) if is_plain(each.sql)][:: options.every]
    if options.only in (None, "questions"):
        outcomes = list(single(options.data, plain, otherwise=False))
        forced, coverage, precision = told("questions", outcomes)
        compare("questions", outcomes, lambda: single(options.data, plain, otherwise=False, drafted=True))
        points = curve(outcomes)
        for share in (0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 1.0):
            at = points[max(0, min(len(points) - 1, round(share * len(points)) - 1))]
            print(f"  at coverage {at[0]:.0%} precision {at[1]:.1%} ({at[2]:.1%})")
        if options.picture:
            options.picture.parent.mkdir(parents=True, exist_ok=True)
            options.picture.write_text(
                picture([(at, exact) for at, exact, _ in points], (coverage, precision), forced),
                encoding="utf-8",
            )
    if options.only in (None, "otherwise"):
        others = [each for each in plain if each.otherwise]
        outcomes = list(single(options.data, others, otherwise=True))
        told("with synonyms", outcomes)
        compare("with synonyms", outcomes, lambda: single(options.data, others, otherwise=True, drafted=True))
    if options.only in (None, "follow-ups"):
        turns = questions(options.data, held=held, turns=True)
        talks = sorted({each.dialog for each in turns})[:: options.every]
        kept = set(talks)
        kept_turns = [each for each in turns if each.dialog in kept]
        outcomes = list(conversations(options.data, kept_turns))
        told("follow-ups", outcomes)
        compare("follow-ups", outcomes, lambda: conversations(options.data, kept_turns, drafted=True))
    if worse:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
