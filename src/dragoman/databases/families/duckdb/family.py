"""DuckDB as a family."""

from pathlib import Path

from dragoman.contracts.access import Reader
from dragoman.contracts.connection import ResolvedConnection, Transport
from dragoman.contracts.family import Family
from dragoman.contracts.schema import Dialect, Shape
from dragoman.databases.families.duckdb.target import DuckdbTarget
from dragoman.databases.families.verbs import verbs_beside

_MARK = b"DUCK"
"""Behind the checksum that a file begins with."""


def _target(connection: ResolvedConnection) -> DuckdbTarget:
    return DuckdbTarget(connection.path or Path())


def _shape(reader: Reader) -> Shape:
    from dragoman.databases.families.duckdb.shape import duckdb_shape

    return duckdb_shape(reader)


FAMILY = Family(
    name="duckdb",
    dialect=Dialect.DUCKDB,
    transport=Transport.FILE,
    schemes=("duckdb",),
    endings=(".duckdb", ".ddb"),
    companions=(".wal", ".tmp"),
    recognizes=lambda path, head: head[8:12] == _MARK,
    target=_target,
    shape=_shape,
    components=(
        ("duckdb.extractor", "dragoman.engine.components.duckdb:EXTRACTOR"),
        ("duckdb.transform", "dragoman.engine.components.duckdb:TRANSFORM"),
        # It writes files, with DuckDB: no table of a DuckDB file is written by a pipeline.
        ("duckdb.writer", "dragoman.engine.components.files:WRITER"),
    ),
    signatures=verbs_beside(__package__),
    query_extractor="dragoman.engine.components.duckdb:EXTRACTOR",
)
