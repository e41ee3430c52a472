"""Both databases of a folder are asked: names decide, or a person; programs say which they read."""

import sqlite3
from pathlib import Path

import duckdb
import psycopg
import pytest
from click.testing import CliRunner

from dragoman import Workspace
from dragoman.cli.application import dragoman
from dragoman.contracts.errors import ConnectionUnknown
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass
from tests.planning.several.conftest import BILLS, SHOP, Talk


def _count(result: TurnResult) -> object:
    assert result.answer_mode is AnswerMode.CONFIRMED, result.message
    return result.rows[0][0]


def test_names_decide(talk: Talk) -> None:
    assert _count(talk("how many leads are open?")) == 2
    assert _count(talk("how many products do we have?")) == 3
    listed = talk("list products with price above 40")
    assert listed.row_count == 2
    assert '"@shop"' in listed.program


def test_what_both_have_is_a_closed_question(talk: Talk) -> None:
    asked = talk("how many orders are there?")
    assert asked.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    assert "number of orders in @crm" in asked.message
    assert "number of orders in @shop" in asked.message
    picked = talk("@shop")
    assert (picked.transition, _count(picked)) == (TransitionClass.T7, 4)
    assert picked.message == "Number of orders in @shop: 4."


@pytest.mark.parametrize(("said", "rows"), [("2", 4), ("the first", 2), ("crm", 2), ("in @crm", 2)])
def test_a_database_is_picked_by_place_or_name(talk: Talk, said: str, rows: int) -> None:
    assert _count(talk("how many orders are there?", said)) == rows


def test_a_follow_up_stays_with_its_database_until_another_is_named(talk: Talk) -> None:
    assert _count(talk("how many orders are there in @shop?", "only open ones")) == 2
    other = talk("and in @crm?")
    assert (other.transition, _count(other)) == (TransitionClass.T2, 1)
    assert ':connection "@crm"' in other.program
    assert ':status "open"' in other.program
    assert _count(talk("and the paid ones?")) == 1
    assert _count(talk("what about @shop?")) == 1


def test_the_same_of_a_database_that_lacks_it_is_refused(talk: Talk) -> None:
    talk("how many leads are open?")
    refused = talk("and in @shop?")
    assert refused.reason_codes == ("not_in_database",)
    assert "@shop" in refused.message


def test_a_follow_up_on_an_open_choice_asks_both(talk: Talk) -> None:
    asked = talk("how many orders are there?", "only open ones")
    assert "number of orders in @crm where status is open" in asked.message
    assert "number of orders in @shop where status is open" in asked.message


def test_a_mention_is_a_name_and_no_word(talk: Talk) -> None:
    assert _count(talk("@crm how many orders are there")) == 2
    assert _count(talk("how many orders in the @shop database are paid?")) == 1
    assert _count(talk("how many orders are there in crm?")) == 2


def test_russian_and_korean(talk: Talk) -> None:
    asked = talk("сколько заказов?")
    assert "в @crm" in asked.message
    assert _count(talk("в @crm")) == 2
    assert _count(talk("а в @shop?")) == 4
    assert _count(talk("а оплаченных?")) == 1
    assert _count(talk("сколько заказов в базе @crm?")) == 2
    assert _count(talk("@shop에서 주문이 몇 개야?")) == 4
    assert "@crm" in talk("wie viele orders gibt es in @crm?").message


def test_an_option_names_the_database(talk: Talk, folder: Path) -> None:
    assert _count(talk("how many orders are there?", connection="shop")) == 4
    with pytest.raises(ConnectionUnknown):
        talk("how many orders are there?", connection="nope")
    run = CliRunner().invoke(
        dragoman, ["ask", "how many orders are there?", "--connection", "crm", "-w", str(folder)]
    )
    assert run.exit_code == 0, run.output
    assert "Number of orders in @crm: 2." in run.stdout
    with Workspace.open(folder) as workspace:
        before = len(workspace.sessions())
        bad = CliRunner().invoke(dragoman, ["ask", "how many?", "--connection", "nope", "-w", str(folder)])
        assert isinstance(bad.exception, ConnectionUnknown)
        assert len(workspace.sessions()) == before


def test_names_that_cannot_be_meant_are_refused(talk: Talk) -> None:
    unknown = talk("how many orders in @nope")
    assert unknown.reason_codes == ("connection_unknown",)
    assert "@crm and @shop" in unknown.message
    both = talk("how many orders in @crm and @shop")
    assert both.reason_codes == ("several_databases",)


def test_things_of_two_databases_are_refused_with_a_way_out(talk: Talk, folder: Path) -> None:
    refused = talk("how many products per segment?")
    assert refused.reason_codes == ("two_databases",)
    assert "“segment” in @crm" in refused.message
    assert "“products” in @shop" in refused.message
    program = refused.message[refused.message.index("(") :]
    program = program[program.index("(customers.list") :]
    asked = talk(program, "run it")
    assert asked.answer_mode is AnswerMode.CLARIFICATION_REQUIRED, asked.message
    done = talk("yes")
    assert done.answer_mode is AnswerMode.CONFIRMED, done.message
    assert sorted(path.name for path in (folder / "both").iterdir()) == [
        "customers.parquet",
        "products.parquet",
    ]


def test_every_program_passes_check_and_run(talk: Talk, folder: Path) -> None:
    lines = (
        "how many orders are there in @shop?",
        "only open ones",
        "and in @crm?",
        "products above the average price",
        "how many leads per status?",
    )
    for line in lines:
        result = talk(line)
        assert result.answer_mode is AnswerMode.CONFIRMED, (line, result.message)
        (folder / "said.verbs").write_text(result.program)
        checked = CliRunner().invoke(
            dragoman, ["check", str(folder / "said.verbs"), "-w", str(folder), "--json"]
        )
        assert checked.exit_code == 0, (result.program, checked.output)
        with Workspace.open(folder) as again:
            session = again.new_session()
            again.ask(session, result.program)
            assert again.ask(session, "run it").rows == result.rows


def test_rows_are_opened_in_their_own_database(talk: Talk) -> None:
    talk("list orders in @shop")
    opened = talk("open the second")
    assert opened.transition is TransitionClass.T3
    assert "Beta Retail" in opened.rows[0]
    product = talk("its product")
    assert product.transition is TransitionClass.T5
    assert "Desk" in product.rows[0]


def test_a_word_is_taught_for_the_database_that_has_its_meaning(talk: Talk) -> None:
    assert "@crm" in talk("clients are customers").message
    talk("yes")
    assert _count(talk("how many clients?")) == 3


def test_a_database_that_is_gone_is_only_missed_where_it_matters(talk: Talk, folder: Path) -> None:
    assert _count(talk("how many leads are there?")) == 3
    (folder / "shop.sqlite").rename(folder / "elsewhere")
    assert _count(talk("how many leads are open?")) == 2
    assert talk("how many products do we have?").reason_codes == ("database_not_found",)
    asked = talk("how many orders are there?")
    assert "orders in @shop" in asked.message, "which one is meant does not depend on which one is there"


def test_policies_hold_for_their_database_alone(talk: Talk, folder: Path) -> None:
    (folder / "packs").mkdir()
    (folder / "packs" / "guard.yaml").write_text(
        'pack: guard\ntitle: {en: Guard}\ndialect: sqlite\nconnection: "@crm"\n'
        "policies:\n  - {table: orders, unless: [boss], hide: [total], rows: \"status = 'paid'\"}\n"
    )
    assert _count(talk("how many orders are there in @crm?")) == 1
    assert _count(talk("and in @shop?")) == 4
    hidden = talk("total of orders in @crm")
    assert hidden.rows != ((30,),)
    assert hidden.rows != ((20,),)
    kept = (folder / ".dragoman" / "schemas" / "crm.json").read_text()
    assert "'open'" not in kept
    assert '"open"' not in kept.partition('"leads"')[0]


def test_a_server_beside_files(talk: Talk, folder: Path, postgres_database: str) -> None:
    with duckdb.connect(str(folder / "shop.duckdb")) as shop:
        shop.execute(SHOP)
    with psycopg.connect(postgres_database, autocommit=True) as connection:
        connection.execute(BILLS.encode())
    entries = "crm: {path: crm.sqlite}\nshop: {path: shop.duckdb}\n"
    place, _, secret = postgres_database.partition("://")
    user, _, rest = secret.partition(":")
    password, _, rest = rest.partition("@")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BILLS_PASSWORD", password)
        url = f"{place}://{user}:${{BILLS_PASSWORD}}@{rest}"
        (folder / "connections.yaml").write_text(f'{entries}bills: {{url: "{url}"}}\n')
        assert _count(talk("how many invoices are there?")) == 2
        assert _count(talk("сколько invoices?")) == 2
        assert _count(talk("how many leads are there?")) == 3
        assert _count(talk("how many orders are there in @shop?")) == 4
        assert talk("and in @bills?").reason_codes == ("not_in_database",)


def test_two_families_may_share_an_alias(folder: Path) -> None:
    with duckdb.connect(str(folder / "shop.duckdb")) as shop:
        shop.execute(SHOP)
    (folder / "connections.yaml").write_text(
        "sqlite.data: {path: crm.sqlite}\nduckdb.data: {path: shop.duckdb}\n"
    )
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        leads = workspace.ask(session, "how many leads are there?")
        products = workspace.ask(session, "how many products do we have?")
        assert (_count(leads), _count(products)) == (3, 3)
        assert '"@duckdb.data"' in products.program


def test_a_table_that_another_database_has_by_name_is_asked_about(tmp_path: Path) -> None:
    scripts = {
        "sales": """CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
            INSERT INTO customers VALUES (1, 'Acme', 'Peru'), (2, 'Birk', 'Chile');
            CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id),
              amount INTEGER);
            INSERT INTO orders VALUES (1, 1, 10), (2, 2, 20);""",
        "bills": """CREATE TABLE invoices (id INTEGER PRIMARY KEY, issued DATE, total INTEGER);
            INSERT INTO invoices VALUES (1, '2021-01-01', 7);""",
    }
    for name, script in scripts.items():
        database = sqlite3.connect(tmp_path / f"{name}.sqlite")
        database.executescript(script)
        database.close()
    (tmp_path / "connections.yaml").write_text("".join(f"{n}: {{path: {n}.sqlite}}\n" for n in scripts))
    with Workspace.open(tmp_path) as workspace:

        def asked(message: str) -> TurnResult:
            return workspace.ask(workspace.new_session(), message)

        # Orders are something like invoices, but here there are invoices.
        assert asked("invoice totals by customer country").answer_mode is AnswerMode.CLARIFICATION_REQUIRED
        assert asked("order amounts by customer country").answer_mode is AnswerMode.CONFIRMED
        assert list(asked("how many invoices are there?").rows) == [(1,)]
