"""Where dialogues run: a workspace, a folder of SQLite databases, or the built-in trade demo."""

import tempfile
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import Self

from dragoman.contracts.errors import DatabaseNotFound, DatabaseNotNamed
from dragoman.conversation_tests.dialogue import Dialogue
from dragoman.workspace import Workspace

MAX_OPEN = 16
"""Databases that are open at once."""


class Place(ABC):
    """Opens the workspace in which a dialogue is held, and closes it when it is no longer needed."""

    keeps_sessions = False
    """Whether a session can be looked at after the run."""

    def __init__(self, *, answer_always: bool = False) -> None:
        self._answer_always = answer_always
        self._workspace: Workspace | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    @abstractmethod
    def check(self, dialogue: Dialogue) -> None:
        """Refuse a dialogue that cannot be held here, before any is."""

    @abstractmethod
    def workspace(self, dialogue: Dialogue) -> Workspace:
        """The workspace for a dialogue, open."""

    def _close(self) -> None:
        if self._workspace is not None:
            self._workspace.close()
            self._workspace = None


class WorkspacePlace(Place):
    """A folder of the user's; the sessions that went as expected are not left in it."""

    keeps_sessions = True

    def __init__(self, folder: str, *, answer_always: bool = False) -> None:
        super().__init__(answer_always=answer_always)
        self._folder = folder

    def check(self, dialogue: Dialogue) -> None:
        _refuse_database(dialogue)

    def workspace(self, dialogue: Dialogue) -> Workspace:
        if self._workspace is None:
            self._workspace = Workspace.open(self._folder, answer_always=self._answer_always)
        return self._workspace


class DemoPlace(Place):
    """The embedded trade database, in a folder that is gone afterwards."""

    def __init__(self, *, answer_always: bool = False) -> None:
        super().__init__(answer_always=answer_always)
        self._folder = tempfile.TemporaryDirectory(prefix="dragoman-test-")

    def check(self, dialogue: Dialogue) -> None:
        _refuse_database(dialogue)

    def workspace(self, dialogue: Dialogue) -> Workspace:
        if self._workspace is None:
            self._workspace = Workspace.open(self._folder.name, answer_always=self._answer_always)
        return self._workspace

    def _close(self) -> None:
        super()._close()
        self._folder.cleanup()


class DatabasesPlace(Place):
    """A folder with one SQLite file for every database. Some stay open, for dialogues that take turns."""

    def __init__(self, folder: Path, *, answer_always: bool = False) -> None:
        super().__init__(answer_always=answer_always)
        self._databases = folder
        self._opened: dict[str, Workspace] = {}
        self._state = tempfile.TemporaryDirectory(prefix="dragoman-test-")

    def check(self, dialogue: Dialogue) -> None:
        self._name(dialogue)

    def workspace(self, dialogue: Dialogue) -> Workspace:
        name = self._name(dialogue)
        workspace = self._opened.pop(name, None) or self._open(name)
        self._opened[name] = workspace
        return workspace

    def _name(self, dialogue: Dialogue) -> str:
        if dialogue.db is None:
            raise DatabaseNotNamed(
                f"{dialogue.source}: the dialogue {dialogue.id} names no db",
                hint='write "db": "NAME" for the file NAME.sqlite of the folder',
            )
        return dialogue.db

    def _open(self, name: str) -> Workspace:
        """Open one; the one that was asked longest ago gives way. What was found out of it is kept."""
        if len(self._opened) >= MAX_OPEN:
            self._opened.pop(next(iter(self._opened))).close()
        file = self._databases / f"{name}.sqlite"
        if not file.is_file():
            raise DatabaseNotFound(
                f"there is no file {file}", hint="--db-dir names the folder that has NAME.sqlite"
            )
        folder = Path(self._state.name) / name
        folder.mkdir(exist_ok=True)
        return Workspace.open_database(file, folder=folder, answer_always=self._answer_always)

    def _close(self) -> None:
        for workspace in self._opened.values():
            workspace.close()
        self._opened.clear()
        self._state.cleanup()


def _refuse_database(dialogue: Dialogue) -> None:
    if dialogue.db is not None:
        raise DatabaseNotNamed(
            f"{dialogue.source}: the dialogue {dialogue.id} is about the db {dialogue.db}",
            hint="say in which folder it is with --db-dir",
        )
