"""Esperanto, which the package does not have. Its own letters are also written with an x."""

from pathlib import Path
from typing import Final

from dragoman.locales import Language
from dragoman.locales.script import LATIN

ESPERANTO: Final = Language(
    code="eo",
    name="Esperanto",
    script=LATIN,
    folder=Path(__file__).parent / "eo",
    letters={"ĝ": "gx", "ĉ": "cx", "ŝ": "sx", "ŭ": "ux"},
    decimal=",",
    thousands="\N{NO-BREAK SPACE}",
)
