"""The readers of a pipeline in hand: which table each reads, and which columns of it."""

from collections.abc import Sequence

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.program import Argument, Statement, Text
from dragoman.contracts.program import Sequence as Listed
from dragoman.contracts.record import Record
from dragoman.planning.pipelines.pipeline import said_in, texts, with_argument
from dragoman.planning.pipelines.steps import connection_name
from dragoman.planning.pipelines.table_names import Place

COLUMNS = "columns"


class ReadTable(Record, frozen=True, gc=True):
    """A table that a step reads, and what programs call it."""

    place: Place
    name: str


def place_of(reader: Statement, places: Sequence[Place], catalog: Catalog) -> ReadTable | None:
    """The table whose rows a step gives, as they are; None where it computes something."""
    spec = catalog.connection_named(said_in(reader, "connection")) if said_in(reader, "connection") else None
    table, (domain, _, action) = said_in(reader, "table"), reader.verb.rpartition(".")
    for place in places:
        if spec is not None and place.spec != spec:
            continue
        info = place.table
        if table and table in (info.name, f"{info.schema}.{info.name}"):
            return ReadTable(place, _name(place, catalog))
        if not table and action == "list" and _name(place, catalog) == domain:
            return ReadTable(place, domain)
    return None


def _name(place: Place, catalog: Catalog) -> str:
    tables = catalog.tables_of(place.spec)
    names = tables.graph.by_name if tables is not None else {}
    return next((said for said, each in names.items() if each.info == place.table), place.table.name)


def columns_of(reader: Statement) -> tuple[str, ...]:
    """The columns that a step names; none where it gives all."""
    argument = reader.argument(COLUMNS)
    value = argument.value if argument is not None else None
    if isinstance(value, Text):
        return (value.value,)
    return (
        tuple(each.value for each in value.items if isinstance(each, Text))
        if isinstance(value, Listed)
        else ()
    )


def real_names(columns: Sequence[str], place: Place, catalog: Catalog) -> tuple[str, ...]:
    """Columns as programs call them, by what the database calls them."""
    tables = catalog.tables_of(place.spec)
    found = tables.graph.by_name.get(_name(place, catalog)) if tables is not None else None
    known = {name: column.info.name for name, column in found.columns.items()} if found is not None else {}
    return tuple(known.get(name, name) for name in columns)


def table_behind(reader: Statement, places: Sequence[Place], catalog: Catalog) -> Place | None:
    """The table that a verb computes something of."""
    spec = catalog.connection_named(said_in(reader, "connection")) if said_in(reader, "connection") else None
    domain = reader.verb.rpartition(".")[0]
    found = (
        each for each in places if (spec is None or each.spec == spec) and _name(each, catalog) == domain
    )
    return next(found, None)


def with_columns(reader: Statement, columns: tuple[str, ...], whole: Sequence[str]) -> Statement:
    """The step with these columns; without any named where they are all there are, in their order."""
    return with_argument(reader, COLUMNS, None if list(columns) == list(whole) else texts(columns))


def as_list(reader: Statement, read: ReadTable, catalog: Catalog) -> Statement:
    """The rows of a table by its verb, which takes conditions."""
    if reader.verb == f"{read.name}.list":
        return reader
    connection = Argument("connection", Text(connection_name(read.place.spec, catalog)))
    columns = reader.argument(COLUMNS)
    arguments = (connection,) if columns is None else (connection, columns)
    return Statement(f"{read.name}.list", arguments, reader.binds)


def identified(arguments: tuple[Argument, ...], place: Place, catalog: Catalog) -> tuple[Argument, ...]:
    """Arguments that name columns by what the database calls them, as programs call these columns."""
    tables = catalog.tables_of(place.spec)
    found = tables.graph.by_name.get(_name(place, catalog)) if tables is not None else None
    known = found.by_real_name if found is not None else {}
    return tuple(
        replace(each, name=known[each.name].name) if each.name in known else each for each in arguments
    )
