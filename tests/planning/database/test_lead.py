"""A question whose best reading leads: nothing speaks against it, and something against all that are near."""

from typing import Final

import pytest
from msgspec.structs import replace

from dragoman.contracts.program import Statement
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.database import hearing
from dragoman.planning.database.hearing import THRESHOLD, Heard, chances
from dragoman.planning.database.judgement import Framed
from dragoman.planning.database.planner import Reading
from dragoman.planning.database.told_readings import lead
from tests.planning.database.hire_shop import HireShop

QUESTION: Final = "how many items are retired"
ALONE: Final = 3.0
NEARLY: Final = 0.7


@pytest.fixture
def readings(hire_shop: HireShop) -> tuple[Reading, Reading, Reading]:
    """Three readings that ask different things, half a point apart."""
    best = hire_shop.planner.heard(QUESTION).frames[0]
    others = [read_verbs(Source(f"({verb})")).statements[0] for verb in ("staff.count", "booking.count")]
    first = replace(best, score=3.0, guesses=(), uncovered=())
    second, third = (
        replace(first, statement=each, score=3.0 - 0.5 * place) for place, each in enumerate(others, 1)
    )
    return first, second, third


def test_what_is_objected_to_is_not_in_the_way(readings: tuple[Reading, Reading, Reading]) -> None:
    objected: set[Statement] = set()
    found = []
    for reading in readings[1:]:
        found.append(lead(readings, lambda each: each.statement in objected, ALONE))
        objected.add(reading.statement)
    found.append(lead(readings, lambda each: each.statement in objected, ALONE))
    assert found == [0.5, 1.0, ALONE]


def test_what_leaves_a_word_out_is_not_in_the_way(readings: tuple[Reading, Reading, Reading]) -> None:
    best, second, third = readings
    assert lead((best, replace(second, uncovered=("retired",)), third), lambda each: 0, ALONE) == 1.0


@pytest.fixture
def nearly_sure(
    monkeypatch: pytest.MonkeyPatch, readings: tuple[Reading, Reading, Reading]
) -> tuple[Heard, Framed]:
    """A question whose best reading is likely, by the weights alone, but not likely enough."""
    monkeypatch.setattr(hearing, "probability", lambda weights, marks: NEARLY)
    framed = Framed(readings[0], objections=0, margin=0.1, learned_place=None, lead=0.6)
    return Heard(readings, (), framed, None), framed


def test_a_reading_that_leads_is_taken(nearly_sure: tuple[Heard, Framed]) -> None:
    heard, _ = nearly_sure
    assert chances(QUESTION, heard, None)[0] == THRESHOLD


def test_a_reading_that_does_not_lead_is_as_likely_as_it_was(nearly_sure: tuple[Heard, Framed]) -> None:
    heard, framed = nearly_sure
    best, follow_up = framed.reading, framed.reading.statement
    multiplied = read_verbs(Source('(item.list :with "hire-by-item")')).statements[0]
    for other in (
        replace(framed, lead=0.4),
        replace(framed, objections=1),
        replace(framed, reading=replace(best, uncovered=("retired",))),
        replace(framed, reading=replace(best, guesses=("word",))),
        replace(framed, reading=replace(best, statement=multiplied)),
    ):
        assert chances(QUESTION, replace(heard, framed=other), None)[0] == NEARLY
    # What was asked before is weighed in another way.
    assert chances(QUESTION, heard, follow_up)[0] != THRESHOLD


def test_a_unit_that_is_converted_is_no_guess(nearly_sure: tuple[Heard, Framed]) -> None:
    heard, framed = nearly_sure
    converted = replace(framed, reading=replace(framed.reading, guesses=("unit",)))
    assert chances(QUESTION, replace(heard, framed=converted), None)[0] == THRESHOLD


@pytest.fixture
def nearly_sure_edit(nearly_sure: tuple[Heard, Framed]) -> tuple[Heard, Framed]:
    """A message that points at what is in hand, and its best reading changes that."""
    heard, framed = nearly_sure
    exact = replace(framed.reading.support, weakest=1.0, weakest_value=1.0)
    edit = replace(framed, reading=replace(framed.reading, follows=True, leans=1.0, support=exact))
    return replace(heard, framed=edit), edit


def test_an_edit_that_is_ahead_is_taken(nearly_sure_edit: tuple[Heard, Framed]) -> None:
    heard, framed = nearly_sure_edit
    ahead = replace(heard, framed=replace(framed, lead=0.35))
    assert chances(QUESTION, ahead, framed.reading.statement)[0] == THRESHOLD


def test_an_edit_that_is_not_ahead_is_as_likely_as_it_was(nearly_sure_edit: tuple[Heard, Framed]) -> None:
    heard, framed = nearly_sure_edit
    best, before = framed.reading, framed.reading.statement
    for other in (
        replace(framed, lead=0.2),
        replace(framed, objections=1),
        replace(framed, reading=replace(best, guesses=("top",))),
        replace(framed, reading=replace(best, follows=False)),
        replace(framed, reading=replace(best, leans=0.5)),
        replace(framed, reading=replace(best, support=replace(best.support, weakest=0.8))),
    ):
        assert chances(QUESTION, replace(heard, framed=other), before)[0] == NEARLY
