"""Edits say every difference between two programs, and nothing else."""

import datetime as dt

import pytest
from hypothesis import example, given

from dragoman.contracts.edits import AddStatement, DropArgument, Edit, SetArgument, SetVerb
from dragoman.contracts.program import Argument, Date, Nil, Program, Statement
from dragoman.language.edits import apply, described, difference
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from tests import strategies as some

STOCK = '(inventory.stock :organization "1" :as-of 2020-03-31 :as @stock)'


def program(text: str) -> Program:
    return read_verbs(Source(text)).statements


@some.examples(1)
@given(some.of(Program), some.of(Program))
def test_the_difference_makes_one_program_of_the_other(before: Program, after: Program) -> None:
    assert apply(before, difference(before, after)) == after


@some.examples(0.5)
@given(some.of(Program))
def test_a_program_does_not_differ_from_itself(same: Program) -> None:
    assert difference(same, same) == ()


@some.examples(0.5)
@given(some.of(Program), some.of(Program))
@example((Statement("A.A"),), (Statement("A.A", (Argument("A", Nil(), "a\nb"),)),))
def test_every_edit_can_be_said_in_a_line(before: Program, after: Program) -> None:
    for edit in difference(before, after):
        assert described(edit)
        assert "\n" not in described(edit)


@pytest.mark.parametrize(
    ("after", "edits", "said"),
    [
        (STOCK, [], []),
        (STOCK.replace("03-31", "04-30"), [SetArgument], ["as-of: 2020-03-31 → 2020-04-30"]),
        (STOCK.replace(" :as-of 2020-03-31", ""), [DropArgument], ["- as-of"]),
        (STOCK.replace("inventory.stock", "inventory.flow"), [SetVerb], ["inventory.stock → inventory.flow"]),
        (
            STOCK + '\n(duckdb.writer :needs [@stock] :format "csv" :path "a.csv" :as @file)',
            [AddStatement],
            ['+ (duckdb.writer :needs [@stock] :format "csv" :path "a.csv" :as @file)'],
        ),
    ],
)
def test_a_small_change_is_a_small_edit(after: str, edits: list[type[Edit]], said: list[str]) -> None:
    found = difference(program(STOCK), program(after))
    assert [type(each) for each in found] == edits
    assert [described(each) for each in found] == said


def test_an_edit_keeps_both_values() -> None:
    (edit,) = difference(program(STOCK), program(STOCK.replace("03-31", "04-30")))
    assert isinstance(edit, SetArgument)
    assert (edit.was, edit.argument.value) == (Date(dt.date(2020, 3, 31)), Date(dt.date(2020, 4, 30)))
