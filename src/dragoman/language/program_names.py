"""Names: identifiers and verbs, and kebab-case, which both notations, files and URLs can have as a name."""

import re
from collections.abc import Iterable

MAX_CHARACTERS = 100

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
VERB = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\.[A-Za-z_][A-Za-z0-9_-]*\Z")
_KEBAB = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*\Z")
# What some systems open instead of a file of that name.
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(10)}
)

HINT = "write lower-case letters and digits with single dashes between, for example extract-users"


def is_kebab(name: str) -> bool:
    return len(name) <= MAX_CHARACTERS and _KEBAB.match(name) is not None and name not in _DEVICES


def kebab_of(text: str) -> str:
    """A name in kebab-case that is made of a text's letters and digits."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    name = "-".join(words)[: MAX_CHARACTERS - 10].rstrip("-")
    return name if is_kebab(name) else f"call-{name}".rstrip("-")


def kebab_names(texts: Iterable[str]) -> dict[str, str]:
    """Such a name for each of several texts."""
    return {text: kebab_of(text) for text in set(texts)}
