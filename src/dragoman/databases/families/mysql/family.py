"""MariaDB and MySQL as a family."""

from dragoman.contracts.access import Reader
from dragoman.contracts.connection import ResolvedConnection, Transport
from dragoman.contracts.family import Family
from dragoman.contracts.schema import Dialect, Shape
from dragoman.databases.access.target import secret_of, tls_of
from dragoman.databases.families.mysql.target import MysqlTarget
from dragoman.databases.families.verbs import verbs_beside

_MAY_WRITE = """
SELECT EXISTS (SELECT 1 FROM information_schema.user_privileges
    WHERE privilege_type NOT IN ('USAGE', 'SELECT', 'SHOW VIEW', 'SHOW DATABASES'))
  OR EXISTS (SELECT 1 FROM information_schema.schema_privileges
    WHERE table_schema = DATABASE() AND privilege_type NOT IN ('SELECT', 'SHOW VIEW'))
  OR EXISTS (SELECT 1 FROM information_schema.table_privileges
    WHERE table_schema = DATABASE() AND privilege_type NOT IN ('SELECT', 'SHOW VIEW'))
"""


def _target(connection: ResolvedConnection) -> MysqlTarget:
    tls, authorities = tls_of(connection)
    return MysqlTarget(
        host=connection.host,
        user=connection.user,
        database=connection.database,
        password=secret_of(connection),
        port=connection.port,
        tls=tls,
        ca_file=authorities,
    )


def _shape(reader: Reader) -> Shape:
    from dragoman.databases.families.mysql.shape import mysql_shape

    return mysql_shape(reader)


def _stop_marked(connection: ResolvedConnection, mark: str) -> None:
    from dragoman.databases.families.mysql.marks import stop_marked

    stop_marked(_target(connection), mark)


def _reading_login(connection: ResolvedConnection, login: str) -> str:
    account = f"{_quoted(login)}@'%'"
    return "\n".join(
        (
            f"CREATE USER {account} IDENTIFIED BY '<password>';",
            f"GRANT SELECT, SHOW VIEW ON {_granted(connection.database)}.* TO {account};",
        )
    )


def _granted(name: str) -> str:
    # In a grant, an underscore and a percent sign would stand for other databases too.
    escaped = name.replace("\\", "\\\\").replace("_", "\\_").replace("%", "\\%")
    return "`" + escaped.replace("`", "``") + "`"


def _quoted(name: str) -> str:
    return "'" + name.replace("\\", "\\\\").replace("'", "''") + "'"


FAMILY = Family(
    name="mysql",
    dialect=Dialect.MYSQL,
    transport=Transport.SERVER,
    schemes=("mysql", "mariadb"),
    spellings=("mariadb",),
    port=3306,
    parameters=("sslmode",),
    files=("sslrootcert",),
    ignored=("charset", "connect_timeout"),
    target=_target,
    shape=_shape,
    may_write=_MAY_WRITE,
    reading_login=_reading_login,
    stop_marked=_stop_marked,
    components=(
        ("mysql.extractor", "dragoman.engine.components.mysql:EXTRACTOR"),
        ("mysql.writer", "dragoman.engine.components.mysql:WRITER"),
    ),
    signatures=verbs_beside(__package__),
    query_extractor="dragoman.engine.components.mysql:EXTRACTOR",
    table_writer="mysql.writer",
)
