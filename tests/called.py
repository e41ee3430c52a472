"""The command line called in this process: what a command prints and returns, without the start of a Python.

Such a start takes more CPU than most commands. Only what is about the process itself needs one: signals, how
it dies, what it imports, its streams. tests/test_all_commands_json.py starts every command once.
"""

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from dragoman.cli import run

NOTHING: Final[Mapping[str, str]] = {}


def called(
    *arguments: str | bytes,
    cwd: Path | None = None,
    stdin: str | bytes = b"",
    env: Mapping[str, str] = NOTHING,
) -> subprocess.CompletedProcess[str]:
    """What a process would say, run in that folder with that input and with these variables beside ours."""
    words = [os.fsdecode(argument) for argument in arguments]
    given = stdin.encode() if isinstance(stdin, str) else stdin
    said, complained = io.BytesIO(), io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in env.items():
            patch.setenv(name, value)
        if cwd is not None:
            patch.chdir(cwd)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8"))
        patch.setattr(sys, "stdout", _writing_to(said))
        patch.setattr(sys, "stderr", _writing_to(complained))
        code = exit_code(words)
        sys.stdout.flush()
        sys.stderr.flush()
        out, err = said.getvalue().decode(), complained.getvalue().decode()
    return subprocess.CompletedProcess(words, code, out, err)


def exit_code(arguments: list[str]) -> int:
    """The exit code of a call in this process, which some commands end themselves."""
    try:
        return run(arguments)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)


def _writing_to(kept: io.BytesIO) -> io.TextIOWrapper:
    return io.TextIOWrapper(kept, "utf-8", "backslashreplace")
