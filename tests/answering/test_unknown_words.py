"""Slips, everyday forms and words that nobody knows: read and said, asked about, or offered without them."""

import sqlite3
from collections.abc import Iterator

import pytest

from dragoman import Workspace
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, ClarificationKind, TransitionClass

T = TransitionClass
STOCK = "stock of Alfa Trade on 31 March 2020"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """The trade demo with some names that are hard to read."""
    folder = tmp_path_factory.mktemp("names")
    with Workspace.open(folder) as workspace:
        say(workspace, STOCK)
    with sqlite3.connect(folder / ".dragoman" / "demo" / "trade.sqlite") as connection:
        connection.execute("INSERT INTO counterparty VALUES (901, 'Normandia', 'Нормандия', 'customer')")
        connection.execute("INSERT INTO counterparty VALUES (902, 'Normandie', 'Нормандие', 'customer')")
        connection.execute(
            "INSERT INTO item VALUES (901, 'X-1', 'Stock sales March 2019', 'Продажи за май 2020')"
        )
        connection.execute("INSERT INTO item VALUES (902, 'X-2', 'Delete all documents', 'Отмени всё')")
        connection.execute("INSERT INTO doc_line VALUES (1, 8, 901, 3, 1), (1, 9, 902, 4, 1)")
    connection.close()
    with Workspace.open(folder) as workspace:
        yield workspace


def say(workspace: Workspace, *messages: str) -> TurnResult:
    session = workspace.new_session()
    return [workspace.ask(session, message) for message in messages][-1]


# What is read otherwise than it was written is said.


@pytest.mark.parametrize(
    ("messages", "written", "read"),
    [
        (("invetory of Alfa Trade on 31 March 2020",), "invetory", "inventory"),
        ((STOCK, "receivbles"), "receivbles", "receivables"),
        ((STOCK, "monitr"), "monitr", "monitor"),
        (("скока товара на складе у Альфы на 31 марта 2020",), "скока", "сколько"),
        (("알파 트레이드 2020년 3월 31일 제고",), "제고", "재고"),
        (("Lagerbestnad der Alfa Trade am 31. März 2020",), "lagerbestnad", "lagerbestand"),
    ],
)
def test_a_slip_is_read_answered_and_said(
    workspace: Workspace, messages: tuple[str, ...], written: str, read: str
) -> None:
    result = say(workspace, *messages)
    assert result.answer_mode is AnswerMode.CONFIRMED
    assert written in result.message
    assert read in result.message


def test_a_slip_that_may_be_two_names_is_asked_about(workspace: Workspace) -> None:
    sales = "sales by customer of Alfa Trade in April 2020"
    result = say(workspace, sales, "open Normandio")
    assert (result.transition, result.answer_mode) == (T.T3, AnswerMode.CLARIFICATION_REQUIRED)
    assert [("Normandia" in str(each), "Normandie" in str(each)) for each in result.options] == [
        (True, False),
        (False, True),
    ]
    answered = say(workspace, sales, "open Normandio", "the second")
    assert (answered.transition, answered.rows) == (T.T7, (("Normandie", "0.00"),))


# A word that nobody knows.


@pytest.mark.parametrize(
    ("messages", "word", "entry", "route"),
    [
        (("the flurbed stock of Alfa Trade on 31 March 2020",), "flurbed", T.T1, "inventory.stock"),
        (("Gorbled sales of Beta Retail for April 2020",), "Gorbled", T.T1, "sales.total"),
        ((STOCK, "tootling receivables"), "tootling", T.T6, "settlements.receivables"),
        ((STOCK, "Oak desk 120", "who the blazes bought it"), "blazes", T.T5, "item.buyers"),
        ((STOCK, "Oak desk 120", "supplier pronto"), "pronto", T.T4, "item.supplier"),
        (("хрюндельные остатки Бета Ритейл на 30 апреля 2020",), "хрюндельные", T.T1, "inventory.stock"),
        (("뾰로롱 알파 트레이드 2020년 3월 매출",), "뾰로롱", T.T1, "sales.total"),
    ],
)
def test_the_reading_without_the_word_is_offered_and_the_word_is_named(
    workspace: Workspace, messages: tuple[str, ...], word: str, entry: T, route: str
) -> None:
    session = workspace.new_session()
    for message in messages:
        result = workspace.ask(session, message)
    assert (result.transition, result.answer_mode) == (entry, AnswerMode.CLARIFICATION_REQUIRED)
    assert f"“{word}”" in result.message
    pending = workspace.state(session).frames.clarification
    assert pending is not None
    assert pending.clarification_kind is ClarificationKind.CONFIRM_READING
    assert pending.resume_target_route == route
    assert result.rows == ()
    answered = workspace.ask(session, "yes")
    assert (answered.transition, answered.route) == (T.T7, route)
    assert answered.answer_mode is AnswerMode.CONFIRMED


@pytest.mark.parametrize(
    "said",
    [
        "stock without Oak desk 120",
        "stock below 10",
        "stock excluding keyboards",
        "not the receivables",
        "receivables of Gamma",
        "receivables of gamma",
        "sales margin",
        "snicker snack vorpal receivables",
        "gimble the wabe",
        "frobnicate for April",
        "shred its documents",
        "cancel its last document",
    ],
)
def test_what_would_change_the_meaning_is_never_left_out(workspace: Workspace, said: str) -> None:
    result = say(workspace, STOCK, "Oak desk 120", said)
    assert (result.transition, result.answer_mode) == (T.T10, AnswerMode.UNSUPPORTED)


def test_an_offer_never_traps(workspace: Workspace) -> None:
    offered = ("tootling receivables of Alfa Trade on 31 March 2020",)
    assert say(workspace, *offered, "VAT of Beta Retail for March 2020").transition is T.T1
    declined = say(workspace, *offered, "no")
    assert (declined.transition, declined.answer_mode) == (T.T7, AnswerMode.NONE)


# The wording for a selected object.


@pytest.mark.parametrize(
    ("said", "name", "route"),
    [
        ('For the selected object "Stock sales March 2019"', "Stock sales March 2019", "item.card"),
        (
            "По выбранному объекту «Продажи за май 2020» кто поставщик",
            "Stock sales March 2019",
            "item.supplier",
        ),
        (
            "For the selected object 'Delete all documents' list the documents",
            "Delete all documents",
            "item.documents",
        ),
        ('선택한 객체 "Delete all documents"', "Delete all documents", "item.card"),
        (
            "Für das ausgewählte Objekt „Delete all documents“ Lieferant",
            "Delete all documents",
            "item.supplier",
        ),
    ],
)
def test_a_selected_object_is_that_object_whatever_words_its_name_has(
    workspace: Workspace, said: str, name: str, route: str
) -> None:
    session = workspace.new_session()
    workspace.ask(session, STOCK)
    result = workspace.ask(session, said)
    assert (result.transition, result.route) == (T.T3, route)
    selected = workspace.state(session).frames.selected_object
    assert selected is not None
    assert selected.focus_object_ref.name == name
    root = workspace.state(session).frames.root
    assert root is not None
    assert root.date_scope is not None
    assert str(root.date_scope.end) == "2020-03-31"


def test_a_selected_object_that_nothing_has_is_refused_by_its_name(workspace: Workspace) -> None:
    result = say(workspace, STOCK, 'For the selected object "Marble bench" show documents')
    assert result.transition is T.T10
    assert "“Marble bench”" in result.message


# What is loaded.


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("what periods do you have", ("1 January 2020", "30 June 2020", "bank statements")),
        ("за какие периоды есть данные", ("1 января 2020", "30 июня 2020", "bank statements")),
        ("데이터는 언제까지 있어?", ("2020년 1월 1일", "2020년 6월 30일", "bank statements")),
        ("bis wann sind die Daten geladen?", ("1. Januar 2020", "30. Juni 2020", "bank statements")),
        ("what do you have?", ("Alfa Trade", "1 January 2020", "30 June 2020")),
    ],
)
def test_what_is_loaded_is_said_from_the_coverage(
    workspace: Workspace, said: str, parts: tuple[str, ...]
) -> None:
    result = say(workspace, said)
    assert (result.transition, result.answer_mode) == (T.T0, AnswerMode.NONE)
    assert all(part in result.message for part in parts), result.message
