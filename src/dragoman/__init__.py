"""Talk to your databases. Read the program before it runs. See how sure every answer is."""

from typing import TYPE_CHECKING

from dragoman._version import __version__

if TYPE_CHECKING:
    from dragoman.contracts.errors import DragomanError
    from dragoman.contracts.turn_result import TurnResult
    from dragoman.workspace import Workspace

__all__ = ["DragomanError", "TurnResult", "Workspace", "__version__"]

_HOMES = {
    "DragomanError": "dragoman.contracts.errors",
    "TurnResult": "dragoman.contracts.turn_result",
    "Workspace": "dragoman.workspace",
}


def __getattr__(name: str) -> object:
    """The public names, imported when they are used: `dragoman --version` must not pay for them."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
