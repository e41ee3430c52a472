"""What a model is told of a database fits into a budget, and has what the message is about."""

from pathlib import Path
from typing import Final

import pytest

from benchmarks.large_schemas import ASKED, write_schema
from dragoman import Workspace
from dragoman.contracts.model_settings import ModelUse
from dragoman.models import estimated_tokens
from dragoman.planning.model.settings import OwnModel, PlannerSettings
from tests.planning.model.ground import ScriptedModel, Shop

BUDGET: Final = 1_500
NEEDED: Final = (
    ("customer",),
    ("article",),
    ("payment",),
    ("customer", "contract"),
    ("contract", "clerk"),
    ("supplier", "article"),
    ("clerk", "depot"),
    ("delivery",),
    ("complaint", "customer"),
    ("customer", "complaint"),
)
"""The tables that each question is about."""


def test_on_sixty_tables_the_slice_keeps_its_budget_and_has_what_is_asked(tmp_path: Path) -> None:
    branches = write_schema(tmp_path / "company.sqlite", 60)
    model = ScriptedModel({})
    settings = PlannerSettings(ModelUse.ALWAYS, catalog_tokens=BUDGET)
    own = OwnModel(model, settings)
    with Workspace.open_database(tmp_path / "company.sqlite", tmp_path / "work", model=own) as workspace:
        for place, (question, needed) in enumerate(zip(ASKED, NEEDED, strict=True)):
            branch = branches[place % len(branches)]
            workspace.ask(workspace.new_session(), question.format(branch))
            told = _told(model)
            assert sum(map(estimated_tokens, told)) <= BUDGET
            names = {line.split(" ")[0] for line in told}
            assert {f"{branch}_{each}" for each in needed} <= names, question


def _told(model: ScriptedModel) -> list[str]:
    import json

    data = json.loads(model.requests[-1].messages[1].text)
    assert data["tables_left_out"] + len(data["tables"]) == 60
    return [*data["tables"], *data["verbs"]]


@pytest.mark.parametrize("budget", [50, 120, 300])
def test_what_does_not_fit_is_left_out(tmp_path: Path, budget: int) -> None:
    asked = Shop(tmp_path, {})
    asked.workspace._model = OwnModel(asked.model, PlannerSettings(catalog_tokens=budget))
    asked.ask("average rent of garden items")
    tables = asked.data()["tables"]
    assert sum(map(estimated_tokens, tables)) <= budget
    assert len(tables) < 6
    asked.workspace.close()


def test_a_small_database_is_told_whole(tmp_path: Path) -> None:
    asked = Shop(tmp_path, {})
    asked.ask("average rent of garden items")
    data = asked.data()
    assert data["tables_left_out"] == 0
    (item,) = [each for each in data["tables"] if each.startswith("item ")]
    assert "category_id integer link category to category" in item
    assert "back: booking_line-by-item" in item
    asked.workspace.close()


def test_comments_are_told_where_there_is_room(tmp_path: Path) -> None:
    asked = Shop(tmp_path, {})
    asked.ask("average rent of garden items")
    assert all("\n" not in each for each in asked.data()["tables"])
    asked.workspace.close()


@pytest.mark.parametrize(
    ("message", "rules"),
    [
        ("average rent of garden items", "You turn one question"),
        ("средняя аренда садовых вещей", "Ты превращаешь один вопрос"),
        ("정원 물건의 평균 대여료", "너는 데이터베이스에 대한"),
        ("durchschnittliche Miete der Gartengeräte", "You turn one question"),
    ],
)
def test_the_rules_are_in_the_language_of_the_message(tmp_path: Path, message: str, rules: str) -> None:
    asked = Shop(tmp_path, {})
    asked.ask(message)
    assert asked.model.requests[0].messages[0].text.startswith(rules)
    asked.workspace.close()
