"""What tables and columns are called in programs: identifiers, stable, each its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.schema import (
    ColumnInfo,
    DatabaseSchema,
    Dialect,
    TableInfo,
    TableKind,
    ValueType,
)
from dragoman.language.program_names import IDENTIFIER, MAX_CHARACTERS
from dragoman.tables import TableVerb, table_catalog
from dragoman.tables.identifiers import identifiers
from dragoman.tables.verbs import RESERVED


def named(*names: str) -> dict[str, str]:
    return identifiers({name: name for name in names}, "column", RESERVED)


@pytest.mark.parametrize(
    ("real", "name"),
    [
        ("price", "price"),
        ("OrderDate", "OrderDate"),
        ("_x-1", "_x-1"),
        ("unit price", "unit-price"),
        ("  a -- b  ", "a-b"),
        ("O'Brien", "OBrien"),
        ("страна", "strana"),
        ("Щука", "Shchuka"),
        ("объём", "obem"),
        ("Größe", "Grosse"),
        ("Éire", "Eire"),
        ("가격", "gagyeok"),
        ("τιμή", "timi"),
        ("2020", "_2020"),
        ("50% off?", "_50-off"),
        ("id", "id_"),
        ("order", "order_"),
        ("as-of", "as-of_"),
        ("where", "where_"),
        ("ﬁle", "file"),
    ],
)
def test_a_name_stays_readable(real: str, name: str) -> None:
    assert named(real) == {real: name}


@pytest.mark.parametrize("real", ["价格", "%", "💶", "価格2", "x" * 200, "", " "])
def test_what_cannot_be_told_has_a_hash(real: str) -> None:
    name = named(real)[real]
    assert IDENTIFIER.match(name)
    assert len(name) <= MAX_CHARACTERS
    assert name[-7] == "-"
    assert name == named(real, "another", "1")[real]


def test_names_that_would_be_alike_are_told_apart() -> None:
    found = named("unit price", "unit-price", "unit\tprice", "id", "id_")
    assert found["unit-price"] == "unit-price"
    assert found["id_"] == "id_"
    assert len(set(found.values())) == 5
    assert found["unit price"].startswith("unit-price-")
    assert found["id"].startswith("id_-")


@given(st.lists(st.text(max_size=20), unique=True, max_size=20), st.randoms())
def test_identifiers_are_unique_and_know_no_order(names: list[str], random: object) -> None:
    found = named(*names)
    assert len(set(found.values())) == len(names)
    assert all(IDENTIFIER.match(name) and name not in RESERVED for name in found.values())
    assert named(*reversed(names)) == found


def table(name: str, schema: str = "", *columns: str) -> TableInfo:
    infos = tuple(ColumnInfo(column, ValueType.TEXT, "text") for column in columns)
    return TableInfo(name, TableKind.VIEW, infos, schema=schema)


def database(*tables: TableInfo) -> DatabaseSchema:
    return DatabaseSchema("postgres", Dialect.POSTGRES, tables, "x")


def test_a_table_of_another_schema_has_its_name_before() -> None:
    tables = [table("orders"), table("orders", "sales"), table("x", "a-b"), table("b-x", "a")]
    catalog = table_catalog(database(*tables))
    names = [catalog.verb_name_of(each, TableVerb.LIST) for each in tables]
    assert names[:2] == ["orders.list", "sales-orders.list"]
    assert len(set(names)) == 4
    assert all(name and catalog.signature(name) for name in names)
    assert [catalog.table_of(str(name)) for name in names] == tables


def test_a_name_no_database_can_be_told_is_left_out() -> None:
    catalog = table_catalog(database(table("a\0b"), table("\ud800"), table("t", "", "c\0", "d\udfff", "e")))
    assert list(catalog.verbs()) == [f"t.{verb}" for verb in TableVerb]
    signature = catalog.signature("t.list")
    assert signature is not None
    assert [a.name for a in signature.arguments if a.name not in RESERVED] == ["e"]


def test_thousands_of_tables_are_cheap() -> None:
    """Nothing is made of a table before it is asked for."""
    catalog = table_catalog(database(*(table(f"table {n}", "", "a", "b") for n in range(2_000))))
    assert len(list(catalog.verbs())) == 16_000
    assert not catalog._signatures
    assert not any("columns" in vars(each) for each in catalog._graph.tables.values())
    assert catalog.signature("table-7.list") is catalog.signature("table-7.list")


@pytest.mark.parametrize("verb", ["", ".", "t", "t.", "t.drop", "nothing.list", "t.list.list", "\ud800.list"])
def test_there_is_no_other_verb(verb: str) -> None:
    assert table_catalog(database(table("t", "", "a"))).signature(verb) is None
