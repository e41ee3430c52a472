"""Russian and Korean questions over English tables give the rows of English questions that mean the same."""

from pathlib import Path
from typing import Final

import pytest

from tests.planning.database.hire_shop import HireShop

FOLDER: Final = Path(__file__).parent


def _pairs(name: str) -> list[tuple[str, str]]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    halves = (line.partition(" | ") for line in lines if line and not line.startswith("#"))
    return [(question, english) for question, _, english in halves]


RUSSIAN: Final = _pairs("russian.txt")
KOREAN: Final = _pairs("korean.txt")


@pytest.mark.parametrize(("question", "english"), [*RUSSIAN, *KOREAN])
def test_a_question_gives_the_rows_of_its_english_one(
    hire_shop: HireShop, question: str, english: str
) -> None:
    rows = hire_shop.rows(hire_shop.asked(question))
    assert rows
    assert sorted(rows) == sorted(hire_shop.rows(hire_shop.asked(english)))


@pytest.mark.parametrize(
    ("steps", "english"),
    [
        (("клиенты из Leeds", "сколько их"), "how many customers are from Leeds"),
        (("сколько бронирований было в 2022 году", "а в 2023 году?"), "how many bookings in 2023"),
        (("сколько бронирований было в 2022 году", "по статусам"), "how many bookings in 2022 by status"),
        (("предметы категории Garden", "только тяжелее 5 кг"), "items of category Garden heavier than 5 kg"),
        (("2022년 예약 수", "2023년은?"), "how many bookings in 2023"),
        (("2022년 예약 수", "상태별로"), "how many bookings in 2022 by status"),
    ],
)
def test_what_follows_is_read_as_it_is_in_english(
    hire_shop: HireShop, steps: tuple[str, str], english: str
) -> None:
    first, second = steps
    rows = hire_shop.rows(hire_shop.asked(second, hire_shop.asked(first)))
    assert sorted(rows) == sorted(hire_shop.rows(hire_shop.asked(english)))


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("сколько бурундуков у клиентов", "бурундуков"),
        ("покажи предметы с повышенной загогулистостью", "загогулистостью"),
        ("고객의 두루마기를 보여줘", "두루마기를"),
    ],
)
def test_a_word_that_nothing_is_found_for_is_named_as_it_was_typed(
    hire_shop: HireShop, question: str, word: str
) -> None:
    for reading in hire_shop.readings(question):
        assert word in reading.uncovered


def test_words_left_over_are_words_that_were_typed(hire_shop: HireShop) -> None:
    for question, _ in (*RUSSIAN, *KOREAN):
        for reading in hire_shop.readings(question):
            assert all(word in question for word in reading.uncovered), (question, reading.uncovered)
