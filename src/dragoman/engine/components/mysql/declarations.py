"""How a column of a flow is declared in a table that is made for it."""

from typing import Final

from dragoman.contracts.errors import ColumnRefused
from dragoman.contracts.flow import ColumnWarning, FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.components.mysql.columns import quoted

MOST_DIGITS: Final = 65
MOST_PLACES: Final = 30
LONGEST_NAME: Final = 64
_SHORT: Final = 255
"""Texts up to this length are declared with it; it is also the length of a key that declares none."""

_SHORT_BUDGET: Final = 60
"""How many texts may be declared with a length: a row has 65,535 bytes for them."""

_INTEGERS: Final = {8: "TINYINT", 16: "SMALLINT", 32: "INT", 64: "BIGINT"}
_KEYLESS: Final = frozenset({ValueType.JSON, ValueType.OTHER})


def collation(*, mariadb: bool) -> str:
    """Texts are told apart by every byte, a space at the end too."""
    return "utf8mb4_nopad_bin" if mariadb else "utf8mb4_0900_bin"


def check_names(columns: tuple[FlowColumn, ...]) -> None:
    """Raises ColumnRefused for a name that these servers cannot give a column."""
    seen: dict[str, str] = {}
    for column in columns:
        name = column.name
        if not name or len(name) > LONGEST_NAME or name.endswith(" ") or "\0" in name or _beyond(name):
            raise ColumnRefused(
                f"MySQL can have no column called {name!r}: at most {LONGEST_NAME} letters, "
                "no space at the end",
                hint="give it another name with AS in a query",
                column=name,
            )
        if name.lower() in seen:
            raise ColumnRefused(
                f"MySQL takes the columns {seen[name.lower()]} and {name} for one",
                hint="give one of them another name with AS in a query",
                column=name,
            )
        seen[name.lower()] = name


def declared(column: FlowColumn, *, key: bool, number: int, mariadb: bool) -> str:
    """The type of the column. Raises ColumnRefused where no type holds it."""
    match column.type:
        case ValueType.INTEGER:
            return _INTEGERS[column.bits] + ("" if column.signed else " UNSIGNED")
        case ValueType.DECIMAL:
            return _decimal(column)
        case ValueType.FLOAT:
            return "FLOAT" if column.bits == 32 else "DOUBLE"
        case ValueType.BOOLEAN:
            return "TINYINT(1)"
        case ValueType.DATE:
            return "DATE"
        case ValueType.TIME:
            return "TIME(6)"
        case ValueType.DATETIME | ValueType.INSTANT:
            return "DATETIME(6)"
        case ValueType.INTERVAL if column.native == "time":
            return "TIME(6)"
        case ValueType.UUID:
            return "CHAR(36) CHARACTER SET ascii COLLATE ascii_bin"
        case kind if key and kind in _KEYLESS:
            raise ColumnRefused(
                f"column {column.name} cannot be a key", hint="name another", column=column.name
            )
        case ValueType.JSON:
            # MySQL writes JSON anew when it stores it; MariaDB keeps the text.
            return "JSON" if mariadb else "LONGTEXT"
        case ValueType.BYTES:
            short = _short(column, key=key, number=number)
            return f"VARBINARY({short})" if short else "LONGBLOB"
        case _:
            short = _short(column, key=key, number=number)
            return f"VARCHAR({short})" if short else "LONGTEXT"


def conversions(column: FlowColumn, *, key: bool, mariadb: bool) -> tuple[ColumnWarning, ...]:
    """What a table made for the flow tells otherwise than the flow does."""

    def warning(rule: str, message: str) -> tuple[ColumnWarning, ...]:
        return (ColumnWarning(column.name, rule, message),)

    name = column.name
    match column.type:
        case ValueType.INSTANT:
            return warning(
                "instant_as_utc_datetime", f"{name}: points in time are kept as DATETIME(6) in UTC"
            )
        case ValueType.DECIMAL if column.precision is None:
            most = f"DECIMAL({MOST_DIGITS},{MOST_PLACES})"
            return warning("decimal_65_30", f"{name}: kept as {most}; what has more digits is refused")
        case ValueType.INTERVAL if column.native != "time":
            return warning("interval_as_text", f"{name}: intervals are kept as text")
        case ValueType.JSON if not mariadb:
            return warning("json_as_text", f"{name}: JSON is kept as text, as it was written")
        case ValueType.OTHER:
            return warning("other_as_text", f"{name}: {column.native or 'what it holds'} is kept as text")
        case ValueType.TEXT | ValueType.BYTES if key and not column.length:
            return warning("key_of_255", f"{name}: a key is at most {_SHORT} long; what is longer is refused")
        case _:
            return ()


def definition(columns: tuple[FlowColumn, ...], key: tuple[str, ...], *, mariadb: bool) -> str:
    """What stands in the brackets of CREATE TABLE."""
    lines = [
        f"{quoted(column.name)} {declared(column, key=column.name in key, number=number, mariadb=mariadb)}"
        + (" NOT NULL" if column.name in key else " NULL")
        for number, column in enumerate(columns)
    ]
    if key:
        lines.append(f"PRIMARY KEY ({', '.join(quoted(name) for name in key)})")
    return ", ".join(lines)


def _decimal(column: FlowColumn) -> str:
    if column.precision is None:
        return f"DECIMAL({MOST_DIGITS},{MOST_PLACES})"
    scale = column.scale or 0
    if column.precision > MOST_DIGITS or scale > MOST_PLACES:
        raise ColumnRefused(
            f"column {column.name} has {column.precision} digits, {scale} of them places; MySQL has at most "
            f"{MOST_DIGITS} and {MOST_PLACES}",
            hint="round it, or write it as text, in a transform",
            column=column.name,
        )
    return f"DECIMAL({column.precision},{scale})"


def _short(column: FlowColumn, *, key: bool, number: int) -> int | None:
    if key:
        return min(column.length or _SHORT, 3 * _SHORT)
    if column.length and column.length <= _SHORT and number < _SHORT_BUDGET:
        return column.length
    return None


def _beyond(name: str) -> bool:
    return any(ord(character) > 0xFFFF for character in name)
