"""What each type of request needs, read from data that ships with the package."""

from functools import cache
from importlib.resources import files

import yaml

from dragoman.contracts.decoding import converted
from dragoman.contracts.record import Record
from dragoman.contracts.roles import AnalystPlan, EvidenceSource, RequestType, Track


class RequestPolicy(Record, frozen=True):
    """One row of the table: the usual track, the order of the search, what must and must not be there."""

    track: Track
    priority: tuple[EvidenceSource, ...] = ()
    all_of: tuple[EvidenceSource, ...] = ()
    any_of: tuple[EvidenceSource, ...] = ()
    forbidden: tuple[EvidenceSource, ...] = ()


@cache
def request_policy(request_type: RequestType) -> RequestPolicy:
    return _policies()[request_type]


def evidence_priority(request_type: RequestType) -> tuple[EvidenceSource, ...]:
    """Where to look first for this type of request; empty where nothing needs to be looked up."""
    return request_policy(request_type).priority


def retrieval_order(plan: AnalystPlan) -> tuple[EvidenceSource, ...]:
    """The plan's sources in the order of the table, then those the table does not name, each once."""
    return ordered_sources(plan.request_type, plan.required_sources)


@cache
def ordered_sources(
    request_type: RequestType, sources: tuple[EvidenceSource, ...]
) -> tuple[EvidenceSource, ...]:
    asked = dict.fromkeys(sources)
    first = [source for source in evidence_priority(request_type) if source in asked]
    return tuple(dict.fromkeys([*first, *asked]))


def plan_faults(plan: AnalystPlan) -> tuple[str, ...]:
    """The rules that a plan breaks, by their codes. Of its form there is nothing to say: it is a record."""
    policy, asked = request_policy(plan.request_type), set(plan.required_sources)
    faults = []
    if plan.track is Track.FAST and plan.missing_info_questions:
        faults.append("question_on_fast_track")
    if not asked.issuperset(policy.all_of) or (policy.any_of and asked.isdisjoint(policy.any_of)):
        faults.append("required_source_missing")
    if not asked.isdisjoint(policy.forbidden):
        faults.append("forbidden_source")
    return tuple(faults)


@cache
def _policies() -> dict[RequestType, RequestPolicy]:
    text = files("dragoman.guards.roles").joinpath("policy.yaml").read_text(encoding="utf-8")
    rows = yaml.load(text, Loader=yaml.CSafeLoader)
    return converted(rows, dict[RequestType, RequestPolicy])
