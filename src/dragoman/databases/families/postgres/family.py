"""PostgreSQL as a family."""

from dragoman.contracts.access import Reader
from dragoman.contracts.connection import ResolvedConnection, Transport
from dragoman.contracts.family import Family
from dragoman.contracts.schema import Dialect, Shape
from dragoman.databases.families.postgres import server
from dragoman.databases.families.postgres.target import server_target
from dragoman.databases.families.verbs import verbs_beside


def _shape(reader: Reader) -> Shape:
    from dragoman.databases.families.postgres.shape import postgres_shape

    return postgres_shape(reader)


def _stop_marked(connection: ResolvedConnection, mark: str) -> None:
    from dragoman.databases.families.postgres.marks import stop_marked

    stop_marked(server_target(connection), mark)


FAMILY = Family(
    name="postgres",
    dialect=Dialect.POSTGRES,
    transport=Transport.SERVER,
    schemes=("postgres", "postgresql"),
    spellings=("postgresql",),
    port=server.PORT,
    parameters=server.PARAMETERS,
    files=server.FILES,
    ignored=server.IGNORED,
    target=server_target,
    shape=_shape,
    may_write=server.MAY_WRITE,
    reading_login=server.reading_login,
    stop_marked=_stop_marked,
    components=(
        ("postgres.extractor", "dragoman.engine.components.postgres:EXTRACTOR"),
        ("postgres.writer", "dragoman.engine.components.postgres:WRITER"),
    ),
    signatures=verbs_beside(__package__),
    query_extractor="dragoman.engine.components.postgres:EXTRACTOR",
    table_writer="postgres.writer",
)
