"""The figures of an answer: what its one figure is, what its amounts add up to, and how they are read."""

import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from dragoman.contracts.answer import AnswerObject, Cell, CellType

AMOUNT = "amount"
_NUMBERS = (CellType.DECIMAL, CellType.INTEGER)
_DECIMALS = 2
"""Decimals that an eye takes in, of a number that is not below one."""
_NOISY = re.compile(r"-?\d{1,15}\.\d{10,}", re.ASCII)
"""A number with more decimals than people write."""
_KEPT = 8
_PADDED = re.compile(r"-?\d+\.\d{8}0", re.ASCII)
"""A number with all the decimals that one written in a text may have, of which the last say nothing."""


def single_figure(answer: AnswerObject) -> str | None:
    """The one figure of an answer: its only cell, or the sum of its amounts."""
    if len(answer.columns) == 1:
        if answer.figures:
            return answer.figures[0].value
        alone = answer.row_count == 1 and bool(answer.rows) and answer.columns[0].type in _NUMBERS
        return str(answer.rows[0][0]) if alone and answer.rows[0][0] is not None else None
    return total_amount(answer)


def total_amount(answer: AnswerObject) -> str | None:
    """What the amounts of the rows add up to, where the rows end in one."""
    if not answer.columns or answer.columns[-1].name != AMOUNT:
        return None
    return next((figure.value for figure in answer.figures if figure.name == AMOUNT), None)


def for_the_eye(cell: Cell) -> Cell:
    """A number with at most two decimals, or where it is below one with two digits that say something."""
    try:
        number = Decimal(str(cell))
        if not number.is_finite():
            return cell
        below_one = max(0, -number.adjusted() - 1) if number else 0
        rounded = number.quantize(Decimal(1).scaleb(-_DECIMALS - below_one), ROUND_HALF_UP)
    except InvalidOperation:
        # No number, or one with more digits than can be rounded exactly.
        return cell
    return _short(rounded)


def without_noise(cell: Cell) -> Cell:
    """A number without the last digits of a binary fraction, 125.3 where 125.29999999999998 was added up, or
    without noughts that nobody wrote."""
    if _PADDED.fullmatch(str(cell)):
        return _short(Decimal(str(cell)))
    if not _NOISY.fullmatch(str(cell)):
        return cell
    number = Decimal(str(cell))
    # A number that is small by itself has its digits there.
    return _short(number.quantize(Decimal(1).scaleb(-_KEPT), ROUND_HALF_UP)) if abs(number) >= 1 else cell


def _short(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
