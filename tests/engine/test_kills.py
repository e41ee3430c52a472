"""Kill -9 at any moment of a run: after it is resumed the target is what it has to be, and never was anything
between before and after."""

import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.conftest import LONG
from tests.engine.workspaces import dragoman, finished, finished_json, make_workspace
from tests.servers import MariadbServer

ROWS = 30_000
KILLS = 50 if LONG else 1
TRIES = KILLS if LONG else 5
"""Every day one kill has to meet a run that goes on; the first run is the slowest, so it comes earlier."""

PROGRAM = """
(oml.pipeline :name "moved")
(mysql.extractor :connection "@shop" :table "orders" :as @read)
(postgres.writer :needs [@read] :connection "@crm" :table "orders" :write_mode "{mode}"
  {key} :as @write)
(duckdb.writer :needs [@read] :format "parquet" :path "out/orders.parquet" :as @file)
"""


class Move:
    """Orders in MariaDB that go to PostgreSQL, where there are others already."""

    def __init__(self, folder: Path, mariadb: MariadbServer, shop: str, crm: str, mode: str) -> None:
        self.folder, self.crm, self.mode = folder, crm, mode
        mariadb.query(
            "CREATE TABLE orders (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL,"
            " price DECIMAL(12,2), at DATETIME(6));"
            f"INSERT INTO orders SELECT seq, CONCAT('order ', seq), seq / 4, '2020-01-01 10:00:00.000001'"
            f" FROM seq_1_to_{ROWS};",
            shop,
        )
        key = ':primary_key ["id"]' if mode == "upsert" else ""
        program = PROGRAM.format(mode=mode, key=key)
        make_workspace(folder, {"shop": mariadb.url_of(shop), "crm": crm}, {"move.verbs": program})

    def begin(self) -> None:
        """What stands in the target before a run: rows that stay, go, or are overwritten, by the mode."""
        first = {"append": -100, "replace": -100, "upsert": ROWS - 50}[self.mode]
        with psycopg.connect(self.crm) as connection:
            connection.execute("DROP TABLE IF EXISTS orders")
            connection.execute(
                "CREATE TABLE orders (id int PRIMARY KEY, name varchar(40) NOT NULL,"
                " price numeric(12,2), at timestamp)"
            )
            connection.execute(
                "INSERT INTO orders SELECT n, 'old', 1, NULL FROM generate_series(%s::int, %s::int) n",
                (first, first + 99),
            )
        self.before = self.content()

    def content(self) -> tuple[int, int, int]:
        """The number of rows, how many are old ones, and the sum of the ids."""
        with psycopg.connect(self.crm) as connection:
            row = connection.execute(
                "SELECT count(*), count(*) FILTER (WHERE name = 'old'), coalesce(sum(id), 0) FROM orders"
            ).fetchone()
        assert row is not None
        return row[0], row[1], int(row[2])

    @property
    def after(self) -> tuple[int, int, int]:
        whole = ROWS * (ROWS + 1) // 2
        match self.mode:
            case "append":
                return ROWS + 100, 100, whole + self.before[2]
            case "replace":
                return ROWS, 0, whole
            case _:
                return ROWS + 49, 49, whole + sum(range(ROWS + 1, ROWS + 50))

    def leftovers(self) -> list[str]:
        with psycopg.connect(self.crm) as connection:
            rows = connection.execute(
                "SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relname LIKE 'dragoman_stage%'"
            ).fetchall()
        return [row[0] for row in rows] + [str(p) for p in self.folder.glob("out/.*partial*")]


@contextmanager
def watching(look: Callable[[], object], seen: set[object]) -> Iterator[None]:
    """Look again and again, meanwhile."""
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            seen.add(look())
            time.sleep(0.01)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def file_state(folder: Path) -> str:
    file = folder / "out" / "orders.parquet"
    return "whole" if file.exists() and file.read_bytes()[-4:] == b"PAR1" else str(file.exists())


@pytest.mark.timeout(1_500 if LONG else 300)
@pytest.mark.parametrize("mode", ["append", "replace", "upsert"])
def test_a_killed_run_is_finished_as_if_nothing_had_happened(
    tmp_path: Path, mariadb_server: MariadbServer, mariadb_database: str, postgres_database: str, mode: str
) -> None:
    move = Move(tmp_path, mariadb_server, mariadb_database, postgres_database, mode)
    move.begin()
    begun = time.monotonic()
    finished(tmp_path, "run", "move.verbs", "--yes", "--run-id", "calm")
    whole = time.monotonic() - begun
    assert move.content() == move.after
    chance = random.Random(f"{mode}")
    killed = 0
    for number in range(TRIES):
        if killed == KILLS:
            break
        (tmp_path / "out" / "orders.parquet").unlink(missing_ok=True)
        move.begin()
        seen: set[object] = set()
        files: set[object] = set()
        run_id = f"kill-{number}"
        with watching(move.content, seen), watching(lambda: file_state(tmp_path), files):
            process = dragoman(tmp_path, "run", "move.verbs", "--yes", "--run-id", run_id)
            # Most of the moments are between the first row and the last commit.
            latest, sooner = (1.05, 1.0) if LONG else (0.75, 0.8**number)
            moment = whole * chance.uniform(0.45, latest) * sooner
            deadline = time.monotonic() + moment
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.002)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                killed += 1
            process.communicate()
            known = finished_json(tmp_path, "runs", "list")["runs"]
            if any(run["id"] == run_id for run in known):
                outcome = finished_json(tmp_path, "runs", "resume", run_id)
            else:
                outcome = finished_json(tmp_path, "run", "move.verbs", "--yes", "--run-id", run_id)
        assert outcome["ok"], outcome
        assert move.content() == move.after, f"killed after {moment:.3f} s"
        assert seen <= {move.before, move.after}
        assert files <= {"False", "whole"}
        assert move.leftovers() == []
        again = finished_json(tmp_path, "run", "move.verbs", "--yes", "--run-id", run_id)
        assert again["ok"]
        assert move.content() == move.after
    assert killed


def test_the_next_start_puts_a_killed_run_in_order(
    tmp_path: Path, mariadb_server: MariadbServer, mariadb_database: str, postgres_database: str
) -> None:
    move = Move(tmp_path, mariadb_server, mariadb_database, postgres_database, "append")
    move.begin()
    process = dragoman(tmp_path, "run", "move.verbs", "--yes", "--run-id", "killed")
    assert process.stdout is not None
    for line in process.stdout:
        if '"step_begun"' in line and '"write"' in line:
            break
    process.send_signal(signal.SIGKILL)
    process.communicate()
    other = '(filesystem.extractor :path "a.csv" :as @a)'
    (tmp_path / "other.verbs").write_text(other, encoding="utf-8")
    (tmp_path / "a.csv").write_text("a\n1\n", encoding="utf-8")
    finished(tmp_path, "run", "other.verbs")
    shown = finished_json(tmp_path, "runs", "show", "killed")["run"]
    assert shown["status"] in ("interrupted", "done")
    assert move.content() == (move.after if shown["status"] == "done" else move.before)
    assert move.leftovers() == []
