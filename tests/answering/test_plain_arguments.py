"""Plain arguments of verbs that read: said in a sentence, asked for where they are missing, changed later."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.vocabulary import AnswerMode, Phase, TransitionClass
from tests.answering.gym import gym_workspace
from tests.answering.places import pack_workspace, talk

T, M = TransitionClass, AnswerMode
LARGEST: Final = "largest funds on 31 December 2024"


@pytest.fixture(scope="module")
def funds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with Workspace.open(pack_workspace("funds", tmp_path_factory.mktemp("plain") / "funds")) as workspace:
        yield workspace


@pytest.fixture
def gym(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(gym_workspace(tmp_path / "gym")) as workspace:
        yield workspace


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("top 5 largest funds in EUR on 31 December 2024", ':currency "EUR" :top 5'),
        ("three largest funds in GBP on 31 December 2024", ':currency "GBP" :top 3'),
        ("largest funds, currency USD, top 4, on 31 December 2024", ':currency "USD" :top 4'),
        ("list closed cbus", ':status "closed"'),
        ("list cbus with status draft", ':status "draft"'),
        ("list equity funds", ':fund-type "EQUITY"'),
        ("list funds of type bond", ':fund-type "BOND"'),
        ("5 крупнейших фондов в EUR на 31 декабря 2024", ':currency "EUR" :top 5'),
        ("2024년 12월 31일 EUR 최대 펀드 5개", ':currency "EUR" :top 5'),
    ],
)
def test_plain_arguments_are_said_in_a_sentence(funds: Workspace, message: str, arguments: str) -> None:
    (answer,) = talk(funds, message)
    assert (answer.transition, answer.answer_mode) == (T.T1, M.CONFIRMED)
    assert arguments in " ".join(answer.program.split())


@pytest.mark.parametrize(
    ("first", "currency", "many"),
    [
        (LARGEST, "EUR", "5"),
        (LARGEST, "currency EUR", "top 5"),
        (LARGEST, "the second", "five"),
        ("крупнейшие фонды на 31 декабря 2024", "валюта EUR", "5"),
    ],
)
def test_what_is_missing_is_asked_for_one_by_one(
    funds: Workspace, first: str, currency: str, many: str
) -> None:
    asked, next_asked, answer = talk(funds, first, currency, many)
    assert (asked.transition, asked.answer_mode, asked.phase) == (
        T.T1,
        M.CLARIFICATION_REQUIRED,
        Phase.INTENT_CLARIFY,
    )
    assert asked.options == ("CHF", "EUR", "GBP", "KRW", "USD")
    assert (next_asked.transition, next_asked.answer_mode) == (T.T7, M.CLARIFICATION_REQUIRED)
    assert (answer.transition, answer.answer_mode, answer.row_count) == (T.T7, M.CONFIRMED, 5)
    assert ':currency "EUR" :top 5' in " ".join(answer.program.split())


@pytest.mark.parametrize(
    ("messages", "arguments", "rows"),
    [
        (("list cbus in Luxembourg", "only closed ones"), ':status "closed"', 1),
        (("list closed cbus", "and draft?"), ':status "draft"', 1),
        (("list funds", "only bonds", "in Luxembourg"), ':fund-type "BOND"', 6),
        (("top 5 largest funds in EUR on 31 December 2024", "top 3"), ':currency "EUR" :top 3', 3),
        (("top 5 largest funds in EUR on 31 December 2024", "and in USD?"), ':currency "USD" :top 5', 5),
        (("top 2 largest funds in EUR on 31 December 2024", "and on 30 June 2024?"), ":top 2", 2),
    ],
)
def test_a_follow_up_changes_them_and_keeps_the_others(
    funds: Workspace, messages: tuple[str, ...], arguments: str, rows: int
) -> None:
    *_, last = talk(funds, *messages)
    assert (last.transition, last.answer_mode, last.row_count) == (T.T2, M.CONFIRMED, rows)
    assert arguments in " ".join(last.program.split())


def test_a_question_of_its_own_does_not_take_them_from_the_one_before(funds: Workspace) -> None:
    _, again = talk(funds, "top 5 largest funds in EUR on 31 December 2024", LARGEST)
    assert (again.transition, again.answer_mode) == (T.T1, M.CLARIFICATION_REQUIRED)


def test_the_answer_says_what_it_is_narrowed_to(funds: Workspace) -> None:
    (answer,) = talk(funds, "list closed cbus")
    assert "status closed" in answer.message


def test_a_word_that_is_no_value_is_not_passed_over(funds: Workspace) -> None:
    (asked,) = talk(funds, "list purple cbus")
    assert asked.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    assert "“purple”" in asked.message


@pytest.mark.parametrize(
    ("messages", "program"),
    [
        (("list frozen members",), ':state "frozen"'),
        (("list members", "only running ones"), ':state "running"'),
        (("busiest members", "2"), ":count 2"),
        (("busiest vip members, 3",), ":count 3 :vip true"),
    ],
)
def test_options_numbers_and_flags_of_another_pack(
    gym: Workspace, messages: tuple[str, ...], program: str
) -> None:
    *_, answer = talk(gym, *messages)
    assert answer.answer_mode is M.CONFIRMED
    assert program in " ".join(answer.program.split())
