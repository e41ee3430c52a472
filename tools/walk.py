"""Trace one turn of a conversation and print the rooms that it passes, in order, with counts.

./do walk "QUESTION" ["FOLLOW-UP" ...] [--workspace FOLDER | --database FILE]
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import dragoman
from dragoman import Workspace
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.turn_result import TurnResult
from tools.checkout import say
from tools.walk_calls import Call, traced
from tools.walk_page import page

PACKAGE = Path(dragoman.__file__).parent


def walked(workspace: Workspace, messages: Sequence[str]) -> tuple[TurnResult, list[Call]]:
    """Take the conversation twice, and trace the last turn of the second time: what a process reads, indexes
    and imports once is not part of a turn. The sessions are deleted again."""
    sessions = [workspace.new_session(title="walk") for _ in range(2)]
    warm, traced_session = sessions
    try:
        for message in messages:
            workspace.ask(warm, message)
        *before, last = messages
        for message in before:
            workspace.ask(traced_session, message)
        return traced(PACKAGE, lambda: workspace.ask(traced_session, last))
    finally:
        for session in sessions:
            workspace.delete_session(session)


def printed(workspace: Workspace, messages: Sequence[str]) -> str:
    """The whole of what the command prints; nothing in it depends on the time, the folder or the process."""
    result, calls = walked(workspace, messages)
    said = " → ".join(f"“{message}”" for message in messages)
    return f"{said}\n{result.transition}, {result.answer_mode}: {page(calls)}"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="./do walk", description="Trace the last of these turns.")
    parser.add_argument("messages", nargs="+", metavar="MESSAGE", help="a question and its follow-ups")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--workspace", type=Path, help="ask the workspace in this folder; otherwise the demo")
    place.add_argument("--database", type=Path, help="ask this database file, which needs no workspace")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        try:
            if chosen.database is not None:
                opened = Workspace.open_database(chosen.database, folder)
            else:
                opened = Workspace.open(chosen.workspace or folder)
            with closing(opened) as workspace:
                print(printed(workspace, chosen.messages), end="")
        except DragomanError as error:
            say(f"{error.message}; {error.hint}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
