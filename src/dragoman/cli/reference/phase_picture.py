"""The phases of a program as one picture: the road in the middle, detours left of it, errors right."""

import textwrap
from collections.abc import Sequence

from dragoman.cli.reference import svg as d
from dragoman.cli.reference.phase_moves import Move, moves_of
from dragoman.contracts.transition import PhaseEdge
from dragoman.contracts.vocabulary import Phase

_WIDTH, _HEIGHT = 1010, 950
_BOX_W, _BOX_H = 172, 40
_LEFT, _ROAD, _RIGHT = 130, 480, 850
_TOP, _STEP = 100, 92
_SIZE, _SMALL = 13.0, 11.0

_PLACES: dict[Phase, tuple[int, float]] = {
    Phase.NEW: (_ROAD, 0),
    Phase.INTENT: (_ROAD, 1),
    Phase.INTENT_CLARIFY: (_RIGHT, 1),
    Phase.DISCOVERY: (_LEFT, 1.5),
    Phase.SYNTHESIS: (_ROAD, 2),
    Phase.SYNTAX: (_ROAD, 3),
    Phase.SYNTAX_ERROR: (_RIGHT, 3),
    Phase.REGENERATE: (_LEFT, 3.5),
    Phase.SEMANTICS: (_ROAD, 4),
    Phase.SEMANTIC_ERROR: (_RIGHT, 4),
    Phase.UNRESOLVED_REFS: (_LEFT, 4.5),
    Phase.DEPENDENCIES: (_ROAD, 5),
    Phase.DEPENDENCY_ERROR: (_RIGHT, 5),
    Phase.READY: (_ROAD, 6),
    Phase.RUNNING: (_ROAD, 7),
    Phase.DONE: (_ROAD, 8),
}
"""The column of a phase, and its row."""


def phases_svg(edges: Sequence[PhaseEdge], at_rest: Sequence[Phase], errors: Sequence[Phase]) -> str:
    """The picture of a phase table. Moves out of many phases stand in a panel of their own."""
    moves = moves_of(edges, at_rest)
    shared = [move for move in moves if move.is_shared]
    elements = [d.text(24, 38, "The phases of a program", size=20, bold=True)]
    for move in (*moves, *_first_step(shared)):
        if not move.is_shared:
            elements += _drawn(move)
    for phase in Phase:
        elements += _phase(phase, phase in at_rest, phase in errors)
    elements += _panel(shared)
    elements += _legend()
    return d.document(
        _WIDTH,
        _HEIGHT,
        "Phases of a program",
        f"{len(Phase)} phases and {len(edges)} legal moves between them.",
        elements,
    )


def _first_step(shared: Sequence[Move]) -> list[Move]:
    """NEW to INTENT is a move out of many phases; on the road it is drawn like any other."""
    return [
        Move((Phase.NEW,), move.target, move.by, Phase.NEW)
        for move in shared
        if move.target is Phase.INTENT and Phase.NEW in move.sources
    ][:1]


def _centre(phase: Phase) -> tuple[float, float]:
    column, row = _PLACES[phase]
    return column, _TOP + row * _STEP


def _phase(phase: Phase, rests: bool, is_error: bool) -> list[str]:
    x, y = _centre(phase)
    stroke, fill = (d.CALM, d.CALM_PAPER) if rests else (d.QUIET, d.PAPER)
    if is_error:
        stroke, fill = d.ALARM, d.ALARM_PAPER
    return [
        d.box(x - _BOX_W / 2, y - _BOX_H / 2, _BOX_W, _BOX_H, fill=fill, stroke=stroke),
        d.text(x, y + 5, phase, size=_SIZE, anchor="middle", bold=True, fill=d.INK),
    ]


def _drawn(move: Move) -> list[str]:
    """One arrow and its reason. How it runs follows from where the two phases stand."""
    (x1, y1), (x2, y2) = _centre(move.sources[0]), _centre(move.target)
    half_w, half_h = _BOX_W / 2, _BOX_H / 2
    if x1 == x2:
        return _labelled([(x1, y1 + half_h), (x2, y2 - half_h)], x1 + 8, (y1 + y2) / 2 + 4, move.by)
    if y1 == y2:
        side = 1 if x2 > x1 else -1
        return _labelled([(x1 + side * half_w, y1), (x2 - side * half_w, y2)], x1 + half_w + 10, y1, move.by)
    if x2 < x1:
        # Off the road: out of the side, then down or up into the detour.
        down = 1 if y2 > y1 else -1
        out = y1 + 9 * down
        path = [(x1 - half_w, out), (x2, out), (x2, y2 - down * half_h)]
        return _labelled(path, x2 + half_w + 8, out + 1, move.by)
    if y2 < y1:
        # Back to the road, to where the detour began.
        back = x2 - half_w / 2
        path = [(x1 + half_w, y1), (back, y1), (back, y2 + half_h)]
        return _labelled(path, x1 + half_w + 8, y1, move.by)
    # On to the next station of the road.
    path = [(x1, y1 + half_h), (x1, y2), (x2 - half_w, y2)]
    return _labelled(path, x1 + half_w + 8, y2, move.by)


def _labelled(points: Sequence[tuple[float, float]], x: float, y: float, words: str) -> list[str]:
    """An arrow, its words on `y`, or above it when they take more lines than one."""
    lines = textwrap.wrap(words, 30)
    vertical = len(points) == 2 and points[0][0] == points[1][0]
    foot = y if vertical else y - 6 - (len(lines) - 1) * _SMALL * 1.3
    return [d.arrow(points), *d.lines_of_text(x, foot, lines, size=_SMALL, fill=d.QUIET)]


def _panel(shared: Sequence[Move]) -> list[str]:
    left, top, height = 640, 605, 50 + 46 * len(shared)
    elements = [
        d.box(left, top, 350, height, fill="#f8fafc", stroke=d.FAINT),
        d.text(left + 16, top + 26, "Out of many phases", size=_SIZE, bold=True),
    ]
    for number, move in enumerate(shared):
        y = top + 54 + 46 * number
        elements += [
            d.text(left + 16, y, f"{move.name} → {move.target}", size=12),
            d.text(left + 16, y + 16, move.by, size=_SMALL, fill=d.QUIET),
        ]
    return elements


def _legend() -> list[str]:
    rows = (
        (d.CALM, d.CALM_PAPER, "may rest here between two turns"),
        (d.ALARM, d.ALARM_PAPER, "an error to stand in until it is mended"),
        (d.QUIET, d.PAPER, "passed within one turn"),
    )
    elements: list[str] = []
    for number, (stroke, fill, words) in enumerate(rows):
        y = 780 + 30 * number
        elements += [
            d.box(44, y - 13, 26, 18, fill=fill, stroke=stroke, radius=5),
            d.text(80, y, words, size=_SMALL, fill=d.QUIET),
        ]
    return elements
