"""The mark of a run on a PostgreSQL server: a part of the name that its sessions give themselves."""

import uuid

import psycopg

from dragoman.databases.families.postgres.address import PostgresAddress
from dragoman.databases.families.postgres.connection import connect, refusal

_STOP = """
    SELECT pg_catalog.pg_cancel_backend(pid) FROM pg_catalog.pg_stat_activity
    WHERE pg_catalog.left(application_name, pg_catalog.length(%(name)s)) = %(name)s
    AND pid <> pg_catalog.pg_backend_pid()
"""
_OWN = 8


def session_name(mark: str) -> str:
    """A name for the sessions of one step. A server cuts names at 63 bytes."""
    return f"{_name(mark or uuid.uuid4().hex)}-{uuid.uuid4().hex[:_OWN]}"


def stop_marked(target: PostgresAddress, mark: str) -> None:
    """Stop what a run whose process is gone still does on its server. Raises AccessError."""
    with connect(target) as line:
        try:
            line.execute(_STOP, {"name": _name(mark)})
        except psycopg.Error as error:
            raise refusal(target, error) from error


def _name(mark: str) -> str:
    return f"dragoman {mark}"
