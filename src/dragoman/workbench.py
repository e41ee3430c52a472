"""Everything that can be done with a program's text: one place, so that every door gives the same verdict."""

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from dragoman.catalog.components import component_signatures
from dragoman.catalog.programs import ProgramCatalog
from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.program import Diagnostic, Integer, Number, Text, Value
from dragoman.contracts.verb import Effect
from dragoman.contracts.vocabulary import Notation
from dragoman.guards.secrets import find_secrets
from dragoman.language.compiler import Compilation, CompilerStage, compile_document
from dragoman.language.conversion import to_oml, to_verbs
from dragoman.language.document import Document
from dragoman.language.oml.findings import Findings as FindingsOfHead
from dragoman.language.oml.head import check_head, check_references
from dragoman.language.oml.oml_reader import read_oml
from dragoman.language.oml.printer import print_oml
from dragoman.language.parameters import head_of, resolve_parameters, text_of
from dragoman.language.secrecy import HINT, check_secrets, message_of
from dragoman.language.source import Source
from dragoman.language.texts import texts_in
from dragoman.language.verbs.printer import print_document
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.packs.shipped_names import shipped_names, shipped_signatures

if TYPE_CHECKING:
    from dragoman.catalog.workspace_catalog import WorkspaceCatalog
    from dragoman.entities.name_resolution import CreateForm
    from dragoman.entities.records import Found

CONNECTIONS = "connections.yaml"

Findings = tuple[Diagnostic, ...]


def read_program(source: Source, notation: Notation) -> Document:
    """A text as a document: all that the text alone decides, secrets included."""
    if notation is Notation.OML:
        return read_oml(source)
    document = read_verbs(source)
    found = (*document.diagnostics, *_head_findings(document, source), *check_secrets(document, source))
    ordered = sorted(found, key=lambda finding: finding.span.start if finding.span else 0)
    return Document(document.notation, document.statements, document.spans, document.comments, tuple(ordered))


def _head_findings(document: Document, source: Source) -> Findings:
    head = head_of(document.statements)
    found = FindingsOfHead(source)
    if head is not None:
        check_head(head, document.spans[0], found)
    first = 0 if head is None else 1
    check_references(texts_in(document.statements[first:], document.spans[first:]), head, found)
    return found.diagnostics()


def _secret_parameters(values: Mapping[str, Value]) -> Findings:
    """Parameters become a part of the manifest: a secret among them is refused like one in the program."""
    return tuple(
        Diagnostic("secret_in_program", f"{message_of(secret)}: the parameter {name}", HINT)
        for name, value in values.items()
        if isinstance(value, Text | Integer | Number)
        for secret in find_secrets(text_of(value), name)[:1]
    )


def print_program_of(document: Document, effects: Mapping[str, Effect]) -> str:
    """A document as text, in its own notation."""
    if document.notation is Notation.OML:
        return print_oml(document.statements, document.comments, effects)
    return print_document(document)


class Workbench:
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
        return ProgramCatalog({**component_signatures(), **shipped_signatures()}, shipped_names)

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
        if stage is CompilerStage.SYNTAX:
            document = read_program(source, notation)
            return Compilation(CompilerStage.SYNTAX, document.diagnostics, statements=document.statements)
        return self.compile(source, notation, profile=profile, given=given, stage=stage)

    def compile(
        self,
        source: Source,
        notation: Notation,
        *,
        profile: str | None = None,
        given: Mapping[str, str] | None = None,
        stage: CompilerStage = CompilerStage.DEPENDENCIES,
    ) -> Compilation:
        document = read_program(source, notation)
        if not document.ok:
            return Compilation(CompilerStage.SYNTAX, document.diagnostics, statements=document.statements)
        resolved = resolve_parameters(head_of(document.statements), given or {}, os.environ, profile)
        hidden = _secret_parameters(resolved.values)
        if hidden:
            return Compilation(CompilerStage.SYNTAX, hidden, statements=document.statements)
        if resolved.diagnostics:
            return Compilation(CompilerStage.SYNTAX, resolved.diagnostics, statements=document.statements)
        return compile_document(document, source, self.catalog, upto=stage, parameters=resolved.values)

    def format(self, source: Source, notation: Notation) -> str | Findings:
        """The text laid out anew, comments kept; or what is wrong with it."""
        document = read_program(source, notation)
        if not document.ok:
            return document.diagnostics
        return print_program_of(document, self.catalog.effects())

    def convert(self, source: Source, notation: Notation, target: Notation) -> str | Findings:
        """The program in the other notation; or why it cannot be written in it."""
        if notation is target:
            return self.format(source, notation)
        document = read_program(source, notation)
        if not document.ok:
            return document.diagnostics
        effects = self.catalog.effects()
        if target is Notation.OML:
            done = to_oml(document, source, effects)
            if done.diagnostics:
                return done.diagnostics
            text = print_oml(done.statements, done.comments, effects)
            # OML is stricter about what needs what: what it would refuse is not written.
            refused = read_oml(Source(text)).diagnostics
            return tuple(Diagnostic("not_convertible", d.message, d.hint) for d in refused) or text
        done = to_verbs(document, source, effects)
        return done.diagnostics or print_document(
            Document(Notation.VERBS, done.statements, (), done.comments)
        )


class BenchWorld:
    """A workbench with a workspace, as the resolution of a program's names asks it."""

    def __init__(
        self, bench: Workbench, *, profile: str | None = None, given: Mapping[str, str] | None = None
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
        return print_program_of(document, self._catalog.effects())

    def compile(self, source: str, notation: Notation) -> Compilation:
        return self._bench.compile(Source(source), notation, profile=self._profile, given=self._given)

    def search(self, entity: str, text: str, filters: Mapping[str, str]) -> "Found":
        index = self._catalog.index(entity)
        if index is None:
            from dragoman.contracts.errors import EntityIndexMissing

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
