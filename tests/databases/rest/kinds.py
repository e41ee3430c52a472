"""One table with a column of each type, and names that want to be something else."""

KINDS = """
CREATE TYPE mood AS ENUM ('sad', 'it''s "fine", (really)');
CREATE TABLE kinds (
  id integer PRIMARY KEY, small smallint, large bigint, price numeric(12,2), free numeric,
  ratio double precision, thin real, flag boolean, day date, clock time, clock_zone timetz, made timestamp,
  seen timestamptz,
  span interval, doc json, docb jsonb, uid uuid, raw bytea, note text, word varchar(20), padded char(5),
  amount money, numbers integer[], texts text[], feeling mood, net inet, region int4range, bits bit(4));
INSERT INTO kinds VALUES (1, -32768, 9223372036854775807, 1.10, 12345678901234567890.1234567890, 0.1,
  0.1, true, '2020-02-29', '10:11:12.5', '10:11:12+02', '2020-03-31 10:00:00.000001',
  '2020-03-31 10:00:00+02',
  '1 day 02:03:04.5', '{"b": 1.10,  "a":[1, null]}', '{"b": 1.10, "a": [1, null]}',
  '6f2d4f3c-3a5e-4a52-9c0e-6d6c7d1c9f10', '\\x00ff10', 'naïve 표 "q" \\ , ( ) ; -- %', 'a', 'ab', '12.34',
  '{1,NULL,3}', '{"a,b",NULL,"NULL","\\"x\\""}', 'sad', '10.0.0.1', '[1,5)', B'0101');
INSERT INTO kinds VALUES (2, 0, 0, 0.00, 'NaN', 'Infinity', 'NaN', false, 'infinity', '24:00:00', NULL,
  '-infinity', '0044-03-15 12:00:00+00 BC', '-1 year -2 mons +3 days -04:05:06', 'null', '"x"', NULL, '', '',
  '', '', '-1000.00', '{}', '{}', 'it''s "fine", (really)', '::1', 'empty', B'1111');
INSERT INTO kinds (id, note, small) VALUES (3, NULL, 7), (4, 'a*b', 7), (5, 'a%b', 8), (6, 'aXb', 8),
  (7, 'line' || chr(10) || 'two*', 8), (8, 'A*B', NULL);
INSERT INTO kinds (id, span) VALUES (9, '-00:00:01'), (10, '2 mons 3 days'), (11, '00:00:00'),
  (12, '-1 days');
CREATE VIEW dear AS SELECT id, price, note FROM kinds WHERE price > 1;
CREATE SCHEMA other;
CREATE TABLE other."Odd, ""table"" (x)" ("c 1, (x)" integer, "and" text, "c.d:e" boolean, "ünï" text);
INSERT INTO other."Odd, ""table"" (x)" VALUES (1, 'x', true, 'ü'), (2, NULL, false, NULL);
CREATE VIEW documents AS SELECT doc FROM kinds;
"""
