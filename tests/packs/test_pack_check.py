"""The check of packs: the shipped ones are clean, and each kind of mistake is found where it stands."""

import json
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dragoman.contracts.pack import Pack, ResolutionMode
from dragoman.contracts.program import Diagnostic, Severity
from dragoman.contracts.schema import Dialect, TableInfo, TableKind
from dragoman.language.source import Source, show
from dragoman.packs.demo import demo_script
from dragoman.packs.pack_check import check_pack
from dragoman.packs.pack_files import load_shipped, shipped_packs, shipped_source
from dragoman.packs.statements import created_key, declared_parameters
from tests.packs.schemas import schema_of

SHAPE = """
CREATE TABLE book(
  book_id INTEGER PRIMARY KEY, title VARCHAR(80), isbn VARCHAR(20), shelf_id INTEGER, price DECIMAL(8,2)
);
CREATE TABLE shelf(shelf_id INTEGER PRIMARY KEY, name VARCHAR(80));
CREATE TABLE loan(loan_id INTEGER PRIMARY KEY, book_id INTEGER, day DATE, days INTEGER);
CREATE VIEW priced AS SELECT book_id, title, price FROM book;
"""

LIBRARY = """
pack: library
title: {en: Library, ru: Библиотека}
dialect: postgres
scopes:
  shelf: {entity: shelf, required: false}
  date: {title: {en: date}}
tables:
  loan:
    words: {en: [lend], ru: [выдача]}
    label: [loan_id, day]
    columns:
      days: {measure: true, scale: 0}
      day: {verbs: {en: [borrow]}}
entities:
  book:
    table: book
    key: book_id
    display: title
    codes: [isbn]
    within: {shelf: shelf_id}
    card: book.card
    create: book.add
    title: {en: book}
    words: {en: [book, books]}
  shelf: {table: shelf, key: shelf_id, display: name}
coverage:
  - {domain: loans, start: 2024-01-01, end: 2024-12-31, status: full}
metrics:
  loans: {title: {en: loans}, verb: loans.count, definition: {en: how many}, words: {en: [lending]}}
  held:
    title: {en: held}
    definition: {en: days that books were out}
    table: loan
    of: '{:plus ["days" "days"]}'
verbs:
  loans.count:
    title: {en: Loans}
    date: period
    arguments:
      shelf: {entity: shelf, required: false}
      min-days: {kind: integer, required: false}
    columns: [{name: loans, type: integer}]
    words: {en: [loans, how many loans]}
    sql: |
      SELECT COUNT(*) AS loans
      FROM loan AS l
      JOIN book AS b ON b.book_id = l.book_id
      WHERE l.day BETWEEN :start AND :end
        AND (:shelf IS NULL OR b.shelf_id = :shelf)
        AND (:min_days IS NULL OR l.days >= :min_days)
  books.list:
    title: {en: Books}
    columns: [{name: title, entity: book}, {name: price, type: decimal, scale: 2}]
    words: {en: [list books]}
    sql: SELECT b.title AS title, CAST(ROUND(b.price * 100) AS BIGINT) AS price FROM book AS b ORDER BY title
  book.card:
    title: {en: Book}
    frame: object
    object: book
    arguments: {book: {entity: book}}
    columns: [{name: title}]
    sql: SELECT title AS title FROM book WHERE book_id = :book
  book.add:
    title: {en: Add a book}
    frame: none
    effect: write
    writes: [book]
    arguments: {book-id: {kind: new-key}, title: {}}
    sql: INSERT INTO book (book_id, title) VALUES (:book_id, :title)
  book.reprice:
    title: {en: Change a price}
    frame: object
    object: book
    effect: write
    writes: [book]
    arguments: {book: {entity: book}, price: {kind: decimal}}
    sql: UPDATE book SET price = :price WHERE book_id = :book
policies:
  - {table: book, unless: [buyer], hide: [price]}
  - {table: loan, roles: [guest], rows: "days < 30"}
documents:
  rules: {title: Rules, text: Bring it back.}
"""


def checked(text: str, *, with_schema: bool = False) -> tuple[Diagnostic, ...]:
    return check_pack(Source(text, "pack.yaml"), schema_of(SHAPE) if with_schema else None)


@pytest.mark.parametrize("name", shipped_packs())
def test_the_shipped_packs_are_clean(name: str) -> None:
    source = shipped_source(name)
    findings = check_pack(source, schema_of(demo_script(load_shipped(name))))
    assert not [show(source, finding) for finding in findings]


def test_the_library_is_clean() -> None:
    assert checked(LIBRARY, with_schema=True) == ()


# What is written, what is written instead, what is found, and the text that the finding stands under.
MISTAKES = [
    tuple(json.loads(line)[key] for key in ("right", "wrong", "code", "under"))
    for line in Path(__file__).with_name("mistakes.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize(("right", "wrong", "code", "under"), MISTAKES)
def test_a_mistake_is_found_where_it_stands(right: str, wrong: str, code: str, under: str | None) -> None:
    assert LIBRARY.count(right) == 1, right
    text = LIBRARY.replace(right, wrong)
    findings = [finding for finding in checked(text) if finding.code == code]
    assert findings, [finding.code for finding in checked(text)]
    finding = findings[0]
    assert finding.severity is Severity.ERROR
    assert finding.hint
    assert finding.span is not None
    if under is not None:
        assert text[finding.span.start : finding.span.end] == under
    else:
        # Somewhere in the part that was changed, or in the SQL it makes wrong.
        assert 0 <= finding.span.start < len(text)


MISSING = [
    ("    table: book\n", "    table: boook\n", "unknown_table", "boook"),
    ("    display: title\n", "    display: titel\n", "unknown_column", "titel"),
    ("    codes: [isbn]", "    codes: [isbm]", "unknown_column", "isbm"),
    ("within: {shelf: shelf_id}", "within: {shelf: shelf_no}", "unknown_column", "shelf_no"),
    ("FROM loan AS l\n", "FROM loans AS l\n", "unknown_table", "loans"),
    ("l.day BETWEEN", "l.dai BETWEEN", "unknown_column", "dai"),
    ("SELECT title AS title FROM book", "SELECT titel AS title FROM book", "unknown_column", "titel"),
    ("l.day BETWEEN", "m.day BETWEEN", "unknown_table", "m"),
    ("SET price = :price", "SET prise = :price", "unknown_column", "prise"),
    ("hide: [price]", "hide: [prize]", "unknown_column", "prize"),
    ('rows: "days < 30"', 'rows: "daze < 30"', "unknown_column", "daze"),
    ("- {table: loan,", "- {table: lone,", "unknown_table", "lone"),
    ("  loan:\n", "  lown:\n", "unknown_table", "lown"),
    ("label: [loan_id, day]", "label: [loan_id, dai]", "unknown_column", "dai"),
    ("      day: {verbs", "      dai: {verbs", "unknown_column", "dai"),
    ("    table: loan\n", "    table: lone\n", "unknown_table", "lone"),
    ('["days" "days"]', '["days" "daze"]', "wrong_metric", """'{:plus ["days" "daze"]}'"""),
]


@pytest.mark.parametrize(("right", "wrong", "code", "under"), MISSING)
def test_what_the_database_does_not_have_is_found(right: str, wrong: str, code: str, under: str) -> None:
    assert LIBRARY.count(right) == 1, right
    text = LIBRARY.replace(right, wrong)
    assert checked(text) == ()
    (finding,) = [each for each in checked(text, with_schema=True) if each.severity is Severity.ERROR]
    assert finding.code == code
    assert finding.span is not None
    assert text[finding.span.start : finding.span.end] == under


WARNINGS = [
    ("words: {en: [list books]}", "words: {en: [list books, How  Many LOANS]}", "ambiguous_word"),
    ("words: {en: [list books]}", "words: {en: [list books, lending]}", "ambiguous_word"),
    ("title: {en: Book}", "title: {en: Book, fr: Livre}", "unknown_language"),
    ("(:min_days IS NULL OR l.days >= :min_days)", "l.days >= :min_days", "optional_unguarded"),
]


@pytest.mark.parametrize(("right", "wrong", "code"), WARNINGS)
def test_what_only_should_be_looked_at_is_a_warning(right: str, wrong: str, code: str) -> None:
    text = LIBRARY.replace(right, wrong)
    assert text != LIBRARY
    assert [(finding.code, finding.severity) for finding in checked(text)] == [(code, Severity.WARNING)]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT book_id, title FROM book WHERE price < 5",
        "SELECT book_id, read_text('books.csv') FROM book",
        "SELECT book_id, price FROM book UNION SELECT loan_id, days FROM loan",
    ],
)
def test_a_view_that_cannot_be_narrowed_is_said(query: str) -> None:
    views = replace(
        schema_of(SHAPE), tables=tuple(_with_query(table, query) for table in schema_of(SHAPE).tables)
    )
    (finding,) = check_pack(Source(LIBRARY, "pack.yaml"), views)
    assert (finding.code, finding.severity) == ("view_withheld", Severity.WARNING)
    assert "priced" in finding.message


def _with_query(table: TableInfo, query: str) -> TableInfo:
    return replace(table, definition=query) if table.kind is TableKind.VIEW else table


def test_all_mistakes_are_found_at_once_and_in_order() -> None:
    text = LIBRARY
    for right, wrong in (
        ("pack: library", "pack: My Library"),
        ("card: book.card", "card: x.y"),
        ("end: 2024-12-31", "end: 2023-12-31"),
    ):
        text = text.replace(right, wrong)
    findings = checked(text)
    assert [finding.code for finding in findings] == ["pack_name", "unknown_verb", "dates_reversed"]
    assert [finding.span.line for finding in findings if finding.span] == sorted(
        finding.span.line for finding in findings if finding.span
    )


@given(st.text(max_size=200))
def test_any_text_gets_findings_and_no_error(text: str) -> None:
    for finding in check_pack(Source(text)):
        assert finding.code
        assert finding.message


@given(st.text(max_size=60), st.sampled_from(Dialect))
def test_any_sql_gets_findings_and_no_error(sql: str, dialect: Dialect) -> None:
    indented = textwrap.indent(sql.replace("\r", "\n"), "      ")
    head = f"pack: x\ntitle: {{en: x}}\ndialect: {dialect}\nverbs:\n"
    text = f"{head}  a.b:\n    title: {{en: x}}\n    sql: |\n      --\n{indented}\n"
    check_pack(Source(text), schema_of(SHAPE))


def test_parameters_of_arguments() -> None:
    verb = load_shipped("funds").verbs["cbu.activate"]
    assert declared_parameters(verb) == {"cbu": "cbu", "opened_on": "opened-on"}
    stock = load_shipped("trade").verbs["inventory.stock"]
    assert declared_parameters(stock)["as_of"] == "as-of"


def test_the_key_of_what_is_created() -> None:
    pack = load_shipped("funds")
    made = {
        name: created_key(pack.verbs[entity.create], entity.key, pack.dialect)
        for name, entity in pack.entities.items()
        if entity.create
    }
    assert made == {"cbu": "cbu-id", "fund": "fund-id", "manco": "manco-id"}


def test_the_worlds_of_the_packs() -> None:
    funds: Pack = load_shipped("funds")
    assert funds.entities["cbu"].mode is ResolutionMode.SEARCH_MODAL
    assert {"jurisdiction", "client-type", "manco-name"} <= funds.entities["cbu"].discriminators.keys()
    projects = load_shipped("projects")
    assert {
        "completion-rate",
        "wip",
        "velocity",
        "cycle-time",
        "lead-time",
        "blocker-age",
    } <= projects.metrics.keys()
    assert all(set(metric.definition) == {"en", "ru", "ko"} for metric in projects.metrics.values())
    assert len(projects.documents) >= 8
    assert {document.language for document in projects.documents.values()} == {"en", "ru", "ko"}
