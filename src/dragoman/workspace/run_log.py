"""The runs of a folder, for questions about them: opened with the first one."""

from collections.abc import Callable
from pathlib import Path

from dragoman.contracts.places import RUNS_FOLDER, STATE_FOLDER
from dragoman.contracts.run import RunRecord
from dragoman.workspace.audience import Audience


class LazyRunLog:
    """Knows what the viewer of a workspace may see of its runs. Most conversations never ask."""

    def __init__(self, folder: Path, audience: Callable[[], Audience]) -> None:
        self._folder = folder / STATE_FOLDER / RUNS_FOLDER
        self._audience = audience

    def runs(self, *, limit: int = 50) -> list[RunRecord]:
        """The newest first."""
        if not self._folder.is_dir():
            return []
        from dragoman.workspace.run_history import RunHistory

        return RunHistory(self._folder, self._audience).runs(limit=limit)

    def find(self, beginning: str) -> RunRecord:
        from dragoman.workspace.run_history import RunHistory

        return RunHistory(self._folder, self._audience).find(beginning)
