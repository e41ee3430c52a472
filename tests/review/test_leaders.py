"""Whoever runs something is its head, where the database knows heads."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.review.conftest import Outfitter, opened

SCRIPT = """
create table wards (id integer primary key, name text not null, head_id integer references nurses (id));
create table nurses (id integer primary key, name text not null, ward_id integer references wards (id));
insert into wards values (1, 'Burns', 2), (2, 'Eyes', 3);
insert into nurses values (1, 'Ada Falk', 1), (2, 'Bo Lind', 1), (3, 'Cia Moe', 2);
"""
EVERYBODY = '(nurses.list :where {:ward {:name "Burns"}} :columns "name")'
COUNTED = '(nurses.count :where {:wards-by-head {:name "Burns"}})'
HEAD = '(wards.list :name "Burns" :columns "head/name")'


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outfitter]:
    with opened(Path(tmp_path_factory.mktemp("hospital")) / "hospital.sqlite", SCRIPT) as found:
        yield found


@pytest.mark.parametrize("message", ["who is in charge of Burns", "who is running Burns", "who heads Burns"])
def test_whoever_runs_something_is_not_everybody_in_it(hospital: Outfitter, message: str) -> None:
    assert "role_missing" in {each.code for each in hospital.review(message, EVERYBODY).objections}
    assert "role_missing" not in {each.code for each in hospital.review(message, HEAD).objections}


def test_whoever_works_somewhere_is_anybody_there(hospital: Outfitter) -> None:
    assert "role_missing" not in {
        each.code for each in hospital.review("who works in Burns", EVERYBODY).objections
    }


@pytest.mark.parametrize(
    ("message", "objects"), [("how many nurses does Burns have", True), ("how many nurses head Burns", False)]
)
def test_nobody_is_counted_as_a_head_unless_heads_are_spoken_of(
    hospital: Outfitter, message: str, objects: bool
) -> None:
    found = {each.code for each in hospital.review(message, COUNTED).objections}
    assert ("role_missing" in found) is objects
