"""Whatever is sent to the routes of the OpenAPI document, the answer is one that the document has."""

import os
from typing import Any, Final

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from dragoman.contracts import errors
from dragoman.web.failures import DESCRIBED, STATUS, shape_of, status_of
from tests.web.ground import PATIENCE, Server, Talk, json_of

LONG: Final = os.environ.get("DRAGOMAN_PROOF") == "long"
EXAMPLES: Final = 150 if LONG else 3
CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def test_any_request_gets_a_documented_answer(server: Server) -> None:
    client = server.client("fuzz")
    document: dict[str, Any] = json_of(server.stranger().get("/openapi.json"))
    talk = Talk(client)
    talk.say("clients in Ireland")
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=server.url)
    headers = dict(client.headers)
    for operation in schema.get_all_operations():
        assert isinstance(operation, Ok), operation
        _try(operation.ok(), talk, headers)


def _try(operation: Any, talk: Talk, headers: dict[str, str]) -> None:
    @hypothesis.settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=not LONG,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=operation.as_strategy())
    def attempt(case: Any) -> None:
        if "session_id" in case.path_parameters and case.method != "DELETE":
            # Mostly a session that there is: otherwise nothing but 404 would be seen.
            case.path_parameters["session_id"] = talk.id
        response = case.call(headers=headers, timeout=PATIENCE)
        case.validate_response(response, checks=CHECKS)

    attempt()


def test_the_document_tells_states_apart_by_their_tag(server: Server) -> None:
    schemas = json_of(server.stranger().get("/openapi.json"))["components"]["schemas"]
    union = schemas["ChatResponse"]["properties"]["session_state"]
    assert union["discriminator"]["propertyName"] == "state"
    assert len(union["oneOf"]) == 18
    command = schemas["ChatResponse"]["properties"]["commands"]["anyOf"][0]["items"]
    assert len(command["oneOf"]) == 6
    assert set(schemas["EscapeAction"]["enum"]) == {"Clear", "Undo", "Cancel", "Skip", "CreateNew", "Edit"}
    assert {"StageTold", "TextTold", "RunTold", "Dropped", "Failure"} <= set(schemas)


def test_every_error_has_a_status_that_is_described() -> None:
    def below(kind: type[errors.DragomanError]) -> set[type[errors.DragomanError]]:
        return {kind}.union(*(below(each) for each in kind.__subclasses__()))

    for kind in below(errors.DragomanError):
        if kind.__init__ is not errors.DragomanError.__init__:
            # It says itself what is wrong: a few that are made of something else.
            assert next(status for each, status in STATUS if issubclass(kind, each)) in DESCRIBED
            continue
        error = kind("wrong", hint="mend it", place="here")
        assert status_of(error) in DESCRIBED, kind
        assert set(shape_of(error)) == {"code", "message", "hint", "details"}
    assert [kind for kind, _ in STATUS][-1] is errors.DragomanError


@pytest.mark.parametrize(
    "secret", ["postgres://bob:hunter22@db/x", "sk-proj-0123456789abcdefghij0123456789abcdefghij"]
)
def test_no_error_repeats_a_secret(secret: str) -> None:
    text = str(shape_of(errors.WorkspaceError(f"no {secret}", hint=secret, url=secret)))
    assert "hunter22" not in text
    assert "0123456789abcdefghij" not in text
