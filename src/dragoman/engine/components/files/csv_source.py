"""CSV files as a source."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from dragoman.contracts.errors import EngineError, SourceFailed, StepRefused
from dragoman.contracts.flow import FlowColumn
from dragoman.engine.component import Config, StepContext
from dragoman.engine.components.files.csv_kinds import seen_kinds
from dragoman.engine.components.files.csv_rows import LONGEST_ROW, broken, header_of, masked_rows
from dragoman.engine.components.files.declared import converted, declared_types, inferred, refusal
from dragoman.engine.components.files.file_plan import (
    FilePlan,
    check_names,
    check_same,
    plain_links,
    told,
)
from dragoman.engine.components.files.file_search import SourceFile
from dragoman.engine.components.files.kinds import delimiter_of
from dragoman.engine.components.files.kinds import header_of as has_header
from dragoman.engine.components.interruption import FLOW_ERRORS, STREAM_ERRORS, complaint
from dragoman.engine.flow import Flow
from dragoman.engine.run_database import literal, quoted

_LINE = re.compile(r"CSV Error on Line: (\d+)")


def plan(config: Config, files: tuple[SourceFile, ...], context: StepContext) -> FilePlan:
    """Raises SourceFailed, StepRefused."""
    header = has_header(config)
    names = _names(files[0], delimiter_of(config, files[0].name), header=header)
    for file in files[1:]:
        check_same(files[0], names, file, _names(file, delimiter_of(config, file.name), header=header))
    if len({delimiter_of(config, file.name) for file in files}) > 1:
        raise StepRefused("the files are cut by different characters", hint="say which :delimiter they have")
    types = declared_types(config.get("types"))
    if unknown := next((name for name in types if name not in names), None):
        raise StepRefused(f"there is no column {unknown} in {files[0].name}", hint="check the types")
    if all(name in types for name in names):
        return FilePlan(files, tuple(types[name] for name in names))
    delimiter = delimiter_of(config, files[0].name)
    rows = (chunk for file in files for chunk in masked_rows(file, delimiter, len(names), header=header))
    seen = seen_kinds(names, rows, delimiter, context)
    columns = tuple(types.get(column.name, column) for column in seen)
    return FilePlan(files, columns, checked=tuple(name for name in names if name not in types))


@contextmanager
def opened(
    config: Config, plan: FilePlan, chosen: tuple[FlowColumn, ...], context: StepContext
) -> Iterator[Flow]:
    with plain_links(plan.files, ".csv", context) as links:
        delimiter = delimiter_of(config, plan.files[0].name)
        options = {
            "columns": "{" + ", ".join(f"'c{n}': 'VARCHAR'" for n in range(1, len(plan.columns) + 1)) + "}",
            "auto_detect": "false",
            "delim": literal(delimiter),
            "quote": "'\"'",
            "escape": "'\"'",
            "header": str(has_header(config)).lower(),
            "nullstr": "''",
            "allow_quoted_nulls": "false",
            "comment": "''",
            "max_line_size": str(LONGEST_ROW),
            "buffer_size": str(LONGEST_ROW),
            "hive_partitioning": "false",
        }
        listed = ", ".join(map(literal, links))
        arguments = ", ".join(f"{name}={value}" for name, value in options.items())
        source = f"read_csv([{listed}], {arguments})"
        try:
            yield Flow(chosen, relation=f"SELECT {_selected(plan, chosen)} FROM {source}")
        except FLOW_ERRORS as error:
            if (known := _failure(error, links, plan, chosen)) is None:
                raise
            raise known from error


def _selected(plan: FilePlan, chosen: Sequence[FlowColumn]) -> str:
    places = {column.name: number for number, column in enumerate(plan.columns, 1)}
    return ", ".join(
        f"{_value(column, places[column.name], number, plan)} AS {quoted(column.name)}"
        for number, column in enumerate(chosen, 1)
    )


def _value(column: FlowColumn, place: int, number: int, plan: FilePlan) -> str:
    text = f"c{place}"
    return inferred(column, text) if column.name in plan.checked else converted(column, text, number)


def _failure(
    error: Exception, links: list[str], plan: FilePlan, chosen: tuple[FlowColumn, ...]
) -> EngineError | None:
    """What it means, where it is of the files."""
    text = complaint(error)
    if (refused := refusal(text, chosen)) is not None:
        return refused
    if (line := next(reversed(list(_LINE.finditer(text))), None)) is not None:
        file = next((f for link, f in zip(links, plan.files, strict=True) if link in text), plan.files[0])
        after = text[line.end() :].split("\n")
        reason = after[2] if len(after) > 2 else "the row is broken"
        return broken(file, int(line[1]), reason)
    ours = isinstance(error, STREAM_ERRORS) and "Conversion Error" in text
    if ours or any(link in text for link in links):
        return SourceFailed(told(error, links, plan.files), hint="check the files")
    return None


def _names(file: SourceFile, delimiter: str, *, header: bool) -> list[str]:
    """The names in the first row; a column that has none is called after its place."""
    first = header_of(file, delimiter)
    if not first:
        raise SourceFailed(f"{file.name} is empty: it does not even name its columns", hint="check the file")
    if not header:
        return [f"column{number}" for number in range(1, len(first) + 1)]
    names = [name or f"column{number}" for number, name in enumerate(first, 1)]
    check_names(names, file)
    return names
