"""What the words around a taught word ask of it: a total to compare things by, a number of rows."""

import pytest

from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.planning.teaching.schema_message import as_total, counts_rows

REVENUE = TaughtWord("revenue", TaughtKind.FIGURE, "lines", '{:times ["price" "quantity"]}')
MARGIN = TaughtWord("margin", TaughtKind.FIGURE, "lines", '{:divided ["profit" "price"]}')
SALES = TaughtWord("sales", TaughtKind.COLUMN, "orders", '"amount"')
LINE = TaughtWord("line", TaughtKind.TABLE, "order_lines")


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("which rep has the highest revenue?", "which rep has the highest total revenue?"),
        ("customers with revenue above 20,000", "customers with total revenue above 20,000"),
        ("orders with revenue over $500 in May", "orders with total revenue over $500 in May"),
        ("average revenue per order", "average total revenue per order"),
        ("stores with sales of at least 10", "stores with total sales of at least 10"),
        ("the store with the lowest sales", "the store with the lowest total sales"),
    ],
)
def test_things_are_compared_by_totals(text: str, total: str) -> None:
    found = as_total(text, (REVENUE, SALES), lambda *_: True)
    assert found is not None
    assert found.text == total


@pytest.mark.parametrize("text", ["revenue by month", "average revenue", "total revenue", "orders above 20"])
def test_what_compares_nothing_stays(text: str) -> None:
    assert as_total(text, (REVENUE, SALES), lambda *_: True) is None


def test_what_does_not_add_up_is_no_total() -> None:
    assert as_total("which store has the highest margin?", (MARGIN,), lambda *_: True) is None
    assert as_total("which store has the highest sales?", (SALES,), lambda *_: False) is None


def test_rows_are_counted_by_their_taught_name() -> None:
    assert counts_rows("average number of lines per order", (LINE,))
    assert counts_rows("how many lines are there?", (LINE,))
    assert not counts_rows("total quantity of lines by product", (LINE,))
    assert not counts_rows("number of orders with lines", (REVENUE,))
