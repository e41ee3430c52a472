"""The command line: `dragoman`. Commands are imported when they are called."""

import io
import os
import sys
from typing import NoReturn

from dragoman.cli.application import dragoman


def main() -> None:
    """Run the command line and end the process with its exit code."""
    from dragoman.cli import own_process
    from dragoman.cli.failures import OUTPUT_FAILED, report_defect

    own_process.begin()
    sys.excepthook = report_defect
    if sys.stdout is None or sys.stderr is None:
        # Whoever closed them wants no word of it; only the exit code is left to say it.
        os._exit(OUTPUT_FAILED)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a letter must not undo a turn that was taken.
            stream.reconfigure(errors="backslashreplace")
    try:
        code = run(sys.argv[1:])
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    _end(code)


def _end(code: int) -> NoReturn:
    """End the process at once with what the command returned.

    Drivers and DuckDB keep threads of their own until the very end. When Python and the C library take apart
    what these still use, a process whose work is done can die of a signal, and then it seems to have failed.
    """
    from dragoman.cli.failures import OUTPUT_FAILED

    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = code or OUTPUT_FAILED
        except ValueError:
            continue  # Closed, because whoever read it left.
    os._exit(code)


def run(arguments: list[str]) -> int:
    """Run one command; the exit code."""
    from dragoman.cli.failures import run_guarded

    return run_guarded(dragoman, arguments)
