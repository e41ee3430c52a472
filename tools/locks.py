"""Lock files: every package pinned with its hashes, one file for every platform and Python that is served."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

from tools.checkout import ROOT, SetupError
from tools.environments import HOME
from tools.installation import SOURCES_ONLY

REQUIREMENTS: Final = ROOT / "requirements"
# In this order: each one is held to the versions of those before it, so that they can be installed together.
SOURCES: Final = {
    "runtime": ("pyproject.toml",),
    "build": ("requirements/build.in",),
    "dev": ("pyproject.toml", "--all-extras", "requirements/dev.in"),
    "bench": ("pyproject.toml", "--all-extras", "requirements/bench.in"),
}
OPTIONS: Final = (
    "--quiet",
    "--upgrade",
    "--universal",
    "--python-version=3.11",
    "--generate-hashes",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--only-binary=:all:",
    f"--no-binary={','.join(SOURCES_ONLY)}",
    "--custom-compile-command=./do lock",
)


def lock_all() -> None:
    """Choose the newest versions again and write every lock file."""
    uv = _uv()
    settled: list[str] = []
    for name, sources in SOURCES.items():
        held = [word for lock in settled for word in ("--constraint", lock)]
        output = f"requirements/{name}.lock"
        subprocess.run([uv, "pip", "compile", *OPTIONS, *held, *sources, "-o", output], cwd=ROOT, check=True)
        settled.append(output)


def _uv() -> Path:
    """uv from the path, or from an environment of its own."""
    found = shutil.which("uv")
    if found:
        return Path(found)
    own = HOME / "lock" / "bin" / "uv"
    if not own.exists():
        _install_uv(own.parent.parent)
    return own


def _install_uv(folder: Path) -> None:
    import venv

    from tools.installation import pip

    venv.EnvBuilder(with_pip=False, symlinks=True, clear=True).create(folder)
    command = [*pip(), "--python", str(folder / "bin" / "python"), "install", "--quiet", "uv"]
    if subprocess.run(command, check=False).returncode != 0:
        raise SetupError("uv, which writes the lock files, could not be installed.")
