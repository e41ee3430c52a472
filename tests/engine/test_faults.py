"""What a run does when the world around it fails: a line cut, a server gone, a disk that is full."""

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.conftest import LONG
from tests.engine.proxy import proxy_before
from tests.engine.workspaces import dragoman, finished, finished_json, make_workspace
from tests.patience import until
from tests.servers import MariadbServer, PostgresServer, running_mariadb, running_postgres

ROWS = 200_000 if LONG else 60_000
CUTS = [150, 3_000, 200_000, 2_000_000] if LONG else [150, 200_000]
"""After how many bytes the line is cut: while greeting, while planning, while rows flow."""
TO_POSTGRES = """
(mysql.extractor :connection "@shop" :table "orders" :as @read)
(postgres.writer :needs [@read] :connection "@crm" :table "orders" :write_mode "append" :as @write)
"""
TO_FILE = """
(postgres.extractor :connection "@crm" :table "source" :as @read)
(duckdb.writer :needs [@read] :format "csv" :path "out/orders.csv" :as @write)
"""


def fill_mariadb(server: MariadbServer, database: str, rows: int = ROWS) -> None:
    server.query(
        "CREATE TABLE orders (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL, price DECIMAL(12,2));"
        f"INSERT INTO orders SELECT seq, CONCAT('order ', seq), seq / 4 FROM seq_1_to_{rows};",
        database,
    )


def fill_postgres(url: str, rows: int = ROWS) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(
            "CREATE TABLE source AS SELECT n::int AS id, 'order ' || n AS name, n / 4.0 AS price"
            f" FROM generate_series(1, {rows}) n"
        )


def orders(url: str) -> tuple[int, int]:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*), sum(id) FROM orders").fetchone()
    assert row is not None
    return row[0], int(row[1] or 0)


ENDLESS = TO_FILE.replace(
    ':table "source"', ':query "SELECT s.id FROM source s, source t, source u, source v, source w"'
)
WHOLE = (ROWS, ROWS * (ROWS + 1) // 2)


@pytest.mark.parametrize("cut_after", CUTS)
def test_a_cut_line_to_the_source_is_mended(
    tmp_path: Path,
    mariadb_server: MariadbServer,
    mariadb_database: str,
    postgres_database: str,
    cut_after: int,
) -> None:
    fill_mariadb(mariadb_server, mariadb_database)
    with proxy_before(mariadb_server.port, cut_after=cut_after) as proxy:
        shop = mariadb_server.url_of(mariadb_database).replace(f":{mariadb_server.port}/", f":{proxy.port}/")
        make_workspace(tmp_path, {"shop": shop, "crm": postgres_database}, {"move.verbs": TO_POSTGRES})
        outcome = finished_json(tmp_path, "run", "move.verbs", "--yes")
        assert outcome["ok"], outcome["run"]
        assert proxy.cuts == 1
    assert orders(postgres_database) == WHOLE


@pytest.mark.parametrize("cut_after", CUTS)
def test_a_cut_line_to_the_target_is_mended(
    tmp_path: Path,
    mariadb_server: MariadbServer,
    mariadb_database: str,
    postgres_server: PostgresServer,
    postgres_database: str,
    cut_after: int,
) -> None:
    fill_mariadb(mariadb_server, mariadb_database)
    with proxy_before(postgres_server.port, cut_after=cut_after) as proxy:
        crm = postgres_database.replace(f":{postgres_server.port}/", f":{proxy.port}/")
        shop = mariadb_server.url_of(mariadb_database)
        make_workspace(tmp_path, {"shop": shop, "crm": crm}, {"move.verbs": TO_POSTGRES})
        outcome = finished_json(tmp_path, "run", "move.verbs", "--yes")
        assert outcome["ok"], outcome["run"]
        assert proxy.cuts == 1
    assert orders(postgres_database) == WHOLE


@pytest.mark.parametrize("which", ["source", "target"])
def test_a_server_that_is_away_for_a_while_is_waited_for(tmp_path: Path, which: str) -> None:
    with running_mariadb() as mariadb, running_postgres() as postgres:
        mariadb.query("CREATE DATABASE shop")
        fill_mariadb(mariadb, "shop")
        make_workspace(
            tmp_path, {"shop": mariadb.url_of("shop"), "crm": postgres.url}, {"move.verbs": TO_POSTGRES}
        )
        process = dragoman(tmp_path, "run", "move.verbs", "--yes", "--run-id", "mine")
        assert process.stdout is not None
        seen = []
        for line in process.stdout:
            seen.append(line)
            if '"step_begun"' in line and '"read"' in line:
                break
        server = mariadb if which == "source" else postgres
        assert server.restart is not None
        server.restart(0.5)
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, f"{seen}{out}{err}"
        assert orders(postgres.url) == WHOLE


def test_a_full_disk_leaves_no_file_and_says_so(
    tmp_path: Path, postgres_database: str, small_disk: Callable[[str], Path]
) -> None:
    fill_postgres(postgres_database)
    folder = small_disk("2m")
    make_workspace(folder, {"crm": postgres_database}, {"move.verbs": TO_FILE})
    outcome = finished_json(folder, "run", "move.verbs", "--yes", code=1)
    assert outcome["run"]["fault"]["code"] == "disk_full", outcome["run"]
    assert list((folder / "out").iterdir()) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """A real file system of a given size."""
    folder = tmp_path / "small"
    folder.mkdir()

    def mounted(size: str) -> Path:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
        return folder

    yield mounted
    subprocess.run(["umount", "-l", str(folder)], check=False, capture_output=True)


def test_another_process_cancels_a_run(tmp_path: Path, postgres_database: str) -> None:
    fill_postgres(postgres_database, 300)
    make_workspace(tmp_path, {"crm": postgres_database}, {"slow.verbs": ENDLESS})
    process = dragoman(tmp_path, "run", "slow.verbs", "--yes", "--run-id", "slow")
    lines = _until_reading(process, postgres_database)
    begun = time.monotonic()
    finished(tmp_path, "runs", "cancel", "slow")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, f"{lines}{out}{err}"
    assert time.monotonic() - begun < 60
    assert finished_json(tmp_path, "runs", "show", "slow")["run"]["status"] == "cancelled"
    assert list((tmp_path / "out").glob("*")) == []
    until(lambda: _queries_of(postgres_database) == 0, "the server stops reading")


def test_ctrl_c_stops_a_run(tmp_path: Path, postgres_database: str) -> None:
    fill_postgres(postgres_database, 300)
    make_workspace(tmp_path, {"crm": postgres_database}, {"slow.verbs": ENDLESS})
    process = dragoman(tmp_path, "run", "slow.verbs", "--yes", "--run-id", "slow")
    _until_reading(process, postgres_database)
    process.send_signal(2)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert finished_json(tmp_path, "runs", "show", "slow")["run"]["status"] in ("cancelled", "interrupted")


def _until_reading(process: subprocess.Popen[str], url: str) -> list[str]:
    """What the run has printed when the server is at work for it."""
    assert process.stdout is not None
    seen = []
    for line in process.stdout:
        seen.append(line)
        if '"step_begun"' in line and '"read"' in line:
            break
    # Everything it prints from now on is taken by who waits for its end.
    until(lambda: _queries_of(url) > 0, "the server reads")
    return seen


def _queries_of(url: str) -> int:
    """How many queries of others run."""
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()"
            " AND datname = current_database()"
        ).fetchone()
    assert row is not None
    return int(row[0])
