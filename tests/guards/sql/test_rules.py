"""The rules one by one: limits, names, scopes, texts that two readers read differently, sizes."""

import subprocess
import sys
import time
from typing import Any

import pytest

from dragoman.contracts.schema import Dialect
from dragoman.guards.sql import Functions, SqlCode, judge_sql, why_not_condition, why_not_read_only
from dragoman.guards.sql.policy import policy_of

POSTGRES, MYSQL, SQLITE, DUCKDB = Dialect.POSTGRES, Dialect.MYSQL, Dialect.SQLITE, Dialect.DUCKDB


def allowed(sql: str, dialect: Dialect = POSTGRES, **options: Any) -> str:
    verdict = judge_sql(sql, dialect, **options)
    assert verdict.sql is not None, verdict.reason
    return verdict.sql


def code(sql: str, dialect: Dialect = POSTGRES, **options: Any) -> SqlCode | None:
    return judge_sql(sql, dialect, **options).code


@pytest.mark.parametrize(
    ("dialect", "sql", "limited"),
    [
        (POSTGRES, "SELECT a FROM t", "SELECT a FROM t LIMIT 5"),
        (POSTGRES, "SELECT a FROM t;", "SELECT a FROM t LIMIT 5"),
        (POSTGRES, "SELECT a FROM t LIMIT 3", "SELECT a FROM t LIMIT 3"),
        (POSTGRES, "SELECT a FROM t LIMIT 0", "SELECT a FROM t LIMIT 0"),
        (POSTGRES, "SELECT a FROM t LIMIT 50 OFFSET 7", "SELECT a FROM t LIMIT 5 OFFSET 7"),
        (POSTGRES, "SELECT a FROM t OFFSET 7", "SELECT a FROM t LIMIT 5 OFFSET 7"),
        (POSTGRES, "SELECT a FROM t LIMIT ALL", "SELECT a FROM t LIMIT 5"),
        (POSTGRES, "SELECT a FROM t LIMIT NULL", "SELECT a FROM t LIMIT 5"),
        (POSTGRES, "SELECT a FROM t LIMIT $1", "SELECT a FROM t LIMIT LEAST($1, 5)"),
        (POSTGRES, "SELECT a FROM t LIMIT 10 * 10", "SELECT a FROM t LIMIT LEAST(10 * 10, 5)"),
        (POSTGRES, "SELECT a FROM t FETCH FIRST 50 ROWS ONLY", "SELECT a FROM t FETCH FIRST 5 ROWS ONLY"),
        (POSTGRES, "SELECT a FROM t FETCH FIRST 2 ROWS ONLY", "SELECT a FROM t FETCH FIRST 2 ROWS ONLY"),
        (
            POSTGRES,
            "SELECT a FROM t ORDER BY a FETCH FIRST 2 ROWS WITH TIES",
            "SELECT * FROM (SELECT a FROM t ORDER BY a FETCH FIRST 2 ROWS WITH TIES) AS rows_shown LIMIT 5",
        ),
        (POSTGRES, "SELECT a FROM t UNION SELECT b FROM u", "SELECT a FROM t UNION SELECT b FROM u LIMIT 5"),
        (
            POSTGRES,
            "(SELECT a FROM t LIMIT 9) UNION ALL (SELECT b FROM u LIMIT 9)",
            "(SELECT a FROM t LIMIT 9) UNION ALL (SELECT b FROM u LIMIT 9) LIMIT 5",
        ),
        (POSTGRES, "((SELECT a FROM t))", "SELECT a FROM t LIMIT 5"),
        (
            POSTGRES,
            "SELECT * FROM (SELECT a FROM t LIMIT 9) AS x",
            "SELECT * FROM (SELECT a FROM t LIMIT 9) AS x LIMIT 5",
        ),
        (POSTGRES, "VALUES (1), (2)", "SELECT * FROM (VALUES (1), (2)) AS rows_shown LIMIT 5"),
        (
            POSTGRES,
            "WITH x AS (SELECT a FROM t LIMIT 9) SELECT * FROM x",
            "WITH x AS (SELECT a FROM t LIMIT 9) SELECT * FROM x LIMIT 5",
        ),
        (SQLITE, "SELECT a FROM t LIMIT -1", "SELECT a FROM t LIMIT 5"),
        (SQLITE, "SELECT a FROM t LIMIT ?", "SELECT a FROM t LIMIT MIN((?) & 9223372036854775807, 5)"),
        (MYSQL, "SELECT a FROM t LIMIT 3, 50", "SELECT a FROM t LIMIT 5 OFFSET 3"),
        (MYSQL, "SELECT a FROM t LIMIT ?", "(SELECT a FROM t LIMIT ?) LIMIT 5"),
        (DUCKDB, "FROM t", "SELECT * FROM t LIMIT 5"),
        (
            DUCKDB,
            "SELECT a FROM t LIMIT 10%",
            "SELECT * FROM (SELECT a FROM t LIMIT 10 PERCENT) AS rows_shown LIMIT 5",
        ),
    ],
)
def test_a_limit_is_put_in_and_never_raised(dialect: Dialect, sql: str, limited: str) -> None:
    assert allowed(sql, dialect, row_limit=5) == limited
    assert allowed(limited, dialect, row_limit=5) == limited


@pytest.mark.parametrize(
    ("dialect", "tables", "sql"),
    [
        (POSTGRES, ["users"], "SELECT 1 FROM USERS"),
        (POSTGRES, ["users"], 'SELECT 1 FROM public."users"'),
        (POSTGRES, ["public.users"], "SELECT 1 FROM users"),
        (POSTGRES, ["Users"], 'SELECT 1 FROM "Users"'),
        (POSTGRES, ['"a.b"'], 'SELECT 1 FROM "a.b"'),
        (POSTGRES, ["sales.orders"], "SELECT 1 FROM Sales.Orders"),
        (POSTGRES, ["pg_catalog.pg_class"], "SELECT 1 FROM pg_catalog.pg_class"),
        (POSTGRES, ["information_schema.tables"], "SELECT 1 FROM information_schema.tables"),
        (POSTGRES, [], "SELECT 1"),
        (POSTGRES, [], "WITH x AS (SELECT 1) SELECT * FROM x"),
        (POSTGRES, ["t"], "SELECT 1 FROM t, LATERAL (SELECT t.a) AS u"),
        (MYSQL, ["shop.users"], "SELECT 1 FROM `shop`.`users`"),
        (SQLITE, ["users"], "SELECT 1 FROM main.Users"),
        (SQLITE, ["sqlite_master"], "SELECT name FROM sqlite_master"),
        (DUCKDB, ["Users"], "SELECT 1 FROM users"),
        (DUCKDB, ["db.main.users"], "SELECT 1 FROM db.main.users"),
        (DUCKDB, ["sales.csv"], 'SELECT 1 FROM "sales.csv"'),
        (SQLITE, [], "WITH n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT * FROM n LIMIT 3"),
        (
            MYSQL,
            [],
            "WITH RECURSIVE n AS (SELECT 1 UNION ALL SELECT 2 FROM n UNION ALL SELECT 3 FROM n) SELECT 1",
        ),
        (POSTGRES, [], "WITH a AS (SELECT 1), b AS (SELECT * FROM a) SELECT (SELECT count(*) FROM a) FROM b"),
    ],
)
def test_a_table_that_may_be_read(dialect: Dialect, tables: list[str], sql: str) -> None:
    assert code(sql, dialect, allowed_tables=tables) is None


@pytest.mark.parametrize(
    ("dialect", "tables", "sql", "expected"),
    [
        (POSTGRES, ["users"], 'SELECT 1 FROM "Users"', SqlCode.TABLE),
        (POSTGRES, ["users"], "SELECT 1 FROM other.users", SqlCode.TABLE),
        (POSTGRES, ["users"], "SELECT 1 FROM db.public.users", SqlCode.TABLE),
        (POSTGRES, ["users"], "SELECT 1 FROM pg_catalog.users", SqlCode.SYSTEM_CATALOG),
        (POSTGRES, ["users"], "SELECT 1 FROM information_schema.users", SqlCode.SYSTEM_CATALOG),
        (POSTGRES, ["sales.orders"], "SELECT 1 FROM orders", SqlCode.TABLE),
        (POSTGRES, [], "SELECT 1 FROM users", SqlCode.TABLE),
        (POSTGRES, ["u" * 63], f"SELECT 1 FROM {'u' * 62}", SqlCode.TABLE),
        (MYSQL, ["users"], "SELECT 1 FROM Users", SqlCode.TABLE),
        (MYSQL, ["users"], "SELECT 1 FROM mysql.users", SqlCode.SYSTEM_CATALOG),
        (MYSQL, ["shop.users"], "SELECT 1 FROM users", SqlCode.TABLE),
        (SQLITE, ["users"], "SELECT 1 FROM temp.users", SqlCode.SYSTEM_CATALOG),
        (SQLITE, ["users"], "SELECT 1 FROM attached.users", SqlCode.TABLE),
        (DUCKDB, ["users"], "SELECT 1 FROM other.main.users", SqlCode.TABLE),
        (DUCKDB, ["users"], "SELECT 1 FROM temp.users", SqlCode.SYSTEM_CATALOG),
        # A name of WITH is known after it, in the same WITH and below, and nowhere else.
        (POSTGRES, [], "WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a", SqlCode.TABLE),
        (POSTGRES, [], "SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) AS x, a", SqlCode.TABLE),
        (
            POSTGRES,
            [],
            "SELECT (WITH a AS (SELECT 1 AS n) SELECT n FROM a), (SELECT 1 FROM a)",
            SqlCode.TABLE,
        ),
        (POSTGRES, [], "WITH a AS (SELECT 1) SELECT * FROM public.a", SqlCode.TABLE),
        (POSTGRES, [], "WITH RECURSIVE a AS (SELECT * FROM a) SELECT * FROM a", SqlCode.TABLE),
        (
            DUCKDB,
            [],
            "WITH RECURSIVE a AS (SELECT * FROM a UNION SELECT * FROM a) SELECT * FROM a",
            SqlCode.TABLE,
        ),
        (MYSQL, [], "WITH a AS (SELECT 1) SELECT * FROM A", SqlCode.TABLE),
    ],
)
def test_a_table_that_may_not_be_read(
    dialect: Dialect, tables: list[str], sql: str, expected: SqlCode
) -> None:
    verdict = judge_sql(sql, dialect, allowed_tables=tables)
    assert verdict.code is expected
    assert verdict.sql is None


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        (POSTGRES, "", SqlCode.EMPTY),
        (POSTGRES, " ;; ", SqlCode.NOT_A_QUERY),
        (POSTGRES, "-- nothing", SqlCode.EMPTY),
        (POSTGRES, "SELECT 'a\0b'", SqlCode.CHARACTER),
        (POSTGRES, "SELECT '\ud800'", SqlCode.CHARACTER),
        (POSTGRES, "SELECT\u00a01", SqlCode.CHARACTER),
        (POSTGRES, "SELECT\u20031", SqlCode.CHARACTER),
        (POSTGRES, "SELECT 1 AS a\u200bb", SqlCode.CHARACTER),
        (POSTGRES, "SELECT 1 -- \u2028 , pg_sleep(1)", SqlCode.CHARACTER),
        (POSTGRES, "SELECT 1 AS “a”", SqlCode.CHARACTER),
        (POSTGRES, "SELECT 1 -- a\r, 2", SqlCode.TWO_READINGS),
        (POSTGRES, "SELECT 1 /* a /* b */ */", SqlCode.TWO_READINGS),
        (POSTGRES, "SELECT U&'\\0061'", SqlCode.TWO_READINGS),
        (MYSQL, "SELECT '\\0'", SqlCode.CHARACTER),
        (MYSQL, "SELECT 1 FROM 1e1x", SqlCode.TWO_READINGS),
        (POSTGRES, "SELECT 'unfinished", SqlCode.UNREADABLE),
        (POSTGRES, "SELECT FROM WHERE", SqlCode.UNREADABLE),
        (POSTGRES, f"SELECT '{'x' * 100_001}'", SqlCode.TOO_LONG),
        (POSTGRES, "SELECT " + "(" * 41 + "1" + ")" * 41, SqlCode.TOO_DEEP),
        (POSTGRES, "SELECT " + "- " * 500 + "1", SqlCode.TOO_DEEP),
        (POSTGRES, "SELECT a" + "::int" * 500, SqlCode.TOO_DEEP),
        (POSTGRES, "SELECT a" + "[1]" * 500, SqlCode.TOO_DEEP),
        (POSTGRES, "SELECT " + "case when " * 100 + "a" + " then 1 end" * 100, SqlCode.TOO_DEEP),
        (POSTGRES, "SELECT * FROM t" + " JOIN t ON true" * 21, SqlCode.TOO_MANY_JOINS),
        (POSTGRES, "SELECT * FROM t" + ", t" * 21, SqlCode.TOO_MANY_JOINS),
        (POSTGRES, " UNION ".join(["SELECT 1"] * 52), SqlCode.TOO_MANY_SET_OPERATIONS),
        (
            POSTGRES,
            "WITH " + ", ".join(f"c{n} AS (SELECT 1)" for n in range(51)) + " SELECT 1",
            SqlCode.TOO_MANY_CTES,
        ),
        (POSTGRES, "SELECT " + ",".join(["1"] * 10_001), SqlCode.TOO_COMPLEX),
        (POSTGRES, "SELECT * FROM a" + " JOIN a" * 12, SqlCode.TOO_COMPLEX),
    ],
)
def test_texts_that_are_refused(dialect: Dialect, sql: str, expected: SqlCode) -> None:
    before = time.process_time()
    assert code(sql, dialect) is expected
    assert time.process_time() - before < 2


@pytest.mark.parametrize("given", [None, 1, b"SELECT 1", ["SELECT 1"]])
def test_what_is_no_text_is_refused(given: Any) -> None:
    assert judge_sql(given, POSTGRES).code is SqlCode.NOT_TEXT


@pytest.mark.parametrize(
    ("dialect", "sql", "written"),
    [
        (POSTGRES, "select a -- note\n from t /* other */;", "SELECT a FROM t"),
        (POSTGRES, "SELECT 'it''s', $$it's$$, E'\\''", "SELECT 'it''s', 'it''s', e''''"),
        (MYSQL, "SELECT 'a\\'b', \"c'd\", 'e\\\\'", "SELECT 'a''b', 'c''d', 'e\\\\'"),
        (MYSQL, "SELECT a FROM t WHERE b REGEXP '^x'", "SELECT a FROM t WHERE b REGEXP '^x'"),
        (
            MYSQL,
            "SELECT a FROM t WHERE b = %s AND c = %(n)s AND d % s",
            "SELECT a FROM t WHERE b = ? AND c = :n AND d % s",
        ),
        (POSTGRES, "SELECT a FROM t WHERE b = %s AND c = :n", "SELECT a FROM t WHERE b = %s AND c = %(n)s"),
        (
            POSTGRES,
            "SELECT to_hex(a), date_part('year', b) FROM t",
            "SELECT to_hex(a), date_part('year', b) FROM t",
        ),
        (SQLITE, "SELECT [a b], `c` FROM t", 'SELECT "a b", "c" FROM t'),
        (MYSQL, "SELECT /*+ INDEX(t i) */ a FROM t", "SELECT a FROM t"),
    ],
)
def test_what_runs_is_written_anew(dialect: Dialect, sql: str, written: str) -> None:
    assert allowed(sql, dialect) == written


@pytest.mark.parametrize("dialect", list(Dialect))
def test_long_honest_queries_pass(dialect: Dialect) -> None:
    numbers = ", ".join(map(str, range(5_000)))
    assert code(f"SELECT a FROM t WHERE a IN ({numbers})", dialect) is None
    assert code("SELECT a FROM t WHERE " + " OR ".join(f"a = {n}" for n in range(400)), dialect) is None
    assert code("SELECT " + " + ".join(["a"] * 400) + " FROM t", dialect) is None
    joins = " ".join(f"LEFT JOIN t{n} ON t{n}.id = t.id" for n in range(20))
    assert code(f"SELECT 1 FROM t {joins}", dialect) is None


def test_the_functions_can_be_given() -> None:
    known = policy_of(POSTGRES).functions
    more = Functions(known.names | {"my_score"}, known.tables | {"my_rows"})
    assert code("SELECT my_score(a) FROM my_rows(1) AS t", functions=more) is None
    assert code("SELECT my_score(a) FROM t") is SqlCode.FUNCTION
    none = Functions(frozenset(), frozenset())
    assert code("SELECT upper(a) FROM t", functions=none) is SqlCode.FUNCTION


@pytest.mark.parametrize("dialect", list(Dialect))
def test_every_allowed_function_can_be_called_in_some_way(dialect: Dialect) -> None:
    """A name in the data that the guard itself would put in refused words is a mistake in the data."""
    own_grammar = {"cast", "try_cast", "convert", "match", "against"}
    arguments = ("", "a", "a, b", "a, b, c", "a, b, c, d")
    for name in sorted(policy_of(dialect).functions.names - own_grammar):
        calls = [f"SELECT {name}({given}) FROM t" for given in arguments]
        assert any(code(call, dialect) is None for call in calls), name


def test_an_alias_does_not_let_a_function_through() -> None:
    assert code("WITH pg_sleep(a) AS (SELECT 1) SELECT a FROM pg_sleep") is None
    assert code("WITH pg_sleep(a) AS (SELECT 1) SELECT pg_sleep(5) FROM pg_sleep") is SqlCode.FUNCTION


def test_the_reason_names_the_part() -> None:
    assert "pg_sleep" in judge_sql("SELECT pg_sleep(1)", POSTGRES).reason
    assert "secret_plans" in judge_sql("SELECT 1 FROM secret_plans", POSTGRES, allowed_tables=["t"]).reason
    assert "DELETE" in judge_sql("WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x", POSTGRES).reason


@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_condition_stays_inside_its_bracket(dialect: Dialect) -> None:
    assert why_not_condition("age > 17 -- adults", dialect) is None
    for text in (
        "1=1) UNION SELECT 2 FROM (t",
        "1=1) ORDER BY (1",
        "a > 1; DELETE FROM t",
        "sleep(5)",
        "",
        ")",
        "1) /*",
    ):
        assert why_not_condition(text, dialect) is not None, text


def test_the_compiler_trusts_functions_it_cannot_know() -> None:
    assert why_not_read_only("SELECT my_schema.my_function(a) FROM t", "postgres") is None
    assert why_not_read_only("SELECT pg_sleep(5)", "postgres") is not None
    assert why_not_read_only("SELECT * FROM pg_ls_dir('.')", "postgres") is not None


def test_the_parser_is_loaded_only_for_a_query() -> None:
    script = (
        "import sys, dragoman.guards.sql as guard; from dragoman.contracts.schema import Dialect; "
        "guard.judge_sql('', Dialect.POSTGRES); assert 'sqlglot' not in sys.modules; "
        "guard.judge_sql('SELECT 1', Dialect.POSTGRES); assert 'sqlglot' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
