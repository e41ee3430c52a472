"""A choir: singers in sections, who live at addresses, and the songs that they sing from bought scores."""

SCRIPT = """
CREATE TABLE section (section_id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO section VALUES (1, 'Soprano'), (2, 'Alto'), (3, 'Bass');
CREATE TABLE address (address_id INTEGER PRIMARY KEY, street TEXT, floor INTEGER);
INSERT INTO address VALUES (1, '4 Quay Lane', 2), (2, '9 Mill Row', 1), (3, '1 Hill Rise', 1);
CREATE TABLE singer (singer_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, town TEXT, age INTEGER,
  birth_date DATE, section_id INTEGER REFERENCES section(section_id),
  address_id INTEGER REFERENCES address(address_id));
INSERT INTO singer VALUES
  (1, 'Ada', 'Holm', 'Ashby', 31, '1992-03-04', 1, 1), (2, 'Bram', 'Holm', 'Dunmore', 35, '1988-07-01', 1, 1),
  (3, 'Cleo', 'Vance', 'Ashby', 35, '1988-11-30', 2, 2),
  (4, 'Dirk', 'Osei', 'Felling', 40, '1983-05-20', 1, 3),
  (5, 'Esme', 'Vance', NULL, 52, '1983-05-20', 3, NULL), (6, 'Finn', 'Quill', NULL, NULL, NULL, NULL, NULL);
CREATE TABLE song (song_id INTEGER PRIMARY KEY, title TEXT, price REAL, seller TEXT);
INSERT INTO song VALUES (1, 'Larkspur', 4.5, 'Weir'), (2, 'Larkspur', 6.0, 'Tarn'),
  (3, 'Harbour', 4.5, 'Tarn'), (4, 'Harbour', 4.5, 'Weir'), (5, 'Tinder', 9.0, 'Moss');
"""
