"""The plain arguments of verbs that read: what a message says of them, and what it leaves to be asked for."""

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.pack import ArgumentKind
from dragoman.contracts.program import Binding, Boolean, Integer, Text
from dragoman.contracts.record import Record
from dragoman.contracts.state import ClarificationState
from dragoman.contracts.vocabulary import Origin, Signal, TransitionClass
from dragoman.planning.contract import Asked, Question, Request
from dragoman.planning.packs.anchors import bindings_of
from dragoman.planning.packs.argument_options import offered, plain_arguments
from dragoman.planning.packs.plain_values import Plain, find_plain, heard
from dragoman.reading.reading import Mention, MentionKind, Reading
from dragoman.reading.tokens import fold, tokens_of
from dragoman.session.carryover import ORIGINS
from dragoman.session.continuity import Continuity
from dragoman.session.routing import Routing

_TAKEN = (MentionKind.ENTITY, MentionKind.OBJECT, MentionKind.VERB, MentionKind.ACTION, MentionKind.EXTEND)
_NEXT_TO = 2
"""So far a word may stand from the number it goes with: top 5."""


class PlainSaid(Record, frozen=True):
    """A reading without the words that plain arguments account for, and those arguments."""

    reading: Reading
    verb: str = ""
    values: tuple[Plain, ...] = ()


def plain_said(asked: Asked) -> PlainSaid:
    """What a message says of the plain arguments of the verb that it is about: its own, the one that waits
    for an answer, or the one of the slice in hand."""
    reading, pending = asked.reading, asked.continuity.clarification
    verb = _verb(asked)
    if verb is None or reading.phrase is not None or reading.wants_write or not plain_arguments(verb):
        return PlainSaid(reading)
    waits = pending is not None and pending.resume_target_route == verb.signature.name
    wanted = pending.missing_anchors[0] if pending is not None and waits and pending.missing_anchors else ""
    own = [m for kind in _TAKEN for m in reading.of_kind(kind)]
    message = heard(asked.text, reading, _spans(asked.text, own, reading.uncovered))
    if verb.date_use is not None:
        message = message.without([(p.start, p.end) for p in reading.dates])
    found = find_plain(verb, plain_arguments(verb), message, asked.catalog, asked.today, asked=wanted)
    if waits and wanted in plain_arguments(verb) and pending is not None:
        found = (*(each for each in found if each.name != wanted), *_chosen(asked, pending, wanted, found))
    if not found:
        return PlainSaid(reading)
    return PlainSaid(_without(reading, asked.text, found), verb.signature.name, found)


def with_signals(signals: tuple[Signal, ...], said: PlainSaid, asked: Asked) -> tuple[Signal, ...]:
    """What plain values make of a message: the answer to the question for one, or another filter."""
    pending, root = asked.continuity.clarification, asked.continuity.root
    if not said.values or Signal.OPENS_ROOT in signals:
        return signals
    names = {each.name for each in said.values}
    waits = pending is not None and pending.resume_target_route == said.verb
    if waits and pending is not None and pending.missing_anchors[0] in names:
        return (Signal.FITS_CLARIFICATION,)
    follows = root is not None and root.root_route_id == said.verb and not said.reading.verbs
    objects = {Signal.OBJECT_NAMED, Signal.OBJECT_PICKED, Signal.ACTION, Signal.ANAPHOR, Signal.UNCOVERED}
    if follows and objects.isdisjoint(signals):
        return tuple(dict.fromkeys((*(s for s in signals if s is not Signal.CHAT), Signal.SHIFT)))
    return signals


def with_plain(
    planned: Request | Question, said: PlainSaid, continuity: Continuity, routing: Routing, catalog: Catalog
) -> Request | Question:
    """The request with its plain arguments; a question for the first that it cannot do without."""
    verb = planned.verb
    arguments = plain_arguments(verb)
    if not arguments:
        return planned
    given = {each.name: each.value for each in said.values} if said.verb == verb.signature.name else {}
    known = {each.name: each for each in _held(verb, continuity, routing) if each.name in arguments}
    known |= {name: Binding(name, value, Origin.MESSAGE) for name, value in given.items()}
    ordered = tuple(known[name] for name in arguments if name in known)
    planned = replace(planned, bindings=(*planned.bindings, *ordered))
    if isinstance(planned, Question):
        return planned
    missing = tuple(n for n, argument in arguments.items() if argument.required and n not in known)
    if not missing:
        return planned
    return Question(verb, missing, offered(verb, missing[0], catalog), planned.bindings)


def starts_anew(continuity: Continuity, entry: TransitionClass) -> bool:
    """Whether a request edits nothing: it is a question of its own, or the answer that completes one."""
    pending = continuity.clarification
    if entry is TransitionClass.T7 and pending is not None:
        return pending.resume_target_frame.entry_class is TransitionClass.T1
    return entry is TransitionClass.T1


def _verb(asked: Asked) -> CatalogVerb | None:
    reading, continuity, catalog = asked.reading, asked.continuity, asked.catalog
    pending, root = continuity.clarification, continuity.root
    name = reading.verb or (reading.actions[0] if len(reading.actions) == 1 else "")
    if not name and pending is not None and pending.resume_target_route in catalog.all_verbs:
        name = pending.resume_target_route
    if not name and root is not None:
        name = root.root_route_id
    verb = catalog.all_verbs.get(name)
    return verb if verb is not None and plain_arguments(verb) else None


def _spans(text: str, mentions: list[Mention], uncovered: tuple[str, ...]) -> list[tuple[int, int]]:
    """The words of mentions; what only stands between them is not theirs: list closed accounts."""
    return [
        (token.start, token.end)
        for token in tokens_of(text)
        if token.form not in uncovered and any(m.start <= token.start < m.end for m in mentions)
    ]


def _held(verb: CatalogVerb, continuity: Continuity, routing: Routing) -> tuple[Binding, ...]:
    """What was said of a request that waits, and what the program in hand says, where that is edited."""
    pending, base, name = continuity.clarification, continuity.base, verb.signature.name
    answers = routing.entry_class is TransitionClass.T7 and pending is not None
    found: tuple[Binding, ...] = ()
    carries = Origin.ROOT_FRAME in ORIGINS[routing.carryover]
    if carries and not starts_anew(continuity, routing.entry_class) and [s.verb for s in base] == [name]:
        found = bindings_of(base[0], Origin.ROOT_FRAME)
    if answers and pending is not None and pending.resume_target_route == name:
        held = pending.resume_target_frame.bindings
        found = (*found, *(replace(each, origin=Origin.CLARIFICATION) for each in held))
    return found


def _chosen(
    asked: Asked, pending: ClarificationState, name: str, found: tuple[Plain, ...]
) -> tuple[Plain, ...]:
    """The value that was offered and is picked by its place, or given in any other way."""
    offers, text = pending.candidate_scopes, asked.text.strip(" .,;:!?\"'“”«»").casefold()
    whole = (0, len(asked.text))
    same = [each for each in offers if text in (each.key.casefold(), each.label.casefold())]
    picks = asked.reading.picks
    if offers and not same and len(picks) == 1 and picks[0].largest is None and not asked.reading.uncovered:
        place = picks[0].place - 1 if picks[0].place > 0 else len(offers) + picks[0].place
        same = list(offers[place : place + 1]) if 0 <= place < len(offers) else []
    if offers and not same and text.isdecimal() and 0 < int(text) <= len(offers):
        same = [offers[int(text) - 1]]
    if len(same) == 1:
        return (Plain(name, Text(same[0].key), *whole),)
    if asked.reading.affirm is not None and _kind(asked.catalog, pending, name) is ArgumentKind.BOOLEAN:
        return (Plain(name, Boolean(asked.reading.affirm), *whole),)
    return tuple(each for each in found if each.name == name)


def _kind(catalog: Catalog, pending: ClarificationState, name: str) -> ArgumentKind:
    return catalog.all_verbs[pending.resume_target_route].spec.arguments[name].kind


def _without(reading: Reading, text: str, found: tuple[Plain, ...]) -> Reading:
    """The reading without the words of values: they are accounted for."""
    words = {fold(word) for each in found for word in text[each.start : each.end].replace("-", " ").split()}
    words |= {word.strip(".,;:!?\"'“”«»") for word in words}
    counts = [each for each in found if isinstance(each.value, Integer)]
    tops = [m for m in reading.of_kind(MentionKind.SUPERLATIVE) if any(_goes_with(m, n) for n in counts)]
    ordinals = {m for m in reading.of_kind(MentionKind.ORDINAL) if any(_inside(m, each) for each in found)}
    kept = [m for m in reading.of_kind(MentionKind.SUPERLATIVE) if m not in tops]
    picks = tuple(
        pick
        for pick in reading.picks
        if (kept if pick.largest is not None else len(ordinals) < len(reading.of_kind(MentionKind.ORDINAL)))
    )
    left = tuple(word for word in reading.uncovered if word not in words)
    return replace(reading, uncovered=left, picks=picks)


def _goes_with(mention: Mention, number: Plain) -> bool:
    near = 0 <= number.start - mention.end <= _NEXT_TO or 0 <= mention.start - number.end <= _NEXT_TO
    return near or _inside(mention, number)


def _inside(mention: Mention, value: Plain) -> bool:
    return value.start <= mention.start and mention.end <= value.end
