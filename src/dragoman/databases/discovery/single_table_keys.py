"""Whether the data agrees with a guessed key, where there is no join: some values, looked for by name."""

from sqlglot import exp

from dragoman.contracts.access import Reader
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.query import Query, Value
from dragoman.databases.discovery.budget import Purse
from dragoman.databases.discovery.catalog_reader import Fault, fault_of
from dragoman.databases.discovery.draft import Place
from dragoman.databases.discovery.statements import column, selected, table_at

CHECKED_ROWS = 500
CHECKED_VALUES = 100
"""They stand in an address, which may not be long."""

_LONGEST = 100


def holds_by_values(reader: Reader, place: Place, name: str, target: Place, key: str, purse: Purse) -> bool:
    """Whether each of some values of a column is a value of the key. A check that fails speaks against it."""
    try:
        values = _values(reader, place, name, purse)
        if any(len(str(value)) > _LONGEST for value in values):
            return False
        return not values or (not purse.is_empty and _are_keys(reader, target, key, values, purse))
    except DragomanError as error:
        if fault_of(error) is Fault.SOURCE:
            raise
        return False


def _values(reader: Reader, place: Place, name: str, purse: Purse) -> list[Value]:
    tree = selected([column(name)], table_at(place), CHECKED_ROWS)
    tree.set("where", exp.Where(this=exp.Not(this=exp.Is(this=column(name), expression=exp.Null()))))
    rows = reader.read(Query(_sql(tree, reader)), purse.limits(CHECKED_ROWS)).rows
    return list(dict.fromkeys(row[0] for row in rows))[:CHECKED_VALUES]


def _are_keys(reader: Reader, target: Place, key: str, values: list[Value], purse: Purse) -> bool:
    tree = selected([column(key)], table_at(target))
    among = exp.In(this=column(key), expressions=[exp.Var(this="?") for _ in values])
    tree.set("where", exp.Where(this=among))
    rows = reader.read(Query(_sql(tree, reader), tuple(values)), purse.limits(len(values))).rows
    return {row[0] for row in rows} >= set(values)


def _sql(tree: exp.Select, reader: Reader) -> str:
    return tree.sql(dialect=reader.dialect.value, copy=False)
