"""Values as text that can be shown, and what their storage says of a column without a type."""

from collections.abc import Iterable

from dragoman.contracts.schema import ValueType

_STORAGE = {
    "integer": ValueType.INTEGER,
    "real": ValueType.FLOAT,
    "text": ValueType.TEXT,
    "blob": ValueType.BYTES,
}
_YES, _NO = frozenset({"1", "t", "true"}), frozenset({"0", "f", "false"})


def type_of_storage(kinds: Iterable[str | None]) -> ValueType:
    """What all values of a column in SQLite are; whole and broken numbers together are broken ones."""
    found = {_STORAGE[kind] for kind in kinds if kind in _STORAGE}
    if len(found) == 1:
        return found.pop()
    return ValueType.FLOAT if found == {ValueType.INTEGER, ValueType.FLOAT} else ValueType.OTHER


def sampled_text(value: str, kind: ValueType, longest: int) -> str:
    """A value as a person would write it, on one line and not too long."""
    if kind is ValueType.BOOLEAN and value.lower() in _YES | _NO:
        return "true" if value.lower() in _YES else "false"
    line = " ".join(value.replace("\0", " ").split())
    # Half of a character, which some files hold, cannot be written anywhere.
    line = line.encode("utf-8", "replace").decode("utf-8")
    return line if len(line) <= longest else line[: longest - 1] + "…"
