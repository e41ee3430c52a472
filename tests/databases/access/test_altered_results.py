"""Warnings by which MariaDB says that it gave something else than was asked for: they are errors."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from dragoman.contracts.errors import ResultAltered, SourceFailed
from dragoman.contracts.query import Query, ReadLimits
from dragoman.databases.families.mysql.server_warnings import ALTERING
from dragoman.engine.components.mysql import EXTRACTOR
from tests.databases.access.sources import Source
from tests.engine.steps import step_context
from tests.servers import MariadbServer

ALTERED: Final = {
    1301: "SELECT REPEAT('x', 100000000) AS n",
    1931: "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) AS n FROM r",
    1260: "SELECT LENGTH(GROUP_CONCAT(a.n, b.n)) AS n FROM t AS a, t AS b",
    1292: "SELECT SUM(s) AS n FROM t",
    1411: "SELECT STR_TO_DATE(s, '%Y') AS n FROM t LIMIT 1",
    1441: "SELECT DATE_ADD('9999-12-31', INTERVAL 1 DAY) AS n",
    1916: "SELECT CAST(99999999999999999999 AS UNSIGNED) AS n",
    1264: "SELECT CAST(12345.67 AS DECIMAL(3, 1)) AS n",
    1977: "SELECT CONVERT(c USING latin1) AS n FROM t LIMIT 1",
    4038: "SELECT JSON_EXTRACT(j, '$.a') AS n FROM t LIMIT 1",
}
SOUND: Final = (
    "SELECT 1 / 0 AS n",
    "SELECT CAST('2020-01-01 10:00:00' AS DATE) AS n",
    "SELECT n FROM t WHERE n = 5",
    "SELECT CAST(-1 AS UNSIGNED) AS n",
)
TABLE: Final = (
    "CREATE TABLE t (n INT, s VARCHAR(10), j TEXT, c VARCHAR(10));"
    "INSERT INTO t SELECT seq, 'abc', '{x', '\U0001f600' FROM seq_1_to_1000;"
)
Read = Callable[[str], object]


@pytest.fixture
def shop(mariadb_server: MariadbServer, mariadb_database: str) -> str:
    mariadb_server.query(TABLE, mariadb_database)
    return mariadb_server.url_of(mariadb_database)


@pytest.fixture(params=["reader", "extractor"])
def read(
    request: pytest.FixtureRequest, mariadb_data: Source, shop: str, tmp_path: Path
) -> Callable[[str], object]:
    def by_reader(sql: str) -> object:
        with mariadb_data.reader() as reader:
            return reader.read(Query(sql), user_sql=True).rows

    def by_extractor(sql: str) -> object:
        config = {"connection": "@shop", "query": sql}
        with step_context(tmp_path, {"shop": shop}) as context:
            extraction = EXTRACTOR.plan(config, None, None, context)
            with EXTRACTOR.open(config, extraction, None, context) as flow:
                return flow.batches(context.lane).read_all().to_pylist()

    return by_reader if request.param == "reader" else by_extractor


@pytest.mark.parametrize("code", ALTERED, ids=str)
def test_what_the_server_changed_is_refused(read: Read, code: int) -> None:
    assert code in ALTERING
    with pytest.raises((ResultAltered, SourceFailed), match=rf"warning {code}\)"):
        read(ALTERED[code])


@pytest.mark.parametrize("sql", SOUND)
def test_what_is_as_it_was_asked_for_is_given(read: Read, sql: str) -> None:
    read(sql)


def test_no_value_of_a_row_is_told(mariadb_data: Source, shop: str) -> None:
    with mariadb_data.reader() as reader, pytest.raises(ResultAltered) as caught:
        reader.read(Query(ALTERED[1292]), user_sql=True)
    assert "abc" not in caught.value.message
    assert caught.value.details["warning"] == 1292


def test_a_list_that_was_cut_is_looked_at_too(mariadb_data: Source, shop: str) -> None:
    sql = "SELECT n, s + 0 AS z FROM t"
    with mariadb_data.reader() as reader, pytest.raises(ResultAltered):
        reader.read(Query(sql), ReadLimits(rows=10))


def test_a_filter_and_a_view_are_read_with_their_warnings(
    mariadb_server: MariadbServer, mariadb_database: str, shop: str, tmp_path: Path
) -> None:
    mariadb_server.query("CREATE VIEW v AS SELECT n, s + 0 AS z FROM t;", mariadb_database)
    for config in ({"table": "v"}, {"table": "t", "filter": "s = 5"}):
        told = {"connection": "@shop", **config}
        with step_context(tmp_path, {"shop": shop}) as context:
            extraction = EXTRACTOR.plan(told, None, None, context)
            assert extraction.path == "rows"
            with (
                pytest.raises(SourceFailed, match="warning 1292"),
                EXTRACTOR.open(told, extraction, None, context) as flow,
            ):
                flow.batches(context.lane).read_all()


def test_a_plain_table_keeps_its_fast_way(shop: str, tmp_path: Path) -> None:
    with step_context(tmp_path, {"shop": shop}) as context:
        plan = EXTRACTOR.plan({"connection": "@shop", "table": "t"}, None, None, context)
    assert plan.path in ("connectorx", "scanner")
