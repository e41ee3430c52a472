"""Kill -9 at any moment of a run: after it is resumed the target is what it has to be, and never was anything
between before and after."""

import random
import signal
import subprocess
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
    """Look again and again meanwhile, for the first time before the block begins."""
    over = threading.Event()
    seen.add(look())

    def watch() -> None:
        while not over.wait(0.01):
            seen.add(look())

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def file_state(folder: Path) -> str:
    """What stands in the file's place. It is looked at once: it may come between two looks."""
    try:
        content = (folder / "out" / "orders.parquet").read_bytes()
    except FileNotFoundError:
        return "nothing"
    return "whole" if content.startswith(b"PAR1") and content.endswith(b"PAR1") else "a part"


MOMENTS = (
    ("run_begun", ""),
    ("step_begun", "read"),
    ("step_ended", "read"),
    ("step_begun", "write"),
    ("step_begun", "file"),
)
"""What a run says before it has published anything. It is killed at one of these, or some time after."""


def killed_after(process: subprocess.Popen[str], moment: tuple[str, str], pause: float) -> None:
    """Read what the run says until the moment has come, wait a little, and kill the run."""
    kind, step = moment
    assert process.stdout is not None
    for line in process.stdout:
        if f'"kind":"{kind}"' in line and (not step or f'"step":"{step}"' in line):
            break
    else:
        raise AssertionError(f"the run never came to {moment}: {process.communicate()}")
    time.sleep(pause)
    process.send_signal(signal.SIGKILL)
    process.communicate()


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
    for number in range(KILLS):
        (tmp_path / "out" / "orders.parquet").unlink(missing_ok=True)
        move.begin()
        seen: set[object] = set()
        files: set[object] = set()
        run_id = f"kill-{number}"
        with watching(move.content, seen), watching(lambda: file_state(tmp_path), files):
            process = dragoman(tmp_path, "run", "move.verbs", "--yes", "--run-id", run_id)
            # With a pause of up to a whole run every instant of it may be met, and sometimes its end.
            moment = chance.choice(MOMENTS)
            pause = chance.uniform(0, whole) if LONG else 0.0
            killed_after(process, moment, pause)
            known = finished_json(tmp_path, "runs", "list")["runs"]
            if any(run["id"] == run_id for run in known):
                outcome = finished_json(tmp_path, "runs", "resume", run_id)
            else:
                outcome = finished_json(tmp_path, "run", "move.verbs", "--yes", "--run-id", run_id)
        assert outcome["ok"], outcome
        assert move.content() == move.after, f"killed {pause:.3f} s after {moment}"
        assert seen <= {move.before, move.after}
        assert files <= {"nothing", "whole"}
        assert move.leftovers() == []
        again = finished_json(tmp_path, "run", "move.verbs", "--yes", "--run-id", run_id)
        assert again["ok"]
        assert move.content() == move.after


def test_the_next_start_puts_a_killed_run_in_order(
    tmp_path: Path, mariadb_server: MariadbServer, mariadb_database: str, postgres_database: str
) -> None:
    move = Move(tmp_path, mariadb_server, mariadb_database, postgres_database, "append")
    move.begin()
    process = dragoman(tmp_path, "run", "move.verbs", "--yes", "--run-id", "killed")
    killed_after(process, ("step_begun", "write"), 0.0)
    other = '(filesystem.extractor :path "a.csv" :as @a)'
    (tmp_path / "other.verbs").write_text(other, encoding="utf-8")
    (tmp_path / "a.csv").write_text("a\n1\n", encoding="utf-8")
    finished(tmp_path, "run", "other.verbs")
    shown = finished_json(tmp_path, "runs", "show", "killed")["run"]
    assert shown["status"] in ("interrupted", "done")
    assert move.content() == (move.after if shown["status"] == "done" else move.before)
    assert move.leftovers() == []
