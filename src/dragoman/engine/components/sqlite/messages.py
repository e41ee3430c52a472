"""What is said to the process that reads a SQLite file for a step, and what it says beside its rows."""

import msgspec

from dragoman.contracts.decoding import learned
from dragoman.contracts.flow import CursorValue, FlowColumn
from dragoman.engine.component import Extraction
from dragoman.engine.components.sqlite.source_query import Asked
from dragoman.engine.components.worker_frames import Ended, Failed, Rows

Setting = str | int | float | bool | None | list[str]


class Plan(msgspec.Struct, frozen=True, tag=True):
    """Say what would be read."""

    path: bytes
    seconds: float
    config: dict[str, Setting]
    after: CursorValue | None = None
    bound: CursorValue | None = None


class Read(msgspec.Struct, frozen=True, tag=True):
    """Say the rows."""

    path: bytes
    seconds: float
    question: Asked
    columns: tuple[FlowColumn, ...]
    user_sql: bool


class Planned(msgspec.Struct, frozen=True, tag=True):
    extraction: Extraction


Request = Plan | Read
Reply = Planned | Rows | Ended | Failed
REQUESTS: "msgspec.msgpack.Decoder[Request]" = msgspec.msgpack.Decoder(learned(Request))
REPLIES: "msgspec.msgpack.Decoder[Reply]" = msgspec.msgpack.Decoder(learned(Reply))
