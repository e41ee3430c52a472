"""The road of a draft: every row of the guardian's table is met in a turn, and the next try does otherwise
what its actions say."""

import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, get_type_hints

import msgspec
import pytest

from dragoman.answering.roles.contract import Architect, GenerateRequest, Writer
from dragoman.answering.roles.next_try import GENERATIONS, RETRIEVALS
from dragoman.answering.roles.outcome import finalize
from dragoman.answering.roles.retrieval import first_retrieval, retrieve
from dragoman.answering.roles.road import by_roles
from dragoman.answering.roles.turn_stages import Roles
from dragoman.contracts.answer_shapes import StatusV1Json
from dragoman.contracts.errors import InternalError
from dragoman.contracts.evidence import EvidenceRequest
from dragoman.contracts.program import Argument, Date, Program, Statement, Text
from dragoman.contracts.roles import (
    AnalystPlan,
    ArchitectSpec,
    GuardianAction,
    GuardianReport,
    RequestType,
    ResponseFormat,
    RiskLevel,
    Track,
    Verdict,
)
from dragoman.contracts.turn_result import ResultRows
from dragoman.contracts.vocabulary import AnswerMode, Signal, TransitionClass
from dragoman.guards.guardian import Passed
from dragoman.guards.guardian.markdown import read_markdown
from dragoman.planning.contract import CERTAIN, Asked, Candidate, Proposal
from tests.answering.role_stand_ins import (
    DB,
    GUIDE,
    QUESTION,
    RECOUNT,
    RULE,
    STATUS_TYPES,
    Denying,
    FixedAnalyst,
    FixedArchitect,
    Look,
    Road,
    S,
    ScriptedWriter,
    Source,
    item,
    road,
)

A: Final = GuardianAction
R: Final = RequestType
SAID: Final = "Stock of Alfa Trade on 31 March 2020: 7 rows."


@pytest.fixture
def on_road(tmp_path: Path) -> Iterator[Road]:
    with road(tmp_path) as opened:
        yield opened


# Every type of request goes the whole way.

GOOD: Final = {
    **dict.fromkeys(STATUS_TYPES, (DB, RECOUNT)),
    **dict.fromkeys((R.HOWTO_POLICY, R.DATA_DEFINITION, R.DESIGN_ARCH), (RULE, GUIDE)),
    R.TROUBLESHOOTING: (DB, item(S.GRAPH, "store#2")),
    R.KNOWLEDGE_QA: (GUIDE, item(S.GRAPH, "store#2")),
    R.CASUAL: (),
}


@pytest.mark.parametrize("request_type", RequestType)
def test_every_type_of_request_goes_the_whole_way(
    on_road: Road, monkeypatch: pytest.MonkeyPatch, request_type: RequestType
) -> None:
    Look(monkeypatch, GOOD[request_type])
    # A passage has the numbers that its answer has.
    told = tuple(msgspec.structs.replace(each, snippet=SAID) for each in GOOD[request_type])
    if request_type is R.KNOWLEDGE_QA:
        Look(monkeypatch, told)
    writer = (
        ScriptedWriter("Nothing worth a number was said here.")
        if request_type is R.CASUAL
        else ScriptedWriter()
    )
    result = on_road.ask(Roles(FixedAnalyst(request_type), writer=writer))
    stages = on_road.stages
    assert result.answer_mode is AnswerMode.CONFIRMED
    assert (stages.user_query, stages.request_type) == (QUESTION, request_type)
    assert stages.analyst_plan is not None
    assert stages.analyst_plan.request_type is request_type
    assert stages.track is stages.analyst_plan.track
    assert stages.route_reason == f"track_policy:default(rt={request_type}); plan={stages.track}"
    assert [each.ref for each in stages.evidence] == [each.ref for each in GOOD[request_type]]
    assert (stages.architect_spec is not None) is (stages.track is Track.QUALITY)
    assert stages.guardian is not None
    assert stages.guardian.verdict is Verdict.PASS
    assert stages.final_answer == result.message
    assert (stages.retry_count, stages.trace_id) == (
        0,
        on_road.workspace.state(on_road.session).turn.trace_id,
    )
    careful = {"specify"} if stages.track is Track.QUALITY else set()
    assert set(stages.timings_ms) == {"open", "read", "plan", "retrieve", "generate", "guard", *careful}
    replay = on_road.workspace.replay(on_road.session)
    assert replay.state.stages == stages


@pytest.mark.parametrize("request_type", STATUS_TYPES)
def test_a_status_is_drafted_in_its_shape(on_road: Road, request_type: RequestType) -> None:
    on_road.ask(Roles(FixedAnalyst(request_type)))
    shape = msgspec.json.decode(on_road.stages.draft_answer, type=StatusV1Json)
    assert shape.text == on_road.stages.final_answer == SAID
    assert (shape.route, shape.row_count) == ("inventory.stock", 7)
    assert shape.numbers[0].numbers == ("31", "2020", "7")
    assert shape.numbers[0].ref in shape.evidence


def test_what_documents_say_is_drafted_with_its_sources(
    on_road: Road, monkeypatch: pytest.MonkeyPatch
) -> None:
    Look(monkeypatch, (RULE, GUIDE))
    result = on_road.ask(Roles(FixedAnalyst(R.HOWTO_POLICY)))
    assert result.message == f"{SAID}\n\nSources:\n[1] {RULE.ref}\n[2] {GUIDE.ref}"
    assert [each.ref for each in read_markdown(on_road.stages.draft_answer).citations] == [
        RULE.ref,
        GUIDE.ref,
    ]


# What lacks evidence is looked for again.


def test_a_second_item_is_looked_for_beside_the_first(on_road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    Look(monkeypatch, (GUIDE,))
    policies = Source(S.POLICY, (), (RULE,))
    result = on_road.ask(Roles(FixedAnalyst(R.HOWTO_POLICY), providers=(policies,)))
    first, second = on_road.reports
    assert first.reasons == ("insufficient_evidence_count",)
    assert first.required_actions == (A.ADD_EVIDENCE, A.RETRIEVE_MORE)
    assert [(each.most, each.known) for each in policies.asked] == [(4, ()), (8, (GUIDE.ref,))]
    assert (second.verdict, on_road.stages.retry_count) == (Verdict.PASS, 1)
    assert [each.ref for each in result.evidence] == [GUIDE.ref, RULE.ref]


def test_another_source_is_asked_where_all_are_of_one(on_road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    other = item(S.DOC, "docs/other.md:1-2")
    Look(monkeypatch, (GUIDE, other))
    policies, documents = Source(S.POLICY, (), (RULE,)), Source(S.DOC, ())
    on_road.ask(Roles(FixedAnalyst(R.HOWTO_POLICY), providers=(policies, documents)))
    first, second = on_road.reports
    assert first.reasons == ("low_source_diversity",)
    assert first.required_actions == (A.DIVERSIFY_SOURCES, A.RETRIEVE_MORE)
    assert [(each.most, each.spread) for each in policies.asked] == [(4, False), (8, True)]
    # The documents were read by the program; only the second try asks them for more.
    assert [each.spread for each in documents.asked] == [True]
    assert second.verdict is Verdict.PASS


def test_documents_behind_a_status_are_dropped(on_road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    Look(monkeypatch, (DB, RECOUNT, GUIDE))
    result = on_road.ask(Roles(FixedAnalyst(R.STATUS_METRIC)))
    first, second = on_road.reports
    assert first.reasons == ("status_request_must_not_use_doc_as_primary",)
    assert first.required_actions == (A.REMOVE_DOC_EVIDENCE, A.USE_DB_ONLY)
    assert second.verdict is Verdict.PASS
    assert [each.ref for each in result.evidence] == [DB.ref, RECOUNT.ref]


@pytest.mark.parametrize("first_look", [(DB,), (RECOUNT,), ()])
def test_a_status_without_its_check_is_read_again(
    on_road: Road, monkeypatch: pytest.MonkeyPatch, first_look: tuple[object, ...]
) -> None:
    look = Look(monkeypatch, first_look, (DB, RECOUNT))  # type: ignore[arg-type]
    result = on_road.ask(Roles(FixedAnalyst(R.STATUS_METRIC)))
    first, second = on_road.reports
    assert first.reasons == ("status_request_requires_db",)
    assert first.required_actions == (A.USE_DB_ONLY, A.RETRIEVE_DB)
    assert (look.count, second.verdict, result.answer_mode) == (2, Verdict.PASS, AnswerMode.CONFIRMED)


def test_a_rule_needs_documents_or_policies(on_road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    Look(monkeypatch, (item(S.GRAPH, "store#1"), item(S.GRAPH, "store#2")))
    documents, policies = Source(S.DOC, ()), Source(S.POLICY, (RULE,))
    analyst = FixedAnalyst(R.DESIGN_ARCH, S.DOC)
    on_road.ask(Roles(analyst, providers=(documents,)))
    assert on_road.reports[0].reasons == ("design_policy_requires_doc_or_policy",)
    assert on_road.reports[0].required_actions == (A.RETRIEVE_DOC, A.RETRIEVE_POLICY)
    on_road.ask(Roles(analyst, providers=(policies,)))
    first, second = on_road.reports
    # The plan asks documents alone; policies are asked once the guardian says so.
    assert (len(policies.asked), second.verdict) == (1, Verdict.PASS)
    assert first.verdict is Verdict.RETRY


def test_trouble_is_looked_for_in_the_database_and_the_graph(
    on_road: Road, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = Look(monkeypatch, (GUIDE,), (DB,))
    graph = Source(S.GRAPH, (item(S.GRAPH, "store#2"),))
    on_road.ask(Roles(FixedAnalyst(R.TROUBLESHOOTING, S.DB), providers=(graph,)))
    first, second = on_road.reports
    assert first.reasons == ("troubleshooting_requires_db_or_graph",)
    assert first.required_actions == (A.RETRIEVE_DB, A.RETRIEVE_NEO4J)
    assert (look.count, len(graph.asked), second.verdict) == (2, 1, Verdict.PASS)


def test_weak_evidence_is_looked_for_with_the_words_that_matter(
    on_road: Road, monkeypatch: pytest.MonkeyPatch
) -> None:
    Look(monkeypatch, (item(S.DB, "log#1", 0.3),))
    graph = Source(S.GRAPH, (), (item(S.GRAPH, "store#2", 0.8),))
    on_road.ask(Roles(FixedAnalyst(R.TROUBLESHOOTING), providers=(graph,)))
    first, second = on_road.reports
    assert first.reasons == ("low_evidence_confidence",)
    assert first.required_actions == (A.RETRIEVE_MORE, A.REFINE_QUERY)
    asked: EvidenceRequest = graph.asked[1]
    assert (asked.most, asked.terms) == (8, ("stock", "alfa", "trade", "march", "2020"))
    assert (second.verdict, [each.ref for each in on_road.stages.evidence]) == (Verdict.PASS, ["store#2"])


def test_one_strong_item_in_the_end_is_a_limited_answer(
    on_road: Road, monkeypatch: pytest.MonkeyPatch
) -> None:
    Look(monkeypatch, (GUIDE,))
    result = on_road.ask(Roles(FixedAnalyst(R.HOWTO_POLICY)))
    assert [each.verdict for each in on_road.reports] == [Verdict.RETRY, Verdict.RETRY, Verdict.PASS]
    assert on_road.reports[-1].reasons == ("single_source",)
    assert (result.answer_mode, result.reason_codes) == (AnswerMode.LIMITED, ("single_source",))
    assert result.message.endswith("This answer is limited: only one source says so.")
    state = on_road.workspace.state(on_road.session)
    assert state.gate == state.answers.items[-1].gate
    assert on_road.workspace.replay(on_road.session).state == state


# What is written badly is written again.

STATUS: Final = FixedAnalyst(R.STATUS_METRIC)
PLAIN: Final = FixedAnalyst(R.TROUBLESHOOTING)
"""Not bound to a shape, so that a draft may be any text."""

WRITTEN_AGAIN: Final = [
    ("no_draft_answer", "", FixedArchitect(), (A.REGENERATE_DRAFT,), GenerateRequest(attempt=1)),
    (
        "missing_required_sections",
        "All is well with the stock.",
        FixedArchitect(sections=("Sources",)),
        (A.ADD_REQUIRED_SECTIONS, A.REGENERATE_DRAFT),
        GenerateRequest(attempt=1, sections=True),
    ),
    (
        "forbidden_content_detected",
        "The stock is probably fine.",
        FixedArchitect(forbidden=("probably",)),
        (A.REMOVE_FORBIDDEN_CONTENT, A.REGENERATE_DRAFT),
        GenerateRequest(attempt=1, without=("probably",)),
    ),
    (
        "domain_terms_not_used",
        "All is well with the goods.",
        FixedArchitect(terms=("inventory",)),
        (A.USE_DOMAIN_TERMS, A.REGENERATE_DRAFT),
        GenerateRequest(attempt=1, terms=("inventory",)),
    ),
    (
        "invalid_json_format",
        '{"text": "All is well"',
        FixedArchitect(ResponseFormat.JSON),
        (A.FIX_JSON_FORMAT, A.REGENERATE_DRAFT),
        GenerateRequest(attempt=1, as_json=True),
    ),
]


@pytest.mark.parametrize(("reason", "draft", "architect", "actions", "again"), WRITTEN_AGAIN)
def test_a_draft_is_written_again_as_its_fault_says(
    on_road: Road,
    reason: str,
    draft: str,
    architect: FixedArchitect,
    actions: tuple[GuardianAction, ...],
    again: GenerateRequest,
) -> None:
    writer = ScriptedWriter(draft)
    result = on_road.ask(Roles(PLAIN, architect, writer))
    first, second = on_road.reports
    assert (first.verdict, first.reasons, first.required_actions) == (Verdict.RETRY, (reason,), actions)
    assert writer.asked == [GenerateRequest(), again]
    # Nothing was read again for it.
    assert writer.found[0].items == writer.found[1].items
    assert (second.verdict, on_road.stages.retry_count) == (Verdict.PASS, 1)
    assert result.message != draft


def test_a_number_of_a_status_names_its_evidence(on_road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    Look(monkeypatch, (DB, RECOUNT))
    bare = msgspec.json.encode(StatusV1Json("There are 99 items.", "inventory.stock", "confirmed")).decode()  # type: ignore[arg-type]
    writer = ScriptedWriter(bare.replace('"route"', '"evidence":["shop#1"],"route"'))
    on_road.ask(Roles(STATUS, writer=writer))
    first, second = on_road.reports
    assert first.reasons == ("numbers_without_evidence_reference",)
    assert first.required_actions == (A.ADD_EVIDENCE_REFERENCES, A.REGENERATE_DRAFT)
    assert writer.asked[1] == GenerateRequest(attempt=1, references=True)
    assert (second.verdict, on_road.stages.final_answer) == (Verdict.PASS, f"{SAID} [1]")


def test_every_action_that_a_retry_has_changes_the_next_try() -> None:
    """None is named by the table without being wired to something."""
    ends = {A.ASK_MINIMAL_QUESTION, A.SAFE_REFUSAL}
    assert set(RETRIEVALS) | set(GENERATIONS) == set(GuardianAction) - ends
    assert not set(RETRIEVALS) & set(GENERATIONS)


# The ways out.


def test_what_a_policy_denies_is_refused_at_once(on_road: Road) -> None:
    shown: list[ResultRows] = []
    result = on_road.ask(Roles(rules=Denying()), on_result=shown.append)
    assert shown == []
    (report,) = on_road.reports
    assert (report.verdict, report.reasons, report.required_actions) == (
        Verdict.FAIL,
        ("policy_violation",),
        (),
    )
    assert report.risk_level is RiskLevel.HIGH
    assert (result.transition, result.answer_mode) == (TransitionClass.T10, AnswerMode.UNSUPPORTED)
    assert result.reason_codes == ("policy_violation",)
    assert "7 rows" not in on_road.stages.draft_answer
    assert on_road.workspace.state(on_road.session).answers.items[-1].rows == ()
    on_road.ask(Roles(), on_result=shown.append)
    assert [len(each.rows) for each in shown] == [7]


def test_a_policy_has_its_say_about_talk_of_answers_too(on_road: Road) -> None:
    on_road.ask(Roles())
    result = on_road.ask(Roles(rules=Denying()), "is that a lot?")
    assert (result.answer_mode, result.reason_codes) == (AnswerMode.UNSUPPORTED, ("policy_violation",))


def test_a_draft_that_never_gets_right_is_refused(on_road: Road) -> None:
    architect = FixedArchitect(forbidden=("probably",))
    result = on_road.ask(Roles(PLAIN, architect, ScriptedWriter(*["The stock is probably fine."] * 3)))
    assert [each.verdict for each in on_road.reports] == [Verdict.RETRY, Verdict.RETRY, Verdict.FAIL]
    assert on_road.reports[-1].required_actions == (A.SAFE_REFUSAL,)
    assert (result.transition, result.reason_codes) == (TransitionClass.T10, ("forbidden_content_detected",))
    assert on_road.stages.retry_count == 2
    assert "probably" not in on_road.stages.draft_answer + result.message
    # Frames and program are as the turn found them.
    assert on_road.workspace.state(on_road.session).frames.root is None


def test_without_evidence_and_without_another_reading_it_is_refused(
    on_road: Road, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = Look(monkeypatch, (DB,))
    result = on_road.ask(Roles(STATUS))
    assert on_road.reports[-1].required_actions == (A.ASK_MINIMAL_QUESTION,)
    assert (look.count, result.transition) == (3, TransitionClass.T10)
    assert result.reason_codes == ("status_request_requires_db",)
    assert [each.ref for each in on_road.stages.evidence] == [DB.ref]


def stock(day: dt.date) -> Program:
    arguments = (Argument("organization", Text("1"), "Alfa Trade"), Argument("as-of", Date(day)))
    return (Statement("inventory.stock", arguments, "inventory-stock"),)


class TwoReadings:
    """A planner that is certain of one reading, and has another."""

    name = "two"

    def propose(self, asked: Asked) -> Proposal:
        days = (dt.date(2020, 3, 31), dt.date(2020, 4, 30))
        candidates = tuple(Candidate(stock(day), (), 0.9) for day in days)
        return Proposal(self.name, (Signal.REQUEST, Signal.OPENS_ROOT), CERTAIN, candidates)


def test_without_evidence_the_other_reading_is_offered(
    on_road: Road, monkeypatch: pytest.MonkeyPatch
) -> None:
    Look(monkeypatch, (DB,))
    result = on_road.ask(Roles(STATUS), planners=(TwoReadings(),))
    assert on_road.reports[-1].required_actions == (A.ASK_MINIMAL_QUESTION,)
    assert (result.transition, result.answer_mode) == (TransitionClass.T1, AnswerMode.CLARIFICATION_REQUIRED)
    assert len(result.options) == 1
    assert "2020-04-30" in str(result.options[0])
    assert on_road.workspace.replay(on_road.session).state == on_road.workspace.state(on_road.session)


# The light look.

QUICK: Final = FixedAnalyst(R.KNOWLEDGE_QA)


@pytest.mark.parametrize(
    ("reason", "draft"),
    [
        ("draft_too_short", "Yes, it is."),
        ("number_without_evidence", "There are 99 of them in the hall."),
        ("definitive_without_evidence", "The hall is always locked at night."),
    ],
)
def test_what_a_light_look_does_not_like_gets_a_careful_one(
    on_road: Road, monkeypatch: pytest.MonkeyPatch, reason: str, draft: str
) -> None:
    Look(monkeypatch, (GUIDE,))
    graph = Source(S.GRAPH, (item(S.GRAPH, "store#2"),))
    writer = ScriptedWriter(draft)
    on_road.ask(Roles(FixedAnalyst(R.KNOWLEDGE_QA, S.DOC), writer=writer, providers=(graph,)))
    light, *careful = on_road.reports
    assert (light.verdict, light.reasons) == (Verdict.FAIL, (reason,))
    assert careful[-1].verdict is Verdict.PASS
    stages = on_road.stages
    assert stages.track is Track.QUALITY
    assert stages.architect_spec is not None
    assert stages.route_reason.endswith("plan=FAST; track_policy:upgraded")


def test_a_secret_in_a_sketch_goes_nowhere(on_road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    Look(monkeypatch, (GUIDE,))
    secret = "ghp_" + "a1B2" * 9
    result = on_road.ask(Roles(QUICK, writer=ScriptedWriter(f"The token of the hall is {secret} for now.")))
    (report,) = on_road.reports
    assert (report.verdict, report.reasons, report.risk_level) == (
        Verdict.FAIL,
        ("secret_in_draft",),
        RiskLevel.HIGH,
    )
    assert result.transition is TransitionClass.T10
    assert secret not in str(on_road.workspace.turn_events(on_road.session, 1))


# Plans.


def test_a_word_that_asks_for_care_puts_talk_on_the_careful_track(on_road: Road) -> None:
    on_road.ask(Roles(), "thanks for the db")
    stages = on_road.stages
    assert (stages.request_type, stages.track) == (R.CASUAL, Track.QUALITY)
    assert stages.route_reason == "track_policy:force_quality_by_hint(rt=CASUAL); plan=FAST"


def test_a_plan_that_breaks_its_contract_opens_nothing(on_road: Road) -> None:
    result = on_road.ask(Roles(FixedAnalyst(R.STATUS_METRIC, S.DB, S.DOC)))
    assert result.answer_mode is AnswerMode.CONFIRMED
    stages = on_road.stages
    assert stages.analyst_plan is not None
    assert stages.analyst_plan.required_sources == (S.DB,)
    assert stages.route_reason.endswith("analyst_refused:forbidden_source")


# Entry tickets.


def _takes(function: Callable[..., object], parameter: str) -> object:
    return get_type_hints(function)[parameter]


def test_each_stage_takes_the_ticket_of_the_one_before() -> None:
    """What a type checker holds every caller to: a plan opens Retrieve, a specification Generate, a PASS
    Finalize."""
    assert _takes(retrieve, "plan") is AnalystPlan
    assert _takes(first_retrieval, "plan") is AnalystPlan
    assert _takes(by_roles, "plan") is AnalystPlan
    assert _takes(Writer.write, "spec") is ArchitectSpec
    assert _takes(Writer.sketch, "plan") is AnalystPlan
    assert _takes(Architect.specify, "plan") is AnalystPlan
    assert _takes(finalize, "passed") is Passed
    tickets = (AnalystPlan, ArchitectSpec, Passed)
    # None of them stands in for another.
    assert not any(issubclass(one, other) for one in tickets for other in tickets if one is not other)


@pytest.mark.parametrize("verdict", Verdict)
def test_only_the_guardian_makes_the_last_ticket(verdict: Verdict) -> None:
    with pytest.raises(InternalError):
        Passed("a draft", GuardianReport(verdict, (), (), RiskLevel.LOW), object())
