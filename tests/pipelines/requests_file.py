"""The requests for pipelines and what each has to become, in one plain file.

A dialogue begins with `# name`. A line `> …` is a message; the lines behind it are what becomes of it: the
name and the steps of the program, `! code` where it is refused, or `? …` for each option that is offered.
"""

from pathlib import Path
from typing import Final, NamedTuple

FILE: Final = Path(__file__).with_name("requests.txt")


class Turn(NamedTuple):
    message: str
    expected: tuple[str, ...]


class Dialogue(NamedTuple):
    name: str
    turns: tuple[Turn, ...]


def read_dialogues(file: Path = FILE) -> list[Dialogue]:
    found: list[Dialogue] = []
    name, turns, message, expected = "", list[Turn](), "", list[str]()

    def close_turn() -> None:
        nonlocal message
        if message:
            turns.append(Turn(message, tuple(expected)))
        message = ""
        expected.clear()

    for line in (*file.read_text(encoding="utf-8").splitlines(), "# end"):
        if line.startswith("# "):
            close_turn()
            if turns:
                found.append(Dialogue(name, tuple(turns)))
            name, turns = line.removeprefix("# "), []
        elif line.startswith("> "):
            close_turn()
            message = line.removeprefix("> ")
        elif line.strip():
            expected.append(line.strip())
    return found
