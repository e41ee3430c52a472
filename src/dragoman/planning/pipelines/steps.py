"""The steps of a pipeline: readers of tables, writers of files and tables, as programs write them."""

import re
from collections.abc import Iterable
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.components import component_signatures
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.program import Argument, Boolean, Statement, Text
from dragoman.contracts.record import Record
from dragoman.contracts.schema import TableInfo
from dragoman.databases.families.registry import family
from dragoman.planning.pipelines.order import Options
from dragoman.planning.pipelines.pipeline import FILE_WRITER, Symbols, needing, texts
from dragoman.planning.pipelines.table_names import Place

DEFAULT_FORMAT: Final = "csv"
ENDINGS: Final = {
    "csv": "csv",
    "tsv": "csv",
    "parquet": "parquet",
    "pq": "parquet",
    "jsonl": "jsonl",
    "json": "jsonl",
    "ndjson": "jsonl",
}
"""What the ending of a file says of its format."""
_PACKED: Final = {"gz": "gzip", "zst": "zstd"}
_ENDING_OF: Final = {"gzip": ".gz", "zstd": ".zst"}
UPSERT: Final = "upsert"


class Target(Record, frozen=True):
    """Where the rows go: into tables of a connection, or into files."""

    options: Options
    spec: ConnectionSpec | None = None
    several: bool = False
    """There are several tables: each file has the name of its own."""
    folder: str = ""
    """The folder of the files, where none is named."""


def format_of(options: Options) -> str:
    """The format that is said, or that the path says."""
    if options.format:
        return options.format
    parts = options.path.lower().split(".")
    ends = [part for part in parts[1:] if part not in _PACKED]
    return ENDINGS.get(ends[-1], "") if ends else ""


def extractor_of(spec: ConnectionSpec) -> str:
    """The component that reads whole tables of a connection; empty where its family has none."""
    kind = family(spec.family) if spec.family is not None else None
    for verb, _ in kind.components if kind is not None else ():
        signature = component_signatures().get(verb)
        if signature is not None and signature.argument("table") is not None and verb.endswith(".extractor"):
            return verb
    return ""


def table_reader(place: Place, catalog: Catalog, symbols: Symbols, columns: Iterable[str] = ()) -> Statement:
    """The step that reads a whole table."""
    table, chosen = place.table, tuple(columns)
    verb = extractor_of(place.spec)
    symbol = symbols.fresh(f"extract-{plain(table.name)}")
    connection = Argument("connection", Text(connection_name(place.spec, catalog)))
    listed = (Argument("columns", texts(chosen)),) if chosen else ()
    if verb:
        return Statement(verb, (connection, Argument("table", Text(_qualified(table))), *listed), symbol)
    # What reads no tables by name, such as a folder of files, is read by the verb of the table.
    tables = catalog.tables_of(place.spec)
    names = tables.graph.by_name if tables is not None else {}
    name = next((said for said, each in names.items() if each.info == table), table.name)
    return Statement(f"{name}.list", (connection, *listed), symbol)


def plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "table"


def _qualified(table: TableInfo) -> str:
    return f"{table.schema}.{table.name}" if table.schema else table.name


def connection_name(spec: ConnectionSpec, catalog: Catalog) -> str:
    """How programs name a connection: by the shortest name that is its own."""
    return f"@{catalog.databases.told_apart(spec)}"


def writer_for(
    reader: Statement, name: str, keys: tuple[str, ...], target: Target, catalog: Catalog, symbols: Symbols
) -> Statement:
    """The step that writes what a reader gives. `name` is what the table is called, `keys` its key."""
    if target.spec is None:
        return _file_writer(reader, name, target, symbols)
    options, spec = target.options, target.spec
    verb = family(spec.family).table_writer if spec.family is not None else ""
    table = options.table if options.table and not target.several else name
    arguments = [
        needing(reader.binds),
        Argument("connection", Text(connection_name(spec, catalog))),
        Argument("table", Text(table)),
        *mode_arguments(options.mode, keys),
    ]
    return Statement(verb, tuple(arguments), symbols.fresh(f"write-{plain(table)}"))


def mode_arguments(mode: str, keys: tuple[str, ...]) -> tuple[Argument, ...]:
    """How a table is written. An upsert goes by the key of the table; without one, rows can only be
    replaced."""
    said = mode or "append"
    if said == UPSERT and not keys:
        said = "replace"
    found = Argument("write_mode", Text(said))
    return (found, Argument("primary_key", texts(keys))) if said == UPSERT else (found,)


def _file_writer(reader: Statement, name: str, target: Target, symbols: Symbols) -> Statement:
    options = target.options
    form = format_of(options) or DEFAULT_FORMAT
    arguments = [
        needing(reader.binds),
        Argument("format", Text(form)),
        Argument("path", Text(path_of(name, form, target))),
    ]
    if form == "csv" and options.delimiter:
        arguments.append(Argument("delimiter", Text(options.delimiter)))
    if form == "csv" and options.header is not None:
        arguments.append(Argument("header", Boolean(options.header)))
    if options.compression:
        arguments.append(Argument("compression", Text(options.compression)))
    return Statement(FILE_WRITER, tuple(arguments), symbols.fresh(f"write-{plain(name)}-{form}"))


def path_of(name: str, form: str, target: Target) -> str:
    """Where a file goes: as it is said, or under the name of its table."""
    options = target.options
    if options.path and not target.several:
        return options.path
    folder = options.folder.rstrip("/") or (target.folder if target.several else "")
    file = f"{_file_name(name)}.{ending_of(form, options)}"
    return f"{folder}/{file}" if folder and folder != "." else file


def _file_name(table: str) -> str:
    """The name of a table as that of a file: its letters, in whichever script they are, and its digits."""
    return re.sub(r"[\W_]+", "_", table.lower()).strip("_") or "table"


def ending_of(form: str, options: Options) -> str:
    ending = "tsv" if form == "csv" and options.delimiter == "\t" else form
    packs = form != "parquet"
    return ending + (_ENDING_OF.get(options.compression, "") if packs else "")
