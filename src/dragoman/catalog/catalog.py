"""The catalog: everything that is known in a folder, for the compiler, for planners and for lookups.

It combines `sources` (databases), `verbs` (verbs) and `entity_names` (names), one layer over the other, each
a module of one concern. Everything is read when it is first needed, under one lock, so that threads can share
a catalog. A catalog shows what one viewer may see: policies apply to all of it.
"""

import copy
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Self, overload

from dragoman.catalog.coverage import CoverageRule
from dragoman.catalog.entity_names import EntityNames
from dragoman.catalog.once import forget, once
from dragoman.catalog.sources import DEFAULT
from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.pack import Pack
from dragoman.contracts.places import CONNECTIONS_FILE, DEMO_FOLDER, STATE_FOLDER
from dragoman.contracts.schema import DatabaseSchema
from dragoman.packs.shipped_names import DEMO

if TYPE_CHECKING:
    from dragoman.contracts.connection import ConnectionSpec


class Catalog(EntityNames):
    """What is known in `folder`. In a folder of the embedded demo, the names of connections are not checked:
    a program may be written for a workspace that is somewhere else."""

    def __init__(
        self, folder: Path, *, demo: bool = False, shipped: str = "", operator: bool = False
    ) -> None:
        super().__init__(folder, shipped=shipped, operator=operator)
        self.demo = demo or bool(shipped)
        self._coverage: tuple[CoverageRule, ...] | None = None

    @classmethod
    def open(cls, folder: str | Path = ".") -> Self:
        """The catalog of a folder: a workspace if it has a connections.yaml, otherwise the demo that
        conversations in this folder ask, as it is on disk or, before the first one, as it ships."""
        root = Path(folder).resolve()
        if os.path.lexists(root / CONNECTIONS_FILE):
            return cls(root)
        home = root / STATE_FOLDER / DEMO_FOLDER
        return cls(home, demo=True) if os.path.lexists(home / CONNECTIONS_FILE) else cls.of_package()

    @classmethod
    def of_package(cls) -> Self:
        """The components, and the verbs and names of the demo, without any folder."""
        return cls(Path(), shipped=DEMO)

    def connections(self) -> tuple[str, ...] | None:
        """Every name that can be written. One whose entry has a mistake is not said to be missing here."""
        # Outside a workspace a program may be meant for connections of another machine: None says "not
        # known", which the compiler does not check, where an empty tuple would refuse every name.
        if self.demo:
            return None
        aliases = [spec.alias for spec in self.databases.specs]
        plain = [alias for alias in dict.fromkeys(aliases) if aliases.count(alias) == 1]
        whole = [spec.name.removeprefix("@") for spec in self.databases.specs if spec.family is not None]
        default = [DEFAULT] if self.default is not None else []
        # An alias that two families share is left out: only its full name is clear. A broken entry is
        # reported where it stands, and not a second time as missing.
        return tuple(dict.fromkeys((*plain, *whole, *default, *self.databases.broken)))

    def columns(self, connection: str, table: str) -> tuple[str, ...] | None:
        spec = self.connection_named(connection)
        schema = None if spec is None else self.visible_schema(spec)
        if schema is None:
            return None
        qualifier, _, name = table.rpartition(".")
        found = [each for each in schema.tables if each.name == name and qualifier in (each.schema, "")]
        # Two schemas may have a table of this name. Guessing one would report columns as missing that are in
        # the other.
        return tuple(column.name for column in found[0].columns) if len(found) == 1 else None

    @once
    def coverage(self) -> tuple[CoverageRule, ...]:
        """What is loaded until when, of every pack."""
        return self._read.coverage if self._coverage is None else self._coverage

    def with_coverage(self, rules: Iterable[CoverageRule]) -> Self:
        """The same catalog, if this were loaded."""
        other = copy.copy(self)
        other._coverage = tuple(rules)
        forget(other, "coverage")
        return other

    def load(self) -> Self:
        """Read all names and coverage now, so that an unreachable database is found out before a turn."""
        _ = self.entities, self.coverage
        return self

    @overload
    def schema(self, of: "ConnectionSpec") -> DatabaseSchema | None: ...
    @overload
    def schema(self, of: Pack) -> DatabaseSchema: ...
    def schema(self, of: "ConnectionSpec | Pack") -> DatabaseSchema | None:
        """What discovery kept of a connection; of a pack's, which has to be discovered."""
        if not isinstance(of, Pack):
            return super().schema(of)
        spec = self.connection_of(of)
        schema = super().schema(spec) if spec is not None else None
        if schema is None:
            raise WorkspaceError(
                f"the database of the pack {of.pack} was not discovered yet", hint="run dragoman discover"
            )
        return schema

    def source_name(self, pack: Pack) -> str:
        """How evidence calls the database of a pack."""
        spec = self.connection_of(pack)
        return spec.name if spec is not None else pack.pack
