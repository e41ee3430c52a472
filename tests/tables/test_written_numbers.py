"""Numbers that texts have written: every engine makes of them what Python's decimals make."""

import decimal
import operator
import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dragoman.contracts.query import Value
from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, Dialect, TableInfo, TableKind, ValueType
from dragoman.tables import CompiledRead, table_catalog
from tests.servers import MariadbServer, PostgresServer
from tests.tables.engines import Duckdb, Engine, Mariadb, Postgres, Row, Sqlite, fill, rows_of
from tests.tables.shop import NATIVE, Rows
from tests.tables.test_engines import ENGINES, statement

NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}(?:\.[0-9]+)?", re.ASCII)
PLACES: Final = Decimal(1).scaleb(-9)
COLUMNS: Final = {"no": ValueType.INTEGER, "said": ValueType.TEXT, "meant": ValueType.TEXT}
SMALL: Final = 9 * 10**9
EXACT: Final = decimal.Context(prec=60)

PLAIN = st.from_regex(re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,5})?", re.ASCII), fullmatch=True)
LONG = st.from_regex(re.compile(r"[+-]?[0-9]{1,18}(?:\.[0-9]{1,12})?", re.ASCII), fullmatch=True)
ODD = st.sampled_from(
    (
        *("", " ", "-", "+", ".", "1.", ".5", "1..2", "1.2.3", "--1", "+-1", "1e6", "0x10", "1,200", "5 %"),
        *("1234567890123456789", "NaN", "Infinity", "½", "\N{ARABIC-INDIC DIGIT FIVE}", "1\n", "12 3"),
        *("n/a", " 7 ", "007"),
    )
)
Texts = list[str | None]


def texts(numbers: st.SearchStrategy[str]) -> st.SearchStrategy[Texts]:
    return st.lists(st.none() | numbers | ODD, min_size=1, max_size=8)


def number_in(text: str | None) -> Decimal | None:
    """What the page says of a text."""
    trimmed = "" if text is None else text.strip(" ")
    if not NUMBER.fullmatch(trimmed):
        return None
    return Decimal(trimmed).quantize(PLACES, ROUND_HALF_UP, context=EXACT)


def schema(dialect: Dialect) -> DatabaseSchema:
    columns = tuple(ColumnInfo(name, kind, NATIVE[dialect][kind]) for name, kind in COLUMNS.items())
    table = TableInfo("note", TableKind.TABLE, columns, primary_key=("no",))
    return DatabaseSchema("any", dialect, (table,), "")


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    match request.param:
        case "sqlite":
            yield _made(Sqlite())
        case "duckdb":
            yield _made(Duckdb())
        case "mariadb":
            server: MariadbServer = request.getfixturevalue("mariadb_server")
            with server.database() as name:
                yield _made(Mariadb(server, name))
        case _:
            postgres: PostgresServer = request.getfixturevalue("postgres_server")
            with postgres.database() as url:
                yield _made(Postgres(url))


def _made(engine: Engine) -> Engine:
    fill(engine, "note", COLUMNS, ("no",), [])
    return engine


def compiled(engine: Engine, text: str) -> CompiledRead:
    read = table_catalog(schema(engine.dialect)).compile(statement(text), engine.dialect)
    assert isinstance(read, CompiledRead), read
    return read


def asked(engine: Engine, text: str) -> list[Row]:
    return rows_of(engine, compiled(engine, text))


def noted(engine: Engine, said: Texts) -> list[Decimal | None]:
    """Writes the texts down, and says which numbers they are."""
    engine.execute("DELETE FROM note")
    fill(engine, "note", COLUMNS, ("no",), [(no, text, None) for no, text in enumerate(said)], make=False)
    return [number_in(text) for text in said]


def exactly(value: Value) -> Decimal | None:
    return None if value is None else Decimal(str(value))


property_of_engines = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@property_of_engines
@given(said=texts(LONG))
@example(said=["999999999999999999.9999999999", "0.0000000005", "-0.0000000005", None, "no"])
@example(said=["999999999999999999"] * 8)
@example(said=["n/a", None, ""])
def test_sums_and_averages_are_those_of_python(engine: Engine, said: Texts) -> None:
    if engine.dialect is Dialect.SQLITE:
        # A billionth is its smallest unit: 64 bits hold nine billion of them.
        said = [each for each in said if abs(number_in(each) or Decimal(0)) < SMALL]
    numbers = [each for each in noted(engine, said) if each is not None]
    text = '(note.sum :of {:number "said"} :also [{:average {:number "said"}} {:count {:number "said"}}])'
    query = compiled(engine, text).query
    # With all of their places, of which rows that are compared elsewhere keep six.
    ((total, average, count),) = engine.execute(query.sql, query.parameters)
    assert count == len(numbers)
    if not numbers:
        assert total is average is None
        return
    whole = EXACT.create_decimal(0)
    for each in numbers:
        whole = EXACT.add(whole, each)
    assert exactly(total) == whole
    mean = EXACT.divide(whole, Decimal(len(numbers))).quantize(PLACES, ROUND_HALF_UP, context=EXACT)
    assert exactly(average) == mean


@property_of_engines
@given(said=texts(PLAIN))
@example(said=["9", "10", "-1", "1e6", None, "0.5", ".5"])
def test_the_order_is_that_of_the_numbers(engine: Engine, said: Texts) -> None:
    numbers = noted(engine, said)
    for order, sign in (('{:number "said"}', 1), ('{:desc {:number "said"}}', -1)):
        found = asked(engine, f'(note.list :columns ["no" "said"] :order [{order} "no"])')
        # What is no number is missing, and missing values come last in either direction.
        keys = [(each is None, sign * (each or 0), no) for no, each in enumerate(numbers)]
        assert [row[0] for row in found] == [no for _, _, no in sorted(keys)]
        # What is shown is the text as it stands in the database.
        assert all(row[1] == said[int(str(row[0]))] for row in found)


@property_of_engines
@given(said=texts(PLAIN), bound=st.decimals(-1000, 1000, places=2) | st.integers(-50, 50))
@example(said=["9", "10", "abc", None, "9.50"], bound=Decimal("9.50"))
def test_comparisons_are_those_of_numbers(engine: Engine, said: Texts, bound: Decimal | int) -> None:
    numbers = noted(engine, said)
    tests = {
        f"{{:above {bound}}}": operator.gt,
        f"{{:at-most {bound}}}": operator.le,
        str(bound): operator.eq,
    }
    for written, holds in tests.items():
        found = asked(engine, f'(note.list :said {{:number {written}}} :columns "no" :order "no")')
        expected = [no for no, each in enumerate(numbers) if each is not None and holds(each, bound)]
        assert [row[0] for row in found] == expected


@property_of_engines
@given(said=texts(PLAIN))
@example(said=["1", "", None, "n/a", "1,200", "2 "])
def test_what_is_no_number_can_be_counted(engine: Engine, said: Texts) -> None:
    numbers = noted(engine, said)
    ((count,),) = asked(engine, '(note.count :said {:not [nil ""] :number nil})')
    assert count == sum(1 for text, number in zip(said, numbers, strict=True) if text and number is None)


@property_of_engines
@given(pairs=st.lists(st.tuples(st.none() | PLAIN | ODD, st.none() | PLAIN | ODD), min_size=1, max_size=6))
@example(pairs=[("9", "10"), ("10", "9"), ("1", "one"), ("2.0", "2")])
def test_two_texts_are_compared_by_their_numbers(
    engine: Engine, pairs: list[tuple[str | None, str | None]]
) -> None:
    engine.execute("DELETE FROM note")
    rows: Rows = [(no, one, other) for no, (one, other) in enumerate(pairs)]
    fill(engine, "note", COLUMNS, ("no",), rows, make=False)
    text = '(note.list :said {:number {:above {:column "meant"}}} :columns "no" :order "no")'
    numbers = [(number_in(one), number_in(other)) for one, other in pairs]
    more = [no for no, (a, b) in enumerate(numbers) if a is not None and b is not None and a > b]
    assert [row[0] for row in asked(engine, text)] == more
    whole = '(note.list :said {:number {:above {:column "no"}}} :columns "no" :order "no")'
    assert [row[0] for row in asked(engine, whole)] == [
        no for no, (a, _) in enumerate(numbers) if a is not None and a > no
    ]
