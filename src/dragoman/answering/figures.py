"""The figures of an answer: what its one figure is, and what its amounts add up to."""

from dragoman.contracts.answer import AnswerObject, CellType

AMOUNT = "amount"
_NUMBERS = (CellType.DECIMAL, CellType.INTEGER)


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
