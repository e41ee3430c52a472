"""A connection whose server may read one file that was offered to it, and no other.

LOAD DATA LOCAL has the server name the file it wants. A server that is not what it seems would name another.
"""

from typing import Any

import pymysql
from pymysql.connections import LoadLocalPacketWrapper, MySQLResult  # type: ignore[attr-defined]

from dragoman.databases.families.mysql.marks import MarkedConnection


class LoadingConnection(MarkedConnection):
    offered: str | None = None
    """The only file that is given away."""

    def _read_query_result(self, unbuffered: bool = False) -> int:
        self._result: Any = None
        if self.offered is None:
            return int(super()._read_query_result(unbuffered))  # type: ignore[misc]
        result = _CarefulResult(self)
        result.read()
        self._result = result
        if result.server_status is not None:
            self.server_status = result.server_status
        return int(result.affected_rows or 0)


class _CarefulResult(MySQLResult):
    connection: Any

    def _read_load_local_packet(self, first_packet: Any) -> None:
        asked = LoadLocalPacketWrapper(first_packet).filename
        name = asked.decode() if isinstance(asked, bytes) else asked
        if name != self.connection.offered:
            self.connection._force_close()
            raise pymysql.err.OperationalError(0, "the server asked for a file that was not offered to it")
        super()._read_load_local_packet(first_packet)  # type: ignore[misc]
