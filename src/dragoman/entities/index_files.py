"""Building an index on disk, changing it, and opening it."""

import os
import shutil
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Final

import msgspec

from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import EntityIndexDamaged, EntityIndexMissing, EntityIndexNewer
from dragoman.contracts.record import Record
from dragoman.entities.entries import Entry, entries_of, row_of
from dragoman.entities.folded_names import clean
from dragoman.entities.generations import REBUILD, current, damaged, next_generation
from dragoman.entities.index import EntityIndex, Entries
from dragoman.entities.records import EntityIndexConfig, EntityRow
from dragoman.entities.rows import RowFile, RowWriter
from dragoman.entities.scan import Scan

FORMAT: Final = 2
SMALL_SET: Final = 2_000
"""Fewer entries than this are kept as they are and looked at one by one."""
MOST_OPTIONS: Final = 50

_MANIFEST: Final = "manifest.json"
_SCAN: Final = "entries.bin"
_GRAMS: Final = "grams"
_LOCK_FILES: Final = ".lock"
_TRIES: Final = 5


class Manifest(Record, frozen=True):
    """What a generation is: of which data, made how, of which files with how many bytes each."""

    format: int
    fingerprint: str
    config: EntityIndexConfig
    entries: int
    files: Mapping[str, int]
    options: Mapping[str, tuple[str, ...]] = {}
    """The values of each discriminator, where they are few."""


class _Options:
    """Gathers the values of discriminators; one with too many values has no list of them."""

    def __init__(self, config: EntityIndexConfig, known: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self._values: dict[str, set[str]] = defaultdict(set)
        self._names = config.discriminators
        for name, values in (known or {}).items():
            self._values[name].update(values)

    def noting(self, rows: Iterable[EntityRow]) -> Iterator[EntityRow]:
        for row in rows:
            for name, value in row.discriminators.items():
                values = self._values[name]
                if len(values) <= MOST_OPTIONS:
                    values.add(clean(value))
            yield row

    def few(self) -> dict[str, tuple[str, ...]]:
        return {
            name: tuple(sorted(self._values[name]))
            for name in self._names
            if 0 < len(self._values[name]) <= MOST_OPTIONS
        }


def build_index(folder: Path, config: EntityIndexConfig, rows: Iterable[EntityRow], fingerprint: str) -> None:
    """Build the index of all rows; of two rows with one key the later counts. The old index, if there is
    one, is used by readers until the new one is whole."""
    with next_generation(folder) as made:
        options = _Options(config)
        rest = options.noting(rows) if config.discriminators else iter(rows)
        count = _fill(made, rest)
        _finish(made, config, fingerprint, count, options)


def update_index(
    folder: Path, changed: Iterable[EntityRow], deleted: Iterable[str], fingerprint: str
) -> None:
    """Put changed and new rows in, take the deleted keys out. What has not changed is not written again."""
    with next_generation(folder) as made:
        before = current(folder)
        manifest = _manifest(folder, before)
        options = _Options(manifest.config, manifest.options)
        rows = options.noting(changed)
        if (before / _GRAMS).is_dir():
            from dragoman.entities import grams

            _link(before / _GRAMS, made / _GRAMS)
            count = grams.change(made / _GRAMS, rows, deleted)
        else:
            kept = {entry.key: entry for entry in _scanned(before)}
            kept.update((entry.key, entry) for entry in entries_of(tuple(rows)))
            for key in deleted:
                kept.pop(key, None)
            count = _fill(made, (row_of(entry) for entry in kept.values()))
        _finish(made, manifest.config, fingerprint, count, options)


def is_current(folder: Path, fingerprint: str, config: EntityIndexConfig | None = None) -> bool:
    """Whether the folder has a whole index of just this data (and of this configuration, if given)."""
    try:
        manifest = _manifest(folder, current(folder))
    except (EntityIndexMissing, EntityIndexDamaged, EntityIndexNewer):
        return False
    same = (manifest.format, manifest.fingerprint) == (FORMAT, fingerprint)
    return same and config in (None, manifest.config)


def open_index(folder: Path) -> EntityIndex:
    """The index as it is now. It stays as it is for whoever opened it, also when a new one is built."""
    for _ in range(_TRIES - 1):
        generation = current(folder)
        try:
            return _open(folder, generation)
        except EntityIndexDamaged:
            # A writer may have switched to a new generation, and cleared this one away, while it was opened.
            if current(folder) == generation:
                raise
    return _open(folder, current(folder))


def _open(folder: Path, generation: Path) -> EntityIndex:
    manifest = _manifest(folder, generation)
    try:
        return EntityIndex(manifest.config, _entries(generation, manifest), manifest.options)
    except (OSError, ValueError, struct.error) as failure:
        raise damaged(folder, str(failure)) from failure


def _entries(generation: Path, manifest: Manifest) -> Entries:
    if not any(name.startswith(_GRAMS) for name in manifest.files):
        return Scan(tuple(_scanned(generation)))
    from dragoman.entities.grams import GramIndex, is_rows_file

    # How many files there are is known from the manifest alone: the folder may just be cleared away.
    return GramIndex(generation / _GRAMS, sum(map(is_rows_file, manifest.files)))


def _scanned(generation: Path) -> Iterator[Entry]:
    return iter(RowFile(generation / _SCAN))


def _fill(made: Path, rows: Iterator[EntityRow]) -> int:
    first = list(islice(rows, SMALL_SET))
    if len(first) < SMALL_SET:
        entries = {entry.key: entry for entry in entries_of(first)}
        with RowWriter(made / _SCAN) as written:
            for entry in entries.values():
                written.add(entry)
        return len(entries)
    from dragoman.entities import grams

    (made / _GRAMS).mkdir()
    return grams.write(made / _GRAMS, chain(first, rows))


def _link(before: Path, after: Path) -> None:
    """The files of a generation in the next one, without copying where the disk allows it."""
    after.mkdir()
    for path in before.iterdir():
        if path.name.endswith(_LOCK_FILES):
            continue
        try:
            os.link(path, after / path.name)
        except OSError:
            shutil.copy2(path, after / path.name)


def _finish(made: Path, config: EntityIndexConfig, fingerprint: str, count: int, options: _Options) -> None:
    files = {
        str(path.relative_to(made)): path.stat().st_size
        for path in sorted(made.rglob("*"))
        if path.is_file() and not path.name.endswith(_LOCK_FILES)
    }
    manifest = Manifest(FORMAT, fingerprint, config, count, files, options.few())
    (made / _MANIFEST).write_bytes(msgspec.json.encode(manifest))


def _manifest(folder: Path, generation: Path) -> Manifest:
    """The manifest of a generation, whose files are all there in full."""
    try:
        written = (generation / _MANIFEST).read_bytes()
        version = decoded(written, dict[str, msgspec.Raw]).get("format")
        if version is not None and (number := decoded(version, int)) > FORMAT:
            raise EntityIndexNewer(
                f"The entity index in {folder} has format {number}; this Dragoman knows {FORMAT}.",
                hint=REBUILD,
                folder=str(folder),
            )
        manifest = decoded(written, Manifest)
        for name, size in manifest.files.items():
            if (generation / name).stat().st_size != size:
                raise damaged(folder, f"{name} is not as it was written")
    except (OSError, msgspec.MsgspecError) as failure:
        raise damaged(folder, str(failure)) from failure
    return manifest
