"""The guardian alone: each fault at its place in the order, budgets, risks, and what is no fault."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dragoman.contracts.answer import EvidenceItem
from dragoman.contracts.errors import InternalError
from dragoman.contracts.roles import (
    ArchitectSpec,
    EvidenceSource,
    GuardianAction,
    GuardianReport,
    OutputSchemaId,
    RequestType,
    ResponseFormat,
    RiskLevel,
    Track,
    Verdict,
)
from dragoman.contracts.stages import BUDGETS
from dragoman.contracts.vocabulary import CoverageStatus
from dragoman.guards.guardian import DraftForm, GuardianCase, Passed, Reason, guardian_rules, judge
from dragoman.guards.guardian.numbers import numbers_in, numbers_without_reference
from dragoman.guards.roles import validate_role_output
from dragoman.locales.request_words import is_definitive
from tests.called import called

A: Final = GuardianAction
R: Final = RequestType
S: Final = EvidenceSource


def item(source: EvidenceSource, ref: str, confidence: float = 0.9, snippet: str = "words") -> EvidenceItem:
    return EvidenceItem(source, ref, snippet, confidence)


DB: Final = item(S.DB, "shop#1", snippet="SELECT count(*) FROM orders")
RECOUNT: Final = item(S.DB, "shop#1/recount", 1.0, "recounted 1 row")
DOC: Final = item(S.DOC, "guide.md:1-2")
POLICY: Final = item(S.POLICY, "policy.md:1-2")

STATUS: Final = GuardianCase(
    R.STATUS_METRIC, Track.QUALITY, 0, (DB, RECOUNT), "There are 12 orders [shop#1]."
)
HOWTO: Final = GuardianCase(R.HOWTO_POLICY, Track.QUALITY, 0, (DOC, POLICY), "Close it with the button.")
CHAT: Final = GuardianCase(R.CASUAL, Track.FAST, 0, (), "Good morning, and how are you today?")


def report_on(case: GuardianCase, definitive: Callable[[str], bool] = is_definitive) -> GuardianReport:
    judged = judge(case, definitive)
    return judged.report if isinstance(judged, Passed) else judged


@pytest.mark.parametrize("case", [STATUS, HOWTO, CHAT])
def test_what_lacks_nothing_passes(case: GuardianCase) -> None:
    assert report_on(case) == GuardianReport(Verdict.PASS, (), (), RiskLevel.LOW)


SPEC: Final = ArchitectSpec(ResponseFormat.MARKDOWN, (), (), ())

TABLE: Final[Mapping[str, tuple[GuardianCase, tuple[GuardianAction, ...], RiskLevel]]] = {
    "insufficient_evidence_count": (
        replace(HOWTO, evidence=(POLICY,)),
        (A.ADD_EVIDENCE, A.RETRIEVE_MORE),
        RiskLevel.MED,
    ),
    "low_source_diversity": (
        replace(HOWTO, evidence=(DOC, item(S.DOC, "other.md:1"))),
        (A.DIVERSIFY_SOURCES, A.RETRIEVE_MORE),
        RiskLevel.MED,
    ),
    "status_request_must_not_use_doc_as_primary": (
        replace(STATUS, evidence=(DOC,)),
        (A.REMOVE_DOC_EVIDENCE, A.USE_DB_ONLY),
        RiskLevel.MED,
    ),
    "status_request_requires_db": (
        replace(STATUS, evidence=(DB,)),
        (A.USE_DB_ONLY, A.RETRIEVE_DB),
        RiskLevel.MED,
    ),
    "design_policy_requires_doc_or_policy": (
        replace(HOWTO, evidence=(DB, item(S.GRAPH, "store#1"))),
        (A.RETRIEVE_DOC, A.RETRIEVE_POLICY),
        RiskLevel.MED,
    ),
    "troubleshooting_requires_db_or_graph": (
        replace(HOWTO, request_type=R.TROUBLESHOOTING),
        (A.RETRIEVE_DB, A.RETRIEVE_NEO4J),
        RiskLevel.MED,
    ),
    "low_evidence_confidence": (
        replace(HOWTO, evidence=(replace(DOC, confidence=0.5), replace(POLICY, confidence=0.69))),
        (A.RETRIEVE_MORE, A.REFINE_QUERY),
        RiskLevel.MED,
    ),
    "no_draft_answer": (replace(HOWTO, draft=" \n"), (A.REGENERATE_DRAFT,), RiskLevel.MED),
    "missing_required_sections": (
        replace(HOWTO, spec=replace(SPEC, required_sections=("Steps",))),
        (A.ADD_REQUIRED_SECTIONS, A.REGENERATE_DRAFT),
        RiskLevel.MED,
    ),
    "forbidden_content_detected": (
        replace(HOWTO, spec=replace(SPEC, forbidden_content=("the BUTTON",))),
        (A.REMOVE_FORBIDDEN_CONTENT, A.REGENERATE_DRAFT),
        RiskLevel.HIGH,
    ),
    "domain_terms_not_used": (
        replace(HOWTO, spec=replace(SPEC, domain_terms=("story", "sprint"))),
        (A.USE_DOMAIN_TERMS, A.REGENERATE_DRAFT),
        RiskLevel.MED,
    ),
    "numbers_without_evidence_reference": (
        replace(STATUS, draft="There are 12 orders."),
        (A.ADD_EVIDENCE_REFERENCES, A.REGENERATE_DRAFT),
        RiskLevel.MED,
    ),
    "invalid_json_format": (
        replace(HOWTO, draft='{"a": 1', spec=replace(SPEC, response_format=ResponseFormat.JSON)),
        (A.FIX_JSON_FORMAT, A.REGENERATE_DRAFT),
        RiskLevel.MED,
    ),
}
EVIDENCE: Final = list(TABLE)[:7]


@pytest.mark.parametrize("reason", TABLE)
def test_each_row_of_the_table(reason: str) -> None:
    case, actions, risk = TABLE[reason]
    # Where both sources of a type are configured, one of them is not enough; otherwise it is.
    configured = (S.DOC,) if reason == "design_policy_requires_doc_or_policy" else None
    report = report_on(replace(case, configured=configured))
    assert report == GuardianReport(Verdict.RETRY, (reason,), actions, risk)
    out = {
        "verdict": str(report.verdict),
        "reasons": list(report.reasons),
        "required_actions": [str(each) for each in report.required_actions],
        "risk_level": str(report.risk_level),
    }
    assert validate_role_output("GUARDIAN", out) == ()


@pytest.mark.parametrize("reason", TABLE)
def test_at_the_end_of_the_budget_there_is_a_way_out(reason: str) -> None:
    case, _, risk = TABLE[reason]
    configured = (S.DOC,) if reason == "design_policy_requires_doc_or_policy" else None
    weak = tuple(replace(each, confidence=0.59) for each in case.evidence)
    evidence = weak if reason in EVIDENCE else case.evidence
    report = report_on(replace(case, configured=configured, retry_count=2, evidence=evidence))
    way_out = A.ASK_MINIMAL_QUESTION if reason in EVIDENCE else A.SAFE_REFUSAL
    assert report == GuardianReport(Verdict.FAIL, (reason,), (way_out,), risk)


def test_the_first_failing_rule_of_evidence_is_the_only_one() -> None:
    report = report_on(replace(HOWTO, evidence=(), draft=""))
    assert report.reasons == ("insufficient_evidence_count",)


def test_everything_that_is_wrong_with_a_draft_is_told_at_once() -> None:
    spec = ArchitectSpec(ResponseFormat.MARKDOWN, ("story",), ("button",), ("Steps",))
    report = report_on(replace(HOWTO, spec=spec))
    assert report.reasons == (
        "missing_required_sections",
        "forbidden_content_detected",
        "domain_terms_not_used",
    )
    assert report.required_actions == (
        A.ADD_REQUIRED_SECTIONS,
        A.REMOVE_FORBIDDEN_CONTENT,
        A.USE_DOMAIN_TERMS,
        A.REGENERATE_DRAFT,
    )
    assert report.risk_level is RiskLevel.HIGH


def test_a_denial_comes_before_everything() -> None:
    report = report_on(replace(HOWTO, evidence=(), denied=("rule",)))
    assert report == GuardianReport(Verdict.FAIL, ("policy_violation",), (), RiskLevel.HIGH)


def test_a_secret_that_somebody_wrote_is_a_violation_and_a_value_of_the_database_is_none() -> None:
    leaking = replace(HOWTO, draft="Use ghp_" + "a1B2" * 9 + " for it.")
    assert report_on(leaking).reasons == ("policy_violation", "secret_in_draft")
    assert report_on(leaking).risk_level is RiskLevel.HIGH
    assert report_on(replace(leaking, form=DraftForm.COMPUTED)).verdict is Verdict.PASS


# What the gate has said is read.


def test_what_a_blocked_gate_covers_is_no_evidence() -> None:
    report = report_on(replace(STATUS, coverage=CoverageStatus.BLOCKED))
    assert report.reasons == ("status_request_requires_db",)


def test_a_check_that_failed_is_the_gates_to_tell() -> None:
    """The answer is limited already; reading everything twice more would not change it."""
    failed = replace(STATUS, evidence=(replace(DB, confidence=1.0), replace(RECOUNT, confidence=0.0)))
    assert report_on(replace(failed, coverage=CoverageStatus.PARTIAL)).verdict is Verdict.PASS
    assert report_on(replace(failed, coverage=CoverageStatus.FULL)).reasons == ("low_evidence_confidence",)


def test_one_strong_item_passes_in_the_end_and_says_so() -> None:
    last = replace(HOWTO, evidence=(POLICY,), retry_count=2)
    assert report_on(last) == GuardianReport(Verdict.PASS, ("single_source",), (), RiskLevel.LOW)
    weak = replace(POLICY, confidence=0.59)
    assert report_on(replace(last, evidence=(weak,))).verdict is Verdict.FAIL
    strong = replace(POLICY, confidence=0.6)
    assert report_on(replace(last, evidence=(strong,))).verdict is Verdict.PASS


def test_two_passages_are_two_items_where_one_source_is_all_there_is() -> None:
    case = replace(HOWTO, evidence=(DOC, item(S.DOC, "other.md:1")), configured=(S.DB, S.DOC))
    assert report_on(case).verdict is Verdict.PASS


def test_chat_rests_on_nothing_on_the_careful_track_either() -> None:
    assert report_on(replace(CHAT, track=Track.QUALITY)).verdict is Verdict.PASS


# The light look.

LIGHT: Final = [
    ("draft_too_short", "Nineteen characters", A.SAFE_REFUSAL),
    ("number_without_evidence", "It takes about 45 minutes.", A.ASK_MINIMAL_QUESTION),
    ("definitive_without_evidence", "That is certainly how it works.", A.ASK_MINIMAL_QUESTION),
    ("definitive_without_evidence", "Das ist auf jeden Fall so gemeint.", A.ASK_MINIMAL_QUESTION),
    ("definitive_without_evidence", "Это всегда работает именно так.", A.ASK_MINIMAL_QUESTION),
    ("definitive_without_evidence", "그것은 항상 그렇게 작동하는 것입니다.", A.ASK_MINIMAL_QUESTION),
]


@pytest.mark.parametrize(("reason", "draft", "way_out"), LIGHT)
def test_the_light_look_fails_at_once(reason: str, draft: str, way_out: GuardianAction) -> None:
    case = replace(CHAT, request_type=R.KNOWLEDGE_QA, draft=draft)
    assert report_on(case) == GuardianReport(Verdict.FAIL, (reason,), (way_out,), RiskLevel.MED)


@pytest.mark.parametrize(
    ("draft", "evidence"),
    [
        ("Exactly twenty chars", ()),
        ("It takes about 45 minutes.", (item(S.DOC, "a.md:1", snippet="45 minutes"),)),
        ("It takes about 45 minutes [1].", (DOC,)),
        ("That is certainly how it works.", (DOC, POLICY)),
        ("The definitions are in the appendix.", ()),
    ],
)
def test_the_light_look_lets_pass(draft: str, evidence: tuple[EvidenceItem, ...]) -> None:
    case = replace(CHAT, request_type=R.KNOWLEDGE_QA, draft=draft, evidence=evidence)
    assert report_on(case).verdict is Verdict.PASS


def test_a_secret_in_a_sketch_is_high_risk() -> None:
    report = report_on(replace(CHAT, draft="The token is ghp_" + "a1B2" * 9 + " today."))
    assert report == GuardianReport(Verdict.FAIL, ("secret_in_draft",), (), RiskLevel.HIGH)


# Details of the checks.


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("12 orders [1].", ()),
        ("12 orders. [1]", ()),
        ("12 orders [shop#1]. 7 are late.", ("7",)),
        ("12 orders [db].", ()),
        ("12 orders [db:shop#1].", ()),
        ("12 orders [9].", ("12", "9")),
        ("12 orders as shop#1 says.", ()),
        ("1,200 rows", ()),
        ("1. First\n2. Second", ()),
        ("Q3 and user_2 are names", ()),
        ("Sales of 2020-03-31: 5.5 %", ("2020-03-31", "5.5")),
        ("No number at all.", ()),
    ],
)
def test_a_number_has_a_reference_in_its_sentence_or_in_an_item(text: str, bare: tuple[str, ...]) -> None:
    evidence = (DB, item(S.DB, "x", snippet="1200 rows"))
    assert numbers_without_reference(text, evidence) == bare


def test_numbers_are_found_as_they_are_written() -> None:
    assert numbers_in("From 1 to 1,200.50 in 2020, Q3, ½ and 12:30") == ("1", "1,200.50", "2020", "12:30")


@pytest.mark.parametrize(
    "draft", ["## Steps\nGo.", "**Steps**\nGo.", "Steps: go.", "# The steps of it\nGo.", '{"steps": []}']
)
def test_a_section_is_a_heading_or_a_key(draft: str) -> None:
    case = replace(HOWTO, draft=draft, spec=replace(SPEC, required_sections=("Steps",)))
    assert report_on(case).verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("phrase", "draft", "there"),
    [
        ("art", "The start of it.", False),
        ("art", "A work of ART.", True),
        ("in all likelihood", "In  all\nlikelihood.", True),
        ("아마", "아마도 그렇습니다.", True),
        ("ｆｏｏ", "foo bar", True),
        ("может", "Помо́жет.", False),
    ],
)
def test_a_forbidden_phrase_stands_as_whole_words(phrase: str, draft: str, there: bool) -> None:
    case = replace(HOWTO, draft=draft, spec=replace(SPEC, forbidden_content=(phrase,)))
    assert (report_on(case).verdict is Verdict.RETRY) is there


def test_hybrid_needs_an_object_in_a_fence() -> None:
    case = replace(HOWTO, spec=replace(SPEC, response_format=ResponseFormat.HYBRID))
    assert report_on(replace(case, draft='So:\n```json\n{"a": 1}\n```')).verdict is Verdict.PASS
    assert report_on(replace(case, draft='So:\n```json\n{"a": }\n```')).reasons == ("invalid_json_format",)
    assert report_on(replace(case, draft="So.")).reasons == ("invalid_json_format",)


def test_a_promised_shape_is_more_than_an_object() -> None:
    case = replace(STATUS, shape=OutputSchemaId.STATUS_V1_JSON, draft='{"text": "All."}')
    assert report_on(case).reasons == ("invalid_json_format",)
    whole = '{"text": "12.", "route": "orders.count", "truth_mode": "confirmed", "evidence": ["shop#1"]}'
    assert report_on(replace(case, draft=whole)).reasons == ("numbers_without_evidence_reference",)
    named = whole.replace('"evidence"', '"numbers": [{"numbers": ["12"], "ref": "shop#1"}], "evidence"')
    assert report_on(replace(case, draft=named)).verdict is Verdict.PASS
    foreign = named.replace('"ref": "shop#1"', '"ref": "other#1"')
    assert report_on(replace(case, draft=foreign)).reasons == ("numbers_without_evidence_reference",)


def test_a_citation_of_what_nobody_retrieved_is_no_section() -> None:
    case = replace(HOWTO, shape=OutputSchemaId.ANSWER_V1_MARKDOWN)
    assert report_on(replace(case, draft="Close it.\n\n[1] guide.md:1-2")).verdict is Verdict.PASS
    assert report_on(replace(case, draft="Close it.\n\n[1] made-up.md:1")).reasons == (
        "missing_required_sections",
    )


# The ticket, the data, the command.


def test_nobody_but_the_guardian_passes_a_draft() -> None:
    report = GuardianReport(Verdict.PASS, (), (), RiskLevel.LOW)
    with pytest.raises(InternalError):
        Passed("a draft", report, object())


def test_the_table_has_every_reason_and_its_budgets_are_those_of_the_tracks() -> None:
    rules = guardian_rules()
    assert set(rules.faults) == set(Reason) - {Reason.SINGLE_SOURCE}
    assert rules.thresholds.least_confidence == 0.60
    assert (BUDGETS[Track.FAST], BUDGETS[Track.QUALITY]) == (0, 2)


def batch(*lines: Mapping[str, Any]) -> list[dict[str, Any]]:
    given = "".join(json.dumps(line) + "\n" for line in lines)
    done = called("guard", "guardian", "--jsonl", stdin=given)
    assert done.returncode == 0
    return [json.loads(line) for line in done.stdout.splitlines()]


def as_line(case: GuardianCase, **more: object) -> dict[str, Any]:
    evidence = [
        {"source": each.source, "ref": each.ref, "snippet": each.snippet, "confidence": each.confidence}
        for each in case.evidence
    ]
    return {
        "id": 1,
        "request_type": case.request_type,
        "track": case.track,
        "retry_count": case.retry_count,
        "evidence": evidence,
        "draft": case.draft,
        **more,
    }


def test_the_command_says_what_the_guardian_says() -> None:
    spec = {"required_sections": ["Steps"]}
    passed, retried, covered, limited = batch(
        as_line(STATUS),
        as_line(HOWTO, spec=spec),
        as_line(STATUS, coverage={"coverage_status": "blocked", "truth_mode": "unsupported"}),
        as_line(replace(HOWTO, evidence=(DOC,), retry_count=2), coverage="partial"),
    )
    assert passed == {"id": 1, "verdict": "PASS", "reasons": [], "required_actions": [], "risk_level": "low"}
    assert retried["reasons"] == ["missing_required_sections"]
    assert covered["reasons"] == ["status_request_requires_db"]
    assert (limited["verdict"], limited["reasons"]) == ("PASS", ["single_source"])


@pytest.mark.parametrize(
    "broken",
    [
        {"track": "SLOW"},
        {"request_type": None},
        {"retry_count": -1},
        {"retry_count": True},
        {"evidence": [{"source": "web", "ref": "x", "snippet": "x", "confidence": 1}]},
        {"evidence": [{"source": "db", "ref": "x", "snippet": "x", "confidence": 2}]},
        {"evidence": "none"},
        {"coverage": "most"},
        {"spec": {"response_format": "pdf"}},
        {"draft": 7},
    ],
)
def test_a_line_that_is_no_case_is_told_and_does_not_go_out(broken: Mapping[str, Any]) -> None:
    (told,) = batch({**as_line(HOWTO), **broken})
    assert (told["ok"], told["code"], told["verdict"]) == (False, "invalid_case", "FAIL")


# Whatever comes, there is one verdict, and it keeps the guardian's own contract.

some_text = st.text(max_size=60) | st.sampled_from(
    ["12 orders [1].", '{"text": 1}', "```json\n{}\n```", "Steps: go", "always", "It is certainly so, 100 %."]
)
some_items = st.lists(
    st.builds(
        EvidenceItem,
        st.sampled_from(EvidenceSource),
        st.sampled_from(["shop#1", "shop#1/recount", "guide.md:1", ""]),
        some_text,
        st.floats(0, 1),
    ),
    max_size=4,
).map(tuple)
some_texts = st.lists(some_text, max_size=2).map(tuple)
some_cases = st.builds(
    GuardianCase,
    request_type=st.sampled_from(RequestType),
    track=st.sampled_from(Track),
    retry_count=st.integers(0, 4),
    evidence=some_items,
    draft=some_text,
    spec=st.none()
    | st.builds(ArchitectSpec, st.sampled_from(ResponseFormat), some_texts, some_texts, some_texts),
    coverage=st.none() | st.sampled_from(CoverageStatus),
    form=st.sampled_from(DraftForm),
    denied=st.just(()) | st.just(("rule",)),
    configured=st.none() | st.lists(st.sampled_from(EvidenceSource), max_size=3).map(tuple),
    shape=st.none() | st.sampled_from(OutputSchemaId),
)


@given(some_cases)
def test_every_case_gets_one_verdict_that_keeps_its_contract(case: GuardianCase) -> None:
    report = report_on(case)
    told = msgspec.json.decode(msgspec.json.encode(report))
    assert validate_role_output("GUARDIAN", told) == ()
    assert report == report_on(case)
    assert (report.verdict is Verdict.RETRY) <= (case.retry_count < BUDGETS[case.track])
    assert (report.risk_level is RiskLevel.LOW) is (report.verdict is Verdict.PASS)
    if case.denied:
        assert report.reasons == ("policy_violation",)
