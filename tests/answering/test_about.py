"""Questions about answers, computed by hand beside what is said."""

import datetime as dt
from typing import Final

import pytest

from dragoman.answering.about import speak
from dragoman.answering.figures import single_figure, total_amount
from dragoman.answering.phrases import phrases
from dragoman.answering.sentences import Wording
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.cells import has_units
from dragoman.contracts.answer import PREVIEW_ROWS, AnswerObject
from dragoman.contracts.vocabulary import MetaQuestionKind
from tests.answering.made_up import found, refused

K = MetaQuestionKind
MARCH: Final = dt.date(2020, 3, 31)
APRIL: Final = dt.date(2020, 4, 30)
BY_CUSTOMER: Final = "sales.by-customer"
TOTAL: Final = "sales.total"


@pytest.fixture
def wording(trade: Catalog) -> Wording:
    return Wording(phrases("en"), trade)


def said(
    wording: Wording, asked: MetaQuestionKind, *answers: AnswerObject, root: AnswerObject | None = None
) -> str:
    spoken = speak(asked, answers, root, wording)
    assert spoken is not None
    return spoken.message


def sales(turn: int, end: dt.date, total: str) -> AnswerObject:
    return found(turn, TOTAL, "amount:d", [(total,)], end=end, total=total)


# How big.


def test_the_largest_is_told_with_its_share(wording: Wording) -> None:
    rows = [("Vega", "60.00"), ("Orion", "25.00"), ("Lyra", "15.00")]
    answer = found(1, BY_CUSTOMER, "customer:t amount:d", rows, total="100.00")
    message = said(wording, K.EVALUATION, answer)
    assert message == "The largest is Vega with 60.00: 60.0 % of 100.00 over 3 rows."


def test_a_share_is_rounded_to_a_tenth(wording: Wording) -> None:
    rows = [("a", "1.00"), ("b", "1.00"), ("c", "1.00")]
    answer = found(1, BY_CUSTOMER, "customer:t amount:d", rows, total="3.00")
    assert "33.3 %" in said(wording, K.EVALUATION, answer)


@pytest.mark.parametrize(
    "rows",
    [[("a", "5.00"), ("b", "-6.00")], [("a", "0.00"), ("b", "0.00")], [("a", "-1.00"), ("b", "-2.00")]],
)
def test_no_share_of_what_is_not_all_positive(wording: Wording, rows: list[tuple[str, str]]) -> None:
    answer = found(1, BY_CUSTOMER, "customer:t amount:d", rows, total="1.00")
    message = said(wording, K.EVALUATION, answer)
    assert message == f"The largest is a with {rows[0][1]}, of 2 rows."


def test_of_rows_that_are_not_all_at_hand_none_is_the_largest(wording: Wording) -> None:
    rows = [(f"c{n}", "1.00") for n in range(PREVIEW_ROWS)]
    answer = found(1, BY_CUSTOMER, "customer:t amount:d", rows, total="9.00", count=80)
    message = said(wording, K.EVALUATION, answer)
    assert message.startswith("I only have the first 50 of 80 rows")


def test_amounts_of_different_currencies_are_neither_added_nor_compared(wording: Wording) -> None:
    rows = [("EUR", 3, "10.00"), ("KRW", 1, "9000.00")]
    answer = found(1, "values.assets", "currency:t funds:i amount:d", rows)
    message = said(wording, K.EVALUATION, answer)
    assert message == "subject 1: 2 rows."
    assert has_units(answer.columns, answer.rows)
    assert not has_units(answer.columns, rows[:1])


def test_averages_have_a_largest_and_no_sum(wording: Wording) -> None:
    rows = [("a", "5.5"), ("b", "7.5")]
    answer = found(1, "shop.average", "name:t price:d", rows)
    assert said(wording, K.EVALUATION, answer) == "The largest is b with 7.5, of 2 rows."


def test_counts_have_a_largest_with_its_share(wording: Wording) -> None:
    answer = found(1, "shop.count", "town:t count:i", [("Ulm", 3), ("Bonn", 1)])
    assert said(wording, K.EVALUATION, answer) == "The largest is Ulm with 3: 75.0 % of 4 over 2 rows."


@pytest.mark.parametrize("name", ["id", "shop_id", "year", "number"])
def test_a_key_or_a_year_is_no_amount(wording: Wording, name: str) -> None:
    answer = found(1, "shop.list", f"town:t {name}:i", [("Ulm", 3), ("Bonn", 1)])
    assert said(wording, K.EVALUATION, answer) == "subject 1: 2 rows."


def test_a_list_of_one_and_an_empty_one(wording: Wording) -> None:
    one = found(1, BY_CUSTOMER, "customer:t amount:d", [("Vega", "7.00")], total="7.00")
    none = found(2, BY_CUSTOMER, "customer:t amount:d", [], total="0.00")
    assert said(wording, K.EVALUATION, one) == "There is only one: Vega with 7.00."
    assert said(wording, K.EVALUATION, none) == "The list is empty, so nothing stands out."


def test_an_object_has_its_place_among_the_rows_it_was_opened_from(wording: Wording) -> None:
    rows = [("Vega", "50.00"), ("Orion", "30.00"), ("Lyra", "20.00")]
    root = found(1, BY_CUSTOMER, "customer:t amount:d", rows, total="100.00")
    card = found(2, "counterparty.card", "counterparty:t balance:d", [("Orion", "30.00")], total="30.00")
    message = said(wording, K.EVALUATION, root, card, root=root)
    assert message == "Orion is number 2 of 3 with 30.00, 30.0 % of 100.00."


def test_equals_share_their_place(wording: Wording) -> None:
    rows = [("a", "5.00"), ("b", "5.00"), ("c", "1.00")]
    root = found(1, BY_CUSTOMER, "customer:t amount:d", rows, total="11.00")
    card = found(2, "counterparty.card", "counterparty:t balance:d", [("b", "5.00")], total="5.00")
    assert "b is number 1 of 3" in said(wording, K.EVALUATION, root, card, root=root)


# One figure.


def test_a_figure_alone_has_nothing_to_be_measured_against(wording: Wording) -> None:
    assert said(wording, K.EVALUATION, sales(1, MARCH, "70.00")).startswith("It is 70.00. There is no other")


def test_a_figure_is_held_against_the_one_before(wording: Wording) -> None:
    message = said(wording, K.EVALUATION, sales(1, MARCH, "80.00"), sales(2, APRIL, "100.00"))
    assert message == "100.00 (subject 2) compared with 80.00 (subject 1): 20.00 more (+25.0 %)."


def test_a_count_is_a_figure_too(wording: Wording) -> None:
    one = found(1, "shop.count", "count:i", [(4,)], made_by=())
    two = found(2, "shop.count", "count:i", [(3,)], end=MARCH)
    message = said(wording, K.EVALUATION, one, two)
    assert message == "3 (subject 2) compared with 4 (subject 1): 1 less (-25.0 %)."


@pytest.mark.parametrize(
    ("before", "after", "begins", "change"),
    [
        ("80.00", "100.00", "It grew", "20.00 more (+25.0 %)"),
        ("100.00", "80.00", "It fell", "20.00 less (-20.0 %)"),
        ("80.00", "80.00", "It did not change", "the same"),
        ("0.00", "80.00", "It grew", "80.00 more (–)"),
        ("-50.00", "50.00", "It grew", "100.00 more (+200.0 %)"),
        ("50.00", "-50.00", "It fell", "100.00 less (-200.0 %)"),
        ("-50.00", "-75.00", "It fell", "25.00 less (-50.0 %)"),
    ],
)
def test_a_change_is_computed_from_the_earlier_period(
    wording: Wording, before: str, after: str, begins: str, change: str
) -> None:
    """In whatever order the two were asked for."""
    march, april = sales(1, MARCH, before), sales(2, APRIL, after)
    asked_later = (sales(1, APRIL, after), sales(2, MARCH, before))
    for message in (said(wording, K.COMPARISON, march, april), said(wording, K.COMPARISON, *asked_later)):
        assert begins.lower().removeprefix("it ") in message.lower()
        assert change in message


def test_lists_are_compared_by_what_they_add_up_to(wording: Wording) -> None:
    one = found(1, BY_CUSTOMER, "customer:t amount:d", [("a", "5.00")], end=MARCH, total="5.00")
    two = found(
        2, BY_CUSTOMER, "customer:t amount:d", [("a", "6.00"), ("b", "1.00")], end=APRIL, total="7.00"
    )
    assert "7.00 (subject 2) compared with 5.00 (subject 1): 2.00 more (+40.0 %)" in said(
        wording, K.COMPARISON, one, two
    )


def test_lists_without_a_sum_stand_beside_each_other(wording: Wording) -> None:
    one = found(1, "shop.list", "name:t", [("a",)] * 7, end=MARCH)
    two = found(2, "shop.list", "name:t", [("b",)] * 8, end=APRIL)
    assert said(wording, K.COMPARISON, one, two) == "subject 1: 7 rows; subject 2: 8 rows."


def test_a_figure_is_not_held_against_a_list(wording: Wording) -> None:
    """The newest that is comparable is; what has another shape is passed over."""
    listed = found(2, BY_CUSTOMER, "customer:t amount:d", [("a", "5.00")], end=MARCH, total="5.00")
    message = said(wording, K.COMPARISON, sales(1, MARCH, "80.00"), listed, sales(3, APRIL, "100.00"))
    assert "100.00 (subject 3) compared with 80.00 (subject 1)" in message


def test_the_same_question_twice_is_nothing_to_compare(wording: Wording) -> None:
    message = said(wording, K.COMPARISON, sales(1, MARCH, "80.00"), sales(2, MARCH, "80.00"))
    assert message.startswith("There is only one answer")


# What it means, and how sure it is.


@pytest.mark.parametrize(("value", "sign"), [("20.00", "positive"), ("-20.00", "negative"), ("0.00", "zero")])
def test_a_sign_is_read_as_the_pack_says(wording: Wording, trade: Catalog, value: str, sign: str) -> None:
    verb = trade.verb("vat.payable")
    assert verb is not None
    meanings = {key.value: texts["en"] for key, texts in verb.columns[0].signs.items()}
    assert len(set(meanings.values())) == len(meanings) == 3
    answer = found(1, "vat.payable", "amount:d", [(value,)], end=MARCH, total=value)
    assert said(wording, K.ANSWER_INTERPRETATION, answer) == f"{value}: {meanings[sign]}."


def test_what_a_pack_does_not_explain_is_not_explained(wording: Wording) -> None:
    answer = found(1, "shop.list", "name:t", [("a",)])
    assert said(wording, K.ANSWER_INTERPRETATION, answer).startswith("It is a, as read from the database")


def test_a_sure_answer_is_judged_and_a_limited_one_explained(wording: Wording) -> None:
    sure, limited = (
        sales(1, MARCH, "1.00"),
        found(2, TOTAL, "amount:d", [("1.00",)], limits=("half is missing",)),
    )
    spoken = speak(K.BOUNDARY_EXPLANATION, (sure,), None, wording)
    assert spoken is not None
    assert (spoken.kind, spoken.message.startswith("Yes")) == (K.EVALUATION, True)
    spoken = speak(K.BOUNDARY_EXPLANATION, (sure, limited), None, wording)
    assert spoken is not None
    assert (spoken.kind, spoken.source.ref) == (K.BOUNDARY_EXPLANATION, "answer-2")
    assert "half is missing" in spoken.message


def test_why_not_is_asked_of_the_refusal(wording: Wording) -> None:
    answers = (sales(1, MARCH, "1.00"), refused(2))
    assert said(wording, K.BOUNDARY_EXPLANATION, *answers) == "Because: it is not loaded"
    assert said(wording, K.ANSWER_INTERPRETATION, *answers) == "Because: it is not loaded"
    assert said(wording, K.EVALUATION, *answers).startswith("It is 1.00"), "what was found is what is judged"


def test_of_nothing_nothing_is_said(wording: Wording) -> None:
    assert speak(K.EVALUATION, (), None, wording) is None


# Figures.


def test_the_total_is_that_of_the_amounts(trade: Catalog) -> None:
    answer = found(1, BY_CUSTOMER, "customer:t amount:d", [("a", "5.00")], total="5.00")
    assert (total_amount(answer), single_figure(answer)) == ("5.00", "5.00")
    other = found(1, "inventory.stock", "item:t quantity:d", [("a", "5")], total="5")
    assert (total_amount(other), single_figure(other)) == (None, None)
    text = found(1, "shop.list", "name:t", [("a",)])
    assert single_figure(text) is None
    nothing = found(1, "shop.max", "price:d", [(None,)])
    assert single_figure(nothing) is None
