"""What a model says beside the embedded planners, and what becomes of it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dragoman.cli.application import dragoman as application
from dragoman.contracts import events as ev
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import ModelCancelled, ModelReplyEmpty, ModelTimeout, TurnCancelled
from dragoman.contracts.model import ModelReply, ModelRequest
from dragoman.contracts.model_events import ModelText
from dragoman.contracts.model_settings import ModelUse
from dragoman.contracts.vocabulary import AnswerMode, ModelOutcome, TransitionClass
from tests.planning.model.ground import OFFERED, PLAN, REFUSED, RENT, SURE, Said, ScriptedModel, Shop

COUNT = "(customer.count)"
WRONG = '(customer.count :city "Leeds")'
BOOKINGS = (
    '(booking.count :by "customer_id" :columns ["customer/first_name" "customer/last_name" "count"]'
    ' :order {:desc "count"} :top 1)'
)
REVENUE = (
    '(booking_line.sum :of {:times ["quantity" "unit_price"]} :by "booking/customer_id"'
    ' :columns ["booking/customer/first_name" "booking/customer/last_name" "sum"]'
    ' :order {:desc "sum"} :top 1)'
)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Callable[..., Shop]]:
    opened: list[Shop] = []

    def make(*script: Said, **said: Any) -> Shop:
        opened.append(Shop(tmp_path / str(len(opened)), *script, **said))
        return opened[-1]

    yield make
    for each in opened:
        each.workspace.close()


Opening = Callable[..., Shop]


# When it is asked.


def test_it_is_not_asked_where_somebody_is_sure(shop: Opening) -> None:
    asked = shop({"program": WRONG})
    assert asked.ask(SURE).answer_mode is AnswerMode.CONFIRMED
    assert asked.model.requests == []
    assert "model_asked" not in asked.kinds()


@pytest.mark.parametrize("message", ["hello", "help", "undo", "clear", "revenue means price times quantity"])
def test_a_move_of_the_conversation_is_no_question_for_it(shop: Opening, message: str) -> None:
    asked = shop({"program": COUNT}, when=ModelUse.ALWAYS)
    asked.ask(message)
    assert asked.model.requests == []


def test_it_is_never_asked_where_the_settings_say_so(shop: Opening) -> None:
    asked = shop({"program": RENT}, when=ModelUse.NEVER)
    assert asked.ask(REFUSED).answer_mode is AnswerMode.UNSUPPORTED
    assert asked.model.requests == []


def test_what_a_person_picks_is_theirs(shop: Opening) -> None:
    asked = shop({"choice": 2}, when=ModelUse.ALWAYS)
    asked.ask(OFFERED)
    before = len(asked.model.requests)
    assert asked.ask("the second one").answer_mode is AnswerMode.CONFIRMED
    assert len(asked.model.requests) == before


# What two voices make together.


def test_the_first_reading_that_was_offered_is_taken_on_its_word(shop: Opening) -> None:
    asked = shop({"choice": 1})
    result = asked.ask(OFFERED)
    assert result.answer_mode is AnswerMode.CONFIRMED
    assert result.program.startswith("(booking_line.sum")
    assert asked.asked.outcome is ModelOutcome.CHOICE


def test_a_program_with_the_rows_of_that_reading_is_that_reading(shop: Opening) -> None:
    asked = shop({"program": REVENUE})
    result = asked.ask(OFFERED)
    assert result.answer_mode is AnswerMode.CONFIRMED
    assert '{:times ["unit_price" "quantity"]}' in result.program


def test_another_reading_stays_a_question(shop: Opening) -> None:
    asked = shop({"choice": 2})
    assert asked.ask(OFFERED).answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    assert any(each.startswith("(booking.count") for each in asked.offered())
    assert len(asked.offered()) == 4


def test_a_program_of_its_own_becomes_a_closed_question(shop: Opening) -> None:
    asked = shop({"program": RENT})
    result = asked.ask(REFUSED)
    assert result.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    (offered,) = asked.offered()
    assert offered.startswith('(item.average :of "daily_price"')
    answered = asked.ask("yes")
    assert (answered.answer_mode, answered.transition) == (AnswerMode.CONFIRMED, TransitionClass.T7)
    assert len(answered.rows) == 1


def test_where_both_are_sure_and_differ_nobody_is(shop: Opening) -> None:
    asked = shop({"program": WRONG}, when=ModelUse.ALWAYS)
    assert asked.ask(SURE).answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    # What nobody objects to comes first.
    assert [each.split(" :as")[0] for each in asked.offered()] == [
        "(customer.count",
        '(customer.count :city "Leeds"',
    ]
    reviewed = [each for each in asked.events if isinstance(each, ev.ReadingReviewed)]
    assert any("filter_unasked" in [one.code for one in each.objections] for each in reviewed)


def test_where_both_say_the_same_it_is_answered(shop: Opening) -> None:
    asked = shop({"program": COUNT}, when=ModelUse.ALWAYS)
    assert asked.ask(SURE).answer_mode is AnswerMode.CONFIRMED
    assert len(asked.model.requests) == 1


def test_several_programs_are_a_closed_question(shop: Opening) -> None:
    asked = shop({"programs": [RENT, '(item.max :of "daily_price")']})
    assert asked.ask(REFUSED).answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    assert len(asked.offered()) == 2
    assert asked.asked.outcome is ModelOutcome.QUESTION


def test_it_may_say_that_nothing_fits(shop: Opening) -> None:
    asked = shop({})
    result = asked.ask(REFUSED)
    assert result.answer_mode is AnswerMode.UNSUPPORTED
    assert "language model" not in result.message
    assert asked.asked.outcome is ModelOutcome.NOTHING


def test_it_may_be_kept_to_choosing(shop: Opening) -> None:
    asked = shop({"choice": 1}, choose=True)
    assert asked.ask(OFFERED).answer_mode is AnswerMode.CONFIRMED
    (tool,) = asked.model.requests[0].tools
    assert set(tool.parameters["properties"]) == {"plan", "choice"}
    assert "tables" not in asked.data()


def test_a_follow_up_is_an_edit_of_the_program_in_hand(shop: Opening) -> None:
    edited = '(customer.list :city "$1" :columns ["first_name" "last_name"] :email {:not nil})'
    asked = shop({"program": edited, "continues": True})
    asked.ask("customers from York", "keep the firms")
    in_hand = '(customer.list :city "$1" :columns ["first_name" "last_name"])'
    assert asked.data()["program_in_hand"] == in_hand
    assert '{"$1":"York"}' in asked.model.requests[0].messages[1].values
    assert f"{edited[:-1]} :as @customer-list)".replace("$1", "York") in asked.offered()


def test_what_the_user_edited_is_told(shop: Opening) -> None:
    asked = shop({})
    asked.ask("customers from York")
    asked.ask('(customer.list :city "York" :columns "email" :as @customer-list)')
    asked.ask("run it", "keep the firms")
    assert asked.data()["edited_by_user"] is True


# What does not pass.


def test_a_broken_program_is_written_anew_once_with_the_error_named(shop: Opening) -> None:
    asked = shop({"program": '(item.average :of "rent")'}, {"program": RENT})
    assert asked.ask(REFUSED).answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    first, second = asked.model.requests
    assert (second.tools, second.must_call) == (first.tools, first.must_call)
    assert second.messages[: len(first.messages)] == first.messages
    assert "unknown_column" in second.messages[-1].text
    story = ["oml_synthesis_start", "oml_synthesis_complete", "schema_guard_pass", "schema_guard_fail"]
    logged = [each for each in asked.logged() if each in (*story, "regeneration_attempt")]
    assert logged == [*story, "regeneration_attempt"]


def test_what_is_taken_is_recorded_in_the_order_of_a_synthesis(shop: Opening) -> None:
    asked = shop({"choice": 9}, {"choice": 1})
    assert asked.ask(OFFERED).answer_mode is AnswerMode.CONFIRMED
    kinds = asked.kinds()
    assert kinds[kinds.index("intent_captured") : kinds.index("run_started")] == [
        "intent_captured",
        "discovery_done",
        "oml_synthesis_start",
        "oml_synthesis_complete",
        "schema_guard_fail",
        "regeneration_attempt",
        "oml_synthesis_complete",
        "schema_guard_pass",
        "schema_guard_pass",
        "compile_start",
        "compile_complete",
    ]


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ({"program": "(item.average :of"}, "unclosed"),
        ({"program": "(items.count)"}, "unknown_verb"),
        ({"choice": 12}, "there is no reading 12"),
        ({"choice": 1, "program": COUNT}, "give only one"),
        ({"plan": {"intent": "x"}, "program": COUNT}, "the plan is not accepted"),
        ({"program": 5}, "must be a text"),
        ({"programs": [COUNT, "(nothing.count)"]}, "unknown_verb"),
        ("Of course! Count the rows of the customers. Anything else?", "no_json_object_found"),
        ("version: 1\ntasks: [{id: a}]\noutputs: [{id: b}]", "steps"),
        ('{"version": 1, "connectors": [], "tasks": []}', "steps"),
        (COUNT, "call generate_pipeline"),
        ('{"plan": {"intent": "x", ', "truncated_json"),
        ({"program": "(customer.list :as @a) (customer.count :as @b)"}, "one statement"),
        ({"program": '(duckdb.writer :needs [@a] :format "csv" :path "x.csv") (item.list :as @a)'}, "writes"),
    ],
)
def test_what_is_broken_twice_ends_in_a_short_message(shop: Opening, said: Said, named: str) -> None:
    asked = shop(said)
    result = asked.ask(REFUSED)
    assert result.answer_mode is AnswerMode.UNSUPPORTED
    assert named in asked.model.requests[1].messages[-1].text
    assert len(asked.model.requests) == 2
    assert "What the language model proposed could not be used" in result.message
    assert len(result.message) < 400
    assert asked.asked.outcome is ModelOutcome.REFUSED
    assert asked.logged().count("schema_guard_fail") == 2
    assert asked.logged().count("regeneration_attempt") == 1
    assert asked.kinds().count("output_validation_failed") == 2
    done = asked.workspace.metrics().recoveries
    assert (done.retries, done.reassignments, done.failures) == (1, 0, 1)


@pytest.mark.parametrize("said", ["", "  \n", ModelReplyEmpty("nothing came", provider="scripted")])
def test_an_empty_reply_has_a_message_and_an_event(shop: Opening, said: Said) -> None:
    asked = shop(said)
    result = asked.ask(REFUSED)
    assert result.answer_mode is AnswerMode.UNSUPPORTED
    assert "The language model answered with nothing." in result.message
    assert [each.provider for each in asked.events if isinstance(each, ev.EmptyLlmResponse)] == ["scripted"]


def test_a_model_that_fails_leaves_the_turn_as_it_was(shop: Opening) -> None:
    asked = shop(ModelTimeout("the model took longer than 60 seconds", provider="scripted"))
    result = asked.ask(OFFERED)
    assert result.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    assert len(asked.offered()) == 4
    assert result.message.endswith("(the model took longer than 60 seconds), so this is without it.")
    assert asked.asked.tries[0].code == "model_timeout"
    assert asked.workspace.metrics().recoveries.reassignments == 1


def test_an_open_question_is_dropped_and_logged(shop: Opening) -> None:
    asking = {"plan": {**PLAN, "missing_info_questions": ["Which year do you mean?"]}}
    asked = shop(asking, {"program": RENT})
    assert asked.ask(REFUSED).answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    refused = [each for each in asked.events if isinstance(each, ev.QuestionRefused)]
    assert [each.question for each in refused] == ["Which year do you mean?"]
    assert "no open question" in asked.model.requests[1].messages[-1].text


def test_an_open_question_beside_a_program_does_not_hold_it_up(shop: Opening) -> None:
    asked = shop({"choice": 1, "question": "Shall I go on?"})
    assert asked.ask(OFFERED).answer_mode is AnswerMode.CONFIRMED
    assert "question_refused" in asked.kinds()
    assert len(asked.model.requests) == 1


# What writes.


def test_a_program_that_writes_waits_for_a_yes(shop: Opening) -> None:
    program = '(customer.list :as @all) (duckdb.writer :needs [@all] :format "csv" :path "all.csv" :as @file)'
    asked = shop({"program": program})
    result = asked.ask("export the customers to all.csv")
    assert result.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    assert "run_started" not in asked.kinds()
    assert not (asked.folder / "all.csv").exists()
    assert asked.ask("no").answer_mode is AnswerMode.NONE
    assert not (asked.folder / "all.csv").exists()


# What is told.


def test_what_it_writes_is_told_while_it_comes_and_not_recorded(shop: Opening) -> None:
    asked = shop("prose", {"choice": 1})
    asked.ask(OFFERED)
    pieces = [each for each in asked.told if isinstance(each, ModelText)]
    assert pieces == [ModelText(1, "scripted", "prose")]
    assert "model_text" not in asked.kinds()
    assert "model_text" not in asked.logged()


def test_what_it_cost_is_recorded(shop: Opening) -> None:
    asked = shop("prose", {"choice": 1})
    asked.ask(OFFERED)
    said = asked.asked
    assert (said.input_tokens, said.output_tokens, len(said.tries)) == (200, 40, 2)


def test_the_time_for_it_is_bounded(shop: Opening) -> None:
    asked = shop("prose", "prose")
    asked.ask(OFFERED)
    first, second = asked.model.deadlines
    assert 0 < second <= first <= 60


def test_a_conversation_is_the_same_when_it_is_replayed(shop: Opening) -> None:
    asked = shop("prose", {"choice": 1})
    asked.ask(OFFERED)
    replayed = asked.workspace.replay(asked.session)
    assert replayed.state == asked.workspace.state(asked.session)


def test_a_turn_that_is_cancelled_while_a_model_writes_leaves_nothing(shop: Opening) -> None:
    stop = Cancellation()

    class Stopped(ScriptedModel):
        def complete(self, request: ModelRequest, **said: Any) -> ModelReply:
            stop.cancel()
            raise ModelCancelled("the request to the model was cancelled", provider="scripted")

    asked = shop({})
    asked.model.complete = Stopped().complete  # type: ignore[method-assign]
    before = asked.workspace.state(asked.session)
    with pytest.raises(TurnCancelled):
        asked.workspace.ask(asked.session, REFUSED, cancel=stop)
    assert asked.workspace.state(asked.session).program == before.program
    assert asked.workspace.metrics().recoveries.failures == 0


def test_why_says_what_the_model_was_for(shop: Opening) -> None:
    asked = shop({"choice": 1})
    asked.ask(OFFERED)
    rules = [each.rule for each in asked.events if isinstance(each, ev.ReadingsWeighed)]
    assert rules[-1] == "take: the model means the first of the readings that were offered"
    ran = CliRunner().invoke(application, ["why", asked.session, "1", "--workspace", str(asked.folder)])
    assert "a language model was asked (scripted answered; 120 tokens), outcome choice" in ran.output
