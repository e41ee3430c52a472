"""Every row of the guardian's table, met in a turn of a real workspace: real documents, rules, records of
runs and data. What the next try does otherwise is seen in what it finds or writes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from dragoman import Workspace
from dragoman.contracts.roles import GuardianAction, RequestType, RiskLevel, Verdict
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, EvidenceSource, TransitionClass
from dragoman.guards.guardian.numbers import numbers_in
from dragoman.turn import take_turn
from tests.answering.role_models import STATUS, RoleRoad, made, played_by, spec, told
from tests.answering.role_stand_ins import FixedAnalyst, ScriptedWriter
from tests.knowledge.places import data_in
from tests.model_server import ModelServer, says

A: Final = GuardianAction
R: Final = RequestType
S: Final = EvidenceSource
GUIDE: Final = """# Kiln

To book the kiln, write your name on the list.

## Glazes

Glazes are mixed by the assistant of the studio.
"""
RULES: Final = """# Rules of the studio

Whoever books the kiln writes their name on the list two days before.
"""
PLAIN: Final = "how do I book the kiln?"
GLAZES: Final = "who mixes glazes in the studio?"
WEAK: Final = "list of elephants beside kiln rivers"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made_ = made(tmp_path_factory.mktemp("rows") / "work")
    for place, text in (("docs/kiln.md", GUIDE), ("policies/kiln.md", RULES)):
        path = made_ / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return made_


@pytest.fixture(scope="module")
def road(folder: Path) -> Iterator[RoleRoad]:
    with played_by(folder, None) as opened:
        yield opened


def find(question: str, **more: object) -> str:
    told = "".join(f" :{name} {json.dumps(value)}" for name, value in more.items())
    return f"(knowledge.find :question {json.dumps(question)}{told})"


def run(road: RoleRoad, program: str, analyst: FixedAnalyst) -> TurnResult:
    """A program that a person wrote, run when they say so."""
    road.ask("clear", program)
    return wrongly(road, "run it", analyst)


# Evidence.


@pytest.fixture
def second_page(folder: Path) -> Iterator[None]:
    page = folder / "docs" / "again.md"
    page.write_text(
        "# Glazes again\n\nGlazes are mixed by hand, and the assistant of the studio helps.\n", "utf-8"
    )
    yield
    page.unlink()


@pytest.mark.usefixtures("second_page")
def test_a_second_item_is_asked_for_beside_the_first(folder: Path) -> None:
    with played_by(folder, None) as road:
        result = run(road, find(GLAZES, source="doc", top=1), FixedAnalyst(R.HOWTO_POLICY))
        first, second, third = road.reports
        assert first.reasons == ("insufficient_evidence_count",)
        assert first.required_actions == (A.ADD_EVIDENCE, A.RETRIEVE_MORE)
        # The documents were asked again, for what is beside the item there was. Both are documents.
        assert second.reasons == ("low_source_diversity",)
        assert second.required_actions == (A.DIVERSIFY_SOURCES, A.RETRIEVE_MORE)
        assert {each.ref for each in road.stages.evidence} == {"docs/again.md:3", "docs/kiln.md:7"}
        # No rule speaks of it: what is there is told, and that it is all.
        assert (third.verdict, third.reasons) == (Verdict.PASS, ("single_source",))
        assert (result.answer_mode, road.stages.retry_count) == (AnswerMode.LIMITED, 2)


def test_another_source_is_asked_where_all_are_of_one(folder: Path) -> None:
    page = folder / "docs" / "more.md"
    page.write_text("# Kiln again\n\nBook the kiln by writing a name on the list at the door.\n", "utf-8")
    try:
        with played_by(folder, None) as road:
            # The plan asks documents alone.
            run(road, find(PLAIN, source="doc", top=2), FixedAnalyst(R.HOWTO_POLICY, S.DOC))
            first, second = road.reports
            assert first.reasons == ("low_source_diversity",)
            assert {each.source for each in road.stages.evidence} == {S.DOC, S.POLICY}
            assert second.verdict is Verdict.PASS
    finally:
        page.unlink()


def test_weak_evidence_is_dropped_and_looked_for_with_the_words_that_matter(road: RoleRoad) -> None:
    result = run(road, find(WEAK, least=0.1, top=4), FixedAnalyst(R.HOWTO_POLICY))
    first = road.reports[0]
    assert first.reasons == ("low_evidence_confidence",)
    assert first.required_actions == (A.RETRIEVE_MORE, A.REFINE_QUERY)
    # What was only near is gone, and nothing better is there.
    assert road.stages.evidence == ()
    assert road.reasons[1] == ("insufficient_evidence_count",)
    assert (result.answer_mode, result.reason_codes) == (
        AnswerMode.UNSUPPORTED,
        ("insufficient_evidence_count",),
    )


# A wrong analyst: its type asks for other evidence than the program gives.


def wrongly(road: RoleRoad, message: str, *roles: object) -> TurnResult:
    """A turn of the same session with other roles, over the sources of the workspace."""
    services = road.workspace._open_services()
    analyst, *others = roles
    writer = others[0] if others else services.roles.writer
    own = replace(services.roles, analyst=analyst, writer=writer)
    return take_turn(replace(services, roles=own), road.session, message)


def test_documents_behind_a_status_are_dropped_and_the_database_asked(road: RoleRoad) -> None:
    road.ask("clear")
    result = wrongly(road, PLAIN, FixedAnalyst(R.STATUS_METRIC))
    first, second, third = road.reports
    assert first.reasons == ("status_request_must_not_use_doc_as_primary",)
    assert first.required_actions == (A.REMOVE_DOC_EVIDENCE, A.USE_DB_ONLY)
    # Without them nothing is left that a status could rest on.
    assert second.reasons == third.reasons == ("status_request_requires_db",)
    assert second.required_actions == (A.USE_DB_ONLY, A.RETRIEVE_DB)
    assert third.required_actions == (A.ASK_MINIMAL_QUESTION,)
    assert (result.transition, result.answer_mode) == (TransitionClass.T10, AnswerMode.UNSUPPORTED)
    assert road.stages.evidence == ()


def test_trouble_is_looked_for_in_the_records_of_runs(road: RoleRoad) -> None:
    road.ask("clear")
    result = wrongly(road, PLAIN, FixedAnalyst(R.TROUBLESHOOTING, S.GRAPH))
    assert road.reports[0].reasons == ("troubleshooting_requires_db_or_graph",)
    assert road.reports[0].required_actions == (A.RETRIEVE_DB, A.RETRIEVE_NEO4J)
    assert result.transition is TransitionClass.T10
    # Once something was run there is a record to rest on.
    written = road.ask("clear", STATUS, "save that as a csv file", "yes")
    assert written.answer_mode is not AnswerMode.UNSUPPORTED
    road.ask("clear")
    wrongly(road, PLAIN, FixedAnalyst(R.TROUBLESHOOTING, S.GRAPH))
    assert [each.verdict for each in road.reports] == [Verdict.RETRY, Verdict.PASS]
    assert any(each.source is S.DB and each.ref.startswith("runs/") for each in road.stages.evidence)


def test_a_rule_needs_documents_or_policies(tmp_path: Path) -> None:
    folder = data_in(tmp_path)
    (folder / "docs").mkdir()
    (folder / "docs" / "pieces.md").write_text("# Pieces\n\nThere are three pieces on the shelf.\n")
    with Workspace.open(folder) as workspace:
        road = RoleRoad(workspace)
        wrongly(road, "how many pieces are there?", FixedAnalyst(R.DESIGN_ARCH, S.POLICY))
        assert road.reports[0].reasons == ("design_policy_requires_doc_or_policy",)
        assert road.reports[0].required_actions == (A.RETRIEVE_DOC, A.RETRIEVE_POLICY)
        # The plan asked for policies alone; now the documents are asked too.
        assert road.reports[1].verdict is Verdict.PASS
        assert "docs/pieces.md:3" in [each.ref for each in road.stages.evidence]


# Drafts, written and specified by a model over HTTP.


def status_draft(text: str, *numbers: str, ref: str = "") -> str:
    return json.dumps({"text": text, "numbers": [{"numbers": list(numbers), "ref": ref}] if numbers else []})


WRITTEN: Final = [
    (
        PLAIN,
        spec("markdown", required_sections=["Steps"]),
        "Write your name on the list. [1]",
        "## Steps\n\nWrite your name on the list. [1]",
        "missing_required_sections",
        (A.ADD_REQUIRED_SECTIONS, A.REGENERATE_DRAFT),
        {"add_sections": True},
    ),
    (
        PLAIN,
        spec("markdown", forbidden_content=["probably"]),
        "Probably you write your name on the list. [1]",
        "Write your name on the list. [1]",
        "forbidden_content_detected",
        (A.REMOVE_FORBIDDEN_CONTENT, A.REGENERATE_DRAFT),
        {"leave_out": ["probably"]},
    ),
    (
        PLAIN,
        spec("markdown", domain_terms=["booking list"]),
        "Write your name down. [1]",
        "Write your name on the booking list. [1]",
        "domain_terms_not_used",
        (A.USE_DOMAIN_TERMS, A.REGENERATE_DRAFT),
        {"use_terms": ["booking list"]},
    ),
]


@pytest.mark.parametrize(("message", "spec_", "bad", "good", "reason", "actions", "again"), WRITTEN)
def test_what_is_written_badly_is_written_again(
    folder: Path,
    message: str,
    spec_: str,
    bad: str,
    good: str,
    reason: str,
    actions: tuple[GuardianAction, ...],
    again: dict[str, object],
) -> None:
    script = (says(spec_), says(bad), says(good))
    with ModelServer(*script) as server, played_by(folder, server, "architect", "writer") as road:
        result = road.ask(message)
        first, second = road.reports
        assert (first.verdict, first.reasons, first.required_actions) == (Verdict.RETRY, (reason,), actions)
        assert first.risk_level is (RiskLevel.HIGH if reason.startswith("forbidden") else RiskLevel.MED)
        # The specification is drawn once, nothing is looked for again, and the writer hears of its fault.
        assert [role for role, _ in road.played] == ["architect", "writer", "writer"]
        assert (told(server, 1)["again"], told(server, 2)["again"]) == ({}, again)
        assert (second.verdict, road.stages.retry_count) == (Verdict.PASS, 1)
        assert result.message.startswith(good)


def test_a_number_of_a_status_names_its_evidence(folder: Path) -> None:
    with played_by(folder, None) as road:
        road.ask(STATUS)
        answer = road.workspace.state(road.session).answers.items[-1]
    shown = {number for item in answer.evidence for number in numbers_in(item.snippet)}
    cells = {str(cell) for row in answer.rows for cell in row if isinstance(cell, int)}
    number = sorted(cells - shown)[0]
    bare = status_draft(f"One column of the board has {number}.")
    with ModelServer(says(bare)) as server, played_by(folder, server, "writer") as road:
        road.ask(STATUS)
        assert road.reports[0].reasons == ("numbers_without_evidence_reference",)
        assert road.reports[0].required_actions == (A.ADD_EVIDENCE_REFERENCES, A.REGENERATE_DRAFT)
        assert told(server, 1)["again"] == {"name_evidence_of_numbers": True}
        # It never learns: in the end nothing is said.
        assert road.reports[-1].required_actions == (A.SAFE_REFUSAL,)
        assert road.stages.retry_count == 2
        assert number not in road.stages.final_answer


@pytest.mark.parametrize(
    ("draft", "reason", "actions"),
    [
        ("", "no_draft_answer", (A.REGENERATE_DRAFT,)),
        (
            '{"text": "stories.by-status: all is well"',
            "invalid_json_format",
            (A.FIX_JSON_FORMAT, A.REGENERATE_DRAFT),
        ),
    ],
)
def test_no_draft_and_a_broken_one(
    road: RoleRoad, draft: str, reason: str, actions: tuple[GuardianAction, ...]
) -> None:
    road.ask("clear")
    result = wrongly(road, STATUS, FixedAnalyst(R.STATUS_METRIC), ScriptedWriter(draft))
    assert (road.reports[0].reasons, road.reports[0].required_actions) == ((reason,), actions)
    assert (road.reports[1].verdict, result.answer_mode) == (Verdict.PASS, AnswerMode.CONFIRMED)


# Rules of the workspace.

RULES_FILE: Final = """version: 1
rules:
  - name: no-points
    because: Points of people are nobody's business.
    columns: [story.points]
  - name: no-wages
    because: Wages are private.
    topics: [wages]
  - name: no-promises
    types: [HOWTO_POLICY, KNOWLEDGE_QA]
    phrases: [write your name]
  - name: house-style
    types: [DATA_DEFINITION]
    statements: ["Figures are provisional."]
"""


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RoleRoad]:
    folder = made(tmp_path_factory.mktemp("ruled") / "work")
    for place, text in (
        ("docs/kiln.md", GUIDE),
        (
            "docs/second.md",
            "# The kiln\n\nTo book the kiln, ask the assistant. Then write your name on the list.\n",
        ),
        ("policies/kiln.md", RULES),
        ("docs/office.md", "# Office\n\nWages are paid on the last day of each month.\n"),
        ("policies/rules.yaml", RULES_FILE),
    ):
        path = folder / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    with played_by(folder, None) as opened:
        yield opened


@pytest.mark.parametrize(
    ("message", "because"),
    [
        ("when are wages paid?", "Wages are private"),
        (STATUS, "Points of people are nobody's business"),
        ("stories in progress on 20 March 2024", "Points of people are nobody's business"),
    ],
)
def test_what_a_rule_denies_ends_at_once(ruled: RoleRoad, message: str, because: str) -> None:
    result = ruled.ask("clear", message)
    (report,) = ruled.reports
    assert (report.verdict, report.reasons, report.required_actions) == (
        Verdict.FAIL,
        ("policy_violation",),
        (),
    )
    assert report.risk_level is RiskLevel.HIGH
    assert (result.transition, result.rows) == (TransitionClass.T10, ())
    assert because in result.message


def test_what_no_answer_may_say_is_left_out(ruled: RoleRoad) -> None:
    result = ruled.ask("clear", PLAIN)
    assert ruled.reports[0].reasons == ("forbidden_content_detected",)
    assert "rite your name" not in result.message
    assert ruled.stages.architect_spec is not None
    assert "write your name" in ruled.stages.architect_spec.forbidden_content


def test_what_every_answer_must_say_is_said(ruled: RoleRoad) -> None:
    result = ruled.ask("clear", "what does velocity mean?")
    assert "Figures are provisional." in result.message
    assert ruled.reports[-1].verdict is Verdict.PASS


def test_a_secret_in_a_document_is_not_quoted(folder: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    page = folder / "docs" / "door.md"
    page.write_text(f"# Door\n\nThe token of the back door of the hall is {token} for now.\n", "utf-8")
    try:
        with played_by(folder, None) as road:
            result = road.ask("what is the token of the back door of the hall?")
            assert token not in result.message + str(road.events)
    finally:
        page.unlink()


@pytest.mark.parametrize(
    ("message", "denied"),
    [
        ("how many pieces are there?", False),
        ("SELECT glaze, count(*) AS n FROM piece GROUP BY glaze", False),
        ("what is the total weight of the pieces?", True),
        ("SELECT * FROM piece", True),
        ("SELECT weight * 2 AS double FROM piece", True),
        ("SELECT p.w FROM (SELECT weight AS w FROM piece) AS p", True),
        ("WITH heavy AS (SELECT max(weight) AS most FROM piece) SELECT most FROM heavy", True),
    ],
)
def test_a_column_that_no_answer_may_show_is_found_behind_any_name(
    tmp_path: Path, message: str, denied: bool
) -> None:
    folder = data_in(tmp_path)
    (folder / "policies").mkdir()
    rule = "version: 1\nrules: [{name: no-weights, columns: [piece.weight]}]\n"
    (folder / "policies" / "rules.yaml").write_text(rule, "utf-8")
    with Workspace.open(folder) as workspace:
        result = workspace.ask(workspace.new_session(), message)
    assert (result.reason_codes == ("policy_violation",)) is denied
    assert (result.answer_mode is AnswerMode.CONFIRMED) is not denied
