"""Rows as lines of CSV, a batch at a time, by Arrow: it prints several times faster than DuckDB does.

Every column becomes texts, the texts are joined, and what comes of a batch is one piece of memory that is
written as it is. What a value looks like is decided here, and nowhere else.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from dragoman.contracts.flow import ColumnWarning, FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.components.files.file_values import is_quoted, named_once, refuse_value
from dragoman.engine.components.files.formulas import FormulaCells
from dragoman.engine.components.files.kinds import Compression, FileShape

_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896
"""The first day of the year 1 and the last of the year 9999, as days since 1970."""
_MICROSECONDS_OF_A_DAY = 86_400_000_000
_MOST_BYTES = 64 * 1024 * 1024


class Copied(NamedTuple):
    """What went into a file, and what there is to say of it."""

    rows: int
    warnings: tuple[ColumnWarning, ...] = ()


_PACKED = {Compression.GZIP: "gzip", Compression.ZSTD: "zstd"}


def write_csv(
    batches: Iterator[pa.RecordBatch],
    columns: tuple[FlowColumn, ...],
    shape: FileShape,
    path: Path,
) -> Copied:
    """Write all rows. Raises ColumnRefused, OSError, ArrowException."""
    rows, formulas = 0, FormulaCells(shape.formulas)
    with pa.OSFile(str(path), "wb") as file, _packed(file, shape.compression) as out:
        if shape.header:
            out.write(_header(columns, shape.delimiter, formulas).encode())
        for batch in batches:
            rows += batch.num_rows
            for piece in _pieces(batch):
                if piece.num_rows:
                    out.write(_lines(piece, columns, shape.delimiter, formulas))
    return Copied(rows, formulas.warnings)


def _packed(file: Any, compression: Compression) -> Any:
    if compression in _PACKED:
        return pa.CompressedOutputStream(file, _PACKED[compression])
    return pa.BufferedOutputStream(file, 1 << 20)


def _header(columns: tuple[FlowColumn, ...], delimiter: str, formulas: FormulaCells) -> str:
    """The names, in quotes as their columns are; all of them where names differ by case alone."""
    alike = not named_once(columns)
    names = (_name(formulas.name(column.name), delimiter, alike or is_quoted(column)) for column in columns)
    return delimiter.join(names) + "\n"


def _name(name: str, delimiter: str, in_quotes: bool) -> str:
    marked = any(mark in name for mark in ('"', "\n", "\r", delimiter)) or name != name.strip()
    return '"' + name.replace('"', '""') + '"' if in_quotes or marked else name


def _pieces(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """A batch in parts of which each makes less text than Arrow can hold in one piece."""
    if batch.nbytes <= _MOST_BYTES or batch.num_rows <= 1:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _pieces(batch.slice(0, half))
    yield from _pieces(batch.slice(half))


def _lines(
    batch: pa.RecordBatch, columns: tuple[FlowColumn, ...], delimiter: str, formulas: FormulaCells
) -> pa.Buffer:
    """The lines of a batch, as one piece of memory."""
    items: list[Any] = []
    for at, column in enumerate(columns):
        values = batch.column(at)
        items += [delimiter] if at else []
        if not is_quoted(column):
            items.append(_spelled(values, column))
        elif values.null_count:
            # What is nothing has no quotes either.
            items.append(pc.binary_join_element_wise('"', _escaped(values, column, formulas), '"', ""))
        else:
            items += ['"', _escaped(values, column, formulas), '"']
    joined = pc.binary_join_element_wise(
        *_merged([*items, "\n"]), "", null_handling="replace", null_replacement=""
    )
    offsets, data = joined.buffers()[1], joined.buffers()[2]
    ends = pa.Array.from_buffers(pa.int32(), len(joined) + 1, [None, offsets])
    return data.slice(ends[0].as_py(), ends[-1].as_py() - ends[0].as_py())


def _merged(items: list[Any]) -> list[Any]:
    """The same, with texts that stand side by side made one."""
    merged: list[Any] = []
    for item in items:
        if isinstance(item, str) and merged and isinstance(merged[-1], str):
            merged[-1] += item
        else:
            merged.append(item)
    return merged


def _escaped(values: pa.Array, column: FlowColumn, formulas: FormulaCells) -> pa.Array:
    """What stands between the quotes."""
    if column.type is ValueType.BYTES:
        digits = [None if value is None else value.hex() for value in values.to_pylist()]
        return pa.array(digits, pa.string())
    texts = formulas.looked_at(values.cast(pa.string()), column)
    return pc.replace_substring(texts, '"', '""') if _hold(texts, b'"') else texts


def _hold(texts: pa.Array, mark: bytes) -> bool:
    """Whether a mark stands in any of the texts. They are searched as one piece of memory, which takes a
    tenth of the time of a search text by text. What lies where there is nothing may be found as well."""
    _, offsets, data = texts.buffers()
    if data is None:
        return False
    ends = pa.Array.from_buffers(pa.int32(), texts.offset + len(texts) + 1, [None, offsets])
    first, last = ends[texts.offset].as_py(), ends[-1].as_py()
    return mark in data.slice(first, last - first).to_pybytes()


def _spelled(values: pa.Array, column: FlowColumn) -> pa.Array:
    """The values of a column without quotes; nothing where there is nothing."""
    match column.type:
        case ValueType.FLOAT:
            return _float(values)
        case ValueType.DECIMAL if pa.types.is_decimal(values.type):
            return _decimal(values)
        case ValueType.DATE:
            _refuse_years(values.cast(pa.int32()), _FIRST_DAY, _LAST_DAY + 1, column)
            return values.cast(pa.string())
        case ValueType.DATETIME:
            return _moment(values, column)
        case ValueType.INSTANT:
            return pc.binary_join_element_wise(_moment(values.cast(pa.timestamp("us")), column), "+00:00", "")
        case ValueType.TIME:
            return _trimmed(values.cast(pa.string()))
        case _:
            return values.cast(pa.string())


def _float(values: pa.Array) -> pa.Array:
    """The shortest digits that are read as the same number; always with a point or an exponent."""
    texts = values.cast(pa.string())
    # Only a whole number can lack both, and numbers are compared faster than their texts.
    if pc.any(pc.equal(pc.floor(values), values)).as_py():
        bare = pc.match_substring_regex(texts, r"^-?\d+$")
        texts = pc.if_else(bare, pc.binary_join_element_wise(texts, ".0", ""), texts)
    return texts


def _decimal(values: pa.Array) -> pa.Array:
    """All digits, never an exponent, which Arrow takes for very small numbers."""
    texts = values.cast(pa.string())
    if _hold(texts, b"E"):
        texts = pa.array([None if v is None else f"{v:f}" for v in values.to_pylist()], pa.string())
    return texts


def _moment(values: pa.Array, column: FlowColumn) -> pa.Array:
    ticks = values.cast(pa.int64())
    first, last = _FIRST_DAY * _MICROSECONDS_OF_A_DAY, (_LAST_DAY + 1) * _MICROSECONDS_OF_A_DAY
    _refuse_years(ticks, first, last, column)
    return pc.binary_replace_slice(_trimmed(values.cast(pa.string())), 10, 11, "T")


def _trimmed(texts: pa.Array) -> pa.Array:
    """Times without the noughts at the end of their fraction."""
    return pc.ascii_rtrim(pc.ascii_rtrim(texts, "0"), ".")


def _refuse_years(ticks: pa.Array, first: int, beyond: int, column: FlowColumn) -> None:
    found = pc.min_max(ticks)
    least, most = found["min"].as_py(), found["max"].as_py()
    if least is not None and not (first <= least and most < beyond):
        raise refuse_value(column, "year")
