"""`filesystem.extractor`: CSV, Parquet and JSON-lines files of the workspace, one or many."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import assert_never

import msgspec

from dragoman.catalog.components import component_signatures
from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import TransientFault
from dragoman.contracts.flow import CursorValue, FlowColumn, KeyRange
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.component import Config, Extraction, StepContext
from dragoman.engine.components.files import csv_source, json_source, parquet_source
from dragoman.engine.components.files.file_plan import FilePlan, chosen
from dragoman.engine.components.files.file_search import SourceFile, changed, format_for, found
from dragoman.engine.components.files.kinds import FileFormat
from dragoman.engine.flow import Flow


class FileExtractor:
    @property
    def signature(self) -> VerbSignature:
        return component_signatures()["filesystem.extractor"]

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        files = found(config, context)
        kind = format_for(config, files)
        plan = _planned(kind, config, files, context)
        target = f"the file {files[0].name}" if len(files) == 1 else f"{len(files)} files, {config['path']}"
        return Extraction(
            columns=chosen(config, plan.columns),
            target=target,
            path="arrow" if plan.by_arrow else f"duckdb_{kind.value}",
            facts=msgspec.json.encode(plan).decode(),
            warnings=plan.warnings,
        )

    @contextmanager
    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> Iterator[Flow]:
        plan = decoded(extraction.facts, FilePlan)
        _refuse_changed(plan)
        with _opened(format_for(config, plan.files), config, plan, extraction.columns, context) as flow:
            yield flow
            # A file that changed while it was read may have been seen half old and half new.
            _refuse_changed(plan)


def _planned(
    kind: FileFormat, config: Config, files: tuple[SourceFile, ...], context: StepContext
) -> FilePlan:
    match kind:
        case FileFormat.CSV:
            return csv_source.plan(config, files, context)
        case FileFormat.PARQUET:
            return parquet_source.plan(config, files, context)
        case FileFormat.JSONL:
            return json_source.plan(config, files, context)
        case _:
            assert_never(kind)


def _opened(
    kind: FileFormat, config: Config, plan: FilePlan, columns: tuple[FlowColumn, ...], context: StepContext
) -> AbstractContextManager[Flow]:
    match kind:
        case FileFormat.CSV:
            return csv_source.opened(config, plan, columns, context)
        case FileFormat.PARQUET:
            return parquet_source.opened(config, plan, columns, context)
        case FileFormat.JSONL:
            return json_source.opened(config, plan, columns, context)
        case _:
            assert_never(kind)


def _refuse_changed(plan: FilePlan) -> None:
    if (file := changed(plan.files)) is not None:
        raise TransientFault(f"{file.name} changed while it was read", hint="it is read again")
