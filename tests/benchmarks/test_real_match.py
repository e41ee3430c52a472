"""The scorer of the benchmark `real`: what counts as the same answer, and what must not."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from benchmarks.real_match import Rows, gold_ordered, matches, widened

PLAIN = "SELECT a, b FROM t"
SORTED = "SELECT name, age FROM t ORDER BY age"
TOP = "SELECT name, COUNT(*) FROM t GROUP BY name ORDER BY COUNT(*) DESC LIMIT 3"
RATIO = "SELECT a, SUM(b) / COUNT(*) FROM t GROUP BY a"


@pytest.mark.parametrize(
    ("gold", "ours", "sql"),
    [
        pytest.param([(1, "x")], [("x", 9, 1.0)], PLAIN, id="further columns in any order"),
        pytest.param([(1, "x"), (2, "y")], [("y", 2), ("x", 1)], PLAIN, id="rows in any order"),
        pytest.param([(None, 1)], [(1, None)], PLAIN, id="nothing is nothing"),
        pytest.param([(1 / 3,)], [(0.33,)], PLAIN, id="rounded to two decimals"),
        pytest.param([(1 / 3, 2 / 3)], [(Decimal("0.3333"), "0.6667")], PLAIN, id="rounded to four"),
        pytest.param([(0.1,)], [(0.1 + 1e-12,)], PLAIN, id="the last digit"),
        pytest.param([("a", 0.125), ("b", 0.5)], [("a", 12.5), ("b", 50)], RATIO, id="percent"),
        pytest.param([("a", 12.5), ("b", 50)], [("a", 0.125), ("b", 0.5)], RATIO, id="fraction"),
        pytest.param([("Ann", "Lee", 1)], [("Ann Lee", 1)], PLAIN, id="a name in one column of ours"),
        pytest.param([("Ann Lee", 1)], [(1, "Lee", "Ann")], PLAIN, id="a name in two columns of ours"),
        pytest.param([("2024-03-01 00:00:00",)], [(date(2024, 3, 1),)], PLAIN, id="midnight is the day"),
        pytest.param(
            [("2024-03-01 10:30:00",)], [(datetime(2024, 3, 1, 10, 30, tzinfo=UTC),)], PLAIN, id="a moment"
        ),
        pytest.param([("2024-03", 5), ("2024-04", 6)], [(3, 5), (4, 6)], PLAIN, id="month as a number"),
        pytest.param([("03", 5), ("04", 6)], [("2024-03", 5), ("2024-04", 6)], PLAIN, id="year and month"),
        pytest.param([("2024-03", 5)], [(date(2024, 3, 1), 5)], PLAIN, id="a month by its first day"),
        pytest.param([(1, 5)], [("2024-Q1", 5)], PLAIN, id="a quarter of one year"),
        pytest.param([], [], PLAIN, id="no rows"),
        pytest.param([(2, 2)], [(2, 2, 5)], PLAIN, id="two columns of the same values"),
    ],
)
def test_the_same_answer(gold: Rows, ours: Rows, sql: str) -> None:
    assert matches(gold, ours, False, sql)


@pytest.mark.parametrize(
    ("gold", "ours", "sql"),
    [
        pytest.param([(1,), (1,)], [(1,)], PLAIN, id="a row too few"),
        pytest.param([(1,)], [(1,), (1,)], PLAIN, id="a row too many"),
        pytest.param([(1, 2)], [(1,)], PLAIN, id="a column is missing"),
        pytest.param([(2, 2)], [(2, 5)], PLAIN, id="one column for two"),
        pytest.param([("a", 1), ("b", 2)], [("a", 2), ("b", 1)], PLAIN, id="values swapped between rows"),
        pytest.param([(1, 1), (2, 2)], [(1, 2), (2, 1)], PLAIN, id="same columns, other rows"),
        pytest.param([(1 / 3,)], [(0.3,)], PLAIN, id="rounded to one decimal"),
        pytest.param([(0.334,)], [(0.3333,)], PLAIN, id="another number at that rounding"),
        pytest.param([(5,)], [(500,)], PLAIN, id="a hundred times where nothing is a ratio"),
        pytest.param([("a", 0.125), ("b", 0.5)], [("a", 12.5), ("b", 0.5)], RATIO, id="half in percent"),
        pytest.param([("Ann", "Lee")], [("Ann",)], PLAIN, id="half a name"),
        pytest.param([("2023-03", 5), ("2024-03", 6)], [(3, 5), (3, 6)], PLAIN, id="months of two years"),
        pytest.param([("2024-03-01 10:30:00",)], [("2024-03-01",)], PLAIN, id="a moment is not its day"),
        pytest.param([(None,)], [(0,)], PLAIN, id="nothing is not nought"),
        pytest.param([("1x",)], [("1X",)], PLAIN, id="another text"),
    ],
)
def test_another_answer(gold: Rows, ours: Rows, sql: str) -> None:
    assert not matches(gold, ours, False, sql)


def test_the_order_counts_where_it_is_asked_for() -> None:
    gold = [("ann", 1), ("bob", 2), ("cid", 2)]
    assert matches(gold, [("ann", 1), ("cid", 2), ("bob", 2)], True, SORTED)
    assert not matches(gold, [("bob", 2), ("ann", 1), ("cid", 2)], True, SORTED)
    assert matches(gold, [("bob", 2), ("ann", 1), ("cid", 2)], False, SORTED)


def test_rows_with_nothing_to_sort_by_may_stand_at_either_end() -> None:
    gold = [("dan", None), ("ann", 1), ("bob", 2)]
    assert matches(gold, [("ann", 1), ("bob", 2), ("dan", None)], True, SORTED)
    assert not matches(gold, [("ann", 1), ("dan", None), ("bob", 2)], True, SORTED)


def test_an_order_by_what_is_not_shown_is_exact_until_its_ties_are_known() -> None:
    sql = "SELECT name FROM t ORDER BY age"
    gold, ours = [("ann",), ("bob",), ("cid",)], [("ann",), ("cid",), ("bob",)]
    assert not matches(gold, ours, True, sql)
    assert matches(gold, ours, True, sql, wider=[("ann", 1), ("bob", 2), ("cid", 2)])
    assert not matches(gold, ours, True, sql, wider=[("ann", 1), ("bob", 2), ("cid", 3)])


def test_a_tie_at_the_cut_may_fall_either_way() -> None:
    gold = [("ann", 9), ("bob", 5), ("cid", 4)]
    assert matches(gold, [("ann", 9), ("bob", 5), ("dan", 4)], False, TOP)
    assert not matches(gold, [("eve", 9), ("bob", 5), ("cid", 4)], False, TOP)
    assert not matches(gold, [("ann", 9), ("bob", 5), ("dan", 3)], False, TOP)
    assert not matches(gold, [("ann",), ("bob",), ("dan",)], False, TOP)


def test_with_the_rows_beyond_the_cut_a_tie_is_known() -> None:
    gold = [("ann", 9), ("bob", 5), ("cid", 4)]
    wider = [("ann", 9, 9), ("bob", 5, 5), ("cid", 4, 4), ("dan", 4, 4), ("eve", 1, 1)]
    assert matches(gold, [("dan", 4), ("ann", 9), ("bob", 5)], False, TOP, wider=wider)
    assert not matches(gold, [("ann", 9), ("bob", 5), ("fay", 4)], False, TOP, wider=wider)


@pytest.mark.parametrize(
    ("question", "sql", "expected"),
    [
        ("people sorted by age", SORTED, True),
        ("people in alphabetical order", SORTED, True),
        ("people, oldest first", SORTED, True),
        ("отсортируй по возрасту", SORTED, True),
        ("나이 순으로 보여줘", SORTED, True),
        ("people and their age", SORTED, False),
        ("how many orders per month", SORTED, False),
        ("the first people to come", SORTED, False),
        ("people sorted by age", PLAIN, False),
        ("top 3 names, sorted", TOP, False),
        ("sorted", "SELECT a FROM t WHERE b = (SELECT c FROM u ORDER BY c LIMIT 1)", False),
    ],
)
def test_which_questions_ask_for_an_order(question: str, sql: str, expected: bool) -> None:
    assert gold_ordered(question, sql) is expected


def test_the_wider_query_shows_the_keys_and_is_not_cut() -> None:
    assert widened(TOP) == "SELECT name, COUNT(*), COUNT(*) FROM t GROUP BY name ORDER BY COUNT(*) DESC"
    assert widened("SELECT a, b AS n FROM t ORDER BY 2, n LIMIT 1") == (
        "SELECT a, b AS n, b, b FROM t ORDER BY 2, n"
    )
    assert widened(PLAIN) is None
    assert widened("SELECT DISTINCT a FROM t ORDER BY b LIMIT 2") is None


def test_many_alike_columns_are_compared_in_bounded_time() -> None:
    gold = [tuple((row >> column) & 1 for column in range(8)) for row in range(256)]
    assert matches(gold, [row[::-1] for row in gold], False, PLAIN)
    assert not matches(gold, [*gold[:-2], gold[0], gold[-1]], False, PLAIN)
    assert not matches(gold, [*gold[2:], gold[2], gold[-3]], False, PLAIN)
