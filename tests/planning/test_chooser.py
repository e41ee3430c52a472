"""One scale for all planners: the most certain proposal is taken, and a certain one ends the asking."""

import datetime as dt
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.errors import InternalError
from dragoman.contracts.state import SessionState
from dragoman.contracts.vocabulary import Signal
from dragoman.planning.chooser import choose
from dragoman.planning.contract import (
    CERTAIN,
    LIKELY,
    POSSIBLE,
    UNKNOWN,
    Asked,
    Candidate,
    Options,
    Proposal,
    Refusal,
)
from dragoman.reading.reading import Reading
from dragoman.session.continuity import resolve


class Sure:
    """A planner that is always as sure as it was made."""

    def __init__(self, name: str, certainty: float | None) -> None:
        self.name = name
        self._certainty = certainty
        self.asked = 0

    def propose(self, asked: Asked) -> Proposal | None:
        self.asked += 1
        if self._certainty is None:
            return None
        return Proposal(self.name, (Signal.REQUEST,), self._certainty)


@pytest.fixture
def asked() -> Asked:
    state = SessionState()
    day = dt.date(2020, 7, 1)
    return Asked("?", Reading("en"), resolve(state), state, Catalog(Path(), shipped="trade"), day)


@pytest.mark.parametrize(
    ("certainties", "taken"),
    [
        ((0.3, 0.9), 1),
        ((0.9, 0.3), 0),
        ((0.5, 0.5), 0),
        ((None, POSSIBLE, LIKELY), 2),
        ((UNKNOWN, None), 0),
        ((LIKELY, LIKELY + 0.01), 1),
    ],
)
def test_the_most_certain_proposal_is_taken(
    asked: Asked, certainties: tuple[float | None, ...], taken: int
) -> None:
    planners = [Sure(str(place), certainty) for place, certainty in enumerate(certainties)]
    assert choose(planners, asked).planner == str(taken)
    assert [each.asked for each in planners] == [1] * len(planners)


def test_a_certain_proposal_ends_the_asking(asked: Asked) -> None:
    first, certain, never = Sure("a", POSSIBLE), Sure("b", CERTAIN), Sure("c", CERTAIN)
    assert choose([first, certain, never], asked).planner == "b"
    assert (first.asked, certain.asked, never.asked) == (1, 1, 0)


def test_somebody_has_to_say_something(asked: Asked) -> None:
    with pytest.raises(InternalError):
        choose([Sure("a", None)], asked)


class Fixed:
    """A planner that always says the same."""

    name = "fixed"

    def __init__(self, proposal: Proposal) -> None:
        self._proposal = proposal

    def propose(self, asked: Asked) -> Proposal | None:
        return self._proposal


_PASSAGE: Final = Proposal("texts", (Signal.REQUEST,), POSSIBLE, (Candidate((), (), 0.9),), instead=True)


@pytest.mark.parametrize(
    ("signals", "refuses", "asks", "taken"),
    [
        ((Signal.UNCOVERED,), Refusal("uncovered_words"), None, "texts"),
        ((Signal.UNCOVERED,), None, None, "texts"),
        ((Signal.REQUEST,), None, None, "other"),
        ((Signal.REQUEST,), None, Options(), "other"),
        ((Signal.UNCOVERED, Signal.WRITE_REQUEST), Refusal("write_not_supported"), None, "other"),
    ],
)
def test_an_answer_may_stand_in_for_a_refusal_and_for_nothing_else(
    asked: Asked, signals: tuple[Signal, ...], refuses: Refusal | None, asks: Options | None, taken: str
) -> None:
    other = Proposal("other", signals, LIKELY, refuses=refuses, asks=asks)
    assert choose([Fixed(other), Fixed(_PASSAGE)], asked).planner == taken
    assert choose([Fixed(other), Fixed(replace(_PASSAGE, instead=False))], asked).planner == "other"
