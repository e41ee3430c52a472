"""A draft says what questions know of tables. As it is it changes nothing; an edit changes answers."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode
from dragoman.language.source import Source
from dragoman.packs.pack_files import read_pack
from dragoman.workspace.packs import Packs
from tests.answering.places import dragoman
from tests.hostile_folders import many_tables, no_keys, only_hangul, other_letters

SCRIPT: Final = """
CREATE TABLE clients (id INTEGER PRIMARY KEY, name TEXT NOT NULL, nick TEXT NOT NULL, grade INTEGER);
CREATE TABLE voyages (
    id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (id), title TEXT NOT NULL,
    booked_on DATE, departure_date DATE, weight NUMERIC, fee NUMERIC(10,2)
);
CREATE TABLE sale_lines (
    id INTEGER PRIMARY KEY, voyage_id INTEGER NOT NULL REFERENCES voyages (id), unit_price NUMERIC(10,2),
    quantity INTEGER, extra NUMERIC(10,2)
);
INSERT INTO clients VALUES (1, 'Ann Archer', 'Sparrow', 3), (2, 'Bob Bell', 'Otter', 5),
    (3, 'Cleo Cook', 'Heron', 7);
INSERT INTO voyages VALUES
    (1, 1, 'North', '2023-01-10', '2023-03-02', 0.1, 10),
    (2, 1, 'South', '2023-02-11', '2023-03-05', 0.2, 20),
    (3, 2, 'East', '2023-03-12', '2023-06-01', 0.3, 30);
INSERT INTO sale_lines VALUES (1, 1, 2.50, 4, 1), (2, 2, 1.25, 2, 1), (3, 3, 3, 1, 1);
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "port.sqlite")) as connection, connection:
        connection.executescript(SCRIPT)
    dragoman("init", "port.sqlite", cwd=tmp_path)
    return tmp_path


def draft(folder: Path, *changes: tuple[str, str]) -> str:
    """The draft with changes, where a workspace has its packs. It passes the check."""
    text = Packs(folder).draft("@port")
    for old, new in changes:
        assert old in text, text
        text = text.replace(old, new)
    (folder / "packs").mkdir(exist_ok=True)
    (folder / "packs/port.yaml").write_text(text, "utf-8")
    assert Packs(folder).checker("@port")(Source(text)) == ()
    return text


def ask(folder: Path, question: str) -> TurnResult:
    with Workspace.open(folder) as workspace:
        return workspace.ask(workspace.new_session(), question)


def test_a_draft_says_what_is_known(folder: Path) -> None:
    text = draft(folder)
    for line in (
        "words: {en: [clients], ko: [",
        "label: [name]  # its name",
        "label: [id]  # GUESS: nothing looks like a name, so rows are told apart by their key",
        "fee: {measure: true, scale: 2}  # GUESS: money, not a code",
        "weight: {measure: true}  # GUESS: an amount, not a code",
        "verbs: {en: [",
        "# GUESS: what “total revenue” is read as.",
        """of: '{:times ["unit_price" "quantity"]}'""",
    ):
        assert line in text


def test_as_it_is_written_it_changes_nothing(folder: Path) -> None:
    questions = (
        "total revenue",
        "voyages of Ann Archer",
        "which voyages departed in March 2023?",
        "total fee by client",
        "average grade of clients",
    )
    before = [ask(folder, each) for each in questions]
    draft(folder)
    after = [ask(folder, each) for each in questions]
    assert [(each.answer_mode, each.program, each.rows) for each in after] == [
        (each.answer_mode, each.program, each.rows) for each in before
    ]


def test_a_name_of_a_table_is_understood_in_its_language(folder: Path) -> None:
    assert ask(folder, "how many jaunts are there?").answer_mode is not AnswerMode.CONFIRMED
    assert ask(folder, "сколько вылазок?").answer_mode is not AnswerMode.CONFIRMED
    draft(
        folder,
        ("words: {en: [voyages]", "words: {en: [voyages, jaunt]"),
        ('words: {en: ["sale lines"]', 'words: {en: ["sale lines"], ru: [вылазка]'),
    )
    assert ask(folder, "how many jaunts are there?").rows == ((3,),)
    assert ask(folder, "сколько вылазок?").rows == ((3,),)


def test_a_label_says_which_row_it_is(folder: Path) -> None:
    question = "total fee by client"
    assert "Ann Archer" in str(ask(folder, question).rows)
    draft(folder, ("label: [name]", "label: [nick]"))
    shown = str(ask(folder, question).rows)
    assert "Sparrow" in shown
    assert "Ann Archer" not in shown


def test_a_verb_says_which_date_is_meant(folder: Path) -> None:
    question = "how many voyages sailed in March 2023?"
    assert ask(folder, question).rows != ((2,),)
    draft(folder, ("departure_date: {", "departure_date: {verbs: {en: [sail]}}  # {"))
    answer = ask(folder, question)
    assert (answer.answer_mode, answer.rows) == (AnswerMode.CONFIRMED, ((2,),))


def test_a_verb_of_one_date_is_not_one_of_the_others(folder: Path) -> None:
    question = "how many voyages were booked in March 2023?"
    assert ask(folder, question).rows == ((1,),)
    draft(
        folder,
        ("booked_on: {", "booked_on: {}  # {"),
        ("departure_date: {", "departure_date: {verbs: {en: [book]}}  # {"),
    )
    assert ask(folder, question).rows != ((1,),)


def test_a_metric_means_what_the_pack_says(folder: Path) -> None:
    question = "total revenue"
    assert ask(folder, question).rows == (("15.50",),)
    draft(folder, ("""'{:times ["unit_price" "quantity"]}'""", """'"extra"'"""))
    assert ask(folder, question).rows == (("3.00",),)


def test_a_metric_of_its_own_is_measured_by_groups(folder: Path) -> None:
    draft(
        folder,
        (
            "metrics:\n",
            "metrics:\n  surcharge:\n    title: {en: surcharge}\n    definition: {en: fee and price}\n"
            '    table: sale_lines\n    of: \'{:plus ["unit_price" "extra"]}\'\n',
        ),
    )
    answer = ask(folder, "total surcharge by voyage")
    assert sorted(str(row[-1]) for row in answer.rows) == ["2.25", "3.50", "4.00"]


def test_a_scale_makes_totals_exact(folder: Path) -> None:
    draft(folder, ("weight: {measure: true}", "weight: {measure: true, scale: 2}"))
    assert ask(folder, "total weight of voyages").rows == (("0.60",),)


def test_a_pack_of_one_of_two_databases_says_whose_it_is(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "shed.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE tools (id INTEGER PRIMARY KEY, name TEXT)")
        connection.execute("INSERT INTO tools VALUES (1, 'Saw')")
    dragoman("init", "shed.sqlite", cwd=folder)
    text = Packs(folder).draft("@shed")
    (folder / "packs").mkdir(exist_ok=True)
    (folder / "packs/shed.yaml").write_text(text.replace("[tools]", "[tools, gadget]"), "utf-8")
    assert ask(folder, "how many gadgets are there?").rows == ((1,),)


def test_a_slip_in_a_draft_leaves_the_tables_as_they_were(folder: Path) -> None:
    """Its comments show how policies are written: that is no policy to be afraid of."""
    (folder / "packs").mkdir(exist_ok=True)
    text = Packs(folder).draft("@port")
    assert "# policies:" in text
    (folder / "packs/port.yaml").write_text(text.replace("tables:", "tables: ["), "utf-8")
    assert ask(folder, "how many clients are there?").rows == ((3,),)


def test_the_command_answers_by_the_pack_too(folder: Path) -> None:
    draft(folder, ("words: {en: [voyages]", "words: {en: [voyages, jaunt]"))
    assert "[confirmed] Number of voyages: 3." in dragoman("ask", "how many jaunts are there?", cwd=folder)


def test_a_database_that_was_written_to_is_looked_at_again(folder: Path) -> None:
    """A draft must not keep a workspace from seeing what is new."""
    draft(folder)
    ask(folder, "how many clients are there?")
    with closing(sqlite3.connect(folder / "port.sqlite")) as connection, connection:
        connection.executescript(
            "CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT);"
            "INSERT INTO harbours VALUES (1, 'Deep');"
        )
    assert ask(folder, "how many harbours are there?").rows == ((1,),)


ODD: Final = {
    "select": {"from": "INTEGER PRIMARY KEY", "group": "TEXT", "order": "DATE", "sum": "NUMERIC(8,2)"},
    'it\'s "so"': {'a "b"': "TEXT", "c'd": "DATE", "price: {x}": "REAL", "- y": "INTEGER"},
    "null": {"true": "INTEGER", "yes": "TEXT", "заказ №": "DATE", "가격": "NUMERIC", "a.b": "REAL"},
}


def _named(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def odd_names(folder: Path) -> Path:
    path = folder / "odd.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        for table, columns in ODD.items():
            listed = ", ".join(f"{_named(name)} {kind}" for name, kind in columns.items())
            connection.execute(f"CREATE TABLE {_named(table)} ({listed})")
    return path


@pytest.mark.parametrize("make", [many_tables, other_letters, only_hangul, no_keys, odd_names])
def test_a_draft_of_a_hostile_database_is_read_and_changes_nothing(
    make: Callable[[Path], Path], tmp_path: Path
) -> None:
    path = make(tmp_path)
    folder = tmp_path / "work"
    dragoman("init", str(path), "-w", str(folder))
    with Workspace.open(folder) as workspace:
        asked = workspace.suggestions()
        before = [workspace.ask(workspace.new_session(), each) for each in asked]
    text = Packs(folder).draft("@default")
    assert Packs(folder).checker("@default")(Source(text)) == ()
    assert not isinstance(read_pack(Source(text)), tuple)
    (folder / "packs").mkdir(exist_ok=True)
    (folder / "packs/draft.yaml").write_text(text, "utf-8")
    with Workspace.open(folder) as workspace:
        after = [workspace.ask(workspace.new_session(), each) for each in asked]
    assert [(each.program, each.rows) for each in after] == [(each.program, each.rows) for each in before]
