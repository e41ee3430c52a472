"""Retrieve: what the program of the turn found, and what other sources have for the plan beside it."""

from collections.abc import Sequence
from typing import Final

from dragoman.answering.roles.contract import RetrieveRequest
from dragoman.contracts.answer import EvidenceItem
from dragoman.contracts.evidence import EvidenceProvider, EvidenceRequest
from dragoman.contracts.roles import AnalystPlan
from dragoman.guards.guardian import guardian_rules
from dragoman.guards.roles.policy import ordered_sources

REVIEW: Final = "review"
"""The reference of the second reader's word. It is about the program, and no evidence of what it found."""


def first_retrieval(plan: AnalystPlan) -> RetrieveRequest:
    """The plan's sources, in the order of its type."""
    return RetrieveRequest(ordered_sources(plan.request_type, plan.required_sources))


def retrieve(
    plan: AnalystPlan,
    how: RetrieveRequest,
    found: Sequence[EvidenceItem],
    providers: Sequence[EvidenceProvider],
    *,
    query: str,
    language: str,
) -> tuple[EvidenceItem, ...]:
    """Every item for a plan, each once: `found` is what is there already, of the program first of all."""
    items = {each.ref: each for each in found if each.ref != REVIEW}
    there = {each.source for each in items.values()}
    asked = EvidenceRequest(query, language, plan.request_type, how.terms, how.most, how.known, how.spread)
    if how.terms:
        # The question was not sharp enough: what it brought up by chance is looked for anew.
        least = guardian_rules().thresholds.least_confidence
        items = {ref: each for ref, each in items.items() if each.confidence >= least}
    for source in how.sources:
        # What the program has read of a source need not be read twice, unless more is asked for.
        if how.attempt == 0 and source in there:
            continue
        for provider in providers:
            if provider.source is source:
                items.update((each.ref, each) for each in provider.find(asked))
    return tuple(each for each in items.values() if _may_stand(each, how))


def _may_stand(item: EvidenceItem, how: RetrieveRequest) -> bool:
    return item.source not in how.without and (not how.only or item.source in how.only)
