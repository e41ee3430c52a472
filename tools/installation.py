"""Filling a virtual environment: with uv where it is on the path, otherwise with the machine's own pip."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools.checkout import ROOT, SetupError, say

# Published as source only: the scripted Bolt server of the tests.
SOURCES_ONLY: Final = ("boltkit",)

# pip learned `--python`, by which it fills an environment that has no pip of its own, in this version.
PIP_NEEDED: Final = (22, 3)


def install_packages(python: Path, locks: Sequence[Path], lock: int) -> None:
    """Install exactly what the lock files pin; nothing is compiled.

    No package's code is run but that of `SOURCES_ONLY`, which the environment of the tests has.
    """
    wanted = [word for file in locks for word in ("-r", str(file))]
    binary = ["--only-binary", ":all:", "--no-binary", ",".join(SOURCES_ONLY)]
    _install(python, ["--require-hashes", *binary, *wanted], lock)


def install_project(python: Path, lock: int) -> None:
    """Install the checkout itself, editable, with the build packages that its lock file brought."""
    _install(python, ["--no-deps", "--no-build-isolation", "-e", str(ROOT)], lock)


def install_beside(folder: Path, locked: Path, lock: int) -> None:
    """Install what a lock file pins into a folder, and nothing of what that names. No environment sees it."""
    arguments = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--target", str(folder)]
    _install(Path(sys.executable), [*arguments, "-r", str(locked)], lock)


def _install(python: Path, arguments: Sequence[str], lock: int) -> None:
    uv = shutil.which("uv")
    if uv and _succeeds([uv, "pip", "install", "--quiet", "--python", str(python), *arguments], lock):
        return
    if uv:
        # Its settings are not pip's: a machine may reach its packages through one and not the other.
        say("uv could not install; trying pip")
    command = [*pip(), "--python", str(python), "install", "-qq", "--no-input", *arguments]
    if not _succeeds(command, lock):
        raise SetupError("installing packages failed; what pip said stands above.")


def _succeeds(command: Sequence[str], lock: int) -> bool:
    # A user-wide install makes no sense inside an environment, whatever the person's own settings say.
    settings = {"PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    environment = {**os.environ, **settings}
    outcome = subprocess.run(command, env=environment, stdout=sys.stderr, pass_fds=(lock,), check=False)
    return outcome.returncode == 0


def pip() -> list[str]:
    """The command that runs the machine's pip, once it is known to be able to do what is asked here."""
    # Inside an activated environment `python3` has no pip; the interpreter it was made from has.
    interpreter: str = getattr(sys, "_base_executable", sys.executable)
    command = [interpreter, "-m", "pip"]
    answer = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"pip (\d+)\.(\d+)", answer.stdout)
    if found is None:
        raise SetupError(
            f"{interpreter} has no pip. Install it (on Debian or Ubuntu: apt-get install python3-pip), or uv."
        )
    if tuple(map(int, found.groups())) < PIP_NEEDED:
        raise SetupError(f"{found.group()} is too old: Dragoman's set-up needs pip 22.3 or newer, or uv.")
    return command
