"""Questions that are suggested work, and are answered right: on folders that nobody had in mind."""

import csv
import datetime as dt
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.answering.suggestions.candidates import Candidate, Kind, candidates
from dragoman.answering.suggestions.trial import MOST_TRIED, Trial
from dragoman.contracts.places import STATE_FOLDER
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode
from dragoman.workspace.setup import make_from_database
from tests import hostile_folders as hostile

pytestmark = pytest.mark.timeout(900)

Rows = list[tuple[object, ...]]

# What each question means, written by hand. A number is compared as a decimal of two places.
MEANT: Final[Mapping[Callable[[Path], Path], Mapping[str, str]]] = {
    hostile.many_tables: {
        "How many orders are there?": "SELECT count(*) FROM orders",
        "How many orders are there for each status?": "SELECT status, count(*) FROM orders GROUP BY status",
        "Which 3 orders have the highest total?": """
            SELECT o.id, c.name, o.order_date, o.status, o.total FROM orders o
            JOIN customers c ON c.id = o.customer_id ORDER BY o.total DESC LIMIT 3""",
        "What is the average total of orders?": "SELECT avg(total) FROM orders",
        "How many orders were there in 2022?": "SELECT count(*) FROM orders WHERE order_date LIKE '2022%'",
    },
    hostile.other_letters: {
        "Сколько всего заказов?": "SELECT count(*) FROM заказы",
        "Сколько заказов по статусам?": "SELECT статус, count(*) FROM заказы GROUP BY статус",
        "У каких 3 заказов самая большая сумма?": "SELECT id FROM заказы ORDER BY сумма DESC LIMIT 3",
        "Средняя сумма заказов?": "SELECT avg(сумма) FROM заказы",
        "Сколько заказов в 2021 году?": "SELECT count(*) FROM заказы WHERE дата LIKE '2021%'",
    },
    hostile.only_hangul: {
        "주문은 모두 몇 개입니까?": "SELECT count(*) FROM 주문",
        "주문은 상태별로 몇 개입니까?": "SELECT 상태, count(*) FROM 주문 GROUP BY 상태",
        "주문의 평균 금액은?": "SELECT avg(금액) FROM 주문",
        "2022년 주문은 몇 개입니까?": "SELECT count(*) FROM 주문 WHERE 날짜 LIKE '2022%'",
        "주문의 최대 금액은?": "SELECT max(금액) FROM 주문",
    },
    hostile.no_keys: {
        "How many readings are there?": "SELECT count(*) FROM readings",
        "How many readings are there for each kind?": "SELECT kind, count(*) FROM readings GROUP BY kind",
        "Which 3 readings have the highest value?": """
            SELECT sensor, taken, kind, value FROM readings
            ORDER BY value DESC, sensor, taken, kind LIMIT 3""",
        "What is the average value of readings?": "SELECT avg(value) FROM readings",
        "How many readings were there in 2022?": "SELECT count(*) FROM readings WHERE taken LIKE '2022%'",
    },
    hostile.dirty_csv: {
        "How many surveys are there?": "SELECT count(*) FROM survey",
        "How many surveys are there for each is active?": "SELECT c9, count(*) FROM survey GROUP BY c9",
        "What is the average amount, EUR of surveys?": "SELECT avg(c6) FROM survey",
        "How many surveys were there in 2023?": "SELECT count(*) FROM survey WHERE c5 LIKE '2023%'",
        "How many surveys are there per month?": """
            SELECT substr(c5, 1, 7), count(*) FROM survey GROUP BY 1""",
    },
}


@pytest.mark.parametrize("make", hostile.FOLDERS)
def test_a_hostile_folder_answers_its_five_questions_right(
    make: Callable[[Path], Path], tmp_path: Path
) -> None:
    source = make(tmp_path)
    folder = tmp_path / "workspace"
    make_from_database(folder, str(source))
    with Workspace.open(folder) as workspace:
        questions = workspace.suggestions()
        assert set(questions) == set(MEANT[make])
        for question in questions:
            answer = workspace.ask(workspace.new_session(), question)
            assert answer.answer_mode is AnswerMode.CONFIRMED, question
            assert _rows(answer) == _meant(source, MEANT[make][question]), question
    # Found once, and kept: the next process does not try them again.
    assert (folder / STATE_FOLDER / "suggestions.json").exists()
    with Workspace.open(folder) as workspace:
        assert workspace.suggestions() == questions


def test_what_is_kept_is_tried_again_when_the_data_change(tmp_path: Path) -> None:
    source = hostile.no_keys(tmp_path)
    folder = tmp_path / "workspace"
    make_from_database(folder, str(source))
    with Workspace.open(folder) as workspace:
        assert "How many readings are there?" in workspace.suggestions()
    with closing(sqlite3.connect(source)) as database:
        database.execute("DELETE FROM readings")
        database.commit()
    with Workspace.open(folder) as workspace:
        found = workspace.suggestions()
        assert not any("readings" in question for question in found)
        for question in found:
            assert workspace.ask(workspace.new_session(), question).answer_mode is AnswerMode.CONFIRMED


def test_a_question_that_is_read_otherwise_is_not_suggested(tmp_path: Path) -> None:
    """However sure the planners are of it: the program has to be the one that the question was made from."""
    source = hostile.only_hangul(tmp_path)
    folder = tmp_path / "workspace"
    make_from_database(folder, str(source))
    with Workspace.open(folder) as workspace:
        services = workspace._open_services()
        spec = services.catalog.default
        assert spec is not None
        tables = services.catalog.tables_of(spec)
        assert tables is not None
        (count, *_) = candidates(tables.graph)
        trial = _trial(workspace)
        assert trial.passed(count) is not None
        average = next(each for each in candidates(tables.graph) if each.kind is Kind.AVERAGE)
        otherwise = Candidate(Kind.COUNT, count.table, average.statement)
        assert trial.passed(otherwise) is None


def test_the_work_is_bounded_and_an_empty_database_has_none(tmp_path: Path) -> None:
    source = tmp_path / "empty.sqlite"
    with closing(sqlite3.connect(source)) as database:
        for number in range(40):
            database.execute(f"CREATE TABLE shelf_{number} (id INTEGER PRIMARY KEY, name TEXT, size INTEGER)")
            # A row, so that only asking can tell; the names of the tables are no words.
            database.execute(f"INSERT INTO shelf_{number} VALUES (1, NULL, NULL)")
        database.commit()
    folder = tmp_path / "workspace"
    make_from_database(folder, str(source))
    with Workspace.open(folder) as workspace:
        trial = _trial(workspace)
        trial.suggestions(1_000)
        assert trial.tried == MOST_TRIED


def test_nothing_more_is_tried_once_the_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = hostile.no_keys(tmp_path)
    folder = tmp_path / "workspace"
    make_from_database(folder, str(source))
    monkeypatch.setattr("dragoman.answering.suggestions.trial.SECONDS", 0.0)
    with Workspace.open(folder) as workspace:
        trial = _trial(workspace)
        assert trial.suggestions(5) == ()
        assert trial.tried == 0


def test_help_helps_while_the_database_is_away(tmp_path: Path) -> None:
    source = hostile.no_keys(tmp_path)
    folder = tmp_path / "workspace"
    make_from_database(folder, str(source))
    source.rename(tmp_path / "elsewhere.sqlite")
    with Workspace.open(folder) as workspace:
        assert workspace.suggestions() == ()
        assert "in your own words" in workspace.ask(workspace.new_session(), "help").message


def _trial(workspace: Workspace) -> Trial:
    services = workspace._open_services()
    day = dt.date(2024, 1, 1)
    return Trial(services.reader, services.planners, services.catalog, services.objector, day)


def _rows(answer: TurnResult) -> Rows:
    return sorted((tuple(map(_plain, row)) for row in answer.rows), key=repr)


def _meant(source: Path, query: str) -> Rows:
    """The rows by SQLite, over the database or over the cells of the file as they are."""
    if source.suffix != ".csv":
        with closing(sqlite3.connect(source)) as database:
            return sorted((tuple(map(_plain, row)) for row in database.execute(query)), key=repr)
    with source.open(newline="", encoding="utf-8") as file, closing(sqlite3.connect(":memory:")) as database:
        header, *rows = csv.reader(file)
        columns = ", ".join(f"c{number}" for number in range(1, len(header) + 1))
        database.execute(f"CREATE TABLE survey ({columns})")
        database.executemany(f"INSERT INTO survey VALUES ({', '.join('?' * len(header))})", rows)
        return sorted((tuple(map(_plain, row)) for row in database.execute(query)), key=repr)


def _plain(cell: object) -> object:
    """A cell so that two readers of one database agree on it."""
    try:
        return Decimal(str(cell)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    except ArithmeticError:
        return cell
