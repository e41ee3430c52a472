"""Names that a package offers and imports only when somebody uses them.

`dragoman --version` must not wait for databases, and `dragoman guard path` not for the SQL parser.
"""

from collections.abc import Callable, Mapping


def lazy(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """A `__getattr__` for a package: each name comes from the module that is its home."""

    def found(name: str) -> object:
        from importlib import import_module

        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return found
