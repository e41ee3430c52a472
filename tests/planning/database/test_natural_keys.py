"""A database without declared keys: codes lead from table to table, and dates are digits."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.contracts.query import Value
from tests.planning.database.planned_database import PlannedDatabase

_SCRIPT = """
CREATE TABLE parish (title VARCHAR(20) NOT NULL, code VARCHAR(4) PRIMARY KEY, acres INTEGER);
INSERT INTO parish VALUES ('Ashby', 'ab', 900), ('Brook', 'bk', 400), ('Colne', 'cn', 700),
  ('Dell', 'dl', 650);
CREATE TABLE upkeep (parish VARCHAR(4) PRIMARY KEY, road_tax INTEGER, poor_relief INTEGER);
INSERT INTO upkeep VALUES ('ab', 50, 9), ('bk', 80, 2), ('cn', 20, 4), ('dl', 10, 7);
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
        ("what is the poor relief of Colne", [(4,)]),
        ("total road tax of parishes with more than 600 acres", [(80,)]),
    ],
)
def test_a_question_gives_its_rows(
    valley: PlannedDatabase, question: str, rows: list[tuple[Value, ...]]
) -> None:
    assert valley.rows(question) == rows, valley.program(question)
