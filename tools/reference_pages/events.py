"""docs/reference/events.md: every event, its fields, and what it does to the state."""

import typing

from dragoman.cli.reference.schemas import event_kinds
from dragoman.contracts.events import SessionEvent
from dragoman.contracts.state import SessionState
from dragoman.session.enforcement import changed_parts
from dragoman.session.phases import PHASE_EDGES
from dragoman.session.reducer import apply
from tools.reference_pages.examples import full_state, smallest
from tools.reference_pages.markdown import anchor, code, fields_table, own_words, page, table

_INTRODUCTION = """\
Everything that can happen to a session. A record of the store is a list of these, encoded as JSON; `kind`
names the event, `v` is the version of its format, and every field of the event itself is written. "Touches"
lists what folding the event into a state changes. As JSON Schema: [schema.json](schema.json), or
`dragoman schema turn_opened`."""

_UNCOUNTED = "no part of the state"


def events_page() -> str:
    kinds = event_kinds()
    rows = [
        (f"[{kind}](#{anchor(kind)})", str(version_of(struct)), _touches(struct))
        for kind, struct in kinds.items()
    ]
    sections = [_section(kind, struct) for kind, struct in kinds.items()]
    return page("Events", _INTRODUCTION, table(("kind", "version", "touches"), rows), *sections)


def version_of(struct: type[SessionEvent]) -> int:
    """The current version of an event's shape."""
    (version,) = typing.get_args(typing.get_type_hints(struct)["v"])
    return int(version)


def _section(kind: str, struct: type[SessionEvent]) -> str:
    touches = f"Touches {_touches(struct)}.{_moves(kind)}"
    parts = (f"## {kind}", own_words(struct), touches, fields_table(struct))
    return "\n\n".join(part for part in parts if part)


def _touches(struct: type[SessionEvent]) -> str:
    """What folding one changes, in an empty state or in a full one."""
    event = smallest(struct)
    touched: set[str] = set()
    for before in (SessionState(), full_state()):
        after = apply(before, event)
        touched |= set(changed_parts(before, after))
        touched |= {name for name in ("owner", "opened_at") if getattr(before, name) != getattr(after, name)}
    return code(sorted(touched), _UNCOUNTED)


def _moves(kind: str) -> str:
    targets = dict.fromkeys(edge.target for edge in PHASE_EDGES if kind in edge.by.split(", "))
    return f" Moves the program to {code(targets)}." if targets else ""
