"""Which files a path or a pattern means: those in the workspace, each judged, each once, in order."""

import fnmatch
import os
from collections.abc import Iterator
from pathlib import Path

from dragoman.contracts.errors import SourceFailed, StepRefused
from dragoman.contracts.record import Record
from dragoman.engine.component import Config, StepContext
from dragoman.engine.components.files.kinds import Compression, FileFormat, format_of
from dragoman.engine.components.files.places import judged, shown

_MOST_FILES = 10_000
_WILD = frozenset("*?[")
_PACKINGS = {b"\x1f\x8b": Compression.GZIP, b"\x28\xb5\x2f\xfd": Compression.ZSTD}


class SourceFile(Record, frozen=True):
    """A file as it was found. `size` and `changed_ns` tell whether it is still the same."""

    path: str
    name: str
    packing: Compression
    size: int
    changed_ns: int


def found(config: Config, context: StepContext) -> tuple[SourceFile, ...]:
    """Raises StepRefused, SourceFailed."""
    written = str(config.get("path"))
    places = dict.fromkeys(_places(written, context))
    if not places:
        raise SourceFailed(f"there is no file {written}", hint="check the path; it begins in the workspace")
    if len(places) > _MOST_FILES:
        raise StepRefused(f"{written} means more than {_MOST_FILES:,} files", hint="read them in parts")
    return tuple(_looked_at(place, context) for place in places)


def format_for(config: Config, files: tuple[SourceFile, ...]) -> FileFormat:
    """What is declared, or what all the names end in. Raises StepRefused."""
    if config.get("format") is not None:
        return FileFormat(str(config["format"]))
    kinds = {format_of(file.name): file.name for file in files}
    if None in kinds:
        raise StepRefused(f"the end of {kinds[None]} does not tell its format", hint='say :format "csv"')
    if len(kinds) > 1:
        one, other, *_ = kinds.values()
        raise StepRefused(
            f"{one} and {other} are of different formats", hint="read them in steps of their own"
        )
    return next(kind for kind in kinds if kind is not None)


def changed(files: tuple[SourceFile, ...]) -> SourceFile | None:
    """The first that is not as it was when it was found."""
    for file in files:
        try:
            status = os.stat(file.path)
        except OSError:
            return file
        if (status.st_size, status.st_mtime_ns) != (file.size, file.changed_ns):
            return file
    return None


def _places(written: str, context: StepContext) -> list[Path]:
    # The guard has its say on the pattern as a text: no dots that lead upwards, no home, no address.
    whole = judged(written, context)
    if whole.is_dir():
        raise StepRefused(f"{written} is a folder", hint=f'name its files: "{written.rstrip("/")}/*.csv"')
    if whole.exists() and not context.targets.is_readable(whole):
        raise StepRefused(
            f"{written} belongs to the workspace itself: no run reads it", hint="name a file of data"
        )
    if whole.exists() or not _WILD & set(written):
        return [whole] if whole.exists() else []
    root = context.workspace.resolve()
    if not whole.is_relative_to(root):
        raise StepRefused(f"{written} leads out of the workspace", hint="name files inside it")
    parts = whole.relative_to(root).parts
    matched = sorted(_matching(root, parts))
    places = [judged(str(each), context) for each in matched]
    return [place for place in places if context.targets.is_readable(place)]


def _matching(folder: Path, parts: tuple[str, ...]) -> Iterator[Path]:
    """The files below a folder that a pattern fits. Hidden ones are not meant unless it says so."""
    head, rest = parts[0], parts[1:]
    if head == "**":
        yield from _matching(folder, rest or ("*",))
        for each in _entries(folder):
            if each.is_dir() and not each.is_symlink() and not each.name.startswith("."):
                yield from _matching(each, parts)
        return
    wild = bool(_WILD & set(head))
    for each in [entry for entry in _entries(folder) if _fits(entry.name, head)] if wild else [folder / head]:
        if rest and each.is_dir():
            yield from _matching(each, rest)
        elif not rest and each.is_file():
            yield each


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise SourceFailed(
            f"{folder.name} cannot be looked into: {error.strerror}", hint="check its rights"
        ) from error


def _fits(name: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(name, pattern) and name.startswith(".") == pattern.startswith(".")


def _looked_at(path: Path, context: StepContext) -> SourceFile:
    try:
        status = path.stat()
        with path.open("rb") as file:
            start = file.read(4)
    except OSError as error:
        raise SourceFailed(
            f"{shown(path, context)} cannot be read: {error.strerror}", hint="check its rights"
        ) from error
    packing = next((how for mark, how in _PACKINGS.items() if start.startswith(mark)), Compression.NONE)
    return SourceFile(str(path), shown(path, context), packing, status.st_size, status.st_mtime_ns)
