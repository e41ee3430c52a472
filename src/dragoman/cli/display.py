"""How results look in a terminal."""

import json
import shutil
import sys

import click
import msgspec
from msgspec.structs import replace

from dragoman.cli.chart import picture, suggested, wanted
from dragoman.cli.failures import printable
from dragoman.cli.result_table import MAX_CELL, rows_in_words, table
from dragoman.contracts.answer import NAMED_ROWS
from dragoman.contracts.record import Record
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass

__all__ = ["MAX_CELL", "View", "chart_of", "show_json", "show_turn", "table", "view_here", "with_every_row"]

_INDENT = "  "
_FALLBACK_WIDTH = 80
_WIDEST_CHART = 100
_MARKS = {
    AnswerMode.CONFIRMED: ("confirmed", "green"),
    AnswerMode.LIMITED: ("limited", "yellow"),
    AnswerMode.CLARIFICATION_REQUIRED: ("question", "cyan"),
    AnswerMode.UNSUPPORTED: ("not supported", "red"),
    AnswerMode.NONE: ("", None),
}


class View(Record, frozen=True):
    """Where rows are shown: how wide it is, none where that does not matter, and in which form."""

    width: int | None = None
    records: bool = False
    charts: bool = False
    """Whether a chart is drawn where the shape of an answer suggests one."""
    plain: bool = False
    """Whether only ASCII letters can be shown."""


def view_here(*, records: bool = False, charts: bool = False) -> View:
    """The view of standard output as it is now: a terminal may have been made wider since."""
    if not sys.stdout.isatty():
        return View(records=records)
    plain = "utf" not in (sys.stdout.encoding or "").lower()
    return View(shutil.get_terminal_size().columns, records, charts, plain)


def show_json(value: object) -> None:
    click.echo(json.dumps(msgspec.to_builtins(value), ensure_ascii=False))


def with_every_row(result: TurnResult, read: list[ResultRows]) -> TurnResult:
    """A result with all rows that were read: what a session keeps of an answer is its beginning."""
    if not read or not result.rows:
        return result
    rows = read[-1].rows
    whole = result.rows_total is None or result.rows_total == len(rows)
    return replace(result, rows=rows, complete=whole, rows_total=None if whole else result.rows_total)


def show_turn(
    result: TurnResult,
    *,
    with_program: bool = True,
    view: View | None = None,
    whole: TurnResult | None = None,
) -> None:
    """Transition, program, answer: what happened, what ran, what came of it. A chart is drawn of the `whole`
    result, where that is known."""
    view = view_here() if view is None else view
    click.secho(printable(_headline(result)), dim=True)
    if with_program and result.program and _concerns_the_program(result):
        click.secho(_indented(printable(result.program)), fg="blue")
    mark, colour = _MARKS[result.answer_mode]
    if mark:
        click.secho(f"[{mark}] ", fg=colour, bold=True, nl=False)
    click.echo(printable(result.message))
    if has_table(result):
        click.echo(rows_of(result, view))
        more = (result.rows_total or result.row_count) - len(result.rows)
        if more > 0:
            click.echo(f"{_INDENT}… {more:,} more rows")
    chart = chart_of(whole or result, view) if view.charts else ""
    if chart:
        click.echo(f"\n{chart}")


def has_table(result: TurnResult) -> bool:
    """Whether the rows are more than what the sentence says."""
    return bool(result.rows) and (len(result.columns) > 1 or result.row_count > NAMED_ROWS)


def rows_of(result: TurnResult, view: View) -> str:
    width = None if view.width is None else view.width - len(_INDENT)
    shown = rows_in_words(result.columns, result.rows, result.headings, width=width, as_records=view.records)
    return _indented(shown)


def chart_of(result: TurnResult, view: View, *, asked: bool = False) -> str:
    """The chart of an answer; empty where its shape suggests none, or where `asked` for none can be drawn."""
    chart = (wanted if asked else suggested)(result.columns, result.rows, result.headings)
    if chart is None or (not asked and not result.complete):
        return ""
    width = min(view.width or _FALLBACK_WIDTH, _WIDEST_CHART) - len(_INDENT)
    return _indented(picture(chart, width, plain=view.plain))


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


def _indented(text: str) -> str:
    return "\n".join(f"{_INDENT}{line}" for line in text.splitlines())
