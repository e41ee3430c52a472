"""The lines that were typed in earlier chats of a folder: a file of its owner's alone, of bounded length."""

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dragoman.contracts.places import STATE_FOLDER
from dragoman.workspace.guards import scrubbed
from dragoman.workspace.text import write_whole

FILE: Final = "chat_history"
MOST_LINES: Final = 1_000
_LONGEST: Final = 4_000
_MOST_BYTES: Final = 8 << 20
"""A file that is longer is not one of ours."""


class ChatHistory:
    """What was typed, oldest first, one JSON text per line of the file. Where it cannot be written, the chat
    goes on without: `problem` says why."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / STATE_FOLDER / FILE
        self.problem = ""

    def lines(self) -> list[str]:
        """The newest lines there are. A file that has grown to twice as many is cut."""
        try:
            found = list(self._read())
            if len(found) > 2 * MOST_LINES:
                found = found[-MOST_LINES:]
                write_whole(self._path, "".join(map(_written, found)).encode())
        except FileNotFoundError:
            return []
        except OSError as error:
            self.problem = f"{self._path} cannot be read: {error.strerror}"
            return []
        return found[-MOST_LINES:]

    def add(self, line: str) -> None:
        """Keep a line, without the secrets in it."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
            with os.fdopen(os.open(self._path, flags, 0o600), "ab") as file:
                # It may have been made by somebody with other habits.
                if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                    os.fchmod(file.fileno(), 0o600)
                # In one call: another chat in this folder adds its lines meanwhile.
                file.write(_written(safe(line)).encode())
        except OSError as error:
            self.problem = f"{self._path} cannot be written: {error.strerror}"

    def _read(self) -> Iterator[str]:
        with os.fdopen(os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            data = file.read(_MOST_BYTES)
        for line in data.decode("utf-8", "replace").splitlines():
            try:
                text = json.loads(line)
            except ValueError:
                continue  # Cut off by a crash: the others are whole.
            if isinstance(text, str) and text:
                yield text


def safe(line: str) -> str:
    """A line as it may be kept."""
    return scrubbed(line)[:_LONGEST]


def _written(line: str) -> str:
    return json.dumps(line, ensure_ascii=False) + "\n"
