"""Rows that are held against the other rows of their own table: pairs, who else, shared with somebody."""

from collections.abc import Iterator

import pytest

from dragoman.planning.database.unwriter import frame_of
from dragoman.planning.database.writer import written
from dragoman.reading.period_grammar import period_grammar
from tests.planning.database.choir import SCRIPT
from tests.planning.database.planned_database import TODAY, PlannedDatabase


@pytest.fixture(scope="module")
def choir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlannedDatabase]:
    database = PlannedDatabase(tmp_path_factory.mktemp("choir") / "choir.sqlite", SCRIPT)
    yield database
    database.reader.close()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("pairs of singers with the same last name, each pair only once", ["Ada Bram", "Cleo Esme"]),
        ("are there two singers of exactly the same age? show the pair and the age", ["Bram Cleo"]),
        ("list the pairs of singers who were born on the very same day", ["Dirk Esme"]),
        ("pairs of singers in the Soprano section with the same last name", ["Ada Bram"]),
        ("pairs of singers older than 33 with the same last name", ["Cleo Esme"]),
        ("show pairs of singers that are in the same section", ["Ada Bram", "Ada Dirk", "Bram Dirk"]),
    ],
)
def test_both_of_a_pair_are_shown_once(choir: PlannedDatabase, question: str, rows: list[str]) -> None:
    assert sorted(f"{row[0]!s} {row[2]!s}" for row in choir.rows(question)) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which singers live in the same town as another singer", ["Ada", "Cleo"]),
        ("singers sharing their address with somebody else", ["Ada", "Bram"]),
        ("singers who have a last name in common", ["Ada", "Bram", "Cleo", "Esme"]),
        ("singers born in the same year as another singer", ["Bram", "Cleo", "Dirk", "Esme"]),
        ("which singers have the same age?", ["Bram", "Cleo"]),
        ("singers who do not share their last name with another singer", ["Dirk", "Finn"]),
        ("which singers older than 33 share a town with another singer?", ["Cleo"]),
        ("how many pairs of singers are in the same section", ["3"]),
        ("how many singers share their last name with another singer?", ["4"]),
    ],
)
def test_rows_that_another_is_like(choir: PlannedDatabase, question: str, rows: list[str]) -> None:
    assert sorted(str(row[0]) for row in choir.rows(question)) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who else was born in the same year as Cleo", ["Bram"]),
        ("colleagues of Ada Holm in the same section", ["Bram", "Dirk"]),
        ("section-mates of Ada Holm", ["Bram", "Dirk"]),
        ("who are Ada Holm's colleagues in her section?", ["Bram", "Dirk"]),
        ("which other singers live in the same town as Ada Holm", ["Cleo"]),
        ("who lives at the same address as Bram Holm", ["Ada"]),
    ],
)
def test_who_is_like_somebody_who_is_named(choir: PlannedDatabase, question: str, rows: list[str]) -> None:
    assert sorted(str(row[0]) for row in choir.rows(question)) == rows


def test_what_differs_stands_in_order(choir: PlannedDatabase) -> None:
    found = choir.rows("songs with the same title but a different price")
    assert found == [("Larkspur", 4.5, "Larkspur", 6.0)]


@pytest.mark.parametrize(
    "question",
    [
        "singers with the same last name as another singer from Ashby",
        "singers sharing an address with their section",
        "which singers live in the same town as another section",
        "which singers have the same town and section",
        "sections in which two singers have the same age",
    ],
)
def test_what_is_not_sure_leaves_words_over(choir: PlannedDatabase, question: str) -> None:
    assert all(each.uncovered for each in choir.planner.readings(question, (), TODAY)[:1])


@pytest.mark.parametrize(
    "question",
    [
        "pairs of singers with the same last name",
        "pairs of singers older than 33 with the same last name",
        "songs with the same title but a different price",
        "how many pairs of singers are in the same section",
        "which singers live in the same town as another singer",
        "singers who do not share their last name with another singer",
        "who else was born in the same year as Cleo",
    ],
)
def test_what_was_written_is_read_back(choir: PlannedDatabase, question: str) -> None:
    planner = choir.planner
    statement = planner.readings(question, period_grammar().find(question), TODAY)[0].statement
    frame = frame_of(statement, planner.knowledge, planner.joins)
    assert frame is not None
    assert written(frame, planner.knowledge, planner.joins) == statement
