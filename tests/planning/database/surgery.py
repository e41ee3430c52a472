"""A database of our own with states, ends of several kinds, bosses and kinds of kinds: a vet's surgery."""

from typing import Final

from tests.planning.database.hire_shop import HireShop

SCRIPT: Final = """
CREATE TABLE vets (vet_id INTEGER PRIMARY KEY, full_name TEXT, supervisor_id INTEGER REFERENCES vets(vet_id),
  salary INTEGER, branch_id INTEGER REFERENCES branches(branch_id));
CREATE TABLE branches (branch_id INTEGER PRIMARY KEY, branch_name TEXT, is_active INTEGER);
INSERT INTO branches VALUES (1, 'Quay', 1), (2, 'Mill', 0);
INSERT INTO vets VALUES (1, 'Orla Finch', NULL, 60000, 1), (2, 'Bram Pike', 1, 40000, 1),
  (3, 'Tove Dahl', 1, 50000, 2);
CREATE TABLE remedy_kinds (kind_id INTEGER PRIMARY KEY, kind_name TEXT,
  parent_kind_id INTEGER REFERENCES remedy_kinds(kind_id));
INSERT INTO remedy_kinds VALUES (1, 'Medicines', NULL), (2, 'Drops', 1), (3, 'Collars', NULL);
CREATE TABLE remedies (remedy_id INTEGER PRIMARY KEY, remedy_name TEXT,
  kind_id INTEGER REFERENCES remedy_kinds(kind_id), sell_start_date DATE, sell_end_date DATE);
INSERT INTO remedies VALUES (1, 'Eye drops', 2, '2021-02-01', NULL),
  (2, 'Ear drops', 2, '2021-05-01', '2022-06-30'),
  (3, 'Cone', 3, '2022-03-01', NULL);
CREATE TABLE memberships (membership_id INTEGER PRIMARY KEY, vet_id INTEGER REFERENCES vets(vet_id),
  branch_id INTEGER REFERENCES branches(branch_id), status TEXT, started_on DATE, trial_ends_on DATE,
  cancelled_on DATE, referral_code TEXT);
INSERT INTO memberships VALUES (1, 1, 1, 'active', '2021-01-04', '2021-02-04', NULL, 'R1'),
  (2, 2, 2, 'active', '2022-01-04', NULL, NULL, NULL),
  (3, 3, 2, 'lapsed', '2020-01-04', NULL, '2021-07-01', 'R3'),
  (4, 3, 1, 'active', '2022-03-01', '2022-04-01', NULL, NULL);
CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, membership_id INTEGER REFERENCES memberships(membership_id),
  bill_date DATE, due_date DATE, state TEXT, total_amount DECIMAL(10,2), currency TEXT);
INSERT INTO bills VALUES (1, 1, '2022-01-10', '2022-02-10', 'paid', 100, 'EUR'),
  (2, 1, '2022-01-20', '2022-02-20',
  'open', 50, 'EUR'), (3, 2, '2022-02-05', '2022-03-05', 'open', 70, 'GBP');
CREATE TABLE visit_lines (line_id INTEGER PRIMARY KEY, bill_id INTEGER REFERENCES bills(bill_id),
  quantity INTEGER);
INSERT INTO visit_lines VALUES (1, 1, 5), (2, 1, 3), (3, 2, 4), (4, 3, 2);
"""


class Surgery(HireShop):
    """The surgery, opened as the product opens it."""

    script = SCRIPT
