"""CSV files as a source."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dragoman.contracts.errors import EngineError, SourceFailed, StepRefused
from dragoman.contracts.flow import ColumnWarning, FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.databases.families.files.csv_copy import Plain, plain_csv
from dragoman.databases.families.files.csv_forms import Form, recognised
from dragoman.databases.families.files.csv_options import OPTIONS, csv_options, fault_of
from dragoman.databases.families.files.csv_rows import LONGEST_ROW, masked_rows
from dragoman.databases.families.files.csv_text import CsvOptions, escaped
from dragoman.engine.component import Config, StepContext
from dragoman.engine.components.duckdb.types import column_of
from dragoman.engine.components.files.csv_kinds import seen_kinds
from dragoman.engine.components.files.declared import converted, declared_types, inferred, refusal
from dragoman.engine.components.files.file_faults import broken, told_as_source
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

_LOCAL = (Form.COMMA, Form.GROUPED, Form.DOTTED, Form.DAY_FIRST, Form.MONTH_FIRST)
_LINE = re.compile(r"CSV Error on Line: (\d+)")


def plan(config: Config, files: tuple[SourceFile, ...], context: StepContext) -> FilePlan:
    """Raises SourceFailed, StepRefused."""
    options = _options(config)
    with told_as_source():
        plain = tuple(plain_csv(file, options, _copy_of(file, context)) for file in files)
    names = _names(files[0], plain[0])
    for file, other in zip(files[1:], plain[1:], strict=True):
        check_same(files[0], names, file, _names(file, other))
    if len({each.shape.delimiter for each in plain}) > 1:
        raise StepRefused("the files are cut by different characters", hint="say which :delimiter they have")
    types = declared_types(config.get("types"))
    if unknown := next((name for name in types if name not in names), None):
        raise StepRefused(f"there is no column {unknown} in {files[0].name}", hint="check the types")
    skips = tuple(_skipped(each) for each in plain if each.skipped)
    if all(name in types for name in names):
        return FilePlan(files, tuple(types[name] for name in names), plain=plain, warnings=skips)
    header = options.header
    rows = (chunk for each in plain for chunk in masked_rows(each, each.shape, header=header))
    with told_as_source():
        seen = seen_kinds(names, rows, plain[0].shape.delimiter, context)
    seen, forms, said = _as_people_write(seen, types, plain, options, context)
    columns = tuple(types.get(column.name, column) for column in seen)
    checked = tuple(name for name in names if name not in types)
    return FilePlan(files, columns, checked, plain=plain, forms=forms, warnings=(*skips, *said))


def _as_people_write(
    seen: list[FlowColumn],
    types: Mapping[str, FlowColumn],
    plain: tuple[Plain, ...],
    options: CsvOptions,
    context: StepContext,
) -> tuple[list[FlowColumn], tuple[tuple[str, str], ...], tuple[ColumnWarning, ...]]:
    """What is text to a database and a number or a date to people: decimal commas, days before months, words
    that stand for no value."""
    forms: list[tuple[str, str]] = []
    said: list[ColumnWarning] = []
    columns = list(seen)
    with plain_links(plain, ".csv", context) as links:
        source = _source(links, plain, len(seen), header=options.header)

        def ask(sql: str) -> tuple[Any, ...]:
            return context.lane.execute(sql).fetchone() or ()

        for number, column in enumerate(seen, 1):
            if column.type is not ValueType.TEXT or column.name in types:
                continue
            try:
                found = recognised(ask, source, f"c{number}", options)
            except FLOW_ERRORS as error:
                if (known := _failure(error, links, plain, tuple(seen))) is None:
                    raise
                raise known from error
            local = found.form in _LOCAL or (found.form is not None and bool(found.note))
            if local:
                columns[number - 1] = column_of(column.name, found.type)
                forms.append((column.name, found.value))
            if local or (found.note and found.form is None):
                note = found.note or f"read as {found.type}: its values are written as people write them"
                said.append(ColumnWarning(column.name, "csv_values", f"{column.name}: {note}"))
    return columns, tuple(forms), tuple(said)


@contextmanager
def opened(
    config: Config, plan: FilePlan, chosen: tuple[FlowColumn, ...], context: StepContext
) -> Iterator[Flow]:
    options = _options(config)
    with told_as_source():
        plain = tuple(
            each if Path(each.path).exists() else plain_csv(file, options, _copy_of(file, context))
            for file, each in zip(plan.files, plan.plain, strict=True)
        )
    with plain_links(plain, ".csv", context) as links:
        source = _source(links, plain, len(plan.columns), header=options.header)
        try:
            yield Flow(chosen, relation=f"SELECT {_selected(plan, chosen)} FROM {source}")
        except FLOW_ERRORS as error:
            if (known := _failure(error, links, plain, chosen)) is None:
                raise
            raise known from error


def _source(links: Sequence[str], plain: Sequence[Plain], width: int, *, header: bool) -> str:
    options = {
        "columns": "{" + ", ".join(f"'c{n}': 'VARCHAR'" for n in range(1, width + 1)) + "}",
        "auto_detect": "false",
        "delim": literal(plain[0].shape.delimiter),
        "quote": "'\"'",
        "escape": "'\"'",
        "header": str(header).lower(),
        "nullstr": "''",
        "allow_quoted_nulls": "false",
        "comment": "''",
        "max_line_size": str(LONGEST_ROW),
        "buffer_size": str(LONGEST_ROW),
        "hive_partitioning": "false",
    }
    ends = {each.shape.line_end for each in plain}
    if len(ends) == 1:
        options["new_line"] = literal(escaped(ends.pop()))
    listed = ", ".join(map(literal, links))
    arguments = ", ".join(f"{name}={value}" for name, value in options.items())
    return f"read_csv([{listed}], {arguments})"


def _options(config: Config) -> CsvOptions:
    """Raises StepRefused."""
    given = {name: str(config[name]) for name in OPTIONS if config.get(name) is not None}
    for name, value in given.items():
        if name != "delimiter" and (fault := fault_of(name, value)):
            raise StepRefused(f"there is no {name} {value!r}", hint=fault)
    if "delimiter" in given:
        given["delimiter"] = delimiter_of(config, "")
    return csv_options(given, header=has_header(config))


def _copy_of(file: SourceFile, context: StepContext) -> Path:
    stamp = f"{file.path} {file.size} {file.changed_ns}".encode()
    return context.folder / f"{context.step}-{hashlib.sha256(stamp).hexdigest()[:16]}.csv"


def _skipped(plain: Plain) -> ColumnWarning:
    lines = ", ".join(map(str, plain.lines)) + (", …" if plain.skipped > len(plain.lines) else "")
    return ColumnWarning("", "lines_skipped", f"{plain.name}: {plain.skipped:,} lines left out: {lines}")


def _selected(plan: FilePlan, chosen: Sequence[FlowColumn]) -> str:
    places = {column.name: number for number, column in enumerate(plan.columns, 1)}
    return ", ".join(
        f"{_value(column, places[column.name], number, plan)} AS {quoted(column.name)}"
        for number, column in enumerate(chosen, 1)
    )


def _value(column: FlowColumn, place: int, number: int, plan: FilePlan) -> str:
    text = f"c{place}"
    if column.name in (forms := dict(plan.forms)):
        return forms[column.name]
    return inferred(column, text) if column.name in plan.checked else converted(column, text, number)


def _failure(
    error: Exception, links: list[str], files: Sequence[Plain], chosen: tuple[FlowColumn, ...]
) -> EngineError | None:
    """What it means, where it is of the files."""
    text = complaint(error)
    if (refused := refusal(text, chosen)) is not None:
        return refused
    if (line := next(reversed(list(_LINE.finditer(text))), None)) is not None:
        file = next((f for link, f in zip(links, files, strict=True) if link in text), files[0])
        after = text[line.end() :].split("\n")
        reason = after[2] if len(after) > 2 else "the row is broken"
        return broken(file, int(line[1]), reason)
    ours = isinstance(error, STREAM_ERRORS) and "Conversion Error" in text
    if ours or any(link in text for link in links):
        return SourceFailed(told(error, links, files), hint="check the files")
    return None


def _names(file: SourceFile, plain: Plain) -> list[str]:
    """The names in the first row; a column that has none is called after its place."""
    names = list(plain.shape.names)
    check_names(names, file)
    return names
