"""A database of our own whose rows say who was what: a fairground, its parties and what they did at fairs."""

from typing import Final

from tests.planning.database.hire_shop import HireShop

SCRIPT: Final = """
CREATE TABLE parties (party_id INTEGER PRIMARY KEY, party_name TEXT);
INSERT INTO parties VALUES (1, 'Lantern Guild'), (2, 'North Bakers'), (3, 'Reel Society'), (4, 'Quay Club');
CREATE TABLE fairs (fair_id INTEGER PRIMARY KEY, fair_name TEXT, fair_kind TEXT);
INSERT INTO fairs VALUES (1, 'Spring Row', 'Market'), (2, 'Harvest Home', 'Feast'), (3, 'Ice Night', 'Feast');
CREATE TABLE parties_at_fairs (party_id INTEGER REFERENCES parties(party_id),
  fair_id INTEGER REFERENCES fairs(fair_id), part TEXT, PRIMARY KEY (party_id, fair_id));
INSERT INTO parties_at_fairs VALUES (1, 1, 'Organizer'), (2, 1, 'Participant'), (3, 1, 'Sponsor'),
  (2, 2, 'Organizer'), (1, 2, 'Participant'), (3, 2, 'Participant'), (3, 3, 'Participant'),
  (4, 3, 'Participant'), (1, 3, 'Organizer');
"""


class Fairground(HireShop):
    script = SCRIPT
