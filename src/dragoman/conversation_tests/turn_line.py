"""What came of a turn, as one line of JSON: everything that can be expected of it, and its complete rows."""

import math
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from dragoman.contracts.answer import Cell, CellType, Column
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.program import Boolean, Date, Integer, Nil, Number, Text, Value
from dragoman.contracts.state import ClarificationState, EntityRef, RootFrameState, SessionState
from dragoman.contracts.turn_result import ProgramOption, ResultRows, TurnResult
from dragoman.contracts.vocabulary import TransitionClass
from dragoman.workspace.guards import scrubbed

JsonCell = str | int | float | Decimal | None
_EXACT_DIGITS = 40
"""A number of more digits than this is written as the nearest float."""


class Focus(msgspec.Struct, frozen=True):
    kind: str
    id: str | int
    name: str


class Pending(msgspec.Struct, frozen=True):
    kind: str
    missing: tuple[str, ...]
    resume_route: str | None


class StateLine(msgspec.Struct, frozen=True):
    """The root slice, the object and the pending question as the turn left them."""

    domain: str | None = None
    root_route: str | None = None
    organization: str | None = None
    date_scope: tuple[str, str] | None = None
    warehouse: str | int | None = None
    focus: Focus | None = None
    clarification: Pending | None = None


class Failure(msgspec.Struct, frozen=True):
    code: str
    message: str


class TurnLine(msgspec.Struct, frozen=True):
    """One turn. `rows` is null where there is no result; `error` where the turn could be taken."""

    id: str
    turn: int
    user: str
    transition: str | None = None
    entry_transition: str | None = None
    mode: str | None = None
    answer_mode: str | None = None
    route: str | None = None
    meta_kind: str | None = None
    carryover: str | None = None
    program: str | None = None
    columns: tuple[str, ...] | None = None
    rows: tuple[tuple[JsonCell, ...], ...] | None = None
    message: str | None = None
    ms: float = 0.0
    state: StateLine = StateLine()
    error: Failure | None = None
    options: tuple[str | ProgramOption, ...] = ()
    """The closed answers to the question that the turn ended in."""

    def encoded(self) -> bytes:
        return _ENCODER.encode(self) + b"\n"


_ENCODER = msgspec.json.Encoder(decimal_format="number")


def turn_line(
    dialogue: str,
    number: int,
    user: str,
    result: TurnResult,
    state: SessionState,
    complete: ResultRows | None = None,
    ms: float = 0.0,
) -> TurnLine:
    """The line of a turn that was taken; without the complete rows those that the answer kept."""
    read = complete or (ResultRows(result.columns, result.rows) if result.columns else None)
    about_answers = result.transition in (TransitionClass.T8, TransitionClass.T9)
    meta = state.frames.meta if about_answers else None
    return TurnLine(
        id=printed(dialogue),
        turn=number,
        user=printed(user),
        transition=result.transition,
        entry_transition=result.entry_transition,
        mode=result.mode,
        answer_mode=result.answer_mode,
        route=result.route,
        meta_kind=meta.meta_question_kind if meta else None,
        carryover=result.carryover,
        program=result.program,
        columns=tuple(column.name for column in read.columns) if read else None,
        rows=json_rows(read) if read else None,
        message=result.message,
        ms=ms,
        state=state_line(state),
        options=result.options,
    )


def failed_line(
    dialogue: str, number: int, user: str, error: Exception, state: SessionState | None, ms: float = 0.0
) -> TurnLine:
    """The line of a turn that was not taken."""
    code, message = (
        (error.code, error.message)
        if isinstance(error, DragomanError)
        else ("internal_error", f"{type(error).__name__}: {error}")
    )
    return TurnLine(
        id=printed(dialogue),
        turn=number,
        user=printed(user),
        ms=ms,
        state=state_line(state) if state else StateLine(),
        error=Failure(code, printed(scrubbed(message))),
    )


def state_line(state: SessionState) -> StateLine:
    frames = state.frames
    focus = frames.selected_object.focus_object_ref if frames.selected_object else None
    clarification = _pending(frames.clarification) if frames.clarification else None
    if frames.root is None:
        return StateLine(focus=_focus(focus), clarification=clarification)
    root = frames.root
    dates = root.date_scope
    return StateLine(
        domain=root.domain_id,
        root_route=root.root_route_id,
        organization=root.organization_scope.name if root.organization_scope else None,
        date_scope=(dates.start.isoformat(), dates.end.isoformat()) if dates else None,
        warehouse=_warehouse(root, state),
        focus=_focus(focus),
        clarification=clarification,
    )


def json_rows(read: ResultRows) -> tuple[tuple[JsonCell, ...], ...]:
    return tuple(
        tuple(_json_cell(cell, column) for cell, column in zip(row, read.columns, strict=True))
        for row in read.rows
    )


def printed(text: str) -> str:
    """Text that can be written as UTF-8, whatever came in."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _json_cell(cell: Cell, column: Column) -> JsonCell:
    if not isinstance(cell, str):
        return cell
    return number_of(cell) if column.type in (CellType.DECIMAL, CellType.INTEGER) else printed(cell)


def number_of(digits: str) -> JsonCell:
    """A number as JSON has it: whole ones without a point, others with their own digits."""
    try:
        value = Decimal(digits)
    except InvalidOperation:
        return digits
    if not value.is_finite():
        return digits
    if value.adjusted() > _EXACT_DIGITS or len(value.as_tuple().digits) > 2 * _EXACT_DIGITS:
        nearest = float(value)
        return nearest if math.isfinite(nearest) else digits
    return int(value) if value == value.to_integral_value() else value.normalize()


def _focus(ref: EntityRef | None) -> Focus | None:
    return Focus(ref.kind, _key(ref.id), ref.name) if ref else None


def _pending(asked: ClarificationState) -> Pending:
    return Pending(asked.clarification_kind, asked.missing_anchors, asked.resume_target_route or None)


def _warehouse(root: RootFrameState, state: SessionState) -> str | int | None:
    """The warehouse that the program behind the root slice looks at."""
    kept = [answer for answer in state.answers.items if answer.ref == root.root_answer_object_ref]
    saved = [point.root_answer for point in state.program.history if point.root_answer is not None]
    found = kept or [answer for answer in saved if answer.ref == root.root_answer_object_ref]
    for statement in found[-1].program if found else ():
        argument = statement.argument("warehouse")
        if argument is not None:
            return _scalar(argument.value)
    return None


def _scalar(value: Value) -> str | int | None:
    match value:
        case Text(text):
            return _key(text)
        case Integer(whole):
            return whole
        case Number(digits):
            return digits
        case Date(day):
            return day.isoformat()
        case Boolean() | Nil():
            return None
        case _:
            return None


def _key(text: str) -> str | int:
    """A key as the database has it: an integer where it is written as one."""
    whole = text.isascii() and text.removeprefix("-").isdigit()
    return int(text) if whole and str(int(text)) == text else text


def plain(value: Any) -> Any:
    """A part of a line as JSON would show it."""
    return msgspec.json.decode(_ENCODER.encode(value))
