"""Files as a database: loaded once into a DuckDB file of their own, which is then read like any other."""

import os
import stat
import tempfile
from pathlib import Path

import msgspec

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import DatabaseNotFound, DriverFailed, FileUnreadable
from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.databases.access.watch import Watch
from dragoman.databases.access.worker.frames import LoadFiles
from dragoman.databases.access.worker.process import Worker, WorkerGone
from dragoman.databases.access.worker.worker_reader import check_ready
from dragoman.databases.families.duckdb.address import DuckdbAddress
from dragoman.databases.families.duckdb.duckdb_reader import MEMORY_BYTES, THREADS, WORKER, DuckdbReader
from dragoman.databases.families.duckdb.worker import SKIPPED
from dragoman.databases.families.files.address import FilesAddress

LOAD_SECONDS = 600.0
_MOST_FILES = 2_000

_CSV = ""
"""It has a reader of its own."""
_JSON = "read_json(?, sample_size = -1, maximum_object_size = 64000000)"
_FUNCTIONS = {
    ".csv": _CSV,
    ".tsv": _CSV,
    ".csv.gz": _CSV,
    ".tsv.gz": _CSV,
    ".parquet": "read_parquet(?)",
    ".json": _JSON,
    ".jsonl": _JSON,
    ".ndjson": _JSON,
    ".json.gz": _JSON,
    ".jsonl.gz": _JSON,
    ".ndjson.gz": _JSON,
}
"""How a file is read, by the end of its name. Types are found out from all of it, not from its beginning."""


class FilesReader(DuckdbReader):
    """Reads a folder or some files. They are loaded again when one of them has changed."""

    def __init__(self, target: FilesAddress, limits: ReadLimits) -> None:
        self._files = target
        self._folder = tempfile.TemporaryDirectory(prefix="dragoman-files-")
        self._seen: object = None
        self._skipped: dict[str, int] = {}
        super().__init__(DuckdbAddress(Path(self._folder.name) / "none.duckdb"), limits)

    def _read(
        self, query: Query, limits: ReadLimits, cancel: Cancellation | None, user_sql: bool
    ) -> ResultSet:
        found = tables_of(self._files)
        seen = [(name, *_stamp(path)) for name, path in found.items()]
        if seen != self._seen:
            self._load(found, cancel)
            self._seen = seen
        result = super()._read(query, limits, cancel, user_sql)
        # A table is meant wherever its name stands: rather too many answers are limited than too few.
        text = query.sql.casefold()
        skipped = sum(count for name, count in self._skipped.items() if name.casefold() in text)
        return msgspec.structs.replace(result, skipped=skipped) if skipped else result

    def close(self) -> None:
        super().close()
        self._folder.cleanup()

    def _load(self, found: dict[str, Path], cancel: Cancellation | None) -> None:
        """A loader of its own, killed when it takes too long: a broken file must not harm the reader."""
        self._discard()
        fresh = Path(tempfile.mkdtemp(dir=self._folder.name))
        links = [
            (name, str(_plain_link(fresh, number, path)), path.name, _FUNCTIONS[ending_of(path) or ""])
            for number, (name, path) in enumerate(found.items())
        ]
        database = fresh / "files.duckdb"
        worker = Worker(WORKER)
        watch = Watch(LOAD_SECONDS, cancel, worker.kill)
        try:
            with watch:
                options = dict(self._files.options)
                worker.ask(LoadFiles(os.fsencode(database), MEMORY_BYTES, THREADS, links, options))
                check_ready(worker.hear())
        except WorkerGone as gone:
            raise watch.error() or DriverFailed(
                f"the process that loads the files ended (code {gone.exit})",
                hint="leave out the largest file",
            ) from gone
        finally:
            worker.close()
        self._forget_old()
        self._path = database
        facts = database.with_suffix(SKIPPED).read_bytes()
        self._skipped = decoded(facts, dict[str, int])

    def _forget_old(self) -> None:
        old = self._path
        if old.is_file():
            old.unlink()
            old.with_suffix(SKIPPED).unlink(missing_ok=True)


def tables_of(target: FilesAddress) -> dict[str, Path]:
    """The name of each table and its file. Raises DatabaseNotFound, FileUnreadable."""
    files = [file for path in target.paths for file in _files_at(path)]
    if not files:
        raise DatabaseNotFound(
            "there is no file to read", hint="name CSV, Parquet or JSON files, or their folder"
        )
    if len(files) > _MOST_FILES:
        raise FileUnreadable(f"there are more than {_MOST_FILES:,} files", hint="name fewer")
    return _named(files)


def ending_of(path: Path) -> str | None:
    """The end of a file's name that says how it is read."""
    name = path.name.lower()
    ends = [ending for ending in _FUNCTIONS if name.endswith(ending) and name != ending]
    return max(ends, key=len, default=None)


def _files_at(path: Path) -> list[Path]:
    if path.is_dir():
        root = path.resolve()
        entries = sorted(each for each in path.iterdir() if not each.name.startswith("."))
        # A link that leads out of the folder is not in it.
        return [
            each
            for each in entries
            if ending_of(each) and _is_file(each) and each.resolve().is_relative_to(root)
        ]
    if not _is_file(path):
        raise DatabaseNotFound(f"there is no file {path}", hint="check the paths of the connection")
    if ending_of(path) is None:
        raise FileUnreadable(
            f"the kind of {path.name} is not known", hint=f"use one of {', '.join(sorted(_FUNCTIONS))}"
        )
    return [path]


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def _named(files: list[Path]) -> dict[str, Path]:
    """Names without their endings; with them where two would be alike, and numbered if need be."""
    stems = [_stem(path).casefold() for path in files]
    named, taken = dict[str, Path](), set[str]()
    for path in files:
        stem = _stem(path)
        unique = stems.count(stem.casefold()) == 1
        name = stem if unique else stem + (ending_of(path) or "").replace(".", "_")
        number, candidate = 1, name
        while candidate.casefold() in taken or (not unique and candidate.casefold() in stems):
            number += 1
            candidate = f"{name}_{number}"
        taken.add(candidate.casefold())
        named[candidate] = path
    return named


def _stem(path: Path) -> str:
    stem = path.name[: -len(ending_of(path) or "")]
    return os.fsencode(stem).decode("utf-8", "replace")


def _plain_link(folder: Path, number: int, path: Path) -> Path:
    """A link with a plain name: DuckDB would take stars and brackets in a name for a pattern of names."""
    link = folder / f"{number}{ending_of(path)}"
    link.symlink_to(path.absolute())
    return link


def _stamp(path: Path) -> tuple[str, int, int]:
    status = path.stat()
    return str(path), status.st_mtime_ns, status.st_size
