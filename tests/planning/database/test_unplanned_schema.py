"""Databases that nobody planned: what they do not declare is known from their names and values."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.contracts.query import Value
from tests.planning.database.planned_database import PlannedDatabase
from tests.planning.database.rowing_club import SCRIPT


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlannedDatabase]:
    opened = PlannedDatabase(Path(tmp_path_factory.mktemp("rowing_club")) / "rowing_club.sqlite", SCRIPT)
    yield opened
    opened.reader.close()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # Keys that nobody declared.
        ("how many rowers are at Reed Shed", [(2,)]),
        ("how many rowers are in the boathouse at Northbank", [(2,)]),
        # Names cut short, fused, or initials.
        ("what is the highest retail price", [(90,)]),
        ("total ps_qty", [(15,)]),
        ("total race points in 2020", [(51,)]),
        # A year inside of a key, and dates that are texts.
        ("how many forms in 2020", [(2,)]),
        ("how many rowers were born in the nineties", [(2,)]),
        # What holds now.
        ("how many current captains are there", [(1,)]),
        ("how many people are treasurer at the moment", [(1,)]),
        # A measure that is called as its table is.
        ("what is the highest pay", [(700,)]),
        # A kind stands for the rows of that kind, and a number of guests for the guests.
        ("how many regattas were there", [(2,)]),
        ("how many guests did regattas have in total", [(100,)]),
        # A flag, whatever its letters are, and where it is not known.
        ("how many rowers are insured", [(2,)]),
        ("how many rowers are not insured", [(1,)]),
        ("number of insured rowers", [(2,)]),
        # Values by other names.
        ("how many left handed rowers are there", [(2,)]),
        ("how many european rowers are there", [(2,)]),
    ],
)
def test_a_question_gives_its_rows(
    club: PlannedDatabase, question: str, rows: list[tuple[Value, ...]]
) -> None:
    assert club.rows(question) == rows


def test_a_person_is_called_by_name_and_not_by_login(tmp_path: Path) -> None:
    script = """
    CREATE TABLE singers (singer_id INTEGER PRIMARY KEY, login_name TEXT, personal_name TEXT,
      family_name TEXT, joined_on DATE);
    INSERT INTO singers VALUES (1, 'alto7', 'Wanda', 'Krill', '2019-05-02'),
      (2, 'bass2', 'Egon', 'Marsh', '2021-03-03');
    """
    choir = PlannedDatabase(tmp_path / "choir.sqlite", script)
    assert [row[:2] for row in choir.rows("which singers joined in 2021")] == [("Egon", "Marsh")]
    choir.reader.close()
