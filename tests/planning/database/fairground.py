"""A database of our own whose rows say who was what and for how long: a fairground, its parties and fairs."""

from typing import Final

from tests.planning.database.hire_shop import HireShop

SCRIPT: Final = """
CREATE TABLE parties (party_id INTEGER PRIMARY KEY, party_name TEXT, phone INTEGER, town_code TEXT,
  date_became_partner DATE);
INSERT INTO parties VALUES (1, 'Lantern Guild', 5511, 'HRW', '2015-03-01'),
  (2, 'North Bakers', 5522, 'LUT', '2016-04-01'), (3, 'Reel Society', 5533, 'HRW', '2017-05-01'),
  (4, 'Quay Club', 5544, 'WAT', '2019-06-01');
CREATE TABLE fairs (fair_id INTEGER PRIMARY KEY, fair_name TEXT, fair_kind TEXT);
INSERT INTO fairs VALUES (1, 'Spring Row', 'Market'), (2, 'Harvest Home', 'Feast'), (3, 'Ice Night', 'Feast');
CREATE TABLE parties_at_fairs (party_id INTEGER REFERENCES parties(party_id),
  fair_id INTEGER REFERENCES fairs(fair_id), part TEXT, PRIMARY KEY (party_id, fair_id));
INSERT INTO parties_at_fairs VALUES (1, 1, 'Organizer'), (2, 1, 'Participant'), (3, 1, 'Sponsor'),
  (2, 2, 'Organizer'), (1, 2, 'Participant'), (3, 2, 'Participant'), (3, 3, 'Participant'),
  (4, 3, 'Participant'), (1, 3, 'Organizer');
CREATE TABLE stands (stand_id INTEGER PRIMARY KEY, stand_name TEXT, stand_price DECIMAL(8,2));
INSERT INTO stands VALUES (1, 'Gate', 40), (2, 'Well', 25), (3, 'Oak', 60);
CREATE TABLE party_stands (party_id INTEGER REFERENCES parties(party_id),
  stand_id INTEGER REFERENCES stands(stand_id), date_from DATE, date_to DATE,
  PRIMARY KEY (party_id, stand_id, date_from));
INSERT INTO party_stands VALUES (1, 1, '2018-01-01', '2019-06-30'), (2, 2, '2018-01-01', '2021-12-31'),
  (3, 1, '2019-07-01', NULL), (4, 3, '2020-02-01', '2020-11-30');
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, fname TEXT, lname TEXT, post TEXT);
INSERT INTO staff VALUES (1, 'Ivo', 'Pell', 'Porter'),
  (2, 'Una', 'Gray', 'Manager'), (3, 'Ned', 'Voss', 'Porter');
CREATE TABLE patrols (party_id INTEGER REFERENCES parties(party_id),
  fair_id INTEGER REFERENCES fairs(fair_id));
INSERT INTO patrols VALUES (1, 1), (2, 1), (3, 2), (4, 3);
CREATE TABLE staff_patrols (staff_id INTEGER REFERENCES staff(staff_id),
  fair_id INTEGER REFERENCES fairs(fair_id));
INSERT INTO staff_patrols VALUES (1, 1), (3, 1), (1, 3);
CREATE TABLE duties (staff_id INTEGER REFERENCES staff(staff_id), duty TEXT, since DATE, until DATE,
  PRIMARY KEY (staff_id, duty, since));
INSERT INTO duties VALUES (1, 'Gatekeeper', '2018-01-01', '2019-12-31'),
  (1, 'Head porter', '2020-01-01', '9999-12-31'), (3, 'Lamplighter', '2019-01-01', '9999-12-31');
CREATE TABLE carts (cart_id INTEGER PRIMARY KEY, fair_id INTEGER REFERENCES fairs(fair_id), departure DATE);
INSERT INTO carts VALUES (1, 1, '2021-05-01'), (2, 1, '2021-05-01'), (3, 2, '2021-06-01');
CREATE TABLE inspections (inspection_id INTEGER PRIMARY KEY, fair_id INTEGER REFERENCES fairs(fair_id),
  booked_at DATE, scheduled_at DATE, created_at DATE);
INSERT INTO inspections VALUES (1, 1, '2021-04-01', '2021-05-03', '2021-04-01'),
  (2, 2, '2021-05-02', '2021-06-01', '2021-05-02'), (3, 3, '2021-05-04', '2021-05-20', '2021-05-04');
CREATE TABLE flyers (flyer_id INTEGER PRIMARY KEY, flyer_name TEXT, flyer_type TEXT, access_count INTEGER);
INSERT INTO flyers VALUES (1, 'Come all', 'Leaflet', 50), (2, 'Night lights', 'Banner', 900),
  (3, 'Best pies', 'Leaflet', 70);
CREATE TABLE flyer_labels (flyer_id INTEGER REFERENCES flyers(flyer_id),
  label_id INTEGER REFERENCES labels(label_id), PRIMARY KEY (flyer_id, label_id));
INSERT INTO flyer_labels VALUES (1, 1), (1, 2), (2, 1);
CREATE TABLE tents (tent_id INTEGER PRIMARY KEY, tent_name TEXT, capacity INTEGER);
INSERT INTO tents VALUES (1, 'Big Top', 800), (2, 'Side', 120), (3, 'Long', 400);
CREATE TABLE prizes (prize_id INTEGER PRIMARY KEY, party_id INTEGER REFERENCES parties(party_id),
  result TEXT);
INSERT INTO prizes VALUES (1, 1, 'Win'), (2, 1, 'Win'), (3, 2, 'Loss'), (4, 2, 'Win'), (5, 3, 'Loss');
CREATE TABLE sites (site_id INTEGER PRIMARY KEY, other_details TEXT);
INSERT INTO sites VALUES (1, 'By the mill'), (2, 'Behind the church'), (3, 'At the ford');
CREATE TABLE floods (flood_id INTEGER PRIMARY KEY, site_id INTEGER REFERENCES sites(site_id), day DATE);
INSERT INTO floods VALUES (1, 1, '2019-02-01'), (2, 1, '2020-02-01'), (3, 3, '2020-02-02');
CREATE TABLE labels (label_id INTEGER PRIMARY KEY, label_name TEXT);
INSERT INTO labels VALUES (1, 'outdoor'), (2, 'music'), (3, 'food');
CREATE TABLE fair_labels (fair_id INTEGER REFERENCES fairs(fair_id),
  label_id INTEGER REFERENCES labels(label_id), PRIMARY KEY (fair_id, label_id));
INSERT INTO fair_labels VALUES (1, 1), (1, 3), (2, 3), (3, 2);
CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, fair_id INTEGER REFERENCES fairs(fair_id), day DATE);
INSERT INTO tickets VALUES (1, 1, '2021-05-01'), (2, 1, '2021-05-01'), (3, 2, '2021-09-01'),
  (4, 3, '2021-12-01');
CREATE TABLE chore_kinds (kind_id INTEGER PRIMARY KEY, kind_name TEXT);
INSERT INTO chore_kinds VALUES (1, 'Repair'), (2, 'Delivery');
CREATE TABLE chores (chore_id INTEGER PRIMARY KEY, subject TEXT,
  kind_id INTEGER REFERENCES chore_kinds(kind_id),
  assigned_to INTEGER REFERENCES staff(staff_id));
INSERT INTO chores VALUES (1, 'Mend gate', 1, 1), (2, 'Fetch flags', 2, 1), (3, 'Fix lamp', 1, 3);
CREATE TABLE posters (poster_id INTEGER PRIMARY KEY, poster_name TEXT, labels TEXT, total_sales INTEGER);
INSERT INTO posters VALUES (1, 'Blue', 'old', 5), (2, 'Red', 'new', 9), (3, 'Tall', 'new', 2);
CREATE TABLE poster_orders (order_id INTEGER PRIMARY KEY, poster_id INTEGER REFERENCES posters(poster_id),
  quantity INTEGER);
INSERT INTO poster_orders VALUES (1, 1, 2), (2, 2, 3);
"""


class Fairground(HireShop):
    """The fairground, opened as the product opens it."""

    script = SCRIPT
