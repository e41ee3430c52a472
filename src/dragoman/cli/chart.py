"""A picture of an answer in the terminal: bars where rows are labelled, a line where they are periods."""

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Final

from dragoman.cli.failures import printable
from dragoman.cli.text_width import cut, padded, width_of
from dragoman.contracts.answer import Cell, CellType, Column, Heading
from dragoman.contracts.record import Record
from dragoman.workspace.text import for_the_eye

MOST_BARS: Final = 20
"""More bars than that are drawn only where somebody asks for them."""
_MOST_ASKED: Final = 200
_FEWEST_IN_A_LINE: Final = 8
_LINE_ROWS: Final = 8
_LABEL: Final = 24
_NUMBERS: Final = (CellType.INTEGER, CellType.DECIMAL)
_PERIOD: Final = re.compile(r"\d{4}(?:-(?:\d\d|Q[1-4]|W\d\d)(?:-\d\d)?)?")
_YEARS: Final = range(1600, 2200)
_EIGHTHS: Final = "▏▎▍▌▋▊▉█"
_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The dots of a braille letter, row by row."""
_BRAILLE: Final = 0x2800


class Form(StrEnum):
    BARS = "bars"
    LINE = "line"


class Chart(Record, frozen=True):
    """What is drawn: a label and a number for each row."""

    form: Form
    title: str
    labels: tuple[str, ...]
    values: tuple[Decimal, ...]


def suggested(
    columns: Sequence[Column], rows: Sequence[tuple[Cell, ...]], headings: Sequence[Heading] = ()
) -> Chart | None:
    """The chart that the shape of an answer suggests: one label and one measure, and not too many rows."""
    if len(columns) != 2:
        return None
    chart = wanted(columns, rows, headings)
    if chart is None or len(chart.labels) < 2:
        return None
    return chart if chart.form is Form.LINE or len(chart.labels) <= MOST_BARS else None


def wanted(
    columns: Sequence[Column], rows: Sequence[tuple[Cell, ...]], headings: Sequence[Heading] = ()
) -> Chart | None:
    """The chart that somebody asked for: the first label against the first measure. None where there is no
    measure, no label, or nothing in it."""
    label = next((place for place in range(len(columns)) if _is_label(columns[place], rows, place)), None)
    measure = next(
        (place for place, column in enumerate(columns) if column.type in _NUMBERS and place != label), None
    )
    if label is None or measure is None:
        return None
    drawn = [
        (row[label], number) for row in rows[:_MOST_ASKED] if (number := _number(row[measure])) is not None
    ]
    if not drawn:
        return None
    names = headings or tuple(Heading(column.name) for column in columns)
    labels = tuple("" if name is None else printable(str(name)).replace("\n", "\\n") for name, _ in drawn)
    over_time = len(drawn) >= _FEWEST_IN_A_LINE and all(_PERIOD.fullmatch(each[:10]) for each in labels)
    ordered = list(labels) in (sorted(labels), sorted(labels, reverse=True))
    form = Form.LINE if over_time and ordered else Form.BARS
    title = f"{printable(names[measure].text)} · {printable(names[label].text)}"
    return Chart(form, title, labels, tuple(number for _, number in drawn))


def picture(chart: Chart, width: int, *, plain: bool = False) -> str:
    """The chart in lines of at most so many cells; `plain` where the terminal has only ASCII letters."""
    if chart.form is Form.LINE and not plain:
        return _line(chart, width)
    return _bars(chart, width, plain=plain)


def _is_label(column: Column, rows: Sequence[tuple[Cell, ...]], place: int) -> bool:
    if column.type in (CellType.TEXT, CellType.DATE):
        return True
    cells = [row[place] for row in rows]
    years = all(isinstance(cell, int) and cell in _YEARS for cell in cells)
    return bool(cells) and years and len(set(cells)) == len(cells)


def _number(cell: Cell) -> Decimal | None:
    try:
        number = Decimal(str(cell))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _bars(chart: Chart, width: int, *, plain: bool) -> str:
    figures = [str(for_the_eye(f"{value:f}")) for value in chart.values]
    labels = [cut(label, _LABEL) for label in chart.labels]
    label, figure = max(map(width_of, labels)), max(map(len, figures))
    room = max(10, width - label - figure - 4)
    low, high = min(Decimal(0), *chart.values), max(Decimal(0), *chart.values)
    scale = Decimal(room) / (high - low) if high > low else Decimal(0)
    lines = [cut(chart.title, width)]
    for name, shown, value in zip(labels, figures, chart.values, strict=True):
        start = int(-low * scale) if value >= 0 else int((value - low) * scale)
        bar = " " * start + _bar(abs(value) * scale, plain=plain, whole=value < 0)
        lines.append(f"{padded(name, label)}  {padded(shown, figure, right=True)}  {bar}".rstrip())
    return "\n".join(lines)


def _bar(length: Decimal, *, plain: bool, whole: bool) -> str:
    """A bar, to an eighth of a cell. What is more than nothing is seen."""
    if length <= 0:
        return ""
    if plain or whole:
        return ("#" if plain else "█") * max(1, round(length))
    eighths = max(1, round(length * 8))
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest - 1] if rest else "")


def _line(chart: Chart, width: int) -> str:
    low, high = min(chart.values), max(chart.values)
    marks = [str(for_the_eye(f"{value:f}")) for value in (high, low)]
    margin = max(map(len, marks))
    cells = max(10, width - margin - 2)
    dots = _dots([float(value) for value in chart.values], cells * 2, _LINE_ROWS * 4)
    lines = [cut(chart.title, width)]
    for row in range(_LINE_ROWS):
        mark = marks[0] if row == 0 else marks[1] if row == _LINE_ROWS - 1 else ""
        letters = (_letter(dots, row, cell) for cell in range(cells))
        lines.append(f"{padded(mark, margin, right=True)} ┤{''.join(letters)}".rstrip())
    first, last = chart.labels[0], chart.labels[-1]
    between = " " * max(1, cells - width_of(first) - width_of(last))
    lines.append(" " * (margin + 2) + first + between + last)
    return "\n".join(lines)


def _dots(values: list[float], across: int, down: int) -> list[tuple[int, int]]:
    """For each column of dots the highest and the lowest that the line passes there, counted from above."""
    low, high = min(values), max(values)
    span = high - low
    steps = len(values) - 1

    def height(at: int) -> float:
        place = at / (across - 1) * steps if steps else 0.0
        left = min(int(place), max(0, steps - 1))
        right = min(left + 1, steps)
        return values[left] + (values[right] - values[left]) * (place - left)

    def dot(value: float) -> int:
        return round((high - value) / span * (down - 1)) if span else down // 2

    places = [dot(height(at)) for at in range(across)]
    joined = []
    for at, place in enumerate(places):
        # The line has no holes where it is steep.
        before = places[at - 1] if at else place
        joined.append((min(place, before + (place > before)), max(place, before - (place < before))))
    return joined


def _letter(dots: list[tuple[int, int]], row: int, cell: int) -> str:
    bits = 0
    for side in (0, 1):
        top, bottom = dots[cell * 2 + side]
        for at in range(4):
            if top <= row * 4 + at <= bottom:
                bits |= _DOTS[at][side]
    return chr(_BRAILLE + bits) if bits else " "
