"""What a model is told for its role: the rules of the role, and one JSON object of data.

Whatever comes from a person, a database or a document stands inside that object, under keys of ours: an
instruction in it can not end its string. What rows and passages say is apart, and leaves only where values
may leave.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from dragoman.answering.roles.contract import GenerateRequest, Retrieved
from dragoman.contracts.model import Message, ModelRequest, Speaker
from dragoman.contracts.model_settings import ModelRole
from dragoman.contracts.program import Program
from dragoman.contracts.roles import AnalystPlan, ArchitectSpec, RequestType
from dragoman.guards.guardian import GuardianCase
from dragoman.language.verbs.printer import print_line
from dragoman.planning.contract import Asked
from dragoman.planning.model.masked_values import MaskedValues

_MOST_ROWS: Final = 20
_MOST_ITEMS: Final = 12
_LONGEST: Final = 1_500
"""So much of a passage or a draft is shown."""

Texts = Mapping[str, Any]


def request_to(
    role: ModelRole,
    texts: Texts,
    data: Mapping[str, object],
    values: Mapping[str, object] | None = None,
    schema: dict[str, Any] | None = None,
) -> ModelRequest:
    """The request for one role. With a `schema` the reply is to be an object of that form."""
    rules = f"{texts['common']}\n\n{texts[str(role)]}"
    beside = f"\n{_json({'values': values})}" if values else ""
    messages = (Message(Speaker.SYSTEM, rules), Message(Speaker.USER, _json(data), values=beside))
    return ModelRequest(messages, response_schema=schema, response_name=str(role))


def data_of_question(asked: Asked, program: Program) -> tuple[dict[str, object], dict[str, object]]:
    """For the analyst: the question and the program that was chosen, and what marks in it stand for."""
    masks = MaskedValues(asked.text)
    shown = " ".join(f"({print_line((each,))})" for each in masks.masked(program))
    data: dict[str, object] = {
        "types": [str(each) for each in RequestType if each is not RequestType.CASUAL],
        "today": asked.today.isoformat(),
        "program": shown,
        "language": asked.reading.language,
        "question": asked.text,
    }
    return data, {"marks": masks.legend} if masks.legend else {}


def data_of_finding(plan: AnalystPlan, found: Retrieved) -> tuple[dict[str, object], dict[str, object]]:
    """For who specifies and writes: what was found, by its form; and what it says."""
    answer = found.answer
    data: dict[str, object] = {
        "plan": msgspec.to_builtins(plan),
        "route": answer.route,
        "columns": [column.name for column in answer.columns],
        "rows": answer.row_count,
        "truth_mode": str(answer.gate.truth_mode),
        "limits": list(answer.gate.reason_codes),
        "evidence": [
            {"number": number, "source": str(item.source), "ref": item.ref, "confidence": item.confidence}
            for number, item in enumerate(found.items[:_MOST_ITEMS], 1)
        ],
        "language": found.language,
        "question": found.query,
    }
    values: dict[str, object] = {
        "finding": found.said[:_LONGEST],
        "first_rows": [list(row) for row in answer.rows[:_MOST_ROWS]],
        "figures": {figure.name: figure.value for figure in answer.figures},
        "passages": {item.ref: item.snippet[:_LONGEST] for item in found.items[:_MOST_ITEMS]},
    }
    return data, values


def wishes(spec: ArchitectSpec | None, how: GenerateRequest) -> dict[str, object]:
    """For the writer: what the draft must be, and what was wrong with the one before."""
    said: dict[str, object] = {"spec": msgspec.to_builtins(spec) if spec is not None else {}}
    asked_again = {
        "add_sections": how.sections,
        "leave_out": list(how.without),
        "use_terms": list(how.terms),
        "name_evidence_of_numbers": how.references,
        "one_json_object": how.as_json,
    }
    said["say"] = list(how.say)
    said["attempt"] = how.attempt
    said["again"] = {name: wish for name, wish in asked_again.items() if wish}
    return said


def data_of_case(case: GuardianCase) -> tuple[dict[str, object], dict[str, object]]:
    """For the guardian: the draft that has passed, and what it rests on."""
    data: dict[str, object] = {
        "request_type": str(case.request_type),
        "track": str(case.track),
        "spec": msgspec.to_builtins(case.spec) if case.spec is not None else {},
        "coverage": str(case.coverage) if case.coverage is not None else "",
        "evidence": [
            {"source": str(item.source), "ref": item.ref, "confidence": item.confidence}
            for item in case.evidence[:_MOST_ITEMS]
        ],
    }
    values: dict[str, object] = {
        "draft": case.draft[: 2 * _LONGEST],
        "passages": {item.ref: item.snippet[:_LONGEST] for item in case.evidence[:_MOST_ITEMS]},
    }
    return data, values


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
