"""A chat as somebody has it who sits at a terminal: typed into, and read off the screen."""

import json
import re
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.cli.text_width import width_of
from dragoman.contracts.places import STATE_FOLDER
from dragoman.workspace.setup import make_from_database
from tests.terminal import Terminal, terminal

pytestmark = pytest.mark.timeout(600)

WIDE = ["한글 이름이 긴 상품", "Чайник из нержавеющей стали", "Cafe\u0301 au lait", "Plain kettle"]


def make_shop(path: Path) -> None:
    database = sqlite3.connect(path)
    database.executescript(
        """
        CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT, price REAL);
        CREATE TABLE orders (
          id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES products (id),
          order_date TEXT NOT NULL, status TEXT NOT NULL, amount REAL NOT NULL);
        CREATE TABLE letters (
          id INTEGER PRIMARY KEY, sender TEXT, receiver TEXT, subject TEXT, place TEXT, remark TEXT,
          weight INTEGER);
        CREATE TABLE visits (id INTEGER PRIMARY KEY, visitor TEXT, minutes INTEGER);
        """
    )
    kinds = ("kitchen", "garden")
    rows = [(at, name, kinds[at % 2], 10.5 * at) for at, name in enumerate(WIDE, 1)]
    database.executemany("INSERT INTO products VALUES (?, ?, ?, ?)", rows)
    states = ("paid", "open", "late")
    orders = [
        (at, at % 4 + 1, f"20{21 + at // 60}-{at % 12 + 1:02}-11", states[at % 3], at * 1.25)
        for at in range(120)
    ]
    database.executemany("INSERT INTO orders VALUES (?, ?, ?, ?, ?)", orders)
    words = "a rather long piece of text that fills its column"
    letters = [(at, f"Sender {at}", f"Receiver {at}", words, words, words, at * 7) for at in range(1, 4)]
    database.executemany("INSERT INTO letters VALUES (?, ?, ?, ?, ?, ?, ?)", letters)
    visits = [(at, f"Visitor {at}", at % 50) for at in range(120)]
    database.executemany("INSERT INTO visits VALUES (?, ?, ?)", visits)
    database.commit()
    database.close()


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace over a database with wide letters, a wide table, and months."""
    folder = tmp_path_factory.mktemp("shop")
    make_shop(folder / "shop.sqlite")
    make_from_database(folder, str(folder / "shop.sqlite"))
    return folder


@pytest.fixture
def chat(tmux: Path, shop: Path) -> Iterator[Terminal]:
    with terminal(tmux, shop, "chat") as opened:
        opened.wait(r"^> ?$")
        yield opened


def test_tab_completes_tables_columns_values_verbs_and_commands(chat: Terminal) -> None:
    for typed, completed in (
        ("how many prod", "products"),
        ("orders by stat", "status"),
        ("price of Plain ke", "Plain kettle"),
        ("(letters.aver", "(letters.average"),
        ("\\char", "\\chart"),
    ):
        chat.type(typed)
        chat.keys("Tab")
        # Where several words begin so, they are listed; where one does, it is taken.
        chat.wait(rf"{re.escape(completed)}\b")
        chat.keys("C-c")
        chat.wait(r"^> ?$")
        chat.clear()


def test_a_taught_word_is_completed_in_the_same_chat(chat: Terminal) -> None:
    chat.ask("goods are products", r"\[question\]")
    chat.ask("yes", r"goods")
    chat.clear()
    chat.type("how many goo")
    chat.keys("Tab")
    chat.wait(r"^> how many goods")


def test_ctrl_c_clears_the_line_and_ctrl_d_leaves_with_the_way_back(
    chat: Terminal, shop: Path, tmux: Path
) -> None:
    chat.ask("how many orders are there?", "Number of orders: 120")
    chat.clear()
    chat.type("something that is not meant")
    chat.keys("C-c")
    chat.wait(r"Ctrl-D leaves[\s\S]*^> ?$")
    assert chat.line.strip() == ">"
    chat.keys("C-d")
    screen = chat.wait(r"go on with: dragoman chat -s \S+[\s\S]*exit=0")
    session = screen.split("chat -s ")[1].split()[0]
    second = shop / "second"
    second.mkdir(exist_ok=True)
    with terminal(tmux, second, "chat", "-w", str(shop), "-s", session) as again:
        again.wait(r"^> ?$")
        again.ask("and only paid ones?", r"turn 2 ·[\s\S]*: 40")


def test_lines_are_remembered_across_chats_without_secrets(tmux: Path, shop: Path) -> None:
    failed = "how many snorkels were flambéed?"
    with terminal(tmux, shop, "chat") as first:
        first.wait(r"^> ?$")
        first.ask(failed, r"\[(not supported|question)\]")
        # A line that failed comes back to be edited.
        first.keys("Up")
        first.wait(rf"[\s\S]*^> {re.escape(failed)}$[\s\S]*^> {re.escape(failed)}$")
        first.keys("C-c")
        first.ask("my password is hunter2secret, how many orders?", r"turn \d")
        first.keys("C-d")
        first.wait("exit=0")
    with terminal(tmux, shop, "chat") as second:
        second.wait(r"^> ?$")
        second.keys("Up", "Up")
        second.wait(rf"^> {re.escape(failed)}$")
        second.keys("C-c")
        # A key that comes between two prompts is nobody's.
        second.wait(r"^> ?$")
        second.keys("C-d")
        second.wait("exit=0")
    path = shop / STATE_FOLDER / "chat_history"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "hunter2secret" not in path.read_text("utf-8")
    assert failed in map(json.loads, path.read_text("utf-8").splitlines())


def test_a_wide_result_folds_to_the_terminal_or_becomes_records(chat: Terminal) -> None:
    question = "show all letters"
    chat.resize(160, 40)
    chat.ask(question, r"Receiver 3")
    assert all(width_of(line) <= 160 for line in chat.visible)
    assert not any(line.startswith("  ─ 1 ─") for line in chat.visible)
    chat.resize(50, 60)
    screen = chat.ask(question, r"─ 3 ─[\s\S]*Receiver 3")
    assert "  ─ 1 ─" in screen
    assert all(
        width_of(line) <= 50 for line in screen.splitlines() if line.startswith("  ") and "(" not in line
    )


def test_x_toggles_records_and_tables_align_for_wide_letters(chat: Terminal) -> None:
    chat.ask("show name and price of all products", "Plain kettle")
    named = [line for line in chat.visible if any(name[:8] in line for name in WIDE)]
    table, bars = [line for line in named if "█" not in line], [line for line in named if "█" in line]
    assert (len(table), len(bars)) == (len(WIDE), len(WIDE))
    assert len({width_of(line.rstrip()) for line in table}) == 1, table
    assert len({width_of(line.partition("█")[0]) for line in bars}) == 1, bars
    screen = chat.ask("\\x", r"records are on[\s\S]*─ 4 ─")
    assert "Plain kettle" in screen
    assert "─ 1 ─" not in chat.ask("\\x", "records are off[\\s\\S]*Plain kettle")


def test_csv_chart_and_all_speak_of_the_last_answer(chat: Terminal, shop: Path) -> None:
    chat.ask("\\chart", "there is no answer with rows yet")
    screen = chat.ask("how many orders are there for each status?", r"paid +40 +█")
    assert screen.count("█") > 20
    assert "status,count\nlate,40\nopen,40\npaid,40" in chat.ask("\\csv", "paid,40")
    chat.ask("\\csv statuses.csv", "wrote 3 rows to statuses.csv")
    assert (shop / "statuses.csv").read_text("utf-8") == "status,count\nlate,40\nopen,40\npaid,40\n"
    chat.ask("\\csv connections.yaml", "target_reserved")
    assert "█" in chat.ask("\\chart", r"open +40 +█")
    months = chat.ask("how many orders are there per month?", r"2021-01 +2022-12")
    assert any("\u2800" < letter <= "\u28ff" for letter in months)
    chat.ask("\\nonsense", r"no such command: \\nonsense")
    chat.ask("\\help", r"\\chart +draw the last answer")


def test_all_rows_come_with_the_pager(chat: Terminal) -> None:
    chat.ask("show all visits", r"… 70 more rows")
    chat.clear()
    chat.type("\\all")
    chat.keys("Enter")
    chat.wait(r"^\s+ID +")
    chat.keys("G")
    chat.wait(r"^ +119 ")
    chat.keys("q")
    chat.wait(r"^> ?$")


def test_help_names_the_tables_and_questions_that_work(chat: Terminal) -> None:
    screen = chat.ask("help", r"Questions that work here")
    assert "Tables: letters, orders, products, visits." in screen
    questions = [
        line.strip() for line in screen.split("for example:")[1].splitlines() if line.strip()[-1:] == "?"
    ]
    assert len(questions) == 3
    for question in questions:
        chat.ask(question, r"\[confirmed\]")
        chat.ask("clear", r"Cleared")


def test_a_question_alone_is_asked_and_drawn_and_piped_plain(tmux: Path, shop: Path) -> None:
    with terminal(tmux, shop, "how many orders are there for each status?") as shown:
        assert "█" in shown.wait("exit=0")
    with terminal(tmux, shop, "show all visits", "--all", NO_COLOR="1") as paged:
        paged.wait(r"^\s+ID +")
        paged.keys("G")
        paged.wait(r"^ +119 ")
        paged.keys("q")
        paged.wait("exit=0")


def test_without_colour_where_that_is_asked_for(tmux: Path, shop: Path) -> None:
    with terminal(tmux, shop, "how many orders are there?") as coloured:
        coloured.wait("exit=0")
        assert "\x1b[" in coloured.tmux("capture-pane", "-p", "-e")
    with terminal(tmux, shop, "how many orders are there?", NO_COLOR="1") as plain:
        plain.wait("exit=0")
        assert "\x1b[" not in plain.tmux("capture-pane", "-p", "-e")
