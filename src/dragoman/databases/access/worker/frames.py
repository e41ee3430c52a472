"""What a reader and its worker say to each other: frames of MessagePack, each with its length before it."""

import datetime as dt
import decimal
import struct
import uuid
from collections.abc import Sequence
from typing import Any, BinaryIO

import msgspec

from dragoman.contracts.decoding import learned
from dragoman.contracts.errors import InternalSignal
from dragoman.contracts.query import Value
from dragoman.contracts.schema import ValueType

LARGEST_FRAME = 512_000_000
"""More than any batch; a length beyond it is no frame of ours."""

_LENGTH = struct.Struct(">I")


class Message(msgspec.Struct, frozen=True, tag=True):
    pass


class OpenDatabase(Message, frozen=True):
    """Open a database for reading, then let go of everything else."""

    path: bytes
    memory_bytes: int
    threads: int
    idle_seconds: float


class LoadFiles(Message, frozen=True):
    """Make a new database out of files: each a name for its table, a path, the name that people know it by,
    and the function that reads it; none for a CSV, of which `options` say more. What was left out of them is
    written beside the database."""

    path: bytes
    memory_bytes: int
    threads: int
    files: list[tuple[str, str, str, str]]
    options: dict[str, str] = {}


class Ask(Message, frozen=True):
    sql: str
    parameters: list[Any]
    rows: int
    seconds: float
    cell_bytes: int


class Ready(Message, frozen=True):
    """Done with opening or loading."""


class Columns(Message, frozen=True):
    """Of each column its name, what it holds, and its native type."""

    columns: list[tuple[str, ValueType, str]]


class Rows(Message, frozen=True):
    rows: list[list[Any]]


class Done(Message, frozen=True):
    truncated: bool


class Failed(Message, frozen=True):
    """A read that failed, as the class of error that stands for it."""

    error: str
    message: str
    hint: str = ""
    details: dict[str, Any] = {}


Request = OpenDatabase | LoadFiles | Ask
Reply = Ready | Columns | Rows | Done | Failed


class BrokenFrame(InternalSignal):
    """The other side is gone, or speaks of something else."""

    def __init__(self) -> None:
        super().__init__("the other side is gone, or speaks of something else")


_WORDS: dict[int, tuple[type, Any, Any]] = {
    1: (int, str, int),
    2: (decimal.Decimal, str, decimal.Decimal),
    3: (dt.datetime, dt.datetime.isoformat, dt.datetime.fromisoformat),
    4: (dt.date, dt.date.isoformat, dt.date.fromisoformat),
    5: (dt.time, dt.time.isoformat, dt.time.fromisoformat),
    6: (
        dt.timedelta,
        lambda span: f"{span.days} {span.seconds} {span.microseconds}",
        lambda text: dt.timedelta(*map(int, text.split())),
    ),
    7: (uuid.UUID, str, uuid.UUID),
}
"""Values that MessagePack has no form for, as a number and a word."""

_SMALLEST, _LARGEST = -(2**63), 2**64 - 1


def packed(value: Value) -> Any:
    match value:
        case None | bool() | float() | str() | bytes():
            return value
        case int() if _SMALLEST <= value <= _LARGEST:
            return value
        case _:
            for code, (kind, write, _) in _WORDS.items():
                if isinstance(value, kind):
                    return msgspec.msgpack.Ext(code, str(write(value)).encode())
    raise TypeError(f"{type(value).__name__} is no value of a database")


def packed_rows(rows: Sequence[Sequence[Value]]) -> list[list[Any]]:
    return [[packed(cell) for cell in row] for row in rows]


def _unpacked(code: int, data: memoryview) -> Any:
    return _WORDS[code][2](bytes(data).decode())


_REQUESTS = msgspec.msgpack.Decoder(learned(Request), ext_hook=_unpacked)
_REPLIES = msgspec.msgpack.Decoder(learned(Reply), ext_hook=_unpacked)


def send(stream: BinaryIO, message: Message) -> None:
    data = msgspec.msgpack.encode(message)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def receive_request(stream: BinaryIO) -> Request:
    request: Request = _decoded(stream, _REQUESTS)
    return request


def receive_reply(stream: BinaryIO) -> Reply:
    reply: Reply = _decoded(stream, _REPLIES)
    return reply


def _decoded(stream: BinaryIO, decoder: Any) -> Any:
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    if length > LARGEST_FRAME:
        raise BrokenFrame
    try:
        return decoder.decode(_exactly(stream, length))
    except (msgspec.MsgspecError, ValueError, KeyError, ArithmeticError) as error:
        raise BrokenFrame from error


def _exactly(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise BrokenFrame
    return data
