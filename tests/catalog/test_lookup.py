"""The one lookup: rows, recount and evidence for any read verb, and a stop from another thread."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import Found, look_up
from dragoman.contracts.answer import CellType, Figure
from dragoman.contracts.errors import QueryCancelled, RunFailed
from dragoman.contracts.program import Statement
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.schema import Dialect
from dragoman.databases.access import Cancellation
from dragoman.language.source import Source as Text
from dragoman.language.verbs.verb_reader import read_verbs
from tests.databases.access.conftest import DIALECTS, source_of
from tests.databases.access.sources import Source
from tests.databases.access.test_limits import still_running
from tests.engine.workspaces import make_workspace, said
from tests.servers import MariadbServer

PATIENCE: Final = 60.0
"""No wait of a test is longer, however busy the machine is."""

TABLE: Final = """
CREATE TABLE sold (id INTEGER PRIMARY KEY, currency VARCHAR(3), cents INTEGER);
INSERT INTO sold VALUES (1, 'EUR', 1250), (2, 'EUR', 5), (3, 'EUR', NULL);
CREATE VIEW wide AS SELECT 1 AS n;
"""
FOREVER: Final = {
    Dialect.POSTGRES: "SELECT n::integer AS n FROM generate_series(1, 100000000000) AS series(n) WHERE n < 0",
    Dialect.MYSQL: "SELECT SLEEP(600) AS n",
    Dialect.SQLITE: "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT n FROM r WHERE n<0",
    Dialect.DUCKDB: "SELECT a.range AS n FROM range(1000000) a, range(1000000) b WHERE a.range * b.range < 0",
}
PACK: Final = """\
pack: shop
title: {en: Shop}
dialect: sqlite
verbs:
  shop.sold:
    title: {en: Sold}
    columns:
      - {name: id, type: integer}
      - {name: currency}
      - {name: amount, type: decimal, scale: 2, places: 2}
    sql: SELECT id AS id, currency AS currency, cents AS amount FROM sold ORDER BY id
  shop.wide:
    title: {en: Wide}
    columns: [{name: n, type: integer}]
    sql: SELECT n AS n FROM wide
"""


class Observed(Cancellation):
    """A cancellation that tells how often it was looked at, and how many reads wait for it."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0
        self.readers = 0

    @property
    def cancelled(self) -> bool:
        self.looks += 1
        return super().cancelled

    @contextmanager
    def told_to(self, listener: Callable[[], None]) -> Iterator[None]:
        self.readers += 1
        with super().told_to(listener):
            yield


class Shop:
    """A discovered workspace over one database, with a pack; and what else can be done to the database."""

    def __init__(self, source: Source, folder: Path) -> None:
        self.source = source
        self.catalog = Catalog(folder)
        self.family = source.dialect.value

    def look_up(
        self, text: str, limits: ReadLimits | None = None, cancel: Cancellation | None = None
    ) -> Found:
        asked = limits or ReadLimits(seconds=600.0)
        return look_up(self.catalog, statement(text), "run", limits=asked, cancel=cancel)

    def become_slow(self) -> None:
        """The view that was quick when it was discovered has no end now."""
        self.source.run(f"DROP VIEW wide; CREATE VIEW wide AS {FOREVER[self.source.dialect]};")


def statement(text: str) -> Statement:
    return read_verbs(Text(text)).statements[0]


@pytest.fixture(params=DIALECTS)
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Shop:
    source = source_of(request.param, request, tmp_path)
    source.run(TABLE)
    make_workspace(tmp_path, {"shop": _url(source, request)}, {})
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / "shop.yaml").write_text(PACK)
    said(tmp_path, "discover", "@shop", "--json")
    return Shop(source, tmp_path)


def _url(source: Source, request: pytest.FixtureRequest) -> str:
    match source.dialect:
        case Dialect.POSTGRES:
            return str(request.getfixturevalue("postgres_database"))
        case Dialect.MYSQL:
            server: MariadbServer = request.getfixturevalue("mariadb_server")
            return server.url_of(request.getfixturevalue("mariadb_database"))
        case _:
            return str(source.target.path)  # type: ignore[attr-defined]


def test_a_verb_of_a_pack_has_exact_amounts_and_their_sum(shop: Shop) -> None:
    found = shop.look_up("(shop.sold)")
    assert [(c.name, c.type) for c in found.columns] == [
        ("id", CellType.INTEGER),
        ("currency", CellType.TEXT),
        ("amount", CellType.DECIMAL),
    ]
    assert found.rows == ((1, "EUR", "12.50"), (2, "EUR", "0.05"), (3, "EUR", None))
    assert found.figures == (Figure("amount", "12.55"),)
    assert found.checked
    name = f"@{shop.family}.shop#run"
    assert [(item.ref, item.confidence) for item in found.evidence] == [
        (name, 1.0),
        (f"{name}/recount", 1.0),
    ]
    assert found.evidence[1].snippet == "recounted 3 rows"


def test_amounts_of_two_units_are_not_added(shop: Shop) -> None:
    shop.source.run("UPDATE sold SET currency = 'USD' WHERE id = 2;")
    found = shop.look_up("(shop.sold)")
    assert found.figures == ()
    assert found.checked


def test_a_verb_of_a_table_has_the_rows_as_they_are(shop: Shop) -> None:
    found = shop.look_up('(sold.list :currency "EUR" :order "id")')
    assert found.rows == ((1, "EUR", 1250), (2, "EUR", 5), (3, "EUR", None))
    assert [column.type for column in found.columns] == [CellType.INTEGER, CellType.TEXT, CellType.INTEGER]
    assert (found.figures, found.checked, found.truncated) == ((), True, False)
    assert found.evidence[1].snippet == "recounted 3 rows"


def test_too_many_rows_are_cut_for_a_table_and_refused_for_a_pack(shop: Shop) -> None:
    few = ReadLimits(rows=2)
    found = shop.look_up("(sold.list)", few)
    assert (len(found.rows), found.truncated, found.checked) == (2, True, False)
    with pytest.raises(RunFailed, match="more than 2 rows"):
        shop.look_up("(shop.sold)", few)


@pytest.mark.parametrize("text", ["(wide.list)", "(shop.wide)"])
def test_a_running_lookup_is_stopped_from_another_thread(shop: Shop, text: str) -> None:
    shop.become_slow()
    cancel = Observed()
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(shop.look_up, text, None, cancel)
        try:
            worker = _wait_until_it_runs(shop.source, cancel)
            assert not running.done()
        finally:
            cancel.cancel()
        with pytest.raises(QueryCancelled):
            running.result(PATIENCE)
    _wait_until(lambda: still_running(shop.source) == 0)
    assert worker is None or not Path(f"/proc/{worker}").exists()
    with pytest.raises(QueryCancelled):
        shop.look_up("(sold.list)", cancel=cancel)


def _wait_until_it_runs(source: Source, cancel: Observed) -> int | None:
    """Until the server says that it works on the query. An embedded database has none: SQLite asks between
    its steps whether to go on, and DuckDB's process, which is returned, burns time after it was asked."""
    match source.dialect:
        case Dialect.POSTGRES | Dialect.MYSQL:
            _wait_until(lambda: still_running(source) == 1)
        case Dialect.SQLITE:
            _wait_until(lambda: cancel.looks > 100)
        case Dialect.DUCKDB:
            # It is told first while its process starts, then while the query runs.
            _wait_until(lambda: cancel.readers == 2)
            (worker,) = _children("families.duckdb")
            begun = _ticks(worker)
            _wait_until(lambda: _ticks(worker) > begun + 20)
            return worker
    return None


def _wait_until(holds: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(int(PATIENCE / 0.02)):
        if holds():
            return
        pause.wait(0.02)
    raise AssertionError("it did not come to it")


def _children(module: str) -> list[int]:
    """The processes of ours that run a module."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_text()
        except OSError:
            continue
        if parent == os.getpid() and module in command:
            found.append(int(folder.name))
    return found


def _ticks(process: int) -> int:
    """How long a process has used a processor."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
