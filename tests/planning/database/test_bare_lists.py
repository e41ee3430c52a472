"""A question that names one table and nothing else is answered, in however many ways its rows are shown."""

import sqlite3
from collections.abc import Iterator

import pytest

from dragoman import Workspace
from dragoman.contracts.vocabulary import AnswerMode
from tests.answering.places import dragoman

# Many tables lead to the songs and have a name of their own, as in the catalogues that shops have.
SONGS = """
create table singers (singer_id integer primary key, name text);
create table records (
    record_id integer primary key, title text not null, singer_id integer references singers
);
create table kinds (kind_id integer primary key, name text);
create table songs (
    song_id integer primary key, name text not null, record_id integer references records,
    kind_id integer references kinds, composer text, seconds integer, price numeric(6, 2)
);
create table bills (bill_id integer primary key, billed_on date, town text, total numeric(8, 2));
create table bill_lines (
    line_id integer primary key, bill_id integer references bills,
    song_id integer references songs, pieces integer
);
create table collections (collection_id integer primary key, name text);
create table collection_songs (
    collection_id integer references collections, song_id integer references songs,
    primary key (collection_id, song_id)
);
insert into singers values (1, 'Ida'), (2, 'Leo');
insert into records values (1, 'Dawn', 1), (2, 'Dusk', 2);
insert into kinds values (1, 'Folk'), (2, 'Jazz');
insert into songs values
    (1, 'Reed', 1, 1, 'Holm', 200, 0.99), (2, 'Moss', 1, 1, null, 180, 0.99),
    (3, 'Reed', 2, 2, 'Lind', 240, 1.29);
insert into bills values (1, '2024-01-05', 'Oulu', 2.28), (2, '2024-02-07', 'Turku', 0.99);
insert into bill_lines values (1, 1, 1, 1), (2, 1, 3, 1), (3, 2, 2, 1);
insert into collections values (1, 'Walks'), (2, 'Rain');
insert into collection_songs values (1, 1), (1, 2), (2, 3);
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("songs")
    with sqlite3.connect(folder / "songs.sqlite") as connection:
        connection.executescript(SONGS)
    dragoman("init", "songs.sqlite", cwd=folder)
    with Workspace.open(folder) as opened:
        yield opened


@pytest.mark.parametrize(
    ("message", "rows"),
    [
        ("list all songs", 3),
        ("show songs", 3),
        ("show me the singers", 2),
        ("list the records", 2),
        ("show all bills please", 2),
        ("all collections", 2),
    ],
)
def test_one_table_and_nothing_else(message: str, rows: int, workspace: Workspace) -> None:
    result = workspace.ask(workspace.new_session(), message)
    assert (result.answer_mode, len(result.rows)) == (AnswerMode.CONFIRMED, rows), result.message


@pytest.mark.parametrize("message", ["list all names", "list different songs", "show purple songs"])
def test_what_says_more_or_less_is_no_bare_list(message: str, workspace: Workspace) -> None:
    result = workspace.ask(workspace.new_session(), message)
    assert result.answer_mode is not AnswerMode.CONFIRMED or len(result.rows) != 3
