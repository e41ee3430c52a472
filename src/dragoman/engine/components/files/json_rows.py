"""The lines of a JSON-lines file, each value as the text it stands there with: no digit is touched."""

import io
import json
from collections.abc import Iterator
from typing import cast

import msgspec
import pyarrow as pa

from dragoman.contracts.errors import SourceFailed
from dragoman.databases.families.files.csv_text import UNPACK_ERRORS, opened
from dragoman.engine.components.files.file_faults import broken
from dragoman.engine.components.files.file_search import SourceFile

LONGEST_LINE = 64 << 20
_BATCH_ROWS = 16_384
_BATCH_BYTES = 8 << 20
_BOM = b"\xef\xbb\xbf"

Row = dict[str, bytes]
_DECODER = msgspec.json.Decoder(dict[str, msgspec.Raw])
_TEXT = msgspec.json.Decoder(str)
_NULL = b"null"


def row_batches(file: SourceFile) -> Iterator[list[tuple[int, Row]]]:
    """The rows with their lines, some at a time. Raises SourceFailed."""
    rows, heft = list[tuple[int, Row]](), 0
    for number, line in _lines(file):
        rows.append((number, _row(line, number, file)))
        heft += len(line)
        if len(rows) >= _BATCH_ROWS or heft >= _BATCH_BYTES:
            yield rows
            rows, heft = [], 0
    if rows:
        yield rows


def raw_column(rows: list[tuple[int, Row]], name: str) -> pa.Array:
    """The values of a column as JSON texts; NULL where there is none."""
    cells = [row.get(name, _NULL) for _, row in rows]
    return pa.array([None if cell == _NULL else cell for cell in cells], pa.string())


def text_column(rows: list[tuple[int, Row]], name: str, file: SourceFile) -> pa.Array:
    """The values of a column of texts, without quotes and escapes. Raises SourceFailed."""
    return pa.array([_text(row.get(name, _NULL), number, file) for number, row in rows], pa.string())


def _text(cell: bytes, number: int, file: SourceFile) -> str | bytes | None:
    if cell == _NULL:
        return None
    if not cell.startswith(b'"'):
        return cell
    if b"\\" not in cell:
        return cell[1:-1]
    try:
        return _TEXT.decode(cell)
    except msgspec.MsgspecError as error:
        raise broken(file, number, str(error)) from error


def _lines(file: SourceFile) -> Iterator[tuple[int, bytes]]:
    try:
        with opened(file) as packed:
            stream = io.BufferedReader(cast(io.RawIOBase, packed), 1 << 20)
            number = 0
            while line := stream.readline(LONGEST_LINE):
                number += 1
                if number == 1:
                    line = line.removeprefix(_BOM)
                if len(line) >= LONGEST_LINE:
                    raise broken(file, number, "the line is longer than 64 MB")
                if line := line.strip():
                    yield number, line
    except UNPACK_ERRORS as error:
        raise SourceFailed(
            f"{file.name} cannot be read: {error}", hint="check the file", file=file.name
        ) from error


def _row(line: bytes, number: int, file: SourceFile) -> Row:
    try:
        if not line.isascii():
            line.decode()
        raw = _DECODER.decode(line)
    except RecursionError as error:
        raise broken(file, number, "values are nested too deeply") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise broken(file, number, f"this is not an object of JSON: {error}") from error
    if "" in raw:
        raise broken(file, number, "a value has the empty name")
    row = dict(zip(raw, map(bytes, raw.values()), strict=True))
    if not _is_plain(line, row):
        _refuse_twice(line, number, file)
    return row


def _is_plain(line: bytes, row: Row) -> bool:
    """Whether the length of the line is just that of its members: then no name can be there twice."""
    members = sum(map(len, row)) + sum(map(len, row.values()))
    compact = members + 4 * len(row) + 1
    return len(line) in (compact, compact + 2 * len(row) - 1)


def _refuse_twice(line: bytes, number: int, file: SourceFile) -> None:
    def pairs(members: list[tuple[str, object]]) -> list[str]:
        return [name for name, _ in members]

    try:
        names = json.loads(line, object_pairs_hook=pairs)
    except (ValueError, RecursionError) as error:
        raise broken(file, number, f"this is not an object of JSON: {error}") from error
    for name in names:
        if names.count(name) > 1:
            raise broken(file, number, f"the name {name} is there twice")
