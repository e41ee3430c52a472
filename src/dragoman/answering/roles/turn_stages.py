"""The stages of one turn as they go along: the plan, what was judged, and how long each has taken."""

from collections.abc import Callable, Mapping, Sequence

from dragoman.answering.roles.analyst import EmbeddedAnalyst
from dragoman.answering.roles.architect import EmbeddedArchitect
from dragoman.answering.roles.contract import Analyst, Architect, Reviewer, Writer
from dragoman.answering.roles.writer import EmbeddedWriter
from dragoman.contracts import events as ev
from dragoman.contracts.answer import EvidenceItem
from dragoman.contracts.evidence import EvidenceProvider
from dragoman.contracts.policy_rules import AnswerRules
from dragoman.contracts.record import Record
from dragoman.contracts.roles import AnalystPlan, GuardianReport, RiskLevel, Track
from dragoman.contracts.stages import MAX_DRAFT, StageFigures
from dragoman.contracts.vocabulary import CoverageStatus
from dragoman.guards.roles.policy import plan_faults
from dragoman.guards.track import choose_track, usual_choice
from dragoman.locales.quality_hints import has_quality_hint
from dragoman.planning.contract import Asked, Proposal
from dragoman.session.routing import Routing


class Roles(Record, frozen=True, gc=True):
    """Who plays which role in a workspace, and what they may look at. The guardian is not among them: it is
    the same for everybody. Whoever reviews what it has passed may only hold it back."""

    analyst: Analyst = EmbeddedAnalyst()
    architect: Architect = EmbeddedArchitect()
    writer: Writer = EmbeddedWriter()
    providers: Sequence[EvidenceProvider] = ()
    """Where evidence is found beside the database."""
    rules: AnswerRules | None = None
    """What the workspace forbids and demands."""
    reviewer: Reviewer | None = None
    hire: "Callable[[Roles, Asked], Roles] | None" = None
    """Gives a turn the roles that somebody else plays in it: a language model."""


class TurnStages:
    """What the clock says enters the record with the turn. `passed` are the stages that are over, with the
    time at which each ended."""

    def __init__(
        self, roles: Roles, clock: Callable[[], float], began: float, passed: Mapping[str, float]
    ) -> None:
        self.roles = roles
        self._clock = clock
        self._since = began
        self.seconds: dict[str, float] = {}
        for stage, ended in passed.items():
            self.seconds[stage] = ended - self._since
            self._since = ended
        self.plan: AnalystPlan | None = None
        self.track = Track.FAST
        self.report: GuardianReport | None = None
        """The last verdict."""
        self.retries = 0
        self._draft = ""
        self._evidence: tuple[EvidenceItem, ...] = ()

    def lap(self, stage: str) -> None:
        """What has passed since the last stage ended belongs to this one."""
        now = self._clock()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._since
        self._since = now

    def make_plan(self, asked: Asked, proposal: Proposal, routing: Routing) -> ev.PlanMade:
        """The analyst's plan, and the track that the policy puts it on. A plan that breaks its contract opens
        nothing: then the embedded analyst's holds."""
        if self.roles.hire is not None:
            self.roles = self.roles.hire(self.roles, asked)
        # A planner that says what is asked and needed is the analyst of its own program.
        plan = proposal.plan or self.roles.analyst.plan(asked, proposal, routing)
        note = f"plan={plan.track}"
        # What the embedded one says keeps its contract; a test holds it to that.
        embedded = proposal.plan is None and type(self.roles.analyst) is EmbeddedAnalyst
        faults = () if embedded else plan_faults(plan)
        if faults:
            plan = EmbeddedAnalyst().plan(asked, proposal, routing)
            note = f"plan={plan.track}; analyst_refused:{faults[0]}"
        choice = usual_choice(plan.request_type)
        if choice.track is Track.FAST:
            choice = choose_track(plan.request_type, asked.text, has_quality_hint)
        self.plan, self.track = plan, choice.track
        self.lap("plan")
        return ev.PlanMade(plan, choice.track, f"{choice.reason}; {note}")

    def judged(self, report: GuardianReport, track: Track) -> ev.DraftJudged:
        self.report, self.track = report, track
        return ev.DraftJudged(track, self.retries, report)

    def keep(self, draft: str, evidence: tuple[EvidenceItem, ...] = ()) -> None:
        """The draft that was last looked at, and what it rested on where it was never answered. What could do
        harm is not repeated anywhere."""
        harmful = self.report is not None and self.report.risk_level is RiskLevel.HIGH
        self._draft = "" if harmful else draft[:MAX_DRAFT]
        self._evidence = () if harmful else evidence

    def figures(self, coverage: CoverageStatus | None) -> StageFigures:
        """What there is to count of a turn that is over."""
        verdict = self.report.verdict if self.report is not None else None
        return StageFigures(self.track, verdict, self.retries, coverage, self.seconds)

    def timed(self) -> ev.StagesTimed:
        self.lap("guard")
        milliseconds = {stage: round(1000 * seconds) for stage, seconds in self.seconds.items()}
        return ev.StagesTimed(self._draft, milliseconds, self._evidence)
