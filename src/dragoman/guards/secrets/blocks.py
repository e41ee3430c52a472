"""Private keys that are written as a block of lines: the whole block is the secret, not its first line."""

import re
from collections.abc import Iterator

from dragoman._patterns import lazy_pattern
from dragoman.guards.secrets.kinds import Secret, SecretKind

MARKS = ("-----begin",)

_BEGIN = lazy_pattern(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?", re.IGNORECASE)
_LINES = lazy_pattern(
    r"-----(?:(?:(?:\\r)?\\n|\r?\n)(?:[A-Za-z0-9+/=]++(?=\s|\\|\Z)|[A-Za-z-]{1,20}: [^\n]*+)"
    r"|[ ][A-Za-z0-9+/=]{32,})*+"
)
_END = lazy_pattern(r"-----END [A-Z0-9 ]{0,40}-----", re.IGNORECASE)


def private_keys(text: str) -> Iterator[Secret]:
    position, ended = 0, True
    while (begin := _BEGIN.search(text, position)) is not None:
        # Looked for no more after it was not found once: it will not be there later either.
        end = _END.search(text, begin.end()) if ended else None
        ended = end is not None
        if end is not None:
            position = end.end()
        else:
            lines = _LINES.match(text, begin.end())
            position = lines.end() if lines else begin.end()
        yield Secret(SecretKind.PRIVATE_KEY, begin.start(), position)
