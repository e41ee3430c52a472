"""Whatever people say in whatever order: no turn ends in a defect, and talk moves nothing."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman import Workspace
from dragoman.contracts.errors import SessionCancelled
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass

DIALOGUES: Final = [
    json.loads(line)
    for file in sorted((Path(__file__).parent / "dialogues").glob("*.jsonl"))
    for line in file.read_text("utf-8").splitlines()
]
OPENINGS: Final = sorted(
    {turn["user"] for each in DIALOGUES for turn in each["turns"] if turn.get("expect_transition") == "T1"}
)
SHORT: Final = sorted(
    {turn["user"] for each in DIALOGUES for turn in each["turns"] if len(turn["user"].split()) <= 4}
)
MOVES_NOTHING: Final = (
    TransitionClass.T0,
    TransitionClass.T8,
    TransitionClass.T9,
    TransitionClass.T10,
    TransitionClass.X_HELP,
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with Workspace.open(tmp_path_factory.mktemp("random")) as workspace:
        yield workspace


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    opening=st.sampled_from(OPENINGS),
    rest=st.lists(st.sampled_from(SHORT + OPENINGS), min_size=2, max_size=8),
)
def test_any_order_of_messages(workspace: Workspace, opening: str, rest: list[str]) -> None:
    session = workspace.new_session()
    for message in (opening, *rest):
        before = workspace.state(session).frames
        try:
            result = workspace.ask(session, message)
        except SessionCancelled:
            break
        after = workspace.state(session).frames
        if result.transition in MOVES_NOTHING:
            moved = (after.root, after.selected_object, after.clarification)
            assert moved == (before.root, before.selected_object, before.clarification), message
        if result.transition is TransitionClass.T10:
            assert result.answer_mode is not AnswerMode.CONFIRMED
    workspace.replay(session)
