"""The short ways for plain words give what the long ways give."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.locales.documents import cues_of, lexicon_of, talk_of
from dragoman.locales.registry import every_language
from dragoman.reading.phrases import forms_in
from dragoman.reading.tokens import fold, tokens_of

PIECES = ["a", "Z", "s", "'s", "’s", "-", "_", "0", " ", "  ", "\t", "\n", ".", "<", "é", "Ж", "가", "ß", "İ"]


def texts_in(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from texts_in(key)
            yield from texts_in(value)
    elif isinstance(part, list):
        for each in part:
            yield from texts_in(each)


@pytest.mark.parametrize("language", every_language(), ids=lambda language: language.code)
def test_the_phrases_of_a_language(language: Any) -> None:
    documents = (lexicon_of(language), cues_of(language), talk_of(language))
    for text in (text for document in documents for text in texts_in(document)):
        assert forms_in(text) == tuple(token.form for token in tokens_of(text))


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_any_text(text: str) -> None:
    assert forms_in(text) == tuple(token.form for token in tokens_of(text))


@given(st.text(st.characters(max_codepoint=127, exclude_characters="'"), max_size=8))
def test_a_plain_word_differs_in_nothing_but_case(text: str) -> None:
    assert fold(text) == text.casefold()
