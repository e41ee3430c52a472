"""The transition registry as one picture: a row for each class, a column for each property."""

import textwrap
from collections.abc import Sequence
from itertools import accumulate

from dragoman.cli.reference import svg as d
from dragoman.cli.reference.plain_text import listed
from dragoman.contracts.transition import Transition
from dragoman.contracts.vocabulary import AnswerMode, CarryoverDepth, Part

_MARGIN, _HEAD, _FOOT = 24, 178, 44
_CELL = 28
"""The width of one column of dots."""

_CLASS, _WORDS, _RANK, _NEEDS, _CARRIES, _MUST_NOT = 104, 440, 92, 160, 112, 160
_COLUMNS = (_CLASS, _WORDS, _RANK, _NEEDS, _CARRIES, _CELL * len(Part) + 16, _MUST_NOT)
_X = tuple(accumulate(_COLUMNS, initial=_MARGIN))
_MODES_X = _X[-1]
_WIDTH = _MODES_X + _CELL * len(AnswerMode) + 90

_SIZE, _SMALL = 13.0, 11.0
_LINE = _SMALL * 1.3

_DEPTH_COLOURS = {
    CarryoverDepth.FULL: (d.CALM, d.CALM_PAPER),
    CarryoverDepth.NONE: (d.QUIET, "#f1f5f9"),
}
_MODE_COLOURS = {
    AnswerMode.CONFIRMED: d.CALM,
    AnswerMode.LIMITED: d.WARM,
    AnswerMode.CLARIFICATION_REQUIRED: "#1d4ed8",
    AnswerMode.UNSUPPORTED: d.ALARM,
    AnswerMode.NONE: d.QUIET,
}


def transitions_svg(registry: Sequence[Transition]) -> str:
    """The picture of a registry."""
    elements = _heads()
    top: float = _HEAD
    for number, transition in enumerate(registry):
        height = _height(transition)
        if number % 2 == 0:
            elements.append(
                d.box(_MARGIN - 8, top, _WIDTH - 2 * _MARGIN + 16, height, fill="#f8fafc", stroke="none")
            )
        elements += _row(transition, top, height)
        top += height
    elements += _legend(top + 28)
    return d.document(
        _WIDTH,
        int(top) + _FOOT,
        "Transition registry",
        "Every transition class: entry condition, precedence, required prior state, carryover depth, the "
        "parts of the state it may change, what it must not do, and the answer modes it may end in.",
        elements,
    )


def _heads() -> list[str]:
    foot = _HEAD - 14
    elements = [d.text(_MARGIN, 38, "The transitions of a session", size=20, bold=True)]
    names = ("class", "entry condition", "precedence", "needs", "carries", "", "must not")
    elements += [
        d.text(x, foot, name, size=_SMALL, fill=d.QUIET, bold=True)
        for x, name in zip(_X, names, strict=False)
        if name
    ]
    turned = [(_dot_x(number), part.value) for number, part in enumerate(Part)]
    turned += [(_mode_x(number), mode.value) for number, mode in enumerate(AnswerMode)]
    elements += [d.text(x + 4, foot, name, size=_SMALL, fill=d.QUIET, turned=-50) for x, name in turned]
    elements.append(d.text(_X[5], 64, "may change", size=_SMALL, fill=d.QUIET, bold=True))
    elements.append(d.text(_MODES_X, 64, "ends in", size=_SMALL, fill=d.QUIET, bold=True))
    elements.append(d.line(_MARGIN - 8, _HEAD - 4, _WIDTH - _MARGIN + 8, _HEAD - 4))
    return elements


def _wrapped(transition: Transition) -> list[str]:
    return textwrap.wrap(transition.entry_condition.text, d.letters_in(_WORDS - 12, _SMALL))


def _height(transition: Transition) -> float:
    words = 20 + _LINE * len(_wrapped(transition))
    needs = _LINE * max(len(transition.required_prior_state), len(transition.forbidden_carryover))
    return max(words, needs) + 16


def _row(transition: Transition, top: float, height: float) -> list[str]:
    middle = top + height / 2
    first = top + 20
    elements = [
        d.text(_X[0], first, transition.id, size=_SIZE, bold=True, fill=d.CALM),
        d.text(_X[1], first, transition.title, size=_SIZE - 1, bold=True),
        *d.lines_of_text(_X[1], first + 17, _wrapped(transition), size=_SMALL, fill=d.QUIET),
        d.text(_X[2] + 40, middle + 4, str(transition.precedence), size=_SMALL, anchor="end"),
        *_stack(_X[3], middle, transition.required_prior_state),
        *_pill(_X[4], middle, transition.allowed_carryover_depth),
        *_stack(_X[6], middle, transition.forbidden_carryover),
    ]
    parts = (_part_dot(_dot_x(number), middle, part, transition) for number, part in enumerate(Part))
    modes = (_mode_dot(_mode_x(number), middle, mode, transition) for number, mode in enumerate(AnswerMode))
    return [*elements, *parts, *modes]


def _stack(x: float, middle: float, values: Sequence[str]) -> list[str]:
    """Values one below the other, centred on the row."""
    if not values:
        return [d.text(x, middle + 4, listed(values), size=_SMALL, fill=d.QUIET)]
    first = middle + 4 - _LINE * (len(values) - 1) / 2
    return d.lines_of_text(x, first, values, size=_SMALL)


def _pill(x: float, middle: float, depth: CarryoverDepth) -> list[str]:
    ink, paper = _DEPTH_COLOURS.get(depth, (d.WARM, d.WARM_PAPER))
    return [
        d.box(x, middle - 10, _CARRIES - 20, 20, fill=paper, stroke=ink, radius=10),
        d.text(x + (_CARRIES - 20) / 2, middle + 4, depth, size=_SMALL, fill=ink, anchor="middle"),
    ]


def _part_dot(x: float, middle: float, part: Part, transition: Transition) -> str:
    owner = d.CALM if part is transition.owner else "none"
    if part in transition.state_mutations:
        return d.dot(x, middle, 6, fill=d.INK if owner == "none" else d.CALM)
    if owner != "none":
        return d.dot(x, middle, 6, fill=d.PAPER, stroke=owner)
    return d.dot(x, middle, 4 if part is Part.TURN else 1.5, fill=d.FAINT)


def _mode_dot(x: float, middle: float, mode: AnswerMode, transition: Transition) -> str:
    if mode in transition.expected_answer_modes:
        return d.dot(x, middle, 6, fill=_MODE_COLOURS[mode])
    return d.dot(x, middle, 1.5, fill=d.FAINT)


def _dot_x(number: int) -> float:
    return _X[5] + _CELL * (number + 0.5)


def _mode_x(number: int) -> float:
    return _MODES_X + _CELL * (number + 0.5)


def _legend(y: float) -> list[str]:
    marks = (
        (d.dot(_MARGIN + 6, y - 4, 6, fill=d.CALM), 0, "changes the part it answers for (its owner)"),
        (
            d.dot(_MARGIN + 316, y - 4, 6, fill=d.PAPER, stroke=d.CALM),
            310,
            "answers for it, leaves it as it is",
        ),
        (d.dot(_MARGIN + 576, y - 4, 6, fill=d.INK), 570, "may change it"),
        (d.dot(_MARGIN + 706, y - 4, 4, fill=d.FAINT), 700, "the turn's own record, which every turn writes"),
    )
    return [
        element
        for mark, x, words in marks
        for element in (mark, d.text(_MARGIN + x + 20, y, words, size=_SMALL, fill=d.QUIET))
    ]
