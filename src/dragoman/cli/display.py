"""How results look in a terminal."""

import json

import click
import msgspec

from dragoman.cli.failures import printable
from dragoman.contracts.answer import NAMED_ROWS, Cell, CellType, Column, Heading
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass
from dragoman.workspace.text import for_the_eye, without_noise

MAX_CELL = 60

_MARKS = {
    AnswerMode.CONFIRMED: ("confirmed", "green"),
    AnswerMode.LIMITED: ("limited", "yellow"),
    AnswerMode.CLARIFICATION_REQUIRED: ("question", "cyan"),
    AnswerMode.UNSUPPORTED: ("not supported", "red"),
    AnswerMode.NONE: ("", None),
}


def show_json(value: object) -> None:
    click.echo(json.dumps(msgspec.to_builtins(value), ensure_ascii=False))


def show_turn(result: TurnResult, *, with_program: bool = True) -> None:
    """Transition, program, answer: what happened, what ran, what came of it."""
    click.secho(printable(_headline(result)), dim=True)
    if with_program and result.program and _concerns_the_program(result):
        click.secho(_indented(printable(result.program)), fg="blue")
    mark, colour = _MARKS[result.answer_mode]
    if mark:
        click.secho(f"[{mark}] ", fg=colour, bold=True, nl=False)
    click.echo(printable(result.message))
    if result.rows and (len(result.columns) > 1 or result.row_count > NAMED_ROWS):
        click.echo(_indented(table(result.columns, result.rows, result.headings)))
        more = (result.rows_total or result.row_count) - len(result.rows)
        if more > 0:
            click.echo(f"  … {more:,} more rows")


def _concerns_the_program(result: TurnResult) -> bool:
    return result.answer_mode is not AnswerMode.NONE or result.transition is TransitionClass.X_UNDO


def _headline(result: TurnResult) -> str:
    parts = [f"turn {result.turn}", str(result.transition)]
    if result.entry_transition is not result.transition:
        parts.append(f"entered as {result.entry_transition}")
    parts.append(f"carries {result.carryover}")
    if result.reason_codes:
        parts.append(", ".join(result.reason_codes))
    if result.repeated:
        parts.append("sent before: this is what was answered then")
    return " · ".join(parts)


def table(
    columns: tuple[Column, ...], rows: tuple[tuple[Cell, ...], ...], headings: tuple[Heading, ...] = ()
) -> str:
    """A plain table, numbers to the right. Wide cells are cut, and say so with an ellipsis."""
    headings = headings or tuple(Heading(column.name) for column in columns)
    names = [_cell(heading.text) for heading in headings]
    said = [
        for_the_eye if heading.rounded else without_noise if column.type is CellType.DECIMAL else _same
        for heading, column in zip(headings, columns, strict=True)
    ]
    cells = [[_cell(say(value)) for value, say in zip(row, said, strict=True)] for row in rows]
    widths = [max(len(line[i]) for line in (names, *cells)) for i in range(len(columns))]
    right = [column.type in (CellType.DECIMAL, CellType.INTEGER) for column in columns]
    lines = [names, ["─" * width for width in widths], *cells]
    return "\n".join(_line(line, widths, right) for line in lines)


def _line(line: list[str], widths: list[int], right: list[bool]) -> str:
    aligned = (
        cell.rjust(width) if to_right else cell.ljust(width)
        for cell, width, to_right in zip(line, widths, right, strict=True)
    )
    return "  ".join(aligned).rstrip()


def _same(value: Cell) -> Cell:
    return value


def _cell(value: Cell) -> str:
    text = "" if value is None else printable(str(value)).replace("\n", "\\n")
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "…"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
