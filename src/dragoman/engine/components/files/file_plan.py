"""What the three kinds of files have in common when they are read: their columns and names."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from dragoman.contracts.errors import SourceFailed, StepRefused
from dragoman.contracts.flow import ColumnWarning, FlowColumn
from dragoman.contracts.record import Record
from dragoman.databases.families.files.csv_copy import Plain
from dragoman.engine.component import Config, StepContext
from dragoman.engine.components.files.file_search import SourceFile
from dragoman.engine.components.files.kinds import Compression

_ENDINGS = {Compression.GZIP.value: ".gz", Compression.ZSTD.value: ".zst"}


class FilePlan(Record, frozen=True):
    """What is known of the files before a row moves. `columns` are all of them, in their order in the files;
    `checked` of them have been seen to fit their types."""

    files: tuple[SourceFile, ...]
    columns: tuple[FlowColumn, ...]
    checked: tuple[str, ...] = ()
    by_arrow: bool = False
    plain: tuple[Plain, ...] = ()
    """Of CSV files: what is read in their place."""
    forms: tuple[tuple[str, str], ...] = ()
    """Columns whose values are written as people write them, each with the SQL that reads them."""
    warnings: tuple[ColumnWarning, ...] = ()


def check_names(names: Sequence[str], file: SourceFile) -> None:
    """Raises SourceFailed."""
    seen = set[str]()
    for name in names:
        if name in seen:
            raise SourceFailed(
                f"{file.name} has two columns called {name}", hint="name one of them otherwise", column=name
            )
        seen.add(name)


def check_same(first: SourceFile, expected: Sequence[str], file: SourceFile, names: Sequence[str]) -> None:
    """Several files are one table only when their columns are alike. Raises SourceFailed."""
    if list(expected) == list(names):
        return
    missing = next((name for name in expected if name not in names), None)
    if missing is not None:
        raise SourceFailed(
            f"{file.name} has no column {missing}, which {first.name} has", hint=_ALIKE, column=missing
        )
    extra = next((name for name in names if name not in expected), None)
    if extra is not None:
        raise SourceFailed(
            f"{file.name} has a column {extra}, which {first.name} has not", hint=_ALIKE, column=extra
        )
    moved = next(name for name, other in zip(expected, names, strict=True) if name != other)
    raise SourceFailed(
        f"the column {moved} stands elsewhere in {file.name} than in {first.name}", hint=_ALIKE, column=moved
    )


_ALIKE = "read files with different columns in steps of their own"


def chosen(config: Config, columns: tuple[FlowColumn, ...]) -> tuple[FlowColumn, ...]:
    """Raises StepRefused."""
    wanted = config.get("columns")
    if not isinstance(wanted, list | tuple) or not wanted:
        return columns
    known = {column.name: column for column in columns}
    for name in wanted:
        if name not in known:
            raise StepRefused(f"there is no column {name} in the files", hint=f"there are {', '.join(known)}")
    if len(set(wanted)) < len(wanted):
        raise StepRefused("a column is asked for twice", hint="name each once")
    return tuple(known[str(name)] for name in wanted)


@contextmanager
def plain_links(
    files: Sequence[SourceFile | Plain], ending: str, context: StepContext
) -> Iterator[list[str]]:
    """Links with plain names to the files: DuckDB takes stars and brackets in a name for a pattern, and the
    end of a name for how it is packed."""
    with tempfile.TemporaryDirectory(dir=context.folder, prefix="files-") as folder:
        links = list[str]()
        for number, file in enumerate(files):
            link = Path(folder) / f"{number}{ending}{_ENDINGS.get(str(file.packing), '')}"
            link.symlink_to(file.path)
            links.append(str(link))
        yield links


def told(error: Exception, links: Sequence[str], files: Sequence[SourceFile | Plain]) -> str:
    """What DuckDB says, with the files under their own names; only the first lines, which tell the fault."""
    text = " ".join(str(error).splitlines()[:3])
    for link, file in zip(links, files, strict=True):
        text = text.replace(link, file.name)
    return text
