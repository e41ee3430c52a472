"""Periods over tables: the grammar that reads dates for packs reads them for tables."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import duckdb
import pytest

from dragoman import Workspace
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass

DAYS: Final = ["2019-12-31", "2020-02-10", "2020-03-01", "2020-03-15", "2020-03-31", "2020-04-02"]
TABLE: Final = "CREATE TABLE shipments (id INTEGER PRIMARY KEY, sent_on {kind}, weight INTEGER);"


def rows(kind: str) -> list[tuple[int, str, int]]:
    clock = " 23:30:00" if kind == "TIMESTAMP" else ""
    return [(number, f"{day}{clock}", number * 10) for number, day in enumerate(DAYS, 1)]


@pytest.fixture(scope="module", params=["sqlite DATE", "sqlite TIMESTAMP", "duckdb DATE", "duckdb TIMESTAMP"])
def workspace(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Workspace]:
    engine, kind = request.param.split()
    folder: Path = tmp_path_factory.mktemp(engine)
    file = folder / f"yard.{engine}"
    connect = sqlite3.connect if engine == "sqlite" else duckdb.connect
    with closing(connect(str(file))) as connection:
        connection.execute(TABLE.format(kind=kind))
        connection.executemany("INSERT INTO shipments VALUES (?, ?, ?)", rows(kind))
        connection.commit()
    with Workspace.open_database(file, folder / "workspace") as opened:
        yield opened


def count(first: str, last: str) -> int:
    return sum(first <= day <= last for day in DAYS)


@pytest.mark.parametrize(
    ("period", "first", "last"),
    [
        ("since 2020-03-01", "2020-03-01", "9999-12-31"),
        ("from 2020-03-15", "2020-03-15", "9999-12-31"),
        ("in March 2020", "2020-03-01", "2020-03-31"),
        ("since 2020", "2020-01-01", "9999-12-31"),
        ("before March 2020", "0001-01-01", "2020-02-29"),
        ("in 2020", "2020-01-01", "2020-12-31"),
        ("until 2020-03-15", "0001-01-01", "2020-03-15"),
        ("after 2020-03-15", "2020-03-16", "9999-12-31"),
        ("between 2020-02-10 and 2020-03-15", "2020-02-10", "2020-03-15"),
        ("on 15 March 2020", "2020-03-15", "2020-03-15"),
        ("in the first quarter of 2020", "2020-01-01", "2020-03-31"),
    ],
)
def test_a_period_counts_its_days(workspace: Workspace, period: str, first: str, last: str) -> None:
    result = workspace.ask(workspace.new_session(), f"how many shipments {period}")
    assert (result.answer_mode, result.rows) == (AnswerMode.CONFIRMED, ((count(first, last),),))


@pytest.mark.parametrize(
    "period",
    [
        "from March 2020",
        "by the end of March 2020",
        "by 31 March 2020",
        "as of 31 March 2020",
        "с марта 2020",
        "2020년 3월 이후",
        "seit März 2020",
        "ab März 2020",
    ],
)
def test_a_period_with_two_meanings_is_not_answered_as_if_it_had_one(
    workspace: Workspace, period: str
) -> None:
    result = workspace.ask(workspace.new_session(), f"how many shipments {period}")
    assert result.answer_mode is not AnswerMode.CONFIRMED, result.program


def test_a_number_keeps_its_comparison_beside_a_period(workspace: Workspace) -> None:
    result = workspace.ask(workspace.new_session(), "how many shipments with weight over 30 in March 2020")
    if result.answer_mode is AnswerMode.CONFIRMED:
        assert result.rows == ((2,),)
    bare = workspace.ask(workspace.new_session(), "how many shipments over 30 in March 2020")
    assert bare.answer_mode is not AnswerMode.CONFIRMED or bare.rows == ((2,),)


@pytest.mark.parametrize(
    ("message", "first", "last"),
    [
        ("сколько shipments после 15.03.2020", "2020-03-16", "9999-12-31"),
        ("wie viele shipments nach dem 15.03.2020", "2020-03-16", "9999-12-31"),
        ("сколько shipments в марте 2020", "2020-03-01", "2020-03-31"),
        ("wie viele shipments im März 2020", "2020-03-01", "2020-03-31"),
    ],
)
def test_periods_of_other_languages(workspace: Workspace, message: str, first: str, last: str) -> None:
    result = workspace.ask(workspace.new_session(), message)
    assert result.answer_mode is not AnswerMode.CONFIRMED or result.rows == ((count(first, last),),)


def test_a_month_takes_the_year_in_hand(workspace: Workspace) -> None:
    session = workspace.new_session()
    workspace.ask(session, "how many shipments in March 2020")
    result = workspace.ask(session, "and in April?")
    assert (result.transition, result.rows) == (TransitionClass.T2, ((count("2020-04-01", "2020-04-30"),),))


def test_a_period_that_no_calendar_has_is_not_answered(workspace: Workspace) -> None:
    result = workspace.ask(workspace.new_session(), "how many shipments on 31 February 2020")
    assert result.answer_mode is not AnswerMode.CONFIRMED
