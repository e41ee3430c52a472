"""The mark of a run on a MariaDB or MySQL server: a comment before each of its statements.

A server keeps no other word of ours that every login can see. The mark is random, so a statement that has it
is of that run and of no other, whatever number its connection has.
"""

from typing import Any

import pymysql

from dragoman.databases.families.mysql.address import MysqlAddress
from dragoman.databases.families.mysql.connection import OwnConnection, connect, refusal, run
from dragoman.databases.families.mysql.literals import text_literal

_ANSWER_SECONDS = 10.0


def marked(mark: str, sql: str) -> str:
    return f"/* {_name(mark)} */ {sql}" if mark else sql


class MarkedConnection(OwnConnection):
    """A connection whose statements all have the mark of its run."""

    mark = ""

    def query(self, sql: Any, unbuffered: bool = False) -> int:
        text = sql if isinstance(sql, str) else bytes(sql).decode("utf-8", "surrogateescape")
        return int(super().query(marked(self.mark, text), unbuffered))


def stop_marked(target: MysqlAddress, mark: str) -> None:
    """Stop what a run whose process is gone still does on its server. Raises AccessError."""
    connection = connect(target, _ANSWER_SECONDS)
    try:
        with connection.cursor() as cursor:
            # The number of a connection is never given twice, and nobody is left to send another statement.
            cursor.execute(
                "SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID() "  # noqa: S608
                f"AND LOCATE({text_literal(_name(mark))}, info) > 0"
            )
            found = [int(row[0]) for row in cursor.fetchall()]
        for number in found:
            run(connection, f"KILL QUERY {number}")
    except pymysql.err.MySQLError as error:
        raise refusal(target, error) from error
    finally:
        connection.close()


def _name(mark: str) -> str:
    return f"dragoman {mark}"
