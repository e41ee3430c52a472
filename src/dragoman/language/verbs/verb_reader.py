"""Reads a program in verb notation: every statement that is right, and everything that is wrong."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from dragoman.contracts.program import Diagnostic, Severity
from dragoman.contracts.vocabulary import Notation
from dragoman.language.document import Document
from dragoman.language.source import Source
from dragoman.language.verbs.limits import MAX_CODE_POINTS, MAX_FINDINGS
from dragoman.language.verbs.oddities import Fault
from dragoman.language.verbs.parser import Parser

_DIRECTION: Final = re.compile(r"[\u202a-\u202e\u2066-\u2069]+")
"""Marks that show text in another order than it has."""


def read_verbs(source: Source) -> Document:
    """The document of a text, whatever the text is; what is wrong with it is in its diagnostics."""
    length = len(source.text)
    if length > MAX_CODE_POINTS:
        message = f"the program has {length} characters, and {MAX_CODE_POINTS} are read"
        fault = Fault("source_too_large", MAX_CODE_POINTS, length, message, "split it")
        return Document(Notation.VERBS, diagnostics=(_diagnostic(source, fault, Severity.ERROR),))
    reading = Parser(source.text)
    reading.run()
    return Document(
        Notation.VERBS,
        tuple(reading.statements),
        tuple(reading.spans),
        tuple(reading.comments),
        _diagnostics(source, reading.faults),
    )


def _diagnostics(source: Source, faults: list[Fault]) -> tuple[Diagnostic, ...]:
    """What was found, and what could deceive the eye, in the order of the source."""
    found = [(fault, Severity.ERROR) for fault in faults]
    found += [(fault, Severity.WARNING) for fault in _hidden_directions(source.text)]
    found.sort(key=lambda finding: finding[0][1:3])
    return tuple(_diagnostic(source, fault, severity) for fault, severity in found)


def _hidden_directions(text: str) -> Iterator[Fault]:
    if text.isascii():
        return
    message, hint = (
        "a hidden mark changes the direction of the text",
        "remove it, or write its \\uXXXX in quotes",
    )
    for found in islice(_DIRECTION.finditer(text), MAX_FINDINGS):
        yield Fault("hidden_direction", *found.span(), message, hint)


def _diagnostic(source: Source, fault: Fault, severity: Severity) -> Diagnostic:
    return Diagnostic(fault.code, fault.message, fault.hint, severity, source.span(fault.start, fault.end))
