"""What becomes of a name in a reading: the roles it may have where it stands."""

from collections.abc import Iterator

from dragoman.planning.tables.column_roles import column_roles
from dragoman.planning.tables.name_linker import Named
from dragoman.planning.tables.partial_reading import Draft, Waiting
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.scoped_message import EXACT, ScopedMessage
from dragoman.planning.tables.table_roles import table_roles
from dragoman.planning.tables.weights import Feature

_WEAK = 0.6
_NEAR = 3
_KEY_WORDS = frozenset({"id", "code", "number", "key", "identifier"})


def after_name(message: ScopedMessage, draft: Draft, name: Named) -> Iterator[Draft]:
    """The draft with a table or a column in each role that it may have."""
    thing = name.thing
    kind = "column" if thing.column is not None else "table"
    again = kind == "table" and (thing in draft.subjects or thing in draft.linked)
    if again and name.score < EXACT and message.is_value(name.start, name.end):
        # "How many books are novels": the table was named, the second word says which of its rows.
        return
    link = _link_features(message, draft, name, kind)
    if again:
        link += [("table.again", 1.0), ("table.again.otherwise", 1.0 - name.score)]
    note = f"{' '.join(token.text for token in message.tokens[name.start : name.end])} = {thing.full_name}"
    if kind == "column" and name.end - name.start == 1 and draft.zone == "show":
        yield from _both_names(message, draft, name, link, note)
    roles = (
        column_roles(draft, thing)
        if kind == "column"
        else table_roles(draft, thing, is_modifier=message.names_follow(name.end))
    )
    before, after = message.before(name.start), message.after(name.end)
    place, sort = f"{draft.zone}:{draft.waiting.main}", _sort(thing)
    for role, further in roles:
        features = [*link, (f"{role}@{place}", 1.0)]
        if kind == "column":
            features.append((f"{role}.{sort}", 1.0))
        features += [(f"{kind}.{role}<{before}", 1.0), (f"{kind}.{role}>{after}", 1.0)]
        if name.score < _WEAK:
            features.append((f"{role}.weak", 1.0))
        if role in ("having", "limited", "compared"):
            gap = max(0, name.start - draft.waiting.numbered)
            features += [(f"{role}.gap", float(min(gap, 3))), (f"{role}.near", float(gap == 0))]
        notes = (*draft.notes, f"{note} ({role})")
        yield message.gained(further, features, notes=notes, before=thing, ended=name.end)


def _link_features(message: ScopedMessage, draft: Draft, name: Named, kind: str) -> list[Feature]:
    """What speaks for the words to be this name, whatever its role."""
    link: list[Feature] = [
        (f"link.{kind}", name.score),
        (f"named.{kind}", 1.0),
        (f"link.{kind}.exact", 1.0 if name.score > EXACT else 0.0),
        ("link.words", float(name.end - name.start - 1)),
        (f"link.{kind}.weak", 1.0 if name.score < _WEAK else 0.0),
        *_agreement(message, draft, name),
    ]
    if kind == "column":
        link.append(("link.key" if name.thing.is_key else "link.plain", 1.0))
        if name.thing.table.key != message.scope.root.key:
            link.append(("link.other", 1.0))
        if name.thing.is_key and not _says_key(message, name):
            link.append(("link.key.unsaid", 1.0))
    return link


def _sort(thing: Thing) -> str:
    if thing.is_key:
        return "key"
    return "number" if thing.is_number else "date" if thing.is_date else "text"


def _says_key(message: ScopedMessage, name: Named) -> bool:
    said = {token.stem for token in message.tokens[name.start : name.end]}
    return bool(said & _KEY_WORDS) or not {"id", "code"} & set(name.thing.words)


def _agreement(message: ScopedMessage, draft: Draft, name: Named) -> list[Feature]:
    """Whether a column and the table named beside it belong together: "student ids", "names of students"."""
    before, thing = draft.before, name.thing
    if before is None:
        return []
    near = name.start - draft.ended
    if before.column is None and thing.column is not None and near == 0:
        return [("agree.compound" if before.table is thing.table else "agree.compound.not", 1.0)]
    if before.column is not None and thing.column is None and 0 < near <= _NEAR:
        between = {token.low for token in message.tokens[draft.ended : name.start]}
        if between & {"of", "for", "from"}:
            return [("agree.of" if before.table is thing.table else "agree.of.not", 1.0)]
    if before.column is not None and thing.column is not None and near <= _NEAR:
        return [("agree.row" if before.table is thing.table else "agree.row.not", 1.0)]
    return []


def _both_names(
    message: ScopedMessage, draft: Draft, name: Named, link: list[Feature], note: str
) -> Iterator[Draft]:
    """A person's name, where a table has its two parts."""
    if message.tokens[name.start].stem != "name" or set(name.thing.required) != {"first", "name"}:
        return
    parts = message.things.names_of(name.thing.table)
    if len(parts) > 1:
        features = [*link, (f"show@{draft.zone}:{draft.waiting.main}", 1.0), ("show.both.names", 1.0)]
        if name.start and message.tokens[name.start - 1].low in ("full", "complete"):
            features.append(("show.both.names.full", 1.0))
        shown = (*draft.shown, *(part for part in parts if part not in draft.shown))
        yield message.gained(
            draft,
            features,
            shown=shown,
            last=name.thing,
            waiting=Waiting(),
            notes=(*draft.notes, f"{note} (show)"),
        )
