"""The statements that make a login which can only read, for the administrator to run."""

from dragoman.contracts.schema import Dialect
from dragoman.databases.connections.spec import ResolvedConnection

READER = "dragoman_reader"


def least_privilege(connection: ResolvedConnection, login: str = READER) -> str:
    """Statements in the connection's dialect. The password is left for the administrator to choose."""
    database = connection.database
    match connection.dialect:
        case Dialect.POSTGRES:
            schemas = [name for name in connection.option("schemas", "public").split(",") if name.strip()]
            return "\n".join(
                _postgres(_double(login), _double(database), [_double(each.strip()) for each in schemas])
            )
        case Dialect.MYSQL:
            account = f"{_single(login)}@'%'"
            return "\n".join(
                (
                    f"CREATE USER {account} IDENTIFIED BY '<password>';",
                    f"GRANT SELECT, SHOW VIEW ON {_back(database)}.* TO {account};",
                )
            )
        case Dialect.SQLITE | Dialect.DUCKDB:
            return "chmod a-w on the file, and run Dragoman as a user who does not own it"


def _postgres(login: str, database: str, schemas: list[str]) -> list[str]:
    lines = [
        f"CREATE ROLE {login} LOGIN PASSWORD '<password>' NOSUPERUSER NOCREATEDB NOCREATEROLE;",
        f"ALTER ROLE {login} SET default_transaction_read_only = on;",
        f"GRANT CONNECT ON DATABASE {database} TO {login};",
    ]
    for schema in schemas:
        lines += (
            f"GRANT USAGE ON SCHEMA {schema} TO {login};",
            f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {login};",
            f"ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT SELECT ON TABLES TO {login};",
        )
    return lines


def _double(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _back(name: str) -> str:
    # In a grant, an underscore and a percent sign would stand for other databases too.
    escaped = name.replace("\\", "\\\\").replace("_", "\\_").replace("%", "\\%")
    return "`" + escaped.replace("`", "``") + "`"


def _single(name: str) -> str:
    return "'" + name.replace("\\", "\\\\").replace("'", "''") + "'"
