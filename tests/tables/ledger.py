"""A small table with random rows and the table its rows point at; and what Python makes of them."""

import datetime as dt
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Final, NamedTuple

from hypothesis import strategies as st

from dragoman.contracts import program
from dragoman.contracts.query import Value
from dragoman.contracts.schema import (
    ColumnInfo,
    DatabaseSchema,
    Dialect,
    ForeignKey,
    TableInfo,
    TableKind,
    ValueType,
)
from tests.tables.shop import NATIVE, Columns

T = ValueType
Record = dict[str, Value]

ENTRY: Final[Columns] = {
    "no": T.INTEGER,
    "kind": T.TEXT,
    "amount": T.DECIMAL,
    "n": T.INTEGER,
    "day": T.DATE,
    "done": T.BOOLEAN,
    "owner_no": T.INTEGER,
}
OWNER: Final[Columns] = {"no": T.INTEGER, "name": T.TEXT}

_LETTERS = st.text(alphabet="aAbB%_!\\'\"жЖ é", max_size=3)
_AMOUNTS = st.decimals(Decimal("-99999999.99"), Decimal("99999999.99"), places=2)
_DAYS = st.dates(dt.date(2019, 12, 1), dt.date(2021, 2, 1))
_NUMBERS = st.one_of(st.integers(-5, 5), st.integers(-(2**63), 2**63 - 1))
_VALUES: Final[dict[ValueType, st.SearchStrategy[Value]]] = {
    T.TEXT: _LETTERS,
    T.DECIMAL: _AMOUNTS,
    T.INTEGER: _NUMBERS,
    T.DATE: _DAYS,
    T.BOOLEAN: st.booleans(),
}


def schema(dialect: Dialect) -> DatabaseSchema:
    def table(name: str, columns: Columns, *keys: ForeignKey) -> TableInfo:
        infos = tuple(
            ColumnInfo(column, kind, NATIVE[dialect][kind].removesuffix(" COLLATE NOCASE"))
            for column, kind in columns.items()
        )
        return TableInfo(name, TableKind.TABLE, infos, primary_key=("no",), foreign_keys=keys)

    owners = ForeignKey(("owner_no",), "owner", ("no",))
    return DatabaseSchema(
        dialect.value, dialect, (table("entry", ENTRY, owners), table("owner", OWNER)), "ledger"
    )


class Ledger(NamedTuple):
    entries: list[Record]
    owners: list[Record]

    def owner(self, entry: Record) -> Record | None:
        return next((owner for owner in self.owners if owner["no"] == entry["owner_no"]), None)


@st.composite
def ledgers(draw: st.DrawFn) -> Ledger:
    names = draw(st.lists(_LETTERS | st.none(), max_size=3))
    owners: list[Record] = [{"no": n, "name": name} for n, name in enumerate(names, 1)]
    count = draw(st.integers(0, 8))
    rows: list[Record] = []
    for no in range(1, count + 1):
        row: Record = {"no": no}
        for column, kind in ENTRY.items():
            if column == "owner_no":
                row[column] = draw(st.integers(1, 4) | st.none())
            elif column != "no":
                row[column] = draw(st.none() | _VALUES[kind])
        rows.append(row)
    return Ledger(rows, owners)


class Condition(NamedTuple):
    """An argument of a statement, and the same as a function of an entry."""

    argument: program.Argument
    holds: Callable[[Ledger, Record], bool]


def _value(value: Value) -> program.Value:
    match value:
        case bool():
            return program.Boolean(value)
        case int():
            return program.Integer(value)
        case Decimal():
            return program.Number(f"{value:f}")
        case str():
            return program.Text(value)
        case dt.date():
            return program.Date(value)
        case _:
            return program.Nil()


def _map(key: str, value: program.Value) -> program.Map:
    return program.Map((program.Entry(key, value),))


Test = tuple[program.Value, Callable[[Value], bool]]
_ORDERS: Final[dict[str, Callable[[Value, Value], bool]]] = {
    "above": lambda a, b: a > b,  # type: ignore[operator]
    "below": lambda a, b: a < b,  # type: ignore[operator]
    "at-least": lambda a, b: a >= b,  # type: ignore[operator]
    "at-most": lambda a, b: a <= b,  # type: ignore[operator]
}


def _compared(sign: str, value: Value) -> Test:
    return _map(sign, _value(value)), lambda cell: cell is not None and _ORDERS[sign](cell, value)


def _equal(value: Value) -> Test:
    return _value(value), lambda cell: cell == value


def _piece(place: str, text: str) -> Test:
    def holds(cell: Value) -> bool:
        if not isinstance(cell, str):
            return False
        whole, part = cell.lower(), text.lower()
        found = {"contains": part in whole, "starts": whole.startswith(part), "ends": whole.endswith(part)}
        return found[place]

    return _map(place, program.Text(text)), holds


_PARTS: Final[dict[str, Callable[[dt.date], int]]] = {
    "year": lambda day: day.year,
    "quarter": lambda day: (day.month + 2) // 3,
    "month": lambda day: day.month,
    "day": lambda day: day.day,
    "weekday": dt.date.isoweekday,
}


def _part_tests() -> st.SearchStrategy[Test]:
    """A part of a date, compared with a number."""

    def asked(part: str, number: int, sign: str | None) -> Test:
        value, holds = _equal(number) if sign is None else _compared(sign, number)
        return _map(part, value), lambda cell: isinstance(cell, dt.date) and holds(_PARTS[part](cell))

    signs = st.none() | st.sampled_from(sorted(_ORDERS))
    return st.builds(asked, st.sampled_from(sorted(_PARTS)), st.integers(1, 4), signs)


def _tests(kind: ValueType) -> st.SearchStrategy[Test]:
    values = _VALUES[kind]
    missing: Test = (program.Nil(), lambda cell: cell is None)
    simple: st.SearchStrategy[Test] = values.map(_equal) | st.just(missing)
    if kind is not T.BOOLEAN:
        simple |= st.builds(_compared, st.sampled_from(sorted(_ORDERS)), values)
    if kind is T.TEXT:
        simple |= st.builds(_piece, st.sampled_from(["contains", "starts", "ends"]), _LETTERS)
    if kind is T.DATE:
        simple |= _part_tests()
    if kind is T.INTEGER:
        halves = st.integers(-5, 5).map(lambda n: Decimal(n) + Decimal("0.5"))
        simple |= st.builds(_compared, st.sampled_from(sorted(_ORDERS)), halves)

    def deeper(inner: st.SearchStrategy[Test]) -> st.SearchStrategy[Test]:
        negated = inner.map(lambda test: (_map("not", test[0]), lambda cell: not test[1](cell)))
        any_of = st.lists(inner, max_size=3).map(
            lambda tests: (
                program.Sequence(tuple(test[0] for test in tests)),
                lambda cell: any(test[1](cell) for test in tests),
            )
        )
        return negated | any_of

    return st.recursive(simple, deeper, max_leaves=4)


@st.composite
def conditions(draw: st.DrawFn) -> list[Condition]:
    """Of some columns of an entry, and perhaps of its owner."""
    names = st.sampled_from([name for name in ENTRY if name != "owner_no"])
    chosen = draw(st.lists(names, unique=True, max_size=2))
    found = [_of_column(column, draw(_tests(ENTRY[column]))) for column in chosen]
    if draw(st.booleans()):
        of_others = [_tests(T.TEXT).map(_of_owner), st.builds(_of_fellows, _counts(), st.booleans())]
        found.append(draw(st.one_of(*of_others)))
    if "n" not in chosen and draw(st.booleans()):
        found.append(_of_amount(draw(st.sampled_from(sorted(_ORDERS)))))
    return found


def _of_column(column: str, test: Test) -> Condition:
    return Condition(program.Argument(column, test[0]), lambda _, row: test[1](row[column]))


def _of_owner(test: Test) -> Condition:
    def holds(ledger: Ledger, row: Record) -> bool:
        owner = ledger.owner(row)
        return owner is not None and test[1](owner["name"])

    where = _map("owner", program.Map((program.Entry("name", test[0]),)))
    return Condition(program.Argument("where", where), holds)


def _counts() -> st.SearchStrategy[Test]:
    small = st.integers(0, 3)
    return small.map(_equal) | st.builds(_compared, st.sampled_from(sorted(_ORDERS)), small)


def _of_fellows(test: Test, done: bool) -> Condition:
    """How many entries the owner has that are done, or not."""

    def holds(ledger: Ledger, row: Record) -> bool:
        fellows = [each for each in ledger.entries if each["owner_no"] == row["owner_no"]]
        found = sum(each["done"] is done for each in fellows)
        return ledger.owner(row) is not None and test[1](found)

    asked = (program.Entry("how-many", test[0]), program.Entry("done", program.Boolean(done)))
    where = _map("owner", _map("entry-by-owner", program.Map(asked)))
    return Condition(program.Argument("where", where), holds)


def _of_amount(sign: str) -> Condition:
    """An entry's number against its amount."""
    value = _map(sign, _map("column", program.Text("amount")))

    def holds(_: Ledger, row: Record) -> bool:
        return None not in (row["n"], row["amount"]) and _ORDERS[sign](row["n"], row["amount"])

    return Condition(program.Argument("n", value), holds)


def summed(values: list[Value]) -> Value:
    numbers = [value for value in values if isinstance(value, int | Decimal)]
    return sum(numbers) if numbers else None


def averaged(values: list[Value]) -> Value:
    """To six places, a half away from zero."""
    numbers = [Decimal(value) for value in values if isinstance(value, int | Decimal)]
    if not numbers:
        return None
    return (sum(numbers, Decimal(0)) / len(numbers)).quantize(Decimal("0.000001"), ROUND_HALF_UP)
