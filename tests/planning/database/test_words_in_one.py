"""Words and signs that are read as one name: who signed up had a signup, and % is a percentage."""

import pytest

from dragoman.planning.database.word_forms import reworded
from dragoman.planning.tables.words import Token, tokens_of


def _is_named(token: Token) -> bool:
    return token.stem in ("checkout", "signup", "payout", "carri")


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("who signed up in May", "who signups in May"),
        ("guests who checked out late", "guests who checkouts late"),
        ("paid out last year", "payouts last year"),
        # Nothing is called so.
        ("who dropped out in May", "who dropped out in May"),
        # What is named by itself stays.
        ("carried out in May", "carried out in May"),
        ("signed in May", "signed in May"),
    ],
)
def test_deeds_are_read_as_what_is_called_so(said: str, read: str) -> None:
    tokens = reworded(tokens_of(said), lambda token: False, _is_named)
    assert " ".join(token.text for token in tokens) == read


def test_the_noun_stands_where_verb_and_particle_stood() -> None:
    said = "who signed up in May"
    tokens = reworded(tokens_of(said), lambda token: False, _is_named)
    assert [(token.start, token.end) for token in tokens][1] == (4, 13)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("what % of the boats", "what percentage of the boats"),
        ("boats on loan, in %", "boats on loan , in percentage"),
        ("more than 50 % of boats", "more than 50 % of boats"),
    ],
)
def test_a_sign_behind_no_number_asks_for_a_percentage(said: str, read: str) -> None:
    tokens = reworded(tokens_of(said), lambda token: False, lambda token: False)
    assert " ".join(token.text for token in tokens) == read
