"""JSON Schema of every state object and event, as one document or one of its parts."""

import difflib
import typing
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from dragoman.contracts.answer_shapes import AnswerV1Markdown, StatusV1Json
from dragoman.contracts.errors import UnknownSchema
from dragoman.contracts.events import SessionEvent
from dragoman.contracts.roles import OutputSchemaId
from dragoman.contracts.state import STATE_VERSION, LivingModeState, SessionState

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_PREFIX = "#/$defs/"

Schema = dict[str, Any]


SHAPES: Final = {
    str(OutputSchemaId.ANSWER_V1_MARKDOWN): AnswerV1Markdown,
    str(OutputSchemaId.STATUS_V1_JSON): StatusV1Json,
}
"""The shapes that a plan may promise an answer in, by their names."""


def event_kinds() -> dict[str, type[SessionEvent]]:
    """The events by the kind under which they are stored."""
    kinds: tuple[type[SessionEvent], ...] = typing.get_args(SessionEvent)
    return {str(kind.__struct_config__.tag): kind for kind in kinds}


def schema_document() -> Schema:
    """Everything that a session is made of, under `$defs`; a value is a state or an event."""
    event = {
        "title": "SessionEvent",
        "description": "Something that happened to a session; `kind` says what.",
        "anyOf": [{"$ref": f"{_PREFIX}{kind.__name__}"} for kind in event_kinds().values()],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {tag: f"{_PREFIX}{kind.__name__}" for tag, kind in event_kinds().items()},
        },
    }
    _, definitions = msgspec.json.schema_components(
        [SessionState, LivingModeState, *SHAPES.values(), *event_kinds().values()],
        ref_template=f"{_PREFIX}{{name}}",
    )
    definitions["SessionEvent"] = event
    return {
        "$schema": DIALECT,
        "title": f"Dragoman session state (version {STATE_VERSION}) and events",
        "anyOf": [{"$ref": f"{_PREFIX}SessionState"}, {"$ref": f"{_PREFIX}SessionEvent"}],
        "$defs": dict(sorted(definitions.items())),
    }


def schema_of(name: str) -> Schema:
    """The schema of one state object, event or vocabulary, with what it refers to.

    An event may be named by its class (`TurnOpened`) or by its kind (`turn_opened`), the shape of an answer
    by what a plan calls it (`status_v1_json`).
    """
    definitions: dict[str, Schema] = schema_document()["$defs"]
    kinds: dict[str, type[Any]] = {**event_kinds(), **SHAPES}
    wanted = kinds[name].__name__ if name in kinds else name
    if wanted not in definitions:
        raise _unknown(name, [*definitions, *kinds])
    reached = _reached(wanted, definitions)
    return {
        "$schema": DIALECT,
        "$ref": f"{_PREFIX}{wanted}",
        "$defs": {key: definitions[key] for key in sorted(reached)},
    }


def _reached(name: str, definitions: dict[str, Schema]) -> set[str]:
    found: set[str] = set()
    pending = [name]
    while pending:
        current = pending.pop()
        if current not in found:
            found.add(current)
            pending.extend(_references(definitions[current]))
    return found


def _references(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield reference.removeprefix(_PREFIX)
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _references(item)


def _unknown(name: str, names: list[str]) -> UnknownSchema:
    spellings = {known.casefold(): known for known in names}
    near = [spellings[close] for close in difflib.get_close_matches(name.casefold(), spellings, n=5)]
    hint = f"did you mean {' or '.join(near)}?" if near else "`dragoman schema` prints all of them"
    return UnknownSchema(
        f"there is no state object or event {name!r}", hint=hint, name=name[:100], near=list(near)
    )
