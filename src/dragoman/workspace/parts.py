"""The parts of a workspace that need no session. Each is imported and opened when somebody asks for it."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dragoman.contracts.places import CONNECTIONS_FILE, METRICS_FILE, STATE_FOLDER

if TYPE_CHECKING:
    from dragoman.contracts.stages import StageMetrics
    from dragoman.workspace.databases import Databases
    from dragoman.workspace.entities import Entities
    from dragoman.workspace.language_models import LanguageModels
    from dragoman.workspace.packs import Packs
    from dragoman.workspace.pipelines import Pipelines
    from dragoman.workspace.programs import Programs
    from dragoman.workspace.resolution import Resolver

_Part = TypeVar("_Part")


class Parts:
    """Everything of a folder but its sessions. Threads may share it."""

    def __init__(self, folder: Path, home: Path | None = None) -> None:
        self.folder = folder
        self._home = home
        # Opening reads the databases: one thread does it, the others wait. What is forgotten while it is
        # being opened is read again, because forgetting waits too.
        self._opening = threading.RLock()
        self._parts: dict[str, Any] = {}

    @property
    def home(self) -> Path:
        """The folder whose connections and packs are asked: this one, or the demo's own."""
        with self._opening:
            if self._home is None and (self.folder / CONNECTIONS_FILE).exists():
                self._home = self.folder
            if self._home is None:
                from dragoman.catalog.homes import demo_home

                self._home = demo_home(self.folder)
            return self._home

    def stage_metrics(self) -> "StageMetrics":
        """What the guardian said of the turns of this workspace, and how long their stages took."""
        from dragoman.reports.metrics_file import read_stage_metrics

        return read_stage_metrics(self.folder / STATE_FOLDER / METRICS_FILE)

    @property
    def programs(self) -> "Programs":
        """Programs checked, laid out, converted and compiled against this workspace."""
        from dragoman.workspace.programs import Programs

        return self._part("programs", lambda: Programs.open(self.home))

    @property
    def pipelines(self) -> "Pipelines":
        """Runs of compiled programs: started, resumed, cancelled, looked at."""
        from dragoman.workspace.pipelines import Pipelines

        return self._part("pipelines", lambda: Pipelines(self.folder, home=self.home))

    @property
    def databases(self) -> "Databases":
        """The connections, what is in each database, and what is wrong with it."""
        from dragoman.workspace.databases import Databases

        return self._part("databases", lambda: Databases(self.home))

    @property
    def packs(self) -> "Packs":
        """Packs checked, and drafted for a database."""
        from dragoman.workspace.packs import Packs

        return self._part("packs", lambda: Packs(self.home))

    @property
    def entities(self) -> "Entities":
        """Names of things: searched, indexed, made."""
        from dragoman.workspace.entities import Entities

        return self._part("entities", lambda: Entities(self.home))

    @property
    def language_models(self) -> "LanguageModels":
        """The language models that may be asked, if any."""
        from dragoman.workspace.language_models import LanguageModels

        return self._part("language_models", lambda: LanguageModels(self.home))

    def resolver(
        self, *, profile: str | None = None, parameters: Mapping[str, str] | None = None
    ) -> "Resolver":
        """Resolves the names in programs to keys; a profile and parameters hold for all of them."""
        from dragoman.workspace.resolution import Resolver

        return Resolver(self.programs, self.entities, profile=profile, given=parameters)

    def _part(self, name: str, opened: Callable[[], _Part]) -> _Part:
        """A part of the workspace, opened once."""
        with self._opening:
            if name not in self._parts:
                self._parts[name] = opened()
            part: _Part = self._parts[name]
            return part

    def _close_models(self) -> None:
        """A local model is a process: it does not outlive the workspace."""
        with self._opening:
            models: LanguageModels | None = self._parts.get("language_models")
        if models is not None:
            models.close()

    def _forget_parts(self) -> None:
        """What was read of the databases is old: it is read again when somebody asks."""
        with self._opening:
            self._parts.clear()
