"""What every family that speaks to a PostgreSQL server says alike."""

from typing import Final

from dragoman.contracts.connection import ResolvedConnection

PORT: Final = 5432
PARAMETERS: Final = ("sslmode", "schemas")
FILES: Final = ("sslrootcert",)
IGNORED: Final = (
    "application_name",
    "connect_timeout",
    "pgbouncer",
    "connection_limit",
    "pool_timeout",
    "supa",
    "client_encoding",
)
MAY_WRITE: Final = """
SELECT (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user)
  OR has_database_privilege(current_database(), 'CREATE')
  OR EXISTS (
    SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND left(n.nspname, 3) <> 'pg_' AND n.nspname <> 'information_schema'
      AND has_schema_privilege(n.oid, 'USAGE')
      AND (has_table_privilege(c.oid, 'INSERT') OR has_table_privilege(c.oid, 'UPDATE')
        OR has_table_privilege(c.oid, 'DELETE') OR has_table_privilege(c.oid, 'TRUNCATE')))
"""


def reading_login(connection: ResolvedConnection, login: str) -> str:
    schemas = [name.strip() for name in connection.option("schemas", "public").split(",") if name.strip()]
    role, lines = _quoted(login), list[str]()
    lines += (
        f"CREATE ROLE {role} LOGIN PASSWORD '<password>' NOSUPERUSER NOCREATEDB NOCREATEROLE;",
        f"ALTER ROLE {role} SET default_transaction_read_only = on;",
        f"GRANT CONNECT ON DATABASE {_quoted(connection.database)} TO {role};",
    )
    for schema in map(_quoted, schemas):
        lines += (
            f"GRANT USAGE ON SCHEMA {schema} TO {role};",
            f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role};",
            f"ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT SELECT ON TABLES TO {role};",
        )
    return "\n".join(lines)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
