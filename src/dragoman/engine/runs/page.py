"""A run as a page that needs nothing else: when each step ran, what flowed where, what was said."""

import datetime as dt
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template

from dragoman.contracts.run import (
    RunBegun,
    RunEnded,
    RunEvent,
    RunRecord,
    StepBegun,
    StepEnded,
    StepProgress,
    StepRecord,
    StepRetried,
    StepWarned,
)
from dragoman.locales.plural import counted

_WIDTH, _ROW, _BAR, _NAMES = 900, 26, 16, 240
_BOX_WIDTH, _BOX_HEIGHT, _GAP_X, _GAP_Y = 190, 46, 70, 18


def run_page(record: RunRecord, events: Sequence[RunEvent]) -> str:
    template = Template(files("dragoman.engine.runs").joinpath("page.html").read_text(encoding="utf-8"))
    return template.substitute(
        title=escape(record.name or record.id),
        id=escape(record.id),
        status=escape(record.status),
        started=escape(record.started_at),
        ended=escape(record.ended_at or "–"),
        cycle=str(record.cycle),
        manifest=escape(record.manifest),
        fault=_fault(record),
        timeline=_timeline(record.steps),
        lineage=_lineage(record.steps),
        steps="".join(_row(step) for step in record.steps),
        columns="".join(_columns(step) for step in record.steps if step.columns),
        events="".join(
            f"<li><time>{escape(event.at)}</time> {escape(_said(event))}</li>" for event in events
        ),
    )


def _fault(record: RunRecord) -> str:
    if record.fault is None:
        return ""
    fault = record.fault
    return f'<p class="fault"><b>{escape(fault.code)}</b> {escape(fault.message)} {escape(fault.hint)}</p>'


def _moment(text: str) -> float | None:
    return dt.datetime.fromisoformat(text).timestamp() if text else None


def _timeline(steps: Sequence[StepRecord]) -> str:
    """A bar for every step, from when it began to when it ended."""
    begun = [moment for step in steps if (moment := _moment(step.started_at)) is not None]
    ended = [moment for step in steps if (moment := _moment(step.ended_at)) is not None]
    if not begun:
        return "<p>No step had begun.</p>"
    first, last = min(begun), max([*ended, *begun])
    scale = (_WIDTH - _NAMES - 80) / max(last - first, 0.001)
    lines = []
    for number, step in enumerate(steps):
        y = number * _ROW
        lines.append(f'<text x="0" y="{y + 13}">{escape(step.id[:34])}</text>')
        start = _moment(step.started_at)
        if start is None:
            continue
        left = _NAMES + (start - first) * scale
        width = max(((_moment(step.ended_at) or last) - start) * scale, 2)
        lines.append(
            f'<rect class="{escape(step.state)}" x="{left:.1f}" y="{y}"'
            f' width="{width:.1f}" height="{_BAR}" rx="3"/>'
            f'<text x="{left + width + 6:.1f}" y="{y + 13}">{step.seconds:.2f} s</text>'
        )
    return f'<svg viewBox="0 0 {_WIDTH} {len(steps) * _ROW}" role="img">{"".join(lines)}</svg>'


def _lineage(steps: Sequence[StepRecord]) -> str:
    """The steps as boxes, each to the right of all it needs, and what flowed between them."""
    depth: dict[str, int] = {}
    for step in steps:
        depth[step.id] = max((depth[need] + 1 for need in step.needs if need in depth), default=0)
    taken: dict[int, int] = {}
    places = {}
    for step in steps:
        column = depth[step.id]
        row = taken.get(column, 0)
        taken[column] = row + 1
        places[step.id] = (column * (_BOX_WIDTH + _GAP_X), row * (_BOX_HEIGHT + _GAP_Y))
    width = (max(depth.values(), default=0) + 1) * (_BOX_WIDTH + _GAP_X)
    height = max(taken.values(), default=1) * (_BOX_HEIGHT + _GAP_Y)
    drawn = [_line(places[need], places[step.id]) for step in steps for need in step.needs if need in places]
    drawn += [_box(step, *places[step.id]) for step in steps]
    return f'<svg viewBox="0 0 {width} {height}" role="img">{"".join(drawn)}</svg>'


def _line(start: tuple[int, int], end: tuple[int, int]) -> str:
    x, y = start[0] + _BOX_WIDTH, start[1] + _BOX_HEIGHT / 2
    to_x, to_y = end[0], end[1] + _BOX_HEIGHT / 2
    middle = (x + to_x) / 2
    return f'<path d="M {x} {y} C {middle} {y}, {middle} {to_y}, {to_x} {to_y}"/>'


def _box(step: StepRecord, x: int, y: int) -> str:
    rows = counted(step.rows, "row") if step.rows is not None else step.state
    return (
        f"<g><title>{escape(step.target or step.component)}</title>"
        f'<rect class="{escape(step.state)}" x="{x}" y="{y}"'
        f' width="{_BOX_WIDTH}" height="{_BOX_HEIGHT}" rx="6"/>'
        f'<text x="{x + 10}" y="{y + 19}">{escape(step.id[:26])}</text>'
        f'<text class="dim" x="{x + 10}" y="{y + 37}">{escape(rows)}</text></g>'
    )


def _row(step: StepRecord) -> str:
    rows = f"{step.rows:,}" if step.rows is not None else ""
    size = f"{step.bytes:,}" if step.bytes is not None else ""
    said = "; ".join(f"{warning.rule}: {warning.message}" for warning in step.warnings)
    if step.fault is not None:
        said = f"{step.fault.code}: {step.fault.message} {said}"
    cells = (step.id, step.component, step.target, step.state, rows, size, f"{step.seconds:.2f}")
    filled = "".join(f"<td>{escape(str(cell))}</td>" for cell in (*cells, str(step.retries), said))
    return f"<tr>{filled}</tr>"


def _columns(step: StepRecord) -> str:
    names = ", ".join(f"{column.name} {column.native or column.type}" for column in step.columns)
    return f"<dt>{escape(step.id)}</dt><dd>{escape(names)}</dd>"


def _said(event: RunEvent) -> str:
    match event:
        case RunBegun(cycle=cycle):
            return f"begun, cycle {cycle}"
        case StepBegun(step=step, component=component):
            return f"{step} began ({component})"
        case StepProgress(step=step, rows=rows):
            return f"{step}: {counted(rows or 0, 'row')} so far"
        case StepWarned(step=step, warning=warning):
            return f"{step}: {warning.rule}: {warning.message}"
        case StepRetried(step=step, attempt=attempt, fault=fault, delay=delay):
            return f"{step}: {fault.code}: {fault.message}; try {attempt + 1} after {delay:.1f} s"
        case StepEnded(step=step, state=state, rows=rows):
            return f"{step}: {state}" + (f", {counted(rows, 'row')}" if rows is not None else "")
        case RunEnded(status=status, seconds=seconds):
            return f"{status} after {seconds:.2f} s"
