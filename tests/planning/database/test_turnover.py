"""Of several amounts that the same rows have, turnover is what a column called so holds."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman.planning.database.hearing import is_sure
from tests.planning.database.hire_shop import HireShop
from tests.tables.test_engines import statement

STALLS: Final = """
CREATE TABLE stall (stall_id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO stall VALUES (1, 'Cheese'), (2, 'Honey');
CREATE TABLE till_line (till_line_id INTEGER PRIMARY KEY, stall_id INTEGER REFERENCES stall(stall_id),
  sold_on DATE, extended_amount DECIMAL(9,2), sales_amount DECIMAL(9,2));
INSERT INTO till_line VALUES (1, 1, '2023-02-01', 30, 27), (2, 1, '2023-05-02', 20, 18),
  (3, 2, '2023-05-03', 12, 12);
"""


class Stalls(HireShop):
    script = STALLS


@pytest.fixture(scope="module")
def stalls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stalls]:
    opened = Stalls(Path(tmp_path_factory.mktemp("stalls")) / "stalls.sqlite")
    yield opened
    opened.reader.close()


@pytest.mark.parametrize(
    ("message", "program"),
    [
        (
            "revenue per stall",
            '(till_line.sum :of "sales_amount" :by "stall_id" :columns ["stall/name" "sum"])',
        ),
        (
            "extended amount per stall",
            '(till_line.sum :of "extended_amount" :by "stall_id" :columns ["stall/name" "sum"])',
        ),
    ],
)
def test_turnover_is_what_was_sold(stalls: Stalls, message: str, program: str) -> None:
    best = stalls.readings(message)[0]
    assert is_sure(best)
    assert stalls.rows(best.statement) == stalls.rows(statement(program))
