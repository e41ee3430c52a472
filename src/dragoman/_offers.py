"""What other packages offer under a group of entry points.

Most installations have no such package. Importing `importlib.metadata` and asking it three times, only to be
told so, took longer than reading a message. So the files it would read are looked through for the name of the
group first, and it is asked only where one of them has it, or where something cannot be looked through here.
"""

import os
import sys
from functools import lru_cache
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_INFO: Final = (".dist-info", ".egg-info", "egg-info")
_OURS: Final = b"dragoman."


def offers(group: str) -> tuple["EntryPoint", ...]:
    """The entry points of a group, which begins with `dragoman.`."""
    if not _may_be_offered(group.encode()):
        return ()
    from importlib.metadata import entry_points

    return tuple(entry_points(group=group))


def _may_be_offered(group: bytes) -> bool:
    # Other finders may know packages that are in no folder of the path.
    if any(hasattr(finder, "find_distributions") and finder is not PathFinder for finder in sys.meta_path):
        return True
    return any(_may_be_offered_in(place or ".", group) for place in sys.path)


def _may_be_offered_in(place: str, group: bytes) -> bool:
    try:
        changed = os.stat(place).st_mtime_ns
    except OSError:
        return False
    found = _mentions(place, changed)
    return found is None or group in found


@lru_cache(maxsize=256)
def _mentions(place: str, _changed: int) -> bytes | None:
    """The entry points in a folder, of packages that mention ours. None of what is no folder: maybe a zip."""
    try:
        names = [name for name in os.listdir(place) if name.lower().endswith(_INFO)]
        files = [_content(os.path.join(place, name, "entry_points.txt")) for name in names]
    except OSError:
        return None
    return b"\n".join(content for content in files if _OURS in content)


def _content(file: str) -> bytes:
    try:
        with open(file, "rb", buffering=0) as opened:
            return opened.read()
    except (FileNotFoundError, NotADirectoryError):
        return b""
