"""A CSV before its rows are read: how it is encoded, what its fields are cut by, what its columns are called.

What cannot be told with certainty is refused, with the option that says it.
"""

import codecs
import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import BinaryIO, Final, Protocol, cast

from dragoman.contracts.errors import FileUnreadable
from dragoman.contracts.record import Record

CHUNK_BYTES: Final = 2 << 20
DELIMITERS: Final = (",", ";", "\t", "|")
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LOOKED_AT: Final = 64 << 10
UNPACK_ERRORS: Final = (OSError, EOFError, ValueError, zlib.error)
_ROWS: Final = 50
_QUOTED: Final = re.compile(r'"[^"]*(?:""[^"]*)*"')


class CsvFile(Protocol):
    """A file, by its path and by the name that people know it by."""

    @property
    def path(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def packing(self) -> str:
        """`none`, `gzip` or `zstd`."""
        ...


class CsvOptions(Record, frozen=True):
    """What somebody says of a CSV; what is empty is found out."""

    delimiter: str = ""
    encoding: str = ""
    decimal: str = ""
    """`point` or `comma`."""
    dates: str = ""
    """`day-first` or `month-first`."""
    skips: bool = False
    """Whether lines that do not fit are left out, instead of refusing the file."""
    header: bool = True


class CsvShape(Record, frozen=True):
    encoding: str
    mark: int
    """How many bytes stand before the text."""
    delimiter: str
    names: tuple[str, ...]
    line_end: str = "\n"
    """What the first row ends with. A reader that guesses it can take a line end inside quotes for it."""

    @property
    def is_utf8(self) -> bool:
        return self.encoding == "utf-8"


def unreadable(file: CsvFile, line: int, reason: str, hint: str = "") -> FileUnreadable:
    said = hint or "mend the file, or leave such lines out: options: {bad_lines: skip} of the connection"
    return FileUnreadable(f"{file.name}, line {line}: {reason}", hint=said, file=file.name, line=line)


def shape_of(file: CsvFile, options: CsvOptions) -> CsvShape:
    """What a CSV is. Raises FileUnreadable."""
    start = _start(file)
    encoding, mark = _encoding(start, options)
    text = _decoded(start[mark:], encoding, file)
    if not text.strip("\r\n"):
        raise FileUnreadable(
            f"{file.name} is empty: it does not even name its columns",
            hint="put rows into it, or leave it out of the folder",
            file=file.name,
        )
    delimiter = options.delimiter or _delimiter(text, file)
    names = tuple(_names(text, delimiter, file, options))
    return CsvShape(encoding, mark, delimiter, names, _line_end(text))


def escaped(line_end: str) -> str:
    """A line end as DuckDB's `new_line` wants it written."""
    return line_end.replace("\r", "\\r").replace("\n", "\\n")


def utf8_chunks(file: CsvFile, shape: CsvShape) -> Iterator[bytes]:
    """The text of a file as UTF-8, in pieces, without the mark at its beginning. Raises FileUnreadable."""
    decoder = codecs.getincrementaldecoder(shape.encoding)()
    line, left = 1, shape.mark
    try:
        with opened(file) as stream:
            while data := stream.read(CHUNK_BYTES):
                data, left = data[left:], max(0, left - len(data))
                if shape.is_utf8:
                    # The rows are looked at as bytes, and say themselves where one is no text.
                    yield data
                    continue
                text = decoder.decode(data)
                line += text.count("\n")
                yield text.encode()
            decoder.decode(b"", final=not shape.is_utf8)
    except UnicodeDecodeError as error:
        raise unreadable(file, line, f"this is not {shape.encoding}", _ENCODINGS) from error
    except UNPACK_ERRORS as error:
        raise FileUnreadable(
            f"{file.name} cannot be read: {error}", hint="check the file", file=file.name
        ) from error


def opened(file: CsvFile) -> AbstractContextManager[BinaryIO]:
    """The bytes of a file, unpacked."""
    match str(file.packing):
        case "none":
            return open(file.path, "rb")
        case "gzip":
            return cast("AbstractContextManager[BinaryIO]", gzip.open(file.path, "rb"))
        case packing:
            # Imported for what nothing else unpacks: it costs more than the rest of a start.
            import pyarrow as pa

            return cast("AbstractContextManager[BinaryIO]", pa.input_stream(file.path, compression=packing))


_ENCODINGS: Final = "say which encoding it has: encoding: latin-1, cp1252, utf-16 or another"


def _start(file: CsvFile) -> bytes:
    try:
        with opened(file) as stream:
            found: bytes = stream.read(_LOOKED_AT)
            return found
    except UNPACK_ERRORS as error:
        raise FileUnreadable(
            f"{file.name} cannot be read: {error}", hint="check the file", file=file.name
        ) from error


def _encoding(start: bytes, options: CsvOptions) -> tuple[str, int]:
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return encoding, len(mark)
    if options.encoding:
        return codecs.lookup(options.encoding).name, 0
    # Half of the bytes of plain letters are nothing in UTF-16, and none are in UTF-8.
    even, odd = start[::2].count(0), start[1::2].count(0)
    if odd > len(start) // 4 and not even:
        return "utf-16-le", 0
    return ("utf-16-be", 0) if even > len(start) // 4 and not odd else ("utf-8", 0)


def _decoded(data: bytes, encoding: str, file: CsvFile) -> str:
    try:
        # It may end in the middle of a letter.
        return codecs.getincrementaldecoder(encoding)().decode(data)
    except UnicodeDecodeError as error:
        line = 1 + data.count(b"\n", 0, error.start)
        raise unreadable(file, line, f"this is not {encoding.upper()}", _ENCODINGS) from error


def _delimiter(text: str, file: CsvFile) -> str:
    """What cuts the first row, and the rows behind it as often. Raises FileUnreadable where two could."""
    if ".tsv" in file.name.lower():
        return "\t"
    cuts = {each: counts for each in DELIMITERS if (counts := _counts(text, each)) and counts[0]}
    if len(cuts) < 2:
        return next(iter(cuts), DELIMITERS[0])
    even = [each for each, counts in cuts.items() if set(counts) == {counts[0]}]
    if len(even) == 1:
        return even[0]
    said = " or ".join(repr(each) for each in even or cuts)
    raise FileUnreadable(
        f"{file.name}: its fields may be cut by {said}", hint="say which: delimiter: …", file=file.name
    )


def _counts(text: str, delimiter: str) -> list[int]:
    """How often the first rows are cut by a character; the last row may not be whole."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    found: list[int] = []
    try:
        for row in rows:
            if row:
                found.append(len(row) - 1)
            if len(found) > _ROWS:
                break
    except csv.Error:
        return found
    whole = len(text.encode()) < _LOOKED_AT // 2 or len(found) > _ROWS
    return found if whole else found[:-1] or found


def _line_end(text: str) -> str:
    outside = _QUOTED.sub("", text)
    first = outside.find("\n")
    return "\r\n" if first > 0 and outside[first - 1] == "\r" else "\n"


def _names(text: str, delimiter: str, file: CsvFile, options: CsvOptions) -> list[str]:
    try:
        first = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), [])
    except csv.Error as error:
        raise unreadable(file, 1, f"the names cannot be read: {error}", "mend the first line") from error
    if not options.header:
        return [f"column{number}" for number in range(1, len(first) + 1)]
    return [name or f"column{number}" for number, name in enumerate(first, 1)]
