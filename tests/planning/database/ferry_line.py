"""A database of our own where words mean values in other forms: a ferry line, its passes and holders."""

from typing import Final

from tests.planning.database.hire_shop import HireShop

SCRIPT: Final = """
CREATE TABLE clubs (club_id INTEGER PRIMARY KEY, club_name TEXT, nation TEXT, is_active BOOLEAN);
INSERT INTO clubs VALUES (1, 'Ardmore Rowers', 'GB', 1), (2, 'Brume Voile', 'FR', 0), (3, 'Cala Vela',
  'IT', 1);
CREATE TABLE tariffs (tariff_id INTEGER PRIMARY KEY, tariff_name TEXT, billing_cycle TEXT, fee DECIMAL(8,2),
  is_active BOOLEAN);
INSERT INTO tariffs VALUES (1, 'Deck', 'month', 20, 1), (2, 'Deck Plus', 'year', 200, 1),
  (3, 'Saloon', 'month', 45, 0);
CREATE TABLE holders (holder_id INTEGER PRIMARY KEY, holder_name TEXT, email TEXT, post TEXT,
  club_id INTEGER REFERENCES clubs(club_id), found_us TEXT);
INSERT INTO holders VALUES (1, 'Una Kerr', 'una@x.org', 'steward', 1, 'organic'),
  (2, 'Yves Morel', 'yves@x.org', 'member', 2, 'leaflet'), (3, 'Zita Conti', 'zita@x.org', 'steward',
  3, 'leaflet'),
  (4, 'Will Dunn', 'will@x.org', 'member', 1, 'organic');
CREATE TABLE passes (pass_id INTEGER PRIMARY KEY, holder_id INTEGER REFERENCES holders(holder_id),
  tariff_id INTEGER REFERENCES tariffs(tariff_id), status TEXT, started_on DATE, trial_ends_on DATE);
INSERT INTO passes VALUES (1, 1, 1, 'active', '2022-01-04', NULL), (2, 2, 2, 'active', '2022-02-08',
  '2022-03-08'),
  (3, 3, 3, 'lapsed', '2022-03-01', NULL), (4, 4, 2, 'active', '2023-05-02', NULL);
CREATE TABLE charges (charge_id INTEGER PRIMARY KEY, pass_id INTEGER REFERENCES passes(pass_id),
  amount DECIMAL(8,2), status TEXT, charged_on DATE);
INSERT INTO charges VALUES (1, 1, 20, 'succeeded', '2022-01-04'), (2, 1, 20, 'failed', '2022-02-04'),
  (3, 2, 200, 'succeeded', '2022-02-08'), (4, 4, 200, 'succeeded', '2023-05-02');
CREATE TABLE notes (note_id INTEGER PRIMARY KEY, holder_id INTEGER REFERENCES holders(holder_id),
  sent_by TEXT,
  priority TEXT, grade TEXT, written_on DATE);
INSERT INTO notes VALUES (1, 1, 'email', 'high', 'A', '2022-04-01'), (2, 2, 'letter', 'low', 'B',
  '2022-05-01'),
  (3, 2, 'email', 'high', 'B', '2022-06-01');
CREATE TABLE posters (poster_id INTEGER PRIMARY KEY, title TEXT, print_year TEXT, price DECIMAL(8,2),
  length INTEGER, format TEXT, last_update TIMESTAMP);
INSERT INTO posters VALUES (1, 'Gull', '2009', 12, 40, 'wall', '2021-01-01 10:00:00'),
  (2, 'Pier', '2011', 18, 60, 'wall', '2021-01-01 10:00:00'), (3, 'Reef', '2012', 30, 80, 'case',
  '2011-05-05 10:00:00');
CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, poster_id INTEGER REFERENCES posters(poster_id),
  quantity INTEGER, unit_price DECIMAL(8,2), discount REAL, sold_on DATE, ship_city TEXT, paid_by TEXT);
INSERT INTO sales VALUES (1, 1, 9, 12, 0, '2022-01-01', 'Oban', 'bank_transfer'),
  (2, 2, 2, 18, 0, '2022-02-02', 'Mallaig', 'card'), (3, 3, 3, 30, 0.5, '2022-03-03', 'Oban', 'card');
CREATE TABLE deckhands (deckhand_id INTEGER PRIMARY KEY, deckhand_name TEXT, hours TEXT, ticket TEXT);
INSERT INTO deckhands VALUES (1, 'Mairi', 'full_time', 'A+'), (2, 'Niall', 'part_time', 'A'),
  (3, 'Orla', 'full_time', 'B-');
"""


class FerryLine(HireShop):
    """The ferry line, opened as the product opens it."""

    script = SCRIPT
