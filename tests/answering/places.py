"""Workspaces for conversations: the trade demo beside a database to write to, and the packs that ship."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from dragoman import Workspace
from dragoman.contracts.turn_result import TurnResult
from tests.called import called

STOCK: Final = "stock of Alfa Trade on 31 March 2020"


def dragoman(*arguments: str, cwd: Path | None = None) -> str:
    """Run a command that has to succeed; what it printed."""
    done = called(*arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def pack_workspace(pack: str, folder: Path) -> Path:
    dragoman("init", "--pack", pack, "-w", str(folder))
    return folder


def trade_and_lake(folder: Path) -> Path:
    """The trade pack on its own database, and an empty one called lake."""
    pack_workspace("trade", folder)
    text = (folder / "connections.yaml").read_text("utf-8")
    text = text.replace("  path: trade.sqlite", "  path: trade.sqlite\n  default: true")
    text += "lake:\n  family: sqlite\n  path: lake.sqlite\n"
    (folder / "connections.yaml").write_text(text, "utf-8")
    with closing(sqlite3.connect(folder / "lake.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE narrow (x INTEGER)")
    return folder


def talk(workspace: Workspace, *messages: str) -> list[TurnResult]:
    """One session, from its first message on."""
    session = workspace.new_session()
    return [workspace.ask(session, message) for message in messages]


def rows_of(database: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database)) as connection:
        return list(connection.execute(sql))
