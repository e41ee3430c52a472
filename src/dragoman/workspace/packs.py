"""The packs of a workspace: checked, and drafted for a database."""

from collections.abc import Callable
from pathlib import Path

from dragoman.contracts.program import Diagnostic
from dragoman.language.source import Source
from dragoman.packs.pack_check import check_pack
from dragoman.workspace.databases import Databases, Progress, silent


class Packs:
    """What a schema cannot say of the databases of a folder, in YAML."""

    def __init__(self, folder: Path) -> None:
        self._databases = Databases(folder)

    def checker(
        self, connection: str | None = None, *, progress: Progress = silent
    ) -> Callable[[Source], tuple[Diagnostic, ...]]:
        """Finds everything that is wrong with a pack; with a connection also what its database lacks."""
        schema = None
        if connection is not None:
            schema = self._databases.discover(self._databases.find(connection), progress=progress)
        return lambda source: check_pack(source, schema)

    def draft(self, connection: str, *, verbs: bool = False, progress: Progress = silent) -> str:
        """A first pack for a database, for a person to edit; with entities and `verbs` if wanted."""
        from dragoman.planning.first_pack.draft import first_pack

        spec = self._databases.find(connection)
        schema = self._databases.visible(spec, progress=progress)
        # Where there is one database, a pack is for that.
        whose = spec.name if len(self._databases.connections().specs) > 1 else ""
        return first_pack(schema, spec.alias, connection=whose, verbs=verbs)
