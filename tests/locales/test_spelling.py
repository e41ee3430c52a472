"""British and American spellings of a word are one word; words that only look alike stay as they are."""

import pytest

from dragoman.locales.en.spelling import american
from dragoman.planning.tables.words import stem


@pytest.mark.parametrize(
    ("british", "american_word"),
    [
        ("organised", "organized"),
        ("organisations", "organizations"),
        ("analysed", "analyzed"),
        ("colours", "colors"),
        ("neighbourhood", "neighborhood"),
        ("centres", "centers"),
        ("cancelled", "canceled"),
        ("licence", "license"),
        ("cheques", "checks"),
        ("tyre", "tire"),
    ],
)
def test_spellings_meet(british: str, american_word: str) -> None:
    assert american(british) == american_word
    assert stem(british) == stem(american_word)


@pytest.mark.parametrize(
    "word",
    ["advised", "revised", "promised", "raised", "four", "hour", "tour", "pour", "chess", "filled", "called"],
)
def test_words_that_look_alike_stay(word: str) -> None:
    assert american(word) == word
