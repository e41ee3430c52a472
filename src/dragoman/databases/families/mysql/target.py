"""The address of a MariaDB or MySQL database."""

from pathlib import Path

from dragoman.contracts.access import DatabaseReader, WriteSession
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record
from dragoman.databases.access.target import Tls, shown


class MysqlTarget(Record, frozen=True):
    """MariaDB or MySQL over TCP."""

    host: str
    user: str
    database: str
    password: str = ""
    port: int = 3306
    tls: Tls = Tls.PREFERRED
    ca_file: Path | None = None

    def __repr__(self) -> str:
        return shown("MysqlTarget", self.user, self.password, self.host, self.port, self.database)

    def reader(self, limits: ReadLimits) -> DatabaseReader:
        from dragoman.databases.families.mysql.mysql_reader import MysqlReader

        return MysqlReader(self, limits)

    def session(self) -> WriteSession:
        from dragoman.databases.families.mysql.write_session import MysqlSession

        return MysqlSession(self)
