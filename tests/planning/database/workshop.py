"""A database of our own whose names are cut short, with flags that words deny: the jobs of a workshop."""

from typing import Final

from tests.planning.database.hire_shop import HireShop

SCRIPT: Final = """
CREATE TABLE dim_smith (smith_key INTEGER PRIMARY KEY, frst_nm TEXT, last_nm TEXT, rgn_nm TEXT,
  hh_chldrn INTEGER,
  is_public INTEGER);
INSERT INTO dim_smith VALUES (1, 'Orla', 'Finch', 'Fens', 2, 1), (2, 'Bram', 'Pike', 'Downs', 0, 0),
  (3, 'Tove', 'Dahl', 'Fens', 1, 1);
CREATE TABLE job_states (id INTEGER PRIMARY KEY, name TEXT, is_closed INTEGER);
INSERT INTO job_states VALUES (1, 'New', 0), (2, 'Cooling', 0), (3, 'Finished', 1), (4, 'Dropped', 1);
CREATE TABLE jobs (id INTEGER PRIMARY KEY, subject TEXT, state_id INTEGER REFERENCES job_states(id),
  smith_key INTEGER REFERENCES dim_smith(smith_key), pay_mthd TEXT, finish TEXT);
INSERT INTO jobs VALUES (1, 'Mend the gate', 1, 1, 'cash', 'Satin'), (2, 'Cast a bell', 2, 1,
  'card', 'Mirror'),
  (3, 'Shoe a mare', 3, 2, 'cash', 'Satin'), (4, 'Forge a hinge', 4, 3, 'card', 'Satin');
CREATE TABLE fct_sales (line_no INTEGER PRIMARY KEY, ord_no TEXT,
  ord_date_key INTEGER REFERENCES dim_date(date_key),
  smith_key INTEGER REFERENCES dim_smith(smith_key), sales_amt DECIMAL(9,2));
CREATE TABLE dim_date (date_key INTEGER PRIMARY KEY, full_dt DATE);
INSERT INTO dim_date VALUES (20230105, '2023-01-05'), (20230212, '2023-02-12');
INSERT INTO fct_sales VALUES (1, 'A-1', 20230105, 1, 30), (2, 'A-1', 20230105, 1, 20), (3, 'A-2',
  20230105, 2, 5),
  (4, 'A-3', 20230212, 2, 12);
CREATE TABLE apprentices (id INTEGER PRIMARY KEY, name TEXT, last_sign_in_at DATE, created_at DATE);
INSERT INTO apprentices VALUES (1, 'Nils', '2023-03-01', '2022-01-05'), (2, 'Mona', NULL, '2022-02-06'),
  (3, 'Per', NULL, '2021-04-01');
CREATE TABLE carts (cart_id INTEGER PRIMARY KEY, town TEXT, state TEXT);
INSERT INTO carts VALUES (1, 'Brill', 'Departed'), (2, 'Brill', 'Loaded'), (3, 'Dorn', 'Departed');
CREATE TABLE tools (tool_id INTEGER PRIMARY KEY, tool_name TEXT, family TEXT, list_price INTEGER, colour TEXT,
  delivery TEXT, is_active INTEGER);
INSERT INTO tools VALUES (1, 'Wolf jaw', 'Tongs', 30, 'black', 'Delayed', 1),
  (2, 'Box jaw', 'Tongs', 45, 'red', 'Arrived', 0), (3, 'Cross peen', 'bigHammer', 20, 'black', 'Arrived', 1);
CREATE TABLE masters (code TEXT PRIMARY KEY, master_name TEXT, birth_year INTEGER,
  death_year INTEGER, trade TEXT,
  nationality TEXT);
INSERT INTO masters VALUES ('m1', 'Ivo Brandt', 1890, 1951, 'founder', 'Danish'),
  ('m2', 'Else Krag', 1931, NULL, 'cutler', 'Danish');
CREATE TABLE titles (title_id TEXT PRIMARY KEY, title TEXT, price DECIMAL(9,2),
  written_by TEXT REFERENCES masters(code));
INSERT INTO titles VALUES ('t1', 'On Bells', 12, 'm1'), ('t2', 'Edges', 30, 'm2');
"""


class Workshop(HireShop):
    """The workshop, opened as the product opens it."""

    script = SCRIPT
