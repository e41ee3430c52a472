"""Queries that a dead process left running on a server.

A process that is killed says nothing to its servers, and a query of hours may not notice for as long. The
record of the run says where it had sessions and by which mark they are known; so the next start can stop
them, and nothing else.
"""

from collections.abc import Callable
from contextlib import suppress

from dragoman.contracts.errors import DragomanError
from dragoman.contracts.run import RunRecord
from dragoman.databases.connections import ResolvedConnection
from dragoman.databases.families.registry import family


def stop_strays(record: RunRecord, connect: Callable[[str], ResolvedConnection]) -> None:
    """Stop them on every server that can be reached. On the others they end by the time limit that each of
    them was given."""
    if not record.mark:
        return
    for name in record.connections:
        with suppress(DragomanError):
            connection = connect(name)
            family(connection.family).stop_marked(connection, record.mark)
