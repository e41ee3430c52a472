"""Which files a run may write: new ones, those that a run made, and data that somebody agreed to replace."""

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Final

from dragoman.contracts.errors import StepRefused, TargetExists, TargetReserved
from dragoman.engine.file_token import Token, token_of, written
from dragoman.engine.reserved_files import ReservedFiles
from dragoman.engine.runs.store import RunStore
from dragoman.guards.paths import judge_path

DATA_ENDINGS: Final = (".csv", ".tsv", ".parquet", ".pq", ".json", ".jsonl", ".ndjson")
_PACKED: Final = (".gz", ".zst")


class Standing(StrEnum):
    """What is there before a run writes a file."""

    NEW = "new"
    MADE = "made"
    """A run made it, and nobody has changed it since."""
    DATA = "data"
    """Somebody else's data: they are replaced only after a yes to a question that says so."""


class FileTargets:
    """Judges the files of a workspace before a run writes them."""

    def __init__(self, folder: Path, reserved: ReservedFiles, runs: RunStore) -> None:
        self._folder = folder.resolve()
        self._reserved = reserved
        self._runs = runs

    def standing(self, path: Path) -> Standing:
        """What a run would find at a place, links to it followed. Raises TargetReserved, TargetExists."""
        name = self.shown(path)
        owner = self._reserved.owner(path)
        if owner:
            raise TargetReserved(
                f"{name} belongs to {owner}: no run writes it",
                hint="name another file, in a folder of its own",
                path=name,
            )
        token = token_of(path)
        if token is None:
            return Standing.NEW
        if self._runs.made_file(name, written(token)):
            return Standing.MADE
        if is_data(path):
            return Standing.DATA
        raise TargetExists(
            f"{name} is there already, and no run made it", hint="name another file, or remove it", path=name
        )

    def place(self, written: str) -> Path:
        """Where a path of a program leads, links followed. Raises StepRefused."""
        verdict = judge_path(str(self._folder), written)
        if verdict.resolved is None:
            raise StepRefused(verdict.message, hint="name a file inside the workspace")
        return Path(verdict.resolved)

    def replaced(self, paths: Iterable[str]) -> tuple[str, ...]:
        """The files among these that are somebody else's data. Raises StepRefused of one that no run may
        write."""
        places = [self.place(path) for path in paths]
        return tuple(self.shown(each) for each in places if self.standing(each) is Standing.DATA)

    def refuse_unagreed(self, path: Path, replaces: tuple[str, ...]) -> None:
        """Raises TargetReserved, and TargetExists where data would be replaced that nobody agreed to."""
        name = self.shown(path)
        if self.standing(path) is Standing.DATA and name not in replaces:
            raise TargetExists(
                f"{name} is there already, no run made it, and nobody agreed to replace it",
                hint="run it again: the question before it says what is replaced",
                path=name,
            )

    def is_readable(self, path: Path) -> bool:
        """Whether a run may read a file: the workspace's own are not data."""
        return not self._reserved.workspace_owner(path)

    def note(self, path: Path, token: Token) -> None:
        """Keep that a run gives a file this name, right before it does."""
        before = token_of(path)
        self._runs.note_file(self.shown(path), written(token), written(before) if before is not None else "")

    def shown(self, path: Path) -> str:
        """A path as a person in the workspace would write it."""
        return str(path.relative_to(self._folder)) if path.is_relative_to(self._folder) else path.name


def is_data(path: Path) -> bool:
    """Whether the name of a file says that there are rows in it, packed or not."""
    name = path.name.lower()
    for ending in _PACKED:
        name = name.removesuffix(ending)
    return name.endswith(DATA_ENDINGS)
