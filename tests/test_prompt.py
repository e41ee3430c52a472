"""What is shown and typed at the prompt, without a terminal: tables, charts, files, history, dispatch."""

import csv
import json
import os
import stat
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import Workspace
from dragoman.cli import chart
from dragoman.cli.chat_history import MOST_LINES, ChatHistory
from dragoman.cli.result_table import records, rows_in_words, table
from dragoman.cli.text_width import clusters, cut, width_of, wrapped
from dragoman.contracts.answer import CellType, Column
from dragoman.contracts.errors import OutputUnwritable, TargetReserved
from dragoman.contracts.places import STATE_FOLDER
from dragoman.contracts.turn_result import ResultRows
from dragoman.workspace.completion import WordKind
from dragoman.workspace.exports import ExportFormat, csv_text, export_rows
from tests.test_cli import QUESTION, dragoman, started

NAME = Column("name", CellType.TEXT)
TOTAL = Column("total", CellType.DECIMAL)
LETTERS = st.text("ab한글Жé\u0301 漢…", max_size=40)


# Width.


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("한글", 4), ("Чай", 3), ("Cafe\u0301", 4), ("漢字!", 5), ("", 0)]
)
def test_the_width_of_letters(text: str, width: int) -> None:
    assert width_of(text) == width


@given(LETTERS, st.integers(2, 30))
def test_nothing_is_wider_than_it_may_be_and_nothing_is_lost(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert all(width_of(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert "".join(clusters(text)) == text
    assert width_of(cut(text, width)) <= width
    assert cut(text, width) == text or cut(text, width).endswith("…")


def test_a_table_aligns_whatever_its_letters_are() -> None:
    rows = [("한글", "1"), ("Чай", "22"), ("Cafe\u0301", "333")]
    lines = table([NAME, TOTAL], rows).splitlines()
    assert len({width_of(line) for line in lines}) == 1


def test_control_characters_stay_escaped_in_every_form() -> None:
    rows = [("\x1b[31mred\x1b[0m\nnext", "1")]
    for width, as_records in ((None, False), (30, False), (30, True)):
        shown = rows_in_words([NAME, TOTAL], rows, width=width, as_records=as_records)
        assert "\x1b" not in shown
        assert "\\u001b" in shown.replace("\n", "").replace(" ", "")


def test_a_table_folds_to_the_width_and_then_becomes_records() -> None:
    columns = [Column(f"column {at}", CellType.TEXT) for at in range(4)]
    rows = [tuple("some words that are long enough" for _ in columns)]
    folded = rows_in_words(columns, rows, width=60)
    assert all(width_of(line) <= 60 for line in folded.splitlines())
    assert "─ 1 " not in folded
    narrow = rows_in_words(columns, rows, width=30)
    assert narrow.startswith("─ 1 ")
    assert all(width_of(line) <= 30 for line in narrow.splitlines())
    assert rows_in_words(columns, rows) == table(columns, rows)


def test_records_have_one_column_per_line() -> None:
    lines = records([NAME, TOTAL], [("a", "1"), ("b", "2")]).splitlines()
    assert [line.split() for line in lines if not line.startswith("─")] == [
        ["name", "a"],
        ["total", "1"],
        ["name", "b"],
        ["total", "2"],
    ]


# Charts.


def test_the_shape_suggests_bars_a_line_or_nothing() -> None:
    few = [("a", "1"), ("b", "3")]
    assert _form(chart.suggested([NAME, TOTAL], few)) is chart.Form.BARS
    months = [(f"2020-{at:02}", str(at)) for at in range(1, 13)]
    assert _form(chart.suggested([NAME, TOTAL], months)) is chart.Form.LINE
    assert chart.suggested([NAME, TOTAL], few[:1]) is None
    assert chart.suggested([NAME, TOTAL], few * 20) is None
    assert chart.suggested([NAME, NAME], few) is None
    assert chart.suggested([NAME, TOTAL, TOTAL], [("a", "1", "2")] * 2) is None
    assert chart.wanted([NAME, TOTAL], few * 20) is not None
    assert chart.wanted([TOTAL], [("1",)]) is None


@given(st.lists(st.decimals(-1_000, 1_000, places=2), min_size=2, max_size=20), st.integers(40, 120))
def test_bars_are_as_long_as_their_numbers(values: list[Decimal], width: int) -> None:
    drawn = chart.Chart(chart.Form.BARS, "t", tuple("abc" for _ in values), tuple(values))
    lines = chart.picture(drawn, width).splitlines()[1:]
    assert all(width_of(line) <= width for line in lines)
    lengths = [sum(8 if letter == "█" else 4 for letter in line if letter in "▏▎▍▌▋▊▉█") for line in lines]
    biggest = max(range(len(values)), key=lambda at: abs(values[at]))
    assert lengths[biggest] >= max(lengths) - 8
    for value, length in zip(values, lengths, strict=True):
        assert (length > 0) == (value != 0)
    assert chart.picture(drawn, width, plain=True).isascii()


@given(st.lists(st.decimals(-1_000, 1_000, places=2), min_size=8, max_size=60), st.integers(40, 120))
def test_a_line_stays_inside_of_its_place(values: list[Decimal], width: int) -> None:
    labels = tuple(f"{2000 + at}" for at in range(len(values)))
    drawn = chart.Chart(chart.Form.LINE, "t", labels, tuple(values))
    lines = chart.picture(drawn, width).splitlines()
    assert all(width_of(line) <= width for line in lines)
    assert len(lines) == 10


def _form(found: chart.Chart | None) -> chart.Form | None:
    return None if found is None else found.form


# Files of answers.

ROWS = ResultRows(
    (NAME, TOTAL, Column("day", CellType.DATE), Column("n", CellType.INTEGER)),
    (("a,b\n", "1.50", "2020-03-01", 3), (None, "-20.125", None, None)),
)


def test_csv_and_parquet_have_every_digit(tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    export_rows(ROWS, out, ExportFormat.CSV, folder=tmp_path, home=tmp_path)
    with out.open(newline="") as file:
        assert list(csv.reader(file))[1:] == [["a,b\n", "1.50", "2020-03-01", "3"], ["", "-20.125", "", ""]]
    export_rows(ROWS, tmp_path / "rows.parquet", ExportFormat.PARQUET, folder=tmp_path, home=tmp_path)
    read = pq.read_table(tmp_path / "rows.parquet")
    assert [str(field.type) for field in read.schema] == [
        "string",
        "decimal128(5, 3)",
        "date32[day]",
        "int64",
    ]
    assert read.column("total").to_pylist() == [Decimal("1.500"), Decimal("-20.125")]
    assert csv_text(ResultRows((NAME,), ())) == "name\n"


def test_a_column_that_is_not_what_it_seems_is_text(tmp_path: Path) -> None:
    kinds = (TOTAL, Column("day", CellType.DATE), Column("n", CellType.INTEGER))
    rows = ResultRows(kinds, (("NaN", "2020-13", 2**70), ("1e50", "x", 1)))
    export_rows(rows, tmp_path / "rows.parquet", ExportFormat.PARQUET, folder=tmp_path, home=tmp_path)
    read = pq.read_table(tmp_path / "rows.parquet")
    assert {str(field.type) for field in read.schema} == {"string"}
    assert read.column("n").to_pylist() == [str(2**70), "1"]


def test_a_file_of_the_workspace_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "connections.yaml").write_text("# mine\n")
    with pytest.raises(TargetReserved):
        export_rows(ROWS, tmp_path / "connections.yaml", ExportFormat.CSV, folder=tmp_path, home=tmp_path)
    with pytest.raises(OutputUnwritable):
        export_rows(ROWS, tmp_path / "no" / "where.csv", ExportFormat.CSV, folder=tmp_path, home=tmp_path)
    assert (tmp_path / "connections.yaml").read_text() == "# mine\n"


def test_ask_writes_files_shows_all_and_draws_where_that_is_asked_for(tmp_path: Path) -> None:
    ran = dragoman("ask", QUESTION, "--csv", "a.csv", "--parquet", "a.parquet", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "wrote 7 rows to a.csv" in ran.stderr
    assert "█" not in ran.stdout
    with (tmp_path / "a.csv").open(newline="") as file:
        assert len(list(csv.reader(file))) == 8
    assert pq.read_table(tmp_path / "a.parquet").num_rows == 7
    drawn = dragoman("ask", QUESTION, "--chart", "--all", cwd=tmp_path)
    assert "█" in drawn.stdout
    told = dragoman("ask", QUESTION, "--json", "--csv", "b.csv", cwd=tmp_path)
    assert json.loads(told.stdout)["row_count"] == 7
    assert (tmp_path / "b.csv").exists()


def test_a_file_that_cannot_be_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    assert dragoman("ask", QUESTION, cwd=tmp_path).returncode == 0
    ran = dragoman("ask", QUESTION, "--csv", ".dragoman/sessions.sqlite", "--json", cwd=tmp_path)
    assert (ran.returncode, json.loads(ran.stdout)["error"]["code"]) == (1, "target_reserved")
    assert len(json.loads(dragoman("sessions", "list", "--json", cwd=tmp_path).stdout)) == 1


# A question in the place of a command.


@pytest.mark.parametrize("question", [QUESTION, "help?", "помощь", " what can I ask "])
def test_a_question_alone_is_asked(question: str, tmp_path: Path) -> None:
    ran = dragoman(question, "--json", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["turn"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chatt"], "Did you mean chat?"),
        (["sesions", "list"], "Did you mean sessions?"),
        (["how", "many", "orders"], 'dragoman "how many orders"'),
        (["\x1b[31m"], "no such command: \\x1b[31m"),
    ],
)
def test_a_slip_of_a_command_is_not_asked(arguments: list[str], said: str, tmp_path: Path) -> None:
    ran = dragoman(*arguments, cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["--help"], ["ask", QUESTION], ["chat"]])
def test_what_only_a_terminal_needs_is_not_imported_without_one(arguments: list[str], tmp_path: Path) -> None:
    code = (
        f"import sys; from dragoman.cli import run; code = run({arguments!r});"
        "sys.exit('imported' if 'prompt_toolkit' in sys.modules else code)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert ran.returncode == 0, ran.stderr


def test_a_pipe_is_a_chat_of_plain_lines(tmp_path: Path) -> None:
    """A line with a backslash is a message there, as it was before there were commands."""
    ran = started("chat", cwd=tmp_path, stdin=f"{QUESTION}\n\\x\n")
    assert ran.returncode == 0
    assert "turn 2" in ran.stdout
    assert "records" not in ran.stdout
    assert "█" not in ran.stdout
    assert not (tmp_path / STATE_FOLDER / "chat_history").exists()


# History and completion.


def test_history_is_private_bounded_and_without_secrets(tmp_path: Path) -> None:
    history = ChatHistory(tmp_path)
    assert history.lines() == []
    path = tmp_path / STATE_FOLDER / "chat_history"
    path.parent.mkdir()
    path.write_text('"older"\nnot json\n')
    path.chmod(0o644)
    for number in range(2 * MOST_LINES):
        history.add(f"line {number}")
    history.add("password=hunter2secret\nand more")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    lines = history.lines()
    assert (len(lines), lines[-2]) == (MOST_LINES, f"line {2 * MOST_LINES - 1}")
    assert "hunter2secret" not in path.read_text()
    assert len(path.read_text().splitlines()) == MOST_LINES
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_history_that_leads_elsewhere_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / STATE_FOLDER).mkdir()
    other = tmp_path / "other"
    other.write_text('"secret of another"\n')
    os.symlink(other, tmp_path / STATE_FOLDER / "chat_history")
    history = ChatHistory(tmp_path)
    history.add("mine")
    assert history.lines() == []
    assert history.problem
    assert other.read_text() == '"secret of another"\n'


def test_the_demo_completes_names_and_verbs(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        words = workspace.completion()
        (found,) = words.of_line("stock of Alfa Tr")
        assert (found.text, found.kind, found.typed) == ("Alfa Trade", WordKind.VALUE, 7)
        assert {each.kind for each in words.of_line("(inventory.st")} == {WordKind.VERB}
        assert words.of_line("inventorys") == ()
        assert words.of_line("") == ()
