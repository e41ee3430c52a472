"""A database without declared keys: codes lead from table to table, and dates are digits."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.contracts.query import Value
from dragoman.planning.database.unwriter import frame_of
from tests.planning.database.planned_database import PlannedDatabase

_SCRIPT = """
CREATE TABLE parish (title VARCHAR(20) NOT NULL, code VARCHAR(4) PRIMARY KEY, acres INTEGER);
INSERT INTO parish VALUES ('Ashby', 'ab', 900), ('Brook', 'bk', 400), ('Colne', 'cn', 700),
  ('Dell', 'dl', 650);
CREATE TABLE upkeep (parish VARCHAR(4) PRIMARY KEY, road_tax INTEGER, poor_relief INTEGER);
INSERT INTO upkeep VALUES ('ab', 50, 9), ('bk', 80, 2), ('cn', 20, 4), ('dl', 10, 7);
CREATE TABLE fences (parish1 VARCHAR(4), parish2 VARCHAR(4), metres INTEGER, PRIMARY KEY (parish1, parish2));
INSERT INTO fences VALUES ('ab', 'bk', 40), ('bk', 'cn', 50), ('ab', 'cn', 60);
CREATE TABLE dialect (parish VARCHAR(4), name VARCHAR(20), speakers INTEGER, PRIMARY KEY (name, parish));
INSERT INTO dialect VALUES ('ab', 'Broad', 90), ('bk', 'Broad', 30), ('cn', 'Broad', 10), ('cn', 'Soft', 70),
  ('dl', 'Soft', 20), ('dl', 'Lilt', 5);
CREATE TABLE stream (name VARCHAR(20) PRIMARY KEY, stream VARCHAR(20), length INTEGER);
INSERT INTO stream VALUES ('Wend', NULL, 30), ('Lide', 'Wend', 8), ('Orr', 'Wend', 6), ('Tam', 'Lide', 3);
CREATE TABLE toll_terms (toll_id INTEGER PRIMARY KEY, price INTEGER);
INSERT INTO toll_terms VALUES (1, 4), (2, 9), (3, 7);
CREATE TABLE wagon (wagon_id INTEGER PRIMARY KEY, nickname TEXT, toll_sticker_url TEXT);
INSERT INTO wagon VALUES (1, 'Bess', 'b.example'), (2, 'Dora', 'd.example');
CREATE TABLE halt (halt_id INTEGER PRIMARY KEY, title TEXT);
INSERT INTO halt VALUES (1, 'Old Mill'), (2, 'Ford');
CREATE TABLE journey (journey_id INTEGER PRIMARY KEY, wagon_id INTEGER, halt_id INTEGER);
INSERT INTO journey VALUES (1, 1, 1), (2, 1, 1), (3, 2, 2);
CREATE TABLE season (season_id VARCHAR(9) PRIMARY KEY, opens_on TEXT, closes_on TEXT);
INSERT INTO season VALUES ('spring', '20230301', '20230531'), ('summer', '20230601', '20230831'),
  ('winter', '20231201', '20240228');
"""


@pytest.fixture(scope="module")
def valley(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlannedDatabase]:
    opened = PlannedDatabase(Path(tmp_path_factory.mktemp("valley")) / "valley.sqlite", _SCRIPT)
    yield opened
    opened.reader.close()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many seasons open in june 2023", [(1,)]),
        ("how many seasons close after december 2023", [(1,)]),
        ("how many seasons opened in 2023", [(3,)]),
        ("how many seasons open in the 20th century", [(0,)]),
        ("how many seasons open in the twentieth century", [(0,)]),
        ("how many streams are longer than 7 m", [(2,)]),
        ("what is the poor relief of Colne", [(4,)]),
        ("total road tax of parishes with more than 600 acres", [(80,)]),
        # Either of the two ends.
        ("total metres of the fences of Brook", [(90,)]),
        ("how many fences does Colne have", [(2,)]),
        ("which parishes have no fences", [("dl", "Dell")]),
        # A dialect has a row for each parish.
        ("dialects spoken in at least 3 parishes", [("Broad", 3)]),
        # The key of a table says what its rows are.
        ("2 most expensive tolls", [(2, 9), (3, 7)]),
        # What wagons do is nothing to show of them.
        ("which wagons halt at Old Mill", [(1, "Bess", "b.example")]),
        # One row beside each parish is as good as a column of its own.
        ("top 2 parishes by road tax", [("bk", "Brook", 80), ("ab", "Ashby", 50)]),
    ],
)
def test_a_question_gives_its_rows(
    valley: PlannedDatabase, question: str, rows: list[tuple[Value, ...]]
) -> None:
    assert valley.rows(question) == rows, valley.program(question)


def test_rows_that_are_paired_are_found_from_both_ends(valley: PlannedDatabase) -> None:
    assert sorted(valley.rows("which parishes fence Brook")) == [("ab", "Ashby"), ("cn", "Colne")]


def test_who_gathers_by_one_of_two_ends_guesses(valley: PlannedDatabase) -> None:
    question = "number of fences per parish"
    assert "way" in valley.planner.readings(question)[0].guesses


def test_a_reading_of_both_ends_is_read_back(valley: PlannedDatabase) -> None:
    reading = valley.planner.readings("how many fences does Colne have")[0]
    frame = frame_of(reading.statement, valley.planner.knowledge, valley.planner.joins)
    assert frame is not None
    (condition,) = frame.conditions
    assert [link.name for link in condition.ref.links or ()] == ["parish1"]
    assert [link.name for link in condition.ref.mirror or ()] == ["parish2"]
