"""Where the rows of an order go, held against what can be written here."""

from pathlib import Path
from typing import Final

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.connection import ConnectionSpec
from dragoman.databases.families.registry import family
from dragoman.planning.contract import Refusal
from dragoman.planning.pipelines.order import Order
from dragoman.planning.pipelines.steps import ENDINGS, Target, connection_name, format_of

NO_TARGET: Final = "pipeline_no_target"
NO_SOURCE: Final = "pipeline_no_source"
NO_FORMAT: Final = "pipeline_no_format"
READ_ONLY: Final = "pipeline_read_only"
PATH: Final = "pipeline_path"
DELETES: Final = "pipeline_deletes"
FOLDER: Final = "export"


def refused(order: Order, catalog: Catalog, folder: Path | None) -> Refusal | None:
    """Why nobody can do what is ordered, whichever tables it is about."""
    known = ", ".join(targets_here(catalog))
    if order.absent_target:
        return Refusal(NO_TARGET, (order.absent_target, known))
    if order.absent_format:
        return Refusal(NO_FORMAT, (order.absent_format,))
    if order.deletes:
        return Refusal(DELETES)
    if order.unknown_source:
        sources = ", ".join(connection_name(spec, catalog) for spec in catalog.databases.specs)
        return Refusal(NO_SOURCE, (order.unknown_source, sources))
    if order.unknown_target:
        return Refusal(NO_TARGET, (order.unknown_target, known))
    wanted = order.target.specs if order.target is not None else ()
    if order.target is not None and not wanted:
        return Refusal(NO_TARGET, (order.target.said, known))
    if wanted and not any(can_be_written(spec) for spec in wanted):
        return Refusal(READ_ONLY, (order.target.said if order.target else "", known))
    return _path_refused(order, folder)


def _path_refused(order: Order, folder: Path | None) -> Refusal | None:
    options = order.options
    path = options.path or options.folder
    ending = options.path.lower().removesuffix(".gz").removesuffix(".zst").rpartition(".")[2]
    if options.path and ending not in ENDINGS and not options.format:
        return Refusal(NO_FORMAT, (ending,))
    return refused_path(path, folder)


def refused_path(path: str, folder: Path | None) -> Refusal | None:
    """Why a path of a message cannot be written; None where it can."""
    if not path or folder is None:
        return None
    from dragoman.guards.paths import judge_path

    verdict = judge_path(str(folder), path.rstrip("/") if path.strip("/") else path)
    return None if verdict.resolved is not None else Refusal(PATH, (path, verdict.message))


def can_be_written(spec: ConnectionSpec) -> bool:
    """Whether a pipeline can write tables there."""
    return bool(spec.family is not None and family(spec.family).table_writer)


def targets_here(catalog: Catalog) -> tuple[str, ...]:
    """Where rows can go: the connections whose tables can be written, and the kinds of files."""
    specs = [connection_name(spec, catalog) for spec in catalog.databases.specs if can_be_written(spec)]
    return (*specs, "CSV", "Parquet", "JSON")


def targets_of(order: Order) -> tuple[Target, ...]:
    """The targets that an order may mean: one, or one for each connection that its words fit."""
    options = order.options
    if order.target is None:
        return (Target(options, folder=FOLDER),)
    found = [spec for spec in order.target.specs if can_be_written(spec)]
    tables = tuple(Target(replace(options, format=""), spec) for spec in found)
    if not options.format:
        return tables
    # Tables have no file format: whether they or files are meant, a person has to say.
    files = Target(
        replace(options, folder=options.folder or order.target.said.removeprefix("@")), folder=FOLDER
    )
    return (*tables, files)


def is_said(order: Order) -> bool:
    """Whether the message says where to, or in which form."""
    options = order.options
    return bool(
        order.target is not None
        or order.unknown_target
        or order.absent_target
        or order.absent_format
        or format_of(options)
        or options.path
        or options.folder
    )
