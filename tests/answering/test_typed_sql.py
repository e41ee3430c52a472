"""SELECTs typed into a conversation: what they become, what goes on from them, and what is refused."""

import csv
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from dragoman import Workspace
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass

T, M = TransitionClass, AnswerMode
SCRIPT: Final = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id), status TEXT NOT NULL,
  total DECIMAL(10,2), order_date DATE NOT NULL
);
INSERT INTO customers VALUES (1, 'Ann', 'FR'), (2, 'Bob', 'DE'), (3, 'Cid', NULL), (4, 'Dee', 'FR');
INSERT INTO orders VALUES (1, 1, 'open', 10.5, '2022-03-01'), (2, 1, 'done', 99.9, '2023-02-11'),
  (3, 2, 'open', 5, '2023-05-05'), (4, 4, 'late', NULL, '2023-12-31'), (5, 2, 'open', 44.1, '2024-01-01');
"""
RANKED: Final = "SELECT name, RANK() OVER (ORDER BY name) AS place FROM customers"
OPEN: Final = "SELECT COUNT(*) FROM orders WHERE status = 'open'"


class Talk:
    def __init__(self, workspace: Workspace, database: Path, folder: Path) -> None:
        self.workspace, self.database, self.folder = workspace, database, folder
        self.session = workspace.new_session()
        self.whole: list[ResultRows] = []

    def say(self, message: str, **more: Any) -> TurnResult:
        return self.workspace.ask(self.session, message, on_result=self.whole.append, **more)

    def gold(self, sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.database)) as connection:
            return connection.execute(sql).fetchall()


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    database, folder = tmp_path / "shop.sqlite", tmp_path / "folder"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript(SCRIPT)
    with Workspace.open_database(database, folder) as workspace:
        yield Talk(workspace, database, folder)


@pytest.mark.parametrize(
    ("sql", "program"),
    [
        (OPEN, '(orders.count :status "open")'),
        ("select * from orders", "(orders.list)"),
        ("SELECT name, country FROM customers;", '(customers.list :columns ["name" "country"])'),
        ("SELECT status, COUNT(*) AS n FROM orders GROUP BY status", '(orders.count :by "status")'),
        ("SELECT DISTINCT status FROM orders", '(orders.list :columns "status" :distinct true)'),
        (
            "SELECT name FROM customers WHERE country IS NOT NULL AND country <> 'FR'",
            '(customers.list :columns "name" :country {:not ["FR" nil]})',
        ),
        (
            "SELECT c.name, o.total FROM orders o JOIN customers c ON c.id = o.customer_id",
            '(orders.list :columns ["customer/name" "total"])',
        ),
        (
            "SELECT COUNT(*) FROM orders WHERE order_date BETWEEN '2023-01-01' AND '2023-12-31'",
            "(orders.count :order_date {:between [2023-01-01 2023-12-31]})",
        ),
        (
            "SELECT strftime('%Y-%m', order_date), SUM(total) FROM orders GROUP BY 1",
            '(orders.sum :of "total" :by "order_date/month")',
        ),
        ("SELECT COUNT(*) FROM orders WHERE strftime('%Y', order_date) = '2023'", None),
        (
            "SELECT customer_id, COUNT(*) FROM orders GROUP BY customer_id HAVING COUNT(*) > 1",
            '(orders.count :by "customer_id" :having {:above 1})',
        ),
    ],
)
def test_what_verbs_say_is_said_with_verbs(talk: Talk, sql: str, program: str | None) -> None:
    result = talk.say(sql)
    assert (result.transition, result.answer_mode) == (T.T1, M.CONFIRMED)
    assert result.route is not None
    assert result.route.startswith(("orders.", "customers."))
    if program is not None:
        assert " ".join(result.program.split()) == program
    ours = sorted(str(row) for row in _plain(talk.whole[-1].rows))
    assert ours == sorted(str(row) for row in _plain(talk.gold(sql)))


@pytest.mark.parametrize(
    "sql",
    [
        RANKED,
        "WITH best AS (SELECT customer_id, SUM(total) AS t FROM orders GROUP BY 1) SELECT * FROM best",
        "SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders)",
        "SELECT name FROM customers UNION SELECT status FROM orders",
        "SELECT upper(name) FROM customers",
        "SELECT 1 + 1",
        # Missing values come first to SQLite, and last to verbs.
        "SELECT id, total FROM orders ORDER BY total",
    ],
)
def test_other_queries_are_asked_as_they_are(talk: Talk, sql: str) -> None:
    result = talk.say(sql)
    assert (result.transition, result.answer_mode, result.route) == (T.T1, M.CONFIRMED, "sqlite.extractor")
    assert _plain(talk.whole[-1].rows) == _plain(talk.gold(sql))
    assert result.evidence[1].snippet.startswith("recounted")


def test_words_go_on_from_a_query_that_verbs_say(talk: Talk) -> None:
    talk.say(OPEN)
    narrowed = talk.say("only 2023")
    assert (narrowed.transition, narrowed.rows) == (T.T2, ((1,),))
    undone = talk.say("undo")
    assert undone.transition is T.X_UNDO
    assert undone.program.strip() == '(orders.count :status "open")'
    talk.say("SELECT status, COUNT(*) FROM orders GROUP BY status")
    assert talk.say("only 2023").row_count == 3


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("only FR", "I can't change a typed SQL query by words"),
        ("только Франция", "нельзя изменить словами"),
        ("and for DE?", "I can't change a typed SQL query by words"),
    ],
)
def test_words_cannot_change_another_query_and_say_so(talk: Talk, message: str, said: str) -> None:
    before = talk.say(RANKED).program
    refused = talk.say(message)
    assert (refused.transition, refused.reason_codes) == (T.T10, ("sql_not_editable",))
    assert said in refused.message
    assert talk.workspace.state(talk.session).program.source.strip() == before.strip()
    # A question of its own is not about it.
    assert talk.say("how many orders are there?").rows == ((5,),)


def test_the_talk_about_a_query_is_that_about_any_answer(talk: Talk) -> None:
    talk.say(RANKED)
    assert talk.say("are you sure?").transition is T.T8
    recap = talk.say("what did we discuss?")
    assert recap.transition is T.T9
    assert "Query “SELECT name, RANK()" in recap.message
    talk.say(OPEN)
    again = talk.say("undo")
    assert again.program.startswith("(sqlite.extractor")
    assert talk.say("run it").row_count == 4


@pytest.mark.parametrize("sql", [RANKED, "SELECT name, country FROM customers ORDER BY name"])
def test_the_rows_of_a_query_are_saved(talk: Talk, sql: str) -> None:
    talk.say(sql)
    assert talk.say("save that as csv to rows.csv").transition is T.X_EXTEND
    assert talk.say("yes").answer_mode is M.CONFIRMED
    with (talk.folder / "rows.csv").open(newline="", encoding="utf-8") as file:
        written = list(csv.reader(file))[1:]
    assert written == [["" if cell is None else str(cell) for cell in row] for row in talk.gold(sql)]


@pytest.mark.parametrize(
    ("message", "code", "said"),
    [
        ("DROP TABLE orders", "sql_changes_data", "DROP"),
        ("insert into orders values (9, 1, 'x', 1, '2020-01-01')", "sql_changes_data", "INSERT"),
        ("UPDATE orders SET status = 'x'", "sql_changes_data", "UPDATE"),
        ("delete from orders where id = 1", "sql_changes_data", "DELETE"),
        ("SELECT 1; DROP TABLE orders", "sql_several_statements", "more than one"),
        ("SELECT * FROM order_s", "sql_unknown_table", "“order_s” (line 1, column 15). Did you mean orders?"),
        ("SELECT name,\n  citty FROM customers", "sql_unknown_column", "“citty” there (line 2, column 3)"),
        ('SELECT name FROM customers WHERE country = "FR"', "sql_unknown_column", "“FR”"),
        ("SELECT o.name FROM orders o", "sql_unknown_column", "“name” there (line 1, column 10)"),
        ("SELECT name FROM customers WHERE", "sql_syntax", "near “WHERE” (line 1, column 28)"),
        ("select name from customers where where id = 1", "sql_syntax", "line 1"),
        ("SELECT load_extension('x') FROM orders", "sql_not_allowed", "load_extension"),
        ("SELECT * FROM sqlite_master", "sql_unknown_table", "sqlite_master"),
    ],
)
def test_other_sql_is_refused_and_changes_nothing(talk: Talk, message: str, code: str, said: str) -> None:
    talk.say(OPEN)
    before, rows = talk.workspace.state(talk.session), talk.gold("SELECT * FROM orders")
    refused = talk.say(message)
    assert (refused.transition, refused.answer_mode, refused.reason_codes) == (T.T10, M.UNSUPPORTED, (code,))
    assert said in refused.message
    after = talk.workspace.state(talk.session)
    assert (after.program.source, after.frames) == (before.program.source, before.frames)
    assert talk.gold("SELECT * FROM orders") == rows


@pytest.mark.parametrize(
    "message",
    [
        "select the best customers",
        "select best customers",
        "select all customers from Germany",
        "select everything from customers",
        "with orders from March, how many are open?",
        "update me on the orders",
        "delete from orders the last one",
        "create table of customers",
    ],
)
def test_words_that_sql_has_too_are_words(talk: Talk, message: str) -> None:
    result = talk.say(message)
    assert not any(code.startswith("sql_") for code in result.reason_codes)
    assert result.route != "sqlite.extractor"


def test_where_only_sql_is_meant_nothing_else_is_read(talk: Talk) -> None:
    assert talk.say(OPEN, as_sql=True).rows == ((3,),)
    refused = talk.say("how many orders are there?", as_sql=True)
    assert refused.reason_codes == ("sql_syntax",)
    assert talk.say("select everything from customers", as_sql=True).reason_codes == ("sql_unknown_column",)


def test_the_sql_of_an_answer_has_its_values(talk: Talk) -> None:
    talk.say("SELECT COUNT(*) FROM orders WHERE status = 'it''s?' AND id > 1")
    asked = talk.workspace.asked_sql(talk.session)
    assert asked.turn == 1
    (sql,) = asked.sql
    assert "'it''s?'" in sql
    assert talk.gold(sql) == [(0,)]
    talk.say("how many orders are open?")
    (sql,) = talk.workspace.asked_sql(talk.session).sql
    assert talk.gold(sql) == [(3,)]
    talk.say(RANKED)
    (sql,) = talk.workspace.asked_sql(talk.session, 3).sql
    assert talk.gold(sql) == talk.gold(RANKED)
    talk.say("hello")
    assert talk.workspace.asked_sql(talk.session, 4).sql == ()
    assert talk.workspace.asked_sql(talk.session).turn == 3


def test_a_collation_that_verbs_do_not_follow_leaves_the_query_as_it_is(tmp_path: Path) -> None:
    database = tmp_path / "loose.sqlite"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript(
            "CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT COLLATE NOCASE);"
            "INSERT INTO word VALUES (1, 'Tea'), (2, 'tea'), (3, 'ink');"
        )
    with Workspace.open_database(database, tmp_path / "folder") as workspace:
        session = workspace.new_session()
        both = workspace.ask(session, "SELECT COUNT(*) FROM word WHERE text = 'tea'")
        assert (both.route, both.rows) == ("sqlite.extractor", ((2,),))
        one = workspace.ask(session, "SELECT COUNT(*) FROM word WHERE text = 'ink'")
        assert (one.route, one.rows) == ("word.count", ((1,),))


def _plain(rows: Any) -> list[tuple[Any, ...]]:
    """Numbers however they are given: an amount is digits to us, and a float to SQLite."""
    return [tuple(_number(cell) for cell in row) for row in rows]


def _number(cell: Any) -> Any:
    try:
        return round(float(cell), 9)
    except (TypeError, ValueError):
        return cell


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Workspace]:
    """Two databases that both have boats; only one of them knows who made each."""
    for name, boats in (("marina", "(1, 'Ada'), (2, 'Bea'), (3, 'Cat')"), ("crm", "(1, 'Ada'), (2, 'Dot')")):
        with closing(sqlite3.connect(tmp_path / f"{name}.sqlite")) as connection, connection:
            maker = ", maker TEXT" if name == "crm" else ""
            connection.execute(f"CREATE TABLE boats (id INTEGER PRIMARY KEY, name TEXT{maker})")
            connection.execute(f"INSERT INTO boats (id, name) VALUES {boats}")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "dragoman.yaml").write_text("{}\n", "utf-8")
    specs = [f"{name}:\n  family: sqlite\n  path: ../{name}.sqlite\n" for name in ("marina", "crm")]
    (folder / "connections.yaml").write_text("".join(specs), "utf-8")
    with Workspace.open(folder) as workspace:
        yield workspace


@pytest.mark.parametrize(
    ("message", "connection"),
    [
        ("select count(*) from boats", "crm"),
        ("@crm select count(*) from boats", ""),
        ("@crm SELECT COUNT(*) FROM boats WHERE name <> 'Ada  @marina'", "marina"),
        ("@crm select count(*) from (select name, row_number() over (order by id) from boats)", ""),
    ],
)
def test_a_query_is_asked_of_the_database_that_is_named(
    two: Workspace, message: str, connection: str
) -> None:
    result = two.ask(two.new_session(), message, connection=connection)
    assert (result.answer_mode, result.rows) == (M.CONFIRMED, ((2,),))


def test_a_query_that_two_databases_could_answer_is_asked_about(two: Workspace) -> None:
    session = two.new_session()
    asked = two.ask(session, "select count(*) from boats")
    assert (asked.transition, asked.answer_mode) == (T.T1, M.CLARIFICATION_REQUIRED)
    assert "@marina" in asked.message
    assert "@crm" in asked.message
    assert two.ask(session, "2").rows == ((2,),)


def test_columns_decide_between_databases_with_the_same_table(two: Workspace) -> None:
    result = two.ask(two.new_session(), "SELECT maker FROM boats")
    assert (result.answer_mode, result.row_count) == (M.CONFIRMED, 2)
