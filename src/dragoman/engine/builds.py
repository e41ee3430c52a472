"""Builds: a folder for each manifest, named by its fingerprint, and a pointer at the newest."""

from pathlib import Path

from dragoman.contracts.errors import BuildFailed
from dragoman.engine.files import write_whole
from dragoman.language.manifest import Manifest


def write_build(folder: Path, manifest: Manifest) -> Path:
    """Keep a manifest under its fingerprint and point LATEST at it."""
    try:
        build = folder / manifest.plan.fingerprint
        build.mkdir(parents=True, exist_ok=True)
        path = build / "manifest.json"
        write_whole(path, manifest.data)
        write_whole(folder / "LATEST", f"{manifest.plan.fingerprint}\n".encode())
    except OSError as error:
        raise BuildFailed(
            f"the build cannot be written to {folder}: {error.strerror}",
            hint="name another folder with --out",
        ) from error
    return path
