"""Files: complete or not there, and every value as it was."""

import csv
import itertools
import json
import stat
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import (
    ColumnRefused,
    DiskFull,
    RunCancelled,
    StepRefused,
    TargetFailed,
    TransientFault,
)
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.component import Staged, Writer
from dragoman.engine.components.files import WRITER
from dragoman.engine.components.files.csv_lines import write_csv
from dragoman.engine.components.files.kinds import Compression, FileFormat, FileShape
from dragoman.engine.flow import Flow
from tests.engine.flows import COLUMNS, flow_of, hostile_rows, spelled
from tests.engine.steps import step_context
from tests.patience import PROMPT, Stopwatch, once

TEXT = FlowColumn("t", ValueType.TEXT)


def written(
    workspace: Path,
    config: dict[str, Any],
    columns: tuple[FlowColumn, ...],
    rows: dict[str, list[Any]],
    *,
    replaces: tuple[str, ...] = (),
) -> Staged:
    with step_context(workspace, {}, replaces=replaces) as context:
        writing = WRITER.prepare(config, columns, context)
        staged = WRITER.stage(config, writing, flow_of(columns, rows), context)
        WRITER.publish(config, writing, staged, None, context)
    return staged


def test_it_is_a_writer() -> None:
    assert isinstance(WRITER, Writer)


def test_csv_keeps_every_kind_apart(tmp_path: Path) -> None:
    rows: dict[str, list[Any]] = {"t": [None, "", "NULL", "007", 'a"b\n'], "n": [1, None, 2, 3, 4]}
    columns = (TEXT, FlowColumn("n", ValueType.INTEGER))
    staged = written(tmp_path, {"format": "csv", "path": "out/deep/x.csv"}, columns, rows)
    data = (tmp_path / "out/deep/x.csv").read_bytes()
    assert data == b'"t",n\n,1\n"",\n"NULL",2\n"007",3\n"a""b\n",4\n'
    assert (staged.rows, staged.bytes) == (5, len(data))


def test_csv_of_hostile_values(tmp_path: Path) -> None:
    rows = hostile_rows()
    written(tmp_path, {"format": "csv", "path": "x.csv"}, COLUMNS, rows)
    csv.field_size_limit(10_000_000)
    with (tmp_path / "x.csv").open(newline="", encoding="utf-8") as file:
        header, *lines = list(csv.reader(file))
    assert header == [column.name for column in COLUMNS]
    read = dict(zip(header, map(list, zip(*lines, strict=True)), strict=True))
    for column in COLUMNS:
        expected = ["" if value is None else _as_csv(column, value) for value in rows[column.name]]
        assert [_again(column, cell) for cell in read[column.name]] == expected, column.name


def test_lines_of_csv_do_not_depend_on_the_rows_beside_them(tmp_path: Path) -> None:
    """What is found out of a whole batch, such as whether any text has a quote, changes no other row."""
    columns = (*COLUMNS, FlowColumn("tiny", ValueType.DECIMAL, precision=20, scale=10))
    rows = hostile_rows()
    rows["tiny"] = [Decimal(1), Decimal("1e-10"), None] * (len(rows["id"]) // 3)
    reader = flow_of(columns, rows).reader
    assert reader is not None
    whole = reader.read_next_batch()
    shape = FileShape(FileFormat.CSV, Compression.NONE, ",", header=False)

    def lines(name: str, sizes: Sequence[int]) -> bytes:
        starts = itertools.accumulate(sizes, initial=0)
        batches = (whole.slice(start, size) for start, size in zip(starts, sizes, strict=False))
        copied = write_csv(batches, columns, shape, tmp_path / name)
        assert copied.rows == whole.num_rows
        return (tmp_path / name).read_bytes()

    together = lines("whole.csv", [whole.num_rows])
    assert b",0.0000000001\n" in together
    assert lines("each.csv", [1] * whole.num_rows) == together
    assert lines("cut.csv", [3, 0, whole.num_rows - 3]) == together


def _as_csv(column: FlowColumn, value: Any) -> Any:
    match column.type:
        case ValueType.BYTES:
            return value.hex()
        case ValueType.DATE | ValueType.TIME | ValueType.DATETIME | ValueType.INSTANT:
            return value.isoformat()
        case ValueType.BOOLEAN:
            return str(value).lower()
        case ValueType.FLOAT:
            return value.hex() if column.bits == 64 else _single(value)
        case _:
            return str(value)


def _again(column: FlowColumn, cell: str) -> Any:
    """Fractions of a second without the noughts behind them; floats by their bits."""
    if column.type is ValueType.FLOAT and cell:
        return float(cell).hex() if column.bits == 64 else _single(float(cell))
    if column.type in (ValueType.TIME, ValueType.DATETIME, ValueType.INSTANT) and "." in cell:
        head, _, tail = cell.partition(".")
        digits, zone = (tail.removesuffix("+00:00"), "+00:00") if tail.endswith("+00:00") else (tail, "")
        return f"{head}.{digits.ljust(6, '0')}{zone}"
    return cell


def _single(value: float) -> bytes:
    import struct

    return struct.pack("<f", value)


def test_parquet_of_hostile_values(tmp_path: Path) -> None:
    rows = hostile_rows()
    written(tmp_path, {"format": "parquet", "path": "x.parquet"}, COLUMNS, rows)
    table = pq.read_table(tmp_path / "x.parquet")
    assert table.column_names == [column.name for column in COLUMNS]
    for column in COLUMNS:
        read = table.column(column.name).to_pylist()
        if column.type is ValueType.UUID:
            read = [None if value is None else str(value) for value in read]
        assert spelled(read) == spelled(rows[column.name]), column.name
    assert str(table.schema.field("instant").type) == "timestamp[us, tz=UTC]"
    assert str(table.schema.field("moment").type) == "timestamp[us]"
    assert str(table.schema.field("json").type) == "extension<arrow.json>"


def test_json_lines_of_hostile_values(tmp_path: Path) -> None:
    rows = hostile_rows()
    written(tmp_path, {"format": "jsonl", "path": "x.jsonl"}, COLUMNS, rows)
    lines = (tmp_path / "x.jsonl").read_bytes().decode().split("\n")
    assert lines.pop() == ""
    parsed = [json.loads(line, parse_float=str, parse_int=str, object_pairs_hook=list) for line in lines]
    assert [[name for name, _ in pairs] for pairs in parsed] == [[c.name for c in COLUMNS]] * len(lines)
    for number, column in enumerate(COLUMNS):
        read = [pairs[number][1] for pairs in parsed]
        if column.type is ValueType.JSON:
            expected = [
                None
                if value is None
                else json.loads(value, parse_float=str, parse_int=str, object_pairs_hook=list)
                for value in rows[column.name]
            ]
            assert read == expected
        elif column.type is ValueType.BOOLEAN:
            assert read == rows[column.name]
        else:
            expected = [None if v is None else _as_csv(column, v) for v in rows[column.name]]
            assert [None if c is None else _again(column, c) for c in read] == expected, column.name


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_names_that_differ_by_case(tmp_path: Path, kind: str) -> None:
    columns = (
        FlowColumn("a", ValueType.INTEGER),
        FlowColumn("A", ValueType.TEXT),
        FlowColumn("É", ValueType.TEXT),
    )
    rows: dict[str, list[Any]] = {"a": [1, 2], "A": ["x", None], "É": ["", "z"]}
    written(tmp_path, {"format": kind, "path": "x"}, columns, rows)
    match kind:
        case "csv":
            assert (tmp_path / "x").read_text() == '"a","A","É"\n1,"x",""\n2,,"z"\n'
        case "jsonl":
            assert (tmp_path / "x").read_text() == '{"a":1,"A":"x","É":""}\n{"a":2,"A":null,"É":"z"}\n'
        case _:
            assert pq.read_table(tmp_path / "x").to_pydict() == rows


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
@pytest.mark.parametrize(
    ("column", "value"),
    [
        (FlowColumn("far", ValueType.DATE), -800_000),
        (FlowColumn("far", ValueType.DATETIME), -(2**62)),
        (FlowColumn("far", ValueType.INSTANT), 2**62),
    ],
)
def test_years_without_a_form_are_refused(tmp_path: Path, kind: str, column: FlowColumn, value: int) -> None:
    with pytest.raises(ColumnRefused) as caught:
        written(tmp_path, {"format": kind, "path": "x"}, (TEXT, column), {"t": ["a"], "far": [value]})
    assert caught.value.details["column"] == "far"
    assert list(tmp_path.glob("[!.]*")) == list(tmp_path.glob(".dragoman_stage*")) == []


@pytest.mark.parametrize(
    ("column", "value"),
    [
        (FlowColumn("n", ValueType.FLOAT), float("nan")),
        (FlowColumn("n", ValueType.FLOAT, bits=32), float("-inf")),
        (FlowColumn("n", ValueType.DECIMAL), "NaN"),
        (FlowColumn("n", ValueType.JSON), "{broken"),
    ],
)
def test_what_json_has_no_form_for_is_refused(tmp_path: Path, column: FlowColumn, value: Any) -> None:
    with pytest.raises(ColumnRefused) as caught:
        written(tmp_path, {"format": "jsonl", "path": "x"}, (column,), {"n": [value]})
    assert caught.value.details["column"] == "n"


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_no_rows(tmp_path: Path, kind: str) -> None:
    staged = written(tmp_path, {"format": kind, "path": "x"}, (TEXT,), {"t": []})
    assert staged.rows == 0
    assert (tmp_path / "x").is_file()
    if kind != "parquet":
        assert (tmp_path / "x").read_text() == {"csv": '"t"\n', "jsonl": ""}[kind]


@pytest.mark.parametrize(
    ("config", "start"),
    [
        ({"format": "csv", "path": "x.csv.gz"}, b"\x1f\x8b"),
        ({"format": "jsonl", "path": "x.jsonl.zst"}, b"\x28\xb5\x2f\xfd"),
        ({"format": "csv", "path": "x.csv", "compression": "gzip"}, b"\x1f\x8b"),
        ({"format": "csv", "path": "x.csv.gz", "compression": "none"}, b'"t"'),
        ({"format": "csv", "path": "x.csv", "header": False}, b'"a"'),
    ],
)
def test_packing(tmp_path: Path, config: dict[str, Any], start: bytes) -> None:
    written(tmp_path, config, (TEXT,), {"t": ["a"]})
    assert (tmp_path / config["path"]).read_bytes().startswith(start)


@pytest.mark.parametrize("delimiter", [";", "\t", "|", " "])
def test_delimiters(tmp_path: Path, delimiter: str) -> None:
    columns = (TEXT, FlowColumn("n", ValueType.DECIMAL, precision=5, scale=2))
    rows: dict[str, list[Any]] = {"t": [f"a{delimiter}b"], "n": [Decimal("-1.50")]}
    written(tmp_path, {"format": "csv", "path": "x", "delimiter": delimiter}, columns, rows)
    text = (tmp_path / "x").read_text().splitlines()
    assert text == [f'"t"{delimiter}n', f'"a{delimiter}b"{delimiter}-1.50']


@pytest.mark.parametrize(
    "wrong",
    [
        {"path": "../out.csv"},
        {"path": "/etc/out.csv"},
        {"path": ".dragoman/x.csv"},
        {"path": ""},
        {"path": "folder/"},
        {"path": "there"},
        {"delimiter": ""},
        {"delimiter": "1"},
        {"delimiter": "-"},
        {"delimiter": '"'},
        {"delimiter": "\n"},
        {"delimiter": ",,"},
        {"delimiter": "§"},
        {"delimiter": "\ud800"},
        {"compression": "snappy"},
    ],
)
def test_what_cannot_be_taken(tmp_path: Path, wrong: dict[str, Any]) -> None:
    (tmp_path / "there").mkdir()
    with step_context(tmp_path, {}) as context, pytest.raises(StepRefused):
        WRITER.prepare({"format": "csv", "path": "x.csv"} | wrong, (TEXT,), context)


def test_two_columns_of_one_name(tmp_path: Path) -> None:
    with step_context(tmp_path, {}) as context, pytest.raises(ColumnRefused):
        WRITER.prepare({"format": "csv", "path": "x.csv"}, (TEXT, TEXT), context)


def test_an_old_file_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "x.csv"
    target.write_text("old")
    target.chmod(0o640)
    config = {"format": "csv", "path": "x.csv"}
    with step_context(tmp_path, {}, replaces=("x.csv",)) as context:
        writing = WRITER.prepare(config, (TEXT,), context)
        assert writing.changes == ("replaces the file x.csv, which no run made",)
        staged = WRITER.stage(config, writing, flow_of((TEXT,), {"t": ["new"]}), context)
        assert target.read_text() == "old"
        assert WRITER.published(config, staged, context) is None
        WRITER.publish(config, writing, staged, None, context)
        assert target.read_text() == '"t"\n"new"\n'
        assert stat.S_IMODE(target.stat().st_mode) == 0o640
        assert WRITER.published(config, staged, context) == 1
        before = target.stat().st_mtime_ns
        WRITER.publish(config, writing, staged, None, context)
        WRITER.discard(config, writing.staging, context)
        assert target.stat().st_mtime_ns == before
    assert sorted(p.name for p in tmp_path.iterdir()) == [".dragoman", "x.csv"]


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/data.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("real/data.csv")
    config = {"format": "csv", "path": "link.csv"}
    written(tmp_path, config, (TEXT,), {"t": ["new"]}, replaces=("real/data.csv",))
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real/data.csv").read_text() == '"t"\n"new"\n'


def test_discard_before_publishing(tmp_path: Path) -> None:
    config = {"format": "parquet", "path": "x.parquet"}
    with step_context(tmp_path, {}) as context:
        writing = WRITER.prepare(config, (TEXT,), context)
        staged = WRITER.stage(config, writing, flow_of((TEXT,), {"t": ["a"]}), context)
        for _ in range(2):
            WRITER.discard(config, writing.staging, context)
        assert list(tmp_path.glob("*x*")) == []
        with pytest.raises(TransientFault):
            WRITER.publish(config, writing, staged, None, context)


def test_discard_removes_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "precious.csv").write_text("x")
    with step_context(tmp_path, {}) as context:
        WRITER.discard({}, "precious.csv", context)
        with pytest.raises(StepRefused):
            WRITER.discard({}, "../precious.csv", context)
    assert (tmp_path / "precious.csv").exists()


def test_a_source_that_fails_leaves_nothing(tmp_path: Path) -> None:
    config = {"format": "csv", "path": "x.csv"}
    broken = "SELECT CASE WHEN i < 500000 THEN 'x' ELSE error('gone') END AS t FROM range(1000000) AS r(i)"
    with step_context(tmp_path, {}) as context:
        writing = WRITER.prepare(config, (TEXT,), context)
        with pytest.raises(duckdb.Error, match="gone"):
            WRITER.stage(config, writing, Flow((TEXT,), relation=broken), context)
    assert [p.name for p in tmp_path.iterdir()] == [".dragoman"]


def test_a_full_disk(tmp_path: Path) -> None:
    """A file that may not grow fails with the same care as a disk that is full."""
    import resource

    config = {"format": "csv", "path": "x.csv"}
    long = "SELECT repeat('x', 1000) AS t FROM range(100000)"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with step_context(tmp_path, {}) as context:
        writing = WRITER.prepare(config, (TEXT,), context)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
        try:
            with pytest.raises(DiskFull):
                WRITER.stage(config, writing, Flow((TEXT,), relation=long), context)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [p.name for p in tmp_path.iterdir()] == [".dragoman"]


def test_a_folder_that_goes_away(tmp_path: Path) -> None:
    config = {"format": "csv", "path": "there/x.csv"}
    with step_context(tmp_path, {}) as context:
        writing = WRITER.prepare(config, (TEXT,), context)
        (tmp_path / "there").write_text("a file now")
        with pytest.raises(TargetFailed):
            WRITER.stage(config, writing, flow_of((TEXT,), {"t": ["a"]}), context)


def _written(folder: Path) -> bool:
    """Whether there is something in a file that is not finished."""
    return any(file.stat().st_size for file in folder.glob(".*.partial"))


def test_cancelling_stops_the_work(tmp_path: Path) -> None:
    cancel = Cancellation()
    config = {"format": "csv", "path": "x.csv"}
    endless = "SELECT CAST(a.range * b.range AS VARCHAR) AS t FROM range(1000000) AS a, range(1000000) AS b"
    with step_context(tmp_path, {}, cancel=cancel) as context:
        writing = WRITER.prepare(config, (TEXT,), context)
        stop = Stopwatch(cancel.cancel)
        with once(lambda: _written(tmp_path), stop, "the file grows"), pytest.raises(RunCancelled):
            WRITER.stage(config, writing, Flow((TEXT,), relation=endless), context)
        assert stop.seconds < PROMPT
        with pytest.raises(RunCancelled):
            WRITER.stage(config, writing, Flow((TEXT,), relation=endless), context)
    assert [p.name for p in tmp_path.iterdir()] == [".dragoman"]


FORMULAS = ["=1+1", "+1", "-2", "@SUM(A1)", "\t=1", "\r=1", "plain", "", None, "a=b"]


def test_cells_that_a_spreadsheet_would_run_are_written_as_they_are_and_said(tmp_path: Path) -> None:
    columns = (TEXT, FlowColumn("n", ValueType.INTEGER), FlowColumn("d", ValueType.DECIMAL, 5, 2))
    rows: dict[str, list[Any]] = {"t": FORMULAS, "n": [-5] * 10, "d": [Decimal("-1.50")] * 10}
    staged = written(tmp_path, {"format": "csv", "path": "x.csv"}, columns, rows)
    with (tmp_path / "x.csv").open(newline="", encoding="utf-8") as file:
        cells = [row[0] for row in list(csv.reader(file))[1:]]
    assert cells == ["" if cell is None else cell for cell in FORMULAS]
    (warning,) = staged.warnings
    assert (warning.column, warning.rule) == ("t", "formula_cells")
    assert "6 cells begin with =" in warning.message


def test_formulas_are_escaped_where_that_is_asked_for(tmp_path: Path) -> None:
    columns = (FlowColumn("=name", ValueType.TEXT), FlowColumn("n", ValueType.INTEGER))
    rows: dict[str, list[Any]] = {"=name": FORMULAS, "n": [-5] * 10}
    config = {"format": "csv", "path": "x.csv", "formulas": "escape"}
    staged = written(tmp_path, config, columns, rows)
    with (tmp_path / "x.csv").open(newline="", encoding="utf-8") as file:
        header, *lines = list(csv.reader(file))
    assert header == ["'=name", "n"]
    expected = [f"'{cell}" if number < 6 else cell or "" for number, cell in enumerate(FORMULAS)]
    assert [row[0] for row in lines] == expected
    assert {row[1] for row in lines} == {"-5"}
    assert [warning.rule for warning in staged.warnings] == ["formulas_escaped"]


def test_no_formula_is_seen_where_there_is_none(tmp_path: Path) -> None:
    columns = (TEXT, FlowColumn("d", ValueType.DATE))
    rows: dict[str, list[Any]] = {"t": ["a", None], "d": [None, None]}
    assert written(tmp_path, {"format": "csv", "path": "x.csv"}, columns, rows).warnings == ()
