"""Sentences as data: every language says the same things with the same places in them."""

import datetime as dt
import re
import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

import dragoman
from dragoman.answering.phrases import Phrases, in_quotes, phrases
from dragoman.contracts.state import DateScope
from dragoman.contracts.taught import TaughtKind
from dragoman.contracts.vocabulary import TruthMode
from dragoman.guards.guardian import Check
from dragoman.locales import language, languages

TEXTS: Final[dict[str, Mapping[str, Any]]] = {
    code: language(code).document("phrases") for code in languages()
}
OTHERS: Final = [language for language in TEXTS if language != "en"]
_DATA: Final = ("months", "plurals")


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_says_everything_that_english_says(code: str) -> None:
    assert list(TEXTS[code]) == list(TEXTS["en"])


@pytest.mark.parametrize("code", OTHERS)
def test_a_sentence_has_no_place_that_nobody_fills(code: str) -> None:
    """A place may be left out where the language says it otherwise; none may be more."""
    for key, text in TEXTS["en"].items():
        if key not in _DATA:
            assert _places(TEXTS[code][key]) <= _places(text), key


@pytest.mark.parametrize("code", TEXTS)
def test_what_an_answer_rests_on_is_left_out_in_no_language(code: str) -> None:
    facts = {
        "value",
        "finding",
        "total",
        "rows",
        "n",
        "by",
        "other",
        "share",
        "rank",
        "problem",
        "reason",
        "words",
    }
    for key, text in TEXTS["en"].items():
        if key not in _DATA:
            assert _places(text) & facts <= _places(TEXTS[code][key]), key


@pytest.mark.parametrize("code", TEXTS)
def test_a_language_has_twelve_months_and_its_plurals(code: str) -> None:
    texts = TEXTS[code]
    assert len(set(texts["months"])) == 12
    assert set(texts["plurals"]) >= {"other"}
    assert all("{n}" in form for form in texts["plurals"].values())


def test_every_phrase_that_the_code_says_is_there_and_every_one_there_is_said() -> None:
    root = Path(dragoman.__file__).parent
    rooms = (*root.glob("answering/*.py"), *root.glob("answering/roles/*.py"))
    rooms += (*root.glob("answering/pipelines/*.py"), *root.glob("answering/words/*.py"))
    rooms += (*root.glob("planning/*.py"), *root.glob("planning/packs/*.py"))
    for beside in ("teaching", "sql", "several", "pipelines"):
        rooms += tuple(root.glob(f"planning/{beside}/*.py"))
    code = "".join(path.read_text("utf-8") for path in rooms)
    code += (root / "turn.py").read_text("utf-8")
    said = set(re.findall(r"""\bsay\(\s*(?:f?)["']([a-z_]+)["']""", code))
    assert said <= set(TEXTS["en"])
    quoted = set(re.findall(r'"([a-z_]+)"', code)) | {f"truth_{mode}" for mode in TruthMode}
    quoted |= {f"taught_{kind}" for kind in TaughtKind} | {f"refused_{check}" for check in Check}
    assert set(TEXTS["en"]) - quoted == set()


@pytest.mark.parametrize(
    ("code", "count", "said"),
    [
        *[("en", n, f"{n} rows") for n in (0, 2, 11, 21, 100)],
        ("en", 1, "1 row"),
        *[("ru", n, f"{n} строка") for n in (1, 21, 101, 1001)],
        *[("ru", n, f"{n} строки") for n in (2, 3, 4, 22, 34, 102)],
        *[("ru", n, f"{n} строк") for n in (0, 5, 11, 12, 13, 14, 19, 20, 25, 100, 111, 112, 114, 1011)],
        *[("ko", n, f"{n}행") for n in (0, 1, 2, 11)],
    ],
)
def test_a_count_has_the_form_of_its_language(code: str, count: int, said: str) -> None:
    assert phrases(code).rows(count) == said


@pytest.mark.parametrize(
    ("code", "said"),
    [("en", "on 31 March 2020"), ("ru", "на 31 марта 2020 года"), ("ko", "2020년 3월 31일")],
)
def test_a_day_is_written_as_its_language_does(code: str, said: str) -> None:
    march = DateScope(dt.date(2020, 3, 1), dt.date(2020, 3, 31))
    assert said.split()[0] in phrases(code).dates(march, as_of=True)
    whole = phrases(code).dates(march, as_of=False)
    assert re.search(r"\b1\b|1일", whole)
    assert "31" in whole


def test_an_unknown_language_is_answered_in_english() -> None:
    assert phrases("fr").language == "en"


@pytest.mark.parametrize(
    ("items", "said"), [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")]
)
def test_items_are_joined_as_one_says_them(items: tuple[str, ...], said: str) -> None:
    assert phrases("en").joined(items) == said


def test_words_are_quoted_within_measure() -> None:
    assert in_quotes(("a", "b")) == "“a”, “b”"
    assert in_quotes(("x" * 100,)) == f"“{'x' * 39}…”"
    assert in_quotes(tuple("abcdefgh")).endswith("“e” (+3)")


def test_braces_in_what_is_said_stay_what_they_are() -> None:
    """A name of the data is put in, never read as a place."""
    made = Phrases(language("en"), {"x": "{name}!"})
    assert made.say("x", name="{evil}") == "{evil}!"
