r"""Texts: escapes between quotes, and block strings.

Between quotes a text ends on its line. `\n \r \t \\ \"` and `\uXXXX` are the escapes; a character beyond
U+FFFF may be written as the two escapes of its surrogate pair.

A block string stands between three quotes and the next three, and no escape is processed in it. Its value:

1. CRLF counts as a line feed.
2. The line of the opening quotes is not part of the value when only blanks stand on it; when text does, it
   is the first line of the value, as it stands.
3. The line of the closing quotes is not part of the value when only blanks stand before them.
4. From the lines between, the indentation that all those that are not blank have in common (the same spaces
   and tabs) is removed, and a line of blanks alone becomes empty.
5. Line feeds join what is left; so the break after the opening and the one before the closing are not part
   of it.

A block string on a single line is taken as it stands.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_SHORT: Final = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
_ESCAPED: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|([\s\S]))")
_INDENTATION: Final = re.compile(r"[ \t]*+")


class EscapeFault(NamedTuple):
    """An escape that means nothing, from where to where in the text between the quotes."""

    code: str
    start: int
    end: int


def unescaped(raw: str) -> str:
    """The value of a text between quotes whose escapes have no fault."""
    units = _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _SHORT[m[2]], raw)
    # Two escapes of a pair become one character.
    return units.encode("utf-16", "surrogatepass").decode("utf-16") if "\\u" in raw else units


def escape_faults(raw: str) -> Iterator[EscapeFault]:
    high: re.Match[str] | None = None
    for found in _ESCAPE.finditer(raw):
        unit = int(found[1], 16) if found[1] else 0
        if high is not None and (high.end() != found.start() or not 0xDC00 <= unit <= 0xDFFF):
            yield EscapeFault("lone_surrogate", *high.span())
            high = None
        if 0xD800 <= unit <= 0xDBFF:
            high = found
        elif 0xDC00 <= unit <= 0xDFFF:
            if high is None:
                yield EscapeFault("lone_surrogate", *found.span())
            high = None
        elif found[2] == "u":
            yield EscapeFault("bad_unicode_escape", *found.span())
        elif found[2] is not None and found[2] not in _SHORT:
            yield EscapeFault("unknown_escape", *found.span())
    if high is not None:
        yield EscapeFault("lone_surrogate", *high.span())


def dedented(raw: str) -> str:
    """The value of a block string, by the rule above."""
    opening, *lines = raw.replace("\r\n", "\n").split("\n")
    if not lines:
        return opening
    if not lines[-1].strip(" \t"):
        lines.pop()
    margin = _common_length([_indentation(line) for line in lines if line.strip(" \t")])
    body = [line[margin:] if line.strip(" \t") else "" for line in lines]
    return "\n".join([opening, *body] if opening.strip(" \t") else body)


def _common_length(indentations: list[str]) -> int:
    """How many blanks all of them begin with; the first and the last in order differ the most."""
    if not indentations:
        return 0
    first, last = min(indentations), max(indentations)
    return next((i for i, blank in enumerate(first) if blank != last[i]), len(first))


def _indentation(line: str) -> str:
    found = _INDENTATION.match(line)
    return found[0] if found else ""


def quoted(text: str) -> str:
    """A text between quotes, on one line, with escapes for what cannot be seen."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(_ESCAPED.get(c) or visible(c) for c in text) + '"'


def visible(character: str) -> str:
    r"""A character as it is when it can be seen, otherwise its \uXXXX, two of them beyond U+FFFF."""
    if character.isprintable():
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def block(text: str, indent: int) -> str | None:
    """A text of several lines as a block string whose lines are indented; None where a block string would
    read back as another text, or where a break only begins or ends the text and an escape is shorter."""
    if "\n" not in text.strip("\n") or '"""' in text:
        return None
    if not text.replace("\n", "").replace("\t", "").isprintable():
        return None
    margin = " " * indent
    lines = [margin + line if line else "" for line in text.split("\n")]
    raw = "\n".join(["", *lines, margin])
    return f'"""{raw}"""' if dedented(raw) == text else None
