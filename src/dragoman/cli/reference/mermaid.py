"""The registry and the phase table as Mermaid diagrams."""

import textwrap
from collections.abc import Iterable, Sequence

from dragoman.cli.reference.phase_moves import moves_of
from dragoman.cli.reference.plain_text import listed
from dragoman.contracts.transition import PhaseEdge, Transition
from dragoman.contracts.vocabulary import Phase

_COLOURS = {
    "prior": "fill:#eef2f7,stroke:#64748b,color:#1e293b",
    "turn": "fill:#e0f2f1,stroke:#00796b,color:#1e293b",
    "rest": "fill:#e0f2f1,stroke:#00796b,color:#1e293b",
    "error": "fill:#fdecea,stroke:#b3261e,color:#1e293b",
    "many": "fill:#f8fafc,stroke:#94a3b8,color:#475569,stroke-dasharray:4 3",
}


def transitions_mermaid(registry: Sequence[Transition]) -> str:
    """What must be there leads to the class, which stands in a frame that says what it may change.

    To a class that needs nothing leads nothing.
    """
    needy = [transition for transition in registry if transition.required_prior_state]
    needs = _numbered("needs", (listed(t.required_prior_state) for t in needy))
    changes = _numbered("changes", (listed(t.state_mutations) for t in registry))
    lines = ["flowchart LR"]
    lines += [f'  {node}(["{text.replace(", ", "<br/>")}"]):::prior' for text, node in needs.items()]
    for text, node in changes.items():
        lines.append(f'  subgraph {node}["may change {text}"]')
        lines += [f'    {t.id}["{_label(t)}"]:::turn' for t in registry if listed(t.state_mutations) == text]
        lines.append("  end")
    lines += [f"  {needs[listed(t.required_prior_state)]} --> {t.id}" for t in needy]
    return "\n".join((*lines, *_definitions("prior", "turn"))) + "\n"


def _label(transition: Transition) -> str:
    title = "<br/>".join(textwrap.wrap(transition.title, 24, break_on_hyphens=False))
    return f"<b>{transition.id}</b><br/>{title}<br/><i>carries {transition.allowed_carryover_depth}</i>"


def _numbered(prefix: str, texts: Iterable[str]) -> dict[str, str]:
    """A node id for each different text, in the order in which they are first met."""
    return {text: f"{prefix}{number}" for number, text in enumerate(dict.fromkeys(texts), 1)}


def phases_mermaid(edges: Sequence[PhaseEdge], at_rest: Sequence[Phase], errors: Sequence[Phase] = ()) -> str:
    """The phases as a state diagram. What leads out of many phases leaves one dashed state instead."""
    moves = moves_of(edges, at_rest)
    shared = _numbered("many", (move.name for move in moves if move.is_shared))
    lines = ["stateDiagram-v2", "  [*] --> NEW"]
    lines += [f'  state "{name}" as {node}' for name, node in shared.items()]
    lines += [f"  {shared.get(move.name, move.name)} --> {move.target}: {move.by}" for move in moves]
    lines += _definitions("rest", "error", "many")
    standing = [phase for phase in at_rest if phase not in errors]
    for style, names in (("rest", standing), ("error", errors), ("many", tuple(shared.values()))):
        if names:
            lines.append(f"  class {','.join(names)} {style}")
    return "\n".join(lines) + "\n"


def _definitions(*styles: str) -> list[str]:
    return [f"  classDef {style} {_COLOURS[style]}" for style in styles]
