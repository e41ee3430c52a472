"""The path guard: a path that came from outside leads into the workspace, or it is denied with a code."""

import os
import stat
import unicodedata

from dragoman.guards.paths.path_text import fault_of_names, fault_of_text
from dragoman.guards.paths.places import Parts, Place, are_same, follow, is_special
from dragoman.guards.paths.verdict import PathCode, PathVerdict, allowed, denied


def judge_path(root: str, path: str) -> PathVerdict:
    """Whether a path, relative to the root or absolute, stays in it once every link is followed.

    The root is the operator's and taken as named: it may be a link, be relative to the working directory, or
    not exist yet. Nothing is opened and nothing is changed.
    """
    named, written = _plain(root), _plain(path)
    home = _canonical_root(named) if named else None
    if named is None or home is None:
        return denied(PathCode.ROOT_INVALID)
    if written is None:
        return denied(PathCode.NOT_TEXT)
    fault = fault_of_text(written) or fault_of_names(_below(written, named, home))
    if fault is not None:
        return denied(fault)
    place = follow(written, home.parts, home.parts)
    return denied(place) if isinstance(place, PathCode) else _judge_place(place, home)


def _judge_place(place: Place, home: Place) -> PathVerdict:
    rest = _rest(place.parts, home.parts)
    if rest is None:
        return denied(PathCode.SYMLINK_ESCAPE if place.left_by_link else PathCode.OUTSIDE)
    # A link inside the workspace may lead into a folder of ours under an innocent name.
    name_fault = fault_of_names("/".join(rest))
    if name_fault is not None:
        return denied(name_fault)
    resolved = Place(home.parts + rest).path
    if not _is_text(resolved):
        return denied(PathCode.NOT_ENCODABLE)
    return denied(PathCode.SPECIAL_FILE) if is_special(resolved) else allowed(resolved)


def _plain(value: object) -> str | None:
    """A text as nothing but a text, whatever a class derived from it makes of itself; none for the rest."""
    return str.__str__(value) if isinstance(value, str) else None


def _canonical_root(root: str) -> Place | None:
    if "\0" in root:
        return None
    try:
        place = follow(os.path.join(os.getcwd(), root))
        if isinstance(place, Place) and _may_be_folder(place.path):
            return place
    except (OSError, UnicodeError):
        # The working directory is gone, or the name cannot be put to the system at all.
        return None
    return None


def _may_be_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)
    except FileNotFoundError:
        return True


def _below(path: str, root: str, home: Place) -> str:
    """The part of a path that is not the operator's own root, whose names are not judged."""
    for start in (home.path, root):
        if path == start or path.startswith(start.rstrip("/") + "/"):
            return path[len(start) :] if start.startswith("/") else path
    return path


def _rest(parts: Parts, home: Parts) -> Parts | None:
    """The parts below the root; none where the place is not in it.

    Where a file system ignores case or form, the root has many spellings: another one is taken for it only
    when it is the same folder.
    """
    head, rest = parts[: len(home)], parts[len(home) :]
    if head == home:
        return rest
    if len(head) == len(home) and [_folded(p) for p in head] == [_folded(p) for p in home]:
        return rest if are_same(Place(head).path, Place(home).path) else None
    return None


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name.casefold())


def _is_text(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
