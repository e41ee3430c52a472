"""Stored data back into records, from any thread.

msgspec learns what a record is made of when it first decodes one, and two threads that learn the same record
at once can crash the process. So every kind is learned here, by one thread at a time.
"""

import threading
from typing import Any, TypeVar, overload

import msgspec

Kind = TypeVar("Kind")

_LEARNING = threading.Lock()
_DECODERS: dict[Any, msgspec.json.Decoder[Any]] = {}


@overload
def decoded(data: bytes | str, kind: type[Kind]) -> Kind: ...
@overload
def decoded(data: bytes | str, kind: Any) -> Any: ...
def decoded(data: bytes | str, kind: Any) -> Any:
    """JSON as a value of a kind: a record, or a union of them. Raises msgspec.DecodeError."""
    return _decoder(kind).decode(data)


def converted(value: object, kind: type[Kind], *, strict: bool = True, from_attributes: bool = False) -> Kind:
    """Plain values as a value of a kind. Raises msgspec.ValidationError."""
    return msgspec.convert(value, learned(kind), strict=strict, from_attributes=from_attributes)


def learned(kind: Kind) -> Kind:
    """The kind itself, which any thread may decode from now on."""
    _decoder(kind)
    return kind


def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    found = _DECODERS.get(kind)
    if found is None:
        with _LEARNING:
            found = _DECODERS.setdefault(kind, msgspec.json.Decoder(kind))
    return found
