# ruff: noqa: DTZ001, E501 - moments without a zone are what is tested; tables of cells are wide
"""Tables of MariaDB: what is written is read back as it was, or refused by its column; all at once or not at all."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from dragoman.contracts.errors import (
    ColumnRefused,
    EngineError,
    SchemaDrift,
    StepRefused,
    TargetFailed,
    TransientFault,
)
from dragoman.contracts.flow import CursorValue, FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import Staged, StepContext
from dragoman.engine.components.mysql import MysqlExtractor, MysqlWriter, publication
from dragoman.engine.components.mysql.streams import ReadPath
from dragoman.engine.flow import Flow
from tests.engine.steps import step_context
from tests.servers import MariadbServer

UTC = dt.UTC
BOTH = pytest.mark.parametrize("by_file", [True, False])
TEXTS = [None, "", "NULL", "\\N", "\t", "a\nb", "a\r\nb", "\r", "'", '"', '""', ",", "\\", "\\'", '\\"', "é😀", "e\u0301",
         " x ", "\0a", "\x1a", "null", "x" * 1_000_000]  # fmt: skip


def column(name: str, kind: ValueType, **more: Any) -> FlowColumn:
    return FlowColumn(name, kind, **more)


class Shop:
    def __init__(self, server: MariadbServer, database: str, folder: Path) -> None:
        self.server, self.database, self.folder = server, database, folder
        self.url = server.url_of(database)

    def query(self, sql: str) -> list[list[str]]:
        return self.server.query(sql, self.database)

    @contextmanager
    def context(self, **more: Any) -> Iterator[StepContext]:
        with step_context(self.folder, {"shop": self.url}, **more) as context:
            yield context

    def write(
        self, columns: list[FlowColumn], rows: list[dict[str, Any]], *, by_file: bool = True, run_id: str = "",
        cursor: CursorValue | None = None, **config: Any,
    ) -> None:  # fmt: skip
        arguments = {"connection": "@shop", "table": "t", **config}
        writer = MysqlWriter(by_file)
        with self.context(run_id=run_id) as context:
            writing = writer.prepare(arguments, tuple(columns), context)
            try:
                staged = writer.stage(arguments, writing, flow(columns, rows), context)
                writer.publish(arguments, writing, staged, cursor, context)
                assert writer.published(arguments, staged, context) == len(rows)
            finally:
                writer.discard(arguments, writing.staging, context)
        assert not self.query("SHOW TABLES LIKE 'dragoman_stage%'")

    def read(self, table: str = "t") -> list[dict[str, Any]]:
        with self.context() as context:
            extractor, config = MysqlExtractor(ReadPath.ROWS), {"connection": "@shop", "table": table}
            extraction = extractor.plan(config, None, None, context)
            with extractor.open(config, extraction, None, context) as rows:
                found: list[dict[str, Any]] = rows.batches(context.lane).read_all().to_pylist()
                return found


def flow(columns: list[FlowColumn], rows: list[dict[str, Any]]) -> Flow:
    schema = arrow_schema(tuple(columns))
    table = pa.Table.from_pylist(rows, schema=schema)
    return Flow(tuple(columns), reader=table.to_reader(7))


@pytest.fixture
def shop(mariadb_server: MariadbServer, mariadb_database: str, tmp_path: Path) -> Shop:
    mariadb_server.query("SET GLOBAL max_allowed_packet = 67108864")
    return Shop(mariadb_server, mariadb_database, tmp_path)


ID = column("id", ValueType.INTEGER)
KINDS: list[tuple[FlowColumn, list[Any]]] = [
    (column("v", ValueType.INTEGER, bits=8), [-128, 127]),
    (column("v", ValueType.INTEGER, bits=64, signed=False), [0, 2**64 - 1]),
    (column("v", ValueType.INTEGER), [-(2**63), 2**63 - 1]),
    (column("v", ValueType.DECIMAL, precision=38, scale=10), [Decimal("-9999999999999999999999999999.0000000010")]),
    (column("v", ValueType.DECIMAL, precision=65, scale=30), ["1.500000000000000000000000000000"]),
    (column("v", ValueType.FLOAT), [1.7976931348623157e308, 5e-324, 0.1, 2.2250738585072014e-308]),
    (column("v", ValueType.FLOAT, bits=32), [0.10000000149011612, 3.4028234663852886e38, 1.401298464324817e-45]),
    (column("v", ValueType.BOOLEAN), [True, False]),
    (column("v", ValueType.DATE), [dt.date(1, 1, 1), dt.date(9999, 12, 31)]),
    (column("v", ValueType.DATETIME), [dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59, 999999)]),
    (column("v", ValueType.JSON), ['{"a": 12345678901234567890123, "a": 1.10}', "[ ]"]),
    (column("v", ValueType.INTERVAL, native="time"), ["-838:59:59.999999", "00:00:00.000001"]),
    (column("v", ValueType.UUID), ["123e4567-e89b-12d3-a456-426655440000"]),
    (column("v", ValueType.BYTES), [b"", bytes(range(256)), b"\xff" * 100_000]),
    (column("v", ValueType.TEXT), TEXTS),
    (column("v", ValueType.TEXT, length=5), ["ab ", "éé", "", None]),
]  # fmt: skip


@BOTH
@pytest.mark.parametrize(
    ("kind", "values"), KINDS, ids=[f"{k.type}-{k.bits}-{k.precision}" for k, _ in KINDS]
)
def test_what_is_written_is_read_back(shop: Shop, kind: FlowColumn, values: list[Any], by_file: bool) -> None:
    rows = [{"id": number, "v": value} for number, value in enumerate([*values, None])]
    shop.write([ID, kind], rows, by_file=by_file)
    # The second time the table is there.
    shop.write([ID, kind], rows, by_file=by_file, write_mode="replace")
    found = sorted(shop.read(), key=lambda row: row["id"])
    assert list(map(repr, found)) == list(map(repr, rows))


@BOTH
def test_an_instant_is_kept_in_utc_and_said(shop: Shop, by_file: bool) -> None:
    at = column("at", ValueType.INSTANT)
    with shop.context() as context:
        writing = MysqlWriter().prepare({"connection": "@shop", "table": "t"}, (at,), context)
    assert [(each.column, each.rule) for each in writing.warnings] == [("at", "instant_as_utc_datetime")]
    shop.write([at], [{"at": dt.datetime(1, 2, 3, 4, 5, 6, 7, UTC)}], by_file=by_file)
    assert shop.read() == [{"at": dt.datetime(1, 2, 3, 4, 5, 6, 7)}]


@BOTH
@pytest.mark.parametrize(
    ("kind", "value", "native"),
    [
        (column("the v", ValueType.FLOAT), float("nan"), "DOUBLE"),
        (column("the v", ValueType.FLOAT), float("inf"), "DOUBLE"),
        (column("the v", ValueType.FLOAT), float("-inf"), ""),
        (column("the v", ValueType.DECIMAL), "NaN", ""),
        (column("the v", ValueType.DECIMAL), "0." + "1" * 31, ""),
        (column("the v", ValueType.DECIMAL), "9" * 36, ""),
        (column("the v", ValueType.INTEGER), 300, "TINYINT"),
        (column("the v", ValueType.INTEGER), -1, "INT UNSIGNED"),
        (column("the v", ValueType.DECIMAL, precision=10, scale=4), Decimal("1.2345"), "DECIMAL(10,2)"),
        (column("the v", ValueType.TEXT), "abcd", "VARCHAR(3)"),
        (column("the v", ValueType.TEXT), "abc ", "VARCHAR(3)"),
        (column("the v", ValueType.TEXT), "ab ", "CHAR(5)"),
        (column("the v", ValueType.TEXT), "😀", "VARCHAR(3) CHARACTER SET latin1"),
        (column("the v", ValueType.TEXT), "z", "ENUM('a','b')"),
        (column("the v", ValueType.BYTES), b"ab", "BINARY(4)"),
        (column("the v", ValueType.DATETIME), dt.datetime(2020, 1, 1, 0, 0, 0, 5), "DATETIME"),
        (column("the v", ValueType.DATETIME), dt.datetime(2020, 1, 1, 0, 0, 0, 5), "DATETIME(3)"),
        (column("the v", ValueType.INSTANT), dt.datetime(2039, 1, 1, tzinfo=UTC), "TIMESTAMP NULL"),
        (column("the v", ValueType.INTERVAL, native="time"), "900:00:00", "TIME(6)"),
        (column("the v", ValueType.TEXT), None, "TEXT NOT NULL"),
    ],
)
def test_a_value_that_cannot_be_kept_is_refused_by_its_column(
    shop: Shop, kind: FlowColumn, value: Any, native: str, by_file: bool
) -> None:
    if native:
        shop.query(f"CREATE TABLE t (id INT, `the v` {native})")
    with pytest.raises(ColumnRefused) as caught:
        shop.write([ID, kind], [{"id": 1, "the v": value}], by_file=by_file)
    assert caught.value.details["column"] == "the v"
    assert not shop.query("SHOW TABLES LIKE 'dragoman_stage%'")
    assert not native or shop.read() == []


def test_json_that_is_none_is_refused(shop: Shop) -> None:
    with pytest.raises(EngineError, match="v"):
        shop.write([column("v", ValueType.JSON)], [{"v": "{nope"}])


@pytest.mark.parametrize(
    ("columns", "table", "config", "error"),
    [
        ([column("x" * 65, ValueType.TEXT)], "", {}, ColumnRefused),
        ([column("end ", ValueType.TEXT)], "", {}, ColumnRefused),
        ([column("a", ValueType.TEXT), column("A", ValueType.TEXT)], "", {}, ColumnRefused),
        ([column("v", ValueType.DECIMAL, precision=70, scale=2)], "", {}, ColumnRefused),
        ([column("v", ValueType.DECIMAL, precision=40, scale=31)], "", {}, ColumnRefused),
        ([ID], "", {"write_mode": "upsert"}, StepRefused),
        ([ID], "", {"write_mode": "upsert", "primary_key": ["no"]}, StepRefused),
        ([ID], "(id INT)", {"write_mode": "upsert", "primary_key": ["id"]}, StepRefused),
        ([ID], "(id INT, UNIQUE (id), x INT) ENGINE=MyISAM", {}, StepRefused),
        ([ID, column("v", ValueType.TEXT)], "(id INT)", {}, SchemaDrift),
        ([ID], "(id INT, v INT NOT NULL)", {}, SchemaDrift),
        ([ID], "(x INT, id INT AS (x + 1))", {}, SchemaDrift),
        ([column("v", ValueType.TEXT)], "(v INT)", {}, SchemaDrift),
        ([column("v", ValueType.FLOAT)], "(v DECIMAL(10,2))", {}, SchemaDrift),
        ([column("v", ValueType.DECIMAL, precision=10, scale=2)], "(v DOUBLE)", {}, SchemaDrift),
        ([column("v", ValueType.DATETIME)], "(v DATE)", {}, SchemaDrift),
        ([column("v", ValueType.BYTES)], "(v TEXT)", {}, SchemaDrift),
        ([ID], "", {"table": "x" * 65}, StepRefused),
    ],
)
def test_what_does_not_fit_is_refused_before_a_row_moves(
    shop: Shop, columns: list[FlowColumn], table: str, config: dict[str, Any], error: type[EngineError]
) -> None:
    if table:
        shop.query(f"CREATE TABLE t {table}")
    with shop.context() as context, pytest.raises(error):
        MysqlWriter().prepare({"connection": "@shop", "table": "t", **config}, tuple(columns), context)


def test_names_can_be_anything(shop: Shop) -> None:
    names = ["a`b", 'c"d', "e'f", "select", "жñ", "x" * 64, "a b", "%s", "q.q", "@v0", "b,c"]
    columns = [column(name, ValueType.BYTES if name == "@v0" else ValueType.TEXT) for name in names]
    row = {name: b"\0" if name == "@v0" else name for name in names}
    for table in ("od`d 'n\"", "öß.%s"):
        shop.write(columns, [row], table=table)
        shop.write(columns, [row], table=table, write_mode="append")
        assert shop.read(table) == [row, row]


def test_columns_are_added_when_that_is_allowed(shop: Shop) -> None:
    shop.query("CREATE TABLE t (id BIGINT PRIMARY KEY, old INT DEFAULT 7); INSERT INTO t (id) VALUES (1)")
    columns = [ID, column("v", ValueType.TEXT), column("m", ValueType.DECIMAL, precision=9, scale=2)]
    shop.write(columns, [{"id": 2, "v": "x", "m": Decimal("1.50")}], on_drift="add_columns")
    assert sorted(map(repr, shop.read())) == sorted(
        map(
            repr,
            [{"id": 1, "old": 7, "v": None, "m": None}, {"id": 2, "old": 7, "v": "x", "m": Decimal("1.50")}],
        )
    )


V = column("v", ValueType.TEXT)


@BOTH
def test_upsert_goes_by_the_key_it_is_told(shop: Shop, by_file: bool) -> None:
    shop.write([ID, V], [{"id": 1, "v": "a"}, {"id": 2, "v": "b"}], write_mode="upsert", primary_key=["id"])
    shop.query("ALTER TABLE t ADD COLUMN kept INT DEFAULT 3")
    shop.write(
        [ID, V],
        [{"id": 2, "v": None}, {"id": 3, "v": "c"}],
        write_mode="upsert",
        primary_key=["ID"],
        by_file=by_file,
    )
    rows = sorted((row["id"], row["v"], row["kept"]) for row in shop.read() if row["v"])
    assert rows == [(1, "a", 3), (3, "c", 3)]
    assert [row["v"] for row in shop.read() if row["id"] == 2] == [None]


@BOTH
@pytest.mark.parametrize("exists", [True, False])
def test_two_rows_of_one_key_are_refused(shop: Shop, exists: bool, by_file: bool) -> None:
    config: dict[str, Any] = {"write_mode": "upsert", "primary_key": ["id"], "by_file": by_file}
    if exists:
        shop.write([ID, V], [{"id": 1, "v": "old"}], **config)
    with pytest.raises(TargetFailed, match="one key"):
        shop.write([ID, V], [{"id": 1, "v": "a"}, {"id": 1, "v": "b"}], **config)
    assert not exists or shop.read() == [{"id": 1, "v": "old"}]


def test_upsert_never_updates_by_another_key(shop: Shop) -> None:
    shop.query(
        "CREATE TABLE t (id BIGINT PRIMARY KEY, mail VARCHAR(50) UNIQUE); INSERT INTO t VALUES (1, 'a@x')"
    )
    columns = [ID, column("mail", ValueType.TEXT)]
    with pytest.raises(EngineError):
        shop.write(columns, [{"id": 2, "mail": "a@x"}], write_mode="upsert", primary_key=["id"])
    assert shop.read() == [{"id": 1, "mail": "a@x"}]


def test_replace_keeps_what_a_table_has_around_it(shop: Shop) -> None:
    shop.query(
        "CREATE TABLE t (id BIGINT PRIMARY KEY, v VARCHAR(10) DEFAULT 'd', INDEX (v)) COMMENT 'mine';"
        "CREATE TABLE child (t_id BIGINT, FOREIGN KEY (t_id) REFERENCES t (id) ON DELETE CASCADE);"
        "INSERT INTO t (id) VALUES (1), (2); INSERT INTO child VALUES (1);"
    )
    before = shop.query("SHOW CREATE TABLE t")
    shop.write([ID], [{"id": 1}, {"id": 9}], write_mode="replace")
    assert shop.query("SHOW CREATE TABLE t") == before
    assert sorted(row["id"] for row in shop.read()) == [1, 9]
    assert shop.query("SELECT * FROM child") == [["1"]]
    with pytest.raises(TargetFailed, match="child"):
        shop.write([ID], [{"id": 9}], write_mode="replace")
    assert sorted(row["id"] for row in shop.read()) == [1, 9]


@pytest.mark.parametrize("mode", ["append", "replace", "upsert"])
@pytest.mark.parametrize("exists", [True, False])
def test_publishing_twice_changes_nothing_and_the_cursor_comes_along(
    shop: Shop, mode: str, exists: bool
) -> None:
    config = {"connection": "@shop", "table": "t", "write_mode": mode, "primary_key": ["id"]}
    if exists:
        shop.query("CREATE TABLE t (id BIGINT PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'old')")
    writer, columns, cursor = MysqlWriter(), [ID, V], CursorValue(("id",), ("5",))
    with shop.context(run_id="run-1") as context:
        assert writer.cursor(config, context) is None
        assert writer.published(config, None, context) is None
        writing = writer.prepare(config, tuple(columns), context)
        for _ in range(2):
            staged = writer.stage(config, writing, flow(columns, [{"id": 5, "v": "new"}]), context)
        before = shop.query("SHOW TABLES LIKE 't'")
        assert bool(before) is exists
        writer.publish(config, writing, staged, cursor, context)
        once = shop.read()
        writer.publish(config, writing, staged, cursor, context)
        assert shop.read() == once
        assert writer.published(config, staged, context) == 1
        assert writer.cursor(config, context) == cursor
        for _ in range(2):
            writer.discard(config, writing.staging, context)
        assert shop.read() == once
    assert len(once) == (2 if exists and mode != "replace" else 1)
    assert shop.query("SELECT run_id, step, part, `rows` FROM dragoman_ledger") == [
        ["run-1", "step-1", "0", "1"]
    ]
    assert shop.query("SELECT COUNT(*) FROM dragoman_cursors") == [["1"]]


def test_a_crash_after_the_rename_is_settled(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    config, writer, cursor = (
        {"connection": "@shop", "table": "t"},
        MysqlWriter(),
        CursorValue(("id",), ("5",)),
    )
    with shop.context(run_id="run-1") as context:
        writing = writer.prepare(config, (ID, V), context)
        staged = writer.stage(config, writing, flow([ID, V], [{"id": 5, "v": "x"}]), context)
        real, calls = publication.settle, []

        def crashing(*arguments: Any) -> int | None:
            calls.append(1)
            if len(calls) == 2:
                raise KeyboardInterrupt
            return real(*arguments)

        monkeypatch.setattr(publication, "settle", crashing)
        with pytest.raises(KeyboardInterrupt):
            writer.publish(config, writing, staged, cursor, context)
        monkeypatch.setattr(publication, "settle", real)
        assert shop.query("SELECT COUNT(*) FROM t") == [["1"]]
        assert writer.published(config, staged, context) == 1
        writer.publish(config, writing, staged, cursor, context)
        assert writer.cursor(config, context) == cursor
        writer.discard(config, writing.staging, context)
    assert shop.query("SELECT COUNT(*) FROM t") == [["1"]]
    assert shop.query(
        "SELECT table_comment FROM information_schema.tables WHERE table_name='t' AND table_schema=DATABASE()"
    ) == [[""]]


@pytest.mark.parametrize("exists", [True, False])
def test_staging_that_was_emptied_is_staged_again(shop: Shop, exists: bool) -> None:
    if exists:
        shop.query("CREATE TABLE t (id BIGINT, v TEXT)")
    config, writer = {"connection": "@shop", "table": "t"}, MysqlWriter()
    with shop.context() as context:
        writing = writer.prepare(config, (ID, V), context)
        staged = writer.stage(config, writing, flow([ID, V], [{"id": 5, "v": "x"}]), context)
        shop.query(f"DELETE FROM {writing.staging}")
        with pytest.raises(TransientFault):
            writer.publish(config, writing, staged, None, context)
        assert writer.published(config, staged, context) is None
        shop.query(f"DROP TABLE {writing.staging}")
        with pytest.raises(TransientFault):
            writer.publish(config, writing, Staged(1), None, context)


def test_an_empty_flow_makes_an_empty_table(shop: Shop) -> None:
    shop.write([ID, V], [])
    assert shop.read() == []


def test_a_reader_never_sees_half_of_a_replacement(shop: Shop) -> None:
    columns = [ID]
    shop.write(columns, [{"id": n} for n in range(3_000)])
    config, writer = {"connection": "@shop", "table": "t", "write_mode": "replace"}, MysqlWriter()
    import threading

    seen: set[str] = set()
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            seen.add(shop.query("SELECT COUNT(*) FROM t")[0][0])

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        for _ in range(3):
            with shop.context() as context:
                writing = writer.prepare(config, tuple(columns), context)
                staged = writer.stage(
                    config, writing, flow(columns, [{"id": n} for n in range(4_000)]), context
                )
                writer.publish(config, writing, staged, None, context)
    finally:
        done.set()
        watcher.join()
    assert seen <= {"3000", "4000"}


def test_a_server_is_given_no_other_file(shop: Shop, tmp_path: Path) -> None:
    import pymysql

    from dragoman.engine.components.mysql.session import target_in, writing

    secret = tmp_path / "secret"
    secret.write_text("1\n")
    shop.query("CREATE TABLE t (id INT)")
    with (
        shop.context() as context,
        writing(target_in({"connection": "@shop"}, context), context) as connection,
    ):
        connection.offered = str(tmp_path / "other")  # type: ignore[attr-defined]
        with pytest.raises(pymysql.err.OperationalError), connection.cursor() as cursor:
            cursor.execute(f"LOAD DATA LOCAL INFILE '{secret}' INTO TABLE t")
    assert shop.query("SELECT * FROM t") == []
