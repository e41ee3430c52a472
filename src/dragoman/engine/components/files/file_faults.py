"""What is wrong with a file, in the words of the engine."""

from collections.abc import Iterator
from contextlib import contextmanager

from dragoman.contracts.errors import FileUnreadable, SourceFailed
from dragoman.databases.families.files.csv_copy import Plain
from dragoman.engine.components.files.file_search import SourceFile


def broken(file: SourceFile | Plain, line: int, reason: str) -> SourceFailed:
    return SourceFailed(
        f"{file.name}, line {line}: {reason}", hint="mend the file", file=file.name, line=line
    )


@contextmanager
def told_as_source() -> Iterator[None]:
    """Connections and pipelines read a CSV by the same reader. To a pipeline, what it refuses is a source
    that failed."""
    try:
        yield
    except FileUnreadable as error:
        raise SourceFailed(error.message, hint=error.hint, **error.details) from error
