"""Through a pooler that does not hand on what a session is told at its start."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.engine.forgetful_pooler import pooler
from tests.engine.postgres_steps import Trial


@pytest.mark.parametrize("refuses", [True, False])
def test_settings_hold_all_the_same(postgres_database: str, tmp_path: Path, refuses: bool) -> None:
    there = Trial(postgres_database, tmp_path)
    database = urlsplit(postgres_database).path[1:]
    there.run(
        f"ALTER DATABASE {database} SET TimeZone = 'Asia/Tokyo'",
        f"ALTER DATABASE {database} SET IntervalStyle = 'sql_standard'",
        f"ALTER DATABASE {database} SET DateStyle = 'German'",
        "CREATE SCHEMA s",
        "CREATE TABLE s.t (id int, i interval, r tstzrange, a date[])",
        "INSERT INTO s.t VALUES (1, '1 year 2 mons', '[2024-01-01 00:00+00,)', '{2024-01-31}')",
    )
    place = urlsplit(postgres_database)
    with pooler(place.hostname or "", place.port or 0, refuses=refuses) as port:
        url = postgres_database.replace(f":{place.port}/", f":{port}/") + "?schemas=s"
        pooled = Trial(url, tmp_path)
        for asked in ({"table": "t"}, {"query": "SELECT * FROM t"}):
            plan, found = pooled.read(None, None, **asked)
            assert found.to_pylist() == [
                {"id": 1, "i": "P1Y2M", "r": '["2024-01-01 00:00:00+00",)', "a": "{2024-01-31}"}
            ]
        pooled.write(found, table="copy", write_mode="upsert", primary_key=["id"])
        pooled.write(found, table="copy", write_mode="replace")
    assert there.rows("SELECT id, i FROM s.copy") == [(1, "P1Y2M")]
    assert plan.columns[1].native == "interval"
