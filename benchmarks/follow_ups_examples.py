"""Follow-ups of our own, over a ferry line that was made up: what conversations elsewhere rarely say."""

import sqlite3
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent


def examples() -> list[tuple[str, str, str]]:
    """The statement in hand, what is said, and the statement that is meant."""
    _, *blocks = (HERE / "follow_ups_examples.txt").read_text(encoding="utf-8").strip().split("\n\n")
    found = []
    for block in blocks:
        before, message, after = block.split("\n")
        found.append((before, message, after))
    return found


def make(path: Path) -> Path:
    connection = sqlite3.connect(path)
    connection.executescript((HERE / "follow_ups_ferries.sql").read_text(encoding="utf-8"))
    connection.commit()
    connection.close()
    return path
