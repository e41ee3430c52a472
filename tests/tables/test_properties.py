"""Random rows, random questions: every engine answers what a few lines of Python answer."""

import datetime as dt
import decimal
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Final

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from dragoman.contracts import program
from dragoman.contracts.program import Argument, Statement, Text
from dragoman.contracts.query import Value
from dragoman.contracts.schema import Dialect
from dragoman.tables import CompiledRead, TableCatalog, table_catalog
from tests.conftest import LONG
from tests.servers import MariadbServer, PostgresServer
from tests.tables.engines import Duckdb, Engine, Mariadb, Postgres, Row, Sqlite, fill, quoted, rows_of
from tests.tables.ledger import (
    ENTRY,
    OWNER,
    Condition,
    Ledger,
    Record,
    averaged,
    conditions,
    ledgers,
    schema,
    summed,
)
from tests.tables.test_engines import ENGINES, statement


def _of_day(row: Record, part: Callable[[dt.date], Value]) -> Value:
    return part(row["day"]) if isinstance(row["day"], dt.date) else None


CATALOGS: Final = {dialect: table_catalog(schema(dialect)) for dialect in Dialect}
Key = Callable[[Ledger, Record], Value]
GROUPS: Final[dict[str, Key]] = {
    "kind": lambda _, row: row["kind"],
    "done": lambda _, row: row["done"],
    "day": lambda _, row: row["day"],
    "owner/name": lambda ledger, row: (ledger.owner(row) or {}).get("name"),
    "day/year": lambda _, row: getattr(row["day"], "year", None),
    "day/month": lambda _, row: _of_day(row, lambda day: f"{day:%Y-%m}"),
    "day/week": lambda _, row: _of_day(row, lambda day: f"{day:%G-W%V}"),
    "day/weekday": lambda _, row: _of_day(row, dt.date.isoweekday),
}
MEASURES: Final[dict[str, Callable[[list[Value]], Value]]] = {
    "count": len,
    "sum": summed,
    "average": averaged,
    "min": lambda values: min((v for v in values if v is not None), default=None),
    "max": lambda values: max((v for v in values if v is not None), default=None),
}


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
    fill(engine, "entry", ENTRY, ("no",), [])
    fill(engine, "owner", OWNER, ("no",), [])
    return engine


def _refilled(engine: Engine, ledger: Ledger) -> None:
    for name, columns, rows in (("entry", ENTRY, ledger.entries), ("owner", OWNER, ledger.owners)):
        engine.execute(f"DELETE FROM {quoted(name, engine.dialect)}")
        fill(engine, name, columns, (), [tuple(row[c] for c in columns) for row in rows], make=False)


def _read(engine: Engine, statement: Statement) -> list[Row]:
    compiled = CATALOGS[engine.dialect].compile(statement, engine.dialect)
    assert isinstance(compiled, CompiledRead), compiled
    return rows_of(engine, compiled)


_SHARED = settings(
    max_examples=1_000 if LONG else 30, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def _kept(ledger: Ledger, asked: list[Condition]) -> list[Record]:
    return [row for row in ledger.entries if all(condition.holds(ledger, row) for condition in asked)]


@_SHARED
@given(ledger=ledgers(), asked=conditions())
def test_filters(engine: Engine, ledger: Ledger, asked: list[Condition]) -> None:
    _refilled(engine, ledger)
    arguments = (Argument("columns", Text("no")), *(each.argument for each in asked))
    rows = _read(engine, Statement("entry.list", arguments))
    assert [row[0] for row in rows] == [row["no"] for row in _kept(ledger, asked)]


@_SHARED
@given(
    ledger=ledgers(),
    asked=conditions(),
    by=st.lists(st.sampled_from(sorted(GROUPS)), unique=True, max_size=2),
    verb=st.sampled_from(sorted(MEASURES)),
    of=st.sampled_from(["amount", "n"]),
)
def test_groups(
    engine: Engine, ledger: Ledger, asked: list[Condition], by: list[str], verb: str, of: str
) -> None:
    _refilled(engine, ledger)
    kept = _kept(ledger, asked)
    numbers = [row[of] for row in kept]
    # Where 64 bits do not hold a sum, SQLite divides approximately; a test of its own says so.
    assume(
        verb != "average" or sum(abs(Decimal(n)) for n in numbers if isinstance(n, int | Decimal)) <= 10**12
    )
    groups: dict[tuple[Value, ...], list[Value]] = {} if by else {(): []}
    for row in kept:
        groups.setdefault(tuple(GROUPS[name](ledger, row) for name in by), []).append(row[of])
    with decimal.localcontext(decimal.Context(prec=60)):
        expected = [(*key, MEASURES[verb](values)) for key, values in groups.items()]
    arguments = [each.argument for each in asked]
    if by:
        arguments.append(Argument("by", program.Sequence(tuple(Text(name) for name in by))))
    if verb != "count":
        arguments.append(Argument("of", Text(of)))
    rows = _read(engine, Statement(f"entry.{verb}", tuple(arguments)))
    assert rows == sorted(expected, key=_last_nothing)


@_SHARED
@given(
    ledger=ledgers(),
    by=st.sampled_from(sorted(GROUPS)),
    least=st.integers(1, 3),
    joined=st.booleans(),
)
def test_groups_that_are_kept(engine: Engine, ledger: Ledger, by: str, least: int, joined: bool) -> None:
    """Several figures at once, of groups of at least so many rows, of rows that have an owner or of all."""
    _refilled(engine, ledger)
    groups: dict[Value, list[Record]] = {}
    for row in ledger.entries:
        if not joined or ledger.owner(row):
            groups.setdefault(GROUPS[by](ledger, row), []).append(row)
    expected = [
        (
            min((row["n"] for row in rows if row["n"] is not None), default=None),
            key,
            len(rows),
            len({row["kind"] for row in rows if row["kind"] is not None}),
        )
        for key, rows in groups.items()
        if len(rows) >= least
    ]
    with_owner = ' :with "owner"' if joined else ""
    text = (
        f'(entry.count :by "{by}" :also [{{:min "n"}} {{:count "kind" :distinct true}}] '
        f':columns ["min" "{by}" "count" "count/kind"] :having {{:at-least {least}}}'
        f"{with_owner})"
    )
    rows = _read(engine, statement(text))
    assert rows == sorted(expected, key=lambda row: _last_nothing((row[1],)))


COMPUTED: Final[dict[str, Callable[[Decimal, int], Decimal]]] = {
    '{:times ["amount" "n"]}': lambda amount, n: amount * n,
    '{:times ["amount" "n" {:minus [1 0.15]}]}': lambda amount, n: amount * n * Decimal("0.85"),
    '{:plus ["amount" "n" 0.5]}': lambda amount, n: amount + n + Decimal("0.5"),
    '{:minus ["n" "amount"]}': lambda amount, n: n - amount,
    '{:divided ["amount" {:plus ["n" 6]}]}': lambda amount, n: (amount / (n + 6)).quantize(
        Decimal("1e-9"), decimal.ROUND_HALF_UP
    ),
}


@_SHARED
@given(ledger=ledgers(), written=st.sampled_from(sorted(COMPUTED)))
def test_what_is_worked_out_of_columns(engine: Engine, ledger: Ledger, written: str) -> None:
    _refilled(engine, ledger)
    kept = [row for row in ledger.entries if isinstance(row["n"], int) and -5 <= row["n"] <= 5]
    with decimal.localcontext(decimal.Context(prec=60)):
        values = [
            COMPUTED[written](row["amount"], int(str(row["n"])))
            if isinstance(row["amount"], Decimal)
            else None
            for row in kept
        ]
        numbers = [value for value in values if value is not None]
        places = Decimal("0.000001")
        listed = [None if value is None else value.quantize(places) for value in values]
        total = sum(numbers, Decimal(0)).quantize(places) if numbers else None
        greatest = max(numbers).quantize(places) if numbers else None
    rows = _read(engine, statement(f"(entry.list :columns {written} :n {{:between [-5 5]}})"))
    assert [row[0] for row in rows] == listed
    asked = f"(entry.sum :of {written} :also {{:max {written}}} :n {{:between [-5 5]}})"
    assert _read(engine, statement(asked)) == [(total, greatest)]


@_SHARED
@given(ledger=ledgers(), by=st.sampled_from(sorted(GROUPS)), asked=conditions(), inside=st.booleans())
def test_shares(engine: Engine, ledger: Ledger, by: str, asked: list[Condition], inside: bool) -> None:
    """Of the rows that are done in each group, or of each group in all."""
    _refilled(engine, ledger)
    kept = _kept(ledger, asked)
    groups: dict[Value, list[Record]] = {}
    for row in kept:
        groups.setdefault(GROUPS[by](ledger, row), []).append(row)

    def share(rows: list[Record]) -> Decimal:
        part = sum(row["done"] is True for row in rows) if inside else len(rows)
        whole = Decimal(100 * part) / (len(rows) if inside else len(kept))
        return whole.quantize(Decimal("1e-9"), decimal.ROUND_HALF_UP).quantize(Decimal("0.000001"))

    expected = [(key, share(rows)) for key, rows in groups.items()]
    that = ":that {:done true}" if inside else ""
    asking = statement(f'(entry.share :by "{by}" {that})')
    rows = _read(engine, Statement(asking.verb, (*asking.arguments, *(each.argument for each in asked))))
    assert rows == sorted(expected, key=lambda row: _last_nothing((row[0],)))


def _last_nothing(row: Row) -> list[tuple[bool, object]]:
    return [(value is None, value) if value is not None else (True, 0) for value in row]


_NAMES = st.sampled_from(
    [
        *ENTRY,
        "where",
        "of",
        "by",
        "during",
        "as-of",
        "on",
        "columns",
        "distinct",
        "order",
        "top",
        "ties",
        "limit",
        "having",
        "also",
        "with",
        "that",
        "groups",
    ]
) | st.text(max_size=5)
_WORDS = st.sampled_from(
    ["no", "kind", "amount", "day", "day/month", "owner/name", "count", "sum", "owner", "entry"]
)
_LEAVES = st.one_of(
    st.builds(program.Text, _WORDS | st.text(max_size=8)),
    st.builds(program.Integer, st.integers()),
    st.builds(program.Number, st.sampled_from(["0.5", "-1.25", "1e400", "x", "NaN", "9" * 50])),
    st.builds(program.Boolean, st.booleans()),
    st.builds(program.Date, st.dates()),
    st.just(program.Nil()),
    st.builds(program.Symbol, st.text(max_size=3)),
)
_KEYS = st.sampled_from(
    [
        "above",
        "below",
        "between",
        "contains",
        "not",
        "owner",
        "entry-by-owner",
        "name",
        "kind",
        "day",
        "desc",
        "month",
        "count",
        "max",
        "distinct",
        "all",
        "how-many",
        "column",
        "year",
        "times",
        "number",
        "share",
        "divided",
        "days",
        "seconds",
    ]
) | st.text(max_size=3)


def _nested(inner: st.SearchStrategy[program.Value]) -> st.SearchStrategy[program.Value]:
    lists = st.lists(inner, max_size=3).map(lambda items: program.Sequence(tuple(items)))
    entries = st.lists(st.builds(program.Entry, _KEYS, inner), max_size=2)
    called = [Statement("entry.list"), Statement("entry.count"), statement('(entry.max :of "amount")')]
    calls = st.sampled_from([program.Call(each) for each in called])
    return lists | entries.map(lambda found: program.Map(tuple(found))) | calls


_STATEMENTS = st.builds(
    Statement,
    st.sampled_from(
        [f"{table}.{verb}" for table in ("entry", "owner") for verb in (*MEASURES, "list", "top")]
    )
    | st.text(max_size=6),
    st.lists(st.builds(Argument, _NAMES, st.recursive(_LEAVES, _nested, max_leaves=6)), max_size=4).map(
        tuple
    ),
)


@settings(max_examples=5_000 if LONG else 300)
@given(statement=_STATEMENTS, dialect=st.sampled_from(list(Dialect)))
def test_no_statement_breaks_the_compiler(statement: Statement, dialect: Dialect) -> None:
    catalog: TableCatalog = CATALOGS[dialect]
    found = catalog.compile(statement, dialect)
    if isinstance(found, CompiledRead):
        assert found.columns
        assert found.query == catalog.compile(statement, dialect).query  # type: ignore[union-attr]
    else:
        assert found
        assert all(each.code and each.message and each.hint for each in found)


_PIECES: Final = [
    (':columns ["no" "owner/name" "day/week"]', {"list", "top"}),
    (":distinct true", {"list"}),
    (':of "amount"', {"sum", "average", "min", "max", "top", "count"}),
    (':of "owner/no"', {"sum", "average", "count"}),
    (':of {:days ["day" 2020-02-29]}', {"sum", "average", "min", "max", "top", "count"}),
    (':of {:divided [{:seconds ["day" 2020-02-29]} 3600]}', {"sum", "average", "min", "max", "top", "count"}),
    (':of {:times ["amount" 0.5 {:minus [1 "amount"]}]}', {"sum", "average", "max", "top", "count"}),
    (':order {:desc {:days ["day" 2020-02-29]}}', {"list"}),
    (':of "day"', {"min", "max", "top"}),
    (':of "owner/name" ', {"min", "max", "count"}),
    (':by ["kind" "day/quarter"]', {"count", "sum", "average", "min", "max", "top"}),
    (':by "owner/name"', {"count", "sum", "average", "min", "max", "top"}),
    (':order {:desc "owner/name"}', {"list", "count", "sum"}),
    (":top 2", {"list", "count", "sum", "average", "min", "max", "top"}),
    (":ties true", {"list", "count", "sum", "average", "min", "max", "top"}),
    (":limit 1", {"list", "count", "sum"}),
    (":having {:count {:at-least 2}}", set(MEASURES)),
    (":groups true", {"count"}),
    (':per "day/month"', {"count", "sum"}),
    (':per "owner/name"', {"count", "sum"}),
    (':kind {:number {:not {:above (entry.max :of "no")}}}', set(MEASURES) | {"list", "top"}),
    (':amount {:at-most (entry.sum :of "amount")}', set(MEASURES) | {"list", "top"}),
    (':of {:plus [{:number "kind"} "amount"]}', {"sum", "average", "min", "max", "top", "count"}),
    (':also ["share" {:share "n"}]', {"count", "sum"}),
    (":having {:not {:between [-1 2]}}", {"count", "sum", "average"}),
    (':also ["count" {:max "day"} {:sum "n"} {:count "kind" :distinct true}]', {"sum", "average", "min"}),
    (':also [{:average "amount"} {:min "owner/name"}]', {"count", "sum", "max"}),
    (':order [{:desc "count"} "kind"]', {"count", "average", "max"}),
    (':with "owner"', set(MEASURES) | {"list", "top"}),
    (":during [2020-01-01 9999-12-31]", set(MEASURES) | {"list", "top"}),
    (":as-of 0001-01-01", set(MEASURES) | {"list", "top"}),
    (':where [{:owner {:name {:contains "Ж%"}}} {:owner nil}]', set(MEASURES) | {"list", "top"}),
    (":where {:owner {:entry-by-owner {:not {:done true}}}}", set(MEASURES) | {"list", "top"}),
    (":where {:owner {:entry-by-owner {:how-many {:not 1} :done true}}}", set(MEASURES) | {"list", "top"}),
    (':where {:all [{:owner nil} {:n {:above {:column "owner/no"}}}]}', set(MEASURES) | {"list", "top"}),
    (":day {:month {:at-least 2} :weekday [1 2 3]}", set(MEASURES) | {"list", "top"}),
    (":amount {:not [1 2.5 nil {:between [-1 1]}]}", set(MEASURES) | {"list", "top"}),
    (":n {:above 9223372036854775807 :below -9223372036854775807.5}", set(MEASURES) | {"list", "top"}),
    (':kind ["a" "\\u0416" {:starts "!"}]', set(MEASURES) | {"list", "top"}),
]


@st.composite
def _questions(draw: st.DrawFn) -> Statement:
    """Pieces that go together often enough."""
    verb = draw(st.sampled_from([*sorted(MEASURES), "list", "top"]))
    fitting = [piece for piece, verbs in _PIECES if verb in verbs]
    chosen: dict[str, str] = {}
    for piece in draw(st.lists(st.sampled_from(fitting), max_size=5)):
        chosen.setdefault(piece.partition(" ")[0], piece)
    if verb not in ("list", "count"):
        chosen.setdefault(":of", ':of "amount"')
    return statement(f"(entry.{verb} {' '.join(chosen.values())})")


_LARGE: Final = Ledger(
    [
        {"no": no, "kind": None, "amount": amount, "n": None, "day": None, "done": None, "owner_no": None}
        for no, amount in enumerate((Decimal("-371154.49"), Decimal("-371154.48")), 1)
    ],
    [],
)
"""Products that have more digits than a double keeps."""
_PRODUCT: Final = '{:times ["amount" 0.5 {:minus [1 "amount"]}]}'


@_SHARED
@example(ledger=_LARGE, asked=statement(f"(entry.average :of {_PRODUCT})"))
@example(ledger=_LARGE, asked=statement(f'(entry.average :of {_PRODUCT} :by "no")'))
@given(ledger=ledgers(), asked=_questions())
def test_what_compiles_runs(engine: Engine, ledger: Ledger, asked: Statement) -> None:
    compiled = CATALOGS[engine.dialect].compile(asked, engine.dialect)
    if isinstance(compiled, CompiledRead):
        _refilled(engine, ledger)
        rows = rows_of(engine, compiled)
        assert all(len(row) == len(compiled.columns) for row in rows)
        reference = CATALOGS[Dialect.SQLITE].compile(asked, Dialect.SQLITE)
        assert isinstance(reference, CompiledRead)
        _refilled(_SQLITE, ledger)
        assert rows == rows_of(_SQLITE, reference)


_SQLITE: Final = _made(Sqlite())
