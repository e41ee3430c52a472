"""What is said to the process that runs SQL, and what it says: frames, each with its length before it."""

import struct
from typing import BinaryIO

import msgspec

from dragoman.contracts.errors import InternalSignal

_LENGTH = struct.Struct(">I")
LARGEST = 1 << 30


class InputTable(msgspec.Struct, frozen=True):
    """A table that will be filled. `also` is a second name for it, or nothing."""

    name: str
    also: str
    columns: list[tuple[str, str]]


class Work(msgspec.Struct, frozen=True, tag=True):
    """What is to be done. With a `database` it is that file that is read; otherwise the tables are filled."""

    folder: str
    memory_bytes: int
    threads: int
    seconds: float
    sql: str
    tables: list[InputTable] = []
    database: str = ""
    describe: bool = False


class Rows(msgspec.Struct, frozen=True, tag=True):
    """A batch of Arrow; without bytes, the end of a table."""

    batch: bytes


class Described(msgspec.Struct, frozen=True, tag=True):
    columns: list[tuple[str, str]]


class Select(msgspec.Struct, frozen=True, tag=True):
    """Go on, with this expression for each column."""

    expressions: list[str]


class Ended(msgspec.Struct, frozen=True, tag=True):
    pass


class Failed(msgspec.Struct, frozen=True, tag=True):
    message: str
    memory: bool = False
    busy: bool = False


Message = Work | Rows | Described | Select | Ended | Failed
_DECODER = msgspec.msgpack.Decoder(Message)


class Silence(InternalSignal):
    """The other side is gone."""

    def __init__(self) -> None:
        super().__init__("the other side is gone")


def say(stream: BinaryIO, message: Message) -> None:
    data = msgspec.msgpack.encode(message)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def hear(stream: BinaryIO) -> Message:
    """Raises Silence."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise Silence
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length) if length <= LARGEST else b""
    if len(data) < length or length > LARGEST:
        raise Silence
    try:
        message: Message = _DECODER.decode(data)
    except msgspec.MsgspecError as error:
        raise Silence from error
    return message
