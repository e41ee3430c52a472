"""The rows of an answer as a file: CSV or Parquet, written whole or not at all."""

import csv
import io
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dragoman.contracts.answer import Cell, CellType, Column
from dragoman.contracts.errors import OutputUnwritable, TargetReserved
from dragoman.contracts.turn_result import ResultRows
from dragoman.engine.files import write_whole
from dragoman.engine.reserved_files import ReservedFiles

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_DIGITS: Final = 38
_LONG: Final = 2**63


class ExportFormat(StrEnum):
    CSV = "csv"
    PARQUET = "parquet"


def refuse_reserved(path: Path, *, folder: Path, home: Path) -> None:
    """The files of the workspace itself are not replaced by an answer. Raises `TargetReserved`."""
    try:
        owner = ReservedFiles(folder, home).owner(path.resolve())
    except (OSError, RuntimeError, ValueError) as error:
        raise _unwritable(path, error) from error
    if owner:
        raise TargetReserved(
            f"{path} belongs to {owner}: no answer is written there",
            hint="name another file, in a folder of its own",
            path=str(path),
        )


def export_rows(rows: ResultRows, path: Path, form: ExportFormat, *, folder: Path, home: Path) -> None:
    """Write rows to a file that the operator names. Raises `TargetReserved` and `OutputUnwritable`."""
    refuse_reserved(path, folder=folder, home=home)
    try:
        write_whole(path, exported(rows, form))
    except (OSError, RuntimeError, ValueError) as error:
        raise _unwritable(path, error) from error


def exported(rows: ResultRows, form: ExportFormat) -> bytes:
    """The bytes of such a file."""
    match form:
        case ExportFormat.CSV:
            return csv_text(rows).encode()
        case ExportFormat.PARQUET:
            return _parquet(rows)


def csv_text(rows: ResultRows) -> str:
    """The rows under the real names of their columns, with all digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.name for column in rows.columns])
    writer.writerows(rows.rows)
    return out.getvalue()


def _unwritable(path: Path, error: Exception) -> OutputUnwritable:
    told = getattr(error, "strerror", None) or str(error)
    return OutputUnwritable(
        f"{str(path)[:200]} cannot be written: {told}",
        hint="name a file that can be written",
        path=str(path)[:200],
    )


def _parquet(rows: ResultRows) -> bytes:
    # Imported for this alone: it costs more than the rest of a start.
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays = [_array(column, [row[place] for row in rows.rows]) for place, column in enumerate(rows.columns)]
    fields = [pa.field(column.name, array.type) for column, array in zip(rows.columns, arrays, strict=True)]
    out = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, schema=pa.schema(fields)), out)
    return out.getvalue()


def _array(column: Column, cells: Sequence[Cell]) -> "pa.Array":
    """A column in the narrowest type that holds every cell exactly; text where there is none."""
    import pyarrow as pa

    kinds: dict[CellType, Callable[[Sequence[Cell]], pa.Array | None]] = {
        CellType.TEXT: lambda cells: None,
        CellType.INTEGER: _integers,
        CellType.DECIMAL: _decimals,
        CellType.DATE: _dates,
    }
    typed = kinds[column.type](cells)
    return (
        pa.array([None if cell is None else str(cell) for cell in cells], pa.string())
        if typed is None
        else typed
    )


def _integers(cells: Sequence[Cell]) -> "pa.Array | None":
    import pyarrow as pa

    try:
        numbers = [None if cell is None else int(cell) for cell in cells]
    except ValueError:
        return None
    fits = all(number is None or -_LONG <= number < _LONG for number in numbers)
    return pa.array(numbers, pa.int64()) if fits else None


def _decimals(cells: Sequence[Cell]) -> "pa.Array | None":
    import pyarrow as pa

    try:
        numbers = [None if cell is None else Decimal(str(cell)) for cell in cells]
    except InvalidOperation:
        return None
    known = [number for number in numbers if number is not None]
    if not all(number.is_finite() for number in known):
        return None
    scale = max((max(0, -_exponent(number)) for number in known), default=0)
    whole = max((max(1, number.adjusted() + 1) for number in known), default=1)
    if whole + scale > _MOST_DIGITS:
        return None
    return pa.array(numbers, pa.decimal128(whole + scale, scale))


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _dates(cells: Sequence[Cell]) -> "pa.Array | None":
    import datetime as dt

    import pyarrow as pa

    def read(make: Callable[[str], Any]) -> list[Any] | None:
        try:
            return [None if cell is None else make(str(cell)) for cell in cells]
        except ValueError:
            return None

    days = read(dt.date.fromisoformat)
    if days is not None:
        return pa.array(days, pa.date32())
    moments = read(dt.datetime.fromisoformat)
    if moments is None or any(moment is not None and moment.tzinfo is not None for moment in moments):
        return None
    return pa.array(moments, pa.timestamp("us"))
