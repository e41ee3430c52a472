"""A message that is a program: somebody wrote it by hand, and wants it read as one."""

import re

from dragoman.contracts.program import Program
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import Notation
from dragoman.language.oml.oml_reader import read_oml
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs

_CALL = re.compile(r"(?:\s*;[^\n]*\n)*\s*\(\s*[a-z][\w-]*\.[a-z][\w-]*(?:[\s)]|$)")
_OML = re.compile(r"^[\"']?oml_version[\"']?\s*:", re.M)


class HandWritten(Record, frozen=True):
    """The statements of a program, and how it was written down."""

    program: Program
    notation: Notation


def hand_written(text: str) -> HandWritten | None:
    """The program of a message that begins like a call of a verb, with comments before it or without, or
    names its version as OML does; None where it is no program at all.

    One with mistakes is a program too: it is compiled, and the mistakes are said.
    """
    if _CALL.match(text):
        return HandWritten(read_verbs(Source(text)).statements, Notation.VERBS)
    if is_oml(text):
        return HandWritten(read_oml(Source(text)).statements, Notation.OML)
    return None


def is_oml(text: str) -> bool:
    """Whether a text names its version, as OML does."""
    return _OML.search(text) is not None
