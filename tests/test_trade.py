"""The trade demo: every root verb against the dialogues' figures, and against the raw tables, exactly."""

import datetime as dt
import itertools
import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import Workspace
from dragoman.answering.coverage import coverage_of, open_gate
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.coverage import CoverageRule
from dragoman.catalog.homes import demo_home
from dragoman.catalog.lookup import Found, look_up
from dragoman.catalog.named_entity import NamedEntity
from dragoman.catalog.verbs import ORGANIZATION
from dragoman.contracts.answer import PREVIEW_ROWS, CellType
from dragoman.contracts.pack import DateUse, VerbFrame
from dragoman.contracts.state import DateScope
from dragoman.contracts.vocabulary import CoverageStatus
from dragoman.packs.pack_files import load_shipped
from dragoman.planning.contract import Request
from dragoman.planning.packs.anchors import DATE, Anchored, bind
from dragoman.planning.packs.planner import edited_program
from dragoman.planning.packs.root_request import complete
from dragoman.session.stores.memory import MemoryStore
from tests import strategies as some

WAREHOUSE: Final = "warehouse"
TRADE: Final = load_shipped("trade")
VERBS: Final = tuple(name for name, verb in TRADE.verbs.items() if verb.frame is VerbFrame.ROOT)
ACTIONS: Final = tuple(name for name in TRADE.verbs if name not in VERBS)
MONTHS: Final = tuple(
    DateScope(dt.date(2020, m, 1), dt.date(2020, m + 1, 1) - dt.timedelta(1)) for m in range(1, 7)
)
HALF_YEAR: Final = DateScope(dt.date(2020, 1, 1), dt.date(2020, 6, 30))

Row = tuple[str | Decimal, ...]


# The books: the same questions answered from the raw tables alone.


class Document(NamedTuple):
    id: int
    type: str
    date: dt.date
    organization: int
    counterparty: int
    warehouse: int | None
    amount: Decimal


class Line(NamedTuple):
    document: int
    item: int
    quantity: Decimal
    price: Decimal


class Books:
    """The tables of a demo database, as text and decimals."""

    def __init__(self, database: Path) -> None:
        with closing(sqlite3.connect(database)) as connection:
            read = connection.execute
            self.items = dict(read("SELECT item_id, name FROM item"))
            self.counterparties = dict(read("SELECT cp_id, name FROM counterparty"))
            self.documents = [
                Document(number, kind, dt.date.fromisoformat(day), org, cp, wh, Decimal(amount))
                for number, kind, day, org, cp, wh, amount in read(
                    "SELECT doc_id, doc_type, doc_date, org_id, cp_id, wh_id, CAST(amount AS TEXT)"
                    " FROM document"
                )
            ]
            self.lines = defaultdict[int, list[Line]](list)
            for number, item, quantity, price in read(
                "SELECT doc_id, item_id, CAST(qty AS TEXT), CAST(price AS TEXT) FROM doc_line"
            ):
                self.lines[number].append(Line(number, item, Decimal(quantity), Decimal(price)))

    def answer(
        self, verb: str, organization: int, dates: DateScope, warehouse: int | None = None
    ) -> list[Row]:
        own = [d for d in self.documents if d.organization == organization]
        until = [d for d in own if d.date <= dates.end]
        during = [d for d in until if d.date >= dates.start]
        match verb:
            case "inventory.stock":
                return self._stock([d for d in until if warehouse in (None, d.warehouse)])
            case "settlements.receivables":
                return self._balances(until, "sale", "payment_in")
            case "settlements.payables":
                return self._balances(until, "purchase", "payment_out")
            case "sales.total":
                return [(sum((d.amount for d in during if d.type == "sale"), Decimal(0)),)]
            case "purchases.total":
                return [(sum((d.amount for d in during if d.type == "purchase"), Decimal(0)),)]
            case "sales.by-customer":
                return self._by_counterparty(d for d in during if d.type == "sale")
            case "purchases.by-supplier":
                return self._by_counterparty(d for d in during if d.type == "purchase")
            case "vat.payable":
                return [(self._tax(during, "sale") - self._tax(during, "purchase"),)]
        raise AssertionError(f"the books know nothing of {verb}")

    def _stock(self, documents: Iterable[Document]) -> list[Row]:
        sign = {"purchase": 1, "sale": -1}
        left = defaultdict[int, Decimal](Decimal)
        for document in documents:
            for line in self.lines[document.id] if document.type in sign else ():
                left[line.item] += sign[document.type] * line.quantity
        return sorted((self.items[item], quantity) for item, quantity in left.items() if quantity)

    def _balances(self, documents: Iterable[Document], owed: str, paid: str) -> list[Row]:
        sign = {owed: 1, paid: -1}
        balance = defaultdict[int, Decimal](Decimal)
        for document in documents:
            balance[document.counterparty] += sign.get(document.type, 0) * document.amount
        return self._ranked({cp: amount for cp, amount in balance.items() if amount})

    def _by_counterparty(self, documents: Iterable[Document]) -> list[Row]:
        total = defaultdict[int, Decimal](Decimal)
        for document in documents:
            total[document.counterparty] += document.amount
        return self._ranked(total)

    def _ranked(self, amounts: dict[int, Decimal]) -> list[Row]:
        named = [(self.counterparties[cp], amount) for cp, amount in amounts.items()]
        ranked = sorted(named, key=lambda pair: (-pair[1], pair[0]))
        return list[Row](ranked)

    def _tax(self, documents: Iterable[Document], kind: str) -> Decimal:
        lines = (line for d in documents if d.type == kind for line in self.lines[d.id])
        return sum((line.quantity * line.price for line in lines), Decimal(0)) * Decimal("0.20")


# The demo as it is shipped.


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_home(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def catalog(home: Path) -> Catalog:
    return catalog_of(home)


@pytest.fixture(scope="module")
def books(home: Path) -> Books:
    return Books(home / "trade.sqlite")


def catalog_of(home: Path) -> Catalog:
    return Catalog(home).load()


def run(request: Request, catalog: Catalog) -> Found:
    return look_up(catalog, edited_program((), request)[0], "run")


def organization_of(request: Request) -> str:
    assert request.organization is not None
    return request.organization.id


def request_for(
    catalog: Catalog,
    verb: str,
    organization: str,
    dates: DateScope,
    warehouse: int | None = None,
    focus: int | None = None,
) -> Request:
    """A request without a message: everything it needs is given."""
    owner = _entity(catalog, ORGANIZATION, lambda e: organization in e.names)
    anchors = {ORGANIZATION: Anchored(entity=owner.ref), DATE: Anchored(dates=dates)}
    if warehouse is not None:
        store = _entity(catalog, WAREHOUSE, lambda e: e.ref.id == str(warehouse))
        anchors[WAREHOUSE] = Anchored(entity=store.ref)
    known = catalog.verb(verb)
    assert known is not None
    if focus is not None:
        kind = known.spec.object
        anchors[kind] = Anchored(entity=_entity(catalog, kind, lambda e: e.ref.id == str(focus)).ref)
    return complete(known, anchors, bind(known, anchors), catalog)


def _entity(catalog: Catalog, kind: str, fits: Callable[[NamedEntity], bool]) -> NamedEntity:
    (found,) = [e for e in catalog.entities if e.ref.kind == kind and fits(e)]
    return found


def figures(result: Found, request: Request) -> list[Row]:
    """The rows with their decimals as numbers."""
    types = [column.column.type for column in request.verb.columns]
    return [
        tuple(
            Decimal(cell) if kind is CellType.DECIMAL and cell is not None else str(cell)
            for cell, kind in zip(row, types, strict=True)
        )
        for row in result.rows
    ]


# The dialogues.


class Golden(NamedTuple):
    name: str
    turn: dict[str, Any]


def _golden_turns() -> Iterator[Golden]:
    path = Path(__file__).parent / "data" / "trade_dialogues.jsonl"
    for line in path.read_text("utf-8").splitlines():
        dialogue = json.loads(line)
        for number, turn in enumerate(dialogue["turns"], 1):
            if turn.get("expect_route") in (*VERBS, *ACTIONS) and "gold" in turn:
                yield Golden(f"{dialogue['id']}-{number}", turn)


GOLDEN: Final = list(_golden_turns())
_MODES: Final = {
    CoverageStatus.FULL: "confirmed",
    CoverageStatus.PARTIAL: "limited",
    CoverageStatus.BLOCKED: "unsupported",
}


def test_the_dialogues_ask_for_almost_every_verb() -> None:
    assert len(GOLDEN) == 88
    assert {*VERBS, *ACTIONS} - {golden.turn["expect_route"] for golden in GOLDEN} == {
        "purchases.by-supplier",
        "counterparty.payments",
    }


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)
def test_a_turn_of_a_dialogue_has_its_figures(catalog: Catalog, golden: Golden) -> None:
    turn, state = golden.turn, golden.turn["expect_state"]
    dates = DateScope(*map(dt.date.fromisoformat, state["date_scope"]))
    route, focus = turn["expect_route"], state["focus"]
    of_object = focus["id"] if route in ACTIONS else None
    warehouse = None if route in ACTIONS else state["warehouse"]
    request = request_for(catalog, route, state["organization"], dates, warehouse, of_object)

    coverage = coverage_of(request, catalog)
    result = run(request, catalog)
    assert _MODES[coverage.status] == turn["expect_answer_mode"]
    assert open_gate((coverage.code,), checked=result.checked).truth_mode == turn["expect_answer_mode"]
    assert bool(coverage.reason) is (turn["expect_answer_mode"] != "confirmed")

    gold = [tuple(c if isinstance(c, str) else Decimal(str(c)) for c in row) for row in turn["gold"]]
    assert figures(result, request)[:12] == gold


@pytest.mark.parametrize("dates", MONTHS, ids=lambda dates: f"{dates.end:%Y-%m}")
def test_the_north_warehouse_is_blocked_whatever_it_holds(catalog: Catalog, dates: DateScope) -> None:
    coverage = coverage_of(request_for(catalog, "inventory.stock", "Alfa Trade", dates, 2), catalog)
    assert coverage.status is CoverageStatus.BLOCKED
    assert (coverage.code, coverage.reason) == ("source_failed", "North warehouse source is offline")


# Every root verb for every organization and period, against the books.


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("organization", ["Alfa Trade", "Beta Retail"])
@pytest.mark.parametrize("dates", [*MONTHS, HALF_YEAR], ids=lambda dates: f"{dates.start}..{dates.end}")
def test_every_figure_is_the_one_in_the_books(
    catalog: Catalog, books: Books, verb: str, organization: str, dates: DateScope
) -> None:
    request = request_for(catalog, verb, organization, dates)
    result = run(request, catalog)
    assert figures(result, request) == books.answer(verb, int(organization_of(request)), dates)
    _check(result, request)


@pytest.mark.parametrize("warehouse", [1, 2])
@pytest.mark.parametrize("dates", MONTHS, ids=lambda dates: f"{dates.end:%Y-%m}")
def test_the_stock_of_a_warehouse_is_the_one_in_the_books(
    catalog: Catalog, books: Books, warehouse: int, dates: DateScope
) -> None:
    request = request_for(catalog, "inventory.stock", "Alfa Trade", dates, warehouse)
    result = run(request, catalog)
    assert figures(result, request) == books.answer("inventory.stock", 1, dates, warehouse)
    assert bool(result.rows) is (warehouse == 1)


def _check(result: Found, request: Request) -> None:
    """The recount agreed, and the sums are the sums of what is shown."""
    assert result.checked
    column = [row[-1] for row in figures(result, request)]
    (total,) = result.figures
    assert Decimal(total.value) == sum((c for c in column if isinstance(c, Decimal)), Decimal(0))


# Coverage, day by day.

days: Final = st.dates(dt.date(2019, 12, 1), dt.date(2020, 8, 31))


@given(
    verb=st.sampled_from(VERBS),
    organization=st.sampled_from(["Alfa Trade", "Beta Retail"]),
    ends=st.tuples(days, days).map(sorted),
    warehouse=st.sampled_from([None, 1, 2]),
)
def test_coverage_is_the_worst_of_every_day_asked_for(
    catalog: Catalog, verb: str, organization: str, ends: list[dt.date], warehouse: int | None
) -> None:
    asked = warehouse if verb == "inventory.stock" and organization == "Alfa Trade" else None
    request = request_for(catalog, verb, organization, DateScope(*ends), asked)
    start = ends[1] if request.verb.date_use is DateUse.AS_OF else ends[0]
    covered = [
        _status_of(catalog, request, asked, start + dt.timedelta(number))
        for number in range((ends[1] - start).days + 1)
    ]
    worst = max(covered, key=list(CoverageStatus).index)
    assert coverage_of(request, catalog).status is worst


def _status_of(catalog: Catalog, request: Request, warehouse: int | None, day: dt.date) -> CoverageStatus:
    rules = [
        rule.status
        for rule in catalog.coverage
        if rule.domain == request.verb.signature.domain
        and _is_for(rule, organization_of(request), warehouse)
        and rule.start <= day <= rule.end
    ]
    if not rules or "failed" in rules:
        return CoverageStatus.BLOCKED
    return CoverageStatus.PARTIAL if "partial" in rules else CoverageStatus.FULL


def _is_for(rule: CoverageRule, organization: str, warehouse: int | None) -> bool:
    scopes = dict(rule.scopes)
    own = scopes.get(WAREHOUSE)
    return scopes[ORGANIZATION] == organization and own in (
        None,
        None if warehouse is None else str(warehouse),
    )


_rules: Final = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 4), st.sampled_from(["full", "full", "partial", "failed"])),
    max_size=5,
)


@given(rules=_rules, first=st.integers(0, 12), length=st.integers(0, 8), verb=st.sampled_from(VERBS))
def test_coverage_has_no_gap_that_a_rule_does_not_fill(
    catalog: Catalog, rules: list[tuple[int, int, str]], first: int, length: int, verb: str
) -> None:
    """Rules that overlap, touch, or leave single days between them."""
    start = dt.date(2020, 2, 25)
    domain = catalog.verbs[verb].signature.domain
    scopes = ((ORGANIZATION, "1"),)
    made_up = catalog.with_coverage(
        CoverageRule("trade", domain, scopes, _later(start, begin), _later(start, begin + more), status, "so")
        # A domain that no rule speaks of is taken as it is; this one is spoken of, long ago.
        for begin, more, status in (*rules, (-9999, 0, "full"))
    )
    dates = DateScope(_later(start, first), _later(start, first + length))
    request = request_for(made_up, verb, "Alfa Trade", dates)
    asked = range(length, length + 1) if request.verb.date_use is DateUse.AS_OF else range(length + 1)
    covered = [_status_of(made_up, request, None, _later(dates.start, number)) for number in asked]
    coverage = coverage_of(request, made_up)
    assert coverage.status is max(covered, key=list(CoverageStatus).index)
    assert bool(coverage.code) is (coverage.status is not CoverageStatus.FULL)


def _later(day: dt.date, number: int) -> dt.date:
    return day + dt.timedelta(number)


# Other businesses: any documents, to the last digit that the columns hold.

_cents: Final = st.integers(1, 10**14 - 1).map(lambda n: Decimal(n).scaleb(-2))
_prices: Final = st.integers(1, 10**7).map(lambda n: Decimal(n).scaleb(-2))
_thousandths: Final = st.integers(1, 10**7).map(lambda n: Decimal(n).scaleb(-3))
_documents: Final = st.lists(
    st.tuples(
        st.sampled_from(["purchase", "sale", "payment_in", "payment_out"]),
        st.dates(HALF_YEAR.start, HALF_YEAR.end),
        st.integers(1, 2),
        st.sampled_from([201, 205, 301, 306]),
        st.sampled_from([None, 1, 2, 3]),
        _cents,
        st.lists(st.tuples(st.integers(101, 110), _thousandths, _prices), max_size=3),
    ),
    max_size=12,
)


@pytest.fixture(scope="module")
def other_business(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_home(tmp_path_factory.mktemp("other"))


def _rewrite(database: Path, documents: list[tuple[Any, ...]]) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("DELETE FROM document")
        connection.execute("DELETE FROM doc_line")
        for number, (kind, day, organization, cp, warehouse, amount, lines) in enumerate(documents, 1):
            values = (number, f"D-{number}", kind, day.isoformat(), organization, cp, warehouse, str(amount))
            connection.execute("INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
            connection.executemany(
                "INSERT INTO doc_line VALUES (?, ?, ?, ?, ?)",
                [(number, n, item, str(qty), str(price)) for n, (item, qty, price) in enumerate(lines, 1)],
            )


@some.examples(0.5)
@given(documents=_documents, dates=st.sampled_from([*MONTHS, HALF_YEAR]))
def test_every_figure_of_any_business_is_exact(
    other_business: Path, documents: list[tuple[Any, ...]], dates: DateScope
) -> None:
    _rewrite(other_business / "trade.sqlite", documents)
    catalog, books = catalog_of(other_business), Books(other_business / "trade.sqlite")
    for verb, organization in itertools.product(VERBS, ("Alfa Trade", "Beta Retail")):
        request = request_for(catalog, verb, organization, dates)
        result = run(request, catalog)
        expected = books.answer(verb, int(organization_of(request)), dates)
        if verb == "vat.payable":
            # Tax is shown in cents; the books know more places.
            (((shown,),), ((exact,),)) = figures(result, request), expected
            assert isinstance(shown, Decimal)
            assert isinstance(exact, Decimal)
            assert abs(shown - exact) <= Decimal("0.005")
        else:
            assert figures(result, request) == expected
        assert result.checked


def test_an_answer_keeps_fifty_rows_and_counts_them_all(tmp_path: Path) -> None:
    home = demo_home(tmp_path)
    database = home / "trade.sqlite"
    with closing(sqlite3.connect(database)) as connection, connection:
        for number in range(1000, 1060):
            connection.execute(
                "INSERT INTO counterparty VALUES (?, ?, ?, 'customer')", (number, f"Customer {number}", "")
            )
            connection.execute(
                "INSERT INTO document VALUES (?, ?, 'sale', '2020-04-01', 1, ?, 1, '0.01')",
                (number, f"S-{number}", number),
            )
    catalog, books = catalog_of(home), Books(database)
    request = request_for(catalog, "sales.by-customer", "Alfa Trade", MONTHS[3])
    result = run(request, catalog)
    with Workspace(tmp_path, MemoryStore(), home=home) as workspace:
        session = workspace.new_session()
        workspace.ask(session, "sales by customer of Alfa Trade in April 2020")
        answer = workspace.state(session).answers.items[-1]
    assert figures(result, request) == books.answer("sales.by-customer", 1, MONTHS[3])
    assert len(answer.rows) == PREVIEW_ROWS
    assert answer.rows == result.rows[:PREVIEW_ROWS]
    assert answer.row_count == len(result.rows) == 62
    assert answer.figures[0].value == "1320.60"
