"""Rules about answers: what may not be asked, shown or said, and what must be said."""

from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.catalog.knowledge.answer_rules import WorkspaceRules, workspace_rules
from dragoman.contracts.errors import PolicyRulesInvalid
from dragoman.contracts.policy_rules import AnswerRules
from dragoman.contracts.roles import RequestType
from dragoman.contracts.vocabulary import TransitionClass
from tests.knowledge.places import asked, data_in

RULES = """version: 1
rules:
  - name: wages-stay-private
    because: Wages are personal data.
    topics: [wage, hourly rate]
    columns: [member.rate, "*.iban", "ledger.*"]
  - name: no-promises
    phrases: [guaranteed]
  - name: provisional
    types: [STATUS_METRIC]
    statements: [Figures are provisional.]
"""
METRIC, HOWTO = RequestType.STATUS_METRIC, RequestType.HOWTO_POLICY


def rules_in(folder: Path, text: str) -> WorkspaceRules:
    (folder / "policies").mkdir(exist_ok=True)
    (folder / "policies" / "answers.yaml").write_text(text, encoding="utf-8")
    found = workspace_rules(folder)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("query", "denied"),
    [
        ("what wages do we pay?", True),
        ("show the hourly rates of members", True),
        ("wie hoch ist der Lohn von Ann?", True),
        ("which rate is charged hourly?", False),
        ("how many members do we have?", False),
    ],
)
def test_a_topic_is_the_same_in_every_form_and_language(tmp_path: Path, query: str, denied: bool) -> None:
    rules: AnswerRules = rules_in(tmp_path, RULES)
    assert rules.denying(METRIC, query, "") == (("wages-stay-private",) if denied else ())
    assert rules.reasons(("wages-stay-private",)) == ("Wages are personal data.",)


def test_columns_are_named_with_or_without_their_table(tmp_path: Path) -> None:
    rules = rules_in(tmp_path, RULES)
    for shown in ("member.rate", "rate", "account.IBAN", "ledger.entry"):
        assert rules.showing(HOWTO, (shown,)) == ("wages-stay-private",), shown
    assert rules.showing(HOWTO, ("room.rate", "member.name", "entry")) == ()


def test_a_rule_holds_for_its_types_alone(tmp_path: Path) -> None:
    rules = rules_in(tmp_path, RULES)
    assert rules.required(METRIC) == ("Figures are provisional.",)
    assert rules.required(HOWTO) == ()
    assert rules.forbidden(HOWTO) == ("guaranteed",)


@pytest.mark.parametrize(
    "text",
    [
        "rules: [{name: x}]",
        "rules: [{name: x, topic: [wage]}]",
        "rules: [{name: x, types: [GOSSIP], topics: [wage]}]",
        "rules: [{name: x, topics: [a]}, {name: x, topics: [b]}]",
        "rules:\n  - name: [",
    ],
)
def test_a_rule_that_cannot_be_read_is_not_lost(tmp_path: Path, text: str) -> None:
    with pytest.raises(PolicyRulesInvalid) as refused:
        rules_in(tmp_path, text)
    assert refused.value.code == "policy_rules_invalid"
    assert refused.value.hint
    folder = data_in(tmp_path)
    with pytest.raises(PolicyRulesInvalid), Workspace.open(folder) as workspace:
        workspace.ask(workspace.new_session(), "how many pieces are there?")


def test_what_is_ruled_out_is_refused_on_the_road(tmp_path: Path) -> None:
    folder = data_in(tmp_path)
    (folder / "policies").mkdir()
    (folder / "policies" / "answers.yaml").write_text("rules: [{name: no-glaze-talk, topics: [glaze]}]\n")
    refused, other = asked(folder, "how many pieces per glaze?", "how many pieces are there?")
    assert refused.transition is TransitionClass.T10
    assert refused.reason_codes == ("policy_violation",)
    assert other.transition is TransitionClass.T1
