"""Questions as people put them first: by everyday verbs, by the noun of a key, by a letter, by places."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.contracts.query import Value
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.database.asides import without_asides
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.tables.table_planner import TablePlanner
from dragoman.planning.tables.words import stem
from dragoman.reading.period_grammar import period_grammar
from dragoman.review.case import says
from dragoman.review.words import read_message
from tests.planning.database.planned_database import TODAY, PlannedDatabase

_LEAGUE = """
CREATE TABLE folk (bowlerID TEXT PRIMARY KEY, nameFirst TEXT, nameLast TEXT, deathTown TEXT, birthTown TEXT,
  birthLand TEXT, debut DATE);
INSERT INTO folk VALUES ('a1', 'Ada', 'Quill', 'Wick', 'Tarn', 'I.O.M.', '2011-04-02'),
  ('b2', 'Bo', 'Rusk', 'Tarn', 'Wick', 'WAL', '2012-05-03'),
  ('c3', 'Cy', 'Thorn', NULL, 'Tarn', 'WAL', '2012-06-04');
CREATE TABLE clubs (yearID INTEGER, clubID TEXT, name TEXT, G INTEGER, W INTEGER, L INTEGER, R INTEGER,
  HR INTEGER, seats INTEGER, PRIMARY KEY (yearID, clubID));
INSERT INTO clubs VALUES (2019, 'TR', 'Tarn Rovers', 30, 20, 10, 80, 7, 400),
  (2020, 'TR', 'Tarn Rovers', 30, 12, 18, 60, 5, 410), (2019, 'HV', 'Hove Vale', 30, 9, 21, 50, 3, 300);
CREATE TABLE striking (bowlerID TEXT REFERENCES folk, yearID INTEGER, HR INTEGER, SO INTEGER, SH INTEGER,
  PRIMARY KEY (bowlerID, yearID));
INSERT INTO striking VALUES ('a1', 2019, 5, 3, 1), ('b2', 2019, 2, 9, 0), ('a1', 2020, 4, 2, 1);
CREATE TABLE tossing (bowlerID TEXT REFERENCES folk, yearID INTEGER, HR INTEGER, SO INTEGER, SH INTEGER,
  PRIMARY KEY (bowlerID, yearID));
INSERT INTO tossing VALUES ('b2', 2019, 8, 30, 2), ('c3', 2019, 6, 25, 1);
CREATE TABLE honours (bowlerID TEXT REFERENCES folk, yearID INTEGER, kind TEXT,
  PRIMARY KEY (bowlerID, yearID));
INSERT INTO honours VALUES ('a1', 2020, 'Bowler'), ('c3', 2021, 'Umpire');
CREATE TABLE shelf (bowlerID TEXT REFERENCES folk, yearID INTEGER, trophy TEXT,
  PRIMARY KEY (bowlerID, yearID, trophy));
INSERT INTO shelf VALUES ('a1', 2019, 'Silver Cup'), ('a1', 2020, 'Silver Cup'), ('b2', 2020, 'Silver Cup'),
  ('b2', 2019, 'Iron Cup');
CREATE TABLE pay (yearID INTEGER, bowlerID TEXT REFERENCES folk, salary INTEGER,
  PRIMARY KEY (yearID, bowlerID));
INSERT INTO pay VALUES (2019, 'a1', 900), (2020, 'a1', 950), (2019, 'b2', 700);
"""

_TEA = """
CREATE TABLE land (land_id INTEGER PRIMARY KEY, land TEXT);
INSERT INTO land VALUES (1, 'Norway'), (2, 'Chile'), (3, 'Japan');
CREATE TABLE place (place_id INTEGER PRIMARY KEY, street TEXT, county TEXT, land_id INTEGER REFERENCES land);
INSERT INTO place VALUES (1, 'Elm Row', 'Viken', 1), (2, 'Ash Row', 'Maule', 2), (3, 'Oak Row', 'Viken', 1);
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, company_name TEXT, contact_name TEXT,
  contact_title TEXT,  place_id INTEGER REFERENCES place);
INSERT INTO customers VALUES (1, 'Fjord Tea', 'Kari Lie', 'Owner', 1),
  (2, 'Leaf Bros', 'Ivo Paz', 'Agent', 2);
CREATE TABLE performers (performer_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, last_update DATE);
INSERT INTO performers VALUES (1, 'Zed', 'Oak', '2001-01-01');
CREATE TABLE employees (employee_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, title TEXT,
  hired_on DATE);
INSERT INTO employees VALUES (1, 'Nils', 'Ek', 'Clerk', '2015-02-01'),
  (2, 'Mona', 'Vik', 'Head', '2010-07-09');
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers,
  employee_id INTEGER REFERENCES employees, ordered_on DATE, shipped_on DATE, due_date DATE,
  bill_to_place_id INTEGER REFERENCES place, ship_to_place_id INTEGER REFERENCES place, sub_total REAL,
  total_due REAL);
INSERT INTO orders VALUES (501, 1, 1, '2021-03-04', '2021-03-08', '2021-04-01', 1, 2, 90, 100),
  (502, 2, 2, '2021-03-09', NULL, '2021-04-02', 2, 2, 95, 97),
  (503, 1, 2, '2022-01-05', NULL, '2022-02-01', 1, 1, 40, 44);
CREATE TABLE products (product_id INTEGER PRIMARY KEY, name TEXT, sell_start_date DATE, sell_end_date DATE);
INSERT INTO products VALUES (1, 'Green Leaf', '2020-01-01', NULL), (2, 'Red Leaf', '2021-03-01', NULL),
  (3, 'White Leaf', '2022-06-01', NULL);
CREATE TABLE order_lines (line_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders,
  product_id INTEGER REFERENCES products, quantity INTEGER, unit_price REAL);
INSERT INTO order_lines VALUES (1, 501, 1, 4, 10), (2, 502, 1, 2, 10), (3, 503, 2, 7, 5);
"""


_HIRED, _STARTED = dt.date(2010, 7, 9), dt.date(2021, 3, 1)


def _opened(folder: Path, name: str, script: str) -> Iterator[PlannedDatabase]:
    opened = PlannedDatabase(folder / f"{name}.sqlite", script)
    yield opened
    opened.reader.close()


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlannedDatabase]:
    yield from _opened(Path(tmp_path_factory.mktemp("league")), "league", _LEAGUE)


@pytest.fixture(scope="module")
def tea(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlannedDatabase]:
    yield from _opened(Path(tmp_path_factory.mktemp("tea")), "tea", _TEA)


def _joint(database: PlannedDatabase) -> JointPlanner:
    frames = database.planner
    phrases = TablePlanner(database.tables, database.schema, frames.values)
    return JointPlanner(frames, phrases, frames.values)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # Letters are known by what is said for them, and by nothing else.
        ("which club had the most wins in 2019", [("Tarn Rovers", 20)]),
        ("how many home runs did Tarn Rovers hit in 2019", [(7,)]),
        ("runs of Tarn Rovers in 2019 and 2020, all together", [(140,)]),
        ("wins per season for Tarn Rovers", [(2019, 20), (2020, 12)]),
        # Games that were won are wins, where a column counts them.
        ("how many games did Tarn Rovers win in 2020", [(12,)]),
        ("which club lost the most games in 2019", [("Hove Vale", 21)]),
        # Rows that are kept by years have one.
        ("clubs that won more than 15 games, with the year", [(2019, "Tarn Rovers")]),
        ("which club lost the most games in one season, and when was that", [(2019, "Hove Vale")]),
        # What people are paid, where nothing is sold.
        ("how much did Ada Quill make in 2020", [(950,)]),
        # So many rows that are of a kind.
        ("bowlers with at least 2 Silver Cups", [("a1", "Ada", "Quill")]),
        # A place of birth, and none of death.
        ("how many bowlers were born in Tarn", [(2,)]),
        ("how many bowlers come from Tarn", [(2,)]),
        ("how many bowlers died in Tarn", [(1,)]),
        # Only initials are written with points.
        ("how many bowlers come from the Isle of Man", [(1,)]),
    ],
)
def test_a_league_that_writes_letters(
    league: PlannedDatabase, question: str, rows: list[tuple[Value, ...]]
) -> None:
    found = league.rows(question)
    assert [
        tuple(each for each in row if each in wanted) for row, wanted in zip(found, rows, strict=True)
    ] == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # "The most orders" are orders, and whoever took them is no customer.
        ("show me the 2 employees who handled the most orders", [("Nils", "Ek", 1), ("Mona", "Vik", 2)]),
        ("who took order 502", [("Mona", "Vik")]),
        # Whoever has a date that the superlative speaks of, and not one of keeping books.
        ("who has been with us the longest", [("Mona", "Vik", _HIRED)]),
        ("who has worked here the longest", [("Mona", "Vik", _HIRED)]),
        # The period of what nobody did is that of the record that a line belongs to.
        ("products nobody bought in january 2022", [("Green Leaf",), ("White Leaf",)]),
        ("products sold in march 2021", [("Green Leaf",)]),
        ("products that started being sold in march 2021", [("Red Leaf", _STARTED)]),
        ("units of Green Leaf sold in march 2021", [(6,)]),
        ("how many orders are still waiting to be shipped", [(2,)]),
        # Two names that only together say the name of a column.
        ("what job titles do our customer contacts have", [("Owner",), ("Agent",)]),
        # Places of things, over several links.
        ("which lands do our customers come from", [("Norway",), ("Chile",)]),
        ("in which lands do we have customers", [("Norway",), ("Chile",)]),
        # A key that is named behind a column of what it points at.
        ("number of orders by the county they were shipped to", [("Maule", 2), ("Viken", 1)]),
        # The one number that is shown, and not another that is large too.
        ("give me the march 2021 orders with their total due, largest first", [(501, 100.0), (502, 97.0)]),
        ("top 1 spender", [("Fjord Tea", 130.0)]),
        ("how much did each employee take in during 2021", [("Nils", "Ek", 90.0), ("Mona", "Vik", 95.0)]),
    ],
)
def test_a_trade_in_tea(tea: PlannedDatabase, question: str, rows: list[tuple[Value, ...]]) -> None:
    assert sorted(map(str, tea.rows(question))) == sorted(map(str, rows))


def test_a_season_is_a_year_where_rows_are_kept_by_years(league: PlannedDatabase) -> None:
    """No other word for a year is guessed at."""
    assert "word" not in league.planner.readings("wins per season for Tarn Rovers")[0].guesses


def test_the_order_is_by_what_is_shown(tea: PlannedDatabase) -> None:
    assert ':order {:desc "total_due"}' in tea.program("orders with their total due, the largest first")


def test_two_words_beside_each_other_are_no_letters(league: PlannedDatabase) -> None:
    assert '"SH"' not in league.program("scores here by bowler")


def test_whose_figure_is_meant_is_asked_where_nothing_tells(league: PlannedDatabase) -> None:
    question = "who had the most home runs in 2019"
    readings = league.planner.readings(question, period_grammar().find(question), TODAY)
    assert "table" in readings[0].guesses
    periods = period_grammar().find(question)
    assert _joint(league).readings(question, periods=periods, today=TODAY)[0].score < 0.79


@pytest.mark.parametrize(
    "question",
    ["how many bowlers are there", "number of bowlers by land of birth", "average bowler salary by year"],
)
def test_rows_are_called_by_their_key(league: PlannedDatabase, question: str) -> None:
    """ "Bowler" is a value of honours as well; nobody objects to the people who have a `bowlerID`."""
    joint = _joint(league)
    best = joint.readings(question, today=TODAY)[0]
    assert best.statement.verb.split(".")[0] in ("folk", "pay")
    assert not joint.objections(question, "en", (best.statement,))


@pytest.mark.parametrize(
    ("question", "program"),
    [
        # Words of a name that is no date's say nothing of a date.
        (
            "give me the march 2021 orders with their total due",
            '(orders.list :on "ordered_on" :during [2021-03-01 2021-03-31]'
            ' :columns ["order_id" "total_due"])',
        ),
        # The date of what was never done is missing, and the period is of another.
        (
            "how many orders from march 2021 were never shipped",
            '(orders.count :shipped_on nil :on "ordered_on" :during [2021-03-01 2021-03-31])',
        ),
        # Two dates are held against each other, and the period is of a third.
        (
            "how many orders from 2021 were shipped later than the due date",
            '(orders.count :shipped_on {:above {:column "due_date"}}'
            ' :on "ordered_on" :during [2021-01-01 2021-12-31])',
        ),
    ],
)
def test_nobody_objects_to_another_date(tea: PlannedDatabase, question: str, program: str) -> None:
    statement = read_verbs(Source(program)).statements[0]
    assert not _joint(tea).objections(question, "en", (statement,))


@pytest.mark.parametrize(
    ("text", "named", "plain"),
    [
        ("the dearest tent in the catalogue?", "", "the dearest tent                 ?"),
        ("how many tents are in our shop?", "", "how many tents are            ?"),
        ("the dearest tent in the catalogue?", "catalogue", "the dearest tent in the catalogue?"),
        ("how many tents are there", "", "how many tents are there"),
    ],
)
def test_where_it_all_stands_is_no_part_of_a_question(text: str, named: str, plain: str) -> None:
    assert without_asides(text, {stem(named)}) == plain


def test_another_word_for_a_table_names_no_longer_one(tmp_path: Path) -> None:
    """ "Movies" are films, and not the cast of films."""
    script = """
    CREATE TABLE film (film_id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE film_helper (film_id INTEGER REFERENCES film, helper_id INTEGER,
      PRIMARY KEY (film_id, helper_id));
    INSERT INTO film VALUES (1, 'Dusk'), (2, 'Dawn');
    INSERT INTO film_helper VALUES (1, 1), (1, 2), (2, 1);
    """
    cinema = PlannedDatabase(tmp_path / "cinema.sqlite", script)
    cut = cinema.planner.segmenter.cuts("how many movies")[0]
    tables = {named.thing.table.name for named in cut.segments[-1].names if named.thing.column is None}
    cinema.reader.close()
    assert tables == {"film"}


def test_a_value_that_is_said_in_full_has_no_end_of_its_own(tmp_path: Path) -> None:
    """ "New York Owls" are one club, and no owls beside somebody from New York."""
    script = """
    CREATE TABLE birds (bird_id INTEGER PRIMARY KEY, club TEXT, state TEXT, city TEXT, fee INTEGER);
    INSERT INTO birds VALUES (1, 'New York Owls', 'NY', 'New York', 5), (2, 'Ohio Larks', 'OH', 'Dayton', 7);
    """
    clubs = PlannedDatabase(tmp_path / "clubs.sqlite", script)
    cuts = clubs.planner.segmenter.cuts("total fee of the New York Owls")
    clubs.reader.close()
    assert {cut.segments[-1].text for cut in cuts} == {"New York Owls"}


def test_whoever_managed_something_is_a_manager() -> None:
    word = read_message("who managed the mill", "en").words[1]
    assert says(word, frozenset({"manager", "managers"}))
    assert not says(word, frozenset({"owner", "owners"}))
