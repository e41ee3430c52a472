"""The names of files in a patch: read as they are written there, held inside the root, printed safely."""

import re

from dragoman.guards.paths import is_protected
from dragoman.language.patches.model import PatchCode

NOWHERE = "/dev/null"
MAX_CHARACTERS = 1_024

_ESCAPE = re.compile(r"\\([abtnvfr\"\\]|[0-3][0-7]{2})|\\")
_CONTROL = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_ESCAPED = {character: f"\\{letter}" for letter, character in _CONTROL.items()} | {'"': '\\"', "\\": "\\\\"}
_DRIVE = re.compile(r"[A-Za-z]:")


def plain_path(path: str) -> str:
    """The path without empty and `.` parts, so that one file has one name."""
    return "/".join(part for part in path.split("/") if part not in ("", "."))


def refused_path(path: str) -> tuple[PatchCode, str] | None:
    """Why a patch may not name this path, if so: it names files below the root and nothing else."""
    if path.startswith(("/", "~")) or _DRIVE.match(path) or ".." in re.split(r"[/\\]", path):
        return PatchCode.PATH_LEAVES_ROOT, "it may lead out of the folder that is patched"
    if not plain_path(path) or path.endswith("/"):
        return PatchCode.PATH_INVALID, "it names no file"
    if len(path) > MAX_CHARACTERS:
        return PatchCode.PATH_INVALID, f"it is longer than {MAX_CHARACTERS} characters"
    if "\\" in path or not path.isprintable():
        return PatchCode.PATH_INVALID, "it has a backslash or a character that cannot be printed"
    return refused_place(path)


def refused_place(path: str) -> tuple[PatchCode, str] | None:
    """Why a path below the root may not be patched, if so: the history and the sessions are nobody's text."""
    if any(is_protected(name) for name in path.split("/")):
        return PatchCode.PATH_PROTECTED, "it leads into a folder that belongs to the workspace itself"
    return None


def written_name(text: str) -> str | None:
    """The name on a header line of a diff: up to a tab, or quoted as git quotes; none if badly quoted."""
    if text.startswith('"'):
        quoted = quoted_name(text)
        return quoted[0] if quoted else None
    return text.partition("\t")[0]


def quoted_name(text: str) -> tuple[str, str] | None:
    """A name in quotes at the start of a text, and what follows it."""
    end = 1
    while end < len(text) and text[end] != '"':
        end += 2 if text[end] == "\\" else 1
    if end >= len(text):
        return None
    inside, at, found = text[1:end], 0, list[bytes]()
    for escape in _ESCAPE.finditer(inside):
        if escape[1] is None:
            return None
        found += (inside[at : escape.start()].encode("utf-8", "surrogatepass"), _unescaped(escape[1]))
        at = escape.end()
    found.append(inside[at:].encode("utf-8", "surrogatepass"))
    try:
        return b"".join(found).decode("utf-8"), text[end + 1 :]
    except UnicodeDecodeError:
        return None


def _unescaped(escape: str) -> bytes:
    if len(escape) == 3:
        return bytes([int(escape, 8)])
    return _CONTROL.get(escape, escape).encode()


def printed_name(name: str) -> str:
    """A name as a diff writes it: in quotes when it has a character that would end it."""
    if name.isprintable() and '"' not in name and "\\" not in name:
        return name
    return '"' + "".join(_printed_character(character) for character in name) + '"'


def _printed_character(character: str) -> str:
    if character in _ESCAPED:
        return _ESCAPED[character]
    if character.isprintable():
        return character
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", "surrogatepass"))


def git_names(text: str) -> tuple[str, str] | None:
    """The two names of a `diff --git` line. Unquoted names with spaces can be told apart only when both are
    the same but for their prefix; otherwise the lines that follow have to say them."""
    if text.startswith('"'):
        first = quoted_name(text)
        if first is None or not first[1].startswith(" "):
            return None
        second = written_name(first[1][1:])
        return None if second is None else (first[0], second)
    if text.endswith('"'):
        left, space, right = text.partition(' "')
        second = written_name('"' + right) if space else None
        return None if second is None else (left, second)
    middle = len(text) // 2
    left, right = text[:middle], text[middle + 1 :]
    if text[middle : middle + 1] == " " and (
        left == right or unprefixed(left, right) == (left[2:], left[2:])
    ):
        return left, right
    if text.count(" ") == 1:
        left, _, right = text.partition(" ")
        return left, right
    return None


def unprefixed(old: str, new: str) -> tuple[str, str]:
    """The names without the `a/` and `b/` of a diff, where both have them (or one is nowhere)."""
    old_prefixed, new_prefixed = old.startswith("a/"), new.startswith("b/")
    if (old_prefixed or old == NOWHERE) and (new_prefixed or new == NOWHERE):
        return (old[2:] if old_prefixed else old), (new[2:] if new_prefixed else new)
    return old, new
