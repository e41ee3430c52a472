"""Programs of a workspace: checked, laid out, converted and compiled, with the same verdict in every door."""

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.program import Diagnostic, UnresolvedRef
from dragoman.contracts.vocabulary import Notation
from dragoman.language.compiler import Compilation, CompilerStage
from dragoman.language.front import Findings, compile_source, convert_source, format_source
from dragoman.language.manifest import Manifest
from dragoman.language.source import Source
from dragoman.language.verbs.limits import MAX_CODE_POINTS
from dragoman.packs.installed import LeftOut
from dragoman.reading.hand_written import is_oml

__all__ = ["MAX_CODE_POINTS", "Compilation", "CompilerStage", "Programs", "findings_of", "notation_of"]


class Programs:
    """Checks, lays out, converts and compiles programs against a catalog: that of a workspace, or where
    there is none, that of the demo."""

    def __init__(self, catalog: Catalog | None = None) -> None:
        self.catalog = catalog or Catalog.of_package()

    @classmethod
    def open(cls, folder: str | Path = ".") -> Self:
        """The programs of a folder. It is a workspace when it has a connections.yaml."""
        return cls(Catalog.open(folder))

    @property
    def workspace(self) -> Catalog | None:
        """The catalog, where the folder is a workspace."""
        return None if self.catalog.demo else self.catalog

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

    def build(self, manifest: Manifest, folder: Path) -> Path:
        """Keep a manifest under its fingerprint; the file. Raises `BuildFailed`."""
        from dragoman.engine.builds import write_build

        return write_build(folder, manifest)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The parts of the workspace's packs that are not used, since programs will miss them."""
        return self.workspace.packs.left_out if self.workspace is not None else ()


def notation_of(text: str) -> Notation:
    """How a program is written, where nobody says it: OML names its version, everything else is verbs."""
    return Notation.OML if is_oml(text) else Notation.VERBS


def findings_of(done: Compilation) -> tuple[Diagnostic, ...]:
    """What a compilation found; a reference that waits for a person is one of the findings."""
    unresolved = (
        Diagnostic(
            "unresolved_reference",
            f"{ref.search_value!r} is no key of the type {ref.entity_type}",
            _keys(ref),
            span=ref.location.span,
        )
        for ref in done.unresolved
    )
    return (*done.diagnostics, *unresolved)


def _keys(ref: UnresolvedRef) -> str:
    keys = ", ".join(f'"{match.entity_id}" ; {match.display}' for match in ref.initial_matches)
    return f"write a key: {keys}" if keys else f"nothing of the type {ref.entity_type} is called so"
