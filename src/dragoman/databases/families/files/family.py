"""Files as a family: CSV, Parquet and JSON."""

from pathlib import Path

from dragoman.contracts.access import Reader
from dragoman.contracts.connection import ResolvedConnection, Transport
from dragoman.contracts.family import Family
from dragoman.contracts.schema import Dialect, Shape
from dragoman.databases.families.files.target import FilesTarget
from dragoman.databases.families.verbs import verbs_beside

_PARQUET = b"PAR1"


def _target(connection: ResolvedConnection) -> FilesTarget:
    return FilesTarget((connection.path or Path(),), connection.options)


def _fault_of(name: str, value: str) -> str:
    from dragoman.databases.families.files.csv_options import fault_of

    return fault_of(name, value)


def _shape(reader: Reader) -> Shape:
    # They are loaded into a DuckDB file, whose catalog says what is there.
    from dragoman.databases.families.duckdb.shape import duckdb_shape

    return duckdb_shape(reader)


FAMILY = Family(
    name="files",
    dialect=Dialect.DUCKDB,
    transport=Transport.FILE,
    endings=(".csv", ".tsv", ".parquet", ".json", ".jsonl", ".ndjson"),
    holds_folders=True,
    parameters=("delimiter", "encoding", "decimal", "dates", "bad_lines"),
    fault_of=_fault_of,
    recognizes=lambda path, head: path.is_dir() or head[:4] == _PARQUET,
    target=_target,
    shape=_shape,
    own_comments=True,
    components=(("filesystem.extractor", "dragoman.engine.components.files:EXTRACTOR"),),
    signatures=verbs_beside(__package__),
    query_extractor="dragoman.engine.components.files.queries:QUERIES",
)
