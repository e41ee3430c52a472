"""One reader of CSV and one verdict: for a connection and the answers over it, and for a pipeline."""

import datetime as dt
import gzip
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dragoman import Workspace
from dragoman.contracts.errors import FileUnreadable, SourceFailed
from dragoman.contracts.query import Query, ResultSet
from dragoman.databases.access import open_reader
from dragoman.databases.connections import read_connections
from dragoman.databases.families.files.target import FilesTarget
from dragoman.engine.components.files import EXTRACTOR
from dragoman.language.source import Source
from tests.answering.places import dragoman, talk
from tests.called import called
from tests.engine.steps import step_context

MOMENT = dt.datetime.combine(dt.date(2024, 12, 31), dt.time(8, 30))
RAGGED = "a,b,c\n1,2,3\n4,5\n6,7,8,9\n"


def loaded(folder: Path, data: str | bytes, name: str = "t.csv", **options: str) -> ResultSet:
    """The rows as a conversation reads them."""
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    with open_reader(FilesTarget((folder / name,), tuple(options.items()))) as reader:
        return reader.read(Query("SELECT * FROM t"))


def extracted(folder: Path, data: str | bytes, name: str = "t.csv", **options: str) -> tuple[Any, list[str]]:
    """The rows as a pipeline reads them, and what it warns of."""
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    config = {"path": name, **options}
    with step_context(folder, {}) as context:
        extraction = EXTRACTOR.plan(config, None, None, context)
        with EXTRACTOR.open(config, extraction, None, context) as flow:
            rows = [tuple(row.values()) for batch in flow.batches(context.lane) for row in batch.to_pylist()]
    return rows, [warning.message for warning in extraction.warnings]


def both(folder: Path, data: str | bytes, name: str = "t.csv", **options: str) -> list[tuple[Any, ...]]:
    """The rows, which are the same to both."""
    rows = loaded(folder, data, name, **options).rows
    assert extracted(folder, data, name, **options)[0] == rows
    return rows


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (RAGGED, 3),
        ("a,b\n1,2\n3,4,5\n", 3),
        ('a,b\n1,"2\n', 2),
        ('a,b\n1,x"y\n', 2),
        ("a,b\n1,2\n\n3,4\n", 3),
        ("a,b\n1,2\r\n3,4\n", 2),
        (b"a,b\n1,2\n3,\xff\n", 3),
    ],
)
def test_a_line_that_does_not_fit_is_named_by_both(tmp_path: Path, data: str | bytes, line: int) -> None:
    with pytest.raises(FileUnreadable) as one:
        loaded(tmp_path, data)
    with pytest.raises(SourceFailed) as other:
        extracted(tmp_path, data)
    assert one.value.details["line"] == other.value.details["line"] == line
    assert one.value.message == other.value.message


@pytest.mark.parametrize("data", ["", "\n", "\ufeff"])
def test_an_empty_file_is_an_error_with_a_next_step(tmp_path: Path, data: str) -> None:
    for read in (loaded, extracted):
        with pytest.raises((FileUnreadable, SourceFailed), match=r"t\.csv is empty") as refused:
            read(tmp_path, data)
        assert refused.value.hint


def test_bad_lines_are_left_out_where_that_is_said_and_counted(tmp_path: Path) -> None:
    found = loaded(tmp_path, RAGGED, bad_lines="skip")
    assert (found.rows, found.skipped) == ([(1, 2, 3)], 2)
    rows, said = extracted(tmp_path, RAGGED, bad_lines="skip")
    assert rows == [(1, 2, 3)]
    assert said == ["t.csv: 2 lines left out: 3, 4"]


def test_an_open_quote_loses_one_line_and_not_the_rest(tmp_path: Path) -> None:
    assert loaded(tmp_path, 'a,b\n1,"x\ny"\n2,"z\n', bad_lines="skip").rows == [(1, "x\ny")]


@pytest.mark.parametrize(
    ("delimiter", "encoding"),
    [
        # Every delimiter and every encoding each day, all pairs of them in a long proof.
        pytest.param(
            delimiter, encoding, marks=() if delimiter == "," or encoding == "utf-8" else pytest.mark.long
        )
        for delimiter in (",", ";", "\t", "|")
        for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")
    ],
)
def test_delimiters_and_encodings_are_recognised(tmp_path: Path, delimiter: str, encoding: str) -> None:
    text = "näme,n\nÄnn,1\n주문,2\n".replace(",", delimiter)
    assert both(tmp_path, text.encode(encoding)) == [("Änn", 1), ("주문", 2)]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("inside", ["\n", "\r\n", "\r"])
def test_a_line_end_inside_quotes_is_not_the_line_end_of_the_file(
    tmp_path: Path, end: str, inside: str
) -> None:
    """The first line end of the file stands inside of a name."""
    rows = [f'"a{inside}b",c', f'"x{inside}y",1', "z,2"]
    assert both(tmp_path, end.join(rows) + end) == [(f"x{inside}y", 1), ("z", 2)]


def test_packed_files_are_read_alike(tmp_path: Path) -> None:
    assert both(tmp_path, gzip.compress(b"a;b\n1;2\n"), "t.csv.gz") == [(1, 2)]


def test_an_encoding_that_cannot_be_told_is_asked_for(tmp_path: Path) -> None:
    data = "näme;n\nÄnn;1\n".encode("latin-1")
    for read in (loaded, extracted):
        with pytest.raises((FileUnreadable, SourceFailed), match="not UTF-8") as refused:
            read(tmp_path, data)
        assert "encoding" in refused.value.hint
    assert both(tmp_path, data, encoding="latin-1") == [("Änn", 1)]


def test_a_delimiter_that_cannot_be_told_is_asked_for(tmp_path: Path) -> None:
    data = "a,b;c\n1,2;3\n"
    for read in (loaded, extracted):
        with pytest.raises((FileUnreadable, SourceFailed), match="may be cut by"):
            read(tmp_path, data)
    assert both(tmp_path, data, delimiter=";") == [(Decimal("1.2"), 3)]


@pytest.mark.parametrize("word", ["NA", "NULL", "n/a", "-"])
@pytest.mark.parametrize(("number", "value"), [("7", 7), ("1.50", Decimal("1.50"))])
def test_words_for_no_value_are_none_among_numbers(
    tmp_path: Path, word: str, number: str, value: object
) -> None:
    data = f"id,n\n1,{number}\n2,{word}\n"
    assert both(tmp_path, data) == [(1, value), (2, None)]
    (said,) = extracted(tmp_path, data)[1]
    assert f"{word} read as no value (1 rows)" in said


def test_words_for_no_value_are_words_among_texts(tmp_path: Path) -> None:
    assert both(tmp_path, "id,t\n1,x\n2,NA\n") == [(1, "x"), (2, "NA")]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1,5", "20,25"], [Decimal("1.50"), Decimal("20.25")]),
        (["1.234,5", "7"], [Decimal("1234.5"), Decimal("7.0")]),
        (["31.12.2024", "1.2.2024"], [dt.date(2024, 12, 31), dt.date(2024, 2, 1)]),
        (["31/12/2024", "01/02/2024"], [dt.date(2024, 12, 31), dt.date(2024, 2, 1)]),
        (["12/31/2024", "01/02/2024"], [dt.date(2024, 12, 31), dt.date(2024, 1, 2)]),
        (
            ["31.12.2024 08:30", "01.01.2024 00:00"],
            [MOMENT, dt.datetime.combine(dt.date(2024, 1, 1), dt.time())],
        ),
        (["31.12.2024", "NA"], [dt.date(2024, 12, 31), None]),
    ],
)
def test_values_as_people_write_them(tmp_path: Path, cells: list[str], expected: list[object]) -> None:
    data = "id;v\n" + "".join(f"{number};{cell}\n" for number, cell in enumerate(cells))
    assert [row[1] for row in both(tmp_path, data)] == expected


@pytest.mark.parametrize(
    ("cells", "option", "said", "expected"),
    [
        (["01/02/2024", "03/04/2024"], ("dates", "day-first"), "two readings", dt.date(2024, 2, 1)),
        (["01/02/2024", "03/04/2024"], ("dates", "month-first"), "two readings", dt.date(2024, 1, 2)),
        (["1,234", "2,345"], ("decimal", "comma"), "may be a decimal or a thousand", Decimal("1.234")),
        (["1,234", "2,345"], ("decimal", "point"), "may be a decimal or a thousand", Decimal(1234)),
    ],
)
def test_what_has_two_readings_is_not_guessed(
    tmp_path: Path, cells: list[str], option: tuple[str, str], said: str, expected: object
) -> None:
    data = "id;v\n" + "".join(f"{number};{cell}\n" for number, cell in enumerate(cells))
    assert [row[1] for row in both(tmp_path, data)] == cells
    (warned,) = extracted(tmp_path, data)[1]
    assert said in warned
    assert both(tmp_path, data, **dict([option]))[0][1] == expected


def test_a_column_that_is_nearly_of_numbers_says_why_it_is_text(tmp_path: Path) -> None:
    data = "n\n" + "".join(f"{number}\n" for number in range(20)) + "oops\n"
    (said,) = extracted(tmp_path, data)[1]
    assert "text, since 1 of 21 values are no number" in said


def workspace(folder: Path, data: str, options: str = "") -> None:
    (folder / "t.csv").write_text(data, encoding="utf-8")
    (folder / "connections.yaml").write_text(f"t: {{path: t.csv{options}}}\n", encoding="utf-8")
    dragoman("discover", "@t", "-w", str(folder))


def test_answers_over_lines_that_were_left_out_are_limited(tmp_path: Path) -> None:
    workspace(tmp_path, RAGGED, ", options: {bad_lines: skip}")
    with Workspace.open(tmp_path) as opened:
        *_, answer = talk(opened, "(t.count)", "run it")
    assert answer.answer_mode == "limited"
    assert answer.reason_codes == ("lines_skipped",)
    assert "2 lines" in answer.message
    assert "2 lines were left out: 3, 4" in dragoman("discover", "@t", "-w", str(tmp_path))


def test_init_and_discover_say_what_was_done_to_values(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,n\n1,5\n2,NA\n", encoding="utf-8")
    assert "t.n: NA read as no value (1 rows)" in dragoman(
        "init", str(tmp_path / "t.csv"), "-w", str(tmp_path)
    )
    assert "NA read as no value (1 rows)" in dragoman("discover", "@t", "-w", str(tmp_path))
    with Workspace.open(tmp_path) as opened:
        *_, answer = talk(opened, '(t.sum :of "n")', "run it")
    assert (answer.answer_mode, answer.rows) == ("confirmed", ((5,),))


def test_init_refuses_a_ragged_file_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(RAGGED, encoding="utf-8")
    done = called("init", "t.csv", "--json", cwd=tmp_path)
    error = json.loads(done.stdout)["error"]
    assert error["code"] == "file_unreadable"
    assert "line 3" in error["message"]
    assert not (tmp_path / "connections.yaml").exists()


@pytest.mark.parametrize(
    "option", ["bad_lines: keep", "encoding: hex", "decimal: dot", "dates: iso", "delimiter: ab", "nope: x"]
)
def test_options_are_checked_where_they_are_written(option: str) -> None:
    read = read_connections(Source(f"t: {{path: t.csv, options: {{{option}}}}}\n"))
    assert [each.code for each in read.diagnostics] in (["bad_option"], ["parameter_refused"])
