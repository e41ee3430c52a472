"""A question over tables that was not answered is kept as an attempt; a follow-up on it is asked about."""

import pytest

from dragoman.contracts.state import AttemptReading, AttemptState
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass
from dragoman.planning.contract import Candidate
from tests.answering.told import COUNT, MOST, NAMES, SHOPS, Talk, program_of

T, M = TransitionClass, AnswerMode
BONN = '(town.count :name "Bonn")'


def _attempt(message: str, *readings: tuple[str, float]) -> AttemptState:
    return AttemptState(message, tuple(AttemptReading(program_of(text), chance) for text, chance in readings))


BLUE_TOWNS = _attempt("blue towns", (COUNT, 0.6), (MOST, 0.5))


@pytest.fixture
def answered(told: Talk) -> Talk:
    told.planner.takes("how many shops", (SHOPS, 0.9))
    assert told.say("how many shops").answer_mode is M.CONFIRMED
    assert told.state.attempt is None
    return told


def _refused(talk: Talk) -> None:
    talk.planner.refuses("blue towns", "blue", (COUNT, 0.6), (MOST, 0.5))
    assert talk.say("blue towns").transition is T.T10


def _asked(talk: Talk) -> None:
    talk.planner.asks("the towns perhaps", (COUNT, 0.4))
    assert talk.say("the towns perhaps").answer_mode is M.CLARIFICATION_REQUIRED


def test_the_readings_of_a_refused_turn_are_kept_beside_the_frames(answered: Talk) -> None:
    before = answered.state
    _refused(answered)
    after = answered.state
    assert after.attempt == BLUE_TOWNS
    assert (after.frames, after.program) == (before.frames, before.program), "a boundary leaves them"


def test_the_readings_of_a_question_are_kept(told: Talk) -> None:
    _asked(told)
    assert told.state.attempt == _attempt("the towns perhaps", (COUNT, 0.4))


def test_a_turn_without_a_reading_is_kept_without_a_program(told: Talk) -> None:
    told.say("flurb wibble")
    assert told.state.attempt == AttemptState("flurb wibble")


def test_what_goes_on_from_the_last_answer_is_about_something_here(answered: Talk) -> None:
    answered.planner.refuses("by shelf", "shelf")
    answered.say("by shelf")
    assert answered.state.attempt == AttemptState("by shelf")


def test_how_many_is_asked_of_something_here(answered: Talk) -> None:
    answered.planner.refuses("how many are still open", "still", (COUNT, 0.1))
    answered.say("how many are still open")
    assert answered.state.attempt == _attempt("how many are still open", (COUNT, 0.1))


def test_a_message_about_nothing_here_leaves_the_last_answer_in_hand(answered: Talk) -> None:
    """A boundary leaves the frames: what is said next goes on from the slice, and not from the weather."""
    answered.planner.refuses("what is the weather like", "weather")
    answered.say("what is the weather like")
    assert answered.state.attempt is None
    answered.planner.refuses("blue weather in towns", "blue", (COUNT, 0.6))
    answered.say("blue weather in towns")
    assert answered.state.attempt is not None, "towns are something here"


def test_what_has_no_reading_does_not_replace_what_has_one(answered: Talk) -> None:
    _refused(answered)
    answered.say("flurb wobble")
    attempt = answered.state.attempt
    assert attempt is not None
    assert attempt.message == "blue towns", "what has no reading does not replace what has one"


def test_planners_get_it_as_the_program_in_hand(answered: Talk) -> None:
    _refused(answered)
    answered.say("only in Bonn")
    continuity = answered.planner.asked[-1].continuity
    assert continuity.attempt == BLUE_TOWNS
    assert continuity.in_hand == program_of(COUNT)
    assert continuity.base == program_of(SHOPS)


@pytest.mark.parametrize("unanswered", [_refused, _asked])
def test_a_sure_follow_up_on_it_enters_as_a_question_of_its_own_and_is_asked_about(
    answered: Talk, unanswered: object
) -> None:
    assert callable(unanswered)
    unanswered(answered)
    answered.planner.takes("only in Bonn", (BONN, 0.95), follows=True)
    result = answered.say("only in Bonn")
    assert (result.entry_transition, result.answer_mode) == (T.T1, M.CLARIFICATION_REQUIRED)
    assert "Do you mean: " in result.message
    assert answered.state.attempt == _attempt("only in Bonn", (BONN, 0.95))
    confirmed = answered.say("yes")
    assert (confirmed.transition, confirmed.answer_mode, confirmed.rows) == (T.T7, M.CONFIRMED, ((1,),))
    assert answered.state.attempt is None


def test_once_it_is_confirmed_follow_ups_go_on_as_always(answered: Talk) -> None:
    _asked(answered)
    assert answered.say("да").rows == ((4,),)
    answered.planner.takes("only in Bonn", (BONN, 0.95), follows=True)
    result = answered.say("only in Bonn")
    assert (result.transition, result.answer_mode) == (T.T2, M.CONFIRMED)


def test_a_follow_up_of_a_follow_up_is_asked_about_too(answered: Talk) -> None:
    _refused(answered)
    answered.planner.takes("only in Bonn", (BONN, 0.95), follows=True)
    answered.planner.takes("their names", (NAMES, 0.95), follows=True)
    answered.say("only in Bonn")
    assert answered.say("their names").answer_mode is M.CLARIFICATION_REQUIRED
    assert answered.state.attempt == _attempt("their names", (NAMES, 0.95))


def test_a_planner_that_hides_that_it_follows_is_not_believed(answered: Talk) -> None:
    """It says that its candidate stands by itself, and that it is of the domain in hand."""
    _refused(answered)
    answered.planner.takes("only in Bonn", (BONN, 0.95), follows=True)
    known = answered.planner.known["only in Bonn"]
    hidden = tuple(Candidate(each.program, each.edits, each.probability) for each in known.candidates)
    answered.planner.hide("only in Bonn", hidden)
    assert answered.say("only in Bonn").answer_mode is M.CLARIFICATION_REQUIRED


def test_what_stands_by_itself_is_answered_and_ends_the_attempt(answered: Talk) -> None:
    _refused(answered)
    answered.planner.takes("how many towns", (COUNT, 0.9))
    result = answered.say("how many towns")
    assert (result.transition, result.answer_mode) == (T.T1, M.CONFIRMED)
    assert answered.state.attempt is None


@pytest.mark.parametrize("word", ["undo", "start over", "(town.count :as @towns)"])
def test_it_is_gone_at_undo_clear_and_edit(answered: Talk, word: str) -> None:
    _refused(answered)
    answered.say(word)
    assert answered.state.attempt is None


@pytest.mark.parametrize("talk", ["thanks", "help", "what did we find out so far?"])
def test_talk_leaves_it(answered: Talk, talk: str) -> None:
    _refused(answered)
    answered.say(talk)
    assert answered.state.attempt is not None


@pytest.mark.parametrize("no", ["no", "nein", "нет", "아니요", "none of these"])
def test_a_no_leaves_a_question_without_a_reading(answered: Talk, no: str) -> None:
    _asked(answered)
    answered.say(no)
    assert answered.state.attempt == AttemptState("the towns perhaps")
    answered.planner.takes("only in Bonn", (BONN, 0.95), follows=True)
    assert answered.say("only in Bonn").answer_mode is M.CLARIFICATION_REQUIRED


def test_an_answer_that_undo_took_back_is_not_followed_for_granted(told: Talk) -> None:
    _asked(told)
    told.say("yes")
    assert "Do you mean: " in told.say("undo").message
    told.planner.takes("only in Bonn", (BONN, 0.95), follows=True)
    assert told.say("only in Bonn").answer_mode is M.CLARIFICATION_REQUIRED


def test_every_record_of_it_replays(answered: Talk) -> None:
    _refused(answered)
    answered.planner.takes("only in Bonn", (BONN, 0.95), follows=True)
    answered.say("only in Bonn")
    answered.say("yes")
    assert answered.workspace.replay(answered.session).records == 5
