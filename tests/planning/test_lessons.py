"""Lessons in the words that people use: what each keeps, and what an unknown word gives an occasion for."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass
from dragoman.packs.learned_words import is_same, read_learned

SCRIPT: Final = """
CREATE TABLE members (
  member_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, city TEXT, phone TEXT, joined DATE);
CREATE TABLE visits (
  visit_id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES members (member_id), visit_date DATE,
  minutes INTEGER, fee NUMERIC(8, 2), extra_fee NUMERIC(8, 2));
"""
CITIES: Final = ("Ulm", "Bonn", "Kiel")

Say = Callable[..., TurnResult]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "gym.sqlite")) as connection:
        connection.executescript(SCRIPT)
        members = [
            (n, f"Member {n}", CITIES[n % 3], f"555{n}" if n % 2 else None, f"202{n % 4}-02-01")
            for n in range(1, 13)
        ]
        visits = [
            (n, 1 + n % 4, f"202{3 + n % 2}-0{1 + n % 9}-11", 30 + n, 10 + n, n % 3) for n in range(1, 61)
        ]
        connection.executemany("INSERT INTO members VALUES (?, ?, ?, ?, ?)", members)
        connection.executemany("INSERT INTO visits VALUES (?, ?, ?, ?, ?, ?)", visits)
        connection.commit()
    return tmp_path


@pytest.fixture
def say(home: Path) -> Iterator[Say]:
    """Says one thing after another, and gives the last result."""
    with Workspace.open_database(home / "gym.sqlite", home / "work") as workspace:
        session = workspace.new_session()

        def said(*messages: str) -> TurnResult:
            return [workspace.ask(session, message) for message in messages][-1]

        yield said


@pytest.mark.parametrize(
    ("lesson", "shown"),
    [
        ("extra_fee is what the database calls surcharge", 'the column "extra_fee" of visits'),
        ("surcharge is called extra fee in the database", 'the column "extra_fee" of visits'),
        ("surcharges are what you have as extra fee", 'the column "extra_fee" of visits'),
        ("surcharges are what the database calls extra fee", 'the column "extra_fee" of visits'),
        ("extra_fee means surcharge", 'So “surcharge” means the column "extra_fee" of visits'),
        ("the length of a visit is its minutes", 'So “length” means the column "minutes" of visits'),
        ("takings are the sum of visit fees", 'So “takings” means the column "fee" of visits'),
        (
            "a mute member is one that has no phone",
            "“mute” means the rows of members where phone is missing.",
        ),
        ("a silent member is one without a phone", "where phone is missing"),
        (
            "a local member is one where city is Ulm",
            "“local” means the rows of members where city is Ulm",
        ),
        ("members that have a phone are reachable members", "where phone is not missing"),
        ("a regular is a member with more than 10 visits", "where number of visits is above 10"),
        ("recent visits are those since 2024", "visit date is on or after 1 January 2024"),
        ("early members are members who joined before 2022", "joined is on or before 31 December 2021"),
        ("a listed member is one with a phone filled in", "where phone is not missing"),
        (
            "brief means the minutes are 40 or less",
            "“brief” means the rows of visits where minutes is at most 40",
        ),
        (
            "a visit that is still open has no visit date",
            "“still open” means the rows of visits where visit date",
        ),
        ("a local is someone whose city is Ulm", "“local” means the rows of members where city is Ulm"),
        ("money left in the till is fee minus extra fee", "fee − extra fee, computed from visits"),
        ("a guest is a member record", "“guest” means the rows of members"),
        ("surcharge rate means extra fee divided by fee plus extra fee", "extra fee ÷ (fee + extra fee)"),
        ("net means fee times minutes times one minus extra fee", "fee × minutes × (1 − extra fee)"),
        ("uncle Ulm is Ulm", 'the value "Ulm" of members'),
        ("footfall means the number of visits", "the number of visits"),
        ("«доплата» в базе называется extra_fee", 'колонка "extra_fee"'),
        ("выручка — это fee плюс extra_fee", "fee + extra fee"),
        ("посещениями мы называем visits", "таблицы visits"),
        ("수입은 fee에 extra_fee를 더한 값입니다", "fee + extra fee"),
    ],
)
def test_a_lesson_is_understood(say: Say, lesson: str, shown: str) -> None:
    result = say(lesson)
    assert (result.transition, result.answer_mode) == (
        TransitionClass.X_TEACH,
        AnswerMode.CLARIFICATION_REQUIRED,
    ), result.message
    assert shown in result.message


@pytest.mark.parametrize(
    "lesson",
    [
        "recent visits are those of the last month",
        "a regular is a member with more than 10 zorbs",
        "members that have a zorb are odd members",
        "zorb_count is what the database calls popularity",
        "old means before 2000",
    ],
)
def test_what_cannot_be_kept_is_not(say: Say, home: Path, lesson: str) -> None:
    say(lesson, "yes")
    assert read_learned(home / "work") == ()


SEVERAL: Final = "in visits, minutes is stay and extra_fee is surcharge"


def test_a_sentence_with_several_words_keeps_all_of_them(say: Say, home: Path) -> None:
    result = say(SEVERAL)
    assert result.answer_mode is AnswerMode.CLARIFICATION_REQUIRED, result.message
    assert read_learned(home / "work") == ()
    say("yes")
    assert [(each.word, each.means) for each in read_learned(home / "work")] == [
        ("stay", '"minutes"'),
        ("surcharge", '"extra_fee"'),
    ]
    assert say("total surcharge").rows == say("total extra fee").rows != ()


def test_a_taught_word_may_be_in_the_next_definition(say: Say) -> None:
    result = say(SEVERAL, "yes", "takings means fee plus surcharge")
    assert "fee + extra fee" in result.message


def test_a_no_to_several_words_keeps_none(say: Say, home: Path) -> None:
    say(SEVERAL, "no")
    assert read_learned(home / "work") == ()


def test_a_sentence_with_one_unknown_word_keeps_none_of_several(say: Say, home: Path) -> None:
    say("surcharge means extra fee and takings means zorb count", "yes")
    assert read_learned(home / "work") == ()


def test_what_a_word_of_several_meant_before_is_said(say: Say) -> None:
    result = say("surcharge means extra fee", "yes", "surcharge means fee and stay means minutes")
    assert 'until now: the column "extra_fee" of visits' in result.message


def test_names_for_columns_that_two_tables_call_the_same_stay_beside_each_other() -> None:
    one = TaughtWord("wins", TaughtKind.COLUMN, "teams", '"w"')
    assert not is_same(one, TaughtWord("wins", TaughtKind.COLUMN, "pitchers", '"w"'))
    assert is_same(one, TaughtWord("wins", TaughtKind.COLUMN, "pitchers", '"victories"'))


@pytest.mark.parametrize(
    "yes",
    [
        "yes, that's it",
        "exactly, keep it",
        "yes please remember that",
        "да, запомни",
        "так и есть, сохрани",
        "네, 기억해 줘",
        "ja, merk dir das",
    ],
)
def test_a_yes_in_more_words_keeps_a_word(say: Say, home: Path, yes: str) -> None:
    result = say("footfall means the number of visits", yes)
    assert result.transition is TransitionClass.X_TEACH, result.message
    assert [word.word for word in read_learned(home / "work")] == ["footfall"]


@pytest.mark.parametrize("no", ["no, don't keep it", "no keep it", "нет, не запоминай", "아니, 잊어"])
def test_a_no_in_more_words_does_not(say: Say, home: Path, no: str) -> None:
    say("footfall means the number of visits", no)
    assert read_learned(home / "work") == ()


@pytest.mark.parametrize("lesson", ["members are visits", "a member is a visit"])
def test_what_has_a_name_already_is_said_to_have_one(say: Say, home: Path, lesson: str) -> None:
    result = say(lesson)
    assert "is already the name of something" in result.message
    assert read_learned(home / "work") == ()


def test_a_taught_name_for_rows_is_understood_in_the_next_lesson(say: Say) -> None:
    result = say("calls are visits", "yes", "the length of a call is its minutes")
    assert 'So “length” means the column "minutes" of visits' in result.message


def test_what_a_word_means_instead(say: Say) -> None:
    result = say("takings means fee", "no, takings is fee plus extra_fee")
    assert "fee + extra fee" in result.message
    assert result.answer_mode is AnswerMode.CLARIFICATION_REQUIRED


def test_conditions_that_count_are_used_and_denied(say: Say) -> None:
    say("a loyal member is one with more than 10 visits", "yes")
    assert say("how many loyal members are there?").rows == ((4,),)
    assert say("how many members are not loyal?").rows == ((8,),)


def test_a_number_of_rows_is_counted(say: Say) -> None:
    say("footfall means the number of visits", "yes")
    assert say("total footfall").rows == ((60,),)
    assert say("average footfall").answer_mode is not AnswerMode.CONFIRMED


def test_a_definition_is_undone_later_too(say: Say, home: Path) -> None:
    say("footfall means the number of visits", "yes", "total footfall", "undo that definition")
    assert read_learned(home / "work") == ()


def test_an_unknown_word_may_be_taught_and_asked_again(say: Say) -> None:
    refused = say("total footfall by city")
    assert refused.transition is TransitionClass.T10
    assert refused.message.endswith("What does it mean? Tell me, for example: “footfall means …”.")
    taught = say("footfall means the number of visits", "yes")
    assert "“total footfall by city”" in taught.message
    answered = say("total footfall by city")
    assert answered.answer_mode is AnswerMode.CONFIRMED
    assert answered.program.startswith('(visits.count :by "member/city"')


@pytest.mark.parametrize("message", ["what is the weather in zorbia?", "who won the zorb cup?", "zorb"])
def test_what_is_about_something_else_is_no_occasion_to_teach(say: Say, message: str) -> None:
    assert "for example: “" not in say(message).message
