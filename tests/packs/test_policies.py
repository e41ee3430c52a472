"""Policies in a statement's tree.

The law: a query under policies, on the whole database, gives what the query alone gives on a database from
which the rows and columns that may not be seen were taken away.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from dragoman.contracts.pack import PackPolicy
from dragoman.contracts.schema import DatabaseSchema, Dialect
from dragoman.packs.demo import demo_script
from dragoman.packs.pack_files import load_shipped
from dragoman.packs.policy_application import policy_applied
from dragoman.packs.policy_rules import PolicyCode, PolicyRefusal, holding
from tests.packs.schemas import schema_of

SHAPE = """
CREATE TABLE person(id INTEGER, name VARCHAR(20), boss INTEGER, pay INTEGER, team INTEGER);
CREATE TABLE team(id INTEGER, name VARCHAR(20), city VARCHAR(20));
CREATE TABLE place(city VARCHAR(20), pay INTEGER);
"""
PEOPLE = [
    (1, "Ada", None, 900, 1),
    (2, "Bo", 1, 500, 1),
    (3, "Cy", 1, 400, 2),
    (4, "Di", 3, 700, 2),
    (5, "Ed", 3, 100, 3),
]
TEAMS = [(1, "Red", "Ulm"), (2, "Blue", "Bonn"), (3, "Gray", "Ulm")]
PLACES = [("Ulm", 1), ("Bonn", 2)]

POLICIES = (
    PackPolicy(table="person", rows="team <> 3", hide=("pay",)),
    PackPolicy(table="team", rows="city = 'Ulm' OR id = 2", hide=("city",)),
    PackPolicy(table="team", rows="id < 3"),
)


@pytest.fixture(scope="module")
def schema() -> DatabaseSchema:
    return schema_of(SHAPE, Dialect.SQLITE)


@pytest.fixture(scope="module")
def whole() -> Iterator[sqlite3.Connection]:
    yield from database(SHAPE, PEOPLE, TEAMS)


@pytest.fixture(scope="module")
def censored() -> Iterator[sqlite3.Connection]:
    """What may be seen, and nothing else."""
    shape = SHAPE.replace(" pay INTEGER, team", " team").replace(
        "name VARCHAR(20), city VARCHAR(20)", "name VARCHAR(20)"
    )
    people = [(key, name, boss, team) for key, name, boss, _, team in PEOPLE if team != 3]
    teams = [(key, name) for key, name, city in TEAMS if (city == "Ulm" or key == 2) and key < 3]
    yield from database(shape, people, teams)


def database(
    shape: str, people: Sequence[tuple[object, ...]], teams: Sequence[tuple[object, ...]]
) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(shape)
        for table, rows in (("person", people), ("team", teams), ("place", PLACES)):
            marks = ",".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        yield connection


def narrowed(sql: str, schema: DatabaseSchema, *roles: str) -> exp.Expr | PolicyRefusal:
    tree = sqlglot.parse_one(sql, read="sqlite")
    before = tree.sql()
    result = policy_applied(tree, POLICIES, roles, schema, Dialect.SQLITE)
    assert tree.sql() == before, "the tree that was given has changed"
    return result


def rows_of(sql: str, connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    return sorted(connection.execute(sql).fetchall(), key=repr)


COMPARED = [
    "SELECT * FROM person",
    "SELECT p.* FROM person AS p",
    "SELECT name FROM person",
    'SELECT NAME FROM "PERSON"',
    "SELECT main.person.name FROM main.person",
    "SELECT COUNT(*) FROM person",
    "SELECT p.name, t.name FROM person AS p JOIN team AS t ON t.id = p.team",
    "SELECT p.name, t.name FROM person p LEFT JOIN team t ON t.id = p.team AND t.id > 1",
    "SELECT a.name, b.name FROM person a, person b WHERE a.boss = b.id",
    "SELECT name FROM person WHERE team IN (SELECT id FROM team)",
    "SELECT name FROM person AS p WHERE EXISTS (SELECT 1 FROM team AS t WHERE t.id = p.team)",
    "SELECT (SELECT COUNT(*) FROM person) AS n FROM team",
    "WITH x AS (SELECT * FROM person) SELECT name FROM x",
    "WITH x AS (SELECT id, name FROM person), y AS (SELECT x.name FROM x, team) SELECT * FROM y",
    "WITH RECURSIVE x(id) AS (SELECT id FROM person WHERE boss IS NULL UNION"
    " SELECT p.id FROM person p JOIN x ON p.boss = x.id) SELECT * FROM x",
    "SELECT name FROM person UNION SELECT name FROM team",
    "SELECT name FROM team EXCEPT SELECT name FROM (SELECT * FROM team WHERE id = 1) AS q",
    "SELECT id FROM person INTERSECT SELECT id FROM team",
    "SELECT q.name FROM (SELECT name FROM (SELECT * FROM person) AS r) AS q",
    "SELECT * FROM (person AS p JOIN team AS t ON p.team = t.id)",
    "SELECT p.name FROM team AS p",
    "SELECT team.name FROM person AS team",
    "SELECT place.pay FROM place JOIN person ON person.id = place.pay",
    "SELECT x.pay FROM (SELECT pay FROM place) AS x, person",
    "SELECT name AS n, COUNT(*) OVER () FROM person ORDER BY n LIMIT 2",
    "SELECT team, COUNT(*) FROM person GROUP BY team HAVING COUNT(*) > (SELECT COUNT(*) - 2 FROM team)",
    "SELECT CASE WHEN id IN (SELECT boss FROM person) THEN 'boss' ELSE 'worker' END FROM person",
    "SELECT p.name FROM person AS p JOIN team USING (id)",
]


@pytest.mark.parametrize("sql", COMPARED)
def test_it_is_as_if_the_rest_were_not_there(
    sql: str, schema: DatabaseSchema, whole: sqlite3.Connection, censored: sqlite3.Connection
) -> None:
    tree = narrowed(sql, schema)
    assert isinstance(tree, exp.Expr), tree
    assert rows_of(tree.sql(dialect="sqlite", identify=True), whole) == rows_of(sql, censored)


@st.composite
def queries(draw: st.DrawFn, depth: int = 3) -> str:
    """Queries with joins, subqueries, parts, brackets and set operations; all have the columns k and n."""
    kind = draw(
        st.sampled_from(
            ["table", "table", "join", "derived", "set", "part", "filtered"] if depth else ["table"]
        )
    )
    inner = queries(depth=depth - 1)
    match kind:
        case "table":
            table = draw(st.sampled_from(["person", "team", "main.person", '"Team"', "PERSON"]))
            alias = draw(st.sampled_from(["a", "team", "person", "place"]))
            return f"SELECT {alias}.id AS k, {alias}.name AS n FROM {table} AS {alias}"
        case "join":
            how = draw(st.sampled_from(["JOIN", "LEFT JOIN", "CROSS JOIN"]))
            on = "" if how == "CROSS JOIN" else " ON b.id = a.k"
            table = draw(st.sampled_from(["person", "team"]))
            return f"SELECT a.k AS k, b.name AS n FROM ({draw(inner)}) AS a {how} {table} AS b{on}"
        case "derived":
            return f"SELECT k, n FROM ({draw(inner)}) AS {draw(st.sampled_from(['x', 'place']))}"
        case "set":
            operator = draw(st.sampled_from(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"]))
            return f"SELECT k, n FROM ({draw(inner)}) {operator} SELECT k, n FROM ({draw(inner)})"
        case "part":
            return f"WITH part AS ({draw(inner)}) SELECT part.k AS k, part.n AS n FROM part"
        case _:
            return (
                f"SELECT q.k AS k, q.n AS n FROM ({draw(inner)}) AS q WHERE q.k IN"
                f" (SELECT p.id FROM person AS p WHERE p.boss IS NULL OR p.id < q.k + 2)"
            )


@given(sql=queries())
def test_no_table_slips_past(
    sql: str, schema: DatabaseSchema, whole: sqlite3.Connection, censored: sqlite3.Connection
) -> None:
    tree = narrowed(sql, schema)
    assert isinstance(tree, exp.Expr), tree
    assert rows_of(tree.sql(dialect="sqlite", identify=True), whole) == rows_of(sql, censored)


@pytest.mark.parametrize(
    ("sql", "code", "name"),
    [
        ("SELECT pay FROM person", PolicyCode.HIDDEN_COLUMN, "pay"),
        ("SELECT p.PAY FROM person AS p", PolicyCode.HIDDEN_COLUMN, "PAY"),
        ('SELECT "pay" FROM main.person', PolicyCode.HIDDEN_COLUMN, "pay"),
        ("SELECT name FROM person WHERE pay > 500", PolicyCode.HIDDEN_COLUMN, "pay"),
        ("SELECT name FROM person ORDER BY pay", PolicyCode.HIDDEN_COLUMN, "pay"),
        ("SELECT MAX(p.pay) FROM team, person p", PolicyCode.HIDDEN_COLUMN, "pay"),
        ("SELECT (SELECT pay) FROM person", PolicyCode.HIDDEN_COLUMN, "pay"),
        (
            "SELECT t.name FROM team t WHERE EXISTS (SELECT 1 FROM place WHERE t.city = place.city)",
            PolicyCode.HIDDEN_COLUMN,
            "city",
        ),
        ("SELECT 1 FROM person JOIN place USING (pay)", PolicyCode.HIDDEN_COLUMN, "pay"),
        ("SELECT name FROM team UNION SELECT city FROM team", PolicyCode.HIDDEN_COLUMN, "city"),
        ("SELECT 1 FROM person NATURAL JOIN place", PolicyCode.UNPROVEN, "NATURAL JOIN"),
        ("WITH person AS (SELECT * FROM person) SELECT * FROM person", PolicyCode.SHADOWED_TABLE, "person"),
        ("WITH Team AS (SELECT 1 AS id) SELECT * FROM team", PolicyCode.SHADOWED_TABLE, "Team"),
        ("SELECT secret_reader('person')", PolicyCode.UNPROVEN, "secret_reader"),
        ("SELECT * FROM pragma_table_info('person')", PolicyCode.UNPROVEN, "pragma_table_info"),
        ("CREATE TABLE x AS SELECT * FROM person", PolicyCode.UNPROVEN, "CREATE"),
        ("UPDATE person SET pay = 1 WHERE id = 1", PolicyCode.HIDDEN_COLUMN, "pay"),
        ("UPDATE person SET name = 'x' WHERE pay = 1", PolicyCode.HIDDEN_COLUMN, "pay"),
        ("UPDATE person SET team = 3 WHERE id = 1", PolicyCode.WRITE_BEYOND_POLICY, "person"),
        ("DELETE FROM person WHERE pay > 1", PolicyCode.HIDDEN_COLUMN, "pay"),
        ("INSERT INTO person (id, name) VALUES (9, 'Zed')", PolicyCode.WRITE_BEYOND_POLICY, "person"),
        ("INSERT INTO person VALUES (9, 'Zed', 1, 1, 1)", PolicyCode.UNPROVEN, "INSERT"),
        ("SELECT x.pay FROM (SELECT * FROM person) AS x", PolicyCode.HIDDEN_COLUMN, "pay"),
        ("SELECT pay FROM (SELECT p.* FROM person AS p) AS x", PolicyCode.HIDDEN_COLUMN, "pay"),
        ("WITH x AS (SELECT * FROM person) SELECT pay FROM x", PolicyCode.HIDDEN_COLUMN, "pay"),
        ("UPDATE place SET pay = p.pay FROM person AS p WHERE p.id = 1", PolicyCode.HIDDEN_COLUMN, "pay"),
        ("INSERT INTO place (city, pay) SELECT name, pay FROM person", PolicyCode.HIDDEN_COLUMN, "pay"),
    ],
)
def test_what_asks_for_more_is_refused(sql: str, code: PolicyCode, name: str, schema: DatabaseSchema) -> None:
    refusal = narrowed(sql, schema)
    assert isinstance(refusal, PolicyRefusal), refusal.sql()
    assert (refusal.code, refusal.name.partition("(")[0].lower()) == (code, name.lower())
    assert refusal.hint


@pytest.mark.parametrize(
    ("sql", "left"),
    [
        ("UPDATE person SET name = 'x' WHERE id > 3", [(4,)]),
        ("UPDATE person SET name = 'x' WHERE id = 1 OR id = 5", [(1,)]),
        ("UPDATE person SET name = 'x'", [(1,), (2,), (3,), (4,)]),
    ],
)
def test_a_change_reaches_only_what_may_be_seen(
    sql: str, left: list[tuple[int]], schema: DatabaseSchema
) -> None:
    for connection in database(SHAPE, PEOPLE, TEAMS):
        tree = narrowed(sql, schema)
        assert isinstance(tree, exp.Expr)
        connection.execute(tree.sql(dialect="sqlite", identify=True))
        assert connection.execute("SELECT id FROM person WHERE name = 'x' ORDER BY id").fetchall() == left


def test_a_deletion_reaches_only_what_may_be_seen(schema: DatabaseSchema) -> None:
    for connection in database(SHAPE, PEOPLE, TEAMS):
        tree = narrowed("DELETE FROM person WHERE id > 3", schema)
        assert isinstance(tree, exp.Expr)
        connection.execute(tree.sql(dialect="sqlite"))
        assert connection.execute("SELECT id FROM person ORDER BY id").fetchall() == [(1,), (2,), (3,), (5,)]


@pytest.mark.parametrize(
    ("roles", "unless", "mine", "holds"),
    [
        ((), (), (), True),
        ((), (), ("guest",), True),
        (("guest",), (), (), False),
        (("guest",), (), ("guest", "lead"), True),
        ((), ("lead",), ("lead",), False),
        ((), ("lead",), ("guest",), True),
        (("guest",), ("lead",), ("guest", "lead"), False),
    ],
)
def test_for_whom_a_policy_holds(
    roles: tuple[str, ...], unless: tuple[str, ...], mine: tuple[str, ...], holds: bool
) -> None:
    policy = PackPolicy(table="t", roles=roles, unless=unless, hide=("x",))
    assert bool(holding([policy], mine)) is holds


def test_without_a_policy_the_tree_is_the_same(schema: DatabaseSchema) -> None:
    tree = sqlglot.parse_one("SELECT pay FROM person")
    policies = (PackPolicy(table="person", roles=("guest",), hide=("pay",)),)
    assert policy_applied(tree, policies, ("lead",), schema, Dialect.SQLITE) is tree


def test_who_asks_stays_a_parameter(schema: DatabaseSchema, whole: sqlite3.Connection) -> None:
    policies = (PackPolicy(table="person", rows="name = :user"),)
    tree = policy_applied(
        sqlglot.parse_one("SELECT id FROM person", read="sqlite"), policies, (), schema, Dialect.SQLITE
    )
    assert isinstance(tree, exp.Expr)
    assert whole.execute(tree.sql(dialect="sqlite"), {"user": "Bo"}).fetchall() == [(2,)]


def test_hidden_columns_of_an_unknown_table_are_refused(schema: DatabaseSchema) -> None:
    policies = (PackPolicy(table="elsewhere", hide=("x",)),)
    tree = sqlglot.parse_one("SELECT * FROM elsewhere")
    refusal = policy_applied(tree, policies, (), schema, Dialect.SQLITE)
    assert isinstance(refusal, PolicyRefusal)
    assert refusal.code is PolicyCode.UNPROVEN


def test_the_policies_of_the_shipped_packs() -> None:
    pack = load_shipped("projects")
    schema = schema_of(demo_script(pack))
    contact = sqlglot.parse_one(pack.verbs["member.contact"].sql, read="postgres")
    refused = policy_applied(contact, pack.policies, ("guest",), schema, pack.dialect)
    assert isinstance(refused, PolicyRefusal)
    assert refused.name == "email"
    assert isinstance(policy_applied(contact, pack.policies, ("lead",), schema, pack.dialect), exp.Expr)
