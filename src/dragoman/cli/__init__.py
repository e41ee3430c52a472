"""The command line: `dragoman`. Commands are imported when they are called."""

import io
import sys

from dragoman.cli.application import dragoman


def main() -> None:
    """Run the command line and end the process with its exit code."""
    from dragoman.cli.failures import report_defect

    sys.excepthook = report_defect
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a letter must not undo a turn that was taken.
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; the exit code."""
    from dragoman.cli.failures import run_guarded

    return run_guarded(dragoman, arguments)
