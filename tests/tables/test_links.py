"""Links between tables: their names, and that following them never counts a row twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.program import Diagnostic
from dragoman.contracts.schema import (
    ColumnInfo,
    DatabaseSchema,
    Dialect,
    ForeignKey,
    TableInfo,
    TableKind,
    ValueType,
)
from dragoman.tables import CompiledRead, table_catalog
from dragoman.tables.graph import Graph
from tests.tables.engines import Duckdb, Engine, Sqlite, rows_of
from tests.tables.test_engines import statement


def table(
    name: str, columns: str, *keys: ForeignKey, key: str = "id", unique: tuple[str, ...] = ()
) -> TableInfo:
    infos = tuple(
        ColumnInfo(column, ValueType.INTEGER, "INTEGER", unique=column in unique)
        for column in columns.split()
    )
    return TableInfo(
        name, TableKind.TABLE, infos, primary_key=tuple(key.split()), foreign_keys=keys, schema=""
    )


def to(columns: str, target: str, there: str = "id", *, declared: bool = True) -> ForeignKey:
    return ForeignKey(tuple(columns.split()), target, tuple(there.split()), declared=declared)


def database(*tables: TableInfo) -> DatabaseSchema:
    return DatabaseSchema("sqlite", Dialect.SQLITE, tables, "x")


def links(schema: DatabaseSchema, name: str) -> dict[str, tuple[str, bool]]:
    graph = Graph(schema)
    found = graph.links(graph.by_name[name])
    return {link.name: (graph.tables[link.target].name, link.single) for link in found.values()}


@pytest.mark.parametrize(
    ("column", "name"),
    [
        ("customer_id", "customer"),
        ("customerId", "customer"),
        ("customer_ID", "customer"),
        ("CustomerID", "Customer"),
        ("customer_code", "customer"),
        ("id_customer", "customer"),
        ("fk_customer_id", "customer"),
        ("customer", "customer"),
        ("paid", "paid"),
        ("_id", "_id"),
        ("id", "id_"),
    ],
)
def test_a_link_is_called_what_its_column_says(column: str, name: str) -> None:
    schema = database(table("a", column, to(column, "b"), key="x"), table("b", "id"))
    assert links(schema, "a") == {name: ("b", True)}


def test_links_that_would_be_alike() -> None:
    keys = (to("b_id", "b"), to("b_code", "b"), to("b_id", "c"), to("x y", "d", "x y"))
    schema = database(
        table("a", "id b_id b_code x y", *keys),
        table("b", "id"),
        table("c", "id"),
        table("d", "x y", key="x y"),
    )
    assert links(schema, "a") == {
        "b_id": ("b", True),
        "b_code": ("b", True),
        "b_id-to-c": ("c", True),
        "d": ("d", True),
    }


def test_back_along_a_key_are_many_rows_unless_it_is_unique() -> None:
    schema = database(
        table("a", "id b_id c_id", to("b_id", "b"), to("c_id", "c"), unique=("b_id",)),
        table("b", "id"),
        table("c", "id"),
    )
    assert links(schema, "b") == {"a-by-b": ("a", True)}
    assert links(schema, "c") == {"a-by-c": ("a", False)}


def test_a_key_that_points_nowhere_is_no_link() -> None:
    keys = (
        to("b_id", "gone"),
        to("b_id", "b", "gone"),
        to("gone", "b"),
        to("b_id", "b", "id id"),
        to("", "b", ""),
    )
    assert links(database(table("a", "id b_id", *keys), table("b", "id")), "a") == {}


# Two accounts have the same number, so what was guessed of a payment's account is not even one account.
GUESSED = database(
    table("payment", "id account_no amount", to("account_no", "account", "no", declared=False)),
    table("account", "id no rate"),
)


@pytest.fixture
def engine() -> Sqlite:
    engine = Sqlite()
    engine.execute("CREATE TABLE payment (id, account_no, amount)")
    engine.execute("CREATE TABLE account (id, no, rate)")
    engine.execute("INSERT INTO payment VALUES (1, 7, 100), (2, 7, 10), (3, 8, 1)")
    engine.execute("INSERT INTO account VALUES (1, 7, 5), (2, 7, 5), (3, 8, 6)")
    return engine


def compiled(text: str, schema: DatabaseSchema = GUESSED) -> CompiledRead | tuple[Diagnostic, ...]:
    return table_catalog(schema).compile(statement(text), Dialect.SQLITE)


def test_a_filter_over_many_rows_counts_each_row_once(engine: Sqlite) -> None:
    found = compiled("(payment.sum :where {:account {:rate 5}})")
    assert isinstance(found, CompiledRead)
    assert rows_of(engine, found) == [(110,)]
    assert found.inferred_paths == ("account",)


def test_a_guess_that_may_be_many_rows_gathers_nothing() -> None:
    found = compiled('(payment.sum :by "account/rate")')
    assert not isinstance(found, CompiledRead)
    assert [each.code for each in found] == ["path_multiplies"]


def test_two_ways_of_different_length_are_two_ways() -> None:
    schema = database(
        table("a", "id b_id x_id n", to("b_id", "b"), to("x_id", "country")),
        table("b", "id home_id", to("home_id", "country")),
        table("country", "id size"),
    )
    found = compiled('(a.count :by "country/size")', schema)
    assert not isinstance(found, CompiledRead)
    assert found[0].code == "ambiguous_path"
    assert found[0].hint == "say which: x, b/home"
    for way, path in (("x/size", "x"), ("b/home/size", "b/home")):
        said = compiled(f'(a.count :by "{way}")', schema)
        assert isinstance(said, CompiledRead)
        assert [used.path for used in said.paths] == [path]


def test_a_table_that_one_way_leads_to_needs_no_way() -> None:
    schema = database(
        table("line", "id order_id n", to("order_id", "orders")),
        table("orders", "id buyer_id", to("buyer_id", "people")),
        table("people", "id age"),
    )
    found = compiled('(line.sum :by "people/age")', schema)
    assert isinstance(found, CompiledRead)
    assert [(used.path, used.tables) for used in found.paths] == [("order/buyer", ("orders", "people"))]


def test_a_column_that_is_also_a_date_part_has_to_be_said() -> None:
    when = ColumnInfo("when", ValueType.DATE, "DATE")
    other = TableInfo(
        "w",
        TableKind.TABLE,
        (ColumnInfo("id", ValueType.INTEGER, "INT"), ColumnInfo("month", ValueType.INTEGER, "INT")),
        primary_key=("id",),
    )
    first = TableInfo("t", TableKind.TABLE, (when,), foreign_keys=(to("when", "w"),))
    found = compiled('(t.count :by "when/month")', database(first, other))
    assert not isinstance(found, CompiledRead)
    assert (found[0].code, found[0].hint) == (
        "ambiguous_path",
        'write {:month "when"} for the part of the date',
    )
    assert isinstance(compiled('(t.count :by {:month "when"})', database(first, other)), CompiledRead)


def test_many_ways_do_not_take_forever() -> None:
    numbers = range(40)
    tables = [
        table(
            f"t{n}",
            "id " + " ".join(f"k{m}_id" for m in numbers),
            *(to(f"k{m}_id", f"t{m}") for m in numbers),
        )
        for n in numbers
    ]
    found = compiled('(t0.count :by "t39/id")', database(*tables))
    assert not isinstance(found, CompiledRead)
    assert [each.code for each in found] == ["ambiguous_path"]
    assert found[0].hint.startswith("say which: k39, ")
    assert len(found[0].hint) < 500


def test_what_is_no_whole_number_in_a_column_of_them_is_still_added(engine: Sqlite) -> None:
    """SQLite lets it stand there."""
    engine.execute("INSERT INTO payment VALUES (4, 7, 0.5), (5, 7, 9223372036854775807)")
    found = compiled("(payment.sum :id_ {:at-most 4})")
    assert isinstance(found, CompiledRead)
    assert engine.execute(found.query.sql, found.query.parameters) == [(111.5,)]
    average = compiled("(payment.average :id_ {:at-most 4})")
    assert isinstance(average, CompiledRead)
    assert engine.execute(average.query.sql, average.query.parameters) == [(27.875,)]


@pytest.mark.parametrize(
    ("numbers", "total", "average"),
    [
        ([], None, None),
        ([None], None, None),
        ([0], 0, "0.000000000"),
        ([1, 1, 0], 2, "0.666666667"),
        ([-1, -1, 0], -2, "-0.666666667"),
        ([9 * 10**18], 9 * 10**18, None),
        ([2**63 - 1], str(2**63 - 1), None),
        ([-(2**63)], str(-(2**63)), None),
        ([2**63 - 1] * 3, str(3 * (2**63 - 1)), None),
        ([-(2**63)] * 3, str(-3 * 2**63), None),
        ([2**63 - 1, -(2**63)], -1, "-0.500000000"),
        ([-(10**18)] * 10, str(-(10**19)), None),
        ([10**18] * 9 + [-(10**9)], 9 * 10**18 - 10**9, None),
    ],
)
def test_whole_numbers_are_added_exactly(
    engine: Sqlite, numbers: list[int | None], total: int | str | None, average: str | None
) -> None:
    engine.execute("DELETE FROM payment")
    for number in numbers:
        engine.execute("INSERT INTO payment VALUES (1, 1, ?)", (number,))
    read = compiled("(payment.sum)")
    assert isinstance(read, CompiledRead)
    assert engine.execute(read.query.sql) == [(total,)]
    read = compiled("(payment.average)")
    assert isinstance(read, CompiledRead)
    if average is not None or not any(numbers):
        assert engine.execute(read.query.sql) == [(average,)]


@pytest.mark.parametrize("engine", [Sqlite(), Duckdb()], ids=["sqlite", "duckdb"])
def test_a_key_of_several_columns(engine: Engine) -> None:
    """A row with half a key has no linked row, and counts among those without one."""
    schema = database(
        table("part", "id a b", to("a b", "whole", "a b")), table("whole", "a b size", key="a b")
    )
    engine.execute("CREATE TABLE part (id INT, a INT, b INT)")
    engine.execute("CREATE TABLE whole (a INT, b INT, size INT)")
    engine.execute("INSERT INTO part VALUES (1, 1, 1), (2, 1, 2), (3, 1, NULL), (4, NULL, NULL), (5, 9, 9)")
    engine.execute("INSERT INTO whole VALUES (1, 1, 10), (1, 2, 20)")
    for text, rows in [
        ('(part.list :columns ["id_" "whole/size"])', [(1, 10), (2, 20), (3, None), (4, None), (5, None)]),
        ('(part.list :columns "id_" :where {:whole nil})', [(3,), (4,), (5,)]),
        ('(part.list :columns "id_" :where {:whole {:not nil}})', [(1,), (2,)]),
        ('(part.list :columns "id_" :where {:whole {:size {:above 10}}})', [(2,)]),
        ('(part.list :columns "id_" :where {:whole {:not {:size 20}}})', [(1,), (3,), (4,), (5,)]),
        ("(whole.count :where {:part-by-whole {:id_ 1}})", [(1,)]),
    ]:
        found = table_catalog(schema).compile(statement(text), engine.dialect)
        assert isinstance(found, CompiledRead)
        assert rows_of(engine, found) == rows


# The other rows of a table.


def test_no_search_finds_the_step_to_the_others() -> None:
    schema = database(table("a", "id b_id x", to("b_id", "b")), table("b", "id"))
    graph = Graph(schema)
    step = graph.link(graph.by_name["a"], "others-by-x")
    assert step is not None
    assert not step.single
    assert set(graph.links(graph.by_name["a"])) == {"b"}


def test_a_link_of_that_name_comes_first() -> None:
    schema = database(table("a", "id b_id"), table("others", "id a_id", to("a_id", "a")))
    graph = Graph(schema)
    found = graph.link(graph.by_name["a"], "others-by-a")
    assert found is not None
    assert graph.tables[found.target].name == "others"


def test_rows_without_a_key_have_no_others() -> None:
    schema = database(table("a", "id x", key=""))
    found = table_catalog(schema).compile(
        statement("(a.list :where {:others-by-x {:not nil}})"), Dialect.SQLITE
    )
    assert isinstance(found, tuple)
    assert "no primary key" in found[0].hint


_ROWS = st.lists(st.tuples(st.sampled_from([None, 1, 2, 3]), st.sampled_from([None, 0, 5])), max_size=8)


@given(rows=_ROWS)
def test_the_others_are_those_of_every_pair(rows: list[tuple[int | None, int | None]]) -> None:
    numbered = [(number, *row) for number, row in enumerate(rows)]
    others = {
        one[0]: [
            other for other in numbered if other[0] != one[0] and one[1] is not None and other[1] == one[1]
        ]
        for one in numbered
    }
    engine = Sqlite()
    engine.execute("CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER)")
    for row in numbered:
        engine.execute("INSERT INTO a VALUES (?, ?, ?)", row)
    schema = database(table("a", "id x y"))
    wanted = {
        "{:others-by-x {:not nil}}": [n for n, found in others.items() if found],
        "{:others-by-x nil}": [n for n, found in others.items() if not found],
        "{:others-by-x {:y 5}}": [n for n, found in others.items() if any(each[2] == 5 for each in found)],
        "{:others-by-x {:not {:y 5}}}": [
            n for n, found in others.items() if all(each[2] != 5 for each in found)
        ],
        "{:others-by-x {:how-many 2}}": [n for n, found in others.items() if len(found) == 2],
        "{:others-by-x {:others-by-y {:not nil}}}": [
            n
            for n, found in others.items()
            if any(each[2] is not None and sum(row[2] == each[2] for row in numbered) > 1 for each in found)
        ],
    }
    for where, expected in wanted.items():
        read = table_catalog(schema).compile(
            statement(f'(a.list :columns "id_" :where {where})'), Dialect.SQLITE
        )
        assert isinstance(read, CompiledRead)
        assert [row[0] for row in rows_of(engine, read)] == expected
    read = table_catalog(schema).compile(statement('(a.count :with "others-by-x")'), Dialect.SQLITE)
    assert isinstance(read, CompiledRead)
    assert rows_of(engine, read) == [(sum(map(len, others.values())),)]
