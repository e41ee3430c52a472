"""Figures that are shown beside a list are of each of its rows; the marks of a short scale are figures."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman.planning.database.hearing import is_sure
from tests.planning.database.hire_shop import HireShop
from tests.tables.test_engines import statement

BREWS: Final = """
CREATE TABLE brew (brew_id INTEGER PRIMARY KEY, name TEXT, town TEXT);
INSERT INTO brew VALUES (1, 'Amber Oak', 'Hobro'), (2, 'Black Fen', 'Hobro'), (3, 'Dawn', 'Ulm');
CREATE TABLE style (style_id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO style VALUES (1, 'Porter'), (2, 'Pale');
CREATE TABLE brew_style (brew_style_id INTEGER PRIMARY KEY, brew_id INTEGER REFERENCES brew(brew_id),
  style_id INTEGER REFERENCES style(style_id));
INSERT INTO brew_style VALUES (1, 1, 2), (2, 2, 1), (3, 3, 2), (4, 1, 1);
CREATE TABLE rating (rating_id INTEGER PRIMARY KEY, brew_id INTEGER REFERENCES brew(brew_id), rating INTEGER,
  rated_at DATE);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
  INSERT INTO rating SELECT i, 1 + i % 3, 1 + (i * 7) % 5, date('2023-01-01', i || ' days') FROM n;
"""
HOBRO: Final = '(brew.list :town "Hobro" :columns "name")'
PAIRS: Final = '(brew_style.list :where {:style {:name "Porter"}})'
IN_HOBRO: Final = ':where {:brew {:town "Hobro"}}'
OF_PORTERS: Final = ':where {:brew {:brew_style-by-brew {:style {:name "Porter"}}}}'


class Brews(HireShop):
    script = BREWS


@pytest.fixture(scope="module")
def brews(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brews]:
    opened = Brews(Path(tmp_path_factory.mktemp("brews")) / "brews.sqlite")
    yield opened
    opened.reader.close()


def test_marks_are_figures(brews: Brews) -> None:
    best = brews.readings("average rating per brew")[0]
    assert is_sure(best)
    assert brews.rows(best.statement) == brews.rows(
        statement('(rating.average :of "rating" :by "brew_id" :columns ["brew/name" "average"])')
    )


@pytest.mark.parametrize(
    ("before", "message", "after"),
    [
        (HOBRO, "with the number of ratings", f"(rating.count {IN_HOBRO}"),
        (HOBRO, "show the number of ratings too", f"(rating.count {IN_HOBRO}"),
        (HOBRO, "with the average rating", f'(rating.average :of "rating" {IN_HOBRO}'),
        # Rows that only pair brews with styles: of each brew.
        (PAIRS, "with the average rating", f'(rating.average :of "rating" {OF_PORTERS}'),
    ],
)
def test_what_is_added_is_told_of_each(brews: Brews, before: str, message: str, after: str) -> None:
    best = brews.readings(message, statement(before))[0]
    verb = after[1:].partition(" ")[0].partition(".")[2]
    expected = statement(f'{after} :by "brew_id" :columns ["brew/name" "{verb}"])')
    assert is_sure(best), best
    assert brews.rows(best.statement) == brews.rows(expected), best.statement


def test_the_average_alone_is_of_all(brews: Brews) -> None:
    best = brews.asked("what is their average rating", statement(HOBRO))
    assert best.argument("by") is None
