"""Which files belong to a connection: its database and what that keeps beside it, or the files of its folder.

A file is known by what it is, not by how it is written: links and other spellings lead to the same one.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from dragoman.contracts.connection import ResolvedConnection, Transport
from dragoman.databases.families.registry import family

_MOST_FILES = 100_000


def belongs_to(file: Path, connection: ResolvedConnection) -> bool:
    """Whether a file, which need not exist, is one of the connection's own."""
    if connection.transport is not Transport.FILE or connection.path is None:
        return False
    place = connection.path
    if place.is_dir():
        return _is_inside(file, place) or any(_is_same(file, each) for each in _files(place))
    beside = (place.with_name(place.name + ending) for ending in family(connection.family).companions)
    return any(_is_same(file, each) for each in (place, *beside))


def _is_inside(file: Path, folder: Path) -> bool:
    parts, above = file.resolve().parts, folder.resolve().parts
    # Where case does not matter, neither does it here: to take a file for one too many is the safe side.
    return [part.casefold() for part in parts[: len(above)]] == [part.casefold() for part in above]


def _is_same(file: Path, other: Path) -> bool:
    try:
        return os.path.samefile(file, other)
    except OSError:
        return str(file.resolve()).casefold() == str(other.resolve()).casefold()


def _files(folder: Path) -> Iterator[Path]:
    """The files of a folder, each of which may have another name elsewhere."""
    for number, path in enumerate(folder.rglob("*")):
        if number >= _MOST_FILES:
            return
        if path.is_file():
            yield path
