"""How a request fails: one shape for every error, and the status that its class has."""

from typing import Any, Final

import msgspec
from fastapi import Response

from dragoman.contracts import errors as e
from dragoman.web.chat_response import Failure
from dragoman.workspace.guards import scrubbed, scrubbed_value

JSON: Final = "application/json"

STATUS: Final[tuple[tuple[type[e.DragomanError], int], ...]] = (
    (e.Unauthorized, 401),
    (e.OriginRefused, 403),
    (e.RouteNotFound, 404),
    (e.MethodNotAllowed, 405),
    (e.BodyUnreadable, 400),
    (e.BodyTypeRefused, 415),
    (e.BodyTooLarge, 413),
    (e.TooManyRequests, 429),
    (e.ServerBusy, 503),
    (e.TokenNotFound, 404),
    (e.ResumeImpossible, 409),
    (e.InputTooLong, 413),
    (e.SessionNotFound, 404),
    (e.SessionOfAnother, 404),
    (e.SessionIdRefused, 404),
    (e.TurnNotFound, 404),
    (e.ReportNotFound, 404),
    (e.ResultNotFound, 404),
    (e.RunNotFound, 404),
    (e.RunOfAnother, 404),
    (e.ConnectionUnknown, 404),
    (e.SessionError, 409),
    (e.ResolutionRefused, 409),
    (e.RunBusy, 409),
    (e.StoreBusy, 503),
    (e.StoreError, 503),
    (e.RecordError, 500),
    (e.WorkspaceClosed, 503),
    (e.AccessError, 503),
    (e.MemoryLimitExceeded, 503),
    (e.EntityIndexMissing, 404),
    (e.EntityIndexError, 503),
    (e.InternalError, 500),
    (e.DragomanError, 422),
)
"""The first that fits. What a person sent and cannot be done as sent is 422."""

DESCRIBED: Final = {
    400: "The body cannot be read, or a header says two things.",
    401: "No token, or none that is valid.",
    403: "From another site, or for another host.",
    404: "There is no such thing, or it is somebody else's.",
    405: "The route has no such method.",
    408: "The body did not arrive in time.",
    409: "It does not fit where the session stands. Nothing changed.",
    413: "The body or the message is too large.",
    415: "The route takes application/json.",
    422: "A field is wrong; every one is named.",
    429: "Too many requests. Retry-After says when.",
    500: "A defect, or what is stored is damaged.",
    503: "The server, its store or a database cannot do it now. Trying again is safe.",
}

RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": Failure, "description": text} for status, text in DESCRIBED.items()
}


def status_of(error: e.DragomanError) -> int:
    return next(status for kind, status in STATUS if isinstance(error, kind))


def shape_of(error: e.DragomanError) -> dict[str, Any]:
    """The error as it goes out. Whose session it is nobody is told who may not see it."""
    if isinstance(error, e.SessionNotFound | e.SessionOfAnother | e.SessionIdRefused):
        error = session_not_found(str(error.details.get("session_id", "")))
    details = scrubbed_value(msgspec.to_builtins(dict(error.details)))
    return {
        "code": error.code,
        "message": scrubbed(error.message),
        "hint": scrubbed(error.hint),
        "details": details,
    }


def failed(error: e.DragomanError, status: int | None = None) -> Response:
    status = status or status_of(error)
    headers = {}
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="dragoman"'
    if status in (429, 503):
        headers["Retry-After"] = str(error.details.get("retry_after", 1))
    return Response(msgspec.json.encode(shape_of(error)), status, headers, JSON)


def session_not_found(session_id: str) -> e.SessionNotFound:
    return e.SessionNotFound(
        "there is no such session", hint="GET /api/sessions lists yours", session_id=session_id[:80]
    )
