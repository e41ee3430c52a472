"""Relative periods count from today; where the data end before, from their last day, which is asked once."""

import datetime as dt
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import duckdb
import pytest

from dragoman import TurnResult, Workspace
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass

TODAY: Final = dt.datetime.now(dt.UTC).date()
LAST: Final = dt.date(2021, 5, 20)
"""The last day of a yard that has been closed since."""
OLD: Final = [LAST - dt.timedelta(days=7 * week) for week in range(60)]
NEW: Final = [TODAY - dt.timedelta(days=day) for day in range(0, 420, 3)]

Make = Callable[..., Workspace]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    opened: list[Workspace] = []

    def made(days: list[dt.date], engine: str = "sqlite", kind: str = "DATE") -> Workspace:
        file = tmp_path / f"yard.{engine}"
        connect = sqlite3.connect if engine == "sqlite" else duckdb.connect
        with closing(connect(str(file))) as connection:
            connection.execute(
                f"CREATE TABLE shipments (id INTEGER PRIMARY KEY, sent_on {kind}, weight INTEGER, port TEXT)"
            )
            rows = [
                (number, day.isoformat(), number, ("Lund", "Oslo")[number % 2])
                for number, day in enumerate(days)
            ]
            connection.executemany("INSERT INTO shipments VALUES (?, ?, ?, ?)", rows)
            connection.commit()
        workspace = Workspace.open_database(file, tmp_path / "workspace")
        opened.append(workspace)
        return workspace

    yield made
    for each in opened:
        each.close()


def of_month(days: list[dt.date], year: int, month: int) -> int:
    return sum((day.year, day.month) == (year, month) for day in days)


def month_before(day: dt.date) -> tuple[int, int]:
    before = day.replace(day=1) - dt.timedelta(days=1)
    return before.year, before.month


def number(result: TurnResult) -> object:
    assert result.answer_mode is AnswerMode.CONFIRMED, result.message
    return result.rows[0][0]


def test_last_month_counts_from_today_and_says_so(make: Make) -> None:
    workspace = make(NEW)
    result = workspace.ask(workspace.new_session(), "how many shipments last month")
    assert number(result) == of_month(NEW, *month_before(TODAY))
    assert "today" in result.message


@pytest.mark.parametrize(
    ("period", "days"),
    [
        ("in the last 30 days", 30),
        ("within the past 2 weeks", 14),
        ("over the previous 100 days", 100),
        ("in the last seven days", 7),
    ],
)
def test_so_many_days_end_today(make: Make, period: str, days: int) -> None:
    workspace = make(NEW)
    result = workspace.ask(workspace.new_session(), f"how many shipments {period}")
    assert number(result) == sum(day > TODAY - dt.timedelta(days=days) for day in NEW)


@pytest.mark.parametrize(
    ("engine", "kind"),
    [
        ("sqlite", "DATE"),
        ("sqlite", "TIMESTAMP"),
        ("sqlite", "TEXT"),
        ("duckdb", "DATE"),
        ("duckdb", "TIMESTAMP"),
    ],
)
def test_behind_the_end_of_the_data_it_is_asked_what_periods_count_from(
    make: Make, engine: str, kind: str
) -> None:
    workspace = make(OLD, engine, kind)
    session = workspace.new_session()
    asked = workspace.ask(session, "how many shipments last month")
    assert asked.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    assert "20 May 2021" in asked.message
    assert [getattr(each, "text", each) for each in asked.options] == [
        "number of shipments in April 2021",
        f"number of shipments in {dt.date(*month_before(TODAY), 1):%B %Y}",
    ]
    picked = workspace.ask(session, "1")
    assert picked.transition is TransitionClass.T7
    assert number(picked) == of_month(OLD, 2021, 4)
    assert "Counted from 20 May 2021" in picked.message


def test_it_is_asked_once_a_session(make: Make) -> None:
    workspace = make(OLD)
    session = workspace.new_session()
    workspace.ask(session, "how many shipments last month")
    workspace.ask(session, "the first one")
    for message, month in (("how many shipments this month", 5), ("and the month before?", 4)):
        assert number(workspace.ask(session, message)) == of_month(OLD, 2021, month)
    workspace.ask(session, "clear")
    year = workspace.ask(session, "how many shipments last year")
    assert number(year) == sum(day.year == 2020 for day in OLD)
    # Another session has settled nothing.
    other = workspace.ask(workspace.new_session(), "how many shipments last year")
    assert other.answer_mode is AnswerMode.CLARIFICATION_REQUIRED


def test_who_means_today_is_not_asked_again(make: Make) -> None:
    workspace = make(OLD)
    session = workspace.new_session()
    workspace.ask(session, "how many shipments last month")
    assert number(workspace.ask(session, "2")) == 0
    assert number(workspace.ask(session, "how many shipments last year")) == 0


def test_the_choice_outlives_the_process(make: Make, tmp_path: Path) -> None:
    workspace = make(OLD)
    session = workspace.new_session()
    workspace.ask(session, "how many shipments last month")
    workspace.ask(session, "1")
    workspace.close()
    with Workspace.open_database(tmp_path / "yard.sqlite", tmp_path / "workspace") as again:
        assert number(again.ask(session, "how many shipments last month")) == of_month(OLD, 2021, 4)


def test_days_to_come_are_no_end_of_the_data(make: Make) -> None:
    # One row is valid for ever.
    workspace = make([*OLD, dt.date(9999, 12, 31)])
    asked = workspace.ask(workspace.new_session(), "how many shipments last month")
    assert asked.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    assert "20 May 2021" in asked.message


@pytest.mark.parametrize("period", ["in 2019", "in March 2021", "since 2021-04-01", "in 2035"])
def test_a_period_with_its_own_year_counts_from_nothing(make: Make, period: str) -> None:
    workspace = make(OLD)
    result = workspace.ask(workspace.new_session(), f"how many shipments {period}")
    assert result.answer_mode is AnswerMode.CONFIRMED
    assert "today" not in result.message
    assert "last date" not in result.message


def test_nothing_behind_the_end_of_the_data_is_an_answer(make: Make) -> None:
    workspace = make(OLD)
    result = workspace.ask(workspace.new_session(), "shipments per port in 2035")
    assert (result.answer_mode, result.rows) == (AnswerMode.CONFIRMED, ())


@pytest.mark.parametrize(
    ("answer", "year"),
    [
        ("from the last date in the data", 2021),
        ("the last date", 2021),
        ("today", TODAY.year),
        ("count from today please", TODAY.year),
    ],
)
def test_the_choice_is_made_in_words(make: Make, answer: str, year: int) -> None:
    workspace = make(OLD)
    session = workspace.new_session()
    workspace.ask(session, "how many shipments this year")
    assert workspace.ask(session, answer).program.count(f"{year}-01-01") == 1


def test_another_question_makes_no_choice(make: Make) -> None:
    workspace = make(OLD)
    session = workspace.new_session()
    workspace.ask(session, "how many shipments this year")
    other = workspace.ask(session, "how many shipments today")
    assert other.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    assert "20 May 2021" in other.message


def test_a_follow_up_on_the_question_keeps_the_choice_open(make: Make) -> None:
    workspace = make(OLD)
    session = workspace.new_session()
    workspace.ask(session, "how many shipments last month")
    workspace.ask(session, "only to Lund")
    assert "Counted from 20 May 2021" in workspace.ask(session, "1").message
    assert number(workspace.ask(session, "how many shipments last month")) == of_month(OLD, 2021, 4)


@pytest.mark.parametrize(
    ("period", "first", "last"),
    [
        ("the day before yesterday", 2, 2),
        ("until yesterday", 1, 9999),
        ("before yesterday", 2, 9999),
        ("since yesterday", 0, 1),
        ("yesterday and the day before", 1, 2),
    ],
)
def test_words_beside_a_period_count(make: Make, period: str, first: int, last: int) -> None:
    days = [TODAY - dt.timedelta(days=back) for back in range(40)]
    workspace = make(days)
    result = workspace.ask(workspace.new_session(), f"how many shipments {period}")
    assert number(result) == sum(first <= (TODAY - day).days <= last for day in days)


@pytest.mark.parametrize(
    ("messages", "first", "last"),
    [
        (("in the last 7 days", "and the 7 days before?"), 7, 13),
        (("in the last 7 days", "and the day before?"), 7, 7),
        (("yesterday", "and the day before?"), 2, 2),
    ],
)
def test_what_comes_before_a_period_ends_where_it_begins(
    make: Make, messages: tuple[str, str], first: int, last: int
) -> None:
    days = [TODAY - dt.timedelta(days=back) for back in range(40)]
    workspace = make(days)
    session = workspace.new_session()
    workspace.ask(session, f"how many shipments {messages[0]}")
    result = workspace.ask(session, messages[1])
    assert number(result) == sum(first <= (TODAY - day).days <= last for day in days)


def test_rows_that_are_planned_are_no_end(make: Make) -> None:
    workspace = make([*OLD, TODAY + dt.timedelta(days=6 - TODAY.weekday())])
    assert number(workspace.ask(workspace.new_session(), "how many shipments this week")) == 1


def test_a_number_of_hundreds_of_digits_is_no_crash(make: Make) -> None:
    workspace = make(OLD)
    result = workspace.ask(workspace.new_session(), f"how many shipments in the last {'9' * 320} days")
    assert result.answer_mode is not AnswerMode.CONFIRMED


def test_the_last_days_of_a_month_are_those_of_the_month(make: Make) -> None:
    workspace = make(OLD)
    result = workspace.ask(workspace.new_session(), "how many shipments in the last 7 days of March 2021")
    assert number(result) == sum(dt.date(2021, 3, 25) <= day <= dt.date(2021, 3, 31) for day in OLD)


@pytest.mark.parametrize(
    "message",
    ["сколько shipments в прошлом месяце", "지난달 shipments 몇 개", "wie viele shipments im letzten Monat"],
)
def test_other_languages_are_asked_too(make: Make, message: str) -> None:
    workspace = make(OLD)
    session = workspace.new_session()
    asked = workspace.ask(session, message)
    assert asked.answer_mode is AnswerMode.CLARIFICATION_REQUIRED, asked.message
    assert number(workspace.ask(session, "1")) == of_month(OLD, 2021, 4)
