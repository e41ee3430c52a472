"""Escape hatches in words of one's own, and what only describes them."""

import pytest

from dragoman.contracts.vocabulary import Signal
from dragoman.locales.registry import language
from dragoman.reading.own_escapes import own_escape
from dragoman.reading.tokens import tokens_of

ORDERS = [
    ("en", "cancel this session", Signal.ESCAPE_CANCEL),
    ("en", "wipe the whole conversation", Signal.ESCAPE_CLEAR),
    ("en", "let us begin from scratch", Signal.ESCAPE_CLEAR),
    ("en", "look for something different", Signal.ESCAPE_SEARCH),
    ("ru", "отменяй сессию", Signal.ESCAPE_CANCEL),
    ("ru", "очисти всё начнем заново", Signal.ESCAPE_CLEAR),
    ("ru", "поищи заново", Signal.ESCAPE_SEARCH),
    ("de", "bitte die sitzung beenden", Signal.ESCAPE_CANCEL),
    ("ko", "세션 종료해줘", Signal.ESCAPE_CANCEL),
    ("ko", "처음부터 다시 시작하자", Signal.ESCAPE_CLEAR),
]
DESCRIPTIONS = [
    ("en", "cancelled session"),
    ("en", "the session end"),
    ("en", "what is the end of the session"),
    ("en", "is the session closed"),
    ("en", "cleared history"),
    ("en", "undone step"),
    ("ru", "закрытые сессии"),
    ("ru", "завершенные чаты"),
    ("ru", "удаленная история"),
    ("ru", "отмененные шаги"),
    ("ko", "종료된 세션"),
    ("ko", "세션 종료일"),
    ("ko", "지워진 기록"),
    ("de", "beendete sitzungen"),
]


def said(code: str, text: str) -> Signal | None:
    return own_escape([token.form for token in tokens_of(text)], (language(code),))


@pytest.mark.parametrize(("code", "text", "signal"), ORDERS)
def test_an_order_is_a_hatch(code: str, text: str, signal: Signal) -> None:
    assert said(code, text) is signal


@pytest.mark.parametrize(("code", "text"), DESCRIPTIONS)
def test_a_description_of_data_is_none(code: str, text: str) -> None:
    assert said(code, text) is None


@pytest.mark.parametrize(("code", "text", "_"), ORDERS)
def test_another_word_makes_it_a_message_of_its_own(code: str, text: str, _: Signal) -> None:
    assert said(code, f"{text} zebra") is None
