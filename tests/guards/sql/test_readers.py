"""The guard and a real server read the same text: what is allowed says on the server what was written."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
import pymysql
import pytest

from dragoman.contracts.schema import Dialect
from dragoman.guards.sql import judge_sql
from tests.guards.sql.test_corpus import mariadb
from tests.servers import MariadbServer

PIECES = (
    *(
        "\\",
        "'",
        "''",
        '"',
        '""',
        "`",
        "n",
        "x41",
        "101",
        "u0041",
        "%",
        "_",
        "$$",
        "$a$",
        "--",
        "/*",
        "*/",
        ";",
        "#",
    ),
    *("é", "я", "\n", "b", " "),
)
TEXTS = 600


def test_postgres_reads_every_text_alike(postgres_database: str) -> None:
    openings = ("'", "E'", "e'", "N'", "$$", "U&'", "b'", "x'")
    with psycopg.connect(postgres_database, autocommit=True) as connection:

        def run(sql: str) -> Sequence[Any]:
            try:
                return connection.execute(sql.encode(), prepare=True).fetchall()
            except psycopg.Error:
                return ["refused"]

        assert_read_alike(Dialect.POSTGRES, openings, run)


def test_mariadb_reads_every_text_alike(mariadb_server: MariadbServer, mariadb_database: str) -> None:
    with mariadb(mariadb_server, mariadb_database) as execute:

        def run(sql: str) -> Sequence[Any]:
            try:
                return execute(sql)
            except pymysql.Error:
                return ["refused"]

        assert_read_alike(Dialect.MYSQL, ("'", '"', "N'", "_utf8mb4'", "x'", "b'"), run)


def assert_read_alike(dialect: Dialect, openings: Sequence[str], run: Callable[[str], Sequence[Any]]) -> None:
    chance = random.Random(7)
    same = 0
    for _ in range(TEXTS):
        opening = chance.choice(openings)
        closing = "$$" if opening == "$$" else opening[-1]
        body = "".join(chance.choice(PIECES) for _ in range(chance.randint(0, 7)))
        sql = f"SELECT {opening}{body}{closing} AS v"
        verdict = judge_sql(sql, dialect)
        if verdict.sql is not None:
            assert run(verdict.sql) == run(sql), (sql, verdict.sql)
            same += 1
    assert same > TEXTS / 4


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT ('PG_VERSION'::text).pg_read_file",
        "SELECT t.pg_read_file FROM unnest(ARRAY['PG_VERSION'::text]) AS t",
    ],
)
def test_a_field_can_call_a_function_in_postgres(postgres_database: str, sql: str) -> None:
    """The reason why fields are judged there: were this to end, the rule could go."""
    with psycopg.connect(postgres_database) as connection:
        [(content,)] = connection.execute(sql.encode()).fetchall()
    assert content.strip().isdigit()
    assert not judge_sql(sql, Dialect.POSTGRES).is_allowed
