"""Virtual environments inside the checkout, filled from lock files and reused until those change.

An environment is trusted only when its stamp says what the checkout says. The stamp is written last and
removed first, so a build that was cut short anywhere is simply a build that has to be done.
"""

import hashlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tools.checkout import ROOT, say

HOME: Final = ROOT / ".venv"


@dataclass(frozen=True)
class Environment:
    """A folder under .venv and the lock files that fill it."""

    name: str
    locks: tuple[str, ...]

    @property
    def folder(self) -> Path:
        return HOME / self.name

    @property
    def python(self) -> Path:
        return self.program("python")

    @property
    def stamp_file(self) -> Path:
        return self.folder / "stamp"

    @property
    def lock_files(self) -> tuple[Path, ...]:
        return tuple(ROOT / "requirements" / lock for lock in self.locks)

    def program(self, name: str) -> Path:
        return self.folder / "bin" / name


RUN: Final = Environment("run", ("runtime.lock", "build.lock"))
DEV: Final = Environment("dev", ("dev.lock",))
BENCH: Final = Environment("bench", ("bench.lock",))


@dataclass(frozen=True)
class Stamp:
    """Digests of what an environment is made from: its packages, and the project's own metadata."""

    packages: str
    project: str

    @classmethod
    def wanted(cls, environment: Environment) -> "Stamp":
        version = ".".join(map(str, sys.version_info[:3]))
        interpreter = f"{sys.implementation.name} {version} {os.uname().machine}"
        # Scripts in an environment carry absolute paths: a checkout that moved needs a new one.
        packages = _digest(environment.lock_files, interpreter, str(ROOT))
        return cls(packages, _digest((ROOT / "pyproject.toml",)))

    @classmethod
    def found(cls, environment: Environment) -> "Stamp | None":
        # A link to an interpreter that was removed since is no environment, whatever its stamp says.
        if not environment.python.exists():
            return None
        try:
            packages, project = environment.stamp_file.read_text("ascii").split()
        except (FileNotFoundError, ValueError):
            return None
        return cls(packages, project)

    def write(self, environment: Environment) -> None:
        draft = environment.stamp_file.with_suffix(".draft")
        draft.write_text(f"{self.packages}\n{self.project}\n", "ascii")
        draft.replace(environment.stamp_file)


def _digest(files: tuple[Path, ...], *words: str) -> str:
    total = hashlib.sha256("\0".join(words).encode())
    for file in files:
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def ready(environment: Environment) -> Environment:
    """The environment, made or mended first where that is needed."""
    if Stamp.found(environment) != Stamp.wanted(environment):
        _prepare(environment)
    return environment


def _prepare(environment: Environment) -> None:
    # Imported here because the second run, and every one after it, needs none of this.
    from tools.exclusion import exclusive
    from tools.installation import install_packages, install_project

    doing = f"setting up .venv/{environment.name}"
    with exclusive(HOME / f"{environment.name}.lock", doing) as lock:
        wanted, found = Stamp.wanted(environment), Stamp.found(environment)
        if found == wanted:
            return
        say(doing)
        environment.stamp_file.unlink(missing_ok=True)
        if found is None or found.packages != wanted.packages:
            _make_empty(environment)
            install_packages(environment.python, environment.lock_files, lock)
        install_project(environment.python, lock)
        wanted.write(environment)


def _make_empty(environment: Environment) -> None:
    import shutil
    import venv

    if environment.folder.exists():
        shutil.rmtree(environment.folder)
    # Without pip: Debian ships the module that makes environments, but not the pip it would put into them.
    venv.EnvBuilder(with_pip=False, symlinks=True).create(environment.folder)
