"""The rows of a CSV as RFC 4180 has them, looked at once as bytes: what is broken is found, with its line.

The fields in quotes are masked: each becomes a single quote character. What is left has no delimiter and no
line end inside a field, and still tells which fields were quoted.
"""

import re
from collections.abc import Iterator

from dragoman.contracts.errors import FileUnreadable
from dragoman.databases.families.files.csv_text import CsvFile, CsvShape, unreadable, utf8_chunks

LONGEST_ROW = 16 << 20

_QUOTED = re.compile(rb'"[^"]*(?:""[^"]*)*"')
_TOKEN = re.compile(rb'"[^"]*(?:""[^"]*)*"|\n')
MASK = b'"'
_ENCODED = "say which encoding it has: encoding: latin-1, cp1252 or another"


def masked_rows(file: CsvFile, shape: CsvShape, *, header: bool) -> Iterator[bytes]:
    """The rows, masked, without the header. Raises FileUnreadable where a row is broken."""
    check = _Check(file, shape.delimiter.encode(), len(shape.names))
    for chunk in _whole_rows(file, shape):
        rows = check.masked(chunk)
        if header:
            _, _, rows = rows.partition(b"\n")
            header = False
        if rows:
            yield rows if rows.endswith(b"\n") else rows + b"\n"


class _Check:
    """One look at a file from its beginning to its end, chunk by chunk, each of whole rows."""

    def __init__(self, file: CsvFile, cut: bytes, width: int) -> None:
        self._file, self._cut, self._width = file, cut, width
        self._line = 1
        self._ends = b""
        self._blank: int | None = None
        """The line of an empty row. Only at the end of the file may there be one."""

    def masked(self, chunk: bytes) -> bytes:
        _text(chunk, self._file, self._line)
        rows = _QUOTED.sub(MASK, chunk) if MASK in chunk else chunk
        self._ends = self._ends or _line_end(rows)
        self._check_quotes(rows, chunk)
        self._check_ends(rows, chunk)
        self._check_width(rows, chunk)
        self._line += chunk.count(b"\n")
        return rows

    def _broken(self, chunk: bytes, row: int, reason: str) -> FileUnreadable:
        return unreadable(self._file, self._line + _lines_before(chunk, row), reason)

    def _check_quotes(self, rows: bytes, chunk: bytes) -> None:
        count, cut = rows.count(MASK), self._cut
        before = rows.count(cut + MASK) + rows.count(b"\n" + MASK) + rows.startswith(MASK)
        ends = (cut, b"\n", b"\r\n")
        after = sum(rows.count(MASK + end) for end in ends) + rows.endswith(MASK)
        if count == before == after:
            return
        sides = re.escape(cut)
        amiss = re.search(rb"[^\n" + sides + rb']"|"[^\r\n' + sides + rb"]", rows)
        row = rows.count(b"\n", 0, amiss.start() + 1) if amiss else 0
        raise self._broken(chunk, row, "a quote stands inside a field that is not in quotes")

    def _check_ends(self, rows: bytes, chunk: bytes) -> None:
        returns, lines = rows.count(b"\r"), rows.count(b"\n")
        both = rows.count(b"\r\n")
        if (returns, both) == ((lines, lines) if self._ends == b"\r\n" else (0, 0)):
            return
        amiss = re.search(rb"(?<!\r)\n|\r(?!\n)" if self._ends == b"\r\n" else rb"\r", rows)
        row = rows.count(b"\n", 0, amiss.start()) if amiss else 0
        raise self._broken(chunk, row, "the line ends otherwise than the first one")

    def _check_width(self, rows: bytes, chunk: bytes) -> None:
        cuts, cut = self._width - 1, self._cut
        lines = rows.split(b"\n")
        if not lines[-1]:
            lines.pop()
        for number, row in enumerate(lines):
            if cuts and row in (b"", b"\r"):
                self._blank = self._blank or self._line + _lines_before(chunk, number)
            elif row.count(cut) != cuts:
                reason = f"there are {row.count(cut) + 1} fields, not {cuts + 1}"
                raise self._broken(chunk, number, reason)
            elif self._blank is not None:
                raise unreadable(self._file, self._blank, "the line is empty")


def _line_end(rows: bytes) -> bytes:
    first = rows.find(b"\n")
    return b"" if first < 0 else b"\r\n" if rows[:first].endswith(b"\r") else b"\n"


def _whole_rows(file: CsvFile, shape: CsvShape) -> Iterator[bytes]:
    """The text of the file, cut where a row ends. Raises FileUnreadable."""
    carried, line = b"", 1
    for data in utf8_chunks(file, shape):
        chunk = carried + data
        end = _last_row_end(chunk)
        if end == 0 and len(chunk) > LONGEST_ROW:
            raise unreadable(file, line, "the row is longer than 16 MB, or a quote is not closed")
        if end:
            yield chunk[:end]
            line += chunk.count(b"\n", 0, end)
        carried = chunk[end:]
    if carried.count(b'"') % 2:
        raise unreadable(file, line + _open_quote_line(carried), "a quote is opened and never closed")
    if carried:
        yield carried


def _last_row_end(chunk: bytes) -> int:
    """The place behind the last line end that is not inside quotes: backwards, from quote to quote."""
    end, outside = len(chunk), chunk.count(MASK) % 2 == 0
    while True:
        quote = chunk.rfind(MASK, 0, end)
        if outside and (line_end := chunk.rfind(b"\n", quote + 1, end)) >= 0:
            return line_end + 1
        if quote < 0:
            return 0
        end, outside = quote, not outside


def _open_quote_line(rest: bytes) -> int:
    """Where the last quote stands that opens: what comes before it is whole."""
    outside = _QUOTED.sub(lambda whole: b"\n" * whole[0].count(b"\n"), rest)
    return outside.count(b"\n", 0, max(0, outside.find(b'"')))


def _lines_before(chunk: bytes, row: int) -> int:
    """How many lines of the file stand before a row: a quoted field may have several."""
    position = 0
    for token in _TOKEN.finditer(chunk):
        if row == 0:
            break
        if token[0] == b"\n":
            row -= 1
            position = token.end()
    return chunk.count(b"\n", 0, position)


def _text(data: bytes, file: CsvFile, line: int) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        at = line + data.count(b"\n", 0, error.start)
        raise unreadable(file, at, "this is not UTF-8", _ENCODED) from error
