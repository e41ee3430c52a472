"""Sure means right: what is confirmed is what was asked, and what is not sure is asked about or refused."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.catalog.homes import database_home
from dragoman.contracts.program import Statement
from dragoman.contracts.schema import ValueType
from dragoman.contracts.turn_result import ProgramOption, TurnResult
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.database_planner import DatabasePlanner
from dragoman.planning.tables.table_reading import TableReading
from tests.answering.told import program_of
from tests.planning.database.hire_shop import make, plain
from tests.planning.database.test_questions import QUESTIONS

T, M = TransitionClass, AnswerMode
Opener = Callable[[bool], Workspace]


@pytest.fixture
def opener(tmp_path: Path) -> Opener:
    """Opens the folder of the hire shop, with a second reader or without."""
    database_home(make(tmp_path / "hire_shop.sqlite"), tmp_path)
    return lambda review: Workspace.open(tmp_path, review=review)


@pytest.fixture
def workspace(opener: Opener) -> Iterator[Workspace]:
    with opener(True) as opened:
        yield opened


def _asked(workspace: Workspace, message: str) -> TurnResult:
    return workspace.ask(workspace.new_session(), message)


def _rows(result: TurnResult) -> list[str]:
    types = [ValueType(column.type) for column in result.columns]
    return sorted(" | ".join(map(plain, row, types)) for row in result.rows)


# Both planners and the second reader as they are.


def test_a_sure_question_is_confirmed(workspace: Workspace) -> None:
    result = _asked(workspace, "how many customers are from York")
    assert (result.transition, result.answer_mode, result.rows) == (T.T1, M.CONFIRMED, ((2,),))
    assert result.evidence[-1].snippet == "the second reader has no objection"


def test_what_is_confirmed_is_right_and_most_of_it_is(workspace: Workspace) -> None:
    confirmed = 0
    for question, *lines in QUESTIONS:
        result = _asked(workspace, question)
        if result.answer_mode is M.CONFIRMED:
            confirmed += 1
            assert _rows(result) == sorted(line[2:] for line in lines), (question, result.program)
        else:
            # Not sure: it is asked about, or refused by a word that is left over.
            assert result.answer_mode in (M.CLARIFICATION_REQUIRED, M.UNSUPPORTED), question
            assert all(isinstance(each, ProgramOption) for each in result.options), question
    assert confirmed >= 0.75 * len(QUESTIONS)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("items longer than average", "Step ladder | 1800, Roof ladder | 4200, Lawn mower | 1500"),
        (
            "items with a daily price above average",
            "Hammer drill | 20, Belt sander | 18.5, Lawn mower | 25, Chainsaw | 30",
        ),
        ("items that weigh more than the average", "Roof ladder | 18, Lawn mower | 32"),
        ("how many staff have a manager", "4"),
        ("which staff have a manager", "Ivo | Brandt, Tess | Moran, Karl | Dunne, Anja | Weiss"),
        ("in which cities do customers live", "Leeds, York, Hull"),
        ("highest and lowest salary", "52000 | 19000"),
        ("which item was booked most often", "Step ladder | 3"),
        ("the oldest item", "Belt sander | 2019-09-09"),
    ],
)
def test_what_is_easily_misread_is_right_or_not_answered(
    workspace: Workspace, question: str, right: str
) -> None:
    result = _asked(workspace, question)
    if result.answer_mode is M.CONFIRMED:
        assert _rows(result) == sorted(right.split(", ")), result.program
    else:
        assert result.answer_mode in (M.CLARIFICATION_REQUIRED, M.UNSUPPORTED)
        assert result.rows == ()
        assert bool(result.options) is (result.answer_mode is M.CLARIFICATION_REQUIRED)
        assert all(isinstance(each, ProgramOption) and program_of(each.program) for each in result.options)


@pytest.mark.parametrize(
    "message",
    [
        "how many purple customers are there",
        "how many happy customers are there",
        "loyal customers",
        "customers with tattoos",
        "average age of customers",
        "how many bookings were made by bicycle",
        "bookings of left-handed customers",
    ],
)
def test_with_a_word_left_over_nothing_is_confirmed(workspace: Workspace, message: str) -> None:
    result = _asked(workspace, message)
    assert result.answer_mode in (M.CLARIFICATION_REQUIRED, M.UNSUPPORTED), result.program
    assert result.rows == ()


def test_a_refusal_names_the_word_that_is_left_over(workspace: Workspace) -> None:
    result = _asked(workspace, "how many purple customers have tattoos")
    assert (result.transition, result.reason_codes) == (T.T10, ("uncovered_words",))
    assert "“purple”" in result.message
    assert "“tattoos”" in result.message


# A planner that is sure and wrong, and the second reader as it is.


class Hasty:
    """Readings that were given, judged by the second reader of the real planner."""

    def __init__(self, real: JointPlanner, readings: Sequence[tuple[str, float]]) -> None:
        self.objections = real.objections
        self.schema_words = real.schema_words
        self.in_english = real.in_english
        self._readings = tuple(
            TableReading(program_of(program)[0], probability) for program, probability in readings
        )

    def hearing(self, text: str, language: str) -> "Hasty":
        return self

    def readings(self, text: str, previous: Statement | None, *rest: object) -> tuple[TableReading, ...]:
        return self._readings


def _hasty(workspace: Workspace, *readings: tuple[str, float]) -> None:
    tables = next(each for each in workspace._open_services().planners if isinstance(each, DatabasePlanner))
    vars(tables)["_made"] = Hasty(tables.planner, readings)


LISTED: Final = '(customer.list :columns "last_name")'
NONE: Final = '(customer.list :where {:booking-by-customer nil} :columns "last_name")'
MESSAGE: Final = "last names of customers without bookings"


def test_an_objection_ends_in_a_question_whose_options_are_programs_and_a_yes_answers_it(
    workspace: Workspace,
) -> None:
    _hasty(workspace, (LISTED, 0.95))
    session = workspace.new_session()
    asked = workspace.ask(session, MESSAGE)
    assert (asked.transition, asked.answer_mode, asked.rows) == (T.T1, M.CLARIFICATION_REQUIRED, ())
    (option,) = asked.options
    assert isinstance(option, ProgramOption)
    assert program_of(option.program)[0].arguments == program_of(LISTED)[0].arguments
    answered = workspace.ask(session, "yes")
    assert (answered.answer_mode, len(answered.rows)) == (M.CONFIRMED, 6)


def test_what_nobody_objects_to_is_offered_before_the_best(workspace: Workspace) -> None:
    _hasty(workspace, (LISTED, 0.9), (NONE, 0.5))
    session = workspace.new_session()
    asked = workspace.ask(session, MESSAGE)
    assert asked.answer_mode is M.CLARIFICATION_REQUIRED
    programs = [each.program for each in asked.options if isinstance(each, ProgramOption)]
    assert ["booking-by-customer" in each for each in programs] == [True, False]
    assert workspace.ask(session, "the first one").rows == (("Costa",),)


def test_without_a_second_reader_the_same_reading_is_confirmed(opener: Opener) -> None:
    with opener(False) as workspace:
        _hasty(workspace, (LISTED, 0.95))
        result = _asked(workspace, MESSAGE)
    assert (result.answer_mode, len(result.rows)) == (M.CONFIRMED, 6), "wrong, and nobody objects"
    assert not any("second reader" in each.snippet for each in result.evidence)


def test_the_right_reading_passes_the_second_reader(workspace: Workspace) -> None:
    _hasty(workspace, (NONE, 0.95))
    result = _asked(workspace, MESSAGE)
    assert (result.answer_mode, result.rows) == (M.CONFIRMED, (("Costa",),))
