"""Texts as YAML scalars: plain where every reader sees a text in them, otherwise in quotes or as a block."""

import re

from dragoman._patterns import lazy_pattern
from dragoman.contracts.program import Text
from dragoman.language.oml.scalars import Misread, plain_value

_PLAIN = lazy_pattern(r"[A-Za-z_./][A-Za-z0-9_./-]*\Z")
# What other YAML readers take for something else.
_MISTAKEN = lazy_pattern(r"y|n|yes|no|on|off|true|false|null|\.inf|\.nan|[._][._0-9e]*", re.IGNORECASE)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LONGEST_PLAIN = 80


def quoted(text: str) -> str:
    """A text on one line."""
    if _is_plain(text):
        return text
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(_character(c) for c in text) + '"'


def _is_plain(text: str) -> bool:
    if len(text) > _LONGEST_PLAIN or not _PLAIN.match(text) or _MISTAKEN.fullmatch(text):
        return False
    value = plain_value(text)
    return not isinstance(value, Misread) and value == Text(text)


def _character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    code = ord(character)
    # What cannot be seen, and the mark that YAML takes only at the start of a file.
    if character.isprintable() and code != 0xFEFF and (code < 0xFFFE or code > 0xFFFF):
        return character
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def block(text: str, indent: int) -> list[str] | None:
    """A text of several lines as a literal block: its indicator, and its lines indented. None where a block
    would read back as another text, or would hide what is in it."""
    body = text.removesuffix("\n")
    lines = body.split("\n")
    if len(lines) < 2 or not lines[0] or not lines[-1]:
        return None
    if any(line != line.rstrip() or not line.isprintable() for line in lines) or lines[0][0] == " ":
        return None
    margin = " " * indent
    return ["|" if body != text else "|-", *(margin + line if line else "" for line in lines)]
