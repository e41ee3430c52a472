"""The reference stage: arguments that name an entity in words, and have to be resolved to its key."""

import hashlib
from collections import Counter
from collections.abc import Iterable

from dragoman.contracts.program import (
    Diagnostic,
    RefLocation,
    Severity,
    Statement,
    Text,
    UnresolvedRef,
)
from dragoman.contracts.verb import EntityType, VerbSignature
from dragoman.language.catalog import CompilerCatalog
from dragoman.language.document import Document, Extent
from dragoman.language.source import Source
from dragoman.language.types import leaves


def find_references(
    document: Document,
    source: Source,
    catalog: CompilerCatalog,
    signatures: Iterable[VerbSignature | None],
) -> tuple[tuple[UnresolvedRef, ...], tuple[Diagnostic, ...]]:
    """Every argument with a lookup whose value is not a key of its entity type. `signatures` are those of the
    document's statements.

    Where the names of a type cannot be looked up, its keys are taken as they are, with one warning for the
    type: a program may be checked where its database is out of reach.
    """
    found: list[UnresolvedRef] = []
    unchecked: dict[str, Diagnostic] = {}
    seen: Counter[str] = Counter()
    calls = zip(document.statements, document.spans, signatures, strict=True)
    for index, (statement, spans, signature) in enumerate(calls):
        types = {each.name: each.type for each in signature.arguments} if signature else {}
        for argument, argument_spans in zip(statement.arguments, spans.arguments, strict=True):
            declared = types.get(argument.name)
            if declared is None:
                continue
            for value, wanted, extent in leaves(argument.value, declared, argument_spans.value):
                if not isinstance(wanted, EntityType) or not isinstance(value, Text):
                    continue
                entity, text = wanted.entity, value.value
                if catalog.entity_name(entity, text) is not None:
                    continue
                if why := catalog.names_unknown(entity):
                    unchecked.setdefault(entity, _unchecked(entity, why, source, extent))
                    continue
                found.append(
                    UnresolvedRef(
                        ref_id=_ref_id(statement, argument.name, text, seen),
                        location=RefLocation(index, statement.verb, argument.name, source.span(*extent)),
                        search_value=text,
                        entity_type=entity,
                        config=catalog.entity_config(entity),
                        initial_matches=catalog.entity_matches(entity, text),
                    )
                )
    return tuple(found), tuple(unchecked.values())


def _unchecked(entity: str, why: str, source: Source, extent: Extent) -> Diagnostic:
    return Diagnostic(
        "names_unchecked",
        f"keys of the type {entity} were not checked: {why}",
        f"dragoman entities index {entity} keeps the names for later",
        Severity.WARNING,
        source.span(*extent),
    )


def _ref_id(statement: Statement, name: str, text: str, seen: Counter[str]) -> str:
    """An id that survives edits elsewhere: of what the reference says, not of where it stands."""
    content = "\0".join((statement.binds or statement.verb, name, text))
    seen[content] += 1
    digest = hashlib.blake2b(f"{content}\0{seen[content]}".encode(), digest_size=6)
    return f"ref-{digest.hexdigest()}"
