"""The programs that tests start, and where they are found on this machine."""

import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SYSTEM_FOLDERS: Final = ("/usr/local/sbin", "/usr/sbin", "/usr/bin")
POSTGRES_FOLDERS: Final = "/usr/lib/postgresql"


def find_postgres() -> Path | None:
    """The folder that holds `initdb` and `postgres`, of the newest release there is."""
    on_path = shutil.which("initdb")
    beside = [Path(on_path).resolve().parent] if on_path else []
    packaged = sorted(Path(POSTGRES_FOLDERS).glob("*/bin"), key=_release, reverse=True)
    folders = (folder for folder in [*beside, *packaged] if _holds(folder, ("initdb", "postgres")))
    return next(folders, None)


def find_mariadb() -> Path | None:
    """The server program `mariadbd`, where the programs that prepare and query it are there too."""
    if all(find_program(name) for name in ("mariadb-install-db", "mariadb")):
        return find_program("mariadbd")
    return None


def find_program(name: str) -> Path | None:
    """A program on the path, or in a system folder that an ordinary user's path leaves out."""
    found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(SYSTEM_FOLDERS))
    return Path(found) if found else None


def _release(folder: Path) -> float:
    try:
        return float(folder.parent.name)
    except ValueError:
        return 0.0


def _holds(folder: Path, programs: Iterable[str]) -> bool:
    return all(os.access(folder / program, os.X_OK) for program in programs)


@dataclass(frozen=True)
class Program:
    """A program that tests need: the variable that tells where it is, the package that brings it."""

    title: str
    variable: str
    package: str
    find: Callable[[], Path | None]


POSTGRES: Final = Program("PostgreSQL", "DRAGOMAN_TEST_POSTGRES", "postgresql", find_postgres)
MARIADB: Final = Program("MariaDB", "DRAGOMAN_TEST_MARIADB", "mariadb-server", find_mariadb)
STRACE: Final = Program("strace", "DRAGOMAN_TEST_STRACE", "strace", lambda: find_program("strace"))
TMUX: Final = Program("tmux", "DRAGOMAN_TEST_TMUX", "tmux", lambda: find_program("tmux"))
