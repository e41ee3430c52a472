"""A model as the writer. Its text is the draft, and the guardian judges it as anybody's; but a number that
was not found does not even become one."""

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from dragoman.answering.roles.contract import Drafted, GenerateRequest, Retrieved
from dragoman.answering.roles.model.accepted import object_in
from dragoman.answering.roles.model.briefing import Texts, data_of_finding, request_to, wishes
from dragoman.answering.roles.model.interview import Interview, Unfit
from dragoman.answering.roles.writer import EmbeddedWriter, as_found
from dragoman.contracts.answer_shapes import StatusV1Json
from dragoman.contracts.decoding import converted
from dragoman.contracts.model_settings import ModelRole
from dragoman.contracts.roles import AnalystPlan, ArchitectSpec, ResponseFormat
from dragoman.guards.guardian import DraftForm
from dragoman.guards.guardian.numbers import numbers_in

_GROUPING: Final = re.compile(r"[,'’\u00a0\u202f]")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_MARK: Final = re.compile(r"\[[^\[\]\n]{1,300}\]")
_MOST_WRITTEN: Final = 20_000
_MOST_TOLD: Final = 5
_STATUS_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["text", "numbers"],
    "properties": {
        "text": {"type": "string"},
        "numbers": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["numbers", "ref"],
                "properties": {
                    "numbers": {"type": "array", "items": {"type": "string"}},
                    "ref": {"type": "string"},
                },
            },
        },
    },
}
"""What of `status_v1_json` is the writer's: the rest is as it was found."""


class ModelWriter:
    def __init__(self, interview: Interview, texts: Texts) -> None:
        self._interview = interview
        self._texts = texts
        self._own = EmbeddedWriter()

    def sketch(self, plan: AnalystPlan, found: Retrieved, how: GenerateRequest) -> Drafted:
        return self._drafted(None, found, how) or self._own.sketch(plan, found, how)

    def write(self, spec: ArchitectSpec, found: Retrieved, how: GenerateRequest) -> Drafted:
        return self._drafted(spec, found, how) or self._own.write(spec, found, how)

    def _drafted(self, spec: ArchitectSpec | None, found: Retrieved, how: GenerateRequest) -> Drafted | None:
        as_json = how.as_json or (spec is not None and spec.response_format is ResponseFormat.JSON)
        data, values = data_of_finding(found.plan, found)
        schema = _STATUS_SCHEMA if as_json else None
        request = request_to(ModelRole.WRITER, self._texts, data | wishes(spec, how), values, schema)
        text = self._interview.ask(ModelRole.WRITER, request, lambda said: _read(said, found, json=as_json))
        return None if text is None else Drafted(text, DraftForm.WRITTEN)


def _read(text: str, found: Retrieved, *, json: bool) -> str | Unfit:
    if len(text) > _MOST_WRITTEN:
        return Unfit(f"more than {_MOST_WRITTEN:,} characters")
    status = _status(text, found) if json else None
    if isinstance(status, Unfit):
        return status
    said = text.strip() if status is None else status.text
    known = set(_numbers_found(found))
    made_up = [each for each in numbers_in(_MARK.sub(" ", said)) if not known.issuperset(_plain(each))]
    if made_up:
        told = ", ".join(made_up[:_MOST_TOLD])
        return Unfit(f"these numbers were not found: {told}; write only numbers that the values have")
    return said if status is None else msgspec.json.encode(status).decode()


def _status(text: str, found: Retrieved) -> StatusV1Json | Unfit:
    """The object that was written, with all that is not the writer's as it was found."""
    given = object_in(text)
    if isinstance(given, Unfit):
        return given
    own: dict[str, object] = {name: given[name] for name in ("text", "numbers") if name in given}
    own |= {"route": "", "truth_mode": str(found.answer.gate.truth_mode)}
    try:
        return as_found(converted(own, StatusV1Json), found)
    except msgspec.ValidationError as error:
        return Unfit(f"status_v1_json: {error}")


def _numbers_found(found: Retrieved) -> Iterator[str]:
    """Every number that anybody could have read in what was found, or in the question."""
    answer = found.answer
    texts = [found.said, found.query, answer.note, str(answer.row_count)]
    for item in found.items:
        texts += (item.snippet, item.ref, *item.values)
    texts += (figure.value for figure in answer.figures)
    texts += (str(cell) for row in answer.rows for cell in row if cell is not None)
    for text in texts:
        for number in numbers_in(text):
            yield from _plain(number)


def _plain(number: str) -> set[str]:
    """1,200 and 1200 are one number, and a date is its parts."""
    return {_trimmed(_GROUPING.sub("", each)) for each in re.split(r"[-/:]", number) if _NUMBER.search(each)}


def _trimmed(number: str) -> str:
    return (number.rstrip("0").rstrip(".") if "." in number else number).lstrip("0") or "0"
