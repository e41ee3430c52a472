"""`lines.extractor`: the lines of a text file, with their numbers."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from dragoman.contracts.errors import SourceFailed, StepRefused
from dragoman.contracts.flow import CursorValue, FlowColumn, KeyRange
from dragoman.contracts.schema import ValueType
from dragoman.contracts.verb import Effect, StringType, VerbArgument, VerbSignature
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import Config, Extraction, StepContext
from dragoman.engine.flow import BATCH_ROWS, Flow
from dragoman.guards.paths import judge_path

COLUMNS = (
    FlowColumn("line", ValueType.INTEGER, nullable=False),
    FlowColumn("text", ValueType.TEXT, nullable=False),
)


class LinesExtractor:
    @property
    def signature(self) -> VerbSignature:
        return VerbSignature(
            name="lines.extractor",
            domain="lines",
            title="The lines of a text file",
            effect=Effect.READ,
            arguments=(
                VerbArgument("path", StringType(), help="a file inside the workspace"),
                VerbArgument("containing", StringType(), required=False, help="only lines with this in them"),
            ),
            examples=('(lines.extractor :path "app.log" :as @lines)',),
        )

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        """No row moves yet, and everything that could be refused is refused here."""
        path = _judged(config, context)
        if not path.is_file():
            raise SourceFailed(f"there is no file {config['path']}", hint="check the path")
        return Extraction(columns=COLUMNS, target=f"the file {config['path']}", path="lines")

    @contextmanager
    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> Iterator[Flow]:
        batches = _batches(_judged(config, context), str(config.get("containing") or ""), context)
        yield Flow(COLUMNS, reader=pa.RecordBatchReader.from_batches(arrow_schema(COLUMNS), batches))


def _judged(config: Config, context: StepContext) -> Path:
    """A path out of a program is judged before it is opened, and what is opened is what the guard says."""
    verdict = judge_path(str(context.workspace), str(config["path"]))
    if verdict.resolved is None:
        raise StepRefused(verdict.message, hint="name a file inside the workspace")
    return Path(verdict.resolved)


def _batches(path: Path, wanted: str, context: StepContext) -> Iterator[pa.RecordBatch]:
    """Some lines at a time: memory does not grow with the file."""
    numbers, texts = list[int](), list[str]()
    with path.open(encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, 1):
            text = line.removesuffix("\n")
            if wanted in text:
                numbers.append(number)
                texts.append(text)
            if len(texts) == BATCH_ROWS:
                yield _batch(numbers, texts, context)
                numbers, texts = [], []
    if texts:
        yield _batch(numbers, texts, context)


def _batch(numbers: list[int], texts: list[str], context: StepContext) -> pa.RecordBatch:
    context.rows(len(texts))
    arrays = [pa.array(numbers, pa.int64()), pa.array(texts, pa.string())]
    return pa.RecordBatch.from_arrays(arrays, schema=arrow_schema(COLUMNS))


EXTRACTOR = LinesExtractor()
