"""A copy of a CSV in the form that everything reads: UTF-8, and every row as wide as the first.

A file that is in this form already is read as it is. Lines that do not fit are left out only where somebody
said so, and counted.
"""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dragoman.contracts.record import Record
from dragoman.databases.families.files.csv_rows import masked_rows
from dragoman.databases.families.files.csv_text import CsvFile, CsvOptions, CsvShape, shape_of, utf8_chunks

MOST_LINES: Final = 20
"""So many line numbers are kept of those that were left out."""


class Plain(Record, frozen=True):
    """A CSV that can be read: its place, what it is, and the lines that were left out."""

    path: str
    name: str
    packing: str
    shape: CsvShape
    skipped: int = 0
    lines: tuple[int, ...] = ()


def plain_csv(file: CsvFile, options: CsvOptions, copy: Path) -> Plain:
    """The file itself, whose rows are still to be checked, or a copy of it. Raises FileUnreadable."""
    shape = shape_of(file, options)
    if not options.skips:
        if shape.is_utf8:
            return Plain(file.path, file.name, str(file.packing), shape)
        with copy.open("wb") as out:
            out.writelines(utf8_chunks(file, shape))
        return Plain(str(copy), file.name, "none", _in_utf8(shape, shape.line_end))
    skipped = _without_bad_lines(file, shape, copy)
    lines = tuple(skipped[:MOST_LINES])
    return Plain(str(copy), file.name, "none", _in_utf8(shape, "\n"), len(skipped), lines)


def checked(plain: Plain, *, header: bool) -> None:
    """Raises FileUnreadable where a row is broken."""
    for _ in masked_rows(plain, plain.shape, header=header):
        pass


def _in_utf8(shape: CsvShape, line_end: str) -> CsvShape:
    return CsvShape("utf-8", 0, shape.delimiter, shape.names, line_end)


def _without_bad_lines(file: CsvFile, shape: CsvShape, copy: Path) -> list[int]:
    """Write the rows that are as wide as the first; the numbers of the other lines."""
    bad: list[int] = []
    with copy.open("wb") as out:
        line = 1
        for row in _lines(file, shape):
            fields = _fields(row, shape.delimiter)
            if fields == len(shape.names):
                out.write(row.rstrip("\r\n").encode() + b"\n")
            else:
                bad.append(line)
            line += row.count("\n") or 1
    return bad


def _lines(file: CsvFile, shape: CsvShape) -> Iterator[str]:
    """Rows as they begin with a line: one whose quote is not closed on it is a row of that line alone, unless
    the lines behind it make it whole."""
    held: list[str] = []
    for line in _text_lines(file, shape):
        held.append(line)
        if sum(each.count('"') for each in held) % 2 == 0:
            yield "".join(held)
            held = []
        elif len(held) > _MOST_HELD:
            yield held[0]
            held = held[1:]
    yield from held


_MOST_HELD: Final = 1_000
"""Lines of one field."""


def _text_lines(file: CsvFile, shape: CsvShape) -> Iterator[str]:
    carried = b""
    for chunk in utf8_chunks(file, shape):
        *whole, carried = (carried + chunk).split(b"\n")
        yield from (line.decode("utf-8", "replace") + "\n" for line in whole)
    if carried:
        yield carried.decode("utf-8", "replace")


def _fields(row: str, delimiter: str) -> int:
    """How many fields a row has; none where it is no row."""
    if "\ufffd" in row:
        return 0
    try:
        return len(next(csv.reader(io.StringIO(row, newline=""), delimiter=delimiter, strict=True), []))
    except csv.Error:
        return 0
