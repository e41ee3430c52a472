"""A model beside packs and beside several databases."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.contracts.vocabulary import AnswerMode
from dragoman.planning.model.settings import OwnModel
from tests.planning.database.hire_shop import make
from tests.planning.model.ground import ScriptedModel

HOARD = "what goods does alfa hoard in march 2020"


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[tuple[Workspace, ScriptedModel]]:
    model = ScriptedModel()
    with Workspace.open(tmp_path, model=OwnModel(model)) as workspace:
        yield workspace, model


@pytest.mark.parametrize("name", ["1", "Alfa Trade", "alfa trade"])
def test_a_verb_of_a_pack_is_asked_about(demo: tuple[Workspace, ScriptedModel], name: str) -> None:
    """The second reader reads no verb of a pack, so a model's is never answered by itself."""
    workspace, model = demo
    model.script.append({"program": f'(inventory.stock :organization "{name}" :as-of 2020-03-31)'})
    session = workspace.new_session()
    asked = workspace.ask(session, HOARD)
    assert asked.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    assert asked.message == "Do you mean: Stock of Alfa Trade on 31 March 2020? Yes or no."
    answered = workspace.ask(session, "yes")
    assert answered.answer_mode is AnswerMode.CONFIRMED
    assert len(answered.rows) == 7


def test_a_name_that_fits_nothing_is_named_in_the_repair(demo: tuple[Workspace, ScriptedModel]) -> None:
    workspace, model = demo
    model.script.append({"program": '(inventory.stock :organization "Alva" :as-of 2020-03-31)'})
    refused = workspace.ask(workspace.new_session(), HOARD)
    assert refused.answer_mode is AnswerMode.UNSUPPORTED
    repair = model.requests[1].messages[-1]
    assert "'Alva' is no key of organization" in repair.text
    # The names of other entities are values of rows.
    assert "Alfa Trade" not in repair.text


def test_verbs_of_packs_are_told(demo: tuple[Workspace, ScriptedModel]) -> None:
    workspace, model = demo
    model.script.append({})
    workspace.ask(workspace.new_session(), HOARD)
    told = json.loads(model.requests[0].messages[1].text)
    assert any(
        each.startswith("inventory.stock (:organization entity organization") for each in told["verbs"]
    )
    assert not [each for each in told["verbs"] if " write " in each]


def test_of_several_databases_each_line_names_its_connection(tmp_path: Path) -> None:
    make(tmp_path / "north.sqlite")
    make(tmp_path / "south.sqlite")
    (tmp_path / "connections.yaml").write_text(
        "north: {family: sqlite, path: north.sqlite}\nsouth: {family: sqlite, path: south.sqlite}\n"
    )
    program = '(item.average :connection "@south" :of "daily_price" :where {:category {:name "Garden"}})'
    model = ScriptedModel({"program": program})
    with Workspace.open(tmp_path, model=OwnModel(model)) as workspace:
        session = workspace.new_session()
        asked = workspace.ask(session, "average rent of garden items in @south")
        assert asked.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
        told = json.loads(model.requests[0].messages[1].text)["tables"]
        assert told
        assert all(each.startswith("@south ") for each in told)
        assert workspace.ask(session, "yes").answer_mode is AnswerMode.CONFIRMED
