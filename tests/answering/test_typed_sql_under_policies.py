"""A typed SELECT shows its viewer what the policies leave, on every engine, and can be stopped."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
import pytest

from dragoman import Workspace
from dragoman.contracts.turn_result import TurnResult
from tests.engine.guarded_ground import DIALECTS, EXTRACTORS, Company, canaries_in, company

QUERIES: Final = (
    "SELECT * FROM employee",
    "SELECT COUNT(*) FROM employee",
    "SELECT name FROM employee WHERE name LIKE '%a%'",
    "SELECT e.name, (SELECT COUNT(*) FROM employee i WHERE i.id <> e.id) AS others FROM employee e",
    "WITH seen AS (SELECT * FROM employee) SELECT * FROM seen",
    "SELECT name FROM employee UNION SELECT name FROM staff",
    "SELECT * FROM payroll",
    "SELECT salary FROM employee",
    "SELECT name FROM employee WHERE salary > 730000",
    "SELECT e.note FROM employee e",
    "SELECT name FROM employee ORDER BY salary",
    "SELECT twice FROM employee",
)


@pytest.fixture(scope="module", params=DIALECTS)
def hr(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Company]:
    with company(request.param, tmp_path_factory.mktemp("hr"), request) as made:
        yield made


NUMBERED: Final = "SELECT name, ROW_NUMBER() OVER (ORDER BY id) AS n FROM employee"


def _asked(hr: Company, role: str, *queries: str) -> list[tuple[TurnResult, str]]:
    """Each turn, and all that it shows: the result and the SQL of it."""
    found: list[tuple[TurnResult, str]] = []
    with Workspace.open(hr.seen_by(role)) as workspace:
        session = workspace.new_session()
        for turn, query in enumerate(queries, 1):
            result = workspace.ask(session, query, as_sql=True)
            shown = [msgspec.json.encode(result).decode(), *workspace.asked_sql(session, turn).sql]
            found.append((result, "\n".join(shown)))
    return found


def test_an_analyst_sees_nothing_that_is_hidden(hr: Company) -> None:
    turns = _asked(hr, "analyst", *QUERIES, NUMBERED, "SELECT zalary FROM employee")
    said = dict(zip(QUERIES, turns, strict=False))
    for query, (result, shown) in said.items():
        # What was typed comes back in the program; it is the viewer's own.
        assert not canaries_in(shown.replace(query, "")), query
        if "salary" in query or "note" in query or "twice" in query:
            assert result.reason_codes == ("sql_unknown_column",), query
    numbered, absent = turns[-2][0], turns[-1][0]
    assert (numbered.route, numbered.row_count) == (EXTRACTORS[hr.dialect], 2)
    # A hidden column is as one that never was.
    hidden = said["SELECT salary FROM employee"][0]
    assert hidden.message == absent.message.replace("zalary", "salary")


def test_a_boss_sees_all_of_it(hr: Company) -> None:
    ((numbered, _),) = _asked(hr, "boss", NUMBERED)
    assert (numbered.route, numbered.row_count) == (EXTRACTORS[hr.dialect], 4)


def test_a_query_that_never_ends_is_stopped(tmp_path: Path) -> None:
    database, folder = tmp_path / "t.sqlite", tmp_path / "folder"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript("CREATE TABLE t (n INTEGER PRIMARY KEY); INSERT INTO t VALUES (1);")
    with Workspace.open_database(database, folder) as workspace:
        (workspace.home / "dragoman.yaml").write_text("version: 1\nlimits: {read_seconds: 1}\n", "utf-8")
        session = workspace.new_session()
        endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
        stopped = workspace.ask(session, endless)
        assert stopped.reason_codes == ("query_timeout",)
        assert workspace.ask(session, "SELECT n FROM t").rows == ((1,),)
