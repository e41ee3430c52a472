"""What a query will give, learnt from the server without reading a row."""

import psycopg

from dragoman.contracts.errors import StepRefused
from dragoman.contracts.record import Record
from dragoman.engine.components.postgres.server import Connection, Server

_TYPES = """
    WITH RECURSIVE asked AS (
        SELECT DISTINCT oid, typmod FROM unnest(%s::oid[], %s::int4[]) AS a(oid, typmod)
    ), bases AS (
        SELECT a.oid AS asked, a.typmod AS asked_typmod, t.oid, t.typtype, t.typname, t.typbasetype,
               t.typtypmod, t.typnamespace, t.typelem, t.typcategory, a.typmod
        FROM asked a JOIN pg_catalog.pg_type t ON t.oid = a.oid
        UNION ALL
        SELECT b.asked, b.asked_typmod, t.oid, t.typtype, t.typname, t.typbasetype, t.typtypmod,
               t.typnamespace, t.typelem, t.typcategory,
               CASE WHEN b.typtypmod >= 0 THEN b.typtypmod ELSE b.typmod END
        FROM bases b JOIN pg_catalog.pg_type t ON t.oid = b.typbasetype WHERE b.typtype = 'd'
    )
    SELECT b.asked::int8, b.asked_typmod::int8, b.typname::text, b.typtype::text, b.typcategory::text,
           b.typmod::int8, n.nspname::text, pg_catalog.format_type(b.asked, b.asked_typmod),
           pg_catalog.format_type(b.oid, -1)
    FROM bases b JOIN pg_catalog.pg_namespace n ON n.oid = b.typnamespace WHERE b.typtype <> 'd'
"""


class ServerType(Record, frozen=True):
    """A type as the server has it; of a domain, what it is a domain of. `written` is how a person sees it,
    `plain` is how a cast names it without its length."""

    name: str
    kind: str
    category: str
    typmod: int
    schema: str
    written: str
    plain: str

    @property
    def builtin(self) -> bool:
        return self.schema == "pg_catalog"


class Described(Record, frozen=True):
    name: str
    type: ServerType


def describe(connection: Connection, query: str, server: Server) -> tuple[Described, ...]:
    """The columns of a query. Raises StepRefused where the server cannot run it, or a name comes twice."""
    try:
        told = connection.execute(f"SELECT * FROM ({query}) AS q LIMIT 0".encode()).pgresult
    except psycopg.Error as error:
        raise _refused(connection, error, server) from error
    assert told is not None  # noqa: S101
    found = [((told.fname(i) or b"").decode(), told.ftype(i), told.fmod(i)) for i in range(told.nfields)]
    names = [name for name, _, _ in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice or not names:
        said = f"two columns named {twice[0]}" if twice else "no columns"
        raise StepRefused(f"the query gives {said}", hint="give each column a name of its own with AS")
    types = server_types(connection, [(oid, typmod) for _, oid, typmod in found])
    return tuple(Described(name, types[oid, typmod]) for name, oid, typmod in found)


def server_types(connection: Connection, asked: list[tuple[int, int]]) -> dict[tuple[int, int], ServerType]:
    rows = connection.execute(_TYPES, [[oid for oid, _ in asked], [typmod for _, typmod in asked]]).fetchall()
    return {
        (int(str(oid)), int(str(asked_typmod))): ServerType(
            str(name), str(kind), str(category), int(str(typmod)), str(schema), str(written), str(plain)
        )
        for oid, asked_typmod, name, kind, category, typmod, schema, written, plain in rows
    }


def _refused(connection: Connection, error: psycopg.Error, server: Server) -> Exception:
    fault = server.fault(error, "asked what the query gives")
    if connection.closed or error.sqlstate is None or error.sqlstate[:2] not in ("42", "22", "0A"):
        return fault
    return StepRefused(str(fault), hint="check the names of tables and columns, and the types compared")
