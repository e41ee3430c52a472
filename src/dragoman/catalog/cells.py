"""From the values that a database gives to the cells of an answer: exact, and of a type that is said."""

import datetime as dt
import decimal
from collections.abc import Iterable, Sequence

from dragoman.contracts.answer import Cell, CellType, Column
from dragoman.contracts.errors import RunFailed
from dragoman.contracts.pack import PackColumn, Sign, Texts
from dragoman.contracts.query import Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.packs.signatures import result_column
from dragoman.tables.verbs import NUMBERS

_UNITS = frozenset({"currency", "unit", "uom"})


class ScaledColumn(Record, frozen=True):
    """A result column: how many decimal places its integers carry, and how many are shown. Without a scale
    numbers are as the database gives them."""

    column: Column
    scale: int | None = None
    places: int | None = None
    entity: str = ""
    title: Texts = {}  # noqa: RUF012 - msgspec copies it for each record.
    signs: dict[Sign, Texts] = {}  # noqa: RUF012


def scaled_column(column: PackColumn) -> ScaledColumn:
    return ScaledColumn(
        result_column(column), column.scale, column.places, column.entity, column.title, column.signs
    )


def scaled_cell(value: Value, column: ScaledColumn) -> Cell:
    """A cell of a pack's verb. A pack computes amounts in whole cents, so that they stay exact."""
    if value is None:
        return None
    match column.column.type:
        case CellType.DECIMAL:
            amount = amount_of(value, column)
            return plain_cell(value) if amount is None else shown_amount(amount, column)
        case CellType.DATE if isinstance(value, dt.datetime):
            return value.date().isoformat()
        case _:
            return plain_cell(value)


def amount_of(value: Value, column: ScaledColumn) -> decimal.Decimal | None:
    """A number of a result, exactly; None of a float without a scale, which is no exact number, and of what
    is no number at all. Raises `RunFailed` where a column with a scale gives a fraction: it would be lost."""
    if value is None:
        return decimal.Decimal(0)
    if isinstance(value, float) and column.scale is None:
        return None
    try:
        number = decimal.Decimal(repr(value) if isinstance(value, float) else str(value))
    except decimal.InvalidOperation:
        return None
    if column.scale is not None and number != number.to_integral_value():
        raise RunFailed(
            f"{column.column.name} is {number}, and a column with a scale is a whole number",
            hint="write CAST(ROUND(…) AS BIGINT) in the SQL of the pack, or take its scale away",
            column=column.column.name,
        )
    return number


def shown_amount(value: decimal.Decimal, column: ScaledColumn) -> str:
    """So many thousandths or cents as the digits a person reads."""
    exact = value.scaleb(-(column.scale or 0))
    # With fixed places 12.5 is shown as 12.50: columns of money line up.
    if column.places is not None:
        return f"{exact:.{column.places}f}"
    if column.scale is None:
        return f"{exact:f}"
    integral = exact.to_integral_value()
    return f"{integral if integral == exact else exact.normalize():f}"


def plain_cell(value: Value) -> Cell:
    """A cell of a table's verb, as the database holds it."""
    match value:
        case None | str():
            return value
        case bool():
            return str(value).lower()
        case int():
            return value
        case float():
            return repr(value)
        case decimal.Decimal():
            return f"{value:f}"
        case dt.datetime() | dt.date() | dt.time():
            return value.isoformat()
        case bytes():
            return value.hex()
        case _:
            return str(value)


def cell_type(values: Sequence[Value], declared: ValueType | None) -> CellType:
    """By what is there: a database may declare one thing and hold another. Exact sums come as text of digits
    from a database that has no such numbers."""
    kinds = {type(value) for value in values if value is not None}
    if declared in NUMBERS and kinds <= {int, float, decimal.Decimal, str} and all(map(_is_number, values)):
        return CellType.INTEGER if kinds <= {int} and declared is ValueType.INTEGER else CellType.DECIMAL
    if kinds and kinds <= {int}:
        return CellType.INTEGER
    if kinds and kinds <= {int, float, decimal.Decimal}:
        return CellType.DECIMAL
    return CellType.DATE if kinds and kinds <= {dt.date} else CellType.TEXT


def has_units(columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> bool:
    """Whether the rows are of more than one currency or unit: then nothing of them is added or compared."""
    places = [place for place, column in enumerate(columns) if column.name.casefold() in _UNITS]
    held = list(rows)
    return any(len({row[place] for row in held}) > 1 for place in places)


def _is_number(value: Value) -> bool:
    if not isinstance(value, str):
        return True
    try:
        return decimal.Decimal(value).is_finite()
    except decimal.InvalidOperation:
        return False
