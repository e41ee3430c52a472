"""A database of our own where money stands twice: a nursery, what it sells and is paid,
who works there when."""

from typing import Final

from tests.planning.database.hire_shop import HireShop

SCRIPT: Final = """
CREATE TABLE plant_groups (group_name TEXT PRIMARY KEY, note TEXT);
INSERT INTO plant_groups VALUES ('Ferns', 'shade'), ('Roses', 'sun'), ('Mosses', 'damp');
CREATE TABLE plants (plant_id INTEGER PRIMARY KEY, plant_name TEXT,
  plant_group TEXT REFERENCES plant_groups(group_name), pot_price DECIMAL(8,2), hardiness TEXT,
  in_stock INTEGER);
INSERT INTO plants VALUES (1, 'Lady fern', 'Ferns', 9.50, 'A', 40), (2, 'Royal fern', 'Ferns', 14.00,
  'B', 12),
  (3, 'Dog rose', 'Roses', 11.00, 'A', 25), (4, 'Moss rose', 'Roses', 16.50, 'B', 7);
CREATE TABLE gardeners (gardener_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, sex TEXT,
  hired_on DATE);
INSERT INTO gardeners VALUES (1, 'Edda', 'Falk', 'F', '2015-03-02'), (2, 'Jory', 'Penn', 'M', '2015-08-17'),
  (3, 'Sela', 'Voss', 'F', '2018-05-21'), (4, 'Tam', 'Orr', 'M', '2019-01-14');
CREATE TABLE posts (gardener_id INTEGER REFERENCES gardeners(gardener_id), post_title TEXT,
  from_date DATE, to_date DATE,
  PRIMARY KEY (gardener_id, post_title, from_date));
INSERT INTO posts VALUES (1, 'Care Rep', '2015-03-02', '2019-12-31'), (1, 'Head Grower', '2020-01-01',
  '9999-01-01'),
  (2, 'Care Rep', '2015-08-17', '9999-01-01'), (3, 'Grower', '2018-05-21', '2021-06-30'),
  (3, 'Care Rep', '2021-07-01', '9999-01-01'), (4, 'Grower', '2019-01-14', '2020-12-31'),
  (4, 'Care Rep', '2021-01-01', '2021-12-31'), (4, 'Grower', '2022-01-01', '9999-01-01');
CREATE TABLE wages (gardener_id INTEGER REFERENCES gardeners(gardener_id), wage INTEGER, from_date DATE,
  to_date DATE,
  PRIMARY KEY (gardener_id, from_date));
INSERT INTO wages VALUES (1, 24000, '2015-03-02', '2019-12-31'), (1, 33000, '2020-01-01', '9999-01-01'),
  (2, 26000, '2015-08-17', '9999-01-01'), (3, 21000, '2018-05-21', '2021-06-30'),
  (3, 27000, '2021-07-01', '9999-01-01'), (4, 22000, '2019-01-14', '9999-01-01');
CREATE TABLE plots (plot_no INTEGER PRIMARY KEY, plot_name TEXT);
INSERT INTO plots VALUES (1, 'North'), (2, 'Orchard'), (3, 'Glasshouse');
CREATE TABLE plot_tender (gardener_id INTEGER REFERENCES gardeners(gardener_id),
  plot_no INTEGER REFERENCES plots(plot_no),
  from_date DATE, to_date DATE, PRIMARY KEY (gardener_id, plot_no));
INSERT INTO plot_tender VALUES (1, 1, '2016-01-01', '2019-12-31'), (2, 1, '2020-01-01', '9999-01-01'),
  (3, 2, '2019-01-01', '9999-01-01'), (4, 3, '2019-02-01', '9999-01-01');
CREATE TABLE buyers (buyer_id INTEGER PRIMARY KEY, buyer_name TEXT, town TEXT, contact_first_name TEXT,
  contact_last_name TEXT, rating INTEGER);
INSERT INTO buyers VALUES (1, 'Hollins Ltd', 'Kendal', 'Ada', 'Moor', 70), (2, 'Brae Gardens', 'Oban',
  'Rhys', 'Tait', 40),
  (3, 'Lowther Estate', 'Kendal', 'Ivy', 'Stone', 55);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers(buyer_id),
  order_date DATE,
  shipped_date DATE, status TEXT);
INSERT INTO orders VALUES (1, 1, '2022-03-04', '2022-03-09', 'Shipped'), (2, 2, '2022-05-11',
  '2022-05-15', 'Shipped'),
  (3, 1, '2023-02-20', NULL, 'On Hold'), (4, 3, '2023-04-02', '2023-04-06', 'Shipped');
CREATE TABLE order_items (order_id INTEGER REFERENCES orders(order_id),
  plant_id INTEGER REFERENCES plants(plant_id),
  quantity INTEGER, price_each DECIMAL(8,2), PRIMARY KEY (order_id, plant_id));
INSERT INTO order_items VALUES (1, 1, 10, 9.00), (1, 3, 4, 11.00), (2, 1, 20, 8.50), (2, 2, 5, 14.00),
  (3, 4, 6, 16.00),
  (4, 2, 8, 13.50), (4, 3, 2, 11.00);
CREATE TABLE payments (slip_number TEXT PRIMARY KEY, buyer_id INTEGER REFERENCES buyers(buyer_id),
  payment_date DATE,
  amount DECIMAL(10,2));
INSERT INTO payments VALUES ('S1', 1, '2022-04-01', 134.00), ('S2', 2, '2022-06-02', 200.00), ('S3', 2,
  '2022-09-30', 40.00),
  ('S4', 3, '2023-05-05', 100.00);
"""


class Nursery(HireShop):
    """The nursery, opened as the product opens it."""

    script = SCRIPT
