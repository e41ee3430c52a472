"""A workspace with documents and rules, with or without data beside them."""

import sqlite3
from contextlib import closing
from pathlib import Path

from dragoman import Workspace
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.turn_result import TurnResult

HANDBOOK = """# Pottery studio: handbook

## Kilns

The gas kiln is fired every Thursday evening. Pieces must be bone dry before they go in.

To book a kiln shelf, write your name and the number of pieces on the list beside the door.

## Glazes

Glazes are mixed by the studio assistant. Members do not open the raw material bins.

Throwing weight: how many kilograms of clay somebody centres in one go.
"""
RULES = """# House rules

Whoever breaks a shared tool replaces it within two weeks, or pays what a new one costs.

Members who book a kiln shelf and leave it empty pay 8 euros.
"""
BRENNEN = """# Brennofen

Der Elektroofen wird nur vom Werkstattleiter bedient. Ein Brand dauert elf Stunden.
"""
TABLES = """
CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT, joined DATE);
CREATE TABLE piece (
    id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES member (id), glaze TEXT, weight INTEGER
);
INSERT INTO member VALUES (1, 'Ada Ruiz', '2024-02-01'), (2, 'Bo Lind', '2024-03-05');
INSERT INTO piece VALUES (1, 1, 'celadon', 900), (2, 1, 'tenmoku', 1200), (3, 2, 'celadon', 700);
"""


def texts_in(folder: Path) -> Path:
    """The documents, and a connections.yaml that names no database."""
    (folder / "docs").mkdir(parents=True, exist_ok=True)
    (folder / "policies").mkdir(exist_ok=True)
    (folder / "docs" / "handbook.md").write_text(HANDBOOK, encoding="utf-8")
    (folder / "docs" / "brennen.md").write_text(BRENNEN, encoding="utf-8")
    (folder / "policies" / "rules.md").write_text(RULES, encoding="utf-8")
    (folder / "connections.yaml").touch()
    return folder


def data_in(folder: Path) -> Path:
    """A database of the studio, as the one connection."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / "studio.sqlite")) as database:
        database.executescript(TABLES)
    (folder / "connections.yaml").write_text("studio: {family: sqlite, path: studio.sqlite, default: true}\n")
    return folder


def asked(folder: Path, *messages: str) -> list[TurnResult]:
    """What each message of one session gives."""
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        return [workspace.ask(session, each) for each in messages]


def last_answer(folder: Path, *messages: str) -> AnswerObject:
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        for each in messages:
            workspace.ask(session, each)
        return workspace.state(session).answers.items[-1]
