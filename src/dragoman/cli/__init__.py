"""The command line: `dragoman`. Commands are imported when they are called."""

import sys

from dragoman.cli.application import dragoman


def main() -> None:
    """Run the command line and end the process with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; the exit code."""
    from dragoman.cli.failures import run_guarded

    return run_guarded(dragoman, arguments)
