"""The compiler: one function over the stages. A stage runs only if the one before found no error.

syntax → semantics → references → dependencies → manifest
"""

from collections.abc import Mapping
from enum import StrEnum

from dragoman.contracts.program import Diagnostic, Program, Severity, Text, UnresolvedRef, Value
from dragoman.contracts.record import Record
from dragoman.language.catalog import CompilerCatalog, signature_for
from dragoman.language.dependencies import resolve_dependencies
from dragoman.language.document import Document
from dragoman.language.manifest import Manifest, make_manifest
from dragoman.language.nested_calls import lift_document
from dragoman.language.parameters import head_of, implied_name, substituted
from dragoman.language.references import find_references
from dragoman.language.semantics import check_semantics
from dragoman.language.source import Source


class CompilerStage(StrEnum):
    """How far a program is checked. Each stage includes those before it."""

    SYNTAX = "syntax"
    SEMANTICS = "semantics"
    REFERENCES = "references"
    DEPENDENCIES = "dependencies"


class Compilation(Record, frozen=True):
    """What came of compiling: the stage that was reached, all that was found, the manifest if all is well."""

    stage: CompilerStage
    diagnostics: tuple[Diagnostic, ...] = ()
    unresolved: tuple[UnresolvedRef, ...] = ()
    statements: Program = ()
    manifest: Manifest | None = None

    @property
    def ok(self) -> bool:
        return not self.unresolved and all(d.severity is not Severity.ERROR for d in self.diagnostics)


def compile_document(
    document: Document,
    source: Source,
    catalog: CompilerCatalog,
    *,
    upto: CompilerStage = CompilerStage.DEPENDENCIES,
    parameters: Mapping[str, Value] | None = None,
) -> Compilation:
    """Take a document as far as `upto`, or until a stage finds an error."""
    found = list(document.diagnostics)
    if not document.ok or upto is CompilerStage.SYNTAX:
        return Compilation(CompilerStage.SYNTAX, tuple(found), statements=document.statements)
    # Parameters and nested calls come first: every later stage may assume plain values and one call per
    # statement, and spans still point into the text as it was written.
    flat, name = _steps(document, parameters or {})
    # A catalog may have to look far for a verb: it is asked once for each statement.
    signatures = [signature_for(catalog, statement) for statement in flat.statements]
    found += check_semantics(flat, source, catalog, signatures)
    if _has_error(found) or upto is CompilerStage.SEMANTICS:
        return Compilation(CompilerStage.SEMANTICS, tuple(found), statements=flat.statements)
    # Not an error: the program is right and a person has to choose. So it ends here with references, not with
    # diagnostics, and what waits can be resumed.
    unresolved, unchecked = find_references(flat, source, catalog, signatures)
    found += unchecked
    if unresolved or upto is CompilerStage.REFERENCES:
        return Compilation(CompilerStage.REFERENCES, tuple(found), unresolved, flat.statements)
    ordered, faults = resolve_dependencies(flat, source)
    if ordered is None:
        return Compilation(CompilerStage.DEPENDENCIES, (*found, *faults), statements=flat.statements)
    manifest = make_manifest(
        flat.statements,
        ordered,
        tuple(signature for signature in signatures if signature is not None),
        source=source.text,
        parameters=parameters or {},
        name=name,
    )
    return Compilation(CompilerStage.DEPENDENCIES, tuple(found), (), flat.statements, manifest)


def _has_error(findings: list[Diagnostic]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)


def _steps(document: Document, parameters: Mapping[str, Value]) -> tuple[Document, str]:
    """The steps with parameters in place and nested calls lifted, without the head; the pipeline's name."""
    filled = Document(
        document.notation,
        substituted(document.statements, parameters),
        document.spans,
        document.comments,
        document.diagnostics,
    )
    flat = lift_document(filled)
    if head_of(document.statements) is None:
        return flat, implied_name(flat.statements)
    named = flat.statements[0].argument("name")
    name = named.value.value if named and isinstance(named.value, Text) else ""
    steps = Document(flat.notation, flat.statements[1:], flat.spans[1:], flat.comments, flat.diagnostics)
    return steps, name
