"""The embedded writer: the finding in the words of the house, in the shape that was promised."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from dragoman.answering.phrases import phrases
from dragoman.answering.roles.contract import Drafted, GenerateRequest, Retrieved
from dragoman.contracts.answer import EvidenceItem
from dragoman.contracts.answer_shapes import ReferredNumbers, StatusFigure, StatusV1Json
from dragoman.contracts.decoding import learned
from dragoman.contracts.roles import AnalystPlan, ArchitectSpec, EvidenceSource, RequestType, ResponseFormat
from dragoman.guards.guardian import DraftForm
from dragoman.guards.guardian.draft_text import has_phrase, has_section, uses_any
from dragoman.guards.guardian.numbers import numbers_in

_COMPUTED: Final = frozenset({RequestType.STATUS_METRIC, RequestType.STATUS_SUMMARY, RequestType.STATUS_LIST})
_STATUS: Final = msgspec.json.Decoder(learned(StatusV1Json))
_SOURCES: Final = "sources_title"
_SENTENCE: Final = re.compile(r"(?<=[.!?。])\s+|\n+")


class EmbeddedWriter:
    """Writes nothing that was not found. What a retry asks for, it heeds sentence by sentence."""

    def sketch(self, plan: AnalystPlan, found: Retrieved, how: GenerateRequest) -> Drafted:
        """A quick answer cites like any other."""
        text = _heeding(found.said, how, found.items)
        return Drafted(_with_sources(text, found), _form(found))

    def write(self, spec: ArchitectSpec, found: Retrieved, how: GenerateRequest) -> Drafted:
        text = _heeding(found.said, how, found.items)
        if spec.response_format is ResponseFormat.JSON or how.as_json:
            return Drafted(status_json(text, found), DraftForm.COMPUTED)
        if how.sections:
            text = _under_headings(text, spec.required_sections, found.language)
        every = bool(spec.required_sections) or how.sections
        return Drafted(_with_sources(text, found, every=every), _form(found))


def status_json(text: str, found: Retrieved) -> str:
    """`status_v1_json`: every number of the text was read from the result, so the result is behind it."""
    answer = found.answer
    first = found.items[0].ref if found.items else ""
    numbers = numbers_in(text)
    said = (ReferredNumbers(numbers, first),) if numbers else ()
    shape = StatusV1Json(text, answer.route, answer.gate.truth_mode, said)
    return msgspec.json.encode(as_found(shape, found)).decode()


def as_found(shape: StatusV1Json, found: Retrieved) -> StatusV1Json:
    """A status whose every part but the text and its numbers is as it was found, whoever wrote it."""
    answer = found.answer
    refs = tuple(each.ref for each in found.items)
    first = refs[0] if refs else ""
    return StatusV1Json(
        text=shape.text,
        route=answer.route,
        truth_mode=answer.gate.truth_mode,
        numbers=shape.numbers,
        figures=tuple(StatusFigure(each.name, each.value, first) for each in answer.figures),
        row_count=answer.row_count,
        result=answer.result_set_id,
        limits=answer.gate.reason_codes,
        evidence=refs,
    )


def text_of(draft: str) -> str:
    """What a person reads of a draft: of an object its text, of anything else all of it."""
    if not draft.startswith("{"):
        return draft
    try:
        return _STATUS.decode(draft).text
    except msgspec.DecodeError:
        return draft


def _form(found: Retrieved) -> DraftForm:
    """A passage of a document was written by somebody, and is looked at as such."""
    return DraftForm.WRITTEN if found.plan.request_type not in _COMPUTED else DraftForm.COMPUTED


def _heeding(text: str, how: GenerateRequest, items: Sequence[EvidenceItem]) -> str:
    """The text as a retry asks for it."""
    if how.without:
        kept = [each for each in _SENTENCE.split(text) if not _has_any(each, how.without)]
        text = " ".join(kept)
    if how.terms and not uses_any(text, how.terms):
        text = f"{how.terms[0]}: {text}"
    if how.references and items:
        marked = (f"{each} [1]" if numbers_in(each) else each for each in _SENTENCE.split(text))
        text = " ".join(marked)
    unsaid = [each for each in how.say if not has_phrase(text, each)]
    return "\n".join((text, *unsaid))


def _under_headings(text: str, sections: Sequence[str], code: str) -> str:
    """The finding under the first heading that the text lacks; of what any other asks for nothing was found,
    and that is said. The list of sources is a section of its own."""
    sources = phrases(code).say(_SOURCES)
    lacking = [each for each in sections if not has_section(text, each) and not has_section(sources, each)]
    if not lacking:
        return text
    first, *others = lacking
    nothing = phrases(code).say("nothing_for_section")
    return "\n\n".join((f"## {first}\n\n{text}", *(f"## {each}\n\n{nothing}" for each in others)))


def _has_any(sentence: str, forbidden: Sequence[str]) -> bool:
    return any(has_phrase(sentence, phrase) for phrase in forbidden)


def _with_sources(text: str, found: Retrieved, *, every: bool = False) -> str:
    """The text with the list of its sources behind it, a line for each item under its number: those that the
    text itself does not name, or `every` one. Where rows come from the program says."""
    lines = [
        f"[{number}] {item.ref}"
        for number, item in enumerate(found.items, 1)
        if every or (item.ref not in text and item.source is not EvidenceSource.DB)
    ]
    return "\n".join((text, "", f"{phrases(found.language).say(_SOURCES)}:", *lines)) if lines else text
