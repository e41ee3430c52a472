"""Where a path really leads: links followed as the system follows them, the rest taken as named."""

import errno
import os
import stat

from dragoman.contracts.record import Record
from dragoman.guards.paths.verdict import PathCode

MAX_LINKS = 40
"""As many as Linux follows."""

Parts = tuple[str, ...]

_ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR})


class Place(Record, frozen=True):
    """The names from `/` down to a place. `left_by_link`: it was a link that led out of the root."""

    parts: Parts
    left_by_link: bool = False

    @property
    def path(self) -> str:
        return "/" + "/".join(self.parts)


def follow(path: str, start: Parts = (), root: Parts | None = None) -> Place | PathCode:
    """The place a path leads to from `start`, which is a place itself.

    A part that does not exist is a name, and `..` after it goes back.
    """
    try:
        return _Walk(start, root).along(path)
    except OSError as error:
        return PathCode.TOO_LONG if error.errno == errno.ENAMETOOLONG else PathCode.UNREADABLE


class _Walk:
    """One walk along a path. What stands at a place is asked once, so that `a/../a/../…` costs one look."""

    def __init__(self, start: Parts, root: Parts | None) -> None:
        self._at = list(start)
        self._root = list(root) if root is not None else None
        self._links: dict[str, str | None] = {}
        self._left_by_link = False

    def along(self, path: str) -> Place | PathCode:
        followed = 0
        pending = _pending(path, by_link=False)
        if path.startswith("/"):
            self._at = []
        while pending:
            name, by_link = pending.pop()
            inside = self._is_inside()
            if name == "..":
                del self._at[-1:]
            else:
                self._at.append(name)
                target = self._target()
                if target is not None:
                    followed += 1
                    if followed > MAX_LINKS:
                        return PathCode.SYMLINK_LOOP
                    self._at = [] if target.startswith("/") else self._at[:-1]
                    pending += _pending(target, by_link=True)
                    by_link = True
            if inside and not self._is_inside():
                self._left_by_link = by_link
        return Place(tuple(self._at), self._left_by_link)

    def _is_inside(self) -> bool:
        return self._root is not None and self._at[: len(self._root)] == self._root

    def _target(self) -> str | None:
        """Where the link leads that stands here; none where no link stands."""
        here = "/" + "/".join(self._at)
        if here not in self._links:
            self._links[here] = _link_at(here)
        return self._links[here]


def _pending(path: str, *, by_link: bool) -> list[tuple[str, bool]]:
    """The steps of a path, the first one last."""
    return [(name, by_link) for name in reversed(path.split("/")) if name not in ("", ".")]


def _link_at(path: str) -> str | None:
    try:
        if stat.S_ISLNK(os.lstat(path).st_mode):
            return os.readlink(path)
    except OSError as error:
        if error.errno not in _ABSENT:
            raise
    return None


def is_special(path: str) -> bool:
    """Whether a pipe, a socket or a device stands there: opening it may wait for ever, or do something."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def are_same(one: str, other: str) -> bool:
    """Whether two spellings name one existing place."""
    try:
        return os.path.samestat(os.stat(one), os.stat(other))
    except OSError:
        return False
