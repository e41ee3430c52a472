"""The stages region: what every turn leaves in it, what older sessions get, and what a record may not do."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.errors import TransitionViolation
from dragoman.contracts.roles import RequestType, RiskLevel, Track, Verdict
from dragoman.contracts.stages import StagesRegion
from dragoman.contracts.state import SessionState
from dragoman.contracts.vocabulary import EvidenceSource
from dragoman.session.enforcement import judge
from dragoman.session.reducer import UNOPENED, fold_record
from dragoman.session.stages import LIFTED

OF_ROLES: Final = (ev.PlanMade, ev.SpecDrawn, ev.DraftJudged, ev.StagesTimed)
Records = list[list[ev.SessionEvent]]

TALK: Final = (
    ("stock of Alfa Trade on 31 March 2020", RequestType.STATUS_METRIC, Track.QUALITY),
    ("is that a lot?", RequestType.STATUS_METRIC, Track.QUALITY),
    ("thanks", RequestType.CASUAL, Track.FAST),
    (
        "a summary of the receivables of Alfa Trade on 31 March 2020",
        RequestType.STATUS_SUMMARY,
        Track.QUALITY,
    ),
    ("how do I approve a discount?", RequestType.HOWTO_POLICY, Track.QUALITY),
    ("stock", RequestType.STATUS_METRIC, Track.QUALITY),
    ("clear", RequestType.CASUAL, Track.FAST),
    ("sales", RequestType.STATUS_METRIC, Track.QUALITY),
    ("help", RequestType.CASUAL, Track.FAST),
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with Workspace.open(tmp_path_factory.mktemp("stages")) as opened:
        yield opened


@pytest.fixture(scope="module")
def session(workspace: Workspace) -> str:
    opened = workspace.new_session()
    for message, *_ in TALK:
        workspace.ask(opened, message)
    return opened


def states(workspace: Workspace, session: str) -> list[SessionState]:
    return [state for _, state, _ in workspace.history(session)]


@pytest.mark.parametrize("turn", range(len(TALK)))
def test_every_turn_has_all_of_its_stages(workspace: Workspace, session: str, turn: int) -> None:
    message, request_type, track = TALK[turn]
    state = states(workspace, session)[turn]
    stages = state.stages
    assert (stages.user_query, stages.request_type, stages.track) == (message, request_type, track)
    assert stages.analyst_plan is not None
    assert stages.route_reason.startswith(f"track_policy:default(rt={request_type}); plan=")
    assert stages.guardian is not None
    assert (stages.guardian.verdict, stages.guardian.risk_level) == (Verdict.PASS, RiskLevel.LOW)
    assert stages.draft_answer
    assert stages.final_answer == workspace.turn_result(session, turn + 1).message
    assert (stages.retry_count, stages.trace_id) == (0, state.turn.trace_id)
    assert {"open", "read", "plan", "guard"} <= set(stages.timings_ms)


def test_talk_about_an_answer_cites_its_evidence_again(workspace: Workspace, session: str) -> None:
    first, second, third, *_ = states(workspace, session)
    assert second.stages.evidence == first.stages.evidence != ()
    assert third.stages.evidence == ()


def test_replay_needs_no_clock(workspace: Workspace, session: str) -> None:
    assert workspace.replay(session).state == workspace.state(session)


# Older sessions.


def records(workspace: Workspace, session: str) -> Records:
    version = workspace.session(session).version
    journal = workspace._journal
    return [journal.events(session, number) or [] for number in range(version + 1)]


def older(found: Records) -> Records:
    """The same session as a version without roles has recorded it."""
    return [[each for each in events if not isinstance(each, OF_ROLES)] for events in found]


def test_an_older_session_is_lifted(workspace: Workspace, session: str) -> None:
    state, lifted = UNOPENED, []
    for number, events in enumerate(older(records(workspace, session))):
        # It may be imported: what is judged today passes without roles, too.
        judge(state, events)
        state = fold_record(state, number, events)
        lifted.append(state.stages)
    now = [StagesRegion(), *(each.stages for each in states(workspace, session))]
    for then, today in zip(lifted[1:], now[1:], strict=True):
        for field in ("user_query", "trace_id", "evidence", "final_answer"):
            assert getattr(then, field) == getattr(today, field)
        assert (then.route_reason, then.draft_answer) == (LIFTED, then.final_answer)
        assert (then.track, then.analyst_plan, then.guardian, then.timings_ms) == (None, None, None, {})
    status, rows = RequestType.STATUS_METRIC, RequestType.STATUS_LIST
    talk, unknown = RequestType.CASUAL, RequestType.KNOWLEDGE_QA
    assert [each.request_type for each in lifted[1:]] == [
        rows,
        talk,
        talk,
        rows,
        unknown,
        rows,
        talk,
        status,
        talk,
    ]


# What a record may not do.


@pytest.fixture
def one_turn(workspace: Workspace, session: str) -> tuple[SessionState, list[ev.SessionEvent]]:
    opened, first, *_ = records(workspace, session)
    return fold_record(UNOPENED, 0, opened), first


Turn = tuple[SessionState, list[ev.SessionEvent]]


def faults(before: SessionState, events: Sequence[ev.SessionEvent]) -> str:
    with pytest.raises(TransitionViolation) as refused:
        judge(before, events)
    return refused.value.message


def test_a_turn_as_it_was_recorded_passes(one_turn: Turn) -> None:
    judge(*one_turn)


def test_no_fact_goes_out_without_a_pass(one_turn: Turn) -> None:
    before, events = one_turn
    unjudged = [each for each in events if not isinstance(each, ev.DraftJudged)]
    assert "a fact goes out that the guardian has not passed" in faults(before, unjudged)
    failed = [
        replace(each, report=replace(each.report, verdict=Verdict.FAIL))
        if isinstance(each, ev.DraftJudged)
        else each
        for each in events
    ]
    assert "a fact goes out that the guardian has not passed" in faults(before, failed)


def test_no_draft_is_judged_without_a_plan(one_turn: Turn) -> None:
    before, events = one_turn
    unplanned = [each for each in events if not isinstance(each, ev.PlanMade)]
    assert "without a plan" in faults(before, unplanned)


def test_no_careful_draft_is_written_without_a_specification(one_turn: Turn) -> None:
    before, events = one_turn
    unspecified = [each for each in events if not isinstance(each, ev.SpecDrawn)]
    assert "written without a specification" in faults(before, unspecified)


@pytest.mark.parametrize(("track", "retries"), [(Track.QUALITY, 3), (Track.FAST, 1)])
def test_no_draft_is_made_again_beyond_its_budget(one_turn: Turn, track: Track, retries: int) -> None:
    before, events = one_turn
    often = [
        replace(each, track=track, retry_count=retries) if isinstance(each, ev.DraftJudged) else each
        for each in events
    ]
    assert f"{retries} retries are beyond the budget of {track}" in faults(before, often)


@pytest.mark.parametrize("kind", [ev.PlanMade, ev.SpecDrawn, ev.StagesTimed])
def test_each_of_them_comes_once(one_turn: Turn, kind: type[ev.SessionEvent]) -> None:
    before, events = one_turn
    found = next(each for each in events if isinstance(each, kind))
    place = events.index(found)
    assert f"more than one {kind.__struct_config__.tag}" in faults(
        before, [*events[:place], found, *events[place:]]
    )


def test_a_turn_that_was_given_up_has_its_query_and_nothing_of_the_one_before(
    workspace: Workspace, tmp_path: Path
) -> None:
    session = workspace.new_session()
    workspace.ask(session, "stock of Alfa Trade on 31 March 2020")
    with pytest.raises(RuntimeError), workspace._journal.turn(session, "and for April?"):
        raise RuntimeError("the process is gone")
    stages = workspace.state(session).stages
    assert stages.user_query == "and for April?"
    assert (stages.analyst_plan, stages.evidence, stages.final_answer) == (None, (), "")


def test_a_database_alone_is_what_a_status_rests_on(workspace: Workspace, session: str) -> None:
    assert {each.source for each in states(workspace, session)[0].stages.evidence} == {EvidenceSource.DB}


def test_verdicts_retries_coverage_and_times_are_counted(workspace: Workspace, session: str) -> None:
    counted = workspace.stage_metrics()
    turns = sum(sum(verdicts.values()) for verdicts in counted.verdicts.values())
    assert counted.verdicts["QUALITY"]["PASS"] >= 5
    assert counted.verdicts["FAST"]["PASS"] >= 3
    assert counted.stages["plan"].turns == turns
    assert counted.stages["retrieve"].seconds > 0
    assert counted.evidence_coverage["full"] >= 2
    assert counted.retries == {}
