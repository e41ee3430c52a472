"""SQLite as a family."""

from pathlib import Path

from dragoman.contracts.access import Reader
from dragoman.contracts.connection import ResolvedConnection, Transport
from dragoman.contracts.family import Family
from dragoman.contracts.schema import Dialect, Shape
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.databases.families.verbs import verbs_beside

_HEAD = b"SQLite format 3\0"


def _target(connection: ResolvedConnection) -> SqliteTarget:
    return SqliteTarget(connection.path or Path())


def _shape(reader: Reader) -> Shape:
    from dragoman.databases.families.sqlite.shape import sqlite_shape

    return sqlite_shape(reader)


FAMILY = Family(
    name="sqlite",
    dialect=Dialect.SQLITE,
    transport=Transport.FILE,
    schemes=("sqlite", "sqlite3"),
    endings=(".sqlite", ".sqlite3", ".db", ".db3", ".s3db", ".sl3"),
    shares_endings=True,
    companions=("-wal", "-shm", "-journal"),
    recognizes=lambda path, head: head == _HEAD,
    # Every file is opened for reading only, said or not.
    ignored=("mode=ro",),
    target=_target,
    shape=_shape,
    # SQLite looks into its file only when it must.
    alive="SELECT count(*) FROM sqlite_master",
    components=(
        ("sqlite.extractor", "dragoman.engine.components.sqlite:EXTRACTOR"),
        ("sqlite.writer", "dragoman.engine.components.sqlite:WRITER"),
    ),
    signatures=verbs_beside(__package__),
    query_extractor="dragoman.engine.components.sqlite:VERBS_EXTRACTOR",
    table_writer="sqlite.writer",
)
