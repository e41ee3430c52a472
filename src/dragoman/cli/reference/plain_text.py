"""The registry and the phase table as text that fits 100 columns."""

import textwrap
from collections.abc import Iterable, Sequence

from dragoman.cli.reference.phase_moves import moves_of
from dragoman.contracts.transition import EntryCondition, PhaseEdge, Transition
from dragoman.contracts.vocabulary import Phase

WIDTH = 100

_LABEL = 27
"""Where the values of a property begin."""


def transitions_text(registry: Sequence[Transition]) -> str:
    """Every class with its six properties, its owner and its precedence."""
    head = f"{len(registry)} transition classes; of those that fit a message, the lowest precedence is taken."
    return "\n\n".join((head, *(_class(transition) for transition in registry))) + "\n"


def _class(transition: Transition) -> str:
    head = f"{transition.id}  {transition.title}"
    aside = f"precedence {transition.precedence}, owner {transition.owner}, from {transition.source}"
    properties = {
        "entry_condition": condition_lines(transition.entry_condition),
        "required_prior_state": [listed(transition.required_prior_state)],
        "allowed_carryover_depth": [transition.allowed_carryover_depth.value],
        "state_mutations": [listed(transition.state_mutations)],
        "forbidden_carryover": [listed(transition.forbidden_carryover)],
        "expected_answer_modes": [listed(transition.expected_answer_modes)],
    }
    lines = [head, f"  {aside}"]
    for name, values in properties.items():
        label = f"  {name}".ljust(_LABEL)
        for value in values:
            lines += textwrap.wrap(value, WIDTH, initial_indent=label, subsequent_indent=" " * _LABEL)
            label = " " * _LABEL
    return "\n".join(lines)


def condition_lines(condition: EntryCondition) -> list[str]:
    """An entry condition in words, then the signals it is made of."""
    signals = (("all of", condition.all_of), ("one of", condition.any_of), ("none of", condition.none_of))
    return [condition.text, *(f"{words}: {', '.join(names)}" for words, names in signals if names)]


def listed(values: Iterable[str]) -> str:
    return ", ".join(values) or "nothing"


def phases_text(edges: Sequence[PhaseEdge], at_rest: Sequence[Phase]) -> str:
    """The phase table, edges that differ in their source alone told as one."""
    moves = moves_of(edges, at_rest)
    heads = ("from", "to", "by")
    cells = [heads, *((move.name, str(move.target), move.by) for move in moves)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
    cells.insert(1, ("─" * widths[0], "─" * widths[1], "─" * widths[2]))
    head = f"{len(Phase)} phases, {len(edges)} legal moves; a program may rest between two turns in"
    rest = textwrap.fill(listed(at_rest), WIDTH, initial_indent="  ", subsequent_indent="  ")
    table = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "\n".join((head, rest, "", *table)) + "\n"
