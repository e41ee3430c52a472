"""Answers that nobody looked up, for what is computed from answers."""

import datetime as dt
from collections.abc import Sequence

from dragoman.answering.coverage import closed_gate, open_gate
from dragoman.contracts.answer import AnswerObject, Cell, CellType, Column, Figure
from dragoman.contracts.program import Argument, Date, Program, Statement, Text
from dragoman.contracts.program import Sequence as Items

_TYPES = {"t": CellType.TEXT, "d": CellType.DECIMAL, "i": CellType.INTEGER}


def program(route: str, end: dt.date | None = None, organization: str = "1") -> Program:
    """A statement of the trade pack: as of a day, or during the month that ends with it."""
    arguments = [Argument("organization", Text(organization), "Alfa Trade")]
    if end is not None and route.startswith(("inventory", "settlements")):
        arguments.append(Argument("as-of", Date(end)))
    elif end is not None:
        arguments.append(Argument("during", Items((Date(end.replace(day=1)), Date(end)))))
    return (Statement(route, tuple(arguments), route.replace(".", "-")),)


def found(
    turn: int,
    route: str,
    columns: str,
    rows: Sequence[tuple[Cell, ...]],
    *,
    end: dt.date | None = None,
    total: str = "",
    limits: tuple[str, ...] = (),
    count: int | None = None,
    made_by: Program | None = None,
) -> AnswerObject:
    """`columns` as `item:t amount:d`; `total` is the figure of the last column."""
    named = [each.split(":") for each in columns.split()]
    return AnswerObject(
        ref=f"answer-{turn}",
        turn_index=turn,
        route=route,
        gate=open_gate(limits, checked=True),
        program=program(route, end) if made_by is None else made_by,
        columns=tuple(Column(name, _TYPES[kind]) for name, kind in named),
        rows=tuple(rows),
        row_count=len(rows) if count is None else count,
        figures=(Figure(named[-1][0], total),) if total else (),
        subject=f"subject {turn}",
        note=", ".join(limits),
    )


def refused(turn: int, why: str = "it is not loaded") -> AnswerObject:
    return AnswerObject(
        ref=f"answer-{turn}",
        turn_index=turn,
        route="inventory.stock",
        gate=closed_gate("not_loaded"),
        subject=f"subject {turn}",
        note=why,
    )
