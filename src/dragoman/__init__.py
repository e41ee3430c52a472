"""Talk to your databases. Read the program before it runs. See how sure every answer is."""

from typing import TYPE_CHECKING

from dragoman._lazy import lazy
from dragoman._version import __version__

if TYPE_CHECKING:
    from dragoman.contracts.errors import DragomanError, OutputValidationError
    from dragoman.contracts.turn_result import TurnResult
    from dragoman.guards.report import strict_report
    from dragoman.workspace.async_workspace import AsyncWorkspace
    from dragoman.workspace.workspace import Workspace

__all__ = [
    "AsyncWorkspace",
    "DragomanError",
    "OutputValidationError",
    "TurnResult",
    "Workspace",
    "__version__",
    "strict_report",
]

__getattr__ = lazy(
    __name__,
    {
        "AsyncWorkspace": "dragoman.workspace.async_workspace",
        "DragomanError": "dragoman.contracts.errors",
        "OutputValidationError": "dragoman.contracts.errors",
        "TurnResult": "dragoman.contracts.turn_result",
        "Workspace": "dragoman.workspace.workspace",
        "strict_report": "dragoman.guards.report",
    },
)
