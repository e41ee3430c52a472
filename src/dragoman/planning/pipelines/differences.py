"""What the tables of a target lack of what a pipeline would write, found before a row moves.

What becomes of it only a person can say: three closed answers, each a pipeline of its own.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.program import Text
from dragoman.contracts.record import Record
from dragoman.contracts.schema import TableInfo
from dragoman.planning.pipelines.pipeline import FILE_WRITER, Pair, Pipeline, said_in, with_argument
from dragoman.planning.pipelines.readers import columns_of, place_of, with_columns
from dragoman.planning.pipelines.table_names import Place

Tables = Callable[[ConnectionSpec], tuple[TableInfo, ...] | None]
"""The tables of a target as they are now; None where nobody can look."""


class Remedy(StrEnum):
    """What may be done about columns that a target lacks. The values are keys of phrases."""

    ADD = "pipeline_drift_add"
    LEAVE_OUT = "pipeline_drift_leave_out"
    REPLACE = "pipeline_drift_replace"


class Difference(Record, frozen=True, gc=True):
    """A pair whose target table lacks columns of what it reads."""

    pair: Pair
    lacking: tuple[str, ...]
    common: tuple[str, ...]
    whole: tuple[str, ...]


def differences(
    pipeline: Pipeline, places: Sequence[Place], catalog: Catalog, tables: Tables
) -> tuple[Difference, ...]:
    """Every pair whose table is there already and lacks something."""
    known: dict[str, dict[str, TableInfo]] = {}
    found: list[Difference] = []
    for pair in pipeline.pairs:
        writer = pair.writer
        read = place_of(pair.reader, places, catalog)
        if writer.verb == FILE_WRITER or said_in(writer, "on_drift") or read is None:
            continue
        name = said_in(writer, "connection")
        if name not in known:
            spec = catalog.connection_named(name)
            seen = tables(spec) if spec is not None else None
            known[name] = {each.name.casefold(): each for each in seen or ()}
        there = known[name].get(said_in(writer, "table").rpartition(".")[2].casefold())
        if there is None:
            continue
        held = {column.name.casefold() for column in there.columns}
        whole = tuple(column.name for column in read.place.table.columns)
        given = columns_of(pair.reader) or whole
        lacking = tuple(each for each in given if each.casefold() not in held)
        if lacking:
            common = tuple(each for each in given if each.casefold() in held)
            found.append(Difference(pair, lacking, common, whole))
    return tuple(found)


def remedied(pipeline: Pipeline, found: Sequence[Difference]) -> tuple[tuple[Remedy, Pipeline], ...]:
    """The pipeline with each of the remedies that there is."""
    by_writer = {each.pair.writer.binds: each for each in found}

    def changed(remedy: Remedy) -> Pipeline:
        pairs = (
            _changed(pair, by_writer[pair.writer.binds], remedy) if pair.writer.binds in by_writer else pair
            for pair in pipeline.pairs
        )
        return replace(pipeline, pairs=tuple(pairs))

    remedies = [each for each in Remedy if each is not Remedy.LEAVE_OUT or all(d.common for d in found)]
    return tuple((remedy, changed(remedy)) for remedy in remedies)


def _changed(pair: Pair, difference: Difference, remedy: Remedy) -> Pair:
    match remedy:
        case Remedy.ADD:
            return replace(pair, writer=with_argument(pair.writer, "on_drift", Text("add_columns")))
        case Remedy.LEAVE_OUT:
            return replace(pair, reader=with_columns(pair.reader, difference.common, difference.whole))
        case Remedy.REPLACE:
            writer = with_argument(pair.writer, "primary_key", None)
            writer = with_argument(writer, "write_mode", Text("replace"))
            return replace(pair, writer=with_argument(writer, "on_drift", Text("add_columns")))
