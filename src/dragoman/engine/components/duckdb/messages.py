"""What is said to the process that runs SQL on DuckDB, and what it says beside its rows."""

import msgspec

from dragoman.contracts.decoding import learned
from dragoman.engine.components.worker_frames import Ended, Failed, Rows


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


class Described(msgspec.Struct, frozen=True, tag=True):
    columns: list[tuple[str, str]]


class Select(msgspec.Struct, frozen=True, tag=True):
    """Go on, with this expression for each column."""

    expressions: list[str]


Request = Work | Rows | Select
Reply = Described | Rows | Ended | Failed
REQUESTS: "msgspec.msgpack.Decoder[Request]" = msgspec.msgpack.Decoder(learned(Request))
REPLIES: "msgspec.msgpack.Decoder[Reply]" = msgspec.msgpack.Decoder(learned(Reply))
