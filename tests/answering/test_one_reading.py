"""One reading that nobody is sure of is a question with a yes and a no."""

from typing import Final

import pytest

from dragoman.contracts.vocabulary import AnswerMode, ClarificationKind, Phase, TransitionClass
from tests.answering.told import COUNT, MOST, SHOPS, Talk

T, M = TransitionClass, AnswerMode


@pytest.fixture
def asked(told: Talk) -> Talk:
    told.planner.asks("the towns perhaps", (COUNT, 0.4))
    result = told.say("the towns perhaps")
    assert (result.transition, result.answer_mode) == (T.T1, M.CLARIFICATION_REQUIRED)
    pending = told.state.frames.clarification
    assert pending is not None
    assert pending.clarification_kind is ClarificationKind.CONFIRM_READING
    return told


def test_it_is_asked_whether_it_is_meant(asked: Talk) -> None:
    said = asked.workspace.turn_result(asked.session, 1)
    assert said.message.startswith("Do you mean: ")
    assert "more than one way" not in said.message
    assert len(said.options) == 1


YES: Final = [
    "yes",
    "Yes!",
    "ok",
    "that's right",
    "ja",
    "genau",
    "да",
    "конечно",
    "네",
    "맞아요",
    "1",
    "the first one",
]
NO: Final = ["no", "No.", "nein", "lieber nicht", "нет", "не надо", "아니요", "아니"]


@pytest.mark.parametrize("yes", YES)
def test_a_yes_of_any_language_answers_this_turn(asked: Talk, yes: str) -> None:
    result = asked.say(yes)
    assert (result.transition, result.answer_mode, result.rows) == (T.T7, M.CONFIRMED, ((4,),))
    assert asked.state.frames.clarification is None


def test_naming_it_answers_too(asked: Talk) -> None:
    pending = asked.state.frames.clarification
    assert pending is not None
    assert asked.say(pending.candidate_scopes[0].label).transition is T.T7


@pytest.mark.parametrize("no", NO)
def test_a_no_runs_nothing_and_asks_what_was_meant(asked: Talk, no: str) -> None:
    result = asked.say(no)
    assert (result.transition, result.answer_mode, result.rows) == (T.T7, M.NONE, ())
    assert asked.state.frames.clarification is None
    assert asked.state.answers.items == ()
    assert asked.state.program.phase is Phase.INTENT
    assert asked.say("yes").transition is T.T0, "the question is gone"


def test_what_stands_by_itself_drops_the_question(asked: Talk) -> None:
    asked.planner.takes("how many shops", (SHOPS, 0.9))
    result = asked.say("how many shops")
    assert (result.transition, result.answer_mode, result.rows) == (T.T1, M.CONFIRMED, ((3,),))
    assert asked.state.frames.clarification is None


def test_another_question_that_is_not_sure_takes_its_place(asked: Talk) -> None:
    asked.planner.asks("the shops perhaps", (SHOPS, 0.3))
    assert asked.say("the shops perhaps").transition is T.T1
    assert asked.say("yes").rows == ((3,),)


def test_what_nobody_understands_leaves_it_open(asked: Talk) -> None:
    result = asked.say("flurb wibble")
    assert (result.transition, result.answer_mode) == (T.T10, M.UNSUPPORTED), "no question of its own"
    assert "Still open: Do you mean: " in result.message
    assert asked.say("yes").rows == ((4,),)


def test_a_refusal_that_names_a_word_leaves_it_open_and_shows_it_again(asked: Talk) -> None:
    asked.planner.refuses("purple shops", "purple", (SHOPS, 0.6))
    result = asked.say("purple shops")
    assert (result.transition, result.reason_codes) == (T.T10, ("uncovered_words",))
    assert "“purple”" in result.message
    assert "Still open: Do you mean: " in result.message
    assert asked.say("yes").rows == ((4,),)


def test_none_of_these_and_undo_drop_it(asked: Talk) -> None:
    assert asked.say("none of these").transition is T.X_NONE
    assert asked.state.frames.clarification is None
    assert "Do you mean: " in asked.say("undo").message
    assert asked.say("yes").rows == ((4,),)


def test_several_are_not_answered_by_a_yes(told: Talk) -> None:
    told.planner.asks("big ones", (COUNT, 0.4), (MOST, 0.3))
    assert "Do you mean: " not in told.say("big ones").message
    assert told.say("yes").answer_mode is M.CLARIFICATION_REQUIRED
    assert told.say("the second one").route == "town.max"


def test_a_no_declines_several(told: Talk) -> None:
    told.planner.asks("big ones", (COUNT, 0.4), (MOST, 0.3))
    told.say("big ones")
    assert (told.say("no").answer_mode, told.state.frames.clarification) == (M.NONE, None)


def test_at_most_four_are_offered(told: Talk) -> None:
    many = [(f'(town.list :name "{n}")', 0.1) for n in range(7)]
    told.planner.asks("some", *many)
    assert len(told.say("some").options) == 4


@pytest.mark.parametrize(
    ("message", "asks"),
    [
        ("сколько городов примерно", "Вы имеете в виду: "),
        ("wie viele Städte ungefähr", "Meinen Sie: "),
        ("도시가 대략 몇 개", "이런 뜻입니까"),
    ],
)
def test_it_is_asked_in_the_language_of_the_message(told: Talk, message: str, asks: str) -> None:
    told.planner.asks(message, (COUNT, 0.4))
    assert asks in told.say(message).message


def test_a_program_with_a_call_in_it_comes_back_whole(told: Talk) -> None:
    above = '(town.list :columns "name" :people {:above (town.average :of "people")})'
    told.planner.asks("the larger towns perhaps", (above, 0.5))
    told.say("the larger towns perhaps")
    result = told.say("yes")
    assert (result.answer_mode, result.route, result.rows) == (M.CONFIRMED, "town.list", (("Bonn",),))
