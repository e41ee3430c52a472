"""Reading from a source of any family: exact values, bounded in rows, time and memory, and only reading."""

from dragoman.contracts.access import DatabaseReader, Target
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.query import ReadLimits
from dragoman.databases.access.target import Tls

__all__ = ["Cancellation", "DatabaseReader", "Target", "Tls", "open_reader"]


def open_reader(target: Target, limits: ReadLimits | None = None) -> DatabaseReader:
    """A reader of a source. It connects when the first query comes, not before."""
    return target.reader(limits or ReadLimits())
