"""Rows on a screen: a table, a table folded to the width of the terminal, or records of a column per line."""

from collections.abc import Sequence

from dragoman.cli.failures import printable
from dragoman.cli.text_width import cut, padded, width_of, wrapped
from dragoman.contracts.answer import Cell, CellType, Column, Heading
from dragoman.workspace.text import for_the_eye, without_noise

MAX_CELL = 60
_MAX_RECORD_CELL = 2_000
_GAP = "  "
_NARROWEST = 8
"""A column is folded to no less. Where that is not enough, records are easier to read."""
_MAX_LINES = 4
"""A cell is folded into so many lines at most: otherwise a row fills the screen."""

Rows = Sequence[tuple[Cell, ...]]


def rows_in_words(
    columns: Sequence[Column],
    rows: Rows,
    headings: Sequence[Heading] = (),
    *,
    width: int | None = None,
    as_records: bool = False,
) -> str:
    """The rows as they fit: `width` is that of the terminal, none where there is no terminal."""
    if as_records:
        return records(columns, rows, headings, width=width)
    if width is None:
        return table(columns, rows, headings)
    names, cells = _texts(columns, rows, headings, MAX_CELL)
    natural = _widths(names, cells)
    folded = _folded(natural, width)
    if folded is None:
        return records(columns, rows, headings, width=width)
    return _drawn(columns, names, cells, folded)


def table(columns: Sequence[Column], rows: Rows, headings: Sequence[Heading] = ()) -> str:
    """A plain table, numbers to the right. Wide cells are cut, and say so with an ellipsis."""
    names, cells = _texts(columns, rows, headings, MAX_CELL)
    return _drawn(columns, names, cells, _widths(names, cells))


def records(
    columns: Sequence[Column], rows: Rows, headings: Sequence[Heading] = (), *, width: int | None = None
) -> str:
    """One column per line, a rule between rows."""
    names, cells = _texts(columns, rows, headings, _MAX_RECORD_CELL)
    label = max(map(width_of, names), default=0)
    if width is not None:
        label = min(label, max(_NARROWEST, width // 3))
    left = None if width is None else max(_NARROWEST, width - label - len(_GAP))
    lines = []
    for number, row in enumerate(cells, 1):
        title = f"─ {number} "
        lines.append(title + "─" * max(0, min(width or label + _NARROWEST, label + 30) - len(title)))
        for name, cell in zip(names, row, strict=True):
            first, *rest = wrapped(cell, left) if left is not None else [cell]
            lines.append((padded(cut(name, label), label) + _GAP + first).rstrip())
            lines.extend(" " * label + _GAP + each for each in rest)
    return "\n".join(lines)


def _texts(
    columns: Sequence[Column], rows: Rows, headings: Sequence[Heading], most: int
) -> tuple[list[str], list[list[str]]]:
    headings = headings or tuple(Heading(column.name) for column in columns)
    said = [
        for_the_eye if heading.rounded else without_noise if column.type is CellType.DECIMAL else _same
        for heading, column in zip(headings, columns, strict=True)
    ]
    names = [_cell(heading.text, most) for heading in headings]
    return names, [[_cell(say(value), most) for value, say in zip(row, said, strict=True)] for row in rows]


def _widths(names: list[str], cells: list[list[str]]) -> list[int]:
    return [max(width_of(line[place]) for line in (names, *cells)) for place in range(len(names))]


def _folded(widths: list[int], width: int) -> list[int] | None:
    """The widths at which a table fits: the widest give way first. None where it fits at none."""
    room = width - len(_GAP) * (len(widths) - 1)
    if sum(min(each, _NARROWEST) for each in widths) > room:
        return None
    limit = max(widths, default=0)
    while sum(min(each, limit) for each in widths) > room:
        limit -= 1
    return [min(each, limit) for each in widths]


def _drawn(columns: Sequence[Column], names: list[str], cells: list[list[str]], widths: list[int]) -> str:
    right = [column.type in (CellType.DECIMAL, CellType.INTEGER) for column in columns]
    ruled = ["─" * width for width in widths]
    lines = [names, ruled, *cells]
    return "\n".join(drawn for line in lines for drawn in _row(line, widths, right))


def _row(line: list[str], widths: list[int], right: list[bool]) -> list[str]:
    """A row, which is several lines where a cell is wider than its column."""
    folded = [_fold(cell, width) for cell, width in zip(line, widths, strict=True)]
    return [
        _GAP.join(
            padded(cell[at] if at < len(cell) else "", width, right=to_right)
            for cell, width, to_right in zip(folded, widths, right, strict=True)
        ).rstrip()
        for at in range(max(map(len, folded), default=0))
    ]


def _fold(cell: str, width: int) -> list[str]:
    if width_of(cell) <= width:
        return [cell]
    lines = wrapped(cell, width)
    if len(lines) <= _MAX_LINES:
        return lines
    return [*lines[: _MAX_LINES - 1], cut(" ".join(lines[_MAX_LINES - 1 :]), width)]


def _same(value: Cell) -> Cell:
    return value


def _cell(value: Cell, most: int) -> str:
    text = "" if value is None else printable(str(value)).replace("\n", "\\n")
    return cut(text, most)
