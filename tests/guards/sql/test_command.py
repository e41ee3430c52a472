"""`dragoman guard sql` as a user runs it."""

import json
from pathlib import Path

import pytest

from tests.guards.test_commands import batch, dragoman


def test_what_would_run_is_printed() -> None:
    done = dragoman("guard", "sql", stdin="select a, b from t -- a note\n")
    assert (done.returncode, done.stdout) == (0, "SELECT a, b FROM t\n")


def test_a_refusal_has_a_code_and_a_reason() -> None:
    done = dragoman("guard", "sql", "--dialect", "mysql", stdin="select sleep(5)")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "deny [function_not_allowed]: the function sleep is not allowed\n"


def test_a_file_and_the_tables_that_may_be_read(tmp_path: Path) -> None:
    file = tmp_path / "query.sql"
    file.write_text("SELECT 1 FROM users JOIN orders USING (id)", encoding="utf-8")
    assert dragoman("guard", "sql", str(file), "--tables", "users, orders").returncode == 0
    assert dragoman("guard", "sql", str(file), "--tables", "users").returncode == 1
    assert dragoman("guard", "sql", str(file), "--tables", "").returncode == 1
    assert dragoman("guard", "sql", str(file)).returncode == 0


def test_json_has_the_shape_of_a_batch() -> None:
    done = dragoman("guard", "sql", "--json", stdin="SELECT 1")
    shown = json.loads(done.stdout)
    assert shown == {
        "verdict": "allow",
        "code": None,
        "reason": "the query only reads what it may",
        "sql": "SELECT 1",
    }


def test_a_batch_of_queries() -> None:
    verdicts = batch(
        ["guard", "sql"],
        [
            {"id": 1, "dialect": "sqlite", "sql": "select a from t"},
            {"id": 2, "dialect": "sqlite", "sql": "select a from t", "allowed_tables": []},
            {"id": 3, "dialect": "sqlite", "sql": "select a from t", "allowed_tables": ["T"]},
            {"id": 4, "dialect": "sqlite", "sql": "select 1", "allowed_tables": None},
            {"id": 5, "dialect": "duckdb", "sql": "from 'x.csv'"},
        ],
    )
    assert [(each["id"], each["verdict"], each["code"], each["sql"]) for each in verdicts] == [
        (1, "allow", None, "SELECT a FROM t"),
        (2, "deny", "table_not_allowed", None),
        (3, "allow", None, "SELECT a FROM t"),
        (4, "allow", None, "SELECT 1"),
        (5, "deny", "file_as_table", None),
    ]
    assert all(each["reason"] for each in verdicts)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"id": 1, "dialect": "oracle", "sql": "SELECT 1"}, "invalid_field"),
        ({"id": 1, "dialect": "Postgres", "sql": "SELECT 1"}, "invalid_field"),
        ({"id": 1, "dialect": 3, "sql": "SELECT 1"}, "invalid_field"),
        ({"id": 1, "sql": "SELECT 1"}, "missing_field"),
        ({"id": 1, "dialect": "mysql"}, "missing_field"),
        ({"id": 1, "dialect": "mysql", "sql": None}, "invalid_field"),
        ({"id": 1, "dialect": "mysql", "sql": "SELECT 1", "allowed_tables": "t"}, "invalid_field"),
        ({"id": 1, "dialect": "mysql", "sql": "SELECT 1", "allowed_tables": [1]}, "invalid_field"),
    ],
)
def test_a_line_that_cannot_be_judged(line: dict[str, object], code: str) -> None:
    [verdict] = batch(["guard", "sql"], [line])
    assert (verdict["ok"], verdict["code"]) == (False, code)
