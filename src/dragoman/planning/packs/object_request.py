"""Requests about one object of a result: which object, which action, in whose scope."""

import datetime as dt
from decimal import Decimal, InvalidOperation

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.answer import AnswerObject, CellType
from dragoman.contracts.state import CandidateScope, EntityRef
from dragoman.contracts.vocabulary import ClarificationKind, Origin, TransitionClass
from dragoman.planning.contract import Question, Refusal, Request
from dragoman.planning.packs.anchors import (
    DATE,
    Anchored,
    Anchors,
    bind,
    slice_anchors,
    stated_dates,
)
from dragoman.planning.packs.root_request import MAX_CANDIDATES, complete, missing_anchors, suspended_anchors
from dragoman.reading.kind_requests import name_alone
from dragoman.reading.reading import MentionKind, Pick, Reading
from dragoman.session.continuity import Continuity
from dragoman.session.routing import Routing


def make_object_request(
    reading: Reading, continuity: Continuity, routing: Routing, catalog: Catalog, today: dt.date
) -> Request | Question | Refusal:
    """What a message asks of an object: a request, a question which one is meant, or a refusal."""
    answering = routing.entry_class is TransitionClass.T7
    if reading.uncovered and not answering:
        return Refusal("uncovered_words", reading.uncovered)
    understood = reading if not reading.uncovered else Reading(reading.language)
    chosen = _chosen(understood, continuity, routing, catalog)
    if isinstance(chosen, Refusal):
        return chosen
    pending = continuity.clarification
    asked = catalog.actions.get(pending.resume_target_route) if answering and pending is not None else None
    if asked is not None:
        # An object of another kind does not answer the question: it is asked again.
        chosen = tuple(ref for ref in chosen if ref.kind == asked.spec.object)
    if len(chosen) != 1:
        return _which(understood, continuity, routing, catalog, chosen, today)
    (focus,) = chosen
    verb = _verb(understood, continuity, routing, catalog, focus.kind)
    if isinstance(verb, Refusal):
        return verb
    anchors = _anchors(understood, continuity, routing, focus, catalog, today)
    if verb.date_use is None and understood.periods:
        return Refusal("date_not_supported", (verb.title(reading.language),), verb.signature.name)
    missing = missing_anchors(verb, anchors)
    if missing == (DATE,):
        return Question(verb, missing, (), bind(verb, anchors))
    if missing:
        return Refusal("lacks_scope", missing, verb.signature.name)
    return complete(verb, anchors, bind(verb, anchors), catalog)


def compatible_domains(kind: str, catalog: Catalog) -> frozenset[str]:
    """The domains whose results have objects of a kind, or whose actions speak of them."""
    rooted = {v.domain for v in catalog.verbs.values() if any(c.entity == kind for c in v.columns)}
    acted = {v.domain for v in catalog.actions.values() if v.spec.object == kind}
    return frozenset(rooted | acted)


def rows_as_objects(answer: AnswerObject | None, catalog: Catalog) -> list[EntityRef]:
    """The objects of a result, one for each row, where its rows are objects."""
    verb = catalog.verb(answer.route) if answer else None
    if answer is None or verb is None:
        return []
    place = next((i for i, c in enumerate(verb.columns) if c.entity in catalog.cards), None)
    if place is None:
        return []
    kind = verb.columns[place].entity
    found = [catalog.named(kind, str(row[place])) for row in answer.rows]
    return [entity.ref for entity in found if entity is not None]


def _chosen(
    reading: Reading, continuity: Continuity, routing: Routing, catalog: Catalog
) -> tuple[EntityRef, ...] | Refusal:
    """The object that is meant, all that could be meant, or none."""
    # Two objects at once would need two answers. Taking the first would hide the second.
    if len(reading.objects) > 1 or len(reading.picks) > 1 or (reading.objects and reading.picks):
        return Refusal("several_objects")
    pending = continuity.clarification
    offered = pending.candidate_scopes if routing.entry_class is TransitionClass.T7 and pending else ()
    if reading.objects:
        if routing.entry_class is TransitionClass.T1:
            return _asked_of(reading.objects[0], reading, catalog)
        return _fitting(reading.objects[0], continuity, catalog, offered)
    if routing.entry_class is TransitionClass.T7 and pending and pending.missing_anchors == (DATE,):
        # Only the date was asked for: the object waits with the rest.
        action = catalog.actions.get(pending.resume_target_route)
        kind = action.spec.object if action is not None else ""
        held = suspended_anchors(continuity, catalog).get(kind)
        return (held.entity,) if held is not None and held.entity is not None else ()
    if reading.picks and offered:
        return _offered(reading.picks[0], offered) or _largest(reading.picks[0], offered, continuity, catalog)
    if reading.picks:
        return picked_rows(reading.picks[0], continuity, catalog)
    selected = continuity.selected_object
    if selected is not None and routing.entry_class is not TransitionClass.T7:
        return (selected.focus_object_ref,)
    return () if routing.entry_class is TransitionClass.T7 else _only_row(continuity, catalog)


def _only_row(continuity: Continuity, catalog: Catalog) -> tuple[EntityRef, ...]:
    """The object of a result of one row: there is no other that could be meant."""
    answer = continuity.root_answer
    return tuple(rows_as_objects(answer, catalog)) if answer is not None and answer.row_count == 1 else ()


def _asked_of(named: tuple[EntityRef, ...], reading: Reading, catalog: Catalog) -> tuple[EntityRef, ...]:
    """Of what a name can mean, what the action is one of."""
    kinds = {catalog.actions[name].spec.object for name in reading.actions}
    return tuple(ref for ref in named if ref.kind in kinds) or named


def _fitting(
    named: tuple[EntityRef, ...],
    continuity: Continuity,
    catalog: Catalog,
    offered: tuple[CandidateScope, ...],
) -> tuple[EntityRef, ...] | Refusal:
    among = {(each.anchor, each.key) for each in offered}
    narrowed = tuple(ref for ref in named if (ref.kind, ref.id) in among)
    if narrowed:
        return narrowed
    if continuity.root is None:
        return named
    domain = continuity.root.domain_id
    fitting = tuple(ref for ref in named if domain in compatible_domains(ref.kind, catalog))
    if not fitting:
        return Refusal("object_not_in_domain", (named[0].name, named[0].kind, domain))
    return fitting


def _offered(pick: Pick, offered: tuple[CandidateScope, ...]) -> tuple[EntityRef, ...] | Refusal:
    """One of the answers that were offered, by its place among them."""
    place = pick.place - 1 if pick.place > 0 else len(offered) + pick.place
    if pick.largest is not None or not 0 <= place < len(offered):
        return ()
    return (EntityRef(offered[place].anchor, offered[place].key, offered[place].label),)


def _largest(
    pick: Pick, offered: tuple[CandidateScope, ...], continuity: Continuity, catalog: Catalog
) -> tuple[EntityRef, ...]:
    """The row with the largest or smallest amount, where any row of the kind is asked for: the options are
    the first of them then. Which of a few that have one name is largest is not known here."""
    pending = continuity.clarification
    named = pending is not None and pending.clarification_kind is ClarificationKind.AMBIGUOUS
    if pick.largest is None or named:
        return ()
    found = picked_rows(pick, continuity, catalog)
    kinds = {each.anchor for each in offered}
    return () if isinstance(found, Refusal) else tuple(ref for ref in found if ref.kind in kinds)


def picked_rows(pick: Pick, continuity: Continuity, catalog: Catalog) -> tuple[EntityRef, ...] | Refusal:
    """The rows of the result in hand that are picked by their place or amount, as objects."""
    answer = _shown_list(continuity, catalog)
    objects = rows_as_objects(answer, catalog)
    if not objects or answer is None or len(objects) != len(answer.rows):
        return Refusal("rows_are_no_objects")
    if pick.largest is None:
        place = pick.place - 1 if pick.place > 0 else len(objects) + pick.place
        # Only the first rows are kept: "the last one" of a longer result is not among them.
        if pick.place < 0 and answer.row_count > len(objects):
            return Refusal("row_not_at_hand")
        if not 0 <= place < len(objects):
            return Refusal("no_such_row", (str(answer.row_count),))
        return (objects[place],)
    column = next((i for i, c in enumerate(answer.columns) if c.type is CellType.DECIMAL), None)
    # The largest of the first 50 rows need not be the largest.
    if column is None or answer.row_count > len(objects):
        return Refusal("rows_not_comparable")
    amounts = [_amount(row[column]) for row in answer.rows]
    extreme = max(amounts) if pick.largest else min(amounts)
    # Two rows may share the largest amount: then it is asked which is meant.
    return tuple(ref for ref, amount in zip(objects, amounts, strict=True) if amount == extreme)


def _shown_list(continuity: Continuity, catalog: Catalog) -> AnswerObject | None:
    """The result that rows are picked from: that of the slice. Where the slice is an object itself, it is
    what was listed of the object last."""
    root, last = continuity.root, continuity.last_found
    if root is not None and root.root_route_id in catalog.actions and rows_as_objects(last, catalog):
        return last
    return continuity.root_answer


def _amount(cell: object) -> Decimal:
    try:
        return Decimal(str(cell if cell is not None else 0))
    except InvalidOperation:
        return Decimal(0)


def _which(
    reading: Reading,
    continuity: Continuity,
    routing: Routing,
    catalog: Catalog,
    chosen: tuple[EntityRef, ...],
    today: dt.date,
) -> Question | Refusal:
    """Several objects fit, or none was named: a closed question over those there are."""
    among = (
        chosen
        or _asked_before(continuity, routing)
        or tuple(rows_as_objects(continuity.root_answer, catalog))
    )
    if not among:
        return Refusal("no_object")
    verb = _verb(reading, continuity, routing, catalog, among[0].kind)
    if isinstance(verb, Refusal):
        return verb
    candidates = tuple(CandidateScope(ref.kind, ref.id, ref.name) for ref in among[:MAX_CANDIDATES])
    anchors = _anchors(reading, continuity, routing, None, catalog, today)
    said = next((mention.text for mention in reading.of_kind(MentionKind.OBJECT)), "")
    named = name_alone(said, among[0].kind, catalog, reading.language) if len(chosen) > 1 else ""
    return Question(
        verb, (among[0].kind,), candidates, bind(verb, anchors), named, len(among), len(chosen) > 1
    )


def _asked_before(continuity: Continuity, routing: Routing) -> tuple[EntityRef, ...]:
    """What was offered, when an answer did not help."""
    pending = continuity.clarification
    if routing.entry_class is not TransitionClass.T7 or pending is None:
        return ()
    return tuple(EntityRef(c.anchor, c.key, c.label) for c in pending.candidate_scopes)


def _verb(
    reading: Reading, continuity: Continuity, routing: Routing, catalog: Catalog, kind: str
) -> CatalogVerb | Refusal:
    pending = continuity.clarification
    if routing.entry_class is TransitionClass.T7 and pending is not None:
        known = catalog.actions.get(pending.resume_target_route)
        if known is not None and known.spec.object == kind:
            return known
    fitting = [name for name in reading.actions if catalog.actions[name].spec.object == kind]
    if reading.actions and not fitting and not reading.picks:
        return Refusal("action_not_supported", (kind,), reading.actions[0])
    if fitting:
        return catalog.actions[fitting[0]]
    # A bare date is asked of what the program in hand asks: undo has brought back an earlier one.
    in_hand = continuity.program[0].verb if continuity.program else ""
    again = catalog.actions.get(in_hand) if reading.periods else None
    if again is not None and again.spec.object == kind:
        return again
    card = catalog.cards.get(kind)
    return catalog.actions[card] if card else Refusal("action_not_supported", (kind,))


def _anchors(
    reading: Reading,
    continuity: Continuity,
    routing: Routing,
    focus: EntityRef | None,
    catalog: Catalog,
    today: dt.date,
) -> Anchors:
    """The scope of the slice, and the date of the message where it says one. A short action and a pronoun
    carry the object alone: its scope is that of the slice it was found in."""
    drills = routing.entry_class is TransitionClass.T3
    origin = Origin.ROOT_FRAME if drills else Origin.OBJECT_FRAME
    opens = routing.entry_class is TransitionClass.T1
    held = {} if opens else slice_anchors(continuity, catalog, origin)
    anchors = {kind: anchor for kind, anchor in held.items() if kind in (DATE, catalog.anchor)}
    if opens:
        # A question of its own carries nothing: its scope stands in the message.
        anchors.update({entity.kind: Anchored(entity=entity) for entity in reading.entities})
    if routing.entry_class is TransitionClass.T7:
        anchors.update(suspended_anchors(continuity, catalog))
    stated = stated_dates(reading, continuity, today)
    if stated is not None:
        anchors[DATE] = Anchored(dates=stated)
    if focus is not None:
        named = bool(reading.objects or reading.picks)
        anchors[focus.kind] = Anchored(entity=focus, origin=Origin.MESSAGE if named else Origin.OBJECT_FRAME)
    return anchors
