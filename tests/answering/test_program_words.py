"""Programs in plain words: every form in every language, and never two alike in one question."""

import re
import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dragoman
from dragoman.answering.words.headings import headings_of
from dragoman.answering.words.names import as_heading, in_words
from dragoman.answering.words.program import program_in_words, programs_in_words
from dragoman.answering.words.speaker import Known
from dragoman.contracts.answer import Heading
from dragoman.contracts.program import (
    Argument,
    Call,
    Entry,
    Integer,
    Map,
    Program,
    Sequence,
    Statement,
    Symbol,
    Text,
    Value,
)
from dragoman.language.source import Source
from dragoman.language.verbs.printer import print_line
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.locales import language, languages
from dragoman.tables.graph import Graph
from dragoman.tables.verbs import Word
from tests import strategies
from tests.answering.record_shop import schema

GRAPH: Final = Graph(schema())
SHOP: Final = Known(graph_of=lambda _: GRAPH)
CASES: Final = Path(__file__).parent / "program_words.txt"
TEXTS: Final[dict[str, Mapping[str, Any]]] = {
    code: language(code).document("program_words") for code in languages()
}
_DATA: Final = {"order_of_parts", "month_names", "in_months", "weekday_names"}
_DATA_TOO: Final = _DATA | {"plural_endings", "singular_endings"}


def program(text: str) -> Program:
    document = read_verbs(Source(text))
    assert not document.diagnostics, document.diagnostics
    return document.statements


def cases() -> Iterator[tuple[str, str, str]]:
    """A statement in brackets, and on the lines after it how each language says it."""
    for chunk in CASES.read_text(encoding="utf-8").split("\n(")[1:]:
        first, *said = chunk.strip().splitlines()
        for line in said:
            code, _, words = line.strip().partition(": ")
            yield f"({first}", code, words


@pytest.mark.parametrize(("text", "code", "words"), list(cases()))
def test_a_program_is_said_so(text: str, code: str, words: str) -> None:
    assert program_in_words(program(text), SHOP, code) == words


def test_every_form_is_said_in_every_language() -> None:
    found = {text: {code for other, code, _ in cases() if other == text} for text, _, _ in cases()}
    assert len(found) >= 60
    assert {tuple(sorted(codes)) for codes in found.values()} == {languages()}


@pytest.mark.parametrize("code", languages())
def test_no_two_of_the_forms_read_alike(code: str) -> None:
    said = [words for _, other, words in cases() if other == code]
    assert len(set(said)) == len(said)


# What two programs in one question are called.


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('(Invoice.count :by "Buyer/FirstName")', '(Invoice.count :by "Seller/FirstName")'),
        ('(orders.count :status "5")', "(orders.count :status 5)"),
        ('(orders.list :connection "@a")', '(orders.list :connection "@b")'),
        ('(products.list :name "a b")', '(products.list :name "a  b")'),
        ('(orders.count :status "open")', '(orders.count :status ["open"])'),
        ('(products.list :name "A")', '(products.list :name "a")'),
        ("(orders.list :total {:above 1 :below 5})", "(orders.list :total {:below 5 :above 1})"),
    ],
)
def test_two_options_show_where_they_differ(code: str, one: str, other: str) -> None:
    first, second = programs_in_words([program(one), program(other)], SHOP, code)
    assert first != second


def test_options_that_read_apart_are_left_short() -> None:
    programs = [
        program('(Invoice.count :by "BillingCountry")'),
        program('(Invoice.count :by "Buyer/FirstName")'),
    ]
    assert programs_in_words(programs, SHOP, "en") == (
        "number of invoices by billing country",
        "number of invoices by buyer first name",
    )


_COLUMNS: Final = [name for table in GRAPH.tables.values() for name in table.columns]
_LINKS: Final = [name for table in GRAPH.tables.values() for name in GRAPH.links(table)]
_KEYS: Final = (
    "that groups how-many all not month above at-least between contains column number times divided days asc"
)
_NAMES: Final = st.sampled_from([*_COLUMNS, *_LINKS, *(word.value for word in Word), *_KEYS.split()])
_SCALARS: Final = st.builds(Text, _NAMES | strategies.texts) | strategies.values


def _statements(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Statement]:
    tables = st.sampled_from([*GRAPH.by_name, "nothing"])
    verbs = st.sampled_from(["list", "count", "sum", "average", "min", "max", "top", "share", "other"])
    arguments = st.lists(st.builds(Argument, _NAMES, inner, st.just("") | strategies.texts), max_size=4)
    return st.builds(
        Statement, st.builds("{}.{}".format, tables, verbs), arguments.map(tuple), strategies.names
    )


_VALUES: Final[st.SearchStrategy[Value]] = st.recursive(
    _SCALARS,
    lambda inner: (
        st.builds(Sequence, st.lists(inner, max_size=3).map(tuple))
        | st.builds(Map, st.lists(st.builds(Entry, _NAMES, inner), max_size=3).map(tuple))
        | st.builds(Call, _statements(inner))
    ),
    max_leaves=8,
)
_PROGRAMS: Final = st.lists(_statements(_VALUES), min_size=1, max_size=2).map(tuple)


@given(_PROGRAMS, st.sampled_from(languages()), st.booleans())
def test_anything_over_tables_can_be_said(made: Program, code: str, known: bool) -> None:
    where = SHOP if known else Known()
    said = program_in_words(made, where, code)
    assert said
    assert said == program_in_words(made, where, code)


@given(st.lists(_PROGRAMS, min_size=2, max_size=4), st.sampled_from(languages()))
def test_different_programs_never_read_alike(made: list[Program], code: str) -> None:
    different = list({print_line(each): each for each in made}.values())
    said = programs_in_words(different, SHOP, code)
    assert len({text.strip() for text in said}) == len(different)


def test_what_is_too_deep_is_shown_as_it_is_written() -> None:
    value: Value = Integer(1)
    for _ in range(5000):
        value = Map((Entry("not", value),))
    said = program_in_words((Statement("orders.list", (Argument("total", value),)),), SHOP, "en")
    assert said.startswith("orders where not (not (")
    assert "{:not" in said


def test_steps_that_name_each_other_are_said_once() -> None:
    above = Map((Entry("above", Symbol("b")),))
    below = Map((Entry("above", Symbol("a")),))
    circle = (
        Statement("products.list", (Argument("price", above),), "a"),
        Statement("products.list", (Argument("price", below),), "b"),
    )
    assert program_in_words(circle, SHOP, "en").count("products") == 6


# Programs of several statements, of packs, of components.


def test_a_step_is_said_where_its_value_is_used() -> None:
    text = '(products.average :of "price" :as @mean) (products.list :price {:above @mean})'
    assert program_in_words(program(text), SHOP, "en") == (
        "products where price is above the average of product price"
    )


def test_a_resolved_name_is_said_in_place_of_its_key() -> None:
    named = Statement("orders.count", (Argument("customer_id", Integer(17), "Alfa Trade"),))
    other = Statement("orders.count", (Argument("customer_id", Integer(18), "Alfa Trade"),))
    assert program_in_words((named,), SHOP, "en") == "number of orders where customer is Alfa Trade"
    first, second = programs_in_words([(named,), (other,)], SHOP, "en")
    assert "17" in first
    assert "18" in second


def test_a_verb_of_a_pack_has_its_title_and_a_component_its_text() -> None:
    pack = Known(title_of=lambda each: "Stock" if each.verb == "inventory.stock" else "")
    text = '(inventory.stock :organization "A-1") (duckdb.writer :path "x.csv")'
    assert program_in_words(program(text), pack, "en") == (
        'Stock (organization: A-1); then duckdb.writer :path "x.csv"'
    )


# Names and headings.


@pytest.mark.parametrize(
    ("name", "words", "heading"),
    [
        ("BillingCountry", "billing country", "Billing Country"),
        ("order_date", "order date", "Order Date"),
        ("VATNumber", "VAT number", "VAT Number"),
        ("customer_id", "customer ID", "Customer ID"),
        ("HTTPRequests", "HTTP requests", "HTTP Requests"),
        ("CUSTOMER_NAME", "customer name", "Customer Name"),
        ("VAT", "VAT", "VAT"),
        ("ORDERS", "orders", "Orders"),
        ("unit price", "unit price", "Unit Price"),
        ("страна", "страна", "Страна"),
        ("가격", "가격", "가격"),
        ("__", "__", "__"),
    ],
)
def test_a_name_in_words(name: str, words: str, heading: str) -> None:
    assert in_words(name) == words
    assert as_heading(words) == heading


@pytest.mark.parametrize(
    ("text", "names", "headings"),
    [
        ('(Invoice.sum :of "Total" :by "BillingCountry")', ("BillingCountry", "sum"),
         (Heading("Billing Country"), Heading("Total of total"))),
        ('(orders.average :of "total")', ("average",), (Heading("Average of total", True),)),
        ('(orders.count :by "order_date/month")', ("order_date/month", "count"),
         (Heading("Month of order date"), Heading("Number of orders"))),
        ('(products.max :of "price" :also ["count" {:average "price"}])', ("max", "count", "average"),
         (Heading("Highest price"), Heading("Number of products"), Heading("Average of price", True))),
        ('(orders.list :columns ["id" "customer/name"])', ("id", "customer/name"),
         (Heading("ID"), Heading("Customer Name"))),
        ('(order_lines.list :columns [{:divided ["unit_price" "quantity"]}])',
         ('{:divided ["unit_price" "quantity"]}',), (Heading("Unit price ÷ quantity", True),)),
        ('(orders.share :by "status")', ("status", "share"),
         (Heading("Status"), Heading("Share of orders", True))),
        ('(nothing.list)', ("id",), ()),
    ],
)  # fmt: skip
def test_the_headings_of_a_result(text: str, names: tuple[str, ...], headings: tuple[Heading, ...]) -> None:
    assert headings_of(program(text)[0], names, SHOP, "en") == headings


# The phrases as data.


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("code", languages())
def test_a_language_says_everything_with_everything_in_it(code: str) -> None:
    """Nothing that a program says may be left out of its sentence."""
    assert list(TEXTS[code]) == list(TEXTS["en"])
    for key, text in TEXTS["en"].items():
        if key not in _DATA_TOO and key != "in_month":
            assert _places(TEXTS[code][key]) == _places(text), key
    assert set(TEXTS[code]["order_of_parts"]) == set(TEXTS["en"]["order_of_parts"])
    assert [len(TEXTS[code][key]) for key in sorted(_DATA)] == [12, 12, 11, 7]


def test_every_phrase_there_is_said() -> None:
    room = Path(dragoman.__file__).parent / "answering" / "words"
    code = "".join(path.read_text("utf-8") for path in room.glob("*.py"))
    quoted = set(re.findall(r'"([a-z_]+)"', code))
    made = {"sign", "part", "asc", "desc", "min", "max", "sum", "average", "count", "share", "first", "top"}
    ends = ("_not", "_date", "_one", "_names")
    unsaid = {
        key
        for key in set(TEXTS["en"]) - quoted - {"in_months"}
        if key.partition("_")[0] not in made and not key.endswith(ends) and key.replace("_", "-") not in code
    }
    assert unsaid == set()


def test_what_is_shown_is_said_where_programs_differ_by_that_alone() -> None:
    grouped = '(orders.count :by "customer_id" :columns ["customer/name" {}])'
    one, other = (program(grouped.replace("{}", shown)) for shown in ('"count"', ""))
    first, second = programs_in_words([one, other], SHOP, "en")
    assert first == "number of orders by customer ID, showing customer name and number of orders"
    assert second == "number of orders by customer ID, showing customer name"
    assert program_in_words(one, SHOP, "en") == "number of orders by customer, showing name"


def test_a_group_is_called_by_its_row_where_the_row_is_shown() -> None:
    assert program_in_words(program('(orders.count :by "customer_id")'), SHOP, "en").endswith("customer ID")
    by_key = '(orders.count :by "customer_id" :columns ["customer/id" "count"])'
    assert program_in_words(program(by_key), SHOP, "en").startswith("number of orders by customer")
