"""Where a run happens."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

from dragoman.contracts.cancellation import Cancellation
from dragoman.databases.connections import ResolvedConnection
from dragoman.engine.component import Component
from dragoman.engine.registry import component as own_component


@dataclasses.dataclass(frozen=True)
class Surroundings:
    """The workspace, the run's own scratch folder, how connections and components are found by their names,
    and the wish to stop."""

    workspace: Path
    folder: Path
    connect: Callable[[str], ResolvedConnection]
    cancel: Cancellation
    component: Callable[[str], Component] = own_component
