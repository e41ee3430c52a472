"""Where a run happens."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

from dragoman.contracts.cancellation import Cancellation
from dragoman.databases.connections import ResolvedConnection
from dragoman.engine.component import Component
from dragoman.engine.file_targets import FileTargets
from dragoman.engine.registry import component as own_component


@dataclasses.dataclass(frozen=True)
class Surroundings:
    """The workspace, the run's own scratch folder, how connections and components are found by their names,
    the wish to stop, and which files may be written."""

    workspace: Path
    folder: Path
    connect: Callable[[str], ResolvedConnection]
    cancel: Cancellation
    targets: FileTargets
    component: Callable[[str], Component] = own_component
