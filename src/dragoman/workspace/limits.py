"""The limits of a workspace, where commands and runs need them."""

import resource
from pathlib import Path

from dragoman.catalog.settings import read_settings
from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.limits import WorkspaceLimits
from dragoman.contracts.run import RunLimits


def run_limits(folder: Path, asked: RunLimits) -> RunLimits:
    """What was asked for, and for the rest what dragoman.yaml says. Raises `WorkspaceError`."""
    own = read_settings(folder).limits
    return RunLimits(
        rows=asked.rows,
        seconds=asked.seconds if asked.seconds is not None else float(own.run_seconds),
        memory_bytes=min(asked.memory_bytes, own.memory_bytes),
    )


def bound_memory(folder: Path) -> None:
    """Let this process, and those that it starts, hold no more than the workspace allows.

    It is for commands, which have a process of their own. The system counts what is written to, not what is
    only mapped; whoever asks it for more gets an error in the place of a machine without memory.
    """
    try:
        own = read_settings(folder).limits
    except WorkspaceError:
        # Whoever needs the settings says what is wrong with them.
        own = WorkspaceLimits()
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    known = [each for each in (soft, hard) if each != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([own.memory_bytes, *known]), hard))
