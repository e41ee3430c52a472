"""A likely reading is taken where nothing that is offered beside it is a rival."""

from typing import Final

import pytest
from msgspec.structs import replace

from dragoman.contracts.program import Statement
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.database.belief import believed
from dragoman.planning.database.detours import Detours
from dragoman.planning.database.hearing import Heard, is_sure
from dragoman.planning.database.judgement import Framed, Learned
from dragoman.planning.database.planner import Reading
from dragoman.planning.tables.table_reading import TableReading
from tests.planning.database.hire_shop import HireShop

QUESTION: Final = "how many items are retired"


def _statement(program: str) -> Statement:
    return read_verbs(Source(program)).statements[0]


RIVAL: Final = _statement("(staff.count)")
DETOUR: Final = _statement("(item.count :is_retired true :where {:booking_line-by-item {:not nil}})")


class Believer:
    """Asks about the best reading of one question, with others offered beside it."""

    def __init__(self, hire_shop: HireShop) -> None:
        self.text = QUESTION
        self._things = hire_shop.planner.things
        best = hire_shop.planner.heard(QUESTION).frames[0]
        self.best: Reading = replace(best, score=3.0, guesses=(), uncovered=())
        self.objected: set[Statement] = set()
        self.nothing: set[Statement] = set()
        self.learned: Learned | None = None
        self.judged = 0.7
        self.offered = 0.6

    def sure(self, *others: tuple[Statement, float]) -> bool:
        """Whether the best is sure beside others that are offered, each as likely as it says."""
        return is_sure(self.found(*others)[0])

    def found(self, *others: tuple[Statement, float]) -> tuple[TableReading, ...]:
        framed = Framed(self.best, 0, 1.0, None)
        offered = TableReading(self.best.statement, self.offered, self.best.uncovered)
        frames = (self.best, *(replace(self.best, statement=each, score=2.9) for each, _ in others))
        return believed(
            (offered, *(TableReading(each, score) for each, score in others)),
            (replace(offered, score=self.judged),),
            Heard(frames, (), framed, self.learned),
            Detours(self.text, self._things, lambda each: each not in self.objected),
            lambda each: each not in self.objected | self.nothing,
        )


@pytest.fixture
def believer(hire_shop: HireShop) -> Believer:
    return Believer(hire_shop)


def test_with_nothing_beside_it_it_is_taken(believer: Believer) -> None:
    assert believer.sure()


def test_a_detour_is_not_in_the_way_and_a_rival_is(believer: Believer) -> None:
    assert believer.sure((DETOUR, 0.5))
    assert not believer.sure((RIVAL, 0.5))
    believer.objected = {RIVAL}
    assert believer.sure((RIVAL, 0.5))


def test_what_is_left_for_others_is_what_it_leaves_them(believer: Believer) -> None:
    assert [each.score for each in believer.found((DETOUR, 0.5))] == [0.79, 0.21]


def test_what_finds_nothing_or_is_not_likely_is_asked_about(believer: Believer) -> None:
    believer.nothing = {believer.best.statement}
    assert not believer.sure()
    believer.nothing = set()
    believer.judged = 0.6
    assert not believer.sure()
    believer.judged, believer.offered = 0.7, 0.45
    assert not believer.sure()


@pytest.mark.parametrize("guess", ["word", "value", "unit"])
def test_a_guess_at_a_word_is_believed(believer: Believer, guess: str) -> None:
    believer.best = replace(believer.best, guesses=(guess,))
    assert believer.sure()


@pytest.mark.parametrize("guess", ["time", "money", "number"])
def test_what_no_word_says_is_asked_about(believer: Believer, guess: str) -> None:
    believer.best = replace(believer.best, guesses=(guess,))
    assert not believer.sure()


@pytest.mark.parametrize(
    "program",
    [
        '(item.count :of "name" :distinct true)',
        '(item.min :of "daily_price" :by "category_id")',
        '(item.list :with "booking_line-by-item")',
    ],
)
def test_what_is_often_meant_otherwise_is_asked_about(believer: Believer, program: str) -> None:
    believer.best = replace(believer.best, statement=_statement(program))
    assert not believer.sure()


@pytest.mark.parametrize(
    "program", ['(item.average :of "daily_price" :by "category_id")', '(item.min :of "daily_price")']
)
def test_a_plain_figure_is_believed(believer: Believer, program: str) -> None:
    believer.best = replace(believer.best, statement=_statement(program))
    assert believer.sure()


def test_from_where_on_rows_are_expensive_is_asked_about(believer: Believer) -> None:
    shown = '(item.list :columns ["name" "daily_price"])'
    believer.best = replace(believer.best, statement=_statement(shown))
    assert believer.sure()
    believer.text = "items that were paid late in the day"
    assert not believer.sure()
    believer.text = "items that were paid by card"
    assert believer.sure()
    believer.text = "expensive items of ours"
    assert not believer.sure()
    for held in ('(item.list :order {:desc "daily_price"})', "(item.list :daily_price {:above 20})"):
        believer.best = replace(believer.best, statement=_statement(held))
        assert believer.sure()


def test_what_leaves_a_word_out_is_asked_about(believer: Believer) -> None:
    believer.best = replace(believer.best, uncovered=("retired",))
    assert not believer.sure()


def test_another_planner_that_is_sure_of_something_else_is_in_the_way(believer: Believer) -> None:
    believer.learned = Learned(TableReading(RIVAL, 0.9), 0, 1.0, None)
    assert not believer.sure()
    for harmless in (
        replace(believer.learned, objections=1),
        replace(believer.learned, reading=TableReading(RIVAL, 0.9, uncovered=("retired",))),
        replace(believer.learned, reading=TableReading(RIVAL, 0.6)),
        replace(believer.learned, reading=TableReading(DETOUR, 0.9)),
    ):
        believer.learned = harmless
        assert believer.sure()
