"""Names of columns as words: what was written as one, and what was cut short."""

import pytest

from dragoman.planning.tables.name_words import name_words
from dragoman.planning.tables.words import stem


def _stems(*words: str) -> tuple[str, ...]:
    return tuple(map(stem, words))


@pytest.mark.parametrize(
    ("name", "near", "words"),
    [
        ("retailprice", (), ("retail", "price")),
        ("acctbal", (), ("account", "balance")),
        ("gr_qty", ("grove",), ("grove", "quantity")),
        ("gname", ("grove",), ("grove", "name")),
        ("glocation", ("grove",), ("grove", "location")),
        ("grv_name", ("grove",), ("grove", "name")),
        # A real word is not taken apart, nor is one that ends as another does.
        ("mileage", (), ("mileage",)),
        ("grid", (), ("grid",)),
        # What is cut short is so only from words that are near.
        ("glocation", (), ("glocation",)),
    ],
)
def test_names_are_read_by_their_words(name: str, near: tuple[str, ...], words: tuple[str, ...]) -> None:
    assert name_words(name, frozenset(), near) == _stems(*words)


def test_capitals_among_small_letters_are_initials() -> None:
    assert name_words("HR", initials=True) == ("hr",)
    assert name_words("HR") == ("hour",)


def test_a_letter_before_a_word_is_a_short_form_with_it() -> None:
    assert name_words("LName") == name_words("last_name")
    assert name_words("TValue") != name_words("Value")
