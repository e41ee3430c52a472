"""Whether this process is a command's own: then it may be bounded. One that only calls a command may not."""

from pathlib import Path

_begun: list[bool] = []


def begin() -> None:
    """This process was started for one command, and ends with it."""
    _begun.append(True)


def bound(folder: Path) -> None:
    """Hold this process to the memory that the workspace allows, if it is the command's own."""
    if _begun:
        # Imported by the commands that read or write: the others must not wait for it.
        from dragoman.workspace.limits import bound_memory

        bound_memory(folder)
