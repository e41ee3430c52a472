"""Files as a database: tables by their names, loaded whole, and nothing beside them."""

import os
from pathlib import Path

import duckdb
import pytest

from dragoman.contracts.errors import AccessError, DatabaseNotFound, FileUnreadable
from dragoman.contracts.query import Query
from dragoman.databases.access import open_reader
from dragoman.databases.families.files.target import FilesTarget


def test_files_become_tables(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("id,day,price\n1,2020-01-02,1.50\n2,,\n")
    (tmp_path / "lines.jsonl").write_text('{"a": 1}\n{"a": null, "b": {"c": [1]}}\n')
    (tmp_path / "list.json").write_text('[{"x": "é😀"}]')
    (tmp_path / "tabs.TSV").write_text("a\tb\n1\t2\n")
    duckdb.sql("SELECT 1.10::DECIMAL(5,2) AS d").write_parquet(str(tmp_path / "exact.parquet"))
    (tmp_path / "notes.txt").write_text("no data")
    (tmp_path / ".hidden.csv").write_text("a\n1\n")
    with open_reader(FilesTarget((tmp_path,))) as reader:
        tables = reader.read(Query("SELECT table_name FROM information_schema.tables ORDER BY 1"))
        assert [row[0] for row in tables.rows] == ["exact", "lines", "list", "sales", "tabs"]
        assert [repr(row) for row in reader.read(Query("SELECT * FROM exact")).rows] == ["(Decimal('1.10'),)"]
        assert reader.read(Query("SELECT * FROM lines")).rows == [(1, None), (None, '{"c":[1]}')]
        assert reader.read(Query("SELECT x FROM list")).rows == [("é😀",)]
        assert reader.read(Query("SELECT count(*), max(day) IS NULL FROM sales")).rows == [(2, False)]
        assert reader.read(Query("SELECT b FROM tabs")).rows == [(2,)]


def test_names_of_files_never_collide_nor_escape(tmp_path: Path) -> None:
    names = [
        "a.csv",
        "a.json",
        "A.jsonl",
        "a_csv.csv",
        'q"u;o--te.csv',
        "st*r[1]?.csv",
        "sel ect.csv",
        "Ё.csv",
    ]
    for name in names:
        (tmp_path / name).write_text('{"n": 1}\n' if "json" in name else "n\n1\n")
    with open_reader(FilesTarget((tmp_path,))) as reader:
        found = [
            str(row[0]) for row in reader.read(Query("SELECT table_name FROM information_schema.tables")).rows
        ]
        assert len({name.casefold() for name in found}) == len(names)
        for name in found:
            quoted = name.replace('"', '""')
            assert reader.read(Query(f'SELECT n FROM "{quoted}"')).rows == [(1,)]
    assert {'q"u;o--te', "st*r[1]?", "sel ect", "Ё", "a_csv"} <= set(found)


def test_files_are_loaded_again_when_they_change(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("a\n1\n")
    with open_reader(FilesTarget((file,))) as reader:
        assert reader.read(Query("SELECT a FROM t")).rows == [(1,)]
        file.write_text("a\n1\n2\n")
        assert reader.read(Query("SELECT a FROM t ORDER BY a")).rows == [(1,), (2,)]
        file.unlink()
        with pytest.raises(DatabaseNotFound):
            reader.read(Query("SELECT a FROM t"))


def test_only_what_is_in_the_folder_is_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "outside.csv").write_text("a\n1\n")
    (folder / "link.csv").symlink_to(tmp_path / "outside.csv")
    (folder / "inside.csv").write_text("a\n1\n")
    os.mkfifo(folder / "pipe.csv")
    with open_reader(FilesTarget((folder,))) as reader:
        assert reader.read(Query("SELECT table_name FROM information_schema.tables")).rows == [("inside",)]
        for sql in (
            f"SELECT * FROM read_csv('{tmp_path}/outside.csv')",
            f"SELECT * FROM '{folder}/inside.csv'",
        ):
            with pytest.raises(AccessError):
                reader.read(Query(sql), user_sql=True)


def test_a_broken_or_unknown_file_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.parquet"
    broken.write_text("not parquet")
    unknown = tmp_path / "data.xyz"
    unknown.write_text("x")
    for path in (broken, unknown):
        with pytest.raises(FileUnreadable, match=path.stem), open_reader(FilesTarget((path,))) as reader:
            reader.read(Query("SELECT 1"))
    missing = FilesTarget((tmp_path / "missing.csv",))
    with pytest.raises(DatabaseNotFound), open_reader(missing) as reader:
        reader.read(Query("SELECT 1"))


def test_nothing_is_left_of_loaded_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    file = tmp_path / "t.csv"
    file.write_text("a\n1\n")
    with open_reader(FilesTarget((file,))) as reader:
        reader.read(Query("SELECT a FROM t"))
        assert len(list(tmp_path.iterdir())) == 2
    assert list(tmp_path.iterdir()) == [file]
