"""What analysts ask of databases that people have: the turns of a folder, and what answers them."""

import json
import sqlite3
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from benchmarks.real_match import Rows, gold_ordered, matches, widened
from dragoman.contracts.record import Record

FIRST_TURN: Final = "first turn"
FOLLOW_UP: Final = "follow-up"


class AskedTurn(Record, frozen=True):
    """One message and the queries that answer it; without any it cannot be answered."""

    id: str
    database: str
    language: str
    kind: str
    """The class of a question; of a conversation whether it begins it."""
    question: str
    golds: tuple[str, ...]
    dialog: str = ""
    """The conversation it belongs to; empty for a question by itself."""


class Wanted(Record, frozen=True):
    """Which turns are asked; what is empty does not matter."""

    part: str = ""
    language: str = ""
    kind: str = ""


def conversations(folder: Path, wanted: Wanted) -> list[list[AskedTurn]]:
    """Every question by itself, then every conversation, in the order of the files."""
    found: list[list[AskedTurn]] = []
    if wanted.part in ("", "questions"):
        found += [[_turn(line, line["class"])] for line in _lines(folder / "questions.jsonl")]
    if wanted.part in ("", "dialogs"):
        lines = _lines(folder / "dialogs.jsonl")
        for _, turns in groupby(lines, lambda line: (line["db_id"], line["dialog"])):
            ordered = sorted(turns, key=lambda line: int(line["turn"]))
            found.append([_turn(line, FOLLOW_UP if at else FIRST_TURN) for at, line in enumerate(ordered)])
    return [each for each in found if _is_wanted(each, wanted)]


def in_one_session(talks: list[list[AskedTurn]]) -> list[list[AskedTurn]]:
    """The questions of a database as one conversation: each stands by itself, and none is alone."""
    alone = [turn for talk in talks for turn in talk if not turn.dialog]
    ordered = sorted(alone, key=lambda turn: turn.database)
    return [list(turns) for _, turns in groupby(ordered, lambda turn: turn.database)]


def _is_wanted(turns: Iterable[AskedTurn], wanted: Wanted) -> bool:
    """A conversation is asked whole or not at all: its turns stand on one another."""
    return any(wanted.language in ("", turn.language) and wanted.kind in ("", turn.kind) for turn in turns)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _turn(line: dict[str, Any], kind: str) -> AskedTurn:
    golds = (line["sql"], *line["alt"]) if line["sql"] else ()
    dialog = f"{line['db_id']} {line['dialog']}" if "dialog" in line else ""
    return AskedTurn(line["id"], line["db_id"], line["lang"], kind, line["question"], golds, dialog)


class GoldDatabase:
    """The gold queries of one database, each run once. Nothing of the product is in between."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        self._rows: dict[str, Rows] = {}

    def rows(self, sql: str) -> Rows:
        if sql not in self._rows:
            self._rows[sql] = self._connection.execute(sql).fetchall()
        return self._rows[sql]

    def answers(self, turn: AskedTurn, ours: Rows) -> bool:
        """Whether these rows are those of one of the gold queries."""
        return any(self._matches(turn.question, sql, ours) for sql in turn.golds)

    def _matches(self, question: str, sql: str, ours: Rows) -> bool:
        wide = widened(sql)
        wider = self.rows(wide) if wide else None
        return matches(self.rows(sql), ours, gold_ordered(question, sql), sql, wider)

    def close(self) -> None:
        self._connection.close()


class Lesson(Record, frozen=True):
    """A sentence that teaches a word of a database."""

    database: str
    say: str


def read_lessons(file: Path, language: str = "") -> tuple[Lesson, ...]:
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    return tuple(Lesson(row["db_id"], row["say"]) for row in rows if language in ("", row["lang"]))
