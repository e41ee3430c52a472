"""Values out of the text that PostgreSQL writes them in."""

import decimal
import re
from collections.abc import Callable

from dragoman.contracts.query import Value
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.access.native_types import value_type
from dragoman.databases.access.values import DECODERS
from dragoman.databases.families.postgres.arrays import array_to_json

_MONEY = re.compile(r"(-?)\D?([\d,]+(?:\.\d+)?)")

Decode = Callable[[str], Value]


def decoder(native: str) -> Decode:
    """How the cells of a type are read."""
    if native.endswith("[]"):
        inner = value_type(Dialect.POSTGRES, native[:-2])
        return lambda text: array_to_json(text, inner)
    if native == "money":
        return _money
    match held := value_type(Dialect.POSTGRES, native):
        case ValueType.BOOLEAN:
            return lambda text: text == "t"
        case ValueType.BYTES:
            return _bytes
        case _:
            return DECODERS[held]


def read_cell(cell: object, decode: Decode) -> Value:
    """A cell as the driver gave it: text, nothing, or bytes that are not text."""
    if isinstance(cell, str):
        return decode(cell)
    return cell if isinstance(cell, bytes) else None


def _bytes(text: str) -> Value:
    return bytes.fromhex(text[2:]) if text.startswith("\\x") else text


def _money(text: str) -> Value:
    """An amount as it is written under lc_monetary = C."""
    found = _MONEY.fullmatch(text)
    return decimal.Decimal(found[1] + found[2].replace(",", "")) if found else text
