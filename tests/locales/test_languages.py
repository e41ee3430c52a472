"""The languages of the package: each has every word and every sentence, and is told from the others."""

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import dragoman
from dragoman.locales import FALLBACK, Language, language, languages, register, registered
from dragoman.locales.plural import always_other, one_few_or_other, one_or_other
from dragoman.locales.registry import every_language, of_script, same_letters
from dragoman.locales.script import LATIN, script_of
from dragoman.reading.languages import language_of, spoken_in, spoken_with
from dragoman.reading.tokens import fold, tokens_of
from tests.locales.esperanto import ESPERANTO

CODES: Final = languages()
OTHERS: Final = [code for code in CODES if code != FALLBACK]
FILES: Final = (
    *("lexicon", "cues", "talk", "follow_ups", "questions", "phrases", "review", "track_hints"),
    *("function_words", "program_words", "rows", "escapes", "knowledge", "requests", "pipelines"),
)
MAY_BE_EMPTY: Final = {
    *("not_months", "more_month_names", "halves", "years", "ordinal_suffixes", "year_marks", "month_marks"),
    *("day_marks", "quarter_letters", "half_letters", "in_time", "back_in_time", "between", "open", "glue"),
    *("articles", "beside", "compounds", "inclusive", "stranded", "not_before", "escape_edit", "to"),
    *(
        "commands",
        "nouns",
        "diminutives",
        "called_after",
        "into",
        "into_after",
        "endings",
        "infinitives",
        "owns",
        "possessives",
        "of_named",
        # A verb before a pronoun is an order in some languages, and a question in others.
        "acted_on",
        "looks",
        "selves",
    ),
    *("other_words", "particles", "suffixes", "name_endings", "lemmas", "whole_words", "later", "earlier"),
}
"""Sections that a language may have no words for: it has no articles, or says it otherwise."""

SAID_OTHERWISE: Final = {
    "ko": {"of", "by", "with", "where", "times", "at-least", "at-most", "missing"},
    "ru": {"by", "or-more", "or-less"},
}
"""Cues of tables that a language says with an ending, or with a word of another cue."""


def test_the_languages_of_the_package() -> None:
    assert CODES == ("de", "en", "ko", "ru")


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", FILES)
def test_a_language_has_every_file(code: str, name: str) -> None:
    assert language(code).texts(name)


def _sections(part: Any, path: str = "") -> dict[str, Any]:
    """Every list and open table of a document, by the keys that lead to it."""
    if not isinstance(part, Mapping) or not any(isinstance(each, Mapping | list) for each in part.values()):
        return {path: part}
    return {
        name: found
        for key, each in part.items()
        for name, found in _sections(each, f"{path}.{key}" if path else key).items()
    }


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("name", ["lexicon", "cues", "talk", "phrases", "follow_ups", "rows", "escapes"])
def test_a_language_has_every_section(code: str, name: str) -> None:
    wanted = set(_sections(language(FALLBACK).texts(name)))
    open_tables = {each for each in wanted if each.startswith("dates.compounds")}
    assert wanted - set(_sections(language(code).texts(name))) - open_tables == set()


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", ["lexicon", "cues", "talk", "phrases", "follow_ups", "rows", "escapes"])
def test_a_language_has_words_in_every_section(code: str, name: str) -> None:
    sections = _sections(language(code).texts(name))
    empty = {path for path, words in sections.items() if not words}
    assert {path for path in empty if path.rpartition(".")[2] not in MAY_BE_EMPTY} == set()


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_words_for_every_kind_of_cue_that_tables_know(code: str) -> None:
    wanted = set(language(FALLBACK).texts("questions")["cues"])
    lacks = wanted - set(language(code).texts("questions")["cues"])
    assert lacks - SAID_OTHERWISE.get(code, set()) == set()


@pytest.mark.parametrize("code", CODES)
def test_every_form_that_a_plural_rule_names_is_among_the_plurals_or_is_the_other(code: str) -> None:
    spoken = language(code)
    named = {spoken.plural(count) for count in range(200)}
    assert named <= {*spoken.document("phrases")["plurals"], "other"}


@pytest.mark.parametrize(
    ("rule", "count", "form"),
    [
        *[(one_or_other, count, "other") for count in (0, 2, 11, 21)],
        (one_or_other, 1, "one"),
        *[(one_few_or_other, count, "one") for count in (1, 21, 101)],
        *[(one_few_or_other, count, "few") for count in (2, 4, 23, 104)],
        *[(one_few_or_other, count, "other") for count in (0, 5, 11, 12, 14, 111)],
        *[(always_other, count, "other") for count in (0, 1, 2)],
    ],
)
def test_plural_rules(rule: Any, count: int, form: str) -> None:
    assert rule(count) == form


# Which language a message is in.


@st.composite
def _small_talk(draw: st.DrawFn) -> tuple[Language, list[str]]:
    spoken = draw(st.sampled_from(every_language()))
    return spoken, draw(st.lists(st.sampled_from(sorted(spoken.function_words())), min_size=1, max_size=8))


@given(_small_talk())
def test_a_message_of_the_small_words_of_a_language_is_in_it(said: tuple[Language, list[str]]) -> None:
    spoken, words = said
    rivals = [each for each in of_script(spoken.script) if each is not spoken]
    # A word that others have too says nothing: one at least has to be its own.
    assume(not rivals or any(word not in rival.function_words() for rival in rivals for word in words))
    tokens = tokens_of(" ".join(words))
    best = spoken_in(tokens)
    assert spoken in best[0].languages
    assert len(best) == 1
    assert language_of(" ".join(words), best[0], tokens) == spoken.code


@pytest.mark.parametrize(
    ("text", "before", "code"),
    [
        ("wie viel haben wir im März verkauft", "", "de"),
        ("how much did we sell in March", "de", "en"),
        ("und für April?", "en", "de"),
        ("and for April?", "de", "en"),
        ("für Maerz, bitte", "", "de"),
        ("fuer Maerz, bitte", "", "de"),
        ("April 2020", "", "en"),
        ("April 2020", "de", "de"),
        ("was", "", "en"),
        ("was", "de", "de"),
        ("покажи csv", "de", "ru"),
        ("재고 보여줘", "de", "ko"),
    ],
)
def test_what_is_left_open_is_in_the_language_of_the_conversation(text: str, before: str, code: str) -> None:
    tokens = tokens_of(text)
    assert language_of(text, spoken_in(tokens, before)[0], tokens, before) == code


def test_where_small_words_leave_it_open_every_language_may_be_meant() -> None:
    codes = [[each.code for each in spoken.languages] for spoken in spoken_in(tokens_of("April"), "de")]
    assert codes == [["de"], ["en"]]


def test_a_message_without_letters_is_in_the_language_of_the_conversation() -> None:
    spoken = spoken_in(tokens_of("42"), "ko")[0]
    assert language_of("42", spoken, (), "ko") == "ko"
    assert language_of("42", spoken, (), "") == FALLBACK
    assert language_of("42", spoken, (), "xx") == FALLBACK


def test_a_text_is_read_in_its_own_language_and_the_usual_ones_of_other_scripts() -> None:
    def codes(code: str, text: str) -> list[str]:
        return [each.code for each in spoken_with(code, text).languages]

    assert codes("de", "und") == ["de"]
    assert codes("ru", "и csv") == ["en", "ru"]
    assert codes("de", "и") == ["ru"]
    assert codes("xx", "and") == ["en"]


# The registry.


def test_a_language_is_registered_and_gone_again() -> None:
    with registered(ESPERANTO) as added:
        assert language("eo") is added
        assert [each.code for each in of_script(LATIN)] == ["en", "de", "eo"]
        assert same_letters("ĝi") == "gxi"
    assert "eo" not in languages()
    assert same_letters("ĝi") == "ĝi"


def test_the_last_one_that_takes_a_code_has_it() -> None:
    german = language("de")
    other = Language(code="de", name="Deitsch", script=LATIN, folder=german.folder)
    with registered(other):
        assert language("de") is other
        register(german)
        assert language("de") is german
    assert language("de") is german


@pytest.mark.parametrize(
    ("word", "script"),
    [("Öl", "latin"), ("ёж", "cyrillic"), ("재고", "hangul"), ("αβγ", "greek"), ("42", ""), ("4x", "latin")],
)
def test_a_script_is_told_by_its_letters(word: str, script: str) -> None:
    assert script_of(word) == script


def test_letters_that_are_written_in_two_ways_are_the_same() -> None:
    assert fold("Müller") == fold("mueller")
    assert fold("Ёлка") == fold("елка")
    assert fold("Straße") == "strasse"


@pytest.mark.parametrize(
    ("form", "lemmas"),
    [
        ("rechnungen", ["rechnung"]),
        ("haeuser", ["haus"]),
        ("steuern", ["steuern"]),
        ("groessten", ["groesste"]),
        ("wem", []),
        ("qwertz", []),
    ],
)
def test_german_forms_are_in_the_dictionary_whichever_way_they_are_written(
    form: str, lemmas: list[str]
) -> None:
    german = language("de")
    assert list(german.lemmas(german, form)) == lemmas


# Nothing else knows their names.


def _compared_codes(text: str) -> list[int]:
    """The lines on which something is compared with the code of a language, or matched against it."""
    found: list[int] = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Compare(left=left, comparators=others):
                parts: list[ast.AST] = [left, *others]
            case ast.MatchValue(value=value):
                parts = [value]
            case _:
                continue
        constants = (each for part in parts for each in ast.walk(part) if isinstance(each, ast.Constant))
        found.extend(each.lineno for each in constants if each.value in CODES)
    return found


def test_a_comparison_with_a_code_is_seen() -> None:
    assert _compared_codes('if language == "ru":\n    pass') == [1]
    assert _compared_codes('if language in ("en", "xx"):\n    pass') == [1]
    assert _compared_codes('match code:\n    case "ko":\n        pass') == [2]
    assert _compared_codes('texts = {"en": "x"}') == []


def test_nothing_outside_asks_which_language_it_is() -> None:
    package = Path(dragoman.__file__).parent
    found = [
        f"{path.relative_to(package)}:{line}"
        for path in sorted(package.rglob("*.py"))
        if path.relative_to(package).parts[0] != "locales"
        for line in _compared_codes(path.read_text("utf-8"))
    ]
    assert found == []
