"""Everything that can be done with a program's text: one place, so that every door gives the same verdict."""

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from dragoman.catalog.components import component_signatures
from dragoman.catalog.programs import ProgramCatalog
from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.vocabulary import Notation
from dragoman.language.compiler import Compilation, CompilerStage
from dragoman.language.document import Document
from dragoman.language.front import (
    Findings,
    compile_source,
    convert_source,
    format_source,
    printed,
    read_program,
)
from dragoman.language.source import Source
from dragoman.packs.shipped_names import shipped_names, shipped_signatures

if TYPE_CHECKING:
    from dragoman.catalog.workspace_catalog import WorkspaceCatalog
    from dragoman.entities.name_resolution import CreateForm
    from dragoman.entities.records import Found

CONNECTIONS = "connections.yaml"


class Programs:
    """Checks, lays out, converts and compiles programs: against a workspace, or where there is none against
    the components and the demo's verbs."""

    def __init__(self, workspace: "WorkspaceCatalog | None" = None) -> None:
        self.workspace = workspace

    @classmethod
    def open(cls, folder: str | Path = ".") -> Self:
        """The workbench of a folder. It is a workspace when it has a connections.yaml."""
        if not os.path.lexists(Path(folder) / CONNECTIONS):
            return cls()
        # Imported for a workspace alone: a program that stands by itself must not wait for it.
        from dragoman.catalog.workspace_catalog import WorkspaceCatalog

        return cls(WorkspaceCatalog(Path(folder).resolve()))

    @cached_property
    def catalog(self) -> "ProgramCatalog | WorkspaceCatalog":
        if self.workspace is not None:
            return self.workspace
        return ProgramCatalog(lambda: {**component_signatures(), **shipped_signatures()}, shipped_names)

    def check(
        self,
        source: Source,
        notation: Notation,
        stage: CompilerStage,
        *,
        profile: str | None = None,
        given: Mapping[str, str] | None = None,
    ) -> Compilation:
        """As far as `stage`. A program with parameters is checked with what they are worth."""
        return compile_source(source, notation, self.catalog, given=given, profile=profile, upto=stage)

    def compile(
        self,
        source: Source,
        notation: Notation,
        *,
        profile: str | None = None,
        given: Mapping[str, str] | None = None,
    ) -> Compilation:
        return compile_source(source, notation, self.catalog, given=given, profile=profile)

    def format(self, source: Source, notation: Notation) -> str | Findings:
        """The text laid out anew, comments kept; or what is wrong with it."""
        return format_source(source, notation, self.catalog.effects())

    def convert(self, source: Source, notation: Notation, target: Notation) -> str | Findings:
        """The program in the other notation; or why it cannot be written in it."""
        return convert_source(source, notation, target, self.catalog.effects())


class BenchWorld:
    """A workbench with a workspace, as the resolution of a program's names asks it."""

    def __init__(
        self, bench: Programs, *, profile: str | None = None, given: Mapping[str, str] | None = None
    ) -> None:
        if bench.workspace is None:
            raise WorkspaceError(
                "names are resolved in a workspace, and this folder is none",
                hint="dragoman init makes one; init --pack funds makes one with a demo",
            )
        self._bench = bench
        self._catalog = bench.workspace
        self._profile = profile
        self._given = given

    def read(self, source: str, notation: Notation) -> Document:
        return read_program(Source(source), notation)

    def printed(self, document: Document) -> str:
        return printed(document, self._catalog.effects())

    def compile(self, source: str, notation: Notation) -> Compilation:
        return self._bench.compile(Source(source), notation, profile=self._profile, given=self._given)

    def search(self, entity: str, text: str, filters: Mapping[str, str]) -> "Found":
        index = self._catalog.index(entity)
        if index is None:
            from dragoman.entities import EntityIndexMissing

            raise EntityIndexMissing(
                f"no names of the type {entity} are known yet",
                hint=f"dragoman entities index {entity} reads them",
            )
        return index.search(text, filters=filters)

    def forget_names(self) -> None:
        """The indexes have changed: look at them again."""
        self._catalog.forget_indexes()

    def name_of(self, entity: str, key: str) -> str | None:
        return self._catalog.entity_name(entity, key)

    def form(self, entity: str) -> "CreateForm | None":
        from dragoman.entities.name_resolution import CreateForm
        from dragoman.packs.statements import inserted_argument

        owned = self._catalog.packs.entities.get(entity)
        verb = owned.pack.verbs.get(owned.entity.create) if owned else None
        if owned is None or verb is None:
            return None
        named = inserted_argument(verb, owned.entity.display, owned.pack.dialect)
        return CreateForm(owned.entity.create, named or "")
