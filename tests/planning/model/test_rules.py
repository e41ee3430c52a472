"""The rules that a model is told say the same in every language, and what they show can be written."""

import re
from typing import Final

import pytest

from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.locales.documents import model_texts_of
from dragoman.locales.registry import language

_TERMS: Final = re.compile(
    r':[a-z][a-z-]*|T\.[a-z]+|"[^"\n]*"|[A-Z]+_[A-Z]+|generate_pipeline|\d{4}-\d\d-\d\d'
)
_CALLS: Final = re.compile(r"\(T\.[a-z]+(?: [^()\n]*)\)")


@pytest.mark.parametrize("code", ["ru", "ko"])
@pytest.mark.parametrize("part", ["contract", "notation"])
def test_the_rules_have_the_same_terms(code: str, part: str) -> None:
    ours, english = (str(model_texts_of(language(each))[part]) for each in (code, "en"))
    # What an argument is called in general is a word of the language.
    assert {":argument", *_TERMS.findall(ours)} == {":argument", *_TERMS.findall(english)}


@pytest.mark.parametrize("code", ["en", "ru", "ko"])
def test_the_rules_have_every_part(code: str) -> None:
    texts, english = model_texts_of(language(code)), model_texts_of(language("en"))
    assert texts.keys() == english.keys()
    assert texts["tool"].keys() == english["tool"].keys()
    assert texts["repair"].count("{problem}") == 1


def test_what_they_show_can_be_written() -> None:
    calls = _CALLS.findall(model_texts_of(language("en"))["notation"])
    assert len(calls) >= 6
    for each in calls:
        assert read_verbs(Source(each)).ok, each
