"""A database whose dates are texts and parts of dates."""

from typing import Final

SCRIPT: Final = """
CREATE TABLE keeper (keeper_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, born TEXT,
  retired_on DATE, last_update TIMESTAMP);
INSERT INTO keeper VALUES (1, 'Ewa', 'Lind', '1961-03-04', '2019-06-30', '2023-05-01 10:00:00'),
  (2, 'Rolf', 'Aske', '1968-11-20', NULL, '2023-05-01 10:00:00'),
  (3, 'Mina', 'Torv', '1974-03-29', NULL, '2023-05-01 10:00:00'),
  (4, 'Jon', 'Hald', '1983-07-02', '2021-02-28', '2023-05-01 10:00:00');
CREATE TABLE repair (repair_id INTEGER PRIMARY KEY, keeper_id INTEGER REFERENCES keeper(keeper_id),
  part TEXT, reported TEXT, started_on DATE, finished_on DATE, planned_end DATE, cost_cents INTEGER);
INSERT INTO repair VALUES (1, 1, 'lamp', '28/02/2018', '2018-03-01', '2018-03-05', '2018-03-04', 120000),
  (2, 2, 'lens', '14/07/2019', '2019-07-20', '2019-08-02', '2019-08-10', 45000),
  (3, 2, 'door', '30/12/2019', '2020-01-03', '2020-01-04', '2020-01-10', 9900),
  (4, 3, 'stairs', '17/05/2021', '2021-06-01', '2021-07-15', '2021-07-01', 250000);
CREATE TABLE tide (place TEXT, year INTEGER, highest_cm INTEGER, PRIMARY KEY (place, year));
INSERT INTO tide VALUES ('Nord', 1987, 310), ('Nord', 1988, 295), ('Nord', 1994, 333), ('Syd', 1987, 280),
  ('Syd', 1991, 301);
CREATE TABLE visitor (visitor_id INTEGER PRIMARY KEY, name TEXT, arrived DATE, left_again DATETIME);
INSERT INTO visitor VALUES (1, 'Odd', '1989-8-1', '02/08/1989 09:30'),
  (2, 'Unn', '1990-11-23', '11/24/1990 17:05'),
  (3, 'Siv', '1990-8-30', '09/02/1990 08:00'), (4, 'Per', '1992-12-5', '01/03/1993 12:15');
"""
