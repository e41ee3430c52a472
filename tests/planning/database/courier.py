"""A database of moments: when parcels were booked, handed over, and lengths without a unit."""

from typing import Final

SCRIPT: Final = """
CREATE TABLE depot (depot_code TEXT PRIMARY KEY, name TEXT, capacity INTEGER);
INSERT INTO depot VALUES ('N', 'North Quay', 40), ('S', 'South Gate', 90);
CREATE TABLE parcel (parcel_id INTEGER PRIMARY KEY, depot_code TEXT REFERENCES depot(depot_code), kind TEXT,
  booked_at DATETIME, collected_at DATETIME, scheduled_handover DATETIME, actual_handover DATETIME);
INSERT INTO parcel VALUES
  (1, 'N', 'bag', '2022-03-01 08:00:00', '2022-03-01 10:00:00', '2022-03-01 18:00:00', '2022-03-01 18:30:00'),
  (2, 'N', 'bag', '2022-03-02 09:00:00', '2022-03-02 10:00:00', '2022-03-03 12:00:00', '2022-03-03 11:00:00'),
  (3, 'S', 'mug', '2022-03-02 09:30:00', '2022-03-02 15:30:00', '2022-03-04 09:00:00', '2022-03-04 13:00:00'),
  (4, 'S', 'mug', '2022-03-05 07:00:00', '2022-03-05 10:00:00', '2022-03-06 07:00:00', NULL);
CREATE TABLE errand (errand_id INTEGER PRIMARY KEY, rider TEXT, begun_at DATETIME, duration INTEGER);
INSERT INTO errand VALUES (1, 'Ada', '2022-03-01 08:00:00', 1200), (2, 'Ada', '2022-03-01 09:00:00', 4800),
  (3, 'Ben', '2022-03-02 08:00:00', 3000), (4, 'Ben', '2022-03-02 10:00:00', 9000);
CREATE TABLE climate (noted_on DATE PRIMARY KEY, tmax REAL, tmin REAL, snow REAL);
INSERT INTO climate VALUES ('2022-03-01', 9.5, 1.0, 0.0),
  ('2022-03-02', 4.0, -2.0, 3.5), ('2022-03-03', 12.0, 5.0, 0.4);
CREATE TABLE invoice (invoice_id INTEGER PRIMARY KEY, depot_code TEXT REFERENCES depot(depot_code),
  amount REAL, issued_on DATE, due_on DATE, is_card INTEGER);
INSERT INTO invoice VALUES (1, 'N', 40.0, '2022-03-20', '2022-04-03', 1),
  (2, 'N', 75.5, '2022-03-28', '2022-04-11', 0),
  (3, 'S', 20.0, '2022-04-02', '2022-05-01', 1);
CREATE TABLE payment (payment_id INTEGER PRIMARY KEY, invoice_id INTEGER REFERENCES invoice(invoice_id),
  amount REAL,
  created_at DATETIME, paid_on DATE);
INSERT INTO payment VALUES (1, 1, 40.0, '2022-03-31 09:00:00', '2022-04-01'),
  (2, 2, 30.0, '2022-04-11 10:00:00', '2022-04-10');
CREATE TABLE courier (courier_id INTEGER PRIMARY KEY, first_name TEXT, hire_date DATE);
INSERT INTO courier VALUES (1, 'Ada', '2019-02-01'), (2, 'Ben', '2020-07-15'), (3, 'Cem', '2021-11-30');
CREATE TABLE claim (claim_id INTEGER PRIMARY KEY, parcel_id INTEGER REFERENCES parcel(parcel_id),
  begin_day DATE, opened_at DATETIME, closed_at DATETIME, total_amount REAL, insured_amount REAL);
INSERT INTO claim VALUES
  (1, 1, '2022-03-10', '2022-03-09 12:00:00', '2022-03-12 12:00:00', 80.0, 20.0),
  (2, 3, '2022-03-20', '2022-03-15 06:00:00', '2022-03-16 06:00:00', 640.0, 500.0);
"""
