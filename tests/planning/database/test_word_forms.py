"""Words that are read as others before a message is cut."""

import pytest

from dragoman.planning.database.word_forms import reworded
from dragoman.planning.tables.words import Token, tokens_of


def _knows(token: Token) -> bool:
    return token.low in ("paid", "cat", "independence", "dependent")


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("ppl who dont pay", "people who do not pay"),
        ("the unpaid bills", "the not paid bills"),
        ("an undertow", "an undertow"),
        # Not the opposite of dependent, where there is independence.
        ("became independent", "became independence"),
        ("loans over 35 000", "loans over 35000"),
        ("rooms 12 and 300", "rooms 12 and 300"),
        ("a cat and a qty", "a cat and a quantity"),
        ('"ppl" in a name', "ppl in a name"),
    ],
)
def test_words_are_read_as_others(said: str, read: str) -> None:
    assert " ".join(token.text for token in reworded(tokens_of(said), _knows)) == read


def test_a_new_word_stands_where_the_old_one_stood() -> None:
    said = "the unpaid bills"
    places = {(token.start, token.end) for token in reworded(tokens_of(said), _knows)}
    assert places == {(token.start, token.end) for token in tokens_of(said)}
