"""Which class a message is: the decisions D1 to D12, one by one, on readings made for them.

The sessions are real: what they hold was looked up. The readings are made by hand, so that nothing here
depends on the words that a lexicon knows.
"""

import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.catalog.catalog import Catalog
from dragoman.contracts.state import DateScope, EntityRef, SessionState
from dragoman.contracts.vocabulary import (
    AnswerMode,
    CarryoverDepth,
    MetaQuestionKind,
    Signal,
    TransitionClass,
    TruthMode,
)
from dragoman.planning.contract import Question, Refusal, Request
from dragoman.planning.packs.object_request import make_object_request
from dragoman.planning.packs.relation import relate
from dragoman.planning.packs.root_request import make_request
from dragoman.reading.periods import PeriodMention
from dragoman.reading.reading import Pick, Reading
from dragoman.session.continuity import resolve
from dragoman.session.routing import Routing, route

T = TransitionClass
TODAY: Final = dt.date(2020, 7, 1)
ALFA: Final = EntityRef("organization", "1", "Alfa Trade")
BETA: Final = EntityRef("organization", "2", "Beta Retail")
DESK: Final = EntityRef("item", "101", "Oak desk 120")
STOCK: Final = "stock of Alfa Trade on 31 March 2020"
SALES: Final = "sales of Alfa Trade in March 2020"
RECEIVABLES: Final = "receivables of Alfa Trade on 31 March 2020"


def reading(**parts: object) -> Reading:
    return Reading("en", **parts)  # type: ignore[arg-type]


def verb(name: str, **parts: object) -> Reading:
    return reading(verb=name, verbs=(name,), **parts)


def on(year: int | None, month: int, day: int | None = None) -> dict[str, object]:
    mention = PeriodMention(start=0, end=1, text="then", year=year, month=month, day=day)
    return {"period": mention, "periods": 1}


class Place:
    """A workspace, and the states that conversations in it lead to."""

    def __init__(self, folder: Path) -> None:
        self.workspace = Workspace.open(folder)
        self.catalog: Catalog = Catalog(self.workspace.home).load()
        self._states: dict[tuple[str, ...], SessionState] = {}

    def after(self, *messages: str) -> SessionState:
        if messages not in self._states:
            session = self.workspace.new_session()
            for message in messages:
                self.workspace.ask(session, message)
            self._states[messages] = self.workspace.state(session)
        return self._states[messages]

    def routed(self, said: Reading, *messages: str) -> Routing:
        state = self.after(*messages)
        continuity = resolve(state)
        return route(relate(said, continuity, self.catalog, TODAY, state.answers.items), continuity)

    def planned(self, said: Reading, *messages: str) -> Request | Question | Refusal:
        continuity, routing = resolve(self.after(*messages)), self.routed(said, *messages)
        of_object = routing.entry_class in (T.T3, T.T4, T.T5)
        plan: Callable[..., Request | Question | Refusal] = make_object_request if of_object else make_request
        return plan(said, continuity, routing, self.catalog, TODAY)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    place = Place(tmp_path_factory.mktemp("relation"))
    yield place
    place.workspace.close()


def request(planned: Request | Question | Refusal) -> Request:
    assert isinstance(planned, Request), planned
    return planned


def test_d1_another_domain_without_an_object_is_a_pivot(place: Place) -> None:
    said = verb("settlements.receivables")
    routing = place.routed(said, STOCK)
    assert (routing.entry_class, routing.carryover) == (T.T6, CarryoverDepth.ROOT_ONLY)
    planned = request(place.planned(said, STOCK))
    assert planned.organization == ALFA
    assert planned.dates == DateScope(dt.date(2020, 3, 1), dt.date(2020, 3, 31))


def test_d1_with_an_object_it_is_one_too_and_the_object_is_not_replayed(place: Place) -> None:
    said = verb("settlements.receivables")
    assert place.routed(said, STOCK, "Oak desk 120").entry_class is T.T6
    planned = request(place.planned(said, STOCK, "Oak desk 120"))
    assert {binding.name for binding in planned.bindings} == {"organization", "as-of"}


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        (verb("inventory.stock"), ("organization", "date")),
        (verb("inventory.stock", entities=(ALFA,)), ("date",)),
        (verb("inventory.stock", **on(2020, 3)), ("organization",)),
    ],
)
def test_d2_a_request_that_lacks_an_anchor_asks_and_keeps_its_class(
    place: Place, said: Reading, missing: tuple[str, ...]
) -> None:
    assert place.routed(said).entry_class is T.T1
    planned = place.planned(said)
    assert isinstance(planned, Question)
    assert planned.missing == missing


def test_d2_with_no_candidate_at_all_it_is_a_boundary(place: Place) -> None:
    """An action without an object, a result set or a name."""
    assert place.routed(reading(actions=("item.documents",))).entry_class is T.T10
    assert place.routed(reading(anaphor=True, actions=("item.documents",))).entry_class is T.T10


def test_d3_another_route_of_the_same_domain_is_a_follow_up(place: Place) -> None:
    said = verb("settlements.payables")
    assert place.routed(said, RECEIVABLES).entry_class is T.T2
    planned = request(place.planned(said, RECEIVABLES))
    assert (planned.verb.signature.name, planned.organization) == ("settlements.payables", ALFA)


def test_d4_a_question_that_names_one_object_opens_both_frames(place: Place) -> None:
    said = verb("inventory.stock", entities=(ALFA,), objects=((DESK,),), **on(2020, 3, 31))
    assert place.routed(said).entry_class is T.T1
    state = place.after("stock of Oak desk 120 of Alfa Trade on 31 March 2020")
    assert state.frames.root is not None
    assert state.frames.selected_object is not None
    assert state.frames.selected_object.focus_object_ref == DESK


def test_d4_an_object_that_has_no_part_in_it_is_refused(place: Place) -> None:
    vega = EntityRef("counterparty", "201", "Vega")
    said = verb("inventory.stock", entities=(ALFA,), objects=((vega,),), **on(2020, 3, 31))
    planned = place.planned(said)
    assert isinstance(planned, Refusal)
    assert planned.code == "filter_not_supported"


def test_d5_a_bare_date_is_asked_of_the_object_where_its_last_action_takes_one(place: Place) -> None:
    said = reading(**on(None, 4))
    assert place.routed(said, STOCK).entry_class is T.T2
    assert place.routed(said, STOCK, "Oak desk 120").entry_class is T.T5
    planned = request(place.planned(said, STOCK, "Oak desk 120"))
    assert (planned.focus, planned.verb.signature.name) == (DESK, "item.card")
    assert planned.dates is not None
    assert planned.dates.end == dt.date(2020, 4, 30)


def test_d5_another_organization_is_another_slice_whatever_is_selected(place: Place) -> None:
    for said in (reading(entities=(BETA,)), reading(entities=(BETA,), anaphor=True)):
        assert place.routed(said, STOCK, "Oak desk 120").entry_class is T.T2


@pytest.mark.parametrize(
    ("said", "entry"),
    [
        (reading(phrase=Signal.CHAT), T.T0),
        (reading(phrase=Signal.ESCAPE_HELP), T.X_HELP),
        (verb("sales.total", entities=(BETA,), **on(2020, 4)), T.T1),
        (reading(entities=(BETA,)), T.T7),
        (verb("inventory.stock", entities=(BETA,)), T.T7),
    ],
)
def test_d6_what_leaves_a_question_open_and_what_does_not(
    place: Place, said: Reading, entry: TransitionClass
) -> None:
    pending = ("stock on 31 March 2020",)
    assert place.after(*pending).frames.clarification is not None
    assert place.routed(said, *pending).entry_class is entry


def test_d6_talk_keeps_the_question_and_a_question_of_its_own_drops_it(place: Place) -> None:
    assert place.after("stock on 31 March 2020", "hello").frames.clarification is not None
    assert place.after("stock on 31 March 2020", "help").frames.clarification is not None
    asked = place.after("stock on 31 March 2020", "sales of Beta Retail in April 2020")
    assert asked.frames.clarification is None


def test_d7_a_blocked_outcome_is_a_boundary_with_its_entry_beside_it(place: Place) -> None:
    before = place.after(STOCK)
    after = place.after(STOCK, "only the North warehouse")
    assert (after.turn.entry_class, after.turn.outcome_class) == (T.T2, T.T10)
    assert after.frames == before.frames
    assert after.program.source == before.program.source


def test_d7_partial_coverage_keeps_its_class(place: Place) -> None:
    after = place.after("VAT of Beta Retail in April 2020")
    assert after.turn.answer_mode is AnswerMode.LIMITED
    assert (after.turn.entry_class, after.turn.outcome_class) == (T.T1, T.T1)


def test_d8_a_date_of_the_message_beats_the_one_of_the_frame(place: Place) -> None:
    said = reading(objects=((DESK,),), **on(2020, 5, 31))
    planned = request(place.planned(said, STOCK))
    assert planned.dates is not None
    assert planned.dates.end == dt.date(2020, 5, 31)


def test_d9_undo_restores_program_and_frames(place: Place) -> None:
    before, after = place.after(STOCK), place.after(STOCK, "Oak desk 120", "undo")
    assert after.program.source == before.program.source
    assert after.frames.selected_object is None
    assert after.frames.root is not None
    assert before.frames.root is not None
    assert after.frames.root.date_scope == before.frames.root.date_scope
    assert place.routed(reading(phrase=Signal.ESCAPE_UNDO)).entry_class is T.T10, "there is nothing to undo"


@pytest.mark.parametrize(
    ("said", "messages", "entry"),
    [
        (reading(meta=MetaQuestionKind.EVALUATION), (SALES,), T.T8),
        (reading(meta=MetaQuestionKind.COMPARISON), (SALES, "and in April?"), T.T8),
        # March was looked up: what is said of it is said from there.
        (reading(meta=MetaQuestionKind.COMPARISON, **on(None, 3)), (SALES, "and in April?"), T.T8),
        # May was not: it is looked up.
        (reading(meta=MetaQuestionKind.COMPARISON, **on(None, 5)), (SALES, "and in April?"), T.T2),
        (reading(meta=MetaQuestionKind.COMPARISON, entities=(BETA,)), (SALES,), T.T2),
        (verb("purchases.total", meta=MetaQuestionKind.COMPARISON), (SALES,), T.T6),
        (reading(meta=MetaQuestionKind.EVALUATION), (), T.T10),
        (reading(recap=True), (SALES,), T.T9),
        (reading(recap=True), (), T.T10),
    ],
)
def test_d10_an_answer_is_spoken_of_only_where_it_was_given(
    place: Place, said: Reading, messages: tuple[str, ...], entry: TransitionClass
) -> None:
    assert place.routed(said, *messages).entry_class is entry


def test_d10_it_sounds_as_sure_as_what_it_speaks_of(place: Place) -> None:
    refused = place.after(STOCK, "only the North warehouse", "why?")
    assert refused.turn.outcome_class is T.T8
    assert refused.turn.answer_mode is AnswerMode.UNSUPPORTED
    assert refused.frames.meta is not None
    assert refused.frames.meta.source_gate_status.truth_mode is TruthMode.UNSUPPORTED


@pytest.mark.parametrize(
    ("said", "entry"),
    [
        (verb("sales.total", entities=(BETA,), **on(2020, 4)), T.T1),
        (verb("inventory.stock", entities=(BETA,), **on(2020, 4, 30)), T.T1),
        (verb("inventory.stock", entities=(BETA,)), T.T2),
        (verb("inventory.stock", **on(2020, 4, 30)), T.T2),
        (verb("sales.total", entities=(BETA,)), T.T6),
        (verb("sales.total", entities=(BETA,), **on(None, 4)), T.T6),
        (verb("sales.total"), T.T6),
    ],
)
def test_d11_self_contained_is_what_has_its_metric_and_every_anchor(
    place: Place, said: Reading, entry: TransitionClass
) -> None:
    assert place.routed(said, STOCK).entry_class is entry


def test_d11_the_scope_of_the_session_counts_as_said(place: Place) -> None:
    said = verb("sales.total", **on(2020, 4))
    chosen = "let's work with Alfa Trade"
    assert place.routed(said, chosen).entry_class is T.T1
    assert request(place.planned(said, chosen)).organization == ALFA
    assert place.after(chosen).frames.root is None, "it is no root slice yet"


@pytest.mark.parametrize(
    ("said", "entry"),
    [
        (reading(phrase=Signal.CHAT), T.T0),
        (reading(phrase=Signal.DATA_SCOPE), T.T0),
        (reading(chooses_scope=True, entities=(BETA,)), T.T0),
        (reading(phrase=Signal.ESCAPE_CLEAR), T.X_CLEAR),
        (reading(phrase=Signal.ESCAPE_CANCEL), T.X_CANCEL),
        (reading(phrase=Signal.ESCAPE_UNDO), T.X_UNDO),
        (reading(phrase=Signal.ESCAPE_HELP), T.X_HELP),
        (reading(wants_write=True), T.T10),
    ],
)
def test_d12_small_talk_and_escapes_are_classes_of_their_own(
    place: Place, said: Reading, entry: TransitionClass
) -> None:
    assert place.routed(said, STOCK).entry_class is entry


# Objects.


@pytest.mark.parametrize(
    ("said", "entry"),
    [
        (reading(objects=((DESK,),)), T.T3),
        (reading(picks=(Pick(2),)), T.T3),
        (reading(picks=(Pick(largest=True),)), T.T3),
        (reading(actions=("item.documents",)), T.T4),
        (reading(actions=("item.documents",), anaphor=True), T.T5),
    ],
)
def test_rows_in_hand_are_opened_and_acted_upon(place: Place, said: Reading, entry: TransitionClass) -> None:
    assert place.routed(said, STOCK).entry_class is entry


def test_the_largest_row_is_the_one_with_the_largest_amount(place: Place) -> None:
    planned = request(place.planned(reading(picks=(Pick(largest=True),)), STOCK))
    assert planned.focus == EntityRef("item", "107", "Paper A4 Snow")


@pytest.mark.parametrize(("place_of_row", "code"), [(9, "no_such_row"), (-9, "no_such_row")])
def test_a_row_that_is_not_there_is_refused(place: Place, place_of_row: int, code: str) -> None:
    planned = place.planned(reading(picks=(Pick(place_of_row),)), STOCK)
    assert isinstance(planned, Refusal)
    assert planned.code == code


# What is not understood whole.


@pytest.mark.parametrize(
    "said",
    [
        reading(uncovered=("flurb",)),
        reading(uncovered=("flurb",), entities=(BETA,)),
        reading(uncovered=("flurb",), **on(None, 4)),
    ],
)
def test_a_word_that_nothing_covers_makes_no_follow_up(place: Place, said: Reading) -> None:
    assert place.routed(said, STOCK).entry_class is T.T10


def test_a_request_with_such_a_word_is_refused_by_its_word(place: Place) -> None:
    planned = place.planned(verb("inventory.stock", entities=(BETA,), uncovered=("flurb",), **on(2020, 4)))
    assert isinstance(planned, Refusal)
    assert (planned.code, planned.words) == ("uncovered_words", ("flurb",))
