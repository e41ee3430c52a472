CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (customer_id),
  status TEXT, month TEXT, amount DECIMAL(10, 2)
);
INSERT INTO customer VALUES (1, 'Anna Berg', 'Oslo'), (2, 'Bo Lind', 'Oulu'), (3, 'Cy Marsh', 'Seoul');
INSERT INTO orders VALUES
  (1, 1, 'open', 'March', 10), (2, 1, 'paid', 'March', 20), (3, 2, 'open', 'April', 30),
  (4, 3, 'paid', 'April', 40), (5, 3, 'paid', 'May', 50);
