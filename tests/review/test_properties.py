"""What holds for any message and any program."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.locales.registry import languages
from dragoman.review import Carried, Said
from dragoman.review.records import Code
from tests.review.conftest import Outfitter
from tests.review.test_cases import CASES

PROGRAMS = sorted({program for _, program, _ in CASES})
WORDS = sorted({word for message, _, _ in CASES for word in message.split()})
ODD = ["2023", "-5", "1,000.5", "“", '"', "№", "지난달", "кроме", "ohne"]
MESSAGES = st.one_of(
    st.text(max_size=200), st.lists(st.sampled_from([*WORDS, *ODD]), max_size=15).map(" ".join)
)
FILTERS = {Code.FILTER_UNASKED, Code.PERIOD_UNASKED, Code.HAVING_UNASKED, Code.NEGATION_UNASKED}


@given(message=MESSAGES, program=st.sampled_from(PROGRAMS), language=st.sampled_from([*languages(), "xx"]))
def test_any_text_beside_any_program_is_reviewed_and_always_the_same(
    outfitter: Outfitter, message: str, program: str, language: str
) -> None:
    first = outfitter.review(message, program, language=language)
    assert first == outfitter.review(message, program, language=language)
    assert first.read
    for demand in first.demands:
        assert 0 <= demand.start < demand.end <= len(message)
    for objection in first.objections:
        assert objection.text
        assert objection.words or objection.part


@pytest.mark.parametrize(
    "program",
    [
        '(customers.list :country "Canada")',
        "(orders.list :total {:above 200})",
        '(orders.count :on "ordered_on" :during [2023-03-01 2023-03-31])',
        '(orders.list :where {:customer {:agent {:last_name "Reed"}}})',
        '(orders.count :by "customer_id" :having {:at-least 5})',
        '(customers.list :where [{:country "Canada"} {:name "Wen Dai"}])',
        '(customers.list :country {:not "Canada"})',
    ],
)
def test_without_a_message_nothing_was_asked_for(outfitter: Outfitter, program: str) -> None:
    assert {each.code for each in outfitter.review("", program).objections} & FILTERS


@given(case=st.sampled_from(CASES))
def test_what_is_carried_asks_for_everything_that_it_did(
    outfitter: Outfitter, case: tuple[str, str, str]
) -> None:
    """The same program again, after a message that demands nothing, has nothing that is new."""
    message, program, _ = case
    before = Carried((Said("turn 1", message, outfitter.program(program)),))
    found = outfitter.review("", program, before)
    unasked = FILTERS | {Code.LIMIT_UNASKED, Code.MEASURE_UNASKED}
    assert not {each.code for each in found.objections} & unasked
    assert {each.commitment for each in found.granted} == set(found.commitments)
    assert all(each.by == "turn 1" for each in found.granted)


@pytest.mark.parametrize("code", languages())
def test_every_objection_has_a_sentence_in_every_language(code: str) -> None:
    from dragoman.review.vocabulary import vocabulary

    told = vocabulary(code).objections
    assert set(told) == set(Code)
    for text in told.values():
        assert text.format(words="a", part="b") != text
