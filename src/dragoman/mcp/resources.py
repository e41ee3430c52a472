"""The resources: sessions, programs in hand, and the catalog. Each is read anew when it is asked for."""

import json
from collections.abc import Callable
from itertools import islice
from typing import Final
from urllib.parse import quote, unquote

import msgspec
from mcp_types import Resource, ResourceTemplate

from dragoman.contracts import events as ev
from dragoman.contracts.record import Record
from dragoman.contracts.state import SessionState
from dragoman.contracts.verb import VerbSignature
from dragoman.contracts.vocabulary import Notation
from dragoman.mcp.conversation import listed
from dragoman.workspace import living_mode
from dragoman.workspace.gated import GatedWorkspace, waiting_write

SCHEME: Final = "dragoman://"
JSON: Final = "application/json"
VERBS: Final = "text/x-dragoman"
OML: Final = "application/yaml"
_LISTED: Final = 50
_MOST_TURNS: Final = 100
_MOST_VERBS: Final = 5_000


class Content(Record, frozen=True):
    mime_type: str
    text: str


def all_resources(workspace: GatedWorkspace) -> list[Resource]:
    """The lists, and the newest sessions with their programs."""
    found = [
        _resource("sessions", "Sessions", "The sessions that may be seen, newest first."),
        _resource("programs", "Programs", "The programs in hand in these sessions."),
        _resource("catalog", "Catalog", "Connections, and the verbs that programs may call."),
    ]
    for head in workspace.sessions(limit=_LISTED):
        place, name = f"sessions/{quote(head.id, safe='')}", head.title or head.id
        found.append(_resource(place, name, f"A session of {head.version} turns."))
        found.append(_resource(f"{place}/program", f"{name}: program", "Its program in hand.", VERBS))
    return found


def templates() -> list[ResourceTemplate]:
    made = (
        ("session", "sessions/{id}", "Its turns and its state.", JSON),
        ("program", "sessions/{id}/program", "Its program in hand, as text.", VERBS),
        ("verb", "catalog/{verb}", "The signature of a verb.", JSON),
    )
    return [
        ResourceTemplate(name=name, uri_template=f"{SCHEME}{path}", description=says, mime_type=kind)
        for name, path, says, kind in made
    ]


def read_resource(workspace: GatedWorkspace, uri: str) -> Content | None:
    """What a resource says now; None where there is no such resource. Raises what the workspace raises."""
    if not uri.startswith(SCHEME):
        return None
    match [unquote(part) for part in uri.removeprefix(SCHEME).split("/")]:
        case [("sessions" | "programs" | "catalog") as name]:
            return _json(_LISTS[name](workspace))
        case ["sessions", session]:
            return _json(_session(workspace, session))
        case ["sessions", session, "program"]:
            program = workspace.state(session).program
            return Content(OML if program.notation is Notation.OML else VERBS, program.source)
        case ["catalog", verb]:
            signature = workspace.programs.catalog.signature(verb)
            return None if signature is None else _json(signature)
        case _:
            return None


def _sessions(workspace: GatedWorkspace) -> object:
    return {"sessions": [listed(head) for head in workspace.sessions(limit=_LISTED)]}


def _programs(workspace: GatedWorkspace) -> object:
    found = []
    for head in workspace.sessions(limit=_LISTED):
        program = workspace.state(head.id).program
        if program.source:
            told = {"session_id": head.id, "title": head.title, "phase": program.phase}
            found.append({**told, "notation": program.notation, "program": program.source})
    return {"programs": found}


def _catalog(workspace: GatedWorkspace) -> object:
    catalog = workspace.programs.catalog
    signatures = (catalog.signature(name) for name in islice(catalog.verb_names(), _MOST_VERBS))
    return {
        "connections": [
            {"name": spec.name, "family": spec.family, "default": spec.default}
            for spec in workspace.databases.connections().specs
        ],
        "verbs": [_verb(signature) for signature in signatures if signature is not None],
    }


_LISTS: Final[dict[str, Callable[[GatedWorkspace], object]]] = {
    "sessions": _sessions,
    "programs": _programs,
    "catalog": _catalog,
}


def _verb(signature: VerbSignature) -> object:
    arguments = [argument.name for argument in signature.arguments]
    return {
        "name": signature.name,
        "title": signature.title,
        "effect": signature.effect,
        "arguments": arguments,
    }


def _session(workspace: GatedWorkspace, session: str) -> object:
    head, state = workspace.session(session), workspace.state(session)
    turns = [
        {
            "turn": result.turn,
            "message": next((e.message for e in events if isinstance(e, ev.TurnOpened)), ""),
            "transition": result.transition,
            "answer_mode": result.answer_mode,
            "answer": result.message,
        }
        for events, result in workspace.turns(session)
        if result.turn > head.version - _MOST_TURNS
    ]
    return {**msgspec.to_builtins(listed(head)), **_view(session, state), "turns": turns}


def _view(session: str, state: SessionState) -> dict[str, object]:
    return {
        "mode": living_mode(state),
        "phase": state.program.phase,
        "program": state.program.source,
        "waiting_write": waiting_write(session, state),
    }


def _resource(path: str, name: str, says: str, mime_type: str = JSON) -> Resource:
    return Resource(uri=f"{SCHEME}{path}", name=name, description=says, mime_type=mime_type)


def _json(value: object) -> Content:
    return Content(JSON, json.dumps(msgspec.to_builtins(value), ensure_ascii=False))
