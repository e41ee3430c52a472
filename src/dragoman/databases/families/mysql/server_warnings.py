"""Warnings by which MariaDB and MySQL say that a result is not what was asked for.

Where other databases refuse, these two give another value, or fewer rows, and a warning that nobody reads. So
the ones below are errors. Left out are warnings about the query and not about its result (1287, something is
deprecated; 1105 and every other note) and 1365: a division by nought is NULL there, as everybody expects.
"""

from collections.abc import Mapping
from typing import Final

from dragoman.contracts.errors import ResultAltered
from dragoman.databases.families.mysql.connection import Connection

_CONVERTED: Final = "a value was cut or replaced because it does not fit the type that it was converted to"
_LETTERS: Final = "a text was changed because its letters do not exist in the character set it was read in"
_JSON: Final = "a text that is no JSON was read as NULL"

ALTERING: Final[Mapping[int, str]] = {
    # A function gives NULL in the place of a text longer than max_allowed_packet.
    1301: "a text longer than max_allowed_packet was replaced by NULL",
    # Rows after max_recursive_iterations, or after LIMIT ROWS EXAMINED, are missing.
    1931: "rows are missing: the server stopped the recursion, or looking at rows, at a limit of its own",
    # GROUP_CONCAT and JSON_ARRAYAGG end at group_concat_max_len.
    1260: "a list was cut at group_concat_max_len",
    # '12x' is 12 and 'x' is 0 in an expression; what is no date is NULL; CHAR(3) keeps three letters.
    1292: _CONVERTED,
    1264: _CONVERTED,
    1265: _CONVERTED,
    1366: _CONVERTED,
    1406: _CONVERTED,
    1411: _CONVERTED,
    1916: _CONVERTED,
    1918: _CONVERTED,
    # A moment after the year 9999 is NULL.
    1441: "a date beyond the calendar was replaced by NULL",
    # Letters become question marks, or the text ends before them.
    1300: _LETTERS,
    1977: _LETTERS,
    # A pattern that takes too many steps does not match; MariaDB gives NULL or false.
    1139: "a pattern was given up in the middle",
    # MariaDB alone; MySQL refuses.
    4035: _JSON,
    4036: _JSON,
    4037: _JSON,
    4038: _JSON,
    4039: _JSON,
    4040: _JSON,
}
"""What each of them has done. The server's own words are not repeated: they quote values."""


def refuse_altered(connection: Connection, count: int) -> None:
    """Raise `ResultAltered` where one of the `count` warnings of the last statement says so.

    Only the first 64 are kept by a server that was not told otherwise; one is enough.
    """
    # Without a warning SHOW WARNINGS may tell those of an earlier statement.
    if not count:
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW WARNINGS")
        found = [(_text(level), int(code)) for level, code, _ in cursor.fetchall()]
    for level, code in found:
        if level != "Note" and code in ALTERING:
            raise ResultAltered(
                f"the server changed the result: {ALTERING[code]} (warning {code})",
                hint="change the query, or the server's limit that it names",
                warning=code,
            )


def _text(cell: object) -> str:
    return cell.decode() if isinstance(cell, bytes) else str(cell)
