"""What any process that runs SQL for a step says and hears: frames, each with its length before it."""

import os
import select
import struct
import threading
from typing import BinaryIO, TypeVar

import msgspec

from dragoman.contracts.errors import EngineError, InternalSignal

LARGEST = 1 << 30
_LENGTH = struct.Struct(">I")
_T = TypeVar("_T")


class Rows(msgspec.Struct, frozen=True, tag=True):
    """A batch of Arrow; without bytes, the end of a table."""

    batch: bytes


class Ended(msgspec.Struct, frozen=True, tag=True):
    """All rows were said."""


class Failed(msgspec.Struct, frozen=True, tag=True):
    """Why it does not go on: in the words of the database, or as an `error` of ours by its class."""

    message: str
    memory: bool = False
    busy: bool = False
    error: str = ""
    hint: str = ""
    details: dict[str, str | int | float] = {}


class Silence(InternalSignal):
    """The other side is gone."""

    def __init__(self) -> None:
        super().__init__("the other side is gone")


def say(stream: BinaryIO, message: msgspec.Struct) -> None:
    data = msgspec.msgpack.encode(message)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def hear(stream: BinaryIO, decoder: "msgspec.msgpack.Decoder[_T]") -> _T:
    """Raises Silence."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise Silence
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length) if length <= LARGEST else b""
    if len(data) < length or length > LARGEST:
        raise Silence
    try:
        return decoder.decode(data)
    except msgspec.MsgspecError as error:
        raise Silence from error


def failed(error: EngineError) -> Failed:
    details = {name: value for name, value in error.details.items() if isinstance(value, str | int | float)}
    return Failed(error.message, error=type(error).__name__, hint=error.hint, details=details)


def end_with_the_run() -> None:
    """End this process when the one that started it is gone, in the middle of a query too. Only the end of
    the input is watched for: what is said on it is read by whoever waits for it."""
    threading.Thread(target=_wait_for_the_end, daemon=True).start()


def _wait_for_the_end() -> None:
    watched = select.poll()
    # No event is asked for: that the other end was closed is told in any case.
    watched.register(0, 0)
    watched.poll()
    os._exit(0)
