"""The checkout that ./do stands in, and how it speaks to the person who runs it."""

import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent


class SetupError(Exception):
    """Something the machine lacks. The message says what to do about it."""


def say(message: str) -> None:
    """Stdout belongs to the command that is run; set-up speaks on stderr."""
    print(f"do: {message}", file=sys.stderr, flush=True)
