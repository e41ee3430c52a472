"""What discovery finds over REST, beside what it finds in the same database over SQL."""

from pathlib import Path

import msgspec
import pytest

from dragoman.contracts.errors import AuthenticationFailed
from dragoman.contracts.schema import DatabaseSchema, Dialect, TableInfo, TableKind
from dragoman.databases.discovery import (
    SampleBudget,
    SchemaCache,
    discover,
    discover_cached,
    shape_fingerprint,
)
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.tables import CompiledRead, table_catalog
from tests.databases.discovery.shop import statements
from tests.databases.rest.conftest import Project, rest_reader


def table(schema: DatabaseSchema, name: str) -> TableInfo:
    return next(each for each in schema.tables if each.name == name)


@pytest.fixture
def shop(project: Project) -> Project:
    project.run(";".join(statements(Dialect.POSTGRES)))
    project.run("CREATE TYPE mood AS ENUM ('sad', 'fine'); CREATE TABLE moods (id integer, feeling mood)")
    project.run("CREATE SCHEMA other; CREATE TABLE other.orders (id integer PRIMARY KEY)")
    return project


def test_the_same_is_found_as_over_sql(shop: Project) -> None:
    over_rest = discover(shop.rest, "supabase")
    direct = discover(shop.direct, "supabase")
    assert [(each.schema, each.name) for each in over_rest.tables] == [
        (each.schema, each.name) for each in direct.tables
    ]
    for found, expected in zip(over_rest.tables, direct.tables, strict=True):
        assert found.primary_key == expected.primary_key
        assert found.comment == expected.comment
        assert [(c.name, c.type, c.nullable, c.comment, c.distinct) for c in found.columns] == [
            (c.name, c.type, c.nullable, c.comment, c.distinct) for c in expected.columns
        ]
        assert [set(c.samples) for c in found.columns] == [set(c.samples) for c in expected.columns]
        # Keys are not guessed for a view; over REST nobody can tell that it is one.
        if expected.kind is TableKind.TABLE:
            # A key of several columns is not told over REST.
            assert found.foreign_keys == tuple(key for key in expected.foreign_keys if len(key.columns) == 1)
            assert found.rows == expected.rows
    assert over_rest.skipped == ()


def test_declared_and_guessed_keys(shop: Project) -> None:
    found = discover(shop.rest, "supabase")
    keys = {(key.columns, key.table): key.declared for key in table(found, "employees").foreign_keys}
    assert keys == {(("boss",), "employees"): True}
    keys = {(key.columns, key.table): key.declared for key in table(found, "orders").foreign_keys}
    # Product 99 does not exist, and of stock there are two.
    assert keys == {(("customer_id",), "customers"): False}


def test_what_is_secret_by_its_name_is_not_asked_for(shop: Project) -> None:
    discover(shop.rest, "supabase")
    asked = " ".join(shop.served.tables_asked)
    assert "name" in asked
    assert "user_password" not in asked
    assert "api_token" not in asked


def test_a_large_table_is_estimated_and_not_counted(shop: Project) -> None:
    shop.run(
        "CREATE TABLE many (id integer PRIMARY KEY); INSERT INTO many SELECT generate_series(1, 5000);"
        " ANALYZE many"
    )
    assert table(discover(shop.rest, "supabase"), "many").rows == 5000
    preferences = {headers["prefer"] for _, _, headers in shop.served.manners.requests if "prefer" in headers}
    assert preferences == {"count=planned"}


def test_a_table_that_may_not_be_read_is_told_and_skipped(shop: Project) -> None:
    role = f"reader_of_{shop.url.rpartition('/')[2]}"
    shop.run(f"CREATE ROLE {role}; GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role};")
    shop.run(f"REVOKE SELECT ON customers FROM {role}; REVOKE SELECT ON busy FROM {role}")
    try:
        shop.served.manners.role = role
        with rest_reader(shop.served) as reader:
            found = discover(reader, "supabase")
        assert [each.name for each in found.skipped] == ["busy", "customers"]
        assert "permission denied" in found.skipped[1].reason
        assert table(found, "products").columns[1].samples == ("Lamp",)
    finally:
        shop.run(f"DROP OWNED BY {role}; DROP ROLE {role}")


def test_without_a_budget_only_the_description_is_read(shop: Project) -> None:
    found = discover(shop.rest, "supabase", samples=SampleBudget(seconds=0))
    assert table(found, "customers").primary_key == ("id",)
    assert shop.served.tables_asked == []


def test_what_was_kept_is_used_while_the_shape_is_the_same(shop: Project, tmp_path: Path) -> None:
    cache = SchemaCache(tmp_path)
    first = discover_cached(shop.rest, "supabase", cache, "cloud")
    asked = len(shop.served.tables_asked)
    assert discover_cached(shop.rest, "supabase", cache, "cloud") == first
    assert len(shop.served.tables_asked) == asked
    before = shape_fingerprint(shop.rest, "supabase")
    shop.run("ALTER TABLE products ADD COLUMN colour text")
    with rest_reader(shop.served, schemas=("public", "other")) as reader:
        assert shape_fingerprint(reader, "supabase") != before


def test_a_wrong_key_is_told_at_once(shop: Project) -> None:
    with rest_reader(shop.served, key="sb_wrong_key_987") as reader, pytest.raises(AuthenticationFailed):
        discover(reader, "supabase")


def test_what_is_found_can_be_written_down(shop: Project) -> None:
    found = discover(shop.rest, "supabase")
    assert msgspec.json.decode(msgspec.json.encode(found), type=DatabaseSchema) == found


@pytest.mark.parametrize(
    "text",
    [
        "(customers.list)",
        '(customers.list :status "open" :limit 3)',
        "(customers.count)",
        '(customers.count :status "closed")',
        "(orders.count :customer_id 2)",
        '(order_lines.sum :of "quantity")',
        '(order_lines.max :of "quantity")',
    ],
)
def test_verbs_of_a_project_run_over_rest(text: str, shop: Project) -> None:
    catalog = table_catalog(discover(shop.rest, "supabase"))
    (asked,) = read_verbs(Source(text)).statements
    compiled = catalog.compile(asked, Dialect.POSTGRES)
    assert isinstance(compiled, CompiledRead), compiled
    found = shop.rest.read(compiled.query).rows
    assert found
    assert found == shop.direct.read(compiled.query).rows
