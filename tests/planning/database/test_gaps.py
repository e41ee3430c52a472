"""The gap between two columns is from the lesser to the greater, whichever was said first."""

from pathlib import Path

import pytest

from tests.planning.database.planned_database import PlannedDatabase

BERTHS = """
create table berths (id integer primary key, name text not null, min_fee integer, max_fee integer);
insert into berths values (1, 'North', 10, 40), (2, 'South', 20, 30), (3, 'Weir', 5, 25);
"""


@pytest.mark.parametrize("ends", ["minimum and maximum", "maximum and minimum"])
def test_the_widest_gap_is_no_negative_one(ends: str, tmp_path: Path) -> None:
    database = PlannedDatabase(tmp_path / "berths.sqlite", BERTHS)
    rows = database.rows(f"which berth has the widest gap between its {ends} fee")
    assert len(rows) == 1
    assert "North" in rows[0]
