"""docs/reference/phases.md: the phase table and its diagram."""

from dragoman.cli.reference.mermaid import phases_mermaid
from dragoman.cli.reference.phase_moves import moves_of
from dragoman.cli.reference.schemas import event_kinds
from dragoman.contracts.vocabulary import Phase
from dragoman.session.phases import AT_REST, ERRORS, PHASE_EDGES
from tools.reference_pages.markdown import code, fenced, page, table

_INTRODUCTION = """\
The phases of the program in hand, and every move between them. A move that is not listed is refused with
`illegal_phase_move`. [The language](../language.md#phases) says what the phases mean.

![The phases as a picture](phases.svg)"""


def phases_page() -> str:
    moves = moves_of(PHASE_EDGES, AT_REST)
    rows = [(move.name, f"`{move.target}`", _reason(move.by)) for move in moves]
    standing = [(f"`{phase}`", _standing(phase)) for phase in Phase]
    return page(
        "Phases",
        _INTRODUCTION,
        "## The phases",
        table(("phase", "a program may stand here between two turns"), standing),
        "## The moves",
        f"{len(PHASE_EDGES)} edges; those that differ in their source alone are told as one.",
        table(("from", "to", "by"), rows),
        "## Diagram",
        fenced("mermaid", phases_mermaid(PHASE_EDGES, AT_REST, ERRORS)),
    )


def _reason(by: str) -> str:
    """The events that make a move as code; words stay words."""
    names = by.split(", ")
    return code(names) if all(name in event_kinds() for name in names) else by


def _standing(phase: Phase) -> str:
    if phase in ERRORS:
        return "yes, until the error is mended"
    return "yes" if phase in AT_REST else "no, it is passed within a turn"
