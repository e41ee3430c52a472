"""Follow-ups of our own, over a ferry line that was made up: what conversations elsewhere rarely say."""

import sqlite3
from pathlib import Path
from typing import Final

SCRIPT: Final = """
CREATE TABLE ship (ship_id INTEGER PRIMARY KEY, name TEXT, built INTEGER, capacity INTEGER, home_port TEXT, flag TEXT);
INSERT INTO ship VALUES (1, 'Aurora', 1988, 900, 'Bergen', 'Norway'), (2, 'Gannet', 2003, 450, 'Leith', 'Scotland'),
  (3, 'Petrel', 2011, 620, 'Bergen', 'Norway'), (4, 'Skua', 1996, 300, 'Hirtshals', 'Denmark'),
  (5, 'Tern', 2016, 1200, 'Leith', 'Norway'), (6, 'Auk', 1979, 180, 'Stavanger', 'Norway');
CREATE TABLE captain (captain_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, age INTEGER, nationality TEXT,
  email TEXT, ship_id INTEGER REFERENCES ship(ship_id), hired_on DATE);
INSERT INTO captain VALUES (1, 'Ingrid', 'Dahl', 44, 'Norwegian', 'dahl@line', 1, '2009-04-01'),
  (2, 'Ewan', 'Reid', 58, 'Scottish', 'reid@line', 2, '1999-09-13'), (3, 'Mette', 'Holm', 39, 'Danish', 'holm@line', 4, '2015-02-20'),
  (4, 'Olav', 'Berge', 61, 'Norwegian', 'berge@line', 3, '1995-06-30'), (5, 'Morag', 'Bain', 35, 'Scottish', 'bain@line', 5, '2018-08-08'),
  (6, 'Stig', 'Lie', 52, 'Norwegian', 'lie@line', NULL, '2004-11-02');
CREATE TABLE trip (trip_id INTEGER PRIMARY KEY, ship_id INTEGER REFERENCES ship(ship_id), destination TEXT, sailed_on DATE,
  passengers INTEGER, revenue DECIMAL(10,2), weather TEXT);
INSERT INTO trip VALUES (1, 1, 'Lerwick', '2022-05-01', 640, 21000, 'calm'), (2, 1, 'Torshavn', '2022-05-09', 310, 17500.50, 'storm'),
  (3, 2, 'Lerwick', '2022-05-11', 400, 13900, 'calm'), (4, 3, 'Torshavn', '2022-06-02', 505, 19990, 'fog'),
  (5, 5, 'Lerwick', '2022-06-15', 1105, 40250, 'calm'), (6, 2, 'Kirkwall', '2022-06-21', 120, 4100, 'storm'),
  (7, 1, 'Lerwick', '2022-07-04', 780, 26700, 'calm'), (8, 4, 'Kirkwall', '2022-07-19', 260, 7000, 'fog');
"""

_NAMES = '(captain.list :columns ["first_name" "last_name"])'
_SHIPS = '(ship.list :columns "name")'
_BERGEN = '(ship.list :columns "name" :home_port "Bergen")'
_BIG = '(ship.list :columns "name" :capacity {:above 500})'
_BIGGEST = '(ship.list :columns "name" :order {:desc "capacity"} :top 1)'
_OLD = '(captain.list :columns "last_name" :age {:above 50})'
_CALM = '(trip.list :columns "destination" :weather "calm")'
_BY_PORT = '(ship.count :by "home_port")'
_BY_WEATHER = '(trip.average :of "passengers" :by "weather")'
_MOST_TRIPS = '(trip.count :by "ship_id" :columns "ship/name" :top 1)'
_COMMON = '(captain.count :by "nationality" :columns "nationality" :order {:desc "count"} :top 1)'
_SORTED = '(captain.list :columns "last_name" :order "age")'

EXAMPLES: Final[list[tuple[str, str, str]]] = [
    (_BERGEN, "and in Leith?", '(ship.list :columns "name" :home_port "Leith")'),
    (_BERGEN, "what about Hirtshals?", '(ship.list :columns "name" :home_port "Hirtshals")'),
    (_BERGEN, "how about Stavanger", '(ship.list :columns "name" :home_port "Stavanger")'),
    (_BERGEN, "Leith", '(ship.list :columns "name" :home_port "Leith")'),
    (_CALM, "and when it was storm?", '(trip.list :columns "destination" :weather "storm")'),
    (_CALM, "what about fog instead", '(trip.list :columns "destination" :weather "fog")'),
    ('(captain.count :nationality "Norwegian")', "and Scottish?", '(captain.count :nationality "Scottish")'),
    (
        '(captain.average :of "age" :nationality "Danish")',
        "for the Norwegian ones?",
        '(captain.average :of "age" :nationality "Norwegian")',
    ),
    ("(ship.count :capacity {:above 500})", "above 1000?", "(ship.count :capacity {:above 1000})"),
    (_SHIPS, "only the ones built after 2000", '(ship.list :columns "name" :built {:above 2000})'),
    (_SHIPS, "just those with Norway as flag", '(ship.list :columns "name" :flag "Norway")'),
    (_SHIPS, "which of them have a capacity above 500?", _BIG),
    (
        _BIG,
        "only those from Bergen",
        '(ship.list :columns "name" :capacity {:above 500} :home_port "Bergen")',
    ),
    (
        _BIG,
        "which of these are in Leith?",
        '(ship.list :columns "name" :capacity {:above 500} :home_port "Leith")',
    ),
    (
        _NAMES,
        "only the Scottish ones",
        '(captain.list :columns ["first_name" "last_name"] :nationality "Scottish")',
    ),
    (
        _OLD,
        "keep only Norwegian",
        '(captain.list :columns "last_name" :age {:above 50} :nationality "Norwegian")',
    ),
    (_BY_PORT, "only those with at least 2", '(ship.count :by "home_port" :having {:at-least 2})'),
    (_BY_PORT, "only with more than one", '(ship.count :by "home_port" :having {:above 1})'),
    (
        _BY_WEATHER,
        "just those over 400",
        '(trip.average :of "passengers" :by "weather" :having {:above 400})',
    ),
    (_BERGEN, "how many are there?", '(ship.count :home_port "Bergen")'),
    (_BERGEN, "how many?", '(ship.count :home_port "Bergen")'),
    (_BIG, "how many of them are there", "(ship.count :capacity {:above 500})"),
    (_BIG, "count them", "(ship.count :capacity {:above 500})"),
    (_OLD, "what is their average age?", '(captain.average :of "age" :age {:above 50})'),
    (_CALM, "what is the total revenue of those?", '(trip.sum :of "revenue" :weather "calm")'),
    (
        _CALM,
        "how many passengers did they have on average?",
        '(trip.average :of "passengers" :weather "calm")',
    ),
    ('(ship.average :of "capacity")', "and the maximum?", '(ship.max :of "capacity")'),
    ('(ship.max :of "capacity")', "and the minimum?", '(ship.min :of "capacity")'),
    ('(trip.sum :of "revenue")', "what about the average?", '(trip.average :of "revenue")'),
    (
        '(trip.sum :of "revenue" :by "weather")',
        "and the average?",
        '(trip.average :of "revenue" :by "weather")',
    ),
    (
        '(ship.max :of "capacity")',
        "which ship is it?",
        '(ship.list :columns "name" :order {:desc "capacity"} :top 1)',
    ),
    ('(ship.count :flag "Norway")', "list them", '(ship.list :columns "name" :flag "Norway")'),
    ('(ship.count :flag "Norway")', "which ones?", '(ship.list :columns "name" :flag "Norway")'),
    (
        "(captain.count :age {:above 50})",
        "who are they?",
        '(captain.list :columns ["first_name" "last_name"] :age {:above 50})',
    ),
    (
        "(captain.count :age {:above 50})",
        "show them",
        '(captain.list :columns ["first_name" "last_name"] :age {:above 50})',
    ),
    (_BIGGEST, "when was it built?", '(ship.list :columns "built" :order {:desc "capacity"} :top 1)'),
    (_BIGGEST, "what is its home port?", '(ship.list :columns "home_port" :order {:desc "capacity"} :top 1)'),
    (_BIGGEST, "and the smallest?", '(ship.list :columns "name" :order "capacity" :top 1)'),
    (_OLD, "what are their emails?", '(captain.list :columns "email" :age {:above 50})'),
    (_OLD, "show their emails too", '(captain.list :columns ["last_name" "email"] :age {:above 50})'),
    (
        _OLD,
        "also show the nationality",
        '(captain.list :columns ["last_name" "nationality"] :age {:above 50})',
    ),
    (_OLD, "add the first names", '(captain.list :columns ["last_name" "first_name"] :age {:above 50})'),
    (
        _BERGEN,
        "their capacity as well please",
        '(ship.list :columns ["name" "capacity"] :home_port "Bergen")',
    ),
    (_BERGEN, "in what years were they built", '(ship.list :columns "built" :home_port "Bergen")'),
    (
        '(captain.list :columns "first_name" :order {:desc "age"} :top 1)',
        "what is his last name?",
        '(captain.list :columns "last_name" :order {:desc "age"} :top 1)',
    ),
    (
        '(captain.list :columns "first_name" :last_name "Holm")',
        "what is her email?",
        '(captain.list :columns "email" :last_name "Holm")',
    ),
    (
        '(captain.list :columns "age" :last_name "Reid")',
        "and his nationality?",
        '(captain.list :columns "nationality" :last_name "Reid")',
    ),
    (
        '(captain.list :columns "age" :last_name "Reid")',
        "and Holm?",
        '(captain.list :columns "age" :last_name "Holm")',
    ),
    (_MOST_TRIPS, "what is its capacity?", '(trip.count :by "ship_id" :columns "ship/capacity" :top 1)'),
    (_MOST_TRIPS, "how many trips was that?", '(trip.count :by "ship_id" :columns "count" :top 1)'),
    (_MOST_TRIPS, "and the fewest?", '(trip.count :by "ship_id" :columns "ship/name" :order "count" :top 1)'),
    (
        _COMMON,
        "and the least common?",
        '(captain.count :by "nationality" :columns "nationality" :order "count" :top 1)',
    ),
    (
        _COMMON,
        "what about the rarest one",
        '(captain.count :by "nationality" :columns "nationality" :order "count" :top 1)',
    ),
    (_SHIPS, "what about the oldest one?", '(ship.list :columns "name" :order "built" :top 1)'),
    (
        _BERGEN,
        "which one has the largest capacity?",
        '(ship.list :columns "name" :home_port "Bergen" :order {:desc "capacity"} :top 1)',
    ),
    (
        _NAMES,
        "who of them is the oldest?",
        '(captain.list :columns ["first_name" "last_name"] :order {:desc "age"} :top 1)',
    ),
    (_NAMES, "sort them by age", '(captain.list :columns ["first_name" "last_name"] :order "age")'),
    (
        _OLD,
        "order by age descending",
        '(captain.list :columns "last_name" :age {:above 50} :order {:desc "age"})',
    ),
    (_BERGEN, "sort by capacity", '(ship.list :columns "name" :home_port "Bergen" :order "capacity")'),
    (_BY_PORT, "sort by home port", '(ship.count :by "home_port" :order "home_port")'),
    (_SORTED, "reverse the order", '(captain.list :columns "last_name" :order {:desc "age"})'),
    (_SORTED, "the other way round", '(captain.list :columns "last_name" :order {:desc "age"})'),
    (_SORTED, "top 3 only", '(captain.list :columns "last_name" :order "age" :top 3)'),
    (_SORTED, "only the first 2", '(captain.list :columns "last_name" :order "age" :top 2)'),
    ("(ship.count)", "group them by flag", '(ship.count :by "flag")'),
    ("(ship.count)", "by home port", '(ship.count :by "home_port")'),
    ('(trip.sum :of "revenue")', "per destination?", '(trip.sum :of "revenue" :by "destination")'),
    (
        '(trip.sum :of "revenue" :by "destination")',
        "now by weather",
        '(trip.sum :of "revenue" :by "weather")',
    ),
    (_BERGEN, "group them by flag", '(ship.count :by "flag" :home_port "Bergen")'),
    ("(ship.count)", "and captains?", "(captain.count)"),
    ("(ship.count)", "what about trips?", "(trip.count)"),
    ("(ship.count)", "the same for captains", "(captain.count)"),
    ("(trip.count)", "how about ships", "(ship.count)"),
    (_SHIPS, "the same for captains", _NAMES),
    (_BIG, "remove that filter", _SHIPS),
    (_BERGEN, "without that condition", _SHIPS),
    (_OLD, "drop the filter", '(captain.list :columns "last_name")'),
    (_BERGEN, "How many trips were there in calm weather?", '(trip.count :weather "calm")'),
    (_BERGEN, "What is the average age of captains?", '(captain.average :of "age")'),
    (_OLD, "Show the names of all ships", _SHIPS),
    (_OLD, "How many ships have the flag Norway?", '(ship.count :flag "Norway")'),
    (_CALM, "What are the last names of captains older than 50?", _OLD),
    (_BIGGEST, "How many captains are there?", "(captain.count)"),
    (_COMMON, "What is the total revenue of trips?", '(trip.sum :of "revenue")'),
    (_BY_PORT, "How many captains are there of each nationality?", '(captain.count :by "nationality")'),
    (_BERGEN, "а сколько их?", '(ship.count :home_port "Bergen")'),
    (_BERGEN, "а в Leith?", '(ship.list :columns "name" :home_port "Leith")'),
    (_BERGEN, "убери фильтр", _SHIPS),
    (_SORTED, "в обратном порядке", '(captain.list :columns "last_name" :order {:desc "age"})'),
    (_BERGEN, "그럼 Leith 는요?", '(ship.list :columns "name" :home_port "Leith")'),
]


def make(path: Path) -> Path:
    connection = sqlite3.connect(path)
    connection.executescript(SCRIPT)
    connection.commit()
    connection.close()
    return path
