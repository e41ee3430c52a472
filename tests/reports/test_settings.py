"""The mode and the canary, from the environment."""

import msgspec
import pytest

from dragoman.contracts.report import ValidationMode
from dragoman.reports.settings import resolve_settings

MODE, CANARY = "DRAGOMAN_OUTPUT_VALIDATION_MODE", "DRAGOMAN_OUTPUT_VALIDATION_CANARY"
OLD_MODE, OLD_CANARY = "WVO_OUTPUT_VALIDATION_MODE", "WVO_OUTPUT_VALIDATION_CANARY"


@pytest.mark.parametrize(
    ("environ", "configured", "effective", "canary"),
    [
        ({}, "shadow", "shadow", False),
        ({MODE: "disabled"}, "disabled", "disabled", False),
        ({MODE: "shadow"}, "shadow", "shadow", False),
        ({MODE: "enforce"}, "enforce", "shadow", False),
        ({MODE: "enforce", CANARY: "1"}, "enforce", "enforce", True),
        ({MODE: " Enforce\n", CANARY: "\ufeffTRUE "}, "enforce", "enforce", True),
        ({MODE: "disabled", CANARY: "1"}, "disabled", "disabled", True),
        ({CANARY: "1"}, "shadow", "shadow", True),
        ({MODE: "off"}, "shadow", "shadow", False),
        ({MODE: "enforced", CANARY: "1"}, "shadow", "shadow", True),
        ({OLD_MODE: "enforce", OLD_CANARY: "true"}, "enforce", "enforce", True),
        ({MODE: "", OLD_MODE: "disabled"}, "disabled", "disabled", False),
        ({MODE: "  ", OLD_MODE: "disabled"}, "disabled", "disabled", False),
        ({MODE: "unknown", OLD_MODE: "disabled"}, "shadow", "shadow", False),
        ({MODE: "shadow", OLD_MODE: "disabled"}, "shadow", "shadow", False),
        ({MODE: "enforce", CANARY: "no", OLD_CANARY: "1"}, "enforce", "shadow", False),
        ({MODE: "enforce", CANARY: " ", OLD_CANARY: "1"}, "enforce", "enforce", True),
        ({MODE: "enforce", OLD_CANARY: "yes"}, "enforce", "enforce", True),
    ],
)
def test_settings(environ: dict[str, str], configured: str, effective: str, canary: bool) -> None:
    assert msgspec.to_builtins(resolve_settings(environ)) == {
        "configuredMode": configured,
        "effectiveMode": effective,
        "canaryAcknowledged": canary,
    }


@pytest.mark.parametrize("said", ["1", "true", "yes", "y", "on", "ON", " Yes "])
def test_ways_to_acknowledge(said: str) -> None:
    assert resolve_settings({MODE: "enforce", CANARY: said}).effective_mode is ValidationMode.ENFORCE


@pytest.mark.parametrize("said", ["0", "false", "no", "n", "off", "11", "truee", "t", "-"])
def test_anything_else_is_no(said: str) -> None:
    settings = resolve_settings({MODE: "enforce", CANARY: said})
    assert (settings.effective_mode, settings.canary_acknowledged) == (ValidationMode.SHADOW, False)
