"""A pipeline that was built for a message."""

from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.record import Record
from dragoman.planning.pipelines.pipeline import Pipeline


class Built(Record, frozen=True, gc=True):
    """One pipeline that a message may mean, what tells it from others, and what is left unsaid."""

    pipeline: Pipeline
    source: ConnectionSpec | None
    label: str = ""
    uncovered: tuple[str, ...] = ()
