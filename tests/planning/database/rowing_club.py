"""A small database of our own, as they grow without a plan: no keys declared, names cut short and fused."""

SCRIPT = """
CREATE TABLE rower (badge INTEGER PRIMARY KEY, fname TEXT, lname TEXT, dob TEXT, side TEXT, continent TEXT,
  mentor_badge INTEGER, bno INTEGER, insured TEXT);
INSERT INTO rower VALUES (101, 'Edda', 'Rask', '1991-02-03', 'L', 'Europe', NULL, 1, 'Y'),
  (102, 'Milo', 'Tarn', '1988-07-19', 'R', 'Asia', 101, 1, 'N'),
  (103, 'Suna', 'Okoro', '1999-11-30', 'R', 'Africa', 101, 3, 'Y'),
  (104, 'Bela', 'Nagy', '2001-05-05', 'L', 'Europe', 102, 3, 'n/a');
CREATE TABLE boathouse (bnumber INTEGER PRIMARY KEY, bname TEXT, blocation TEXT);
INSERT INTO boathouse VALUES (1, 'Old Pier', 'Northbank'), (3, 'Reed Shed', 'Southbank'),
  (7, 'Annex', 'Isle');
CREATE TABLE post (rbadge INTEGER, duty TEXT, from_date DATE, to_date DATE, PRIMARY KEY (rbadge, from_date));
INSERT INTO post VALUES (101, 'Captain', '2015-01-01', '2019-06-30'),
  (102, 'Captain', '2019-07-01', '9999-12-31'),
  (103, 'Treasurer', '2020-02-01', '9999-12-31'), (104, 'Cox', '2021-03-01', '2022-03-01'),
  (104, 'Treasurer', '2018-01-01', '2020-01-31');
CREATE TABLE outing_type (type_id INTEGER PRIMARY KEY, label TEXT);
INSERT INTO outing_type VALUES (1, 'Regatta'), (2, 'Training'), (3, 'Picnic');
CREATE TABLE outing (outing_id INTEGER PRIMARY KEY, outing_type_id INTEGER, day DATE, GuestCount INTEGER);
INSERT INTO outing VALUES (1, 1, '2021-05-01', 40), (2, 1, '2022-05-07', 60), (3, 2, '2022-06-01', 3),
  (4, 3, '2022-07-01', 25);
CREATE TABLE pay (payID INTEGER PRIMARY KEY, rbadge INTEGER, pay INTEGER);
INSERT INTO pay VALUES (1, 101, 500), (2, 102, 700), (3, 103, 300);
CREATE TABLE form (rbadge INTEGER, seasonID INTEGER, RP INTEGER, MW INTEGER, ps_qty INTEGER,
  retailprice INTEGER, PRIMARY KEY (rbadge, seasonID));
INSERT INTO form VALUES (101, 2019, 12, 3, 1, 90), (101, 2020, 20, 5, 2, 80), (102, 2020, 31, 9, 4, 70),
  (103, 2021, 8, 1, 8, 60);
"""
