"""The literal values of one database, as the planner over it knows them.

Before the first answer so much is read as nobody minds waiting for. If there is more, a process of its own
reads it meanwhile and keeps it in the workspace, where the next question finds it.
"""

import os
import subprocess
import sys
from pathlib import Path

from dragoman.catalog.homes import Notice
from dragoman.contracts.connection import ConnectionSpec, ResolvedConnection
from dragoman.contracts.errors import AccessError
from dragoman.contracts.places import STATE_FOLDER
from dragoman.contracts.schema import DatabaseSchema
from dragoman.databases.connections import open_connection
from dragoman.databases.values import (
    AT_ONCE,
    IN_BACKGROUND,
    Freshness,
    KeptValues,
    Origin,
    Reading,
    ValueIndex,
    index_of,
    origin_of,
    read_columns,
)

_BUILDER = "dragoman.workspace.value_builder"


def kept_values(home: Path, schema: DatabaseSchema, origin: Origin) -> KeptValues:
    return KeptValues(home / STATE_FOLDER / "values", schema.fingerprint, origin.place)


class DatabaseValues:
    """With `file` the values are kept there. Without one, because they are not for everybody, what can be
    read at once is all."""

    def __init__(
        self,
        home: Path,
        spec: ConnectionSpec,
        schema: DatabaseSchema,
        connection: ResolvedConnection,
        notice: Notice,
        freshness: Freshness,
        *,
        file: KeptValues | None,
    ) -> None:
        self._home = home
        self._spec = spec
        self._schema = schema
        self._connection = connection
        self._notice = notice
        self.freshness = freshness
        self._file = file

    def index(self) -> ValueIndex:
        """What is known now. Raises an `AccessError` where nothing is, and the database is out of reach."""
        # Asked for before anything is read: what is written meanwhile must not count as seen.
        origin, file = origin_of(self._connection), self._file
        if file is None:
            return index_of(self._read_at_once().columns, self._schema)
        self.freshness.follow(self._connection, file)
        kept = file.load()
        due = kept is not None and file.is_due(kept, origin)
        if kept is None or (due and not kept.in_background):
            try:
                reading = self._read_at_once()
            except AccessError:
                if kept is None:
                    raise
                # What was known still reads the question. What looks it up says that the database is gone.
                self.freshness.saw(kept)
                return index_of(kept.reading.columns, self._schema)
            kept = file.store(origin, reading, in_background=False)
            self.freshness.wrote(kept)
            # What cannot be kept here, nobody else can keep here either.
            more = kept is not None and not reading.whole
        else:
            reading = kept.reading
            self.freshness.saw(kept)
            more = due or not reading.whole
        if more:
            self._send(file, origin, whole=reading.whole)
        return index_of(reading.columns, self._schema)

    def _read_at_once(self) -> Reading:
        with open_connection(self._connection) as reader:
            return read_columns(reader, self._schema, AT_ONCE)

    def _send(self, file: KeptValues, origin: Origin, *, whole: bool) -> None:
        """Have the values read in the background, unless somebody is about it."""
        if file.is_locked or not self.freshness.is_first_sent(origin.stamp):
            return
        if not whole:
            most = IN_BACKGROUND
            self._notice(
                f"@{self._spec.alias}: not all values could be read at once; the others are read in the "
                f"background (at most {most.seconds:.0f} s, {most.of_column:,} values of a column, "
                f"{most.of_all:,} and {most.bytes // 1_000_000} MB in all)"
            )
        try:
            file.trouble.touch(mode=0o600)
            with file.trouble.open("wb") as trouble:
                # It leaves at once and goes on alone: this waits for its start, not for what it reads.
                subprocess.run(  # noqa: S603 - our own module
                    [sys.executable, "-P", "-s", "-m", _BUILDER, str(self._home), self._spec.name],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=trouble,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                    check=False,
                )
        except OSError as error:
            self._notice(f"@{self._spec.alias}: nothing can be read in the background: {error.strerror}")
