"""Kinds of files, how they are packed, and what a CSV may be cut by."""

from enum import StrEnum

from dragoman.contracts.errors import StepRefused
from dragoman.contracts.record import Record
from dragoman.engine.component import Config
from dragoman.engine.components.files.formulas import Formulas


class FileFormat(StrEnum):
    CSV = "csv"
    PARQUET = "parquet"
    JSONL = "jsonl"


class Compression(StrEnum):
    NONE = "none"
    GZIP = "gzip"
    ZSTD = "zstd"
    SNAPPY = "snappy"


class FileShape(Record, frozen=True):
    """How a file is to look."""

    format: FileFormat
    compression: Compression
    delimiter: str
    header: bool
    formulas: Formulas = Formulas.KEEP


_ENDINGS = {
    ".csv": FileFormat.CSV,
    ".tsv": FileFormat.CSV,
    ".parquet": FileFormat.PARQUET,
    ".pq": FileFormat.PARQUET,
    ".jsonl": FileFormat.JSONL,
    ".ndjson": FileFormat.JSONL,
}
_PACKED = {".gz": Compression.GZIP, ".zst": Compression.ZSTD}

_IN_VALUES = frozenset("+-.:")
"""What stands in numbers and moments, which are written without quotes."""


def format_of(name: str) -> FileFormat | None:
    """What a file is by the end of its name, the end that says how it is packed left aside."""
    plain = name.lower()
    for ending in _PACKED:
        plain = plain.removesuffix(ending)
    return next((kind for ending, kind in _ENDINGS.items() if plain.endswith(ending)), None)


def packing_of(name: str) -> Compression:
    return next((how for ending, how in _PACKED.items() if name.lower().endswith(ending)), Compression.NONE)


def delimiter_of(config: Config, name: str) -> str:
    """What stands between the fields. Raises StepRefused where it could not be told from what is in them."""
    given = config.get("delimiter")
    if given is None:
        return "\t" if ".tsv" in name.lower() else ","
    if not isinstance(given, str) or len(given) != 1:
        raise StepRefused("the delimiter is not one character", hint='write one, such as "," or ";"')
    if given in '"\r\n\0\\' or given.isalnum() or given in _IN_VALUES or not given.isascii():
        raise StepRefused(
            f"a CSV cannot be cut by {given!r}", hint='take ",", ";", "|" or a tab: what no number has in it'
        )
    return given


def header_of(config: Config) -> bool:
    given = config.get("header")
    return given if isinstance(given, bool) else True
