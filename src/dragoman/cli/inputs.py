"""Reading what a command is given: a file or standard input, bounded, as text."""

import sys
from pathlib import Path

from dragoman.contracts.errors import DragomanError

MAX_BYTES = 64 * 1024 * 1024


class InputUnreadable(DragomanError):
    code = "input_unreadable"


def read_text(name: str, limit: int = MAX_BYTES) -> str:
    """The text of a file, or of standard input for `-`."""
    shown = "standard input" if name == "-" else name
    try:
        if name == "-":
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(limit + 1)
        if len(data) > limit:
            raise InputUnreadable(f"{shown} is longer than {limit:,} bytes", hint="give less at a time")
        return data.decode("utf-8")
    except (OSError, ValueError) as error:
        reason = f"is not UTF-8 at byte {error.start + 1}" if isinstance(error, UnicodeDecodeError) else None
        told = reason or f"cannot be read: {getattr(error, 'strerror', None) or error}"
        raise InputUnreadable(f"{shown} {told}", hint="check the path and the encoding") from error
