"""The front of the language: one way from a program, as text or as a tree, to the verdict on it.

Chat, `check`, `compile`, `run`, `resolve` and every later door call these functions, so that a program is
never fine at one door and wrong at another.
"""

import os
from collections.abc import Mapping

from dragoman.contracts.errors import InternalError
from dragoman.contracts.program import Diagnostic, Integer, Number, Program, Text, Value
from dragoman.contracts.verb import Effect
from dragoman.contracts.vocabulary import Notation
from dragoman.guards.secrets import find_secrets
from dragoman.language.catalog import CompilerCatalog
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
from dragoman.language.verbs.printer import print_document, print_program
from dragoman.language.verbs.verb_reader import read_verbs

Findings = tuple[Diagnostic, ...]


def compile_source(
    source: Source | str,
    notation: Notation,
    catalog: CompilerCatalog,
    *,
    given: Mapping[str, str] | None = None,
    profile: str | None = None,
    upto: CompilerStage = CompilerStage.DEPENDENCIES,
    environment: Mapping[str, str] | None = None,
    meant: Program | None = None,
) -> Compilation:
    """Take a text as far as `upto`, or until a stage finds an error. The syntax stage asks no catalog.

    Parameters are worth what `given`, the environment (by default that of the process), the profile and the
    defaults say, in this order. `meant` is the program that the text was printed from: an `InternalError` is
    raised when the text reads back as another one.
    """
    source = Source(source) if isinstance(source, str) else source
    document = read_program(source, notation)
    # What is shown must be what was compiled. A printer that cannot be read back would otherwise let a person
    # approve one program and run another.
    if meant is not None and document.ok and document.statements != meant:
        raise InternalError("a program reads back as another one", hint="this is a defect of Dragoman")
    # Before parameters: the syntax of a file does not depend on the environment it is checked in.
    if not document.ok or upto is CompilerStage.SYNTAX:
        return Compilation(CompilerStage.SYNTAX, document.diagnostics, statements=document.statements)
    variables = os.environ if environment is None else environment
    resolved = resolve_parameters(head_of(document.statements), given or {}, variables, profile)
    wrong = _secret_parameters(resolved.values) or resolved.diagnostics
    if wrong:
        return Compilation(CompilerStage.SYNTAX, wrong, statements=document.statements)
    return compile_document(document, source, catalog, upto=upto, parameters=resolved.values)


def compile_program(
    program: Program,
    catalog: CompilerCatalog,
    *,
    upto: CompilerStage = CompilerStage.DEPENDENCIES,
    environment: Mapping[str, str] | None = None,
) -> Compilation:
    """The verdict on a tree: that on its text, as it is printed for people to read."""
    # Judged as text, although the tree is at hand: there is no second way into the compiler that could
    # disagree with the first.
    text = print_program(program)
    return compile_source(text, Notation.VERBS, catalog, upto=upto, environment=environment, meant=program)


def read_program(source: Source, notation: Notation) -> Document:
    """A text as a document: all that the text alone decides, secrets included."""
    if notation is Notation.OML:
        return read_oml(source)
    document = read_verbs(source)
    found = (*document.diagnostics, *_head_findings(document, source), *check_secrets(document, source))
    ordered = sorted(found, key=lambda finding: finding.span.start if finding.span else 0)
    return Document(document.notation, document.statements, document.spans, document.comments, tuple(ordered))


def printed(document: Document, effects: Mapping[str, Effect]) -> str:
    """A document as text, in its own notation."""
    if document.notation is Notation.OML:
        return print_oml(document.statements, document.comments, effects)
    return print_document(document)


def format_source(source: Source, notation: Notation, effects: Mapping[str, Effect]) -> str | Findings:
    """The text laid out anew, comments kept; or what is wrong with it."""
    document = read_program(source, notation)
    return printed(document, effects) if document.ok else document.diagnostics


def convert_source(
    source: Source, notation: Notation, target: Notation, effects: Mapping[str, Effect]
) -> str | Findings:
    """The program in the other notation; or why it cannot be written in it."""
    if notation is target:
        return format_source(source, notation, effects)
    document = read_program(source, notation)
    if not document.ok:
        return document.diagnostics
    if target is Notation.OML:
        done = to_oml(document, source, effects)
        if done.diagnostics:
            return done.diagnostics
        text = print_oml(done.statements, done.comments, effects)
        # OML is stricter about what needs what: what it would refuse is not written.
        refused = read_oml(Source(text)).diagnostics
        return tuple(Diagnostic("not_convertible", d.message, d.hint) for d in refused) or text
    done = to_verbs(document, source, effects)
    return done.diagnostics or print_document(Document(Notation.VERBS, done.statements, (), done.comments))


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
