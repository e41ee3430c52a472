"""Questions after lessons: what a taught word changes, and what it leaves alone."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode
from dragoman.packs.learned_words import read_learned

SCRIPT: Final = """
CREATE TABLE routes (route_id INTEGER PRIMARY KEY, name TEXT NOT NULL, miles INTEGER);
CREATE TABLE sailings (
  sailing_id INTEGER PRIMARY KEY, route_id INTEGER NOT NULL REFERENCES routes (route_id), sail_date DATE,
  dock_date DATE, crew_time INTEGER, delay INTEGER, passengers INTEGER, amount NUMERIC(8, 2), harbour TEXT,
  KPrize TEXT, LPrize TEXT, state INTEGER);
CREATE TABLE salaries (salary_id INTEGER PRIMARY KEY, route_id INTEGER REFERENCES routes (route_id),
  salary NUMERIC(8, 2));
"""
HARBOURS: Final = ("OST", "DOV", "CAL")

Say = Callable[..., TurnResult]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "ferry.sqlite")) as connection:
        connection.executescript(SCRIPT)
        connection.executemany(
            "INSERT INTO routes VALUES (?, ?, ?)", [(n, f"Line {n}", 10 * n) for n in range(1, 6)]
        )
        sailings = [
            (
                n,
                1 + n % 5,
                f"2023-0{1 + n % 9}-11",
                f"2023-0{1 + (n + 1) % 9}-12",
                None if n % 7 == 0 or (n % 5 == 1 and n < 20) else 40 + n % 30,
                n % 31 - 5,
                100 + n,
                10 + n % 9,
                HARBOURS[n % 3],
                "Y" if n % 4 == 0 else "N",
                "Y" if n % 10 == 0 else "N",
                1 + n % 3,
            )
            for n in range(1, 121)
        ]
        marks = ", ".join("?" * 12)
        connection.executemany(f"INSERT INTO sailings VALUES ({marks})", sailings)
        connection.executemany(
            "INSERT INTO salaries VALUES (?, ?, ?)", [(n, 1 + n % 5, 900 + n) for n in range(1, 21)]
        )
        connection.commit()
    return tmp_path


@pytest.fixture
def say(home: Path) -> Iterator[Say]:
    """Says one thing after another, and gives the last result."""
    with Workspace.open_database(home / "ferry.sqlite", home / "work") as workspace:
        session = workspace.new_session()

        def said(*messages: str) -> TurnResult:
            return [workspace.ask(session, message) for message in messages][-1]

        yield said


def _program(result: TurnResult) -> str:
    assert result.answer_mode is AnswerMode.CONFIRMED, result.message
    return " ".join(result.program.split())


SCRAPPED: Final = ("a scrapped sailing is one without a crew time", "yes")


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("how many scrapped sailings are there?", ("sailings.count", ":crew_time nil")),
        ("how many sailings were scrapped?", ("sailings.count", ":crew_time nil")),
        ("scrapped sailings by harbour", ("sailings.count", ':by "harbour"', ":crew_time nil")),
        ("which route had the most scrapped sailings?", (":crew_time nil", ":top 1", "routes")),
        ("average delay of scrapped sailings", ("sailings.average", ':of "delay"', ":crew_time nil")),
        ("what share of sailings was scrapped?", ("sailings.share :that {:crew_time nil}",)),
        ("what percentage of sailings that left in March 2023 were scrapped?", ("sailings.share",)),
        ("how many sailings were not scrapped?", ("sailings.count", "{:not nil}")),
    ],
)
def test_a_taught_condition_holds_the_rows(say: Say, question: str, parts: tuple[str, ...]) -> None:
    program = _program(say(*SCRAPPED, question))
    assert all(part in program or part == "routes" for part in parts), program


def test_a_taught_condition_narrows_the_answer_in_hand(say: Say) -> None:
    program = _program(say(*SCRAPPED, "number of sailings by harbour", "only the scrapped ones"))
    assert ":crew_time nil" in program
    assert ':by "harbour"' in program


def test_what_is_explained_beside_the_word_is_said_once(say: Say) -> None:
    program = _program(say(*SCRAPPED, "how many sailings were scrapped, with no crew time?"))
    assert program.count("crew_time") == 1


LESSONS: Final = (
    *SCRAPPED,
    "state 2 means docked",
    "yes",
    "when I say sailed I mean the dock date",
    "yes",
    "a hurried sailing is one with a delay below 0",
    "yes",
    "till money means amount",
    "yes",
)


@pytest.mark.parametrize(
    "question",
    [
        "average amount per harbour",
        "how many sailings were there in March 2023?",
        "how many routes are longer than 20 miles?",
        "which harbour had the most passengers?",
        "how many passengers sailed?",
        "how many sailings docked in March 2023?",
    ],
)
def test_a_message_without_taught_words_means_what_it_did(say: Say, question: str) -> None:
    before = say(question)
    say(*LESSONS)
    after = say(question)
    assert (before.answer_mode, before.rows) == (after.answer_mode, after.rows)


def test_a_column_that_is_typed_as_it_is_written_is_that_column(say: Say, home: Path) -> None:
    say("local heroes are sailings where LPrize is Y", "yes")
    (word,) = read_learned(home / "work")
    assert (word.word, word.of, word.means) == ("local heroes", "sailings", '{:LPrize "Y"}')
    assert say("how many local heroes are there?").rows == ((12,),)


def test_a_value_may_have_another_name(say: Say) -> None:
    program = _program(say("Ostend is OST", "yes", "how many sailings from Ostend?"))
    assert ':harbour "OST"' in program


def test_one_salary_is_a_figure_and_no_table(say: Say, home: Path) -> None:
    say("pay means salary", "yes")
    assert [(each.of, each.means) for each in read_learned(home / "work")] == [("salaries", '"salary"')]


def test_what_was_said_of_one_column_is_not_said_of_another(say: Say) -> None:
    """ "Docked" was taught as a state; a dock date is meant where a time is."""
    program = _program(say("state 2 means docked", "yes", "how many sailings docked in March 2023?"))
    assert "dock_date" in program
    assert "state" not in program


def test_a_figure_of_many_rows_is_added_up(say: Say) -> None:
    program = _program(say("till money means amount", "yes", "till money from OST in March 2023"))
    assert program.startswith('(sailings.sum :of "amount"')


def test_the_same_is_asked_of_rows_with_another_condition(say: Say) -> None:
    say(*SCRAPPED, "a hurried sailing is one with a delay below 0", "yes")
    program = _program(say("number of scrapped sailings by harbour", "and the hurried ones?"))
    assert ":delay {:below 0}" in program
    assert "crew_time" not in program


def test_an_amount_that_is_asked_for_alone_is_a_total(say: Say) -> None:
    program = _program(say("till money means amount", "yes", "what was our till money in March 2023?"))
    assert program.startswith('(sailings.sum :of "amount"')


def test_a_condition_that_counts_rows_of_another_table_is_about_those(say: Say) -> None:
    result = say("a busy route is one with more than 20 sailings")
    assert "number of sailings is above 20" in result.message


def test_rates_are_not_added_up(say: Say) -> None:
    say("load factor means passengers divided by delay", "yes")
    result = say("load factor by harbour")
    assert result.answer_mode is not AnswerMode.CONFIRMED or "sum" not in result.program
