"""The address of a MariaDB or MySQL database."""

from pathlib import Path

from dragoman.contracts.record import Record
from dragoman.databases.access.target import Tls, shown


class MysqlAddress(Record, frozen=True):
    """MariaDB or MySQL over TCP."""

    host: str
    user: str
    database: str
    password: str = ""
    port: int = 3306
    tls: Tls = Tls.PREFERRED
    ca_file: Path | None = None

    def __repr__(self) -> str:
        return shown(type(self).__name__, self.user, self.password, self.host, self.port, self.database)
