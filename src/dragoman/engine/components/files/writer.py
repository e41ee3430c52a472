"""`duckdb.writer`: a CSV, Parquet or JSON-lines file that appears complete or not at all."""

from pathlib import Path

from dragoman.catalog.components import component_signatures
from dragoman.contracts.errors import DiskFull, StepRefused, TargetFailed
from dragoman.contracts.flow import CursorValue, FlowColumn
from dragoman.contracts.verb import VerbSignature
from dragoman.engine import file_token
from dragoman.engine.component import Config, Staged, StepContext, Writing
from dragoman.engine.components.files import publication
from dragoman.engine.components.files.file_copy import copy_flow, said
from dragoman.engine.components.files.file_values import refuse_names, warnings_of
from dragoman.engine.components.files.formulas import Formulas
from dragoman.engine.components.files.kinds import (
    Compression,
    FileFormat,
    FileShape,
    delimiter_of,
    header_of,
    packing_of,
)
from dragoman.engine.components.files.places import judged, shown, target_file
from dragoman.engine.file_targets import Standing
from dragoman.engine.flow import Flow

_CHANGES = {
    Standing.NEW: "makes the file {name}",
    Standing.MADE: "replaces the file {name}, which a run made",
    Standing.DATA: "replaces the file {name}, which no run made",
}


class FileWriter:
    @property
    def signature(self) -> VerbSignature:
        return component_signatures()["duckdb.writer"]

    def prepare(self, config: Config, columns: tuple[FlowColumn, ...], context: StepContext) -> Writing:
        target, shape = target_file(config, context), _shape(config)
        if not columns:
            raise StepRefused("nothing flows into the file: there are no columns", hint="select some")
        refuse_names(columns)
        context.targets.refuse_unagreed(target, context.replaces)
        name, standing = shown(target, context), context.targets.standing(target)
        partial = publication.partial_beside(target, context.run_id, context.step)
        return Writing(
            target=f"the file {name}",
            staging=shown(partial, context),
            warnings=warnings_of(columns, shape.format),
            changes=(_CHANGES[standing].format(name=name),),
        )

    def cursor(self, config: Config, context: StepContext) -> CursorValue | None:
        """A file is always written whole, so there is nothing to go on from."""
        return None

    def published(self, config: Config, staged: Staged | None, context: StepContext) -> int | None:
        token = file_token.read(staged.token) if staged is not None else None
        if staged is None or token is None:
            return None
        return staged.rows if file_token.token_of(target_file(config, context)) == token else None

    def stage(self, config: Config, writing: Writing, flow: Flow, context: StepContext) -> Staged:
        target = target_file(config, context)
        partial = self._partial(target, writing.staging, context)
        whole = False
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            publication.remove(partial)
            copied = copy_flow(flow, _shape(config), partial, context)
            publication.synced(partial)
            token = file_token.token_of(partial)
            whole = token is not None
        except OSError as error:
            raise _failure(error, target, context) from error
        finally:
            if not whole:
                publication.remove(partial)
        if token is None:
            raise TargetFailed(f"{shown(target, context)} was written and is not there", hint="run it again")
        return Staged(copied.rows, token.size, file_token.written(token), copied.warnings)

    def publish(
        self,
        config: Config,
        writing: Writing,
        staged: Staged,
        cursor: CursorValue | None,
        context: StepContext,
    ) -> None:
        target = target_file(config, context)
        partial = self._partial(target, writing.staging, context)
        token = file_token.read(staged.token)

        def allowed() -> None:
            # Somebody may have put a file there since the run was planned.
            context.targets.refuse_unagreed(target, context.replaces)
            if token is not None:
                context.targets.note(target, token)

        try:
            publication.publish(partial, target, token, allowed)
        except OSError as error:
            raise _failure(error, target, context) from error

    def discard(self, config: Config, staging: str, context: StepContext) -> None:
        partial = judged(staging, context)
        if publication.is_partial(partial):
            publication.remove(partial)

    def _partial(self, target: Path, staging: str, context: StepContext) -> Path:
        """Beside its target; a link on the way may lead elsewhere by now. Raises StepRefused."""
        partial = publication.partial_beside(target, context.run_id, context.step)
        if shown(partial, context) != staging:
            raise StepRefused(
                f"the path of {context.step} leads elsewhere than when the run began", hint="run it anew"
            )
        return partial


def _shape(config: Config) -> FileShape:
    """Raises StepRefused."""
    kind, name = FileFormat(str(config["format"])), str(config.get("path"))
    given = config.get("compression")
    compression = Compression(str(given)) if given is not None else packing_of(name)
    match kind:
        case FileFormat.PARQUET if given is None:
            compression = Compression.SNAPPY
        case FileFormat.CSV | FileFormat.JSONL if compression is Compression.SNAPPY:
            raise StepRefused("only Parquet is packed with snappy", hint="take gzip or zstd")
        case _:
            pass
    formulas = Formulas(str(config.get("formulas") or Formulas.KEEP))
    return FileShape(kind, compression, delimiter_of(config, name), header_of(config), formulas)


def _failure(error: OSError, target: Path, context: StepContext) -> TargetFailed | DiskFull:
    full = said(error, ())
    if isinstance(full, DiskFull):
        return full
    return TargetFailed(
        f"{shown(target, context)} cannot be written: {error.strerror}",
        hint="check the folder and its rights",
    )
