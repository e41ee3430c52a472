"""Which columns are JSON in MariaDB, where JSON is a LONGTEXT that is checked to be valid."""

import pymysql
from pymysql.constants import FIELD_TYPE, FLAG

from dragoman.contracts.errors import AccessError
from dragoman.databases.families.mysql.address import MysqlAddress
from dragoman.databases.families.mysql.connection import connect
from dragoman.databases.families.mysql.literals import text_literal
from dragoman.databases.families.mysql.values import Field

_ANSWER_SECONDS = 5.0
_LONGTEXT_BYTES = 2**32 - 1
_BINARY_CHARSET = 63

Table = tuple[str, str]


class JsonColumns:
    """What was learnt of tables so far. A result does not tell; the table's checks do."""

    def __init__(self) -> None:
        self._known: dict[Table, frozenset[str]] = {}

    def among(self, fields: list[Field], target: MysqlAddress) -> set[int]:
        """The places of the fields that are JSON."""
        found = set[int]()
        for number, field in enumerate(fields):
            table = (field.db.decode("utf-8", "replace"), field.org_table)
            if not _may_be(field) or not all(table):
                continue
            if table not in self._known:
                self._known[table] = _checked_columns(target, table)
            if field.org_name in self._known[table]:
                found.add(number)
        return found


def _may_be(field: Field) -> bool:
    return (
        field.type_code == FIELD_TYPE.BLOB
        and field.length == _LONGTEXT_BYTES
        and bool(field.flags & FLAG.BINARY)
        and field.charsetnr != _BINARY_CHARSET
    )


def _checked_columns(target: MysqlAddress, table: Table) -> frozenset[str]:
    """The columns of a table that are checked to be JSON; none where the server does not say."""
    schema, name = (text_literal(part) for part in table)
    try:
        # A connection of its own: the one that reads may still have rows to give.
        connection = connect(target, _ANSWER_SECONDS)
    except AccessError:
        return frozenset()
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT check_clause FROM information_schema.check_constraints "
                f"WHERE constraint_schema = {schema} AND table_name = {name} AND level = 'Column'"
            )
            clauses = [str(row[0]) for row in cursor.fetchall()]
    except pymysql.err.MySQLError:
        return frozenset()
    finally:
        connection.close()
    return frozenset(
        clause.removeprefix("json_valid(`").removesuffix("`)").replace("``", "`")
        for clause in clauses
        if clause.startswith("json_valid(`") and clause.endswith("`)")
    )
