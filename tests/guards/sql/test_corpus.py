"""No attack passes, no honest query is refused, and what runs instead of it gives the same rows."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import duckdb
import psycopg
import pymysql
import pytest

from dragoman.contracts.schema import Dialect
from dragoman.guards.sql import SqlDecision, judge_sql
from tests.guards.sql.corpus import Attack, Legitimate, attacks, legitimate, tables_sql
from tests.servers import MariadbServer

Run = Callable[[str], Sequence[Any]]

ATTACKS = [(dialect, attack) for dialect in Dialect for attack in attacks(dialect)]
LEGITIMATE = [(dialect, query) for dialect in Dialect for query in legitimate(dialect)]


def test_the_corpus_is_large_enough() -> None:
    assert len({(dialect, attack.sql, attack.tables) for dialect, attack in ATTACKS}) >= 120
    assert len({(dialect, query.sql) for dialect, query in LEGITIMATE}) >= 120
    for dialect in Dialect:
        assert len(attacks(dialect)) >= 30
        assert len(legitimate(dialect)) >= 30


@pytest.mark.parametrize(("dialect", "attack"), ATTACKS, ids=lambda value: getattr(value, "sql", value)[:60])
def test_no_attack_passes(dialect: Dialect, attack: Attack) -> None:
    for row_limit in (None, 100):
        verdict = judge_sql(attack.sql, dialect, allowed_tables=attack.tables, row_limit=row_limit)
        assert verdict.verdict is SqlDecision.DENY, verdict.sql
        assert verdict.sql is None
        assert verdict.code is not None
        assert verdict.reason


@pytest.mark.parametrize(
    ("dialect", "query"), LEGITIMATE, ids=lambda value: getattr(value, "sql", value)[:60]
)
def test_no_honest_query_is_refused(dialect: Dialect, query: Legitimate) -> None:
    verdict = judge_sql(query.sql, dialect, allowed_tables=query.tables)
    assert verdict.is_allowed, verdict.reason
    assert verdict.code is None
    again = judge_sql(verdict.sql or "", dialect, allowed_tables=query.tables)
    assert again.sql == verdict.sql


def test_sqlite_gives_the_same_rows() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(tables_sql(Dialect.SQLITE))
        same_rows(Dialect.SQLITE, lambda sql: connection.execute(sql).fetchall())


def test_duckdb_gives_the_same_rows() -> None:
    with closing(duckdb.connect()) as connection:
        connection.execute(tables_sql(Dialect.DUCKDB))
        same_rows(Dialect.DUCKDB, lambda sql: connection.execute(sql).fetchall())


def test_postgres_gives_the_same_rows(postgres_database: str) -> None:
    with psycopg.connect(postgres_database, autocommit=True) as connection:
        connection.execute(tables_sql(Dialect.POSTGRES).encode())
        same_rows(Dialect.POSTGRES, lambda sql: connection.execute(sql.encode()).fetchall())


def test_mariadb_gives_the_same_rows(mariadb_server: MariadbServer, mariadb_database: str) -> None:
    mariadb_server.query(tables_sql(Dialect.MYSQL), mariadb_database)
    with mariadb(mariadb_server, mariadb_database) as run:
        same_rows(Dialect.MYSQL, run)


@contextmanager
def mariadb(server: MariadbServer, database: str) -> Iterator[Run]:
    with (
        closing(
            pymysql.connect(
                host=server.host,
                port=server.port,
                user=server.user,
                password=server.password,
                database=database,
                charset="utf8mb4",
            )
        ) as connection,
        connection.cursor() as cursor,
    ):

        def run(sql: str) -> Sequence[Any]:
            cursor.execute(sql)
            return cursor.fetchall()

        yield run


def same_rows(dialect: Dialect, run: Run) -> None:
    ran = 0
    for query in legitimate(dialect):
        if not query.run:
            continue
        expected = sorted(map(repr, run(query.sql)))
        for row_limit in (None, 1_000):
            verdict = judge_sql(query.sql, dialect, allowed_tables=query.tables, row_limit=row_limit)
            assert verdict.sql is not None, verdict.reason
            assert sorted(map(repr, run(verdict.sql))) == expected, verdict.sql
        for row_limit in (0, 1, 2):
            limited = judge_sql(query.sql, dialect, row_limit=row_limit)
            assert limited.sql is not None, limited.reason
            assert len(run(limited.sql)) == min(row_limit, len(expected)), limited.sql
        ran += 1
    assert ran >= 30
