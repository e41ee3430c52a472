# ruff: noqa: DTZ001, E501 - moments without a zone are what is tested; tables of cells are wide
"""Rows out of MariaDB: every way to read gives the same values, exactly, or a refusal that names the column."""

import datetime as dt
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import (
    ColumnRefused,
    EngineError,
    RunCancelled,
    SourceFailed,
    StepRefused,
    TransientFault,
)
from dragoman.contracts.flow import CursorValue, KeyRange
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import Extraction, StepContext
from dragoman.engine.components.mysql import MysqlExtractor
from dragoman.engine.components.mysql.streams import ReadPath
from tests.conftest import LONG
from tests.engine.steps import step_context
from tests.patience import PROMPT, Stopwatch, once, until
from tests.servers import MariadbServer

PATHS = list(ReadPath)
UTC = dt.UTC


class Shop:
    """A database of a test's own, and a folder."""

    def __init__(self, server: MariadbServer, database: str, folder: Path) -> None:
        self.server, self.database, self.folder = server, database, folder
        self.url = server.url_of(database)

    def query(self, sql: str) -> list[list[str]]:
        return self.server.query(sql, self.database)

    @contextmanager
    def context(self, **more: Any) -> Iterator[StepContext]:
        with step_context(self.folder, {"shop": self.url}, **more) as context:
            yield context

    def plan(self, path: ReadPath | None = None, **config: Any) -> Extraction:
        with self.context() as context:
            return MysqlExtractor(path).plan(self.config(config), None, None, context)

    def read(self, path: ReadPath | None = None, part: KeyRange | None = None, **config: Any) -> pa.Table:
        after, bound = config.pop("after", None), config.pop("bound", None)
        with self.context() as context:
            extractor, arguments = MysqlExtractor(path), self.config(config)
            extraction = extractor.plan(arguments, after, bound, context)
            with extractor.open(arguments, extraction, part, context) as flow:
                table = flow.batches(context.lane).read_all()
            assert table.schema == arrow_schema(extraction.columns)
            return table

    @staticmethod
    def config(config: Mapping[str, object]) -> dict[str, object]:
        return {"connection": "@shop", **config}


@pytest.fixture
def shop(mariadb_server: MariadbServer, mariadb_database: str, tmp_path: Path) -> Shop:
    return Shop(mariadb_server, mariadb_database, tmp_path)


TEXTS = [
    "",
    "NULL",
    "\\N",
    "\t",
    "a\nb",
    "a\r\nb",
    "'",
    '"',
    '""',
    "\\",
    "\\'",
    "é😀",
    "e\u0301",
    " x ",
    "\0a",
    "%s",
]

CELLS: list[tuple[str, str, ValueType, list[object]]] = [
    ("TINYINT", "(-128),(127),(NULL)", ValueType.INTEGER, [-128, 127, None]),
    ("SMALLINT", "(-32768),(32767)", ValueType.INTEGER, [-32768, 32767]),
    ("SMALLINT UNSIGNED", "(65535)", ValueType.INTEGER, [65535]),
    ("MEDIUMINT", "(-8388608),(8388607)", ValueType.INTEGER, [-8388608, 8388607]),
    ("INT(5) UNSIGNED ZEROFILL", "(7),(4294967295)", ValueType.INTEGER, [7, 4294967295]),
    ("BIGINT", "(-9223372036854775808),(9223372036854775807)", ValueType.INTEGER, [-(2**63), 2**63 - 1]),
    ("BIGINT UNSIGNED", "(18446744073709551615),(0)", ValueType.INTEGER, [2**64 - 1, 0]),
    ("YEAR", "(1901),(2155),(0000)", ValueType.INTEGER, [1901, 2155, 0]),
    ("TINYINT(1)", "(0),(1),(NULL)", ValueType.BOOLEAN, [False, True, None]),
    ("DECIMAL(12,2)", "(-9999999999.99),(0.10),(NULL)", ValueType.DECIMAL,
     [Decimal("-9999999999.99"), Decimal("0.10"), None]),
    ("DECIMAL(38,12)", "(12345678901234567890123456.123456789012)", ValueType.DECIMAL,
     [Decimal("12345678901234567890123456.123456789012")]),
    ("DECIMAL(65,30)", "(-99999999999999999999999999999999999.123456789012345678901234567890),(1)", ValueType.DECIMAL,
     ["-99999999999999999999999999999999999.123456789012345678901234567890", "1.000000000000000000000000000000"]),
    ("DECIMAL(38,0)", "(99999999999999999999999999999999999999)", ValueType.DECIMAL, [Decimal("9" * 38)]),
    ("DOUBLE", "(1.7976931348623157e308),(-2.2250738585072014e-308),(4.9e-324),(0.1),(-0e0),(NULL)", ValueType.FLOAT,
     [1.7976931348623157e308, -2.2250738585072014e-308, 5e-324, 0.1, -0.0, None]),
    ("FLOAT", "(0.1),(16777217),(3.4028234e38),(1e-45)", ValueType.FLOAT,
     [0.10000000149011612, 16777216.0, 3.4028234663852886e38, 1.401298464324817e-45]),
    ("DATE", "('0001-01-01'),('9999-12-31'),('2020-02-29')", ValueType.DATE,
     [dt.date(1, 1, 1), dt.date(9999, 12, 31), dt.date(2020, 2, 29)]),
    ("DATETIME(6)", "('0001-01-01'),('9999-12-31 23:59:59.999999')", ValueType.DATETIME,
     [dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59, 999999)]),
    ("DATETIME(2)", "('2020-01-01 00:00:00.12')", ValueType.DATETIME, [dt.datetime(2020, 1, 1, 0, 0, 0, 120000)]),
    ("TIMESTAMP(6) NULL", "('1970-01-01 00:00:01.000001'),('2038-01-19 03:14:07.999999'),(NULL)", ValueType.INSTANT,
     [dt.datetime(1970, 1, 1, 0, 0, 1, 1, UTC), dt.datetime(2038, 1, 19, 3, 14, 7, 999999, UTC), None]),
    ("TIME(6)", "('-838:59:59.999999'),('838:59:59'),('00:00:00.5')", ValueType.INTERVAL,
     ["-838:59:59.999999", "838:59:59.000000", "00:00:00.500000"]),
    ("BIT(5)", "(b'10101'),(b'0'),(NULL)", ValueType.TEXT, ["10101", "00000", None]),
    ("BIT(64)", "(0xffffffffffffffff)", ValueType.TEXT, ["1" * 64]),
    ("ENUM('a','é''b')", "('a'),('é''b'),(NULL)", ValueType.TEXT, ["a", "é'b", None]),
    ("SET('x','y')", "('x,y'),('')", ValueType.TEXT, ["x,y", ""]),
    ("VARCHAR(20) CHARACTER SET latin1", "('é'),('ÿ')", ValueType.TEXT, ["é", "ÿ"]),
    ("VARCHAR(20) COLLATE utf8mb4_bin", "('é😀'),(' x ')", ValueType.TEXT, ["é😀", " x "]),
    ("JSON", """('{"a":12345678901234567890123, "a":1.10}'),(NULL)""", ValueType.JSON,
     ['{"a":12345678901234567890123, "a":1.10}', None]),
    ("BLOB", "(0x00ff0a0d),(''),(NULL)", ValueType.BYTES, [b"\x00\xff\n\r", b"", None]),
    ("BINARY(4)", "('ab')", ValueType.BYTES, [b"ab\0\0"]),
    ("UUID", "('123e4567-e89b-12d3-a456-426655440000')", ValueType.UUID, ["123e4567-e89b-12d3-a456-426655440000"]),
    ("INET6", "('::1')", ValueType.TEXT, ["::1"]),
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_every_type_is_read_exactly(shop: Shop, path: ReadPath) -> None:
    for number, (native, values, _, _) in enumerate(CELLS):
        shop.query(f"CREATE TABLE t{number} (n INT AUTO_INCREMENT PRIMARY KEY, v {native});"
                   f"INSERT INTO t{number} (v) VALUES {values}")  # fmt: skip
    for number, (native, _, kind, expected) in enumerate(CELLS):
        extraction = shop.plan(path, table=f"t{number}")
        assert extraction.columns[1].type is kind, native
        assert extraction.path == path
        found = shop.read(path, query=f"SELECT v FROM t{number} ORDER BY n").column(0).to_pylist()
        assert list(map(repr, found)) == list(map(repr, expected)) or found == expected, native
        # A table is read by a query of our own, whatever its types: every day some are enough.
        if LONG or number % 5 == 0:
            by_table = shop.read(path, table=f"t{number}", columns=["v"]).column(0).to_pylist()
            assert sorted(map(repr, by_table)) == sorted(map(repr, found)), native


@pytest.mark.parametrize("path", PATHS)
def test_texts_and_bytes_of_all_kinds(shop: Shop, path: ReadPath) -> None:
    rows = [(number, text.encode().hex()) for number, text in enumerate(TEXTS)]
    every = bytes(range(256)).hex()
    shop.query(
        "CREATE TABLE t (n INT PRIMARY KEY, v LONGTEXT, b LONGBLOB) CHARACTER SET utf8mb4;"
        + "".join(
            f"INSERT INTO t VALUES ({n}, CONVERT(0x{h or '20'} USING utf8mb4), 0x{every});"
            for n, h in rows
            if h
        )
        + "INSERT INTO t VALUES (0, '', ''), (100, REPEAT('é', 524288), REPEAT(0xff, 1048576)), (101, NULL, NULL)"
    )
    table = shop.read(path, query="SELECT v, b FROM t ORDER BY n")
    assert table.column(0).to_pylist() == [*TEXTS, "é" * 524_288, None]
    assert table.column(1).to_pylist() == [
        b"",
        *[bytes(range(256))] * (len(TEXTS) - 1),
        b"\xff" * 1_048_576,
        None,
    ]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("native", ["DATE", "DATETIME(6)", "TIMESTAMP"])
def test_zero_dates_are_refused_unless_they_may_be_missing(shop: Shop, path: ReadPath, native: str) -> None:
    values = "('0000-00-00'),('2020-01-02')" + (
        "" if native == "TIMESTAMP" else ",('2020-00-00'),('2020-05-00')"
    )
    shop.query(
        f"SET sql_mode=''; CREATE TABLE t (`the day` {native} NOT NULL); INSERT INTO t VALUES {values}"
    )
    with pytest.raises(ColumnRefused) as caught:
        shop.read(path, table="t")
    assert caught.value.details["column"] == "the day"
    assert "zero_date_to_null" in caught.value.hint
    extraction = shop.plan(path, table="t", convert=["zero_date_to_null"])
    assert [(w.column, w.rule) for w in extraction.warnings] == [("the day", "zero_date_to_null")]
    found = shop.read(path, table="t", convert=["zero_date_to_null"]).column(0).to_pylist()
    assert [str(each)[:10] for each in found if each] == ["2020-01-02"]


def test_a_day_that_no_calendar_has_is_refused(shop: Shop) -> None:
    shop.query(
        "SET sql_mode='ALLOW_INVALID_DATES'; CREATE TABLE t (d DATE); INSERT INTO t VALUES ('2021-02-31')"
    )
    with pytest.raises(ColumnRefused, match="column d"):
        shop.read(table="t", convert=["zero_date_to_null"])


@pytest.mark.parametrize("path", PATHS)
def test_a_boolean_that_is_a_number_is_refused(shop: Shop, path: ReadPath) -> None:
    shop.query("CREATE TABLE t (flag TINYINT(1)); INSERT INTO t VALUES (1), (5)")
    with pytest.raises(ColumnRefused) as caught:
        shop.read(path, table="t")
    assert caught.value.details["column"] == "flag"
    found = shop.read(path, query="SELECT CAST(flag AS SIGNED) AS flag FROM t")
    assert sorted(found.column(0).to_pylist()) == [1, 5]


@pytest.mark.parametrize("path", PATHS)
def test_names_can_be_anything(shop: Shop, path: ReadPath) -> None:
    names = ["a`b", 'c"d', "e'f", "select", "жñ", "x" * 64, "a b", "%s", "{port}", "c0"]
    listed = ", ".join(f"`{name.replace('`', '``')}` INT" for name in names)
    shop.query(
        f"CREATE TABLE `od``d 'n\"` ({listed}); INSERT INTO `od``d 'n\"` VALUES (1,2,3,4,5,6,7,8,9,10)"
    )
    table = shop.read(path, table="od`d 'n\"")
    assert table.to_pylist() == [dict(zip(names, range(1, 11), strict=True))]
    assert shop.read(path, table="od`d 'n\"", columns=["a b", "a`b"]).to_pylist() == [{"a b": 7, "a`b": 1}]


@pytest.mark.parametrize("path", PATHS)
def test_an_order_is_kept_and_an_empty_answer_has_its_columns(shop: Shop, path: ReadPath) -> None:
    shop.query("CREATE TABLE t (n INT, d DECIMAL(5,1)); INSERT INTO t SELECT seq, seq % 7 FROM seq_1_to_5000")
    found = shop.read(path, query="SELECT d, n FROM t ORDER BY d DESC, n").to_pylist()
    assert found == sorted(found, key=lambda row: (-row["d"], row["n"]))
    assert len(found) == 5_000
    empty = shop.read(path, query="SELECT n, d, NULL AS nothing FROM t WHERE n < 0")
    assert empty.num_rows == 0
    assert empty.column_names == ["n", "d", "nothing"]


@pytest.mark.parametrize(
    ("config", "error"),
    [
        ({"query": "DELETE FROM t"}, StepRefused),
        ({"query": "SELECT * FROM t INTO OUTFILE '/tmp/x'"}, StepRefused),
        ({"query": "SELECT * FROM mysql.user"}, StepRefused),
        ({"query": "SELECT n, n FROM t"}, StepRefused),
        ({"query": "SELECT n FROM t", "table": "t"}, StepRefused),
        ({"query": "SELECT n FROM t", "filter": "n > 1"}, StepRefused),
        ({}, StepRefused),
        ({"table": "t", "filter": "n > 1) OR SLEEP(9) --"}, StepRefused),
        ({"table": "t", "filter": "1=1) UNION SELECT * FROM (t"}, StepRefused),
        ({"table": "t", "cursor": ["nope"]}, EngineError),
        ({"table": "t", "columns": ["nope"]}, EngineError),
        ({"table": "t", "partitions": 2, "partition_by": "v"}, StepRefused),
        ({"table": "missing"}, SourceFailed),
        ({"query": "SELECT ST_GeomFromText('POINT(1 1)') AS g"}, EngineError),
    ],
)
def test_what_cannot_be_read_is_refused_before_a_row_moves(
    shop: Shop, config: dict[str, Any], error: type[EngineError]
) -> None:
    shop.query("CREATE TABLE t (n INT PRIMARY KEY, v VARCHAR(9))")
    with pytest.raises(error):
        shop.plan(**config)


def test_a_filter_and_parts_give_every_row_once(shop: Shop) -> None:
    shop.query("CREATE TABLE t (n BIGINT, k INT PRIMARY KEY);"
               "INSERT INTO t SELECT IF(seq % 10 = 0, NULL, CAST(seq AS SIGNED) * 3 - 4000), seq FROM seq_1_to_3000")  # fmt: skip
    config: dict[str, Any] = {
        "table": "t",
        "columns": ["k"],
        "filter": "k <> 17",
        "partitions": 4,
        "partition_by": "n",
    }
    parts = shop.plan(**config).parts
    assert len(parts) == 4
    found = [row["k"] for part in parts for row in shop.read(part=part, **config).to_pylist()]
    assert sorted(found) == [k for k in range(1, 3001) if k != 17]
    assert len(shop.plan(table="t", partitions=3).parts) == 3
    shop.query("DELETE FROM t")
    assert shop.plan(**config).parts == ()


def test_a_cursor_reads_what_is_new_up_to_its_bound(shop: Shop) -> None:
    shop.query("CREATE TABLE t (at DATETIME(6) NOT NULL, n DECIMAL(20,5) NOT NULL, v INT);"
               "INSERT INTO t VALUES ('2020-01-01 00:00:00.5', 1.5, 1), ('2020-01-01 00:00:00.5', -2.5, 2),"
               "('2019-01-01', 9, 3)")  # fmt: skip
    config: dict[str, Any] = {"table": "t", "cursor": ["at", "n"], "columns": ["v"]}
    first = shop.plan(**config)
    assert first.cursor == CursorValue(("at", "n"), ("2020-01-01 00:00:00.500000", "1.50000"))
    # What comes after the bound was fixed is left for the next time.
    shop.query("INSERT INTO t VALUES ('2020-01-01 00:00:00.5', 1.50001, 4), ('2021-01-01', -7, 5)")
    assert sorted(shop.read(bound=first.cursor, **config).column(0).to_pylist()) == [1, 2, 3]
    assert sorted(shop.read(after=first.cursor, **config).column(0).to_pylist()) == [4, 5]
    with shop.context() as context:
        second = MysqlExtractor().plan(shop.config(config), first.cursor, None, context)
        again = MysqlExtractor().plan(shop.config(config), second.cursor, None, context)
    assert (
        again.cursor == second.cursor == CursorValue(("at", "n"), ("2021-01-01 00:00:00.000000", "-7.00000"))
    )
    assert shop.read(after=second.cursor, **config).num_rows == 0


def test_a_cursor_is_never_sql(shop: Shop) -> None:
    shop.query(
        "CREATE TABLE t (s VARCHAR(50), n INT); INSERT INTO t VALUES ('''); DROP TABLE t; --', 1), (NULL, 2)"
    )
    extraction = shop.plan(table="t", cursor=["s"])
    assert [warning.rule for warning in extraction.warnings] == ["null_cursor_not_read"]
    assert shop.read(table="t", cursor=["s"]).column("n").to_pylist() == [1]
    assert shop.read(table="t", cursor=["s"], after=extraction.cursor).num_rows == 0
    with pytest.raises(StepRefused):
        shop.read(table="t", cursor=["n"], after=CursorValue(("n",), ("1 OR 1=1",)))
    with pytest.raises(StepRefused, match="cursor"):
        shop.read(table="t", cursor=["n"], after=CursorValue(("s",), ("1",)))


@pytest.mark.parametrize("path", PATHS)
def test_cancelling_stops_what_runs_on_the_server(shop: Shop, path: ReadPath) -> None:
    shop.query("CREATE TABLE t (n INT); INSERT INTO t SELECT seq FROM seq_1_to_2000")
    slow = "SELECT COUNT(*) AS c FROM t a JOIN t b JOIN t c WHERE a.n + b.n * c.n <> 3"
    cancel = Cancellation()
    with shop.context(cancel=cancel) as context:
        extractor, config = MysqlExtractor(path), shop.config({"query": slow})
        extraction = extractor.plan(config, None, None, context)
        stop = Stopwatch(cancel.cancel)
        with (
            once(lambda: _running(shop), stop, "the server reads"),
            pytest.raises(RunCancelled),
            extractor.open(config, extraction, None, context) as flow,
        ):
            flow.batches(context.lane).read_all()
        assert stop.seconds < PROMPT
    until(lambda: not _running(shop), "the server stops reading", PROMPT)


def _running(shop: Shop) -> list[list[str]]:
    return shop.query(
        "SELECT id FROM information_schema.processlist WHERE info LIKE '%a.n + b.n%' AND id <> CONNECTION_ID()"
    )


@pytest.mark.parametrize("path", PATHS)
def test_a_lost_connection_is_worth_another_try(shop: Shop, path: ReadPath) -> None:
    shop.query(
        "CREATE TABLE t (n INT, s VARCHAR(250)); INSERT INTO t SELECT seq, REPEAT('x', 200) FROM seq_1_to_400000;"
        # The last row does not come by itself: however far ahead is read, the connection is needed to the end.
        "CREATE VIEW endless AS SELECT n, s FROM t WHERE n < 400000 OR SLEEP(600) = 0"
    )
    with shop.context() as context:
        extractor, config = MysqlExtractor(path), shop.config({"table": "endless"})
        extraction = extractor.plan(config, None, None, context)
        with pytest.raises(TransientFault), extractor.open(config, extraction, None, context) as flow:  # noqa: PT012
            batches = iter(flow.batches(context.lane))
            next(batches)
            for (number,) in shop.query(
                "SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND db = DATABASE()"
            ):
                shop.query(f"KILL {number}")
            for _ in batches:
                pass


def test_a_password_can_have_any_character(shop: Shop) -> None:
    shop.query("CREATE TABLE t (n INT); INSERT INTO t VALUES (1);"
               "CREATE USER 'o@d:d'@'127.0.0.1' IDENTIFIED BY 'p@s:/s?w#o%r{port}d''\\\\\" ';"
               f"GRANT SELECT ON `{shop.database}`.* TO 'o@d:d'@'127.0.0.1'")  # fmt: skip
    from urllib.parse import quote

    secret = "p@s:/s?w#o%r{port}d'\\\" "
    login = f"{quote('o@d:d', safe='')}:{quote(secret, safe='')}"
    shop.url = f"mysql://{login}@127.0.0.1:{shop.server.port}/{shop.database}"
    try:
        for path in PATHS:
            assert shop.read(path, table="t").to_pylist() == [{"n": 1}]
        with pytest.raises(SourceFailed) as caught:
            shop.plan(table="nothing")
        assert secret not in str(caught.value)
    finally:
        shop.query("DROP USER 'o@d:d'@'127.0.0.1'")
