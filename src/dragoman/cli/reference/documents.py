"""The registry and the phase table as JSON. Every field is written, so that the shape never varies."""

from collections.abc import Sequence
from typing import Any

import msgspec

from dragoman.contracts.record import Record
from dragoman.contracts.transition import PhaseEdge, Transition
from dragoman.contracts.vocabulary import Phase

FORMAT = "dragoman.transitions"
FORMAT_VERSION = 1

TABLES = ("transitions", "phases")


def tables_document(
    registry: Sequence[Transition],
    edges: Sequence[PhaseEdge],
    at_rest: Sequence[Phase],
    tables: Sequence[str] = TABLES,
) -> dict[str, Any]:
    """The tables asked for. Records have the names of their fields, classes the order of the registry."""
    document: dict[str, Any] = {"format": FORMAT, "version": FORMAT_VERSION}
    if "transitions" in tables:
        document["transitions"] = [whole(transition) for transition in registry]
    if "phases" in tables:
        document["phases"] = {
            "at_rest": [phase.value for phase in at_rest],
            "edges": [whole(edge) for edge in edges],
        }
    return document


def whole(value: object) -> Any:
    """A record as plain data with its defaults written out, which on the wire are left away."""
    if isinstance(value, Record):
        return {field: whole(getattr(value, field)) for field in value.__struct_fields__}
    if isinstance(value, tuple):
        return [whole(item) for item in value]
    return msgspec.to_builtins(value)
