"""`init`, `connections`, `discover`, `pack` and `entities` as a user runs them."""

import json
import sqlite3
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.called import called

HOSTILE = 'a "b" `c`; DROP TABLE x; -- é%'


def dragoman(
    *arguments: str, cwd: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return called(*arguments, cwd=cwd, env=env or {})


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(
        f"""
        CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
        CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id),
                             amount DECIMAL(10,2), placed DATE);
        CREATE TABLE "{HOSTILE.replace('"', '""')}" ("select" TEXT);
        INSERT INTO customers VALUES (1, 'Ann O''Neil', 'IE'), (2, 'Björk', 'IS');
        INSERT INTO orders VALUES (1, 1, 10.50, '2024-01-31');
        """
    )
    connection.close()
    return path


def test_init_makes_a_workspace_in_one_step(shop: Path, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    made = dragoman("init", str(shop), "-w", str(folder), "--json", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    told = json.loads(made.stdout)
    assert (told["connection"], told["tables"], told["variables"]) == ("@shop", 3, [])
    assert {"dragoman.yaml", "connections.yaml", ".gitignore"} <= {each.name for each in folder.iterdir()}
    listed = json.loads(dragoman("connections", "list", "--json", cwd=folder).stdout)
    assert [each["name"] for each in listed["connections"]] == ["@sqlite.shop"]
    healthy = dragoman("connections", "doctor", cwd=folder)
    assert healthy.returncode == 0, healthy.stdout
    schema = json.loads(dragoman("discover", "@shop", "--json", cwd=folder).stdout)
    assert {table["name"] for table in schema["tables"]} == {"customers", "orders", HOSTILE}
    assert "orders" in dragoman("discover", cwd=folder).stdout


def test_init_writes_nothing_when_the_database_cannot_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    failed = dragoman("init", "nowhere.sqlite", "-w", str(folder), cwd=tmp_path)
    assert failed.returncode != 0
    assert not (folder / "connections.yaml").exists()


def test_init_adds_a_second_connection_and_refuses_the_same_name(shop: Path, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    assert dragoman("init", str(shop), "-w", str(folder), cwd=tmp_path).returncode == 0
    again = dragoman("init", str(shop), "-w", str(folder), cwd=tmp_path)
    assert again.returncode == 1
    assert "--alias" in again.stderr
    other = dragoman("init", str(shop), "-w", str(folder), "--alias", "other", cwd=tmp_path)
    assert other.returncode == 0, other.stderr
    listed = json.loads(dragoman("connections", "list", "--json", cwd=folder).stdout)
    assert [each["name"] for each in listed["connections"]] == ["@sqlite.shop", "@sqlite.other"]


def test_a_password_in_the_url_is_used_and_written_nowhere(postgres_database: str, tmp_path: Path) -> None:
    password = urlsplit(postgres_database).password
    assert password
    made = dragoman("init", postgres_database, "-w", "work", "--alias", "pg", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    assert "PG_PASSWORD" in made.stdout
    for path in (tmp_path / "work").rglob("*"):
        assert not path.is_file() or password.encode() not in path.read_bytes()
    assert "${PG_PASSWORD}" in (tmp_path / "work" / "connections.yaml").read_text()
    missing = dragoman("connections", "doctor", cwd=tmp_path / "work")
    assert missing.returncode == 1
    assert "PG_PASSWORD" in missing.stdout
    healthy = dragoman("connections", "doctor", cwd=tmp_path / "work", env={"PG_PASSWORD": password})
    assert healthy.returncode == 0, healthy.stdout


def test_an_unknown_connection_lists_what_there_is(shop: Path, tmp_path: Path) -> None:
    dragoman("init", str(shop), cwd=tmp_path)
    failed = dragoman("discover", "@shp", cwd=tmp_path)
    assert failed.returncode == 1
    assert "@sqlite.shop" in failed.stderr


def test_a_draft_of_a_database_passes_the_check(shop: Path, tmp_path: Path) -> None:
    dragoman("init", str(shop), cwd=tmp_path)
    drafted = dragoman("pack", "draft", "@shop", "--verbs", cwd=tmp_path)
    assert drafted.returncode == 0, drafted.stderr
    (tmp_path / "packs" / "shop.yaml").write_text(drafted.stdout, "utf-8")
    checked = dragoman("pack", "check", "packs/shop.yaml", "--connection", "@shop", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout
    found = json.loads(dragoman("entities", "search", "customer", "bjork", "--json", cwd=tmp_path).stdout)[
        "found"
    ]
    assert found["matches"][0]["display"] == "Björk"


def test_a_faulty_pack_is_shown_with_its_places(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("pack: x\ntitel: {en: X}\n", "utf-8")
    failed = dragoman("pack", "check", "bad.yaml", "--json", cwd=tmp_path)
    assert failed.returncode == 1
    (report,) = json.loads(failed.stdout)
    codes = {(each["code"], each["line"]) for each in report["diagnostics"]}
    assert ("unknown_key", 2) in codes


@pytest.mark.parametrize(
    ("kind", "text", "key", "binds"),
    [
        ("counterparty", "Vega", "305", True),
        ("counterparty", "вега", "305", True),
        ("counterparty", "VEGA PLUS", "306", True),
        ("item", "D-120", "101", True),
        ("item", "oak desk", "101", False),
        ("item", "desk oak 160", "102", False),
        ("organization", "Alpha Trade", "1", False),
    ],
)
def test_entities_are_found_by_what_people_call_them(
    kind: str, text: str, key: str, binds: bool, tmp_path: Path
) -> None:
    found = json.loads(dragoman("entities", "search", kind, text, "--json", cwd=tmp_path).stdout)["found"]
    assert found["matches"][0]["key"] == key
    if binds:
        assert found["bound"]["key"] == key


def test_a_filter_is_hard_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    searched = dragoman(
        "entities", "search", "counterparty", "Vega", "--filter", "role=supplier", "--json", cwd=tmp_path
    )
    matches = json.loads(searched.stdout)["found"].get("matches", [])
    assert all(match["discriminators"]["role"] == "supplier" for match in matches)
    refused = dragoman("entities", "search", "counterparty", "Vega", "--filter", "colour=red", cwd=tmp_path)
    assert refused.returncode == 1
    assert "role" in refused.stderr
