"""Whether this process is a command's own: then it may be bounded. One that only calls a command may not."""

import gc
from pathlib import Path

_OBJECTS_BETWEEN_COLLECTIONS = 300_000
"""A command makes most of its objects while it starts, and they last as long as it does. A question makes
fewer than this: looking for rubbish among them even once was about a twentieth of its CPU."""

_begun: list[bool] = []


def begin() -> None:
    """This process was started for one command, and ends with it."""
    _begun.append(True)
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


def bound(folder: Path) -> None:
    """Hold this process to the memory that the workspace allows, if it is the command's own."""
    if _begun:
        # Imported by the commands that read or write: the others must not wait for it.
        from dragoman.workspace.limits import bound_memory

        bound_memory(folder)
