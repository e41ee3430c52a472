"""Texts as YAML writes them, whatever is in them."""

import re

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z|[\u0430-\u044f\u0410-\u042f\uac00-\ud7a3]+\Z")
"""What needs no quotes: identifiers, and words of Cyrillic letters or Hangul syllables."""
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
_ESCAPED = re.compile(
    r'["\\]|[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\u2028\u2029]'
)


def quoted(text: str) -> str:
    """A text as a scalar on one line."""
    if _PLAIN.match(text) and text.lower() not in _WORDS:
        return text
    if '"' in text and "'" not in text and not _ESCAPED.search(text.replace('"', "")):
        return f"'{text}'"
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if character in '"\\':
        return f"\\{character}"
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def block(text: str, indent: int) -> str:
    """A text of several lines as a block. One that a block cannot hold as it is stands in quotes."""
    lines = text.split("\n")
    odd = any(_ESCAPED.search(re.sub(r'["\\]', "", line)) or line != line.rstrip() for line in lines)
    # The first line says how far the block is indented, so it must begin with something.
    if odd or not lines[0] or lines[0] != lines[0].lstrip():
        return '"' + "\\n".join(_ESCAPED.sub(_escape, line) for line in lines) + '"'
    return "|\n" + "\n".join(" " * indent + line if line else "" for line in lines)
