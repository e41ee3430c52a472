"""Programs one change away from a right one: of every kind, and each a program that can be written."""

import pytest

from benchmarks.program_mutations import Mutation, mutants
from dragoman.databases.access import open_reader
from dragoman.databases.discovery import discover
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.language.source import Source
from dragoman.language.verbs.printer import print_line
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.tables.graph import Graph
from tests.planning.database.hire_shop import make


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    path = make(tmp_path_factory.mktemp("shop") / "shop.sqlite")
    return Graph(discover(open_reader(SqliteTarget(path)), "sqlite"))


@pytest.mark.parametrize(
    ("program", "mutation", "changed"),
    [
        ('(item.list :columns "name" :order "weight_kg")', Mutation.DIRECTION, ':order {:desc "weight_kg"}'),
        ('(item.max :of "daily_price")', Mutation.DIRECTION, "item.min"),
        ("(item.count :daily_price {:above 5})", Mutation.DIRECTION, "{:below 5}"),
        ("(booking.count :returned_on {:not nil})", Mutation.NEGATION, ":returned_on nil"),
        ("(customer.list :where {:booking-by-customer nil})", Mutation.NEGATION, "{:not nil}"),
        ("(booking.count :booked_on {:at-least 2022-03-31})", Mutation.PERIOD, "2023-03-31"),
        ("(booking.count :booked_on {:at-most 2022-04-30})", Mutation.PERIOD, "2022-05-31"),
        ("(booking.count :booked_on {:month 12})", Mutation.PERIOD, "{:month 1}"),
        ('(customer.list :city "York")', Mutation.COLUMN, ':last_name "York"'),
        ('(booking.count :where {:customer {:city "York"}})', Mutation.COLUMN, '{:email "York"}'),
    ],
)
def test_a_program_is_changed(graph: Graph, program: str, mutation: Mutation, changed: str) -> None:
    (statement,) = read_verbs(Source(program)).statements
    found = [print_line((each,)) for kind, each in mutants(statement, graph) if kind is mutation]
    assert any(changed in each for each in found), found
    assert print_line((statement,)) not in found
    assert all(read_verbs(Source(f"({each})")).ok for each in found)


def test_what_has_nothing_to_change_has_no_mutants(graph: Graph) -> None:
    (statement,) = read_verbs(Source("(customer.count)")).statements
    assert list(mutants(statement, graph)) == []
