"""What kept a connection from opening, read from the codes that drivers give."""

from collections.abc import Iterator
from enum import StrEnum


class Trouble(StrEnum):
    UNREACHABLE = "unreachable"
    PASSWORD = "password"  # noqa: S105
    DATABASE = "database"
    ENCRYPTION = "encryption"
    BUSY = "busy"
    NO_DATABASE = "no_database"
    OTHER = "other"


_OUR_CODES = {
    "connection_refused": Trouble.UNREACHABLE,
    "host_not_found": Trouble.UNREACHABLE,
    "authentication_failed": Trouble.PASSWORD,
    "database_not_found": Trouble.DATABASE,
    "database_busy": Trouble.BUSY,
    "file_unreadable": Trouble.NO_DATABASE,
}
_STATES = {
    "28": Trouble.PASSWORD,
    "3D": Trouble.DATABASE,
    "08": Trouble.UNREACHABLE,
    "57": Trouble.UNREACHABLE,
}
"""Classes of SQL states, as PostgreSQL gives them."""

_NUMBERS = {
    1044: Trouble.DATABASE,
    1045: Trouble.PASSWORD,
    1049: Trouble.DATABASE,
    1130: Trouble.PASSWORD,
    1251: Trouble.PASSWORD,
    1698: Trouble.PASSWORD,
    2002: Trouble.UNREACHABLE,
    2003: Trouble.UNREACHABLE,
    2005: Trouble.UNREACHABLE,
    2006: Trouble.UNREACHABLE,
    2013: Trouble.UNREACHABLE,
    2026: Trouble.ENCRYPTION,
    3159: Trouble.ENCRYPTION,
}
"""Error numbers of MySQL and MariaDB."""

# Before a server has spoken there is no code, only what the client library says.
_WORDS = (
    ("password authentication failed", Trouble.PASSWORD),
    ("no password supplied", Trouble.PASSWORD),
    ("no pg_hba.conf entry", Trouble.PASSWORD),
    ("role ", Trouble.PASSWORD),
    ("certificate", Trouble.ENCRYPTION),
    ("ssl", Trouble.ENCRYPTION),
    ("connection refused", Trouble.UNREACHABLE),
    ("timed out", Trouble.UNREACHABLE),
    ("timeout expired", Trouble.UNREACHABLE),
    ("no route to host", Trouble.UNREACHABLE),
    ("unreachable", Trouble.UNREACHABLE),
    ("could not translate host name", Trouble.UNREACHABLE),
    ("name or service not known", Trouble.UNREACHABLE),
    ("file is not a database", Trouble.NO_DATABASE),
    ("not a valid duckdb", Trouble.NO_DATABASE),
    ("could not set lock", Trouble.BUSY),
    ("database is locked", Trouble.BUSY),
    ("does not exist", Trouble.DATABASE),
)


def trouble_of(error: BaseException) -> Trouble:
    """The kind of trouble: by codes of the error and its causes, by their words where there is no code."""
    chain = list(_chain(error))
    for each in chain:
        if (found := _by_code(each)) is not None:
            return found
    said = " ".join(str(each) for each in chain).lower()
    return next((trouble for words, trouble in _WORDS if words in said), Trouble.OTHER)


def _by_code(error: BaseException) -> Trouble | None:
    code = getattr(error, "code", None)
    if isinstance(code, str) and code in _OUR_CODES:
        return _OUR_CODES[code]
    state = getattr(error, "sqlstate", None)
    if isinstance(state, str) and state[:2] in _STATES:
        return _STATES[state[:2]]
    number = error.args[0] if error.args else None
    return _NUMBERS.get(number) if isinstance(number, int) else None


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        yield each
        each = each.__cause__ or each.__context__
