"""Text as the wire of reports has it: trimming, the characters that pass, lengths, quotations.

The wire was defined in JavaScript: its notion of white space and its lengths in UTF-16 units count.
"""

import re
from itertools import chain

from dragoman.contracts.report import OutputFormat
from dragoman.guards.secrets import redacted, scrubbed

SPACE = (
    "".join(
        map(
            chr,
            chain(range(0x09, 0x0E), (0x20, 0xA0, 0x1680), range(0x2000, 0x200B), (0x2028, 0x2029, 0x202F)),
        )
    )
    + "\u205f\u3000\ufeff"
)
"""What JavaScript's `trim` removes; unlike Python's `strip`, with the byte order mark, without U+0085."""

_PASSING = bytes((0x09, 0x0A, 0x0D, *range(0x20, 0x7F)))
_NOT_PASSING = re.compile(r"[^\t\n\r -~]")

QUOTED_CHARACTERS = 80
# A secret that begins inside a quotation shows itself within this; looking further would cost, not help.
_LOOKED_AT = 4096

CUT = "..."
# A secret is known by what stands around it, so it is looked for in more than is kept. What is read may end
# in the middle of one.
_READ_TIMES_LIMIT = 4
_UNSURE_CHARACTERS = 1_000


def trimmed(text: str) -> str:
    return text.strip(SPACE)


def detect_format(text: object) -> OutputFormat | None:
    """What a text is meant to be: a report begins like JSON, anything else is a patch, nothing is neither.

    >>> detect_format(' {"notes": ""}').value, detect_format("*** Begin Patch").value, detect_format(" ")
    ('report', 'patch', None)
    """
    if not isinstance(text, str):
        return None
    begun = text.lstrip(SPACE)
    if not begun:
        return None
    return OutputFormat.REPORT if begun[0] in "{[" else OutputFormat.PATCH


def refused_character(text: str) -> int | None:
    """Where the first character stands that may not be on the wire: beyond ASCII, or a control character."""
    if text.isascii() and not text.encode("ascii").translate(None, _PASSING):
        return None
    found = _NOT_PASSING.search(text)
    return found.start() if found else None


def refused_characters(text: str) -> set[str]:
    """The different characters in a text that may not be on the wire."""
    return set(_NOT_PASSING.findall(text)) if refused_character(text) is not None else set()


def units(text: str) -> int:
    """The length in UTF-16 units; a character beyond the basic plane counts two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut_to_units(text: str, limit: int) -> str:
    """The longest beginning of at most so many units that ends between two characters."""
    shortened = text[:limit]
    excess = units(shortened) - limit
    while excess > 0:
        # Each character that goes takes one unit or two with it, so this ends after a few rounds.
        shortened = shortened[: len(shortened) - (excess + 1) // 2]
        excess = units(shortened) - limit
    return shortened


def cleaned(text: str, limit: int) -> str:
    """A text as it may be kept: trimmed, without secrets or half characters, of at most so many units."""
    read = _READ_TIMES_LIMIT * limit + _UNSURE_CHARACTERS
    clean = trimmed(scrubbed(_whole_characters(text[:read])))
    if len(text) > read:
        clean = clean[:-_UNSURE_CHARACTERS]
    elif units(clean) <= limit:
        return clean
    return trimmed(cut_to_units(clean, limit - len(CUT))) + CUT


def _whole_characters(text: str) -> str:
    """Pairs of surrogates become the character they stand for; a half without its other half is replaced."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def quoted(text: str) -> str:
    """A piece of an output as a message may repeat it."""
    return redacted(text[:_LOOKED_AT], QUOTED_CHARACTERS)


def quoted_plain(text: str) -> str:
    """The same for a text that is known to hold no secret."""
    return repr(text if len(text) <= QUOTED_CHARACTERS else text[: QUOTED_CHARACTERS - 1] + "…")
