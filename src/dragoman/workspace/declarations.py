"""What is declared of every session: the transitions of a turn, and the phases of a program."""

from dragoman.session.phases import AT_REST, ERRORS, PHASE_EDGES
from dragoman.session.registry import REGISTRY

__all__ = ["AT_REST", "ERRORS", "PHASE_EDGES", "REGISTRY"]
