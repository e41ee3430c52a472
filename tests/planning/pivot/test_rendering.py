"""Messages as English questions: which words, in which order, and which typed words they came from."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.databases.access import open_reader
from dragoman.databases.discovery import discover
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.databases.values import read_values
from dragoman.planning.database.planner import QuestionPlanner
from dragoman.planning.database.schema_words import SchemaWords
from dragoman.planning.pivot.pivot import Pivot
from dragoman.reading.period_grammar import period_grammar
from dragoman.tables.catalog import table_catalog

SCRIPT: Final = """
CREATE TABLE ferry (ferry_id INTEGER PRIMARY KEY, name TEXT, length_m REAL, build_year INTEGER, port TEXT);
INSERT INTO ferry VALUES (1, 'Aurora', 80, 1999, 'Нижний Порт'), (2, 'Borea', 120, 2011, 'Гавань');
CREATE TABLE crossing (crossing_id INTEGER PRIMARY KEY, ferry_id INTEGER REFERENCES ferry(ferry_id),
  sailed_on DATE, passengers INTEGER, arrival_delay INTEGER, country TEXT);
INSERT INTO crossing VALUES (1, 1, '2023-05-01', 120, 5, 'Norway'), (2, 2, '2023-06-01', 300, 0, 'Brazil');
"""


@pytest.fixture(scope="module")
def pivot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pivot]:
    path = Path(tmp_path_factory.mktemp("ferries")) / "ferries.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(SCRIPT)
    reader = open_reader(SqliteTarget(path))
    schema = discover(reader, "sqlite")
    values = read_values(reader, schema)
    frames = QuestionPlanner(table_catalog(schema), schema, values)
    yield Pivot(SchemaWords(frames.knowledge, frames.linker), values)
    reader.close()


@pytest.mark.parametrize(
    ("typed", "english"),
    [
        ("сколько паромов", "how many ferries"),
        ("как зовут паромы длиннее 100 метров", "what are the names of ferries longer than 100 meters"),
        ("средняя задержка прибытия по странам", "average arrival delay by country"),
        ("переправы в Бразилию", "crossings in Brazil"),
        ("переправы из Норвегии в мае 2023 года", "crossings from Norway in May 2023"),
        ("паромы в Нижнем Порту", 'ferries in "Нижний Порт"'),
        ("у каких паромов больше двух переправ", "which ferries have more than 2 crossings"),
        ("паромы, длина которых больше 100", "ferries, whose length is more than 100"),
        ("나라별 승객 수", "number of passengers by country"),
        ("2023년 5월 승객 수", "number of passengers in May 2023"),
    ],
)
def test_messages_are_rendered(pivot: Pivot, typed: str, english: str) -> None:
    found = pivot.rendering(typed)
    assert found is not None
    assert found.text == english


@pytest.mark.parametrize(
    "text", ["how many ferries", "", "?", "Aurora", "ferries längs", "zeige alle Fähren", "42"]
)
def test_what_needs_no_rendering_has_none(pivot: Pivot, text: str) -> None:
    assert pivot.rendering(text) is None


def test_periods_keep_their_days_in_the_english_text(pivot: Pivot) -> None:
    typed = "сколько переправ было с марта по май 2023 года"
    said = pivot.rendering(typed)
    assert said is not None
    (before,) = period_grammar().find(typed)
    (placed,) = said.placed_periods([before])
    assert placed.days() == before.days()
    assert said.text[placed.start : placed.end] == placed.text


def test_a_bound_that_is_a_word_of_its_own_belongs_to_the_english_period(pivot: Pivot) -> None:
    typed = "паромы, построенные раньше 2000 года"
    said = pivot.rendering(typed)
    assert said is not None
    (placed,) = said.placed_periods(period_grammar().find(typed))
    days = placed.days()
    assert days is not None
    assert (days.first, str(days.last)) == (None, "1999-12-31")


LETTERS: Final = st.sampled_from(
    "абвгдежзиклмнопрстуфхцчшщъыьэюяё 1234567890.,?!\"«»-'() abcxyz가나다라별수의은는이"
)
PARTS: Final = """
    сколько у каких паромов переправа больше чем 5 самый длинный по странам которых не нет в 2020 году и , ?
    가장 많은 승객이 나라별 수 의 3개 이상 2023년 보여줘 Aurora «Гавань» не менее среднего
"""
WORDS: Final = st.sampled_from(PARTS.split())


@given(
    text=st.one_of(
        st.text(LETTERS, max_size=60), st.lists(WORDS, max_size=14).map(" ".join), st.text(max_size=40)
    )
)
def test_any_text_is_rendered_and_every_piece_points_at_typed_words(pivot: Pivot, text: str) -> None:
    found = pivot.rendering(text)
    if found is None:
        return
    assert found.typed == text
    end = 0
    for each in found.placed:
        assert found.text[each.start : each.end] == each.piece.text
        assert end <= each.start <= each.end
        end = each.end
        assert 0 <= each.piece.start <= each.piece.end <= len(text)
    assert all(word in text for word in found.unknown)
    assert all(word in text for word in found.typed_words(found.text.split()))


@given(text=st.text(st.characters(max_codepoint=0x7F), max_size=60))
def test_english_letters_are_left_alone(pivot: Pivot, text: str) -> None:
    assert pivot.rendering(text) is None
