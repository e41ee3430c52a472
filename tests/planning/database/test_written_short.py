"""Names and values that are written short: the data of archers, AssocCoach, out of stock, loans of bows."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.planning.database.planned_database import PlannedDatabase

SCRIPT: Final = """
CREATE TABLE archers_data (archer_id INTEGER PRIMARY KEY, archer_name TEXT, post TEXT);
INSERT INTO archers_data VALUES (1, 'Ada Rook', 'AsstCoach'), (2, 'Ivo Pell', 'AssocCoach'),
  (3, 'Una Gray', 'Coach'), (4, 'Ned Voss', 'AsstCoach');
CREATE TABLE bows (bow_id INTEGER PRIMARY KEY, bow_name TEXT, manage_stock BOOLEAN, stock_state TEXT);
INSERT INTO bows VALUES (1, 'Yew long', 1, 'outofstock'), (2, 'Ash short', 1, 'instock'),
  (3, 'Elm flat', 0, 'onbackorder'), (4, 'Oak flat', 1, 'instock'),
  (5, 'Yew long', 0, 'instock');
CREATE TABLE archer_bow_loans (loan_id INTEGER PRIMARY KEY,
  archer_id INTEGER REFERENCES archers_data(archer_id), bow_id INTEGER REFERENCES bows(bow_id), lent_on DATE);
INSERT INTO archer_bow_loans VALUES (1, 1, 1, '2023-05-01'), (2, 1, 2, '2023-06-01'), (3, 3, 2, '2023-06-02');
CREATE TABLE ratings (id INTEGER PRIMARY KEY, archer_id INTEGER REFERENCES archers_data(archer_id),
  bow_id INTEGER REFERENCES bows(bow_id), rating INTEGER);
INSERT INTO ratings VALUES (1, 1, 1, 5), (2, 1, 2, 3), (3, 2, 1, 4), (4, 3, 3, 2), (5, 4, 1, 5);
CREATE TABLE shires (shire_id INTEGER PRIMARY KEY, shire_name TEXT,
  seat INTEGER REFERENCES villages(village_id));
CREATE TABLE villages (village_id INTEGER PRIMARY KEY, village_name TEXT,
  shire_id INTEGER REFERENCES shires(shire_id));
CREATE TABLE shirecrafts (shire_id INTEGER REFERENCES shires(shire_id), craft TEXT, is_guild TEXT,
  PRIMARY KEY (shire_id, craft));
INSERT INTO shires VALUES (1, 'Norland', 1), (2, 'Southmark', 3);
INSERT INTO villages VALUES (1, 'Arden', 1), (2, 'Brill', 1), (3, 'Cray', 2);
INSERT INTO shirecrafts VALUES (1, 'Fletching', 'T'), (1, 'Weaving', 'F'), (2, 'Weaving', 'T');
"""


@pytest.fixture(scope="module")
def butts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlannedDatabase]:
    opened = PlannedDatabase(Path(tmp_path_factory.mktemp("butts")) / "butts.sqlite", SCRIPT)
    yield opened
    opened.reader.close()


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("names of the assistant coaches", '(archers_data.list :post "AsstCoach" :columns "archer_name")'),
        ("names of the associate coaches", '(archers_data.list :post "AssocCoach" :columns "archer_name")'),
        ("which bows are out of stock", '(bows.list :stock_state "outofstock"'),
        ("which bows are on back order", '(bows.list :stock_state "onbackorder"'),
        ("which archers do we have", '(archers_data.list :columns "archer_name")'),
        ("how many loans are there", "(archer_bow_loans.count)"),
        ("loans per bow", '(archer_bow_loans.count :by "bow_id"'),
        ("average rating", '(ratings.average :of "rating")'),
        ("what percentage of ratings are 5 stars", "(ratings.share :that {:rating 5})"),
        ("archers who rated more than 2 bows", "(ratings.count"),
        (
            "how many villages are in shires where weaving is a guild craft",
            '(villages.count :where {:shire {:shirecrafts-by-shire {:craft "Weaving" :is_guild "T"}}})',
        ),
    ],
)
def test_a_question_gives_its_program(butts: PlannedDatabase, question: str, program: str) -> None:
    assert butts.program(question).startswith(program)
