"""Workspaces over the tests' own servers, and the command line run in them as a user runs it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.called import called


def make_workspace(folder: Path, urls: Mapping[str, str], programs: Mapping[str, str]) -> None:
    """A folder with connections by their URLs, and programs by the names of their files. Passwords go where
    they belong, into the environment."""
    lines = [f'{alias}: {{url: "{_without_password(alias, url)}"}}' for alias, url in urls.items()]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "connections.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, text in programs.items():
        (folder / name).write_text(text, encoding="utf-8")


def _without_password(alias: str, url: str) -> str:
    password = urlsplit(url).password
    if not password:
        return url
    variable = f"PASSWORD_OF_{alias.upper()}"
    os.environ[variable] = password
    return url.replace(f":{password}@", f":${{{variable}}}@")


def dragoman(
    folder: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """The command in a process of its own, begun."""
    return subprocess.Popen(
        [sys.executable, "-m", "dragoman.cli", *arguments],
        cwd=folder,
        # A process that dies of a signal says where.
        env={**os.environ, "PYTHONFAULTHANDLER": "1", **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(
    folder: Path, *arguments: str, environment: Mapping[str, str] | None = None, code: int | None = 0
) -> str:
    """What the command prints on its way to its end."""
    process = dragoman(folder, *arguments, environment=environment)
    out, err = process.communicate(timeout=240)
    assert code is None or process.returncode == code, f"exit {process.returncode}\n{out}\n{err}"
    return out


def said(folder: Path, *arguments: str, code: int | None = 0) -> str:
    """What the command prints where it need not be a process of its own."""
    done = called(*arguments, cwd=folder)
    assert code is None or done.returncode == code, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def said_json(folder: Path, *arguments: str, code: int | None = 0) -> Any:
    return json.loads(said(folder, *arguments, "--json", code=code))


def finished_json(folder: Path, *arguments: str, **options: Any) -> Any:
    return json.loads(finished(folder, *arguments, "--json", **options))
