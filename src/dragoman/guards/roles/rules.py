"""What a role may say: the rules between fields.

Each rule looks at the fields it needs and is silent where one of them is malformed, so that an error in one
field never hides a rule that another breaks.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TypeVar, assert_never

from dragoman.contracts.finding import Finding
from dragoman.contracts.roles import EvidenceSource, RequestType, Role, Track, Verdict
from dragoman.guards.roles.models import MAX_ITEMS
from dragoman.guards.roles.policy import request_policy

Output = Mapping[object, object]


class RuleCode(StrEnum):
    """The rules that an output can break, by the code of the finding."""

    QUESTION_ON_FAST_TRACK = "question_on_fast_track"
    REQUIRED_SOURCE_MISSING = "required_source_missing"
    FORBIDDEN_SOURCE = "forbidden_source"
    PASS_WITH_ACTIONS = "pass_with_actions"  # noqa: S105
    RETRY_WITHOUT_REASONS = "retry_without_reasons"
    RETRY_WITHOUT_ACTIONS = "retry_without_actions"
    FAIL_WITHOUT_REASONS = "fail_without_reasons"


def broken_rules(role: Role, output: Output) -> Iterator[Finding]:
    match role:
        case Role.ANALYST:
            yield from _questions(output)
            yield from _sources(output)
        case Role.ARCHITECT:
            # Every list may be empty and none depends on another.
            return
        case Role.GUARDIAN:
            yield from _verdict(output)
        case _:
            assert_never(role)


def _questions(output: Output) -> Iterator[Finding]:
    if _word(Track, output.get("track")) is Track.FAST and _items(output, "missing_info_questions"):
        message = "missing_info_questions must be empty on the track FAST"
        yield Finding(RuleCode.QUESTION_ON_FAST_TRACK, "missing_info_questions", message)


def _sources(output: Output) -> Iterator[Finding]:
    request_type = _word(RequestType, output.get("request_type"))
    items = _items(output, "required_sources")
    if request_type is None or items is None or len(items) > MAX_ITEMS:
        return
    policy = request_policy(request_type)
    sources = [_word(EvidenceSource, item) for item in items]
    for needed in policy.all_of:
        if needed not in sources:
            yield _missing(request_type, needed)
    if policy.any_of and not set(policy.any_of) & set(sources):
        yield _missing(request_type, " or ".join(policy.any_of))
    for source in policy.forbidden:
        if source in sources:
            message = f"required_sources must not have {source} for {request_type}"
            path = f"required_sources.{sources.index(source)}"
            yield Finding(RuleCode.FORBIDDEN_SOURCE, path, message)


def _missing(request_type: RequestType, needed: str) -> Finding:
    message = f"required_sources must have {needed} for {request_type}"
    return Finding(RuleCode.REQUIRED_SOURCE_MISSING, "required_sources", message)


def _verdict(output: Output) -> Iterator[Finding]:
    reasons = _items(output, "reasons")
    actions = _items(output, "required_actions")
    match _word(Verdict, output.get("verdict")):
        case Verdict.PASS:
            if actions:
                message = "required_actions must be empty with the verdict PASS"
                yield Finding(RuleCode.PASS_WITH_ACTIONS, "required_actions", message)
        case Verdict.RETRY:
            if _says_nothing(reasons):
                message = "reasons must say why with the verdict RETRY"
                yield Finding(RuleCode.RETRY_WITHOUT_REASONS, "reasons", message)
            if actions is not None and not actions:
                message = "required_actions must say what to do otherwise with the verdict RETRY"
                yield Finding(RuleCode.RETRY_WITHOUT_ACTIONS, "required_actions", message)
        case Verdict.FAIL:
            if _says_nothing(reasons):
                message = "reasons must say why with the verdict FAIL"
                yield Finding(RuleCode.FAIL_WITHOUT_REASONS, "reasons", message)
        case None:
            return
        case verdict:
            assert_never(verdict)


def _says_nothing(reasons: list[object] | None) -> bool:
    """Whether no reason is given: none at all, or blanks only."""
    return reasons is not None and all(isinstance(reason, str) and not reason.strip() for reason in reasons)


def _items(output: Output, name: str) -> list[object] | None:
    value = output.get(name)
    return value if isinstance(value, list) else None


W = TypeVar("W", bound=StrEnum)


def _word(vocabulary: type[W], value: object) -> W | None:
    try:
        return vocabulary(value) if isinstance(value, str) else None
    except ValueError:
        return None
