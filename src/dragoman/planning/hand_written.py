"""A message that is a program: somebody wrote it by hand, and wants it read as one."""

import re

from dragoman.contracts.program import Program
from dragoman.language.source import Source
from dragoman.language.verbs.reader import read_verbs

_CALL = re.compile(r"\s*\(\s*[a-z][\w-]*\.[a-z][\w-]*(?:[\s)]|$)")


def hand_written(text: str) -> Program | None:
    """The statements of a message that begins like a call of a verb; None where it is no program at all.

    One with mistakes is a program too: it is compiled, and the mistakes are said.
    """
    if not _CALL.match(text):
        return None
    return read_verbs(Source(text)).statements
