"""Whether a draft keeps what was promised of it: every fault, in the order of the table."""

from collections.abc import Iterator
from typing import Final

import msgspec

from dragoman.contracts.answer_shapes import StatusV1Json
from dragoman.contracts.decoding import learned
from dragoman.contracts.roles import OutputSchemaId, ResponseFormat
from dragoman.guards.guardian.case import GuardianCase
from dragoman.guards.guardian.draft_text import broken_fence, has_phrase, has_section, object_of, uses_any
from dragoman.guards.guardian.evidence_rules import is_status
from dragoman.guards.guardian.markdown import read_markdown
from dragoman.guards.guardian.numbers import numbers_in, numbers_without_reference
from dragoman.guards.guardian.rules import Reason

_STATUS_SHAPE: Final = msgspec.json.Decoder(learned(StatusV1Json))


def contract_faults(case: GuardianCase) -> tuple[Reason, ...]:
    """Nothing else is said of a draft that is not there."""
    if not case.draft.strip():
        return (Reason.NO_DRAFT,)
    return tuple(_faults(case))


def _faults(case: GuardianCase) -> Iterator[Reason]:
    spec, draft = case.spec, case.draft
    status = _status_shape(case)
    said = draft if status is None else status.text
    broken = status is None and _is_broken(case)
    sections = spec.required_sections if spec is not None else ()
    # The keys of an object that cannot be read are nobody's sections.
    has_all = all(has_section(draft, each) for each in sections) and _cites_what_there_is(case)
    if not broken and not (has_all and says_all(said, case)):
        yield Reason.NO_SECTION
    forbidden = (*(spec.forbidden_content if spec is not None else ()), *case.unsaid)
    if any(has_phrase(draft, each) for each in forbidden):
        yield Reason.FORBIDDEN
    if spec is not None and spec.domain_terms and not uses_any(draft, spec.domain_terms):
        yield Reason.NO_TERM
    if is_status(case.request_type) and not broken and _bare_numbers(case, status):
        yield Reason.NUMBER_WITHOUT_REFERENCE
    if broken:
        yield Reason.BROKEN_JSON


def says_all(text: str, case: GuardianCase) -> bool:
    """Whether a text has every statement that the workspace wants in its answers."""
    return all(has_phrase(text, each) for each in case.stated)


def _cites_what_there_is(case: GuardianCase) -> bool:
    """Whether a promised Markdown answer says something, and its list of sources names none but its own."""
    if case.shape is not OutputSchemaId.ANSWER_V1_MARKDOWN:
        return True
    shape, known = read_markdown(case.draft), {each.ref for each in case.admitted}
    return any(each.text for each in shape.sections) and all(each.ref in known for each in shape.citations)


def _is_broken(case: GuardianCase) -> bool:
    """Whether the declared JSON is none. The shape that a plan promised is more than any object."""
    if case.shape is OutputSchemaId.STATUS_V1_JSON:
        return True
    form = case.spec.response_format if case.spec is not None else ResponseFormat.MARKDOWN
    if form is ResponseFormat.JSON:
        return object_of(case.draft) is None
    return form is ResponseFormat.HYBRID and broken_fence(case.draft)


def _status_shape(case: GuardianCase) -> StatusV1Json | None:
    """The draft as `status_v1_json`; None where it is not."""
    if not case.draft.lstrip().startswith("{"):
        return None
    try:
        return _STATUS_SHAPE.decode(case.draft)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _bare_numbers(case: GuardianCase, status: StatusV1Json | None) -> bool:
    """Whether a number of the text has nothing behind it. A shaped draft names the item of each."""
    if status is None:
        value = object_of(case.draft)
        refs = () if value is None else (each.ref for each in case.admitted if each.ref)
        if any(ref in case.draft for ref in refs):
            return False
        return bool(numbers_without_reference(case.draft, case.admitted))
    refs_known = {each.ref for each in case.admitted}
    behind = {number for each in status.numbers if each.ref in refs_known for number in each.numbers}
    bare = {each for each in numbers_in(status.text) if each not in behind}
    return bool(bare) and not bare.isdisjoint(numbers_without_reference(status.text, case.admitted))
