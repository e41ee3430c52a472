"""docs/reference/errors.md: every error with its code and exit code."""

import importlib
import pkgutil
import re

import dragoman
from dragoman.contracts import errors
from dragoman.contracts.errors import DragomanError, InternalSignal
from tools.reference_pages.markdown import fenced, own_words, page, table

_INTRODUCTION = """\
Every error a user can see is a class of its own with a stable `code`. It carries a message, a hint that says
what to do, and the relevant values (`details`). The command line prints code, message and hint, and exits
with the exit code; with `--json` it prints an object `error` with these four fields instead."""

_EXIT_CODES = """\
0 done, 1 refused, 2 wrong usage, 3 a conflict (try again), 4 the store, 5 damaged data, 70 a bug in Dragoman,
130 interrupted, 141 the reader of the output went away."""


def errors_page() -> str:
    found = error_classes()
    rows = [
        (
            f"`{kind.code}`",
            kind.__name__,
            str(kind.exit_code),
            own_words(kind) or _remarks().get(kind.__name__, ""),
        )
        for kind in found
    ]
    return page(
        "Errors",
        _INTRODUCTION,
        _EXIT_CODES,
        "## The tree",
        fenced("text", "\n".join(_tree(DragomanError))),
        "## The codes",
        table(("code", "class", "exit code", "meaning"), rows),
    )


def error_classes() -> list[type[DragomanError]]:
    """The class of every error in the package, a class before those derived from it."""
    for module in pkgutil.walk_packages(dragoman.__path__, "dragoman."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    return _derived(DragomanError)


def _derived(kind: type[DragomanError]) -> list[type[DragomanError]]:
    return [kind, *(found for child in _children(kind) for found in _derived(child))]


def _children(kind: type[DragomanError]) -> list[type[DragomanError]]:
    """The classes directly below: those of the contracts as they stand there, then others by name."""
    if kind is InternalSignal:
        # What rooms say to themselves is not for users.
        return []
    # Whoever runs this may have classes of their own below ours: those are not the package's.
    ours = [child for child in kind.__subclasses__() if child.__module__.startswith("dragoman.")]
    own = [child for child in ours if child.__module__ == errors.__name__]
    others = [child for child in ours if child not in own]
    return [*own, *sorted(others, key=lambda child: child.__name__)]


def _tree(kind: type[DragomanError]) -> list[str]:
    lines = [f"{kind.__name__}  {kind.code}"]
    children = _children(kind)
    for child in children:
        last = child is children[-1]
        first, *rest = _tree(child)
        lines.append(f"{'└── ' if last else '├── '}{first}")
        lines += [f"{'    ' if last else '│   '}{line}" for line in rest]
    return lines


def _remarks() -> dict[str, str]:
    """What the tree at the top of the module says of a class that has no words of its own."""
    found = re.findall(r"── (\w+) {2,}(\S.*)", errors.__doc__ or "")
    return dict(found)
