"""What a native type holds, by its name in its dialect."""

import re
from functools import cache
from importlib.resources import files

import yaml

from dragoman.contracts.schema import Dialect, ValueType

_LENGTH = re.compile(r"\([^()]*\)|\(.*\Z", re.DOTALL)

_AFFINITIES: tuple[tuple[str, ValueType], ...] = (
    ("INT", ValueType.INTEGER),
    ("CHAR", ValueType.TEXT),
    ("CLOB", ValueType.TEXT),
    ("TEXT", ValueType.TEXT),
    ("BLOB", ValueType.BYTES),
    ("REAL", ValueType.FLOAT),
    ("FLOA", ValueType.FLOAT),
    ("DOUB", ValueType.FLOAT),
)
"""How SQLite reads a type it does not know: by what its name contains, the first that fits."""


def value_type(dialect: Dialect, native: str) -> ValueType:
    """What a column of this type holds; OTHER where the name says nothing. An array is told as JSON."""
    name = " ".join(native.lower().split())
    whole = _names(dialect).get(name)
    if whole is not None:
        return whole
    if name.endswith("]") and not dialect.is_untyped:
        return ValueType.JSON
    plain = " ".join(_LENGTH.sub(" ", name).replace(" unsigned", "").split()).strip('"')
    found = _names(dialect).get(plain)
    if found is not None:
        return found
    if dialect.is_untyped:
        return _by_affinity(plain.upper())
    return ValueType.OTHER


@cache
def _names(dialect: Dialect) -> dict[str, ValueType]:
    text = files(__package__).joinpath("native_types.yaml").read_text("utf-8")
    table = yaml.load(text, Loader=yaml.CSafeLoader)
    return {name: ValueType(held) for held, names in table[dialect.value].items() for name in names}


def _by_affinity(name: str) -> ValueType:
    return next((held for part, held in _AFFINITIES if part in name), ValueType.OTHER)
