"""Reading a command's input: a file or stdin, bounded, as text."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from dragoman.contracts.errors import InputUnreadable

MAX_BYTES = 64 * 1024 * 1024


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """A file, or stdin for `-`."""
    if name == "-":
        if sys.stdin is None:
            raise InputUnreadable("standard input is closed", hint="name a file")
        yield sys.stdin.buffer
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115 - closed below, outside of what is caught here
    except (OSError, ValueError) as error:
        told = getattr(error, "strerror", None) or str(error)
        raise InputUnreadable(f"{name} cannot be read: {told}", hint="check the path") from error
    with file:
        yield file


def read_text(name: str, limit: int = MAX_BYTES) -> str:
    """The text of a file, or of stdin for `-`."""
    shown = "standard input" if name == "-" else name
    with opened(name) as file:
        try:
            data = file.read(limit + 1)
        except OSError as error:
            raise InputUnreadable(f"{shown} cannot be read: {error.strerror}", hint="check it") from error
    if len(data) > limit:
        raise InputUnreadable(f"{shown} is longer than {limit:,} bytes", hint="give less at a time")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"{shown} is not UTF-8 at byte {error.start + 1}"
        raise InputUnreadable(message, hint="save it as UTF-8") from error
