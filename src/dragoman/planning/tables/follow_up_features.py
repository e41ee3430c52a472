"""What speaks for and against a reading of a message that may follow another: features with a name each."""

from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.planning.tables.follow_up_cues import Context
from dragoman.planning.tables.fragment import Fragment
from dragoman.planning.tables.statement_parts import StatementParts
from dragoman.planning.tables.unnamed_edits import Edit
from dragoman.planning.tables.weights import Feature
from dragoman.tables.paths import ColumnPath

_LEANING = (
    "plural",
    "singular",
    "also",
    "about",
    "begins",
    "instead",
    "same",
    "only",
    "ones",
    "rows",
    "undo",
    "reverse",
)
_SHORT = 4
_LONG = 10


class Candidate(Record, frozen=True):
    """A statement that may be meant. `kind` is `fresh` where it owes nothing to the statement in hand."""

    statement: Statement
    kind: str
    features: tuple[Feature, ...]
    uncovered: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    alone: float = 0.0
    """How sure it would be if nothing had been asked before."""


def fresh_features(
    context: Context, place: int, own: StatementParts | None, previous: StatementParts, about: str
) -> tuple[Feature, ...]:
    """`about`: what the message speaks of, read as a change of the statement in hand."""
    found = [("fresh", 1.0), ("fresh.place", float(place)), (f"fresh.about={about}", 1.0)]
    if about in ("table", "nothing"):
        found.append((f"fresh.about={about}@{_shape(previous)}", 1.0))
    found += [(f"fresh:{kind}", 1.0) for kind in _kinds(context)]
    found.append((f"fresh:{_length(context)}", 1.0))
    if own is not None:
        found.append(("fresh.table.same" if own.table is previous.table else "fresh.table.other", 1.0))
        found.append((f"fresh.shape:{_shape(own)}", 1.0))
        found.append((f"fresh.shape.{'same' if _shape(own) == _shape(previous) else 'other'}", 1.0))
        if own.shown is not None and previous.shown is not None:
            found.append((f"fresh.shown.{_likeness(own, previous)}", 1.0))
        if own.holds and previous.holds:
            ours = {(each.links, each.key) for each in own.holds}
            theirs = {(each.links, each.key) for each in previous.holds}
            found.append(("fresh.holds.alike" if ours & theirs else "fresh.holds.unlike", 1.0))
        elif previous.holds or previous.top is not None:
            found.append(("fresh.forgets", 1.0))
    return tuple(found)


def edit_features(
    context: Context, edit: Edit, said: Fragment, previous: StatementParts
) -> tuple[Feature, ...]:
    kind, parts = edit.kind, edit.parts
    group = kind.partition(".")[0]
    found = [("edit", 1.0), (f"kind={kind}", 1.0), (f"edit.about={said.about}", 1.0)]
    found.append((f"{group}.about={said.about}", 1.0))
    for leaning in _kinds(context):
        found.append((f"edit:{leaning}", 1.0))
        found.append((f"{group}:{leaning}", 1.0))
        if kind != group:
            found.append((f"{kind}:{leaning}", 1.0))
    found += [(f"edit:{_length(context)}", 1.0), (f"{kind}@{_shape(previous)}", 1.0)]
    if said.subjects:
        same = any(table is previous.table for table in said.subjects)
        found.append((f"{group}.subject.{'same' if same else 'other'}", 1.0))
        found.append((f"edit.subject.{'same' if same else 'other'}", 1.0))
    if not previous.holds and previous.top is None and previous.having is None:
        found.append((f"{group}.nothing.kept", 1.0))
    if said.holds:
        found.append((f"{group}.holds", 1.0))
        ours = {(each.links, each.key) for each in said.holds}
        alike = ours & {(each.links, each.key) for each in previous.holds}
        found.append((f"{group}.replaces" if alike else f"{group}.adds", 1.0))
    if said.extreme is not None or said.most is not None:
        found.append((f"{group}.extreme", 1.0))
    if previous.top is not None and parts.top is not None:
        found.append((f"{group}.keeps.top", 1.0))
    if said.wanted and not previous.joined:
        found.append(("edit.joins", 1.0))
    if previous.shown is not None and said.shown:
        known = [each for each in said.shown if each in previous.shown]
        found.append((f"{kind}.shown.known" if known else f"{kind}.shown.new", 1.0))
    return tuple(found)


def _kinds(context: Context) -> list[str]:
    return [kind for kind in _LEANING if context.has(kind)] or ["none"]


def _length(context: Context) -> str:
    if context.words <= _SHORT:
        return "short"
    return "long" if context.words >= _LONG else "middling"


def _shape(parts: StatementParts) -> str:
    if parts.by:
        return "first.groups" if parts.top is not None else "groups"
    if not parts.rows:
        return parts.verb.value
    return "first" if parts.top is not None else "rows"


def _likeness(own: StatementParts, previous: StatementParts) -> str:
    """Whether two statements show the same columns, some of them, or none."""
    ours = {(each.column.info.name, each.part) for each in own.shown or () if isinstance(each, ColumnPath)}
    theirs = {(e.column.info.name, e.part) for e in previous.shown or () if isinstance(e, ColumnPath)}
    if ours == theirs:
        return "same"
    return "some" if ours & theirs else "none"
