"""Views under policies.

The law is that of tables: what a view shows under policies is what it shows over a database from which the
hidden rows and columns were taken away. A view that cannot exist there, because it needs a hidden column, is
withheld.
"""

import sqlite3
from contextlib import closing
from typing import Final

import pytest
import sqlglot
from msgspec.structs import replace
from sqlglot import exp

from dragoman.contracts.pack import PackPolicy
from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, Dialect, TableInfo, TableKind, ValueType
from dragoman.packs.policy_application import Author, rules_applied
from dragoman.packs.policy_rules import PolicyRefusal, Rule, rules_of, visible_schema
from dragoman.packs.policy_views import with_views
from tests.packs.schemas import schema_of

WHOLE: Final = """
CREATE TABLE person(id INTEGER, name VARCHAR(20), pay INTEGER, team INTEGER);
CREATE TABLE team(id INTEGER, name VARCHAR(20));
INSERT INTO person VALUES (1, 'Ada', 900, 1), (2, 'Bo', 500, 1), (3, 'Cy', 400, 2), (4, 'Di', 700, 3);
INSERT INTO team VALUES (1, 'Red'), (2, 'Blue'), (3, 'Gray');
"""
LEFT: Final = """
CREATE TABLE person(id INTEGER, name VARCHAR(20), team INTEGER);
CREATE TABLE team(id INTEGER, name VARCHAR(20));
INSERT INTO person VALUES (1, 'Ada', 1), (2, 'Bo', 1), (3, 'Cy', 2);
INSERT INTO team VALUES (1, 'Red'), (2, 'Blue'), (3, 'Gray');
"""
POLICY: Final = PackPolicy(table="person", rows="team <> 3", hide=("pay",))


def rules_in(schema: DatabaseSchema, *policies: PackPolicy) -> dict[str, Rule]:
    return with_views(rules_of(policies or (POLICY,), Dialect.SQLITE), schema)


def shown(script: str, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(script)
        return sorted(connection.execute(sql).fetchall(), key=repr)


# A view with a hidden column, and the same view as it would be without.
NARROWED: Final = [
    ("CREATE VIEW v AS SELECT id, name FROM person", None),
    ("CREATE VIEW v AS SELECT id, pay, name FROM person", "CREATE VIEW v AS SELECT id, name FROM person"),
    ("CREATE VIEW v AS SELECT * FROM person", None),
    ("CREATE VIEW v(a, b, c, d) AS SELECT * FROM person", "CREATE VIEW v(a, b, d) AS SELECT * FROM person"),
    ("CREATE VIEW v AS SELECT p.* FROM person AS p", None),
    (
        "CREATE VIEW v AS SELECT name, pay * 12 AS year FROM person",
        "CREATE VIEW v AS SELECT name FROM person",
    ),
    (
        "CREATE VIEW v AS SELECT team, COUNT(*) AS n, AVG(pay) AS mean FROM person GROUP BY team",
        "CREATE VIEW v AS SELECT team, COUNT(*) AS n FROM person GROUP BY team",
    ),
    ("CREATE VIEW v AS SELECT p.name AS who, t.name FROM person AS p JOIN team AS t ON t.id = p.team", None),
    ("CREATE VIEW v AS SELECT name FROM team WHERE id IN (SELECT team FROM person)", None),
    ("CREATE VIEW v AS SELECT name FROM person UNION SELECT name FROM team", None),
    (
        "CREATE VIEW w AS SELECT id, pay FROM person; CREATE VIEW v AS SELECT id FROM w",
        "CREATE VIEW v AS SELECT id FROM person",
    ),
    (
        "CREATE VIEW w AS SELECT id, pay FROM person; CREATE VIEW v AS SELECT id, pay FROM w",
        "CREATE VIEW v AS SELECT id FROM person",
    ),
    ("CREATE VIEW v AS SELECT UPPER(name) AS n FROM person ORDER BY id LIMIT 2", None),
]


@pytest.mark.parametrize(("view", "without"), NARROWED)
def test_a_view_shows_what_is_left(view: str, without: str | None) -> None:
    schema = schema_of(f"{WHOLE}{view};", Dialect.SQLITE)
    tree = sqlglot.parse_one("SELECT * FROM v", read="sqlite")
    narrowed = rules_applied(tree, rules_in(schema), schema, Author.PERSON)
    assert isinstance(narrowed, exp.Expr), narrowed
    told = shown(f"{WHOLE}{view};", narrowed.sql(dialect="sqlite"))
    assert told == shown(f"{LEFT}{without or view};", "SELECT * FROM v")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT name FROM person WHERE pay > 500",
        "SELECT name FROM person ORDER BY pay LIMIT 1",
        "SELECT id, pay AS p FROM person WHERE p > 500",
        "SELECT name, pay AS team FROM person ORDER BY team LIMIT 1",
        "SELECT pay FROM person",
        "SELECT pay, COUNT(*) AS n FROM person GROUP BY pay",
        "SELECT pay FROM person UNION SELECT id FROM team",
        "SELECT q.n FROM (SELECT name AS n, pay FROM person) AS q",
        "WITH x AS (SELECT pay FROM person) SELECT COUNT(*) AS n FROM x",
        "SELECT a.name FROM person AS a JOIN person AS b ON a.pay = b.pay",
        "SELECT name, pay FROM person ORDER BY 2",
        "SELECT name, load_extension('x') AS n FROM person",
        "SELECT name FROM person JOIN team USING (id)",
    ],
)
def test_a_view_that_needs_a_hidden_column_is_withheld(query: str) -> None:
    schema = _with_view(query)
    rules = rules_in(schema)
    assert rules["v"].withheld
    assert "v" not in [table.name for table in visible_schema(schema, rules).tables]
    tree = sqlglot.parse_one("SELECT * FROM v", read="sqlite")
    assert isinstance(rules_applied(tree, rules, schema, Author.PERSON), PolicyRefusal)


@pytest.mark.parametrize(
    "text", ["", "not sql at all", "SELECT FROM WHERE", "DROP TABLE person", "TABLE person"]
)
def test_a_view_that_cannot_be_read_is_withheld(text: str) -> None:
    assert rules_in(_with_view("SELECT id FROM team", text))["v"].withheld


def test_a_view_over_other_tables_is_as_it_was() -> None:
    assert "v" not in rules_in(_with_view("SELECT name FROM team"))


def test_without_a_policy_nothing_is_withheld() -> None:
    assert with_views({}, _with_view("SELECT id FROM team", "not sql at all")) == {}


def test_a_view_may_have_a_policy_of_its_own() -> None:
    schema = _with_view("SELECT id, name, pay FROM person")
    rules = rules_in(schema, POLICY, PackPolicy(table="v", rows="id > 1", hide=("name",)))
    assert set(rules["v"].hidden) == {"pay", "name"}
    narrowed = rules_applied(sqlglot.parse_one("SELECT * FROM v"), rules, schema, Author.PERSON)
    assert isinstance(narrowed, exp.Expr)
    script = f"{WHOLE}CREATE VIEW v AS SELECT id, name, pay FROM person;"
    assert shown(script, narrowed.sql(dialect="sqlite")) == [(2,), (3,)]


@pytest.mark.parametrize(
    ("definition", "withheld"),
    [
        ("CREATE VIRTUAL TABLE v USING fts5(name, content='person')", True),
        ("schema_name=hr table_name=person", True),
        ("CREATE VIRTUAL TABLE v USING fts5(title)", False),
        ("schema_name=hr table_name=team", False),
    ],
)
def test_what_is_declared_over_a_guarded_table_is_withheld(definition: str, *, withheld: bool) -> None:
    schema = schema_of(WHOLE, Dialect.SQLITE)
    declared = TableInfo(
        "v", TableKind.TABLE, (ColumnInfo("x", ValueType.TEXT, "TEXT"),), definition=definition
    )
    rules = rules_in(replace(schema, tables=(*schema.tables, declared)))
    assert ("v" in rules and rules["v"].withheld) is withheld


def test_a_table_that_inherits_has_the_rule_of_its_parent() -> None:
    schema = schema_of(
        f"{WHOLE}CREATE TABLE boss(id INTEGER, name VARCHAR(20), pay INTEGER, team INTEGER);", Dialect.SQLITE
    )
    tables = tuple(
        replace(each, parents=("person",)) if each.name == "boss" else each for each in schema.tables
    )
    rules = rules_in(replace(schema, tables=tables))
    assert (rules["boss"].hidden, rules["boss"].conditions) == (
        rules["person"].hidden,
        rules["person"].conditions,
    )


def _with_view(query: str, definition: str | None = None) -> DatabaseSchema:
    schema = schema_of(f"{WHOLE}CREATE VIEW v AS SELECT 1 AS one;", Dialect.SQLITE)
    text = query if definition is None else definition
    tree = sqlglot.parse_one(query)
    assert isinstance(tree, exp.Query)
    names = ["n"] if definition is not None else tree.named_selects
    columns = tuple(ColumnInfo(name, ValueType.TEXT, "TEXT") for name in names)
    return replace(
        schema,
        tables=tuple(
            replace(each, definition=text, columns=columns) if each.name == "v" else each
            for each in schema.tables
        ),
    )
