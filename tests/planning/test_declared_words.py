"""What a database says of itself: comments that are names or lists of codes, and values that no row has."""

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from dragoman import Workspace
from dragoman.contracts.schema import (
    ColumnInfo,
    DatabaseSchema,
    Dialect,
    ForeignKey,
    TableInfo,
    TableKind,
    ValueType,
)
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode
from dragoman.planning.teaching.comments import Comment, read_comment
from dragoman.planning.teaching.declared_words import declared_words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("turnover", Comment("turnover")),
        ("Clients: whoever buys from us", Comment("clients")),
        ("Unit price (net). See the manual.", Comment("unit price")),
        ("Клиенты", Comment("клиенты")),
        ("고객명", Comment("고객명")),
        ("1 = new, 2 = paid", Comment(codes=(("1", "new"), ("2", "paid")))),
        ("0: inactive, 1: active", Comment(codes=(("0", "inactive"), ("1", "active")))),
        ("M – male; F – female", Comment(codes=(("M", "male"), ("F", "female")))),
        ("A=Active,I=Inactive", Comment(codes=(("A", "active"), ("I", "inactive")))),
        ("1-pending,2-approved", Comment(codes=(("1", "pending"), ("2", "approved")))),
        ("stage\n1 = draft\n2 = final", Comment("stage", (("1", "draft"), ("2", "final")))),
        ("Stage (R - retail, W - wholesale)", Comment("stage", (("R", "retail"), ("W", "wholesale")))),
        ("Состояние: 1 - новый, 2 - оплачен", Comment("состояние", (("1", "новый"), ("2", "оплачен")))),
        ("상태 1:신규, 2:완료", Comment("상태", (("1", "신규"), ("2", "완료")))),
        ("Y(사용) N(휴면)", Comment(codes=(("Y", "사용"), ("N", "휴면")))),
        # What is not plainly a word for a code is left out; the others stay.
        ("0 = none, 1 = first class", Comment(codes=(("1", "first class"),))),
    ],
)
def test_comments_that_teach(text: str, found: Comment) -> None:
    assert read_comment(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Holds the orders of our customers",
        "as they write it",
        "https://example.org/tables",
        "TODO: drop this",
        "deprecated: 1 = new, 2 = old",
        "foreign key",
        "varchar",
        "seconds",
        "total in cents",
        "really?",
        "a very long name for one thing",
        "customer_name",
        "0 = no, 1 = yes",
        "1 = same, 2 = same",
        "1 = one, 1 = two",
        "first-name, last-name",
        "price, quantity",
        "x" * 1_000,
        "((((((((",
    ],
)
def test_comments_that_teach_nothing(text: str) -> None:
    assert read_comment(text) == Comment()


def orders(**comments: str) -> DatabaseSchema:
    """Customers and their orders, with comments on `table` or on a column."""
    return _schema(
        _table("customers", [("id", ValueType.INTEGER), ("name", ValueType.TEXT)], {}, "id"),
        _table(
            "orders",
            [
                ("id", ValueType.INTEGER),
                ("customer_id", ValueType.INTEGER),
                ("status", ValueType.INTEGER),
                ("kind", ValueType.TEXT),
                ("open", ValueType.BOOLEAN),
                ("amount", ValueType.DECIMAL),
            ],
            comments,
            "id",
            (ForeignKey(("customer_id",), "customers", ("id",)),),
        ),
    )


def _schema(*tables: TableInfo) -> DatabaseSchema:
    return DatabaseSchema("sqlite", Dialect.SQLITE, tables, "0" * 64)


def _table(
    name: str,
    columns: list[tuple[str, ValueType]],
    comments: dict[str, str],
    key: str,
    foreign: tuple[ForeignKey, ...] = (),
) -> TableInfo:
    made = tuple(ColumnInfo(each, kind, kind.value, comment=comments.get(each, "")) for each, kind in columns)
    return TableInfo(
        name,
        TableKind.TABLE,
        made,
        primary_key=(key,),
        foreign_keys=foreign,
        comment=comments.get("table", ""),
    )


def told(schema: DatabaseSchema, *taught: TaughtWord) -> dict[str, tuple[str, str, str]]:
    return {each.word: (each.kind.value, each.of, each.means) for each in declared_words(schema, taught)}


def test_names_and_codes() -> None:
    found = told(
        orders(
            table="Customer purchases",
            amount="turnover",
            status="1 = new, 2 = paid",
            kind="R = retail, W = wholesale",
            open="0 = settled, 1 = pending",
        )
    )
    assert found == {
        "purchases": ("table", "orders", ""),
        "turnover": ("column", "orders", '"amount"'),
        "new": ("condition", "orders", "{:status 1}"),
        "paid": ("condition", "orders", "{:status 2}"),
        "retail": ("condition", "orders", '{:kind "R"}'),
        "wholesale": ("condition", "orders", '{:kind "W"}'),
        "settled": ("condition", "orders", "{:open false}"),
        "pending": ("condition", "orders", "{:open true}"),
    }


@pytest.mark.parametrize(
    "comments",
    [
        {"amount": "customers"},
        {"amount": "status"},
        {"table": "customers"},
        {"customer_id": "buying party"},
        {"status": "A = new, B = paid"},
        {"amount": "kind of"},
        {"status": "1 = open, 2 = orders"},
        {"status": "1 = late, 2 = fine", "kind": "L = late, F = fine"},
        {"amount": "turnover", "status": "turnover"},
        {"kind": "source: web, target: app"},
    ],
)
def test_what_is_doubtful_teaches_nothing(comments: dict[str, str]) -> None:
    assert told(orders(**comments)) == {}


def test_what_a_person_taught_wins() -> None:
    taught = TaughtWord("Paid", TaughtKind.CONDITION, "orders", '{:kind "P"}')
    assert set(told(orders(status="1 = new, 2 = paid"), taught)) == {"new"}


STORE = """
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name VARCHAR, region VARCHAR, gender VARCHAR);
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (customer_id), order_date DATE,
  status INTEGER, amount DECIMAL(10, 2), priority VARCHAR CHECK (priority IN ('low', 'high', 'urgent')));
COMMENT ON TABLE customers IS 'Clients. Whoever buys from us.';
COMMENT ON COLUMN customers.gender IS 'M – male; F – female';
COMMENT ON COLUMN orders.status IS '1 = new, 2 = paid, 3 = delivered, 4 = cancelled';
COMMENT ON COLUMN orders.amount IS 'turnover';
INSERT INTO customers SELECT i, 'Client ' || i, ['North', 'South', 'East'][1 + i % 3], ['M', 'F'][1 + i % 2]
FROM range(1, 21) AS t (i);
INSERT INTO orders SELECT i, 1 + i % 20, DATE '2024-01-01' + i::INTEGER, 1 + i % 3, i * 10,
  ['low', 'high'][1 + i % 2] FROM range(1, 101) AS t (i);
"""

Ask = Callable[[str], TurnResult]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    folder = tmp_path_factory.mktemp("declared")
    with duckdb.connect(str(folder / "store.duckdb")) as connection:
        connection.execute(STORE)
    with Workspace.open_database(folder / "store.duckdb", folder / "home") as workspace:
        yield lambda text: workspace.ask(workspace.new_session(), text)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many clients are there?", [(20,)]),
        ("how many clients are there in the north?", [(6,)]),
        ("how many paid orders are there?", [(34,)]),
        ("how many orders have status paid?", [(34,)]),
        ("how many female clients are there?", [(10,)]),
        ("total turnover", [("50500.00",)]),
        # Declared, and in no row.
        ("how many cancelled orders are there?", [(0,)]),
        ("orders with status cancelled", []),
        ("urgent orders", []),
        ("how many orders have priority urgent?", [(0,)]),
    ],
)
def test_questions(ask: Ask, question: str, rows: list[tuple[object, ...]]) -> None:
    result = ask(question)
    assert result.answer_mode is AnswerMode.CONFIRMED, result.message
    assert [tuple(map(str, row)) for row in result.rows] == [tuple(map(str, row)) for row in rows]


def test_what_is_declared_nowhere_is_not_known(ask: Ask) -> None:
    for question in ("abandoned orders", "orders with priority medium"):
        assert ask(question).answer_mode is not AnswerMode.CONFIRMED


def test_what_is_declared_was_not_taught(ask: Ask) -> None:
    assert "paid" not in ask("what have I taught you?").message


def test_a_person_may_mean_something_else(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "store.duckdb")) as connection:
        connection.execute(STORE)
    with Workspace.open_database(tmp_path / "store.duckdb", tmp_path / "home") as workspace:
        session = workspace.new_session()
        workspace.ask(session, "paid means status is 3")
        workspace.ask(session, "yes")
        assert ":status 3" in workspace.ask(session, "how many paid orders are there?").program
