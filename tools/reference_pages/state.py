"""docs/reference/state.md: the session state, object by object."""

import msgspec

from dragoman.contracts import (
    answer,
    answer_shapes,
    edits,
    evidence,
    finding,
    model_events,
    objection,
    origin,
    program,
    readings,
    report,
    resolution,
    roles,
    stages,
    state,
    taught,
    viewer,
)
from dragoman.contracts.record import Record
from tools.reference_pages.markdown import fields_table, own_words, page

_INTRODUCTION = f"""\
The session aggregate and everything in it. [The session](../session.md) explains how it is made. The format
has version {state.STATE_VERSION}. Fields with their default value are omitted on the wire; unknown fields are
errors. As JSON Schema: [schema.json](schema.json), or `dragoman schema SessionState`."""

_BOUNDS = f"""\
The aggregate is bounded: {state.MAX_ANSWERS} answers, {state.MAX_HISTORY} checkpoints for undo, and
{answer.PREVIEW_ROWS} rows of a result in an answer."""


def state_page() -> str:
    sections = [
        ("The session", state),
        ("Answers", answer),
        ("Programs", program),
        ("Resolutions", resolution),
        ("Edits", edits),
        ("Reports", report),
        ("Findings", finding),
        ("Readings", readings),
        ("Objections", objection),
        ("Roles", roles),
        ("Models", model_events),
        ("Stages", stages),
        ("Shapes of answers", answer_shapes),
        ("Requests for evidence", evidence),
        ("Words that are taught", taught),
        ("Viewers", viewer),
        ("Origins of forks", origin),
    ]
    blocks = [
        block
        for title, module in sections
        for block in (f"## {title}", *(_section(struct) for struct in records(module.__name__)))
    ]
    return page("State", _INTRODUCTION, _BOUNDS, *blocks)


def records(module: str) -> list[type[Record]]:
    """The records that a module of the contracts defines; of the state, the whole before its parts."""
    found = [kind for kind in Record.__subclasses__() if kind.__module__ == module]
    return sorted(found, key=lambda kind: kind is not state.SessionState)


def _section(struct: type[msgspec.Struct]) -> str:
    tag = struct.__struct_config__.tag
    marked = f"Its `{struct.__struct_config__.tag_field}` on the wire is `{tag}`." if tag else ""
    words = " ".join(part for part in (own_words(struct), marked) if part)
    return "\n\n".join(part for part in (f"### {struct.__name__}", words, fields_table(struct)) if part)
