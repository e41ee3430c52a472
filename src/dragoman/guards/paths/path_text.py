"""What the text of a path tells, before the file system is asked: nothing in it may be read in two ways."""

import re
import unicodedata
from urllib.parse import unquote_to_bytes

from dragoman.guards.paths.path_names import fault_of_name, has_invisible, is_dots
from dragoman.guards.paths.verdict import PathCode

MAX_PATH_BYTES = 4096
MAX_ENCODINGS = 6
"""How often a text may be percent-encoded over itself before that alone is reason enough."""

_HERE = frozenset({".", ".."})
_DRIVE = re.compile(r"[A-Za-z]:")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_SCHEME = re.compile(
    r"(?:file|data|https?|ftps?|jdbc|odbc|mailto|javascript|blob|about|urn|sqlite|gs|s3):", re.IGNORECASE
)
# Slashes and backslashes to the eye, which no normal form turns into real ones.
_LOOKS_LIKE_SLASH = re.compile("[\u2044\u2215\u2216\u2571\u2572\u27cb\u27cd\u29f5\u29f8\u29f9]")
# UTF-8 that takes more bytes than it needs, once a way past those who looked for the short form.
_OVERLONG = re.compile(rb"[\xc0\xc1][\x80-\xbf]|\xe0[\x80-\x9f]|\xf0[\x80-\x8f]")
_WIDE_ESCAPE = re.compile(r"%u([0-9a-f]{4})", re.IGNORECASE)


def fault_of_text(path: str) -> PathCode | None:
    """Why no path may be written so, wherever it leads."""
    if not path:
        return PathCode.EMPTY
    # Encoded length is at least the length: what is far too long is not looked at more closely.
    if len(path) > MAX_PATH_BYTES or len(path.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES:
        return PathCode.TOO_LONG
    fault = _fault_of_characters(path) or _fault_of_start(path)
    return fault or _fault_of_form(path) or _fault_of_encoding(path)


def fault_of_names(path: str) -> PathCode | None:
    """Why one of the names in a path may not stand there."""
    for name in path.split("/"):
        if name and name not in _HERE and (fault := fault_of_name(name)) is not None:
            return fault
    return None


def _fault_of_characters(path: str) -> PathCode | None:
    if path.isascii() and path.isprintable():
        return None
    if "\0" in path:
        return PathCode.NUL
    categories = {unicodedata.category(character) for character in path}
    if "Cc" in categories:
        return PathCode.CONTROL
    if "Cs" in categories:
        return PathCode.NOT_ENCODABLE
    return PathCode.INVISIBLE if has_invisible(path) else None


def _fault_of_start(path: str) -> PathCode | None:
    """Where a path starts that does not start in the workspace: another machine, a drive, an address."""
    start = path.lstrip(" ")
    if start.startswith(("//", "\\\\", "/\\", "\\/")):
        return PathCode.UNC
    if _DRIVE.match(start):
        return PathCode.DRIVE
    if _ADDRESS.match(start) or _SCHEME.match(start):
        return PathCode.SCHEME
    if "\\" in path:
        return PathCode.BACKSLASH
    return PathCode.HOME if start.startswith("~") else None


def _fault_of_encoding(path: str) -> PathCode | None:
    """A dot or slash hidden behind percent signs, however often they were encoded over each other."""
    text = path
    for _ in range(MAX_ENCODINGS):
        if "%" not in text:
            return None
        wide = _WIDE_ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
        data = unquote_to_bytes(wide.encode("utf-8", "surrogatepass"))
        decoded = data.decode("utf-8", "replace")
        if _OVERLONG.search(data) or _brings_structure(text, decoded):
            return PathCode.PERCENT
        if decoded == text:
            return None
        text = decoded
    return PathCode.PERCENT


def _brings_structure(before: str, after: str) -> bool:
    if _LOOKS_LIKE_SLASH.search(after) or any(unicodedata.category(c) in ("Cc", "Cs") for c in after):
        return True
    plain, decoded = unicodedata.normalize("NFKC", before), unicodedata.normalize("NFKC", after)
    return any(decoded.count(mark) > plain.count(mark) for mark in "./\\")


def _fault_of_form(path: str) -> PathCode | None:
    """A text that turns into another path once somebody normalises it."""
    if path.isascii():
        return None
    if _LOOKS_LIKE_SLASH.search(path):
        return PathCode.UNICODE_FORM
    form = unicodedata.normalize("NFKC", path)
    if form.count("/") > path.count("/") or "\\" in form or _fault_of_start(form) is not None:
        return PathCode.UNICODE_FORM
    for name, written in zip(form.split("/"), path.split("/"), strict=True):
        if name != written and is_dots(name):
            return PathCode.UNICODE_FORM
    return None
