"""The stages of a turn: what each role handed over, and how long each stage took.

The field names are 002's. Free text stands in `draft_answer` and `final_answer` and nowhere else.
"""

from collections.abc import Mapping
from typing import Final

from dragoman.contracts.answer import EvidenceItem
from dragoman.contracts.record import Record
from dragoman.contracts.roles import AnalystPlan, ArchitectSpec, GuardianReport, RequestType, Track, Verdict
from dragoman.contracts.vocabulary import CoverageStatus

BUDGETS: Final[Mapping[Track, int]] = {Track.FAST: 0, Track.QUALITY: 2}
"""How often a draft may be made again."""

MAX_DRAFT = 20_000
"""So many characters of a draft are kept."""


class StagesRegion(Record, frozen=True):
    """The last turn, stage by stage. Earlier ones are in the records of their turns.

    A turn of an older version has no plan and no report: its type of request is what its answer says."""

    user_query: str = ""
    track: Track | None = None
    """The track that was taken; a plan may have named another."""
    request_type: RequestType | None = None
    route_reason: str = ""
    """Why this track: what the policy says, and what the plan said."""
    analyst_plan: AnalystPlan | None = None
    evidence: tuple[EvidenceItem, ...] = ()
    architect_spec: ArchitectSpec | None = None
    draft_answer: str = ""
    guardian: GuardianReport | None = None
    final_answer: str = ""
    retry_count: int = 0
    trace_id: str = ""
    timings_ms: dict[str, int] = {}  # noqa: RUF012 - msgspec copies empty defaults for every record


class StageFigures(Record, frozen=True):
    """What is counted of the stages of one turn. `coverage` is what the gate said, where it was asked."""

    track: Track
    verdict: Verdict | None
    retries: int
    coverage: CoverageStatus | None
    seconds: dict[str, float]


class StageTime(Record, frozen=True):
    """How often a stage was passed, and how many seconds that took in all."""

    turns: int
    seconds: float


class StageMetrics(Record, frozen=True, rename="camel"):
    """The stages of all turns of a workspace: verdicts and retries by track, answers by what the gate said of
    their evidence, time by stage."""

    verdicts: dict[str, dict[str, int]]
    retries: dict[str, int]
    evidence_coverage: dict[str, int]
    stages: dict[str, StageTime]
