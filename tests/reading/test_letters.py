"""Letters that look alike: a code is written in Latin, a word in the letters of most of it."""

import pytest

from dragoman.reading.tokens import fold


@pytest.mark.parametrize(
    ("written", "same"),
    [("\u04104", "A4"), ("\u0421-5", "C-5"), ("Вeга", "Вега"), ("B\u0435ta", "Beta")],
)
def test_letters_that_look_alike_are_one(written: str, same: str) -> None:
    assert written != same
    assert fold(written) == fold(same)


@pytest.mark.parametrize("word", ["3е", "2м", "вес", "тот"])
def test_a_place_and_a_word_keep_their_letters(word: str) -> None:
    assert fold(word) == word
