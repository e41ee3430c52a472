"""The servers that tests start: found on the machine, or installed where that may be done.

What comes out is told to the tests through the environment: for each one either where it is
(`DRAGOMAN_TEST_POSTGRES`, `DRAGOMAN_TEST_MARIADB`, `DRAGOMAN_TEST_STRACE`, `DRAGOMAN_TEST_TMUX`) or, in the
same name with `_MISSING` behind it, why it is not there.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tools.binaries import MARIADB, POSTGRES, STRACE, TMUX, Program
from tools.checkout import say
from tools.environments import HOME
from tools.exclusion import exclusive
from tools.signals import ENDING, redirected

POLICY: Final = Path("/usr/sbin/policy-rc.d")
POLICY_TEXT: Final = """#!/bin/sh
# Placed by Dragoman's ./do while it installs packages: no service is to be started.
exit 101
"""
# Another package manager at work is waited for, not an error.
APT: Final = ("apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300")
PROGRAMS: Final = (POSTGRES, MARIADB, STRACE, TMUX)


def server_settings() -> dict[str, str]:
    """The environment variables that tell the tests what there is."""
    missing = [program for program in PROGRAMS if program.find() is None]
    reasons = _install(missing) if missing else {}
    settings = {}
    for program in PROGRAMS:
        found = program.find()
        if found is None:
            settings[f"{program.variable}_MISSING"] = reasons.get(program.package, "it is not installed")
        else:
            settings[program.variable] = str(found)
    return settings


def _install(programs: Sequence[Program]) -> dict[str, str]:
    """Try to install what is missing; for each package that could not be, the reason."""
    obstacle = _obstacle()
    if obstacle:
        return {program.package: obstacle for program in programs}
    received: list[int] = []
    # A package manager cut off in the middle leaves the machine in a state that a person has to mend.
    with (
        redirected(received.append, *ENDING),
        exclusive(HOME / "servers.lock", "installing packages"),
        _no_services(),
    ):
        reasons = _install_each([program.package for program in programs], received)
    if received:
        raise SystemExit(128 + received[0])
    return reasons


def _install_each(packages: Sequence[str], received: Sequence[int]) -> dict[str, str]:
    reasons = {}
    outdated = _apt("update")
    for package in packages:
        if received:
            break
        failure = _apt("install", "-y", "--no-install-recommends", package)
        reasons[package] = "; ".join(filter(None, (failure, outdated)))
    return reasons


def _obstacle() -> str:
    if os.environ.get("DRAGOMAN_INSTALL") == "never":
        return "it is not installed, and DRAGOMAN_INSTALL=never forbids installing it"
    if not shutil.which("apt-get"):
        return "it is not installed, and this system has no apt-get to install it with"
    if os.geteuid() != 0:
        return "it is not installed, and only root may install it"
    return ""


def _apt(*arguments: str) -> str:
    """Run apt-get; returns why it failed, or nothing."""
    say(" ".join(["apt-get", *arguments]))
    settings = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    outcome = subprocess.run(
        [*APT, *arguments],
        env=settings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if outcome.returncode == 0:
        return ""
    sys.stderr.write(outcome.stderr)
    complaints = [line for line in outcome.stderr.splitlines() if line.startswith("E:")]
    return f"apt-get {arguments[0]} failed: {complaints[-1] if complaints else outcome.returncode}"


@contextmanager
def _no_services() -> Iterator[None]:
    """Debian's packages start their services at once; a policy script keeps them from it."""
    if POLICY.exists() and POLICY.read_text(errors="replace") != POLICY_TEXT:
        yield  # The machine has a policy of its own, and that is respected.
        return
    try:
        POLICY.write_text(POLICY_TEXT)
        POLICY.chmod(0o755)
        yield
    finally:
        POLICY.unlink(missing_ok=True)
