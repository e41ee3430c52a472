"""A database of our own that declares no foreign key: jobs of a boatyard, with lists of states and people."""

from typing import Final

from tests.planning.database.hire_shop import HireShop

SCRIPT: Final = """
CREATE TABLE workers (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, town TEXT, wage INTEGER,
  boss_id INTEGER);
INSERT INTO workers VALUES (1, 'Ada', 'Holm', 'Skye', 50, NULL), (2, 'Bo', 'Lind', 'Skye', 40, 1),
  (3, 'Cy', 'Marsh', 'Mull', 60, 1), (4, 'Di', 'North', 'Mull', 45, 3);
CREATE TABLE docks (id INTEGER PRIMARY KEY, name TEXT, is_public INTEGER, parent_id INTEGER);
INSERT INTO docks VALUES (1, 'East Dock', 1, NULL), (2, 'West Dock', 0, NULL), (3, 'Old Slip', 1, 1),
  (4, 'New Slip', 1, 1), (5, 'Ramp', 0, 2);
CREATE TABLE crews (id INTEGER PRIMARY KEY, worker_id INTEGER, dock_id INTEGER);
INSERT INTO crews VALUES (1, 1, 1), (2, 2, 1), (3, 3, 2), (4, 1, 2);
CREATE TABLE dock_managers (id INTEGER PRIMARY KEY, worker_id INTEGER, dock_id INTEGER);
INSERT INTO dock_managers VALUES (1, 3, 1), (2, 2, 2);
CREATE TABLE job_states (id INTEGER PRIMARY KEY, name TEXT, is_closed INTEGER);
INSERT INTO job_states VALUES (1, 'Waiting', 0), (2, 'On the slip', 0), (3, 'Done', 1);
CREATE TABLE list_items (id INTEGER PRIMARY KEY, list_type TEXT, name TEXT);
INSERT INTO list_items VALUES (1, 'JobPriority', 'Low'), (2, 'JobPriority', 'Urgent'), (3, 'Paint', 'Red'),
  (4, 'Paint', 'Blue');
CREATE TABLE jobs (id INTEGER PRIMARY KEY, subject TEXT, dock_id INTEGER, state_id INTEGER,
  priority_id INTEGER, author_id INTEGER, assigned_to_id INTEGER, started_on DATE);
INSERT INTO jobs VALUES
  (11, 'Scrape hull', 1, 1, 2, 1, 2, '2023-01-04'), (12, 'Paint mast', 1, 3, 1, 1, 2, '2023-02-04'),
  (13, 'Mend keel', 2, 2, 2, 2, 3, '2023-03-04'), (14, 'Sew sail', 2, 1, 1, 3, 1, '2023-04-04'),
  (15, 'Fit pump', 1, 3, 2, 3, 2, '2023-05-04');
"""


class Boatyard(HireShop):
    """The boatyard, opened as the product opens it."""

    script = SCRIPT
