"""The writers of a pipeline in hand, and how a message wants them."""

from collections.abc import Callable

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.program import Boolean, Statement, Text
from dragoman.planning.contract import Refusal
from dragoman.planning.pipelines.order import Options, Order
from dragoman.planning.pipelines.pipeline import (
    FILE_WRITER,
    Pair,
    Pipeline,
    Symbols,
    said_in,
    told_apart,
    with_argument,
)
from dragoman.planning.pipelines.steps import Target, format_of, mode_arguments, plain, writer_for
from dragoman.planning.pipelines.synthesis import name_for
from dragoman.planning.pipelines.targets import FOLDER, can_be_written

Keys = Callable[[Pair], tuple[str, ...]]


def target_in_hand(held: Pipeline, catalog: Catalog) -> Target:
    """Where the writers of a pipeline write, as one target."""
    writer = held.pairs[0].writer
    if writer.verb != FILE_WRITER:
        spec = catalog.connection_named(said_in(writer, "connection"))
        return Target(Options(mode=said_in(writer, "write_mode")), spec, len(held.pairs) > 1)
    path = said_in(writer, "path")
    header = writer.argument("header")
    options = Options(
        format=said_in(writer, "format"),
        delimiter=said_in(writer, "delimiter"),
        header=header.value.value if header is not None and isinstance(header.value, Boolean) else None,
        compression=said_in(writer, "compression"),
        path=path if len(held.pairs) == 1 else "",
        folder=path.rpartition("/")[0],
    )
    return Target(options, None, len(held.pairs) > 1, options.folder)


def rewritten(held: Pipeline, order: Order, catalog: Catalog, keys: Keys) -> Pipeline | Refusal:
    """The pipeline with the target and the options that a message names."""
    said = order.options
    if order.target is None and said == Options():
        return held
    now = target_in_hand(held, catalog)
    target = _target(now, order, several=len(held.pairs) > 1)
    held = _called(held, now, target, catalog)
    moves = target.spec != now.spec or _names_files(said, now)
    if moves:
        return _renewed(held, target, catalog, keys)
    pairs = tuple(replace(pair, writer=_changed(pair, said, keys)) for pair in held.pairs)
    return replace(held, pairs=pairs)


def _called(held: Pipeline, before: Target, now: Target, catalog: Catalog) -> Pipeline:
    """The pipeline under the name of where it goes now, if it had that of where it went."""
    source = catalog.connection_named(said_in(held.pairs[0].reader, "connection") or "default")
    if held.name not in (name_for("", source, before), name_for("", None, before)):
        return held
    return replace(held, name=name_for("", None if held.name.startswith("query-") else source, now))


def _names_files(said: Options, now: Target) -> bool:
    """Whether the files themselves change their names: another format, path or packing."""
    return bool(said.format or said.path or said.folder) or (now.spec is None and bool(said.compression))


def _target(now: Target, order: Order, *, several: bool) -> Target:
    said, before = order.options, now.options
    if order.target is not None:
        spec = next(spec for spec in order.target.specs if can_be_written(spec))
        return Target(replace(said, format=""), spec, several)
    files = said.format or said.path or said.folder
    if now.spec is not None and not files:
        return replace(now, options=replace(before, mode=said.mode or before.mode, table=said.table))
    if now.spec is not None:
        return Target(said, None, several, FOLDER)
    form = format_of(said) or before.format
    same = form == before.format
    options = Options(
        format=form,
        delimiter=said.delimiter or (before.delimiter if same else ""),
        header=said.header if said.header is not None else (before.header if same else None),
        compression=said.compression or (before.compression if same else ""),
        path=said.path or _path(before.path, before, form, said),
        folder=said.folder or ("" if said.path else before.folder),
    )
    return Target(options, None, several, options.folder or FOLDER)


def _path(path: str, before: Options, form: str, said: Options) -> str:
    """The path in hand with the ending of another format; none where only the folder changes."""
    if not path or said.folder:
        return ""
    from dragoman.planning.pipelines.steps import ending_of

    name = path.rpartition("/")[2].partition(".")[0]
    folder = path.rpartition("/")[0]
    options = Options(
        delimiter=said.delimiter or before.delimiter, compression=said.compression or before.compression
    )
    file = f"{name}.{ending_of(form, options)}"
    return f"{folder}/{file}" if folder else file


def _renewed(held: Pipeline, target: Target, catalog: Catalog, keys: Keys) -> Pipeline:
    """The writers written anew: another kind of target has other arguments."""
    symbols = Symbols([step.binds for pair in held.pairs for step in (pair.reader, *pair.between)])
    pairs = []
    for pair in held.pairs:
        last = (pair.reader, *pair.between)[-1]
        pairs.append(
            replace(pair, writer=writer_for(last, _name(pair), keys(pair), target, catalog, symbols))
        )
    return replace(held, pairs=told_apart(pairs))


def _name(pair: Pair) -> str:
    """What the table of a pair is called: as it is written now."""
    table = said_in(pair.reader, "table").rpartition(".")[2]
    if table:
        return table
    written = (
        said_in(pair.writer, "table") or said_in(pair.writer, "path").rpartition("/")[2].partition(".")[0]
    )
    return written or plain(pair.reader.verb)


def _changed(pair: Pair, said: Options, keys: Keys) -> Statement:
    """The writer with other options, and everything else as it is."""
    writer = pair.writer
    if writer.verb == FILE_WRITER:
        if said.delimiter:
            writer = with_argument(writer, "delimiter", Text(said.delimiter))
        if said.header is not None:
            writer = with_argument(writer, "header", Boolean(said.header))
        return writer
    if said.mode:
        writer = with_argument(writer, "primary_key", None)
        for argument in mode_arguments(said.mode, keys(pair)):
            writer = with_argument(writer, argument.name, argument.value)
    if said.table:
        writer = with_argument(writer, "table", Text(said.table))
    return writer
