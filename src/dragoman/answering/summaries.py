"""The rows of a summary, told: a person who asks for one wants it read out, not counted."""

from typing import Final

from dragoman.contracts.answer import AnswerObject, CellType
from dragoman.contracts.roles import RequestType
from dragoman.planning.contract import Request

_AMOUNTS: Final = (CellType.INTEGER, CellType.DECIMAL)
_MOST: Final = 20


def told_measures(request: Request | None, answer: AnswerObject) -> str:
    """What each measure is, behind the sentence of the answer; nothing where the verb is no summary of a few
    measures."""
    if request is None or request.verb.spec.request_type is not RequestType.STATUS_SUMMARY:
        return ""
    types = [column.type for column in answer.columns]
    whole = 0 < answer.row_count == len(answer.rows) <= _MOST
    if not whole or len(types) != 2 or types[0] is not CellType.TEXT or types[1] not in _AMOUNTS:
        return ""
    told = "; ".join(f"{measure}: {amount}" for measure, amount in answer.rows if amount is not None)
    return f"\n{told}." if told else ""
