"""Whatever a model writes is read to the end: it is handed over, or a fault with a text and a stage."""

import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.model import EndReason, ModelReply, TokenUsage, ToolCall
from dragoman.contracts.state import SessionState
from dragoman.planning.contract import Asked, Candidate
from dragoman.planning.model.judged_program import judge
from dragoman.planning.model.masked_values import MaskedValues
from dragoman.planning.model.reply_reader import Fault, Handed, read_reply
from dragoman.session.continuity import resolve
from tests import strategies as some
from tests.planning.model.ground import PLAN, RENT, Shop

PROGRAMS = (
    RENT,
    "(item.list :as @a) (item.count :item_id @a)",
    '(booking.list :where {:customer {:first_name "Nora"}} :during [2022-01-01 2022-12-31] :on "booked_on")',
    'oml_version: "0.1.0"\nname: a\nsteps:\n- {id: x, component: item.count, mode: read, config: {}}\n',
    '(item.list :daily_price {:above (item.average :of "daily_price")})',
)


def reply(text: str, *calls: str) -> ModelReply:
    made = tuple(ToolCall(str(place), "generate_pipeline", each) for place, each in enumerate(calls))
    return ModelReply(text, made, EndReason.STOP, TokenUsage(), "p", "m")


@st.composite
def _broken(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A text with a piece of it left out, doubled or replaced."""
    text = draw(texts)
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 12)))
    return (
        text[:start]
        + draw(st.sampled_from(["", '"', ")", "{", "\\", "\x00", "é", text[start:end] * 2]))
        + text[end:]
    )


_GOOD = st.builds(
    lambda program, choice: json.dumps({"plan": PLAN, "program": program, **choice}),
    st.sampled_from(PROGRAMS),
    st.sampled_from([{}, {"choice": 1}, {"programs": ["(a.b)"]}, {"continues": 1}, {"version": 1}]),
)


@some.examples(1.0)
@given(st.one_of(_broken(_GOOD), st.text(), _broken(_broken(_GOOD))), st.booleans())
def test_a_reply_is_read_whatever_it_is(text: str, as_call: bool) -> None:
    read = read_reply(reply("", text) if as_call else reply(text))
    assert isinstance(read, Handed | Fault)
    if isinstance(read, Fault):
        assert read.problem
        assert all(each.code for each in read.told)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    shop = Shop(tmp_path_factory.mktemp("shop"))
    services: Any = shop.workspace._open_services()
    state = SessionState()
    continuity = resolve(state)
    read = services.reader.read_message("average rent", state, continuity, "")
    day = dt.date(2024, 1, 15)
    yield Asked(read.text, read.reading, continuity, state, services.catalog, day)
    shop.workspace.close()


def _masks() -> MaskedValues:
    return MaskedValues("average rent")


@pytest.mark.parametrize("program", [PROGRAMS[0], *PROGRAMS[2:]])
def test_good_programs_are_candidates(asked: Asked, program: str) -> None:
    judged = judge(program, asked, _masks(), continues=False)
    assert isinstance(judged, Candidate), judged
    assert len(judged.program) == 1


@some.examples(0.5)
@given(st.data())
def test_a_program_is_judged_whatever_it_is(asked: Asked, data: st.DataObject) -> None:
    text = data.draw(
        st.one_of(_broken(st.sampled_from(PROGRAMS)), _broken(_broken(st.sampled_from(PROGRAMS))))
    )
    judged = judge(text, asked, _masks(), continues=False)
    assert isinstance(judged, Candidate | Fault)
    if isinstance(judged, Fault):
        assert judged.problem


def test_a_chain_of_calls_is_one_statement(asked: Asked) -> None:
    text = '(item.average :of "daily_price" :as @mean) (item.list :daily_price {:above @mean} :as @above)'
    judged = judge(text, asked, _masks(), continues=False)
    assert isinstance(judged, Candidate), judged
    assert len(judged.program) == 1


def test_marks_are_values_again(asked: Asked) -> None:
    masks = _masks()
    first = judge('(item.list :name "Chainsaw")', asked, masks, continues=False)
    assert isinstance(first, Candidate)
    (masked,) = masks.masked(first.program)
    assert "Chainsaw" not in str(masked)
    assert masks.unmasked((masked,)) == first.program


def test_what_the_message_says_is_not_marked(asked: Asked, tmp_path: Path) -> None:
    masks = MaskedValues("which chainsaw")
    first = judge('(item.list :name "Chainsaw")', asked, masks, continues=False)
    assert isinstance(first, Candidate)
    assert masks.masked(first.program) == first.program
