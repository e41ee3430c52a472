"""Words of messages and words of names: what they have in common."""

import pytest

from dragoman.planning.tables.cues import cues_of, number_of
from dragoman.planning.tables.name_words import name_words
from dragoman.planning.tables.words import Kind, stem, tokens_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cities", "city"),
        ("boxes", "box"),
        ("people", "person"),
        ("salespeople", "salesperson"),
        ("craftsmen", "craftsman"),
        ("ordered", "order"),
        ("opening", "open"),
        ("prices", "price"),
        ("addresses", "address"),
        ("книги", "книга"),
        ("городах", "город"),
    ],
)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("customer_name", "customer name"),
        ("CustomerName", "customer name"),
        ("FLOOR_AREA", "floor area"),
        ("hiredate", "hire date"),
        ("deptNo", "department number"),
        ("date_of_birth", "date birth"),
        ("qty", "quantity"),
    ],
)
def test_names_are_written_out(name: str, words: str) -> None:
    assert name_words(name) == tuple(stem(word) for word in words.split())


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("older than 30", [Kind.WORD, Kind.WORD, Kind.NUMBER]),
        ("named 'O\u2019Neil' or \"x y\"", [Kind.WORD, Kind.QUOTED, Kind.WORD, Kind.QUOTED]),
        ("1,200.50", [Kind.NUMBER]),
        ("on 2020-03-01", [Kind.WORD, Kind.WORD]),
        ("the student's age?", [Kind.WORD, Kind.WORD, Kind.WORD, Kind.WORD, Kind.MARK]),
    ],
)
def test_messages_are_cut(text: str, kinds: list[Kind]) -> None:
    assert [token.kind for token in tokens_of(text)] == kinds


def test_numbers_are_read_in_digits_and_in_words() -> None:
    assert [number_of(token) for token in tokens_of("two 3 1,000 $15.5 twice x")] == [
        2,
        3,
        1000,
        15.5,
        2,
        None,
    ]


def test_the_longest_phrase_comes_first() -> None:
    cues = cues_of(tokens_of("no more than five"))
    assert cues[0][0].kind == "at-most"
    assert cues[0][0].end == 3
