"""What a model is asked: the contract, and everything else fenced as data.

Whatever comes from a person, a database or a document stands inside one JSON object under keys of ours. A
text in it can contain anything and still cannot end its own string: it adds no message, no key and no tool.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from dragoman.contracts.model import Message, ModelRequest, Speaker, ToolCall
from dragoman.contracts.program import Program
from dragoman.contracts.record import Record
from dragoman.language.verbs.printer import print_line
from dragoman.locales.documents import model_texts_of
from dragoman.locales.registry import FALLBACK, language, languages
from dragoman.planning.contract import Asked, Candidate, Proposal
from dragoman.planning.model.catalog_slice import CatalogSlice
from dragoman.planning.model.masked_values import MaskedValues
from dragoman.planning.model.relevance import SaidValue
from dragoman.planning.model.tool import NAME, generate_pipeline

_MOST_SHOWN: Final = 2_000
"""So much of what it wrote a model is shown again when it is to repair it."""
_MOST_READINGS: Final = 6
_MOST_VALUES: Final = 20


class Prompt(Record, frozen=True, gc=True):
    """A request, with what is needed to read the reply: the readings by their number, the marks of values."""

    request: ModelRequest
    readings: tuple[Candidate, ...]
    masks: MaskedValues
    texts: Mapping[str, Any]


def prompt(
    asked: Asked,
    stands: Proposal,
    told: CatalogSlice,
    said: Sequence[SaidValue],
    *,
    choose: bool,
) -> Prompt:
    """The request for a program, or with `choose` for a choice alone."""
    spoken = asked.reading.language
    texts = model_texts_of(language(spoken if spoken in languages() else FALLBACK))
    readings, masks = readings_of(stands), MaskedValues(asked.text)
    data = _data(asked, readings, told, masks, choose=choose)
    values = {
        "marks": masks.legend,
        "found": [[each.words, each.column, each.value] for each in said[:_MOST_VALUES]],
        "entities": [[each.kind, each.name, each.id] for each in asked.reading.entities[:_MOST_VALUES]],
    }
    rules = (texts["contract"], texts["choosing"] if choose else texts["notation"])
    messages = (
        Message(Speaker.SYSTEM, "\n\n".join(rules)),
        Message(Speaker.USER, _json(data), values=f"\n{_json({'values': values})}" if _any(values) else ""),
    )
    tool = generate_pipeline(texts, len(readings), choose=choose)
    return Prompt(ModelRequest(messages, tools=(tool,), must_call=NAME), readings, masks, texts)


def readings_of(stands: Proposal) -> tuple[Candidate, ...]:
    """The readings that a model may choose among: those that were weighed, best first."""
    return stands.candidates[:_MOST_READINGS]


def repair(
    before: Prompt, written: str, calls: tuple[ToolCall, ...], problem: str, keys: str
) -> ModelRequest:
    """The same request once more, with what was wrong with the reply. `keys` may name keys of rows."""
    said = before.texts["repair"].replace("{problem}", problem)
    shown = written if len(written) <= _MOST_SHOWN else written[: _MOST_SHOWN - 1] + "…"
    # As a text and not as the call that it was: a broken call is refused by some providers, and what the
    # model wrote is quoted, so that no instruction in it stands among ours.
    quoted = _json({"written": shown or " ".join(call.name for call in calls)})
    again = (Message(Speaker.ASSISTANT, quoted), Message(Speaker.USER, said, values=keys))
    request = before.request
    return ModelRequest((*request.messages, *again), tools=request.tools, must_call=request.must_call)


def _data(
    asked: Asked,
    readings: tuple[Candidate, ...],
    told: CatalogSlice,
    masks: MaskedValues,
    *,
    choose: bool,
) -> dict[str, Any]:
    """What is known, in an order that changes as late as possible from one message to the next."""
    continuity, before = asked.continuity, asked.state.program
    in_hand = continuity.in_hand
    data: dict[str, Any] = {}
    if not choose:
        data["tables"] = list(told.tables)
        data["tables_left_out"] = told.left_out
        data["verbs"] = list(told.verbs)
    data["today"] = asked.today.isoformat()
    data["program_in_hand"] = _on_a_line(masks.masked(in_hand)) if in_hand else ""
    data["edited_by_user"] = before.edited_by_user and before.ast == in_hand
    data["frame"] = _frame(asked)
    data["readings"] = {
        str(number): _on_a_line(masks.masked(each.program)) for number, each in enumerate(readings, start=1)
    }
    data["language"] = asked.reading.language
    data["question"] = asked.text
    return data


def _frame(asked: Asked) -> dict[str, Any]:
    """What is being talked about, without a value of any row."""
    continuity = asked.continuity
    root, answer, attempt = continuity.root, continuity.last_found, continuity.attempt
    found: dict[str, Any] = {}
    if root is not None:
        found["domain"] = root.domain_id
        if root.date_scope is not None:
            found["period"] = [root.date_scope.start.isoformat(), root.date_scope.end.isoformat()]
    if answer is not None:
        columns = [column.name for column in answer.columns]
        found["last_answer"] = {"verb": answer.route, "columns": columns, "rows": answer.row_count}
    if attempt is not None:
        found["unanswered_question"] = attempt.message
    return found


def _on_a_line(program: Program) -> str:
    return " ".join(f"({print_line((each,))})" for each in program)


def _any(values: Mapping[str, Any]) -> bool:
    return any(values.values())


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
