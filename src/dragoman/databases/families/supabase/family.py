"""Supabase as a family: PostgreSQL by its URL, or REST by the address of a project and its key."""

import re

from dragoman.contracts.access import Reader, Target
from dragoman.contracts.connection import ConnectionSpec, ResolvedConnection, Transport
from dragoman.contracts.family import Family
from dragoman.contracts.schema import Dialect, Shape
from dragoman.databases.access.target import secret_of
from dragoman.databases.families.postgres import server
from dragoman.databases.families.postgres.target import schemas_of, server_target
from dragoman.databases.families.supabase.target import RestTarget
from dragoman.databases.families.verbs import verbs_beside

_NAME = "supabase"
_HOST = re.compile(r"[a-z0-9][a-z0-9-]{0,62}\.supabase\.(?:co|in|red)")


def _project(scheme: str, rest: str) -> ConnectionSpec | None:
    """The address of a project, which is read over REST with a key."""
    host = rest.removeprefix("//").removesuffix("/").lower()
    if scheme != "https" or not rest.startswith("//") or not _HOST.fullmatch(host):
        return None
    return ConnectionSpec(_NAME, transport=Transport.REST, host=host, port="443")


def _target(connection: ResolvedConnection) -> Target:
    if connection.transport is not Transport.REST:
        return server_target(connection)
    # A key is sent on every request: never to anybody who has not shown that the name is theirs.
    address = f"https://{connection.host}:{connection.port}"
    return RestTarget(address, secret_of(connection), schemas_of(connection))


def _stop_marked(connection: ResolvedConnection, mark: str) -> None:
    from dragoman.databases.families.postgres.marks import stop_marked

    # Over REST there is no session; what a project still does then ends by its own limit.
    if connection.transport is not Transport.REST:
        stop_marked(server_target(connection), mark)


def _shape(reader: Reader) -> Shape:
    from dragoman.databases.families.supabase.shape import supabase_shape

    return supabase_shape(reader)


def _rules_all(key: str) -> bool:
    from dragoman.databases.families.supabase.project_keys import rules_all

    return rules_all(key)


FAMILY = Family(
    name=_NAME,
    dialect=Dialect.POSTGRES,
    transport=Transport.SERVER,
    schemes=("supabase",),
    address=_project,
    takes=("postgres",),
    port=server.PORT,
    parameters=server.PARAMETERS,
    files=server.FILES,
    ignored=server.IGNORED,
    target=_target,
    shape=_shape,
    may_write=server.MAY_WRITE,
    rules_all=_rules_all,
    reading_login=server.reading_login,
    stop_marked=_stop_marked,
    components=(
        ("supabase.extractor", "dragoman.engine.components.supabase:EXTRACTOR"),
        ("supabase.writer", "dragoman.engine.components.supabase:WRITER"),
    ),
    signatures=verbs_beside(__package__),
    query_extractor="dragoman.engine.components.supabase:EXTRACTOR",
    table_writer="supabase.writer",
)
