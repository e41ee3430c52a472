"""Demo databases and the files of packs: built whole, built again when changed, never over something else."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.pack import Pack
from dragoman.language.source import Source
from dragoman.packs.demo import build_demo, demo_script
from dragoman.packs.pack_files import load_shipped, read_pack, shipped_packs

ROWS = {"trade": ("item", 10), "projects": ("story", 60), "funds": ("cbu", 60)}


def read(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def test_three_packs_are_shipped() -> None:
    assert shipped_packs() == ("funds", "projects", "trade")


@pytest.mark.parametrize("name", shipped_packs())
def test_a_demo_is_built(name: str, tmp_path: Path) -> None:
    path = build_demo(load_shipped(name), tmp_path / "deep" / "demo.db")
    table, least = ROWS[name]
    ((count,),) = read(path, f"SELECT COUNT(*) FROM {table}")
    assert isinstance(count, int)
    assert count >= least
    assert [each.name for each in path.parent.iterdir()] == ["demo.db"]


def own_pack(folder: Path, sql: str) -> Pack:
    (folder / "own.sql").write_text(sql)
    return replace(load_shipped("trade"), pack="own", demo="own.sql")


def test_a_demo_is_built_again_when_its_sql_changed(tmp_path: Path) -> None:
    path = tmp_path / "demo.db"
    build_demo(own_pack(tmp_path, "CREATE TABLE a(x INTEGER); INSERT INTO a VALUES (1);"), path, tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO a VALUES (2)")
        connection.commit()
    build_demo(own_pack(tmp_path, "CREATE TABLE a(x INTEGER); INSERT INTO a VALUES (1);"), path, tmp_path)
    assert read(path, "SELECT x FROM a") == [(1,), (2,)]
    build_demo(own_pack(tmp_path, "CREATE TABLE a(x INTEGER); INSERT INTO a VALUES (3);"), path, tmp_path)
    assert read(path, "SELECT x FROM a") == [(3,)]


def test_broken_sql_leaves_the_demo_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "demo.db"
    build_demo(own_pack(tmp_path, "CREATE TABLE a(x INTEGER); INSERT INTO a VALUES (1);"), path, tmp_path)
    with pytest.raises(WorkspaceError):
        build_demo(own_pack(tmp_path, "CREATE TABLE a(x INTEGER); INSERT INTO b VALUES (1);"), path, tmp_path)
    assert read(path, "SELECT x FROM a") == [(1,)]
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.parametrize("content", [b"", b"somebody's notes", b"\x00" * 200])
def test_what_is_no_demo_is_not_replaced(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "demo.db"
    path.write_bytes(content)
    with pytest.raises(WorkspaceError):
        build_demo(load_shipped("trade"), path)
    assert path.read_bytes() == content


def test_somebody_elses_database_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "demo.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mine(x)")
    with pytest.raises(WorkspaceError):
        build_demo(load_shipped("trade"), path)
    assert read(path, "SELECT name FROM sqlite_master") == [("mine",)]


@pytest.mark.parametrize("demo", ["../other.sql", "/etc/passwd", "a/b.sql", "..", ""])
def test_a_demo_stands_beside_its_pack(demo: str, tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError):
        demo_script(replace(load_shipped("trade"), demo=demo), tmp_path)


def test_a_pack_is_read_from_its_file_or_folder(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text("pack: own\ntitle: {en: Own}\n")
    assert (
        read_pack(tmp_path)
        == read_pack(tmp_path / "pack.yaml")
        == read_pack(Source("pack: own\ntitle: {en: Own}"))
    )


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00", b"x" * 1_000_001])
def test_a_file_that_is_no_pack_is_a_clear_error(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "pack.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(WorkspaceError) as raised:
        read_pack(path)
    assert raised.value.hint


@pytest.mark.parametrize("name", ["no\0name", "x" * 5_000])
def test_a_name_that_no_file_can_have_is_a_clear_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError):
        read_pack(tmp_path / name)
    with pytest.raises(WorkspaceError):
        demo_script(replace(load_shipped("trade"), demo=name), tmp_path)


def test_an_unknown_shipped_pack_lists_those_there_are() -> None:
    with pytest.raises(WorkspaceError) as raised:
        load_shipped("../trade")
    assert "projects" in raised.value.hint


def test_the_daily_status_of_projects_is_that_of_its_stories(tmp_path: Path) -> None:
    path = build_demo(load_shipped("projects"), tmp_path / "demo.db")
    counted = """
        SELECT d.sprint_id, d.day,
               SUM(h.status = 'to_do'), SUM(h.status = 'in_progress'), SUM(h.status = 'in_review'),
               SUM(h.status = 'done'), SUM(CASE WHEN h.status = 'done' THEN 0 ELSE s.points END)
        FROM daily_status AS d
        JOIN story AS s ON s.sprint_id = d.sprint_id
        JOIN story_status AS h ON h.story_id = s.story_id
        WHERE h.since <= d.day AND (h.until IS NULL OR h.until > d.day)
        GROUP BY d.sprint_id, d.day ORDER BY d.sprint_id, d.day
    """
    assert read(path, "SELECT * FROM daily_status ORDER BY sprint_id, day") == read(path, counted)


def test_the_status_of_a_story_agrees_with_its_dates(tmp_path: Path) -> None:
    path = build_demo(load_shipped("projects"), tmp_path / "demo.db")
    odd = """
        SELECT s.code FROM story AS s
        WHERE s.done_on IS NOT (SELECT MIN(h.since) FROM story_status AS h
                                WHERE h.story_id = s.story_id AND h.status = 'done')
           OR s.started_on IS NOT (SELECT MIN(h.since) FROM story_status AS h
                                   WHERE h.story_id = s.story_id AND h.status = 'in_progress')
           OR s.created_on IS NOT (SELECT MIN(h.since) FROM story_status AS h WHERE h.story_id = s.story_id)
    """
    assert read(path, odd) == []


def test_names_of_funds_are_nearly_alike(tmp_path: Path) -> None:
    path = build_demo(load_shipped("funds"), tmp_path / "demo.db")
    ((companies,),) = read(path, "SELECT COUNT(*) FROM manco")
    assert isinstance(companies, int)
    assert companies >= 20
    allianz = read(path, "SELECT name FROM cbu WHERE LOWER(name) LIKE 'allian%'")
    assert len(allianz) >= 10
    assert read(path, "SELECT cbu_id FROM cbu WHERE name = 'ALLIANZ FUNDS'") == [
        ("19eba7a4-52c1-4d0e-9a63-0c5f8e2b7d11",)
    ]
