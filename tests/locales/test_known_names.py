"""What goes by several names."""

import pytest

from dragoman.locales.known_names import other_names


@pytest.mark.parametrize(
    ("word", "value", "expected"),
    [
        ("french", "france", True),
        ("uk", "gb", True),
        ("kingdom", "gb", True),
        ("croatian", "hr", True),
        ("ohio", "oh", True),
        ("annual", "year", True),
        ("successful", "succeeded", True),
        # A name is none of its own others, and small words name nothing.
        ("france", "france", False),
        ("and", "ba", False),
        ("french", "germany", False),
        ("successful", "failed", False),
    ],
)
def test_a_word_is_another_name_of_a_value(word: str, value: str, expected: bool) -> None:
    assert (value in other_names().get(word, ())) is expected
