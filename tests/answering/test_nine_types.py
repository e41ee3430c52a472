"""The contracts of the roles on the real road: every type of request, over the pack of projects."""

from collections.abc import Iterator
from typing import Final

import msgspec
import pytest

from dragoman.contracts.roles import RequestType, ResponseFormat, Role, Track, Verdict
from dragoman.contracts.vocabulary import AnswerMode, EvidenceSource
from dragoman.guards.guardian.evidence_rules import is_control_check
from dragoman.guards.roles import validate_role_output
from dragoman.guards.roles.policy import request_policy
from tests.answering.role_models import RoleRoad, made, played_by

R: Final = RequestType
FACTS: Final = (AnswerMode.CONFIRMED, AnswerMode.LIMITED)

ASKED: Final = [
    (R.STATUS_METRIC, "what is the completion rate of Atlas 2 on 2024-01-31"),
    (R.STATUS_METRIC, "work in progress on 2024-03-20"),
    (R.STATUS_METRIC, "stories by status on 2024-03-20"),
    (R.STATUS_METRIC, "незавершённая работа на 20 марта 2024"),
    (R.STATUS_METRIC, "2024년 3월 20일 진행 중인 작업 수"),
    (R.STATUS_SUMMARY, "weekly summary for March 2024"),
    (R.STATUS_SUMMARY, "недельная сводка за март 2024"),
    (R.STATUS_SUMMARY, "2024년 3월 주간 요약"),
    (R.STATUS_LIST, "stories in progress on 20 March 2024"),
    (R.STATUS_LIST, "истории в работе на 20 марта 2024"),
    (R.STATUS_LIST, "2024년 3월 20일 진행 중인 스토리"),
    (R.HOWTO_POLICY, "how do I open a blocker?"),
    (R.HOWTO_POLICY, "who may close a risk?"),
    (R.HOWTO_POLICY, "кто может менять состав спринта?"),
    (R.HOWTO_POLICY, "블로커는 어떻게 등록하나요?"),
    (R.DESIGN_ARCH, "what is the architecture of the services?"),
    (R.DESIGN_ARCH, "какая архитектура у сервисов?"),
    (R.DESIGN_ARCH, "서비스 아키텍처는 어떻게 되어 있나요?"),
    (R.DATA_DEFINITION, "what does velocity mean?"),
    (R.DATA_DEFINITION, "что означает время цикла?"),
    (R.DATA_DEFINITION, "속도의 뜻은 무엇인가요?"),
    (R.DATA_DEFINITION, "Was bedeutet Velocity?"),
    (R.TROUBLESHOOTING, "what failed in March 2024"),
    (R.TROUBLESHOOTING, "причины сбоев за март 2024"),
    (R.TROUBLESHOOTING, "2024년 3월 장애 원인"),
    (R.KNOWLEDGE_QA, "who brings a cake on Fridays?"),
    (R.KNOWLEDGE_QA, "когда ежедневная встреча?"),
    (R.KNOWLEDGE_QA, "데일리 회의는 언제인가요?"),
    (R.CASUAL, "hello"),
    (R.CASUAL, "привет"),
    (R.CASUAL, "안녕하세요"),
    (R.CASUAL, "Hallo"),
]


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RoleRoad]:
    with played_by(made(tmp_path_factory.mktemp("nine") / "work"), None) as opened:
        yield opened


def _written(output: object) -> object:
    """A contract as it stands in JSON."""
    return msgspec.json.decode(msgspec.json.encode(output))


@pytest.mark.parametrize(("request_type", "message"), ASKED)
def test_the_contracts_flow(road: RoleRoad, request_type: RequestType, message: str) -> None:
    result, stages = road.ask("clear", message), road.stages
    policy = request_policy(request_type)
    plan, report = stages.analyst_plan, stages.guardian
    assert plan is not None
    assert report is not None
    assert (stages.user_query, stages.request_type, plan.request_type) == (
        message,
        request_type,
        request_type,
    )
    assert validate_role_output(Role.ANALYST, _written(plan)) == ()
    assert validate_role_output(Role.GUARDIAN, _written(report)) == ()
    assert (stages.track, report.verdict) == (policy.track, Verdict.PASS)
    assert stages.route_reason.startswith(f"track_policy:default(rt={request_type})")
    assert stages.final_answer == result.message
    if request_type is R.CASUAL:
        assert (result.answer_mode, stages.evidence, stages.architect_spec) == (AnswerMode.NONE, (), None)
        return
    assert result.answer_mode in FACTS
    sources = {each.source for each in stages.evidence}
    assert sources
    assert sources.isdisjoint(policy.forbidden)
    assert sources <= set(policy.priority)
    if stages.track is Track.QUALITY:
        assert stages.architect_spec is not None
        assert validate_role_output(Role.ARCHITECT, _written(stages.architect_spec)) == ()
    if plan.required_sources == (EvidenceSource.DB,):
        assert any(is_control_check(each) for each in stages.evidence)
        assert stages.architect_spec is not None
        assert stages.architect_spec.response_format is ResponseFormat.JSON
    elif len(stages.evidence) < 2 and stages.track is Track.QUALITY:
        # What one source says alone is told as such, after the budget was spent on looking for another.
        assert (result.answer_mode, stages.retry_count) == (AnswerMode.LIMITED, 2)
        assert result.reason_codes == ("single_source",)


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("weekly summary for March 2024", "stories done: 16"),
        ("недельная сводка за март 2024", "points done: 58"),
    ],
)
def test_a_summary_is_read_out(road: RoleRoad, message: str, told: str) -> None:
    assert told in road.ask("clear", message).message


@pytest.mark.parametrize(
    ("request_type", "message"),
    [
        (R.STATUS_SUMMARY, "weekly summary"),
        (R.STATUS_LIST, "open blockers"),
        (R.STATUS_METRIC, "velocity"),
    ],
)
def test_a_question_back_has_the_type_of_what_it_is_about(
    road: RoleRoad, request_type: RequestType, message: str
) -> None:
    result = road.ask("clear", message)
    assert road.stages.request_type is request_type
    assert result.answer_mode in (AnswerMode.CLARIFICATION_REQUIRED, *FACTS)
