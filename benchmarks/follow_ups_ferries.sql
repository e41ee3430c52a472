-- A ferry line that was made up.
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
