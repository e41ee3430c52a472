"""What happens between the roles of a turn, as events."""

from typing import Literal

from dragoman.contracts.answer import EvidenceItem
from dragoman.contracts.event import Event
from dragoman.contracts.roles import AnalystPlan, ArchitectSpec, GuardianReport, Track


class PlanMade(Event, frozen=True):
    """The analyst said what is asked and what it needs. `track` is the policy's."""

    plan: AnalystPlan
    track: Track
    route_reason: str
    v: Literal[1] = 1


class SpecDrawn(Event, frozen=True):
    """The architect said how the answer must look."""

    spec: ArchitectSpec
    v: Literal[1] = 1


class DraftJudged(Event, frozen=True):
    """The guardian looked at a draft: on which track, after how many retries."""

    track: Track
    retry_count: int
    report: GuardianReport
    v: Literal[1] = 1


class StagesTimed(Event, frozen=True):
    """The last draft, and the milliseconds that every stage took. Replay reads them here and needs no clock.

    `evidence` is what a draft rested on that was never answered; an answer has its own."""

    draft: str
    timings_ms: dict[str, int]
    evidence: tuple[EvidenceItem, ...] = ()
    v: Literal[1] = 1
