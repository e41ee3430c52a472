"""The other side of refusing: plain questions over the same databases are answered, often and rightly."""

import sqlite3
from contextlib import closing
from itertools import permutations
from pathlib import Path
from typing import Any, Final

from dragoman.contracts.vocabulary import AnswerMode
from dragoman.conversation_tests.comparison import same_rows
from dragoman.conversation_tests.dialogue import Expectation
from dragoman.conversation_tests.dialogue_file import read_dialogues
from dragoman.conversation_tests.places import DatabasesPlace
from dragoman.conversation_tests.runner import TestedTurn, run_dialogues
from dragoman.conversation_tests.turn_line import plain

HERE: Final = Path(__file__).parent
FILES: Final = sorted((HERE / "answerable").glob("*.jsonl"))
AT_LEAST: Final = 0.4
"""Answered rightly at the first try. Others may end in a question."""
AT_MOST_WRONG: Final = 0.1
"""Of what sounds sure."""


def _is_right(tested: TestedTurn) -> bool:
    """The rows that are wanted; where no order was asked for, any order is as good. What was asked about may
    be shown beside it: who costs more than 4 is shown with the price."""
    wanted, rows = tested.turn.expected[Expectation.ROWS], tested.line.rows
    if rows is None or len(rows) != len(wanted):
        return False
    found = plain(rows)
    if not wanted or len(found[0]) < len(wanted[0]):
        return not wanted
    return any(
        same_rows(
            sorted(wanted, key=_loosely), sorted(([row[at] for at in places] for row in found), key=_loosely)
        )
        for places in permutations(range(len(found[0])), len(wanted[0]))
    )


def _loosely(row: list[Any]) -> str:
    """18.0 and 18 stand at one place."""
    return str([float(cell) if isinstance(cell, int) else cell for cell in row])


def test_plain_questions_are_often_answered_and_rightly(tmp_path: Path) -> None:
    questions = [q for file in FILES for q in read_dialogues(file.read_text("utf-8"), file.name).dialogues]
    for name in {question.db for question in questions}:
        with closing(sqlite3.connect(tmp_path / f"{name}.sqlite")) as connection:
            connection.executescript((HERE / "unanswerable" / f"{name}.sql").read_text("utf-8"))
    with DatabasesPlace(tmp_path) as place:
        tested = list(run_dialogues(questions, place))
    right = [each for each in tested if _is_right(each)]
    sure = [each for each in tested if each.line.answer_mode == AnswerMode.CONFIRMED]
    wrong = [
        f"{each.line.user} -> {each.line.program} {each.line.rows}" for each in sure if each not in right
    ]
    assert len(right) >= AT_LEAST * len(tested), [each.line.user for each in right]
    assert len(wrong) <= AT_MOST_WRONG * len(sure), "\n".join(wrong)
