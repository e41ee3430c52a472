"""Small databases without a pack: a music shop, a shop with a table that only links, a clinic, a weather
service with many rows, keys of two columns, and rows without a key, and a workshop whose values are words
that answers are judged by."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from dragoman import Workspace

MUSIC: Final = """
CREATE TABLE employee (employee_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, title TEXT,
  reports_to INTEGER REFERENCES employee(employee_id), hired DATE);
INSERT INTO employee VALUES (1, 'Ada', 'Moss', 'Director', NULL, '2012-03-01'),
  (2, 'Bo', 'Lind', 'Sales lead', 1, '2014-05-02'), (3, 'Cy', 'Reed', 'Clerk', 2, '2018-07-15'),
  (4, 'Dee', 'Hart', 'Clerk', 2, '2019-01-10');
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name TEXT, email TEXT, city TEXT, country TEXT,
  support_rep_id INTEGER REFERENCES employee(employee_id));
INSERT INTO customer VALUES (1, 'Ann Berg', 'ann@x.example', 'Oslo', 'Norway', 3),
  (2, 'Ben Cole', 'ben@x.example', 'Berlin', 'Germany', 3),
  (3, 'Carla Diaz', 'carla@x.example', 'Madrid', 'Spain', 4),
  (4, 'Dov Eitan', 'dov@x.example', 'Berlin', 'Germany', 4);
CREATE TABLE artist (artist_id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO artist VALUES (1, 'The Larks'), (2, 'Mira Sol'), (3, 'Stone Quartet');
CREATE TABLE album (album_id INTEGER PRIMARY KEY, title TEXT, artist_id INTEGER REFERENCES artist(artist_id),
  released INTEGER);
INSERT INTO album VALUES (1, 'Morning', 1, 2001), (2, 'Evening', 1, 2004), (3, 'Noonday', 2, 2010),
  (4, 'Granite', 3, 1999);
CREATE TABLE track (track_id INTEGER PRIMARY KEY, title TEXT, album_id INTEGER REFERENCES album(album_id),
  price DECIMAL(8,2));
INSERT INTO track VALUES (1, 'Dawn', 1, 1.20), (2, 'Noon', 1, 0.99), (3, 'Dusk', 2, 1.50),
  (4, 'Sun', 3, 0.80),
  (5, 'Schist', 4, 2.10), (6, 'Basalt', 4, 1.75);
CREATE TABLE invoice (invoice_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(customer_id),
  placed DATE, status TEXT, total DECIMAL(10,2));
INSERT INTO invoice VALUES (1, 1, '2020-01-05', 'paid', 30.00), (2, 1, '2020-06-11', 'open', 12.50),
  (3, 2, '2020-02-20', 'paid', 99.90), (4, 3, '2021-03-03', 'open', 45.00),
  (5, 3, '2021-04-08', 'paid', 7.25),
  (6, 1, '2021-09-09', 'paid', 18.00);
CREATE TABLE playlist (playlist_id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO playlist VALUES (1, 'Walks'), (2, 'Runs');
CREATE TABLE playlist_track (playlist_id INTEGER REFERENCES playlist(playlist_id),
  track_id INTEGER REFERENCES track(track_id), PRIMARY KEY (playlist_id, track_id));
INSERT INTO playlist_track VALUES (1, 1), (1, 2), (2, 3), (2, 5), (2, 6);
"""

SHOP: Final = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, email TEXT, city TEXT);
INSERT INTO customers VALUES (1, 'Nora Lund', 'nora@x.example', 'Bergen'),
  (2, 'Omar Reyes', 'omar@x.example', 'Lima'),
  (3, 'Pia Koch', 'pia@x.example', 'Bonn'), (4, 'Nora Lund', 'nlund@x.example', 'Kiel');
CREATE TABLE suppliers (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
INSERT INTO suppliers VALUES (1, 'Forest Co', 'Finland'), (2, 'Iron Ltd', 'Poland');
CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price DECIMAL(8,2), weight DECIMAL(8,2),
  supplier_id INTEGER REFERENCES suppliers(id));
INSERT INTO products VALUES (1, 'Table', 120.00, 20.00, 1), (2, 'Chair', 45.50, 7.50, 1),
  (3, 'Lamp', 30.00, 9.00, 2),
  (4, 'Hook', 2.25, 0.10, 2);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), order_date DATE,
  status TEXT, total DECIMAL(10,2));
INSERT INTO orders VALUES (10, 1, '2022-01-15', 'shipped', 165.50), (11, 1, '2022-03-02', 'open', 30.00),
  (12, 2, '2022-03-20', 'open', 4.50), (13, 3, '2023-05-05', 'shipped', 240.00),
  (14, 3, '2023-06-06', 'cancelled', 45.50);
CREATE TABLE order_items (order_id INTEGER REFERENCES orders(id), product_id INTEGER REFERENCES products(id),
  quantity INTEGER, PRIMARY KEY (order_id, product_id));
INSERT INTO order_items VALUES (10, 1, 1), (10, 2, 1), (11, 3, 1), (12, 4, 2), (13, 1, 2), (14, 2, 1);
"""

CLINIC: Final = """
CREATE TABLE doctor (doctor_id INTEGER PRIMARY KEY, name TEXT, specialty TEXT, salary INTEGER);
INSERT INTO doctor VALUES (1, 'Dr Abel', 'Cardiology', 9000), (2, 'Dr Bohm', 'Dermatology', 7000),
  (3, 'Dr Cato', 'Cardiology', 8000);
CREATE TABLE patient (patient_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, born DATE,
  doctor_id INTEGER REFERENCES doctor(doctor_id));
INSERT INTO patient VALUES (1, 'Ida', 'Falk', '1980-02-02', 1), (2, 'Jon', 'Gray', '1975-07-07', 1),
  (3, 'Kim', 'Hahn', '1990-09-09', 2);
CREATE TABLE visit (visit_id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patient(patient_id),
  visit_date DATE, fee DECIMAL(8,2), reason TEXT);
INSERT INTO visit VALUES (1, 1, '2021-01-01', 50.00, 'checkup'), (2, 1, '2021-05-01', 80.00, 'pain'),
  (3, 2, '2021-06-01', 50.00, 'checkup'), (4, 3, '2022-02-02', 120.00, 'rash');
CREATE TABLE medicine (medicine_id INTEGER PRIMARY KEY, name TEXT, price DECIMAL(8,2));
INSERT INTO medicine VALUES (1, 'Alpha', 5.00), (2, 'Beta', 12.50);
CREATE TABLE prescription (patient_id INTEGER REFERENCES patient(patient_id),
  medicine_id INTEGER REFERENCES medicine(medicine_id), doses INTEGER, PRIMARY KEY (patient_id, medicine_id));
INSERT INTO prescription VALUES (1, 1, 10), (1, 2, 3), (3, 2, 7);
"""

WEATHER: Final = """
CREATE TABLE city (code TEXT PRIMARY KEY, name TEXT, people INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70)
INSERT INTO city SELECT printf('C%02d', i), 'City ' || i, i * 1000 FROM n;
CREATE TABLE reading (city_code TEXT REFERENCES city(code), day DATE, degrees DECIMAL(5,1),
  PRIMARY KEY (city_code, day));
INSERT INTO reading VALUES ('C01', '2024-01-01', 1.5), ('C01', '2024-01-02', 2.5), ('C02', '2024-01-01', 3.5);
CREATE TABLE note (city_code TEXT REFERENCES city(code), body TEXT);
INSERT INTO note VALUES ('C01', 'sunny'), ('C01', 'sunny'), ('C02', 'it''s "odd"; really');
"""

WORKSHOP: Final = """
CREATE TABLE firms (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
INSERT INTO firms VALUES (1, 'Adler & Co', 'Graz'), (2, 'Birk Ltd', 'Linz'), (3, 'Carow AG', 'Graz');
CREATE TABLE repairs (id INTEGER PRIMARY KEY, firm_id INTEGER REFERENCES firms(id), opened DATE,
  urgency TEXT, state TEXT, cost DECIMAL(8,2));
INSERT INTO repairs VALUES (1, 1, '2023-03-02', 'high', 'open', 120.00),
  (2, 1, '2023-03-11', 'low', 'done', 40.00),
  (3, 2, '2023-03-20', 'high', 'done', 75.00), (4, 3, '2023-04-05', 'high', 'open', 300.00),
  (5, 2, '2023-04-16', 'low', 'open', 60.00), (6, 3, '2023-04-28', 'low', 'done', 15.00);
"""

SCRIPTS: Final = {
    "music": MUSIC,
    "shop": SHOP,
    "clinic": CLINIC,
    "weather": WEATHER,
    "workshop": WORKSHOP,
}


def opened(name: str, folder: Path) -> Workspace:
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / f"{name}.sqlite"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript(SCRIPTS[name])
    return Workspace.open_database(database, folder / "workspace")
