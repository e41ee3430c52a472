"""Newest and oldest: by when things came to be, and not by when their rows were written last."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.planning.database.planned_database import PlannedDatabase

SCRIPT = """
CREATE TABLE print (print_id INTEGER PRIMARY KEY, title TEXT, pulled_year TEXT, price DECIMAL(8,2),
  last_update TIMESTAMP);
INSERT INTO print VALUES (1, 'Heath', '1987', 40.00, '2023-05-01 10:00:00'),
  (2, 'Weir', '2004', 55.00, '2023-04-01 10:00:00'), (3, 'Quay', '1995', 25.00, '2023-06-01 10:00:00');
CREATE TABLE frame (frame_id INTEGER PRIMARY KEY, title TEXT, last_update TIMESTAMP);
INSERT INTO frame VALUES (1, 'Oak', '2023-05-01 10:00:00'), (2, 'Ash', '2023-06-01 10:00:00');
"""


@pytest.fixture(scope="module")
def prints(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlannedDatabase]:
    opened = PlannedDatabase(Path(tmp_path_factory.mktemp("prints")) / "prints.sqlite", SCRIPT)
    yield opened
    opened.reader.close()


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("the newest print", '{:desc "pulled_year"}'),
        ("list the prints, oldest first", '"pulled_year"'),
        # Where rows have no other time, it has to do.
        ("the newest frame", '{:desc "last_update"}'),
    ],
)
def test_the_newest_is_the_one_of_the_last_year(prints: PlannedDatabase, question: str, order: str) -> None:
    assert f":order {order}" in prints.program(question)
