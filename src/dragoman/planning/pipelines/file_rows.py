"""Rows out of a file of the workspace, into a table."""

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.program import Argument, Statement, Text
from dragoman.planning.pipelines.built import Built
from dragoman.planning.pipelines.pipeline import Pair, Pipeline, Symbols
from dragoman.planning.pipelines.request import Request
from dragoman.planning.pipelines.steps import connection_name, plain, writer_for
from dragoman.planning.pipelines.synthesis import name_for
from dragoman.planning.pipelines.targets import targets_of


def of_file(request: Request, catalog: Catalog) -> tuple[Built, ...] | None:
    """The pipeline that loads a file, for each table target that may be meant."""
    path = request.read.source_file
    stem = path.rpartition("/")[2].partition(".")[0]
    found: list[Built] = []
    for target in targets_of(request.order):
        if target.spec is None:
            continue
        symbols = Symbols()
        arguments = [Argument("path", Text(path))]
        if target.options.delimiter:
            arguments.append(Argument("delimiter", Text(target.options.delimiter)))
        reader = Statement("filesystem.extractor", tuple(arguments), symbols.fresh(f"extract-{plain(stem)}"))
        name = plain(stem).replace("-", "_")
        writer = writer_for(reader, name, (), target, catalog, symbols)
        said = request.order.name or f"file-to-{target.spec.family}-export"
        pipeline = Pipeline(name_for(said, None, target), (Pair(reader, writer),))
        found.append(Built(pipeline, None, connection_name(target.spec, catalog)))
    return tuple(found) or None
