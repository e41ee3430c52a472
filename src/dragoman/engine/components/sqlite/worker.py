"""The process in which SQLite runs SQL that somebody else wrote.

SQLite looks at the clock between its steps, and one step can be long: a text of 15 MB searched for another
took half a minute longer than it was allowed to. Only a process can be stopped in the middle of one.
"""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NoReturn

from dragoman.contracts.errors import EngineError, SourceFailed
from dragoman.databases.access.worker.confinement import bound_cpu, bound_files, bound_memory
from dragoman.engine.components.sqlite.extraction import batches, planned
from dragoman.engine.components.sqlite.faults import said_by_sqlite
from dragoman.engine.components.sqlite.messages import REQUESTS, Plan, Planned, Read, Request
from dragoman.engine.components.sqlite.source_query import opened
from dragoman.engine.components.worker_frames import (
    Ended,
    Rows,
    Silence,
    end_with_the_run,
    failed,
    hear,
    say,
)

_MEMORY_BYTES = 1_000_000_000
_SORTING_BYTES = 4_000_000_000
"""SQLite sorts what is large in temporary files; they end here."""


def main() -> NoReturn:
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    end_with_the_run()
    try:
        _do(hear(sys.stdin.buffer, REQUESTS), replies)
    except (Silence, BrokenPipeError):
        pass
    except EngineError as error:
        say(replies, failed(error))
    except MemoryError:
        say(replies, failed(SourceFailed("the query needs more memory than it may have", hint="narrow it")))
    os._exit(0)


def _do(request: Request, replies: BinaryIO) -> None:
    bound_memory(_MEMORY_BYTES)
    bound_files(_SORTING_BYTES)
    if request.seconds:
        bound_cpu(request.seconds, 1)
    path = Path(os.fsdecode(request.path))
    match request:
        case Plan():
            say(replies, Planned(planned(path, request.config, request.after, request.bound, _translated)))
        case Read():
            connection = opened(path, user_sql=request.user_sql)
            for batch in batches(connection, request.question, request.columns, _translated):
                say(replies, Rows(batch.serialize().to_pybytes()))
            say(replies, Ended())


@contextmanager
def _translated(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise said_by_sqlite(error, SourceFailed) from error


if __name__ == "__main__":
    main()
