"""Talk to your databases. Read the program before it runs. See how sure every answer is."""

from typing import TYPE_CHECKING

from dragoman._lazy import lazy
from dragoman._version import __version__

if TYPE_CHECKING:
    from dragoman.contracts.errors import DragomanError
    from dragoman.contracts.turn_result import TurnResult
    from dragoman.workspace.workspace import Workspace

__all__ = ["DragomanError", "TurnResult", "Workspace", "__version__"]

__getattr__ = lazy(
    __name__,
    {
        "DragomanError": "dragoman.contracts.errors",
        "TurnResult": "dragoman.contracts.turn_result",
        "Workspace": "dragoman.workspace.workspace",
    },
)
