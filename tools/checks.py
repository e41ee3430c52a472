"""What is held true of the source itself: its layout, lint, types, and which room may import which."""

import subprocess
from typing import Final

from tools.checkout import ROOT, say
from tools.environments import Environment

CHECKS: Final = {
    "layout": ("ruff", "format", "--check", "--quiet", "."),
    "lint": ("ruff", "check", "--quiet", "."),
    "types": ("mypy", "--no-error-summary"),
    "layers": ("lint-imports", "--no-logo"),
}


def failed_checks(environment: Environment) -> list[str]:
    """Run every check, also after one has failed; returns the names of those that did."""
    return [name for name in CHECKS if not _holds(environment, name)]


def _holds(environment: Environment, name: str) -> bool:
    program, *arguments = CHECKS[name]
    command = [str(environment.program(program)), *arguments]
    outcome = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if outcome.returncode == 0:
        say(f"check {name}: ok")
        return True
    # A check that holds has nothing to tell; one that fails is told whole.
    say(f"check {name}: failed\n{outcome.stdout}{outcome.stderr}".rstrip())
    return False
