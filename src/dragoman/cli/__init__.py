"""The command line: `dragoman`. Commands are imported when they are called."""

import io
import os
import sys

from dragoman.cli.application import dragoman


def main() -> None:
    """Run the command line and end the process with its exit code."""
    from dragoman.cli.failures import OUTPUT_FAILED, report_defect

    sys.excepthook = report_defect
    if sys.stdout is None or sys.stderr is None:
        # Whoever closed them wants no word of it; only the exit code is left to say it.
        os._exit(OUTPUT_FAILED)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a letter must not undo a turn that was taken.
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; the exit code."""
    from dragoman.cli.failures import run_guarded

    return run_guarded(dragoman, arguments)
