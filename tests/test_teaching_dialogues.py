"""Sixty conversations in which somebody teaches words, written from schemas alone.

A lesson that is wrong or contradictory keeps nothing, in every one of them. Of the others as many turns go as
they should as is said here, and no fewer from one version to the next.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pytest

from dragoman import Workspace
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass

FOLDER: Final = Path(__file__).parent / "teaching_dialogues"
DIALOGUES: Final = [json.loads(line) for line in (FOLDER / "dialogues.jsonl").read_text("utf-8").splitlines()]
WRONG: Final = [each for each in DIALOGUES if each["kind"] == "wrong"]
ANSWERED: Final = (AnswerMode.CONFIRMED, AnswerMode.LIMITED)
LEAST: Final = {"en": 116, "ru": 47, "ko": 26}
"""How many turns go as they should at least, of 141, 62 and 36."""


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lessons")
    for script in FOLDER.glob("*.sql"):
        with closing(sqlite3.connect(folder / f"{script.stem}.sqlite")) as connection:
            connection.executescript(script.read_text("utf-8"))
    return folder


def test_there_are_sixty_and_fifteen_of_them_are_wrong() -> None:
    assert len(DIALOGUES) == 60
    assert len(WRONG) == 15


@pytest.mark.parametrize("dialogue", WRONG, ids=lambda each: each["id"])
def test_nothing_wrong_is_half_learned(dialogue: dict[str, Any], databases: Path, tmp_path: Path) -> None:
    for expected, fits in _held(dialogue, databases, tmp_path):
        assert fits or expected["mode"] != "teach_refused", expected


@pytest.mark.long
@pytest.mark.parametrize("language", LEAST)
def test_as_many_turns_go_as_they_should_as_before(language: str, databases: Path, tmp_path: Path) -> None:
    found: Counter[bool] = Counter()
    for number, dialogue in enumerate(DIALOGUES):
        if dialogue["lang"] == language:
            folder = tmp_path / str(number)
            found.update(fits for _, fits in _held(dialogue, databases, folder))
    assert found[True] >= LEAST[language], found


def _held(dialogue: dict[str, Any], databases: Path, folder: Path) -> Iterator[tuple[dict[str, Any], bool]]:
    """Every turn of a conversation: what is expected, and whether it came so."""
    database = databases / dialogue["db"]
    with Workspace.open_database(database, folder) as workspace:
        session = workspace.new_session()
        for turn in dialogue["turns"]:
            rows: list[ResultRows] = []
            result = workspace.ask(session, turn["say"], on_result=rows.append)
            whole = rows[-1].rows if rows else result.rows
            yield turn["expect"], _fits(turn["expect"], result, list(whole), database)


def _fits(expected: dict[str, Any], result: TurnResult, rows: list[tuple[Any, ...]], database: Path) -> bool:
    match expected["mode"]:
        case "answered":
            with closing(sqlite3.connect(database)) as connection:
                gold = connection.execute(expected["sql"]).fetchall()
            return result.answer_mode in ANSWERED and _same(gold, rows)
        case "refused":
            return result.answer_mode not in ANSWERED
        case "teach_refused":
            return result.answer_mode is AnswerMode.UNSUPPORTED
        case mode:
            return result.transition is TransitionClass.X_TEACH and result.answer_mode == mode


def _same(gold: list[tuple[Any, ...]], rows: list[tuple[Any, ...]]) -> bool:
    """Whether every column of the gold rows is among ours, by its values."""
    if len(gold) != len(rows):
        return False
    ours = [Counter(_plain(cell) for cell in column) for column in zip(*rows, strict=True)]
    return all(Counter(_plain(cell) for cell in column) in ours for column in zip(*gold, strict=True))


def _plain(cell: Any) -> object:
    try:
        return round(Decimal(str(cell)), 2)
    except ArithmeticError:
        return cell
