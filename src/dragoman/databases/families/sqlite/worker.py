"""The worker that reads a SQLite database for others than ourselves."""

import os
from pathlib import Path

from dragoman.contracts.errors import QueryFailed
from dragoman.contracts.query import Query, ReadLimits
from dragoman.databases.access.worker.confinement import bound_cpu, bound_files, bound_memory
from dragoman.databases.access.worker.frames import (
    Ask,
    Columns,
    Done,
    LoadFiles,
    OpenDatabase,
    Ready,
    Request,
    Rows,
    packed_rows,
)
from dragoman.databases.access.worker.request_loop import Say, serve
from dragoman.databases.families.sqlite.address import SqliteAddress
from dragoman.databases.families.sqlite.local import LocalReader

_SORTING_BYTES = 1_000_000_000
"""SQLite sorts what is large in temporary files; they end here."""

_ROWS_OF_A_FRAME = 500


class SqliteAnswers:
    """The one database of this process."""

    def __init__(self) -> None:
        self._reader: LocalReader | None = None

    def handle(self, request: Request, say: Say) -> None:
        """Raises AccessError."""
        match request:
            case OpenDatabase():
                bound_memory(request.memory_bytes)
                bound_files(_SORTING_BYTES)
                self._reader = LocalReader(SqliteAddress(Path(os.fsdecode(request.path))), ReadLimits())
                say(Ready())
            case Ask() if self._reader is not None:
                bound_cpu(request.seconds, 1)
                _answer(self._reader, request, say)
            case Ask() | LoadFiles():
                raise QueryFailed("no database is open", hint="open one first")


def _answer(reader: LocalReader, request: Ask, say: Say) -> None:
    limits = ReadLimits(request.rows, request.seconds, request.cell_bytes)
    try:
        result = reader.read(Query(request.sql, tuple(request.parameters)), limits, user_sql=True)
    except MemoryError as error:
        raise QueryFailed(
            "the query needs more memory than it may have", hint="narrow the question"
        ) from error
    say(Columns([(column.name, column.type, column.native) for column in result.columns]))
    for start in range(0, len(result.rows), _ROWS_OF_A_FRAME):
        say(Rows(packed_rows(result.rows[start : start + _ROWS_OF_A_FRAME])))
    say(Done(result.truncated))


if __name__ == "__main__":
    serve(SqliteAnswers().handle)
