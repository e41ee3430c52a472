"""Whether outputs are checked and whether a failed check stops them, from the environment.

>>> resolve_settings({"DRAGOMAN_OUTPUT_VALIDATION_MODE": "enforce"}).effective_mode
<ValidationMode.SHADOW: 'shadow'>
"""

from collections.abc import Mapping

from dragoman.contracts.report import OutputValidationSettings, ValidationMode
from dragoman.guards.report.text import trimmed

MODE_VARIABLES = ("DRAGOMAN_OUTPUT_VALIDATION_MODE", "WVO_OUTPUT_VALIDATION_MODE")
CANARY_VARIABLES = ("DRAGOMAN_OUTPUT_VALIDATION_CANARY", "WVO_OUTPUT_VALIDATION_CANARY")
"""The first that says anything counts, even where what it says is unknown."""

_YES = frozenset({"1", "true", "yes", "y", "on"})
_MODES = {str(mode): mode for mode in ValidationMode}


def resolve_settings(environ: Mapping[str, str]) -> OutputValidationSettings:
    """An unknown mode watches and stops nothing; so does `enforce` until the canary is acknowledged."""
    configured = _MODES.get(_said(environ, MODE_VARIABLES), ValidationMode.SHADOW)
    canary = _said(environ, CANARY_VARIABLES) in _YES
    held_back = configured is ValidationMode.ENFORCE and not canary
    return OutputValidationSettings(configured, ValidationMode.SHADOW if held_back else configured, canary)


def _said(environ: Mapping[str, str], names: tuple[str, ...]) -> str:
    said = (trimmed(environ.get(name, "")).casefold() for name in names)
    return next(filter(None, said), "")
