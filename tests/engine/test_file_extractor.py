"""Files as sources: what stands in them comes out, or the refusal says where it is broken."""

import datetime as dt
import gzip
import random
import re
import struct
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dragoman.contracts.errors import ColumnRefused, EngineError, SourceFailed, StepRefused, TransientFault
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.component import Extractor
from dragoman.engine.components.files import EXTRACTOR
from tests.conftest import LONG
from tests.engine.flows import COLUMNS, hostile_rows, rows_in, spelled
from tests.engine.steps import step_context
from tests.engine.test_file_writer import written


def read(workspace: Path, **config: Any) -> tuple[dict[str, FlowColumn], dict[str, list[Any]]]:
    with step_context(workspace, {}) as context:
        extraction = EXTRACTOR.plan(config, None, None, context)
        with EXTRACTOR.open(config, extraction, None, context) as flow:
            rows = rows_in(flow, context)
    return {column.name: column for column in extraction.columns}, rows


def test_it_is_an_extractor() -> None:
    assert isinstance(EXTRACTOR, Extractor)


@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (["1", "-2", "0"], ValueType.INTEGER, [1, -2, 0]),
        (["9223372036854775807", "-9223372036854775808"], ValueType.INTEGER, [2**63 - 1, -(2**63)]),
        (["18446744073709551615", "1"], ValueType.INTEGER, [2**64 - 1, 1]),
        (["18446744073709551616"], ValueType.DECIMAL, [Decimal(2**64)]),
        (["007", "1"], ValueType.TEXT, ["007", "1"]),
        (["+1"], ValueType.TEXT, ["+1"]),
        (["-0"], ValueType.TEXT, ["-0"]),
        ([" 1"], ValueType.TEXT, [" 1"]),
        (["1,5".replace(",", ".")], ValueType.DECIMAL, [Decimal("1.5")]),
        (["1.50", "2.25"], ValueType.DECIMAL, [Decimal("1.50"), Decimal("2.25")]),
        (["1", "2.25"], ValueType.DECIMAL, [Decimal("1.00"), Decimal("2.25")]),
        (["1.1", "1.10"], ValueType.TEXT, ["1.1", "1.10"]),
        (["1" * 38, "-" + "2" * 38], ValueType.DECIMAL, [Decimal("1" * 38), Decimal("-" + "2" * 38)]),
        (["1" * 39], ValueType.TEXT, ["1" * 39]),
        (["0.1", "1e+300", "nan", "-inf"], ValueType.FLOAT, [0.1, 1e300, float("nan"), float("-inf")]),
        (["nan", "inf"], ValueType.TEXT, ["nan", "inf"]),
        (["1e5"], ValueType.TEXT, ["1e5"]),
        (["true", "false"], ValueType.BOOLEAN, [True, False]),
        (["True"], ValueType.TEXT, ["True"]),
        (["2024-02-29"], ValueType.DATE, [dt.date(2024, 2, 29)]),
        (["2023-02-29"], ValueType.TEXT, ["2023-02-29"]),
        (["20240229"], ValueType.INTEGER, [20240229]),
        (["23:59:59.5"], ValueType.TIME, [dt.time(23, 59, 59, 500000)]),
        (["2020-01-01T00:00:00.500"], ValueType.DATETIME, [dt.datetime(2020, 1, 1, 0, 0, 0, 500000)]),  # noqa: DTZ001
        (["2020-01-01 00:00:00Z"], ValueType.INSTANT, [dt.datetime(2020, 1, 1, tzinfo=dt.UTC)]),
        (["2020-01-01 00:00:00+02:00"], ValueType.TEXT, ["2020-01-01 00:00:00+02:00"]),
        (["2020-01-01T00:00:60"], ValueType.TEXT, ["2020-01-01T00:00:60"]),
        (['"1"', "2"], ValueType.TEXT, ["1", "2"]),
        (["", ""], ValueType.TEXT, [None, None]),
        (["", "5"], ValueType.INTEGER, [None, 5]),
        (['""', ""], ValueType.TEXT, ["", None]),
        (["NULL", "null", "\\N"], ValueType.TEXT, ["NULL", "null", "\\N"]),
        (["#5", "x"], ValueType.TEXT, ["#5", "x"]),
    ],
)
def test_a_type_only_where_every_value_is_spelled_so(
    tmp_path: Path, cells: list[str], kind: ValueType, values: list[Any]
) -> None:
    for name, lines in (("one.csv", ["v", *cells]), ("two.csv", ["v,w", *(f"{cell},x" for cell in cells)])):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
        columns, rows = read(tmp_path, path=name)
        assert columns["v"].type is kind
        assert spelled(rows["v"]) == spelled(values)


def test_a_late_value_counts(tmp_path: Path) -> None:
    """One value that does not fit, after millions of bytes that do."""
    lines = [f"{number},{number}.5,x" for number in range(600_000)]
    (tmp_path / "x.csv").write_text("a,b,c\n" + "\n".join(lines) + "\n0x1,1.5,y\n")
    columns, rows = read(tmp_path, path="x.csv")
    assert [c.type for c in columns.values()] == [ValueType.TEXT, ValueType.DECIMAL, ValueType.TEXT]
    assert len(rows["a"]) == 600_001
    assert sorted(rows["a"])[-1] == "99999"
    assert "0x1" in rows["a"]


CSV_KEEPS = {"id", "unsigned", "money", "ratio", "half", "flag", "day", "clock", "moment", "instant"}


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("packed", ["", ".gz", ".zst"])
def test_what_was_written_is_read_back(tmp_path: Path, kind: str, packed: str) -> None:
    rows = hostile_rows()
    path = f"x.{kind}{'' if kind == 'parquet' else packed}"
    written(tmp_path, {"format": kind, "path": path}, COLUMNS, rows)
    columns, back = read(tmp_path, path=path)
    assert list(columns) == [column.name for column in COLUMNS]
    for column in COLUMNS:
        expected: list[Any] = rows[column.name]
        if columns[column.name].type is not column.type:
            expected = [None if value is None else _as_text(value) for value in expected]
        if column.type is ValueType.JSON and kind == "jsonl":
            expected = [None if v in (None, "null") else v.replace("\n", " ") for v in expected]
        got = back[column.name]
        if column.name == "half":
            got, expected = [_single(v) for v in got], [_single(v) for v in expected]
        assert spelled(got) == spelled(expected), column.name
    kept = {"csv": CSV_KEEPS, "jsonl": {"id", "unsigned", "money", "ratio", "flag", "json"}}
    for column in COLUMNS:
        if column.name in kept.get(kind, set(rows) - {"endless", "span"}):
            assert columns[column.name].type is column.type


def _single(value: object) -> float | None:
    """A number as a float of 32 bits has it, from whatever type it was read as."""
    return None if value is None else float(struct.unpack("<f", struct.pack("<f", float(str(value))))[0])


def _as_text(value: Any) -> Any:
    match value:
        case bytes():
            return value.hex()
        case dt.date() | dt.time():
            return re.sub(r"(\.\d*?)0+(?=$|\+)", r"\1", value.isoformat())
        case _:
            return value if isinstance(value, float) else str(value)


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        (b"a,b\n1,2\n3\n", 3, "fields"),
        (b"a,b\n1,2\n3,4,5\n6,7\n", 3, "fields"),
        (b'a,b\n"x\ny",2\n3,4,5\n', 4, "fields"),
        (b'a,b\n1,2\n3,"4\n5,6\n', 3, "never closed"),
        (b'a,b\n1,2\n3,4"5\n6,"7\n', 3, ""),
        (b'a,b\n1,2\n3,4"5"\n', 3, "inside a field"),
        (b'a,b\n1,2\n3,"4"5\n', 3, "inside a field"),
        (b"a,b\n1,\xff\n3,4\n", 2, "UTF-8"),
        (b'a,b\n1,"x\n\xff"\n3,4\n', 3, "UTF-8"),
        (b"a,b\n1,2\n\n3,4\n", 3, "empty"),
        (b"a,b\r\n1,2\n3,4\r\n", 2, "ends otherwise"),
        (b"a,b\n1,x\ry\n", 2, "ends otherwise"),
        (b"a,a\n1,2\n", None, "two columns"),
        (b"", None, "is empty"),
    ],
)
def test_a_broken_csv_is_refused_with_its_line(
    tmp_path: Path, data: bytes, line: int | None, reason: str
) -> None:
    (tmp_path / "x.csv").write_bytes(data)
    with pytest.raises(SourceFailed) as caught:
        read(tmp_path, path="x.csv")
    assert caught.value.details.get("line") == line
    assert reason in caught.value.message
    assert "x.csv" in caught.value.message


@pytest.mark.parametrize(
    ("data", "values"),
    [
        (b"a,b\n1,2\n\n\n", [("1", "2")]),
        (b'a,b\r\n1,"x\r\ny"\r\n', [("1", "x\r\ny")]),
        (b"\xef\xbb\xbfa,b\n1,2", [("1", "2")]),
        (b",b\n1,2\n", [("1", "2")]),
        (b"a,b\n", []),
        (b"a,b", []),
    ],
)
def test_csv_that_is_read(tmp_path: Path, data: bytes, values: list[tuple[str, str]]) -> None:
    (tmp_path / "x.csv").write_bytes(data)
    columns, rows = read(tmp_path, path="x.csv")
    assert list(columns)[1] == "b"
    assert [tuple(map(str, row)) for row in zip(*rows.values(), strict=True)] == values


def test_quoted_rows_within_rows(tmp_path: Path) -> None:
    """Text that looks like rows, over many buffers, read by several threads."""
    dice = random.Random(7)
    rows = []
    with (tmp_path / "x.csv").open("w", newline="") as file:
        file.write("id,t\n")
        for number in range(120_000):
            text = "\n".join(f'{dice.randrange(10)},"{dice.randrange(10)}' for _ in range(dice.randrange(30)))
            rows.append((number, text))
            quoted = text.replace('"', '""')
            file.write(f'{number},"{quoted}"\n')
    _, back = read(tmp_path, path="x.csv")
    assert sorted(zip(back["id"], back["t"], strict=True)) == rows


def test_long_rows(tmp_path: Path) -> None:
    """Of one row more than a buffer, and of one more than there may be."""
    texts = ["x" * 15_000_000, "line\n" * (2_000_000 if LONG else 100_000), "short"]
    (tmp_path / "x.csv").write_text("id,t\n" + "".join(f'{n},"{text}"\n' for n, text in enumerate(texts)))
    assert sorted(read(tmp_path, path="x.csv")[1]["t"]) == sorted(texts)
    (tmp_path / "x.csv").write_text("id,t\n1," + "y" * 17_000_000 + "\n")
    with pytest.raises(SourceFailed) as caught:
        read(tmp_path, path="x.csv")
    assert caught.value.details["line"] == 2


def test_declared_types(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text('a,b,c,d\n"1",2.5,2020-01-01T10:00:00+02:00,00ff\n,,,\n')
    types = {"a": "integer", "b": "decimal(10,2)", "c": "instant", "d": "bytes"}
    columns, rows = read(tmp_path, path="x.csv", types=types)
    assert [column.type.value for column in columns.values()] == ["integer", "decimal", "instant", "bytes"]
    assert rows["a"] == [1, None]
    assert rows["b"] == [Decimal("2.50"), None]
    assert rows["c"][0] == dt.datetime(2020, 1, 1, 8, tzinfo=dt.UTC)
    assert rows["d"] == [b"\x00\xff", None]


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("1.5", "integer"),
        ("9223372036854775808", "integer"),
        ("x", "integer"),
        ("1.255", "decimal(5,2)"),
        ("1234.5", "decimal(5,2)"),
        ("1e2", "decimal(5,2)"),
        ("", "x"),
        ("yes", "boolean"),
        ("2020-02-30", "date"),
        ("2020-01-01 00:00:00", "instant"),
        ("xyz", "uuid"),
        ("abc", "bytes"),
        ("{", "json"),
    ],
)
def test_what_is_not_of_its_declared_type_is_refused(tmp_path: Path, cell: str, kind: str) -> None:
    (tmp_path / "x.csv").write_text(f"v\n{cell}\n")
    with pytest.raises(EngineError) as caught:
        read(tmp_path, path="x.csv", types={"v": kind})
    assert caught.value.details["column"] == "v"


def test_many_files(tmp_path: Path) -> None:
    for folder, value in (("a", 1), ("b/deep", 2)):
        (tmp_path / "in" / folder).mkdir(parents=True)
        (tmp_path / "in" / folder / "x[1]*.csv").write_text(f"v\n{value}\n")
    (tmp_path / "in/.hidden.csv").write_text("v\n9\n")
    (tmp_path / "in/b/packed.csv").write_bytes(gzip.compress(b"v\n3\n"))
    _, rows = read(tmp_path, path="in/**/*.csv")
    assert sorted(rows["v"]) == [1, 2, 3]
    _, rows = read(tmp_path, path="in/*/x[[]1]*.csv")
    assert rows["v"] == [1]


def test_files_that_differ(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("a,b\n1,2\n")
    for other, column in (("a\n1\n", "b"), ("a,b,c\n1,2,3\n", "c"), ("b,a\n1,2\n", "a")):
        (tmp_path / "2.csv").write_text(other)
        with pytest.raises(SourceFailed) as caught:
            read(tmp_path, path="*.csv")
        assert caught.value.details["column"] == column
        assert "2.csv" in caught.value.message


@pytest.mark.parametrize(
    "path",
    ["../*.csv", "/etc/*.conf", "in/../../*.csv", ".dragoman/*.csv", "~/*.csv", "folder", "", "x.unknown"],
)
def test_paths_that_are_refused(tmp_path: Path, path: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "x.unknown").write_text("x")
    with pytest.raises(StepRefused):
        read(tmp_path, path=path)


def test_a_link_that_leads_out(tmp_path: Path) -> None:
    (tmp_path / "outside.csv").write_text("v\n1\n")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "x.csv").symlink_to(tmp_path / "outside.csv")
    with pytest.raises(StepRefused):
        read(inside, path="*.csv")


def test_no_file(tmp_path: Path) -> None:
    for path in ("none.csv", "*.csv"):
        with pytest.raises(SourceFailed):
            read(tmp_path, path=path)


def test_a_file_that_changes_between_plan_and_read(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("v\n1.5\n")
    config = {"path": "x.csv"}
    with step_context(tmp_path, {}) as context:
        extraction = EXTRACTOR.plan(config, None, None, context)
        (tmp_path / "x.csv").write_text("v\n1.555\n")
        with pytest.raises(TransientFault), EXTRACTOR.open(config, extraction, None, context):
            pass


def test_json_lines(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(
        '{"i": 1, "d": 1.10, "big": 123456789012345678901234567890, "mixed": 1, "n": {"x": 1.10}, '
        '"s": "a\\u0000\\n"}\n'
        "\n"
        '{"i": null, "d": 2, "big": -1, "mixed": "x", "n": [1], "s": null, "late": 1e300}\n'
    )
    columns, rows = read(tmp_path, path="x.jsonl")
    assert {name: column.type.value for name, column in columns.items()} == {
        "i": "integer",
        "d": "decimal",
        "big": "decimal",
        "mixed": "json",
        "n": "json",
        "s": "text",
        "late": "float",
    }
    assert rows == {
        "i": [1, None],
        "d": [Decimal("1.10"), Decimal("2.00")],
        "big": [Decimal("123456789012345678901234567890"), Decimal(-1)],
        "mixed": ["1", '"x"'],
        "n": ['{"x": 1.10}', "[1]"],
        "s": ["a\0\n", None],
        "late": [None, 1e300],
    }


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{broken", "not an object"),
        (b"[1]", "not an object"),
        (b'{"a": NaN}', "not an object"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b'{"a":1,"a":2}', "twice"),
        (b'{"a": "\xff"}', "not an object"),
        (b'{"a": "\\ud800"}', ""),
    ],
)
def test_a_broken_line_of_json(tmp_path: Path, line: bytes, reason: str) -> None:
    (tmp_path / "x.jsonl").write_bytes(b'{"a": "1"}\n' + line + b"\n")
    with pytest.raises(SourceFailed) as caught:
        read(tmp_path, path="x.jsonl")
    assert caught.value.details["line"] == 2
    assert reason in caught.value.message


PARQUET = {
    "u64": pa.array([2**64 - 1], pa.uint64()),
    "ns": pa.array([1_577_836_800_000_001_000], pa.timestamp("ns")),
    "zone": pa.array([1_577_836_800_000_001_000], pa.timestamp("ns", "Europe/Berlin")),
    "clock": pa.array([1_000], pa.time64("ns")),
    "wide": pa.array([Decimal("1" * 50 + ".0000000001")], pa.decimal256(70, 10)),
    "small": pa.array([Decimal("0.0000000001")], pa.decimal256(70, 10)),
    "half": pa.array([1.5], pa.float16()),
    "nothing": pa.nulls(1),
    "word": pa.array(["a"]).dictionary_encode(),
    "four": pa.array([b"abcd"], pa.binary(4)),
}
EXPECTED = {
    "u64": 2**64 - 1,
    "ns": dt.datetime(2020, 1, 1, 0, 0, 0, 1),  # noqa: DTZ001
    "zone": dt.datetime(2020, 1, 1, 0, 0, 0, 1, dt.UTC),
    "clock": dt.time(0, 0, 0, 1),
    "wide": "1" * 50 + ".0000000001",
    "small": "0.0000000001",
    "half": 1.5,
    "nothing": None,
    "word": "a",
    "four": b"abcd",
}


def test_parquet_types_of_others(tmp_path: Path) -> None:
    pq.write_table(pa.table(PARQUET), tmp_path / "x.parquet")
    _, rows = read(tmp_path, path="x.parquet")
    assert {name: spelled(values) for name, values in rows.items()} == {
        name: spelled([value]) for name, value in EXPECTED.items()
    }


@pytest.mark.parametrize(
    "array",
    [
        pa.array([1], pa.timestamp("ns")),
        pa.array([1], pa.time64("ns")),
        pa.array([[1]]),
        pa.array([{"a": 1}]),
        pa.array([5], pa.duration("us")),
    ],
)
def test_parquet_columns_that_cannot_be_kept(tmp_path: Path, array: pa.Array) -> None:
    pq.write_table(pa.table({"fine": [1], "v": array}), tmp_path / "x.parquet")
    with pytest.raises(ColumnRefused) as caught:
        read(tmp_path, path="x.parquet")
    assert caught.value.details["column"] == "v"
    assert read(tmp_path, path="x.parquet", columns=["fine"])[1] == {"fine": [1]}


def test_old_timestamps_of_parquet(tmp_path: Path) -> None:
    table = pa.table({"v": pa.array([1_577_836_800_000_001_000], pa.timestamp("ns"))})
    pq.write_table(table, tmp_path / "x.parquet", use_deprecated_int96_timestamps=True)
    assert read(tmp_path, path="x.parquet")[1] == {"v": [EXPECTED["ns"]]}


def test_parquet_files_that_differ(tmp_path: Path) -> None:
    pq.write_table(pa.table({"v": [1]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"v": ["1"]}), tmp_path / "2.parquet")
    with pytest.raises(SourceFailed) as caught:
        read(tmp_path, path="*.parquet")
    assert caught.value.details["column"] == "v"


def test_a_parquet_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_text("PAR1 no")
    with pytest.raises(SourceFailed):
        read(tmp_path, path="x.parquet")


def test_floats_that_were_written_are_floats_again(tmp_path: Path) -> None:
    """Also those with small exponents, which different programs write in different ways."""
    (tmp_path / "f.csv").write_text("a,b\n1e-7,1e-07\n0.5,2.0\n1e+300,5e-324\n", encoding="utf-8")
    with step_context(tmp_path, {}) as context:
        extraction = EXTRACTOR.plan({"path": "f.csv"}, None, None, context)
    assert [column.type for column in extraction.columns] == [ValueType.FLOAT, ValueType.FLOAT]
