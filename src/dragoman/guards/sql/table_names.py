"""Names as a dialect compares them: which table a query means, and which ones it may."""

from collections.abc import Collection

from sqlglot import exp

from dragoman.contracts.schema import Dialect

_POSTGRES_NAME_BYTES = 63

TableName = tuple[str, ...]
"""The parts of a name, the table last, folded as the dialect folds them."""

_DEFAULT_SCHEMA = {Dialect.POSTGRES: "public", Dialect.SQLITE: "main", Dialect.DUCKDB: "main"}
"""MySQL has none: a schema is a database there, and which one is in use is the connection's."""

_QUOTES = {'"': '"', "`": "`", "[": "]"}


def fold(name: str, dialect: Dialect, *, quoted: bool) -> str:
    """A name so that two that the server takes for the same are equal.

    MySQL's tables are compared as they are spelled: on some systems their case tells two tables apart.
    """
    match dialect:
        case Dialect.POSTGRES:
            # A server cuts longer names off, in the middle of a character too.
            whole = name if quoted else _lower(name)
            return whole.encode("utf-8", "replace")[:_POSTGRES_NAME_BYTES].decode("utf-8", "ignore")
        case Dialect.MYSQL:
            return name
        case Dialect.SQLITE | Dialect.DUCKDB:
            return _lower(name)


def _lower(name: str) -> str:
    """Servers fold the letters of ASCII only."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in name)


def name_of(table: exp.Table, dialect: Dialect) -> TableName:
    """The folded parts of a table's name, with the default schema where none is written."""
    parts = tuple(fold(part.name, dialect, quoted=bool(part.args.get("quoted"))) for part in table.parts)
    return _with_schema(parts, dialect)


def _with_schema(parts: TableName, dialect: Dialect) -> TableName:
    default = _DEFAULT_SCHEMA.get(dialect)
    return (default, *parts) if len(parts) == 1 and default is not None else parts


class AllowedTables:
    """The tables a query may read. None for all of them."""

    def __init__(self, names: Collection[str] | None, dialect: Dialect) -> None:
        self.any = names is None
        self._names = frozenset(spelling for name in names or () for spelling in _spellings(name, dialect))

    def __contains__(self, name: TableName) -> bool:
        return name in self._names


def _spellings(name: str, dialect: Dialect) -> set[TableName]:
    """An entry stands for the table of just that name, and for what one reaches writing it without quotes.

    The whole entry may be the name of one table too, dots and all.
    """
    parts = _split(name)
    exact = tuple(fold(part, dialect, quoted=True) for part, _ in parts)
    written = tuple(fold(part, dialect, quoted=quoted) for part, quoted in parts)
    whole = (fold(name, dialect, quoted=True),)
    return {_with_schema(each, dialect) for each in (exact, written, whole)}


def _split(name: str) -> list[tuple[str, bool]]:
    """The parts between the dots, and whether each was in quotes."""
    parts: list[tuple[str, bool]] = []
    rest = name
    while rest:
        closing = _QUOTES.get(rest[0])
        end = rest.find(closing, 1) if closing else -1
        while closing and end != -1 and rest[end + 1 : end + 2] == closing:
            end = rest.find(closing, end + 2)
        if closing and end != -1 and rest[end + 1 : end + 2] in {"", "."}:
            parts.append((rest[1:end].replace(closing * 2, closing), True))
            rest = rest[end + 2 :]
        else:
            part, _, rest = rest.partition(".")
            parts.append((part, False))
    return parts
