"""Whether a draft rests on enough, and on the right thing: a rule for each row, in the order of the table."""

from collections.abc import Callable
from typing import Final

from dragoman.contracts.answer import EvidenceItem
from dragoman.contracts.roles import EvidenceSource, RequestType
from dragoman.contracts.vocabulary import CoverageStatus
from dragoman.guards.guardian.case import GuardianCase
from dragoman.guards.guardian.rules import Reason, guardian_rules
from dragoman.guards.roles.policy import request_policy

_STATUS: Final = frozenset({RequestType.STATUS_METRIC, RequestType.STATUS_SUMMARY, RequestType.STATUS_LIST})
_DOC_OR_POLICY: Final = frozenset({EvidenceSource.DOC, EvidenceSource.POLICY})
_DB_OR_GRAPH: Final = frozenset({EvidenceSource.DB, EvidenceSource.GRAPH})
_BY_DOC_OR_POLICY: Final = frozenset(
    {RequestType.HOWTO_POLICY, RequestType.DATA_DEFINITION, RequestType.DESIGN_ARCH}
)


def is_status(request_type: RequestType) -> bool:
    return request_type in _STATUS


def failing_evidence_rule(case: GuardianCase) -> Reason | None:
    """The first rule that fails; None where all hold."""
    return next((reason for reason, fails in _RULES if fails(case, case.admitted)), None)


def strong_items(case: GuardianCase) -> tuple[EvidenceItem, ...]:
    """The items that reach the threshold by themselves, of sources that the type may rest on."""
    least = guardian_rules().thresholds.least_confidence
    forbidden = request_policy(case.request_type).forbidden
    return tuple(each for each in case.admitted if each.confidence >= least and each.source not in forbidden)


def _is_document(case: GuardianCase) -> bool:
    return case.request_type in guardian_rules().document_types


def _too_few_items(case: GuardianCase, items: tuple[EvidenceItem, ...]) -> bool:
    return _is_document(case) and len(items) < guardian_rules().thresholds.least_items


def _too_few_sources(case: GuardianCase, items: tuple[EvidenceItem, ...]) -> bool:
    wanted = guardian_rules().thresholds.least_sources
    own = request_policy(case.request_type).priority
    configured = set(own) if case.configured is None else set(case.configured).intersection(own)
    return _is_document(case) and len(configured) >= wanted and len({each.source for each in items}) < wanted


def _status_with_doc(case: GuardianCase, items: tuple[EvidenceItem, ...]) -> bool:
    return is_status(case.request_type) and any(each.source is EvidenceSource.DOC for each in items)


def _status_without_db(case: GuardianCase, items: tuple[EvidenceItem, ...]) -> bool:
    if not is_status(case.request_type):
        return False
    found = [each for each in items if each.source is EvidenceSource.DB]
    checks = sum(map(is_control_check, found))
    return not checks or checks == len(found)


def is_control_check(item: EvidenceItem) -> bool:
    """Whether an item is there to check another one. What it found out is the gate's to say."""
    return item.ref.rpartition("/")[2] in guardian_rules().control_checks


def _no_doc_or_policy(case: GuardianCase, items: tuple[EvidenceItem, ...]) -> bool:
    return case.request_type in _BY_DOC_OR_POLICY and _none_of(items, _DOC_OR_POLICY)


def _no_db_or_graph(case: GuardianCase, items: tuple[EvidenceItem, ...]) -> bool:
    return case.request_type is RequestType.TROUBLESHOOTING and _none_of(items, _DB_OR_GRAPH)


def _none_of(items: tuple[EvidenceItem, ...], sources: frozenset[EvidenceSource]) -> bool:
    return not any(each.source in sources for each in items)


def _low_confidence(case: GuardianCase, items: tuple[EvidenceItem, ...]) -> bool:
    """Where the gate has found the coverage partial already, the answer says so: one strong item will do."""
    if not items or (case.coverage is CoverageStatus.PARTIAL and strong_items(case)):
        return False
    mean = sum(each.confidence for each in items) / len(items)
    return mean < guardian_rules().thresholds.least_confidence


_RULES: Final[tuple[tuple[Reason, Callable[[GuardianCase, tuple[EvidenceItem, ...]], bool]], ...]] = (
    (Reason.TOO_FEW_ITEMS, _too_few_items),
    (Reason.TOO_FEW_SOURCES, _too_few_sources),
    (Reason.STATUS_WITH_DOC, _status_with_doc),
    (Reason.STATUS_WITHOUT_DB, _status_without_db),
    (Reason.NO_DOC_OR_POLICY, _no_doc_or_policy),
    (Reason.NO_DB_OR_GRAPH, _no_db_or_graph),
    (Reason.LOW_CONFIDENCE, _low_confidence),
)
