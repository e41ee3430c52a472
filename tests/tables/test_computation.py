"""What is worked out of columns: how it is called, and how exact it is said to be."""

import pytest

from dragoman.contracts.schema import Dialect, ValueType
from dragoman.tables import CompiledRead, table_catalog
from tests.tables.shop import schema
from tests.tables.test_engines import statement


def compiled(text: str, dialect: Dialect) -> CompiledRead:
    found = table_catalog(schema(dialect)).compile(statement(text), dialect)
    assert isinstance(found, CompiledRead), found
    return found


def test_a_column_is_called_by_its_expression() -> None:
    text = '(order.list :columns ["id" {:plus  [ "id"  {:times [-1 "customer/id"]} 0.50]}])'
    (_, column) = compiled(text, Dialect.SQLITE).columns
    assert column.name == '{:plus ["id_" {:times [-1 "customer/id_"]} 0.50]}'
    assert column.type is ValueType.DECIMAL


def test_measures_of_one_verb_are_told_apart() -> None:
    text = '(order.sum :of {:plus ["id" 1]} :also {:sum "weight"})'
    names = [column.name for column in compiled(text, Dialect.SQLITE).columns]
    assert names == ['sum/{:plus ["id_" 1]}', "sum/weight"]


@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize(
    ("expression", "exact"),
    [
        ('{:times ["qty" "price"]}', True),
        ('{:divided ["qty" 3]}', True),
        ('{:times ["qty" "order/weight"]}', False),
    ],
)
def test_it_says_how_exact_it_is(dialect: Dialect, expression: str, exact: bool) -> None:
    for verb in ("list :columns", "sum :of", "max :of"):
        found = compiled(f"(order-lines-DROP-TABLE-x.{verb} {expression})", dialect)
        assert found.exact is exact


def test_a_count_is_exact_whatever_it_counts() -> None:
    assert compiled('(order.count :of {:times ["weight" 2]})', Dialect.SQLITE).exact


def test_the_links_of_an_expression_are_followed_openly() -> None:
    found = compiled('(order.list :columns {:plus ["id" "referrer/id"]})', Dialect.SQLITE)
    assert found.inferred_paths == ("referrer",)
    against = compiled('(order.list :id_ {:above {:column "referrer/id"}})', Dialect.SQLITE)
    assert against.inferred_paths == ("referrer",)
