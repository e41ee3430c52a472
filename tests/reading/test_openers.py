"""What only opens a correction is left out of it; whatever may be meant stays."""

import pytest

from dragoman.locales.registry import language
from dragoman.reading.openers import without_openers


@pytest.mark.parametrize(
    ("code", "text", "rest"),
    [
        ("en", "no wait, I meant June", "June"),
        ("en", "oops, scratch that, the lamp", "the lamp"),
        ("en", "hmm no, Beta Retail", "Beta Retail"),
        ("en", "June I mean", "June"),
        ("ru", "ой нет, за июнь", "за июнь"),
        ("ru", "стоп, я про Бету", "Бету"),
        ("ko", "아니 잠깐, 6월 말이야", "6월"),
        ("de", "ach Moment, ich meinte Juni", "Juni"),
    ],
)
def test_the_rest_is_the_message(code: str, text: str, rest: str) -> None:
    left = without_openers(text, (language(code),))
    assert left.strip() == rest
    assert left.index(rest) == text.index(rest)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "no, June"),
        ("en", "no sales in June"),
        ("en", "wait times in June"),
        ("en", "stop orders of June"),
        ("en", "better customers"),
        ("en", "no wait"),
        ("en", "oops"),
        ("ru", "нет, июнь"),
        ("ru", "ошибка в документах"),
        ("ko", "아니, 6월"),
    ],
)
def test_what_may_be_meant_stays(code: str, text: str) -> None:
    assert without_openers(text, (language(code),)) == text
