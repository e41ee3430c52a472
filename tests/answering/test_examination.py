"""Before an answer: rival readings are run, and a second reader may object."""

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from dragoman.cli.inspection import why
from dragoman.contracts import events as ev
from dragoman.contracts.objection import Objection
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass
from dragoman.planning import rivals
from dragoman.planning.contract import Asked, Candidate
from tests.answering.told import COUNT, MOST, NAMES, ONCE, SHOPS, Talk

T, M = TransitionClass, AnswerMode
LACKS = Objection("negation_missing", ("without",), "“without” is not in it")


class Reader:
    """A second reader that objects to the verbs it was given."""

    def __init__(self, *verbs: str) -> None:
        self._verbs = verbs
        self.looked_at: list[str] = []

    def __call__(self, asked: Asked, candidate: Candidate) -> tuple[Objection, ...]:
        verb = candidate.program[0].verb
        self.looked_at.append(verb)
        return (LACKS,) if verb in self._verbs else ()


def _objecting(told: Talk, *verbs: str, certain: bool = False) -> Reader:
    reader = Reader(*verbs)
    told.services = replace(told.services, objector=reader, objects_to_certain=certain)
    return reader


def _reviews(told: Talk) -> list[tuple[str, tuple[str, ...]]]:
    return [
        (event.program, tuple(each.code for each in event.objections))
        for event in told.events()
        if isinstance(event, ev.ReadingReviewed)
    ]


# The second reader.


def test_without_an_objection_it_is_answered_and_the_evidence_says_so(told: Talk) -> None:
    _objecting(told)
    told.planner.takes("towns", (COUNT, 0.9))
    result = told.say("towns")
    assert (result.answer_mode, result.rows) == (M.CONFIRMED, ((4,),))
    assert result.evidence[-1].snippet == "the second reader has no objection"
    assert _reviews(told) == [("town.count", ())]


def test_an_objection_makes_it_a_question_that_a_yes_answers(told: Talk) -> None:
    reader = _objecting(told, "town.count")
    told.planner.takes("towns without shops", (COUNT, 0.9), (SHOPS, 0.02))
    asked = told.say("towns without shops")
    assert (asked.transition, asked.answer_mode, asked.rows) == (T.T1, M.CLARIFICATION_REQUIRED, ())
    assert "Do you mean: " in asked.message
    assert _reviews(told) == [("town.count", ("negation_missing",))]
    looked = len(reader.looked_at)
    assert told.say("yes").rows == ((4,),), "what a person confirms is not objected to again"
    assert len(reader.looked_at) == looked


def test_near_readings_that_nobody_objects_to_are_offered_first(told: Talk) -> None:
    _objecting(told, "town.count")
    told.planner.takes("towns", (COUNT, 0.9), (MOST, 0.5), (SHOPS, 0.1), (ONCE, 0.02))
    told.say("towns")
    assert told.offered == ["town.max", "town.count", "shop.count"]


def test_an_unlikely_reading_with_an_objection_is_refused_by_its_words(told: Talk) -> None:
    _objecting(told, "town.count")
    told.planner.takes("towns without shops", (COUNT, 0.5))
    result = told.say("towns without shops")
    assert (result.transition, result.reason_codes) == (T.T10, ("uncovered_words",))
    assert "“without”" in result.message
    assert _reviews(told) == [("town.count", ("negation_missing",))], "the verdict outlives the boundary"


def test_of_a_question_too_the_unobjected_come_first(told: Talk) -> None:
    _objecting(told, "town.count")
    told.planner.asks("big ones", (COUNT, 0.4), (MOST, 0.3))
    told.say("big ones")
    assert told.offered == ["town.max", "town.count"]


def test_a_refusal_is_not_reviewed(told: Talk) -> None:
    reader = _objecting(told, "town.count")
    told.planner.refuses("blue towns", "blue", (COUNT, 0.6))
    assert told.say("blue towns").transition is T.T10
    assert reader.looked_at == []


@pytest.mark.parametrize("certain", [False, True])
def test_what_is_certain_is_spared_unless_said_otherwise(told: Talk, certain: bool) -> None:
    reader = _objecting(told, "town.count", certain=certain)
    told.planner.takes("towns", (COUNT, 1.0), certainty=1.0)
    assert (told.say("towns").answer_mode is M.CONFIRMED) is not certain
    assert bool(reader.looked_at) is certain


def test_a_program_that_a_person_wrote_is_not_objected_to(told: Talk) -> None:
    reader = _objecting(told, "town.count")
    told.say("(town.count :as @towns)")
    assert told.say("run it").rows == ((4,),)
    assert reader.looked_at == []


# Rival readings.


def _ran(told: Talk) -> list[tuple[str, bool, str]]:
    (run,) = [event for event in told.events() if isinstance(event, ev.RivalsRun)]
    return [(each.program, each.same, each.problem) for each in run.results]


def test_rivals_that_give_the_same_are_one(told: Talk) -> None:
    told.planner.asks("the towns", (NAMES, 0.4), (ONCE, 0.3), rivals=True)
    result = told.say("the towns")
    assert (result.transition, result.answer_mode, result.row_count) == (T.T1, M.CONFIRMED, 4)
    assert [same for _, same, _ in _ran(told)] == [True, True]


def test_rivals_that_differ_are_asked_about_once_each(told: Talk) -> None:
    told.planner.takes("the towns", (NAMES, 0.9), (ONCE, 0.8), (COUNT, 0.7), (MOST, 0.1), rivals=True)
    result = told.say("the towns")
    assert (result.transition, result.answer_mode) == (T.T1, M.CLARIFICATION_REQUIRED)
    assert told.offered == ["town.list", "town.count"]


def test_the_order_of_rows_is_a_difference_where_it_was_asked_for(told: Talk) -> None:
    up = '(town.list :columns "name" :order {:asc "name"})'
    told.planner.takes("towns", (up, 0.9), (up.replace("asc", "desc"), 0.8), rivals=True)
    assert told.say("towns").answer_mode is M.CLARIFICATION_REQUIRED


def test_a_rival_that_fails_is_no_rival(told: Talk) -> None:
    told.planner.takes("towns", (COUNT, 0.9), ('(town.sum :of "colour")', 0.8), rivals=True)
    assert told.say("towns").answer_mode is M.CONFIRMED
    assert [bool(problem) for _, _, problem in _ran(told)] == [False, True]


def test_nothing_agrees_with_nothing(told: Talk) -> None:
    none = '(town.list :name "Rome")'
    told.planner.asks("rome", (none, 0.4), (none.replace("Rome", "Roma"), 0.4), rivals=True)
    assert told.say("rome").answer_mode is M.CLARIFICATION_REQUIRED


def test_what_lies_beyond_the_limit_counts(told: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rivals, "LIMITS", ReadLimits(rows=2, seconds=2.0))
    told.planner.takes("towns", (NAMES, 0.9), ('(town.list :columns "name" :limit 2)', 0.8), rivals=True)
    assert told.say("towns").answer_mode is M.CLARIFICATION_REQUIRED


def test_without_the_mark_nothing_is_run(told: Talk) -> None:
    told.planner.takes("the towns", (NAMES, 0.9), (COUNT, 0.8))
    assert told.say("the towns").answer_mode is M.CONFIRMED
    assert not any(isinstance(event, ev.RivalsRun) for event in told.events())


def test_what_was_found_is_on_record_and_replays(told: Talk) -> None:
    _objecting(told, "town.count")
    told.planner.takes("the towns", (NAMES, 0.9), (COUNT, 0.8), rivals=True)
    told.say("the towns")
    assert told.workspace.replay(told.session).records == 2
    shown = CliRunner().invoke(why, [told.session, "1", "-w", str(told.workspace.folder)])
    assert shown.exit_code == 0, shown.output
    assert "ran town.count: 1 row, others" in shown.output
    assert "second reader objects to town.count: negation_missing: “without” is not in it" in shown.output
    assert "second reader: no objection to town.list" in shown.output
