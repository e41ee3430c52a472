"""A pipeline out of what is wanted: the same tables and wishes give the same program, byte for byte."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.program import Program, Statement
from dragoman.contracts.record import Record
from dragoman.language.program_names import is_kebab, kebab_of
from dragoman.planning.pipelines.pipeline import Pair, Pipeline, Symbols, told_apart
from dragoman.planning.pipelines.steps import (
    DEFAULT_FORMAT,
    Target,
    format_of,
    plain,
    table_reader,
    writer_for,
)
from dragoman.planning.pipelines.table_names import Place


class Rows(Record, frozen=True, gc=True):
    """What one pair moves: a whole table, or what a question reads. `name` is what the target is called."""

    name: str
    place: Place | None = None
    columns: tuple[str, ...] = ()
    reads: Program = ()
    keys: tuple[str, ...] = ()


def rows_of_table(place: Place, columns: tuple[str, ...] = ()) -> Rows:
    keys = place.table.primary_key
    kept = keys if not columns or set(keys) <= set(columns) else ()
    return Rows(place.table.name, place, columns, keys=kept)


def rows_of_question(reads: Program, name: str) -> Rows:
    return Rows(name, reads=reads)


def pipeline_for(
    rows: Sequence[Rows], target: Target, source: ConnectionSpec | None, catalog: Catalog, name: str = ""
) -> Pipeline:
    symbols = Symbols()
    whole = replace(target, several=len(rows) > 1)
    pairs = tuple(pair_for(each, whole, catalog, symbols) for each in rows)
    return Pipeline(name_for(name, source, target), told_apart(pairs))


def pair_for(rows: Rows, target: Target, catalog: Catalog, symbols: Symbols) -> Pair:
    if rows.place is not None:
        reader = table_reader(rows.place, catalog, symbols, rows.columns)
        return Pair(reader, writer_for(reader, rows.name, rows.keys, target, catalog, symbols))
    steps = tuple(
        _bound(step, rows.name, last=step is rows.reads[-1], symbols=symbols) for step in rows.reads
    )
    reader, between = steps[0], steps[1:]
    return Pair(reader, writer_for(steps[-1], rows.name, (), target, catalog, symbols), between)


def _bound(step: Statement, name: str, *, last: bool, symbols: Symbols) -> Statement:
    if not last and step.binds:
        return step
    return replace(step, binds=symbols.fresh(f"extract-{plain(name)}"))


def name_for(said: str, source: ConnectionSpec | None, target: Target) -> str:
    """What a pipeline is called: as it is said, or after where from and where to."""
    if said:
        return said if is_kebab(said) else kebab_of(said)
    end = target.spec.family if target.spec is not None else format_of(target.options) or DEFAULT_FORMAT
    start = source.family if source is not None else "query"
    if target.spec is not None and source is not None and start == end:
        start, end = source.alias, target.spec.alias
    return kebab_of(f"{start}-to-{end}-export")


def in_order_of_links(places: Iterable[Place]) -> tuple[Place, ...]:
    """Tables with those that others point at first; otherwise by their names."""
    waiting = sorted(places, key=lambda place: (place.table.schema, place.table.name))
    done: list[Place] = []
    while waiting:
        names = {place.table.name for place in waiting}
        ready = [
            place
            for place in waiting
            if not ({key.table for key in place.table.foreign_keys if key.declared} - {place.table.name})
            & names
        ]
        # Tables that point at each other have no order: the first by name goes first.
        taken = ready[0] if ready else waiting[0]
        done.append(taken)
        waiting.remove(taken)
    return tuple(done)
