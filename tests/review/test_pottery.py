"""Messages and programs over a pottery's database: plain pairs in `pottery.txt`, and what follow-ups keep."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman.review import Carried, Said
from tests.review.conftest import Outfitter, opened

HERE: Final = Path(__file__).parent
TEXT: Final = (HERE / "pottery.txt").read_text(encoding="utf-8")
LINES: Final = [line for line in TEXT.splitlines() if line and not line.startswith("#")]
CASES: Final = list(zip(LINES[::3], LINES[1::3], LINES[2::3], strict=True))


@pytest.fixture(scope="module")
def pottery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outfitter]:
    script = (HERE / "pottery.sql").read_text(encoding="utf-8")
    with opened(tmp_path_factory.mktemp("pottery") / "pottery.sqlite", script) as found:
        yield found


def _codes(pottery: Outfitter, message: str, program: str, before: str = "") -> set[str]:
    carried = Carried((Said("turn 1", "", pottery.program(before)),)) if before else None
    return {str(each.code) for each in pottery.review(message, program, carried).objections}


@pytest.mark.parametrize(("message", "program", "expected"), CASES)
def test_the_objections_to_a_program(message: str, program: str, expected: str, pottery: Outfitter) -> None:
    assert expected.startswith("=")
    assert _codes(pottery, message, program) == set(expected[1:].split())


def test_another_figure_keeps_the_groups(pottery: Outfitter) -> None:
    before = '(pots.average :of "price" :by "status")'
    assert "group_missing" in _codes(
        pottery, "now the average pieces instead", '(pots.average :of "pieces")', before
    )
    kept = '(pots.average :of "pieces" :by "status")'
    assert _codes(pottery, "now the average pieces instead", kept, before) == set()


def test_it_is_the_one_that_was_ranked_first(pottery: Outfitter) -> None:
    before = '(pots.list :columns ["name" "price"] :order {:desc "price"} :top 1)'
    everybody = '(potters.list :columns ["pt_fname" "pt_lname"])'
    assert "value_missing" in _codes(pottery, "who made it", everybody, before)
    one = '(potters.list :columns ["pt_fname" "pt_lname"] :where {:pots-by-potter {:id_ 3}})'
    assert "value_missing" not in _codes(pottery, "who made it", one, before)


def test_which_of_them_is_a_list(pottery: Outfitter) -> None:
    before = '(pots.count :status "sold")'
    narrowed = '(pots.count :status "sold" :where {:glaze {:name "Ash"}})'
    assert "measure_unasked" in _codes(pottery, "which of them have the glaze Ash", narrowed, before)
    listed = '(pots.list :status "sold" :where {:glaze {:name "Ash"}} :columns "name")'
    assert _codes(pottery, "which of them have the glaze Ash", listed, before) == set()


def test_some_of_the_first_are_not_the_first_of_some(pottery: Outfitter) -> None:
    before = '(pots.list :columns ["name" "price"] :order {:desc "price"} :top 2)'
    program = '(pots.list :status "sold" :columns ["name" "price"] :order {:desc "price"} :top 2)'
    assert "limit_unasked" in _codes(pottery, "which of them are sold", program, before)


def test_what_holds_now_holds_in_every_history(pottery: Outfitter) -> None:
    program = (
        '(crews.count :by "workshop_id" :columns ["workshop/name" "count"]'
        " :where {:potter {:leases-by-potter {:to_date 9999-01-01}}})"
    )
    message = "how many in the crews of each workshop have a lease now"
    assert "period_missing" in _codes(pottery, message, program)
    both = program.replace(" :where", " :to_date 9999-01-01 :where")
    assert "period_missing" not in _codes(pottery, message, both)


def test_what_was_counted_is_counted_again(pottery: Outfitter) -> None:
    before = '(loans.count :where {:return_workshop {:name "Kiln Yard"}})'
    places = '(loans.count :of "pot_id" :distinct true :where {:return_workshop {:name "Clay Loft"}})'
    assert "counted_missing" in _codes(pottery, "and how many at Clay Loft", places, before)
    assert "counted_missing" not in _codes(pottery, "and how many pots at Clay Loft", places, before)


def test_groups_are_not_held_to_the_one_that_came_first(pottery: Outfitter) -> None:
    before = '(pots.sum :of "price" :by "status" :order {:desc "sum"} :top 1)'
    first = '(pots.sum :of "price" :by "status" :order {:desc "sum"} :top 1 :columns "status")'
    program = f'(pots.sum :of "pieces" :by "status" :status {first})'
    assert "group_missing" in _codes(pottery, "and the pieces by status", program, before)
    every = '(pots.sum :of "pieces" :by "status")'
    assert _codes(pottery, "and the pieces by status", every, before) == set()


def test_another_figure_of_each_is_asked_of_all(pottery: Outfitter) -> None:
    before = '(pots.sum :of "pieces" :by "status" :order {:desc "sum"} :top 2)'
    program = '(pots.average :of "price" :by "status" :order {:desc "average"} :top 2)'
    assert "limit_unasked" in _codes(pottery, "and the average price per status", program, before)
    message = "and the average price per status of those"
    assert "limit_unasked" not in _codes(pottery, message, program, before)


def test_how_many_of_them_counts_them(pottery: Outfitter) -> None:
    before = "(pots.count)"
    message = "how many of them have a firing"
    assert "counted_missing" in _codes(pottery, message, "(firings.count)", before)
    own = "(pots.count :where {:firings-by-pot {:not nil}})"
    assert "counted_missing" not in _codes(pottery, message, own, before)


def test_what_is_added_stands_beside_the_rows(pottery: Outfitter) -> None:
    before = '(glazes.list :columns "name")'
    message = "with the average price"
    assert "group_missing" in _codes(pottery, message, '(pots.average :of "price")', before)
    each = '(pots.average :of "price" :by "glaze_id" :columns ["glaze/name" "average"])'
    assert "group_missing" not in _codes(pottery, message, each, before)


def test_a_total_over_everyone_has_no_groups(pottery: Outfitter) -> None:
    before = '(pots.sum :of "price" :by "status" :order {:desc "sum"} :top 1)'
    message = "and the total over everyone"
    assert "group_unasked" in _codes(pottery, message, before, before)
    assert "group_unasked" not in _codes(pottery, message, '(pots.sum :of "price")', before)
