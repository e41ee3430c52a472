"""The two walks that docs/architecture.md shows: a follow-up with a pack, and the same over bare tables.

Run as a script it prints them; `walk_block` does that in a process of its own, which nothing else has warmed.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from dragoman import Workspace
from tools.checkout import ROOT
from tools.walk import printed

SHOP: Final = ROOT / "tools" / "walk_shop.sql"
_TRIES: Final = 5
_CLOSE_LOOK: Final = "scrubbed_value"


@dataclass(frozen=True)
class Example:
    """A conversation whose last turn is walked, with the demo's pack or over the tables of the shop."""

    title: str
    messages: tuple[str, ...]
    over_tables: bool = False

    def open(self, folder: Path) -> Workspace:
        if not self.over_tables:
            return Workspace.open(folder)
        database = folder / "shop.sqlite"
        with closing(sqlite3.connect(database)) as connection:
            connection.executescript(SHOP.read_text("utf-8"))
        return Workspace.open_database(database, folder)


EXAMPLES: Final = (
    Example("With a pack", ("receivables of Beta Retail as of 31 March 2020", "and for April?")),
    Example("Over tables", ("how many orders are from March?", "and for April?"), over_tables=True),
)


@cache
def walk_block() -> str:
    """Both walks as a part of a page."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DRAGOMAN_")}
    environment["PYTHONPATH"] = str(ROOT)
    command = [sys.executable, str(Path(__file__))]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def _section(example: Example) -> str:
    walks = (_walked(example) for _ in range(_TRIES))
    # An id is random and may look like the beginning of a secret: then the log is looked at closely.
    usual = next((walk for walk in walks if _CLOSE_LOOK not in walk), "")
    return f"### {example.title}\n\n```text\n{usual}```\n"


def _walked(example: Example) -> str:
    with tempfile.TemporaryDirectory() as folder, closing(example.open(Path(folder))) as workspace:
        return printed(workspace, example.messages)


if __name__ == "__main__":
    print("\n".join(map(_section, EXAMPLES)), end="")
