"""A database of our own where verbs have tables: an archive, the folders it lends, the parties
that it guides, and its friends."""

from typing import Final

from tests.planning.database.hire_shop import HireShop

SCRIPT: Final = """
CREATE TABLE folder_states (state_code TEXT PRIMARY KEY, state_text TEXT);
INSERT INTO folder_states VALUES ('LN', 'loaned'), ('SH', 'on the shelf'), ('RP', 'in repair');
CREATE TABLE folders (folder_id INTEGER PRIMARY KEY, title TEXT,
  state_code TEXT REFERENCES folder_states(state_code), page_count INTEGER, corridor INTEGER);
INSERT INTO folders VALUES (1, 'Harbour plans', 'LN', 40, 3), (2, 'Tax rolls', 'SH', 120, 3),
  (3, 'Ship letters', 'SH', 85, 5), (4, 'Parish maps', 'RP', 12, 7), (5, 'Guild books', 'LN', 240, 5);
CREATE TABLE reading_rooms (room_id INTEGER PRIMARY KEY, room_name TEXT, town TEXT);
INSERT INTO reading_rooms VALUES (1, 'Elm Room', 'Visby'), (2, 'Oak Room', 'Kalmar'), (3, 'Ash Room',
  'Ystad');
CREATE TABLE folders_loaned (folder_id INTEGER REFERENCES folders(folder_id),
  loaned_to_room_id INTEGER REFERENCES reading_rooms(room_id), loan_date DATE,
  PRIMARY KEY (folder_id, loaned_to_room_id));
INSERT INTO folders_loaned VALUES (1, 1, '2021-02-03'), (1, 2, '2021-05-04'), (1, 3, '2022-01-09'),
  (2, 1, '2021-07-08'), (2, 3, '2022-03-10'), (3, 2, '2022-06-11');
CREATE TABLE parties (party_id INTEGER PRIMARY KEY, leader TEXT, adults INTEGER, pupils INTEGER,
  hourly_fee DECIMAL(8,2));
INSERT INTO parties VALUES (1, 'Dahl', 1, 0, 20), (2, 'Ekman', 2, 12, 35), (3, 'Frisk', 1, 8, 28),
  (4, 'Gran', 4, 0, 42);
CREATE TABLE friends (friend_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, age INTEGER,
  date_became_friend DATE, date_last_hire DATE);
INSERT INTO friends VALUES (1, 'Stig', 'Lund', 61, '2015-04-05', '2022-09-01'),
  (2, 'Vera', 'Moe', 44, '2019-06-07', '2021-03-02'), (3, 'Ulla', 'Nord', 72, '2015-10-11', '2020-12-24');
CREATE TABLE gifts (gift_id INTEGER PRIMARY KEY, friend_id INTEGER REFERENCES friends(friend_id),
  given_on DATE, amount DECIMAL(8,2));
INSERT INTO gifts VALUES (1, 1, '2020-01-02', 50), (2, 1, '2021-01-02', 70), (3, 1, '2022-01-02', 10),
  (4, 2, '2021-08-09', 300);
CREATE TABLE donors (donor_id INTEGER PRIMARY KEY, donor_name TEXT);
INSERT INTO donors VALUES (1, 'Roth'), (2, 'Sand');
CREATE TABLE pledges (pledge_id INTEGER PRIMARY KEY, donor_id INTEGER REFERENCES donors(donor_id),
  pledged_sum INTEGER, anonymous BOOLEAN);
INSERT INTO pledges VALUES (1, 1, 90, 0), (2, 2, 40, 0), (3, 2, 30, 1), (4, 2, 50, 0);
"""


class Archive(HireShop):
    """The archive, opened as the product opens it."""

    script = SCRIPT
