"""What libyaml stumbled over, said in the words of this language, and a text it can read on in.

A mended text has the length of the original. An unquoted `@` becomes a letter; otherwise the smallest part
that stands for itself, a step or a key at the top, becomes white space.
"""

import re
from bisect import bisect_right

import yaml
from yaml.error import MarkedYAMLError

from dragoman.contracts.record import Record

_ITEM = re.compile(r"^( *)-(?= )", re.MULTILINE)
_NOT_A_BREAK = re.compile(r"[^\n]")
_ALIAS = re.compile(r"@[A-Za-z_][A-Za-z0-9_-]{0,60}")


class Fault(Record, frozen=True):
    """A syntax error. `kept` says that mending it loses nothing."""

    code: str
    start: int
    end: int
    message: str
    hint: str
    kept: bool = False


def fault_of(error: yaml.YAMLError, text: str) -> Fault:
    if not isinstance(error, MarkedYAMLError):
        return Fault("yaml_syntax", 0, 0, "this cannot be read as YAML", "write plain text in UTF-8")
    # A quote or bracket that never closes is at fault where it opens, not where the text ends.
    opened = error.context_mark is not None and re.search(
        "quoted scalar|flow|anchor|alias|tag|block scalar", error.context or ""
    )
    mark = error.context_mark if opened else error.problem_mark or error.context_mark
    at = min(mark.index if mark is not None else 0, len(text))
    if text.startswith("@", at):
        return _unquoted_at(text, at)
    if text.startswith("\t", at) or text[text.rfind("\n", 0, at) + 1 : at].startswith("\t"):
        return Fault("yaml_syntax", at, at + 1, "a tab stands where spaces belong", "indent with spaces")
    return _syntax_fault(error, text, at)


def _unquoted_at(text: str, at: int) -> Fault:
    alias = _ALIAS.match(text, at)
    end = alias.end() if alias else at + 1
    hint = f'write "{alias[0]}"' if alias else "write it in quotes"
    return Fault("unquoted_at", at, end, "a value that begins with @ must stand in quotes", hint, kept=True)


_HINTS = {
    "quoted scalar": "close the text with the quote it began with",
    "flow sequence": "close the list with ], and put a comma between its items",
    "flow mapping": "close the map with }, and put a comma between its entries",
    "block mapping": "write key: value, every key of a map in the same column",
    "block collection": "begin every item with a dash, all in the same column",
    "simple key": "write a colon and a space after the key",
    "block scalar": "write the text on the lines after | or >, indented",
}


def _syntax_fault(error: MarkedYAMLError, text: str, at: int) -> Fault:
    context, problem = error.context or "", error.problem or "it cannot be read"
    if "cannot start any token" in problem:
        hint = "write the value in quotes"
    elif "mapping values are not allowed" in problem:
        hint = "a text with a colon and a space in it must stand in quotes; check the indentation"
    else:
        hint = next(
            (hint for part, hint in _HINTS.items() if part in context), "check quotes and indentation"
        )
    message = f"this cannot be read as YAML: {context + ', ' if context else ''}{problem}"
    return Fault("yaml_syntax", at, min(at + 1, len(text)), message, hint)


def mended(text: str, fault: Fault) -> str | None:
    """The text without the fault, or nothing where no smaller part can be left out."""
    if fault.code == "unquoted_at":
        return text[: fault.start] + "x" + text[fault.start + 1 :]
    bounds = _bounds(text)
    following = bisect_right(bounds, fault.start)
    if not following:
        return None
    start = bounds[following - 1]
    end = bounds[following] if following < len(bounds) else len(text)
    # Steps would be left without the key that they belong to.
    orphans = not _is_item(text, start) and end < len(text) and _is_item(text, end)
    if orphans or not (text[:start] + text[end:]).strip():
        return None
    return text[:start] + _NOT_A_BREAK.sub(" ", text[start:end]) + text[end:]


def _bounds(text: str) -> list[int]:
    """Where the steps and the keys at the top begin."""
    item = _ITEM.search(text)
    indent = len(item[1]) if item else 0
    bound = re.compile(rf"^(?: {{{indent}}}-(?= )|[^\s#-])", re.MULTILINE)
    return [match.start() for match in bound.finditer(text)]


def _is_item(text: str, at: int) -> bool:
    return _ITEM.match(text, at) is not None
