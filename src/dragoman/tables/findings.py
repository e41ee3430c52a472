"""What is wrong with a statement, gathered: a reader says it and goes on, so that all is said at once."""

from collections.abc import Iterable
from difflib import get_close_matches

from dragoman.contracts.program import Diagnostic
from dragoman.language.semantics import LONGEST

MOST = 100
_LISTED = 12


class Findings:
    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    def error(self, code: str, message: str, hint: str) -> None:
        # A statement with thousands of mistakes has one cause; nobody reads past the first hundred.
        if len(self._found) < MOST:
            self._found.append(Diagnostic(code, message, hint))

    @property
    def all(self) -> tuple[Diagnostic, ...]:
        return tuple(dict.fromkeys(self._found))


def nearest(name: str, known: Iterable[str]) -> str:
    """What may have been meant; otherwise what there is."""
    names = list(known)
    near = get_close_matches(name[:LONGEST], names, 3)
    return f"did you mean {' or '.join(near)}?" if near else f"there are: {listed(names)}"


def listed(names: Iterable[str]) -> str:
    found = list(names)
    more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    return ", ".join(found[:_LISTED]) + more if found else "none"


def quoted(text: str) -> str:
    """A piece of a program inside a message: short, on one line."""
    shown = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return '"' + "".join(each if each.isprintable() else "�" for each in shown) + '"'
