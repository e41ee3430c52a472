"""A MariaDB or MySQL database that can be opened."""

from dragoman.contracts.access import DatabaseReader, WriteSession
from dragoman.contracts.query import ReadLimits
from dragoman.databases.families.mysql.address import MysqlAddress


class MysqlTarget(MysqlAddress, frozen=True):
    def reader(self, limits: ReadLimits) -> DatabaseReader:
        from dragoman.databases.families.mysql.mysql_reader import MysqlReader

        return MysqlReader(self, limits)

    def session(self) -> WriteSession:
        from dragoman.databases.families.mysql.write_session import MysqlSession

        return MysqlSession(self)
