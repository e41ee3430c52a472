"""The request a message amounts to: a root verb with bound arguments, a question to ask, or a refusal."""

import datetime as dt

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.knowledge.verbs import is_knowledge
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.catalog.query_reads import is_query
from dragoman.contracts.pack import DateUse
from dragoman.contracts.program import Binding, Program
from dragoman.contracts.state import CandidateScope, EntityRef
from dragoman.contracts.vocabulary import CarryoverDepth, Origin, TransitionClass
from dragoman.planning.contract import Question, Refusal, Request
from dragoman.planning.packs.anchors import (
    DATE,
    Anchored,
    Anchors,
    bind,
    bindings_of,
    bound,
    slice_anchors,
    stated_dates,
)
from dragoman.reading.kind_requests import name_alone
from dragoman.reading.periods import Bound
from dragoman.reading.reading import MentionKind, Reading
from dragoman.session.carryover import ORIGINS
from dragoman.session.continuity import Continuity
from dragoman.session.prohibitions import UNKNOWN_REQUEST
from dragoman.session.routing import Routing

MAX_CANDIDATES = 5

OF_TABLE = "no_reading"
"""The reason code of a follow-up that a pack has nothing to say of."""


def make_request(
    reading: Reading, continuity: Continuity, routing: Routing, catalog: Catalog, today: dt.date
) -> Request | Question | Refusal:
    answering = routing.entry_class is TransitionClass.T7
    refusal = unreadable(reading, catalog)
    if refusal is not None and not answering:
        return refusal
    verb = _verb(reading, continuity, routing, catalog)
    if verb is None:
        # A slice of a table has no verb of a pack: what changes it is for the tables to say.
        of_table = continuity.root is not None and routing.entry_class is not TransitionClass.T7
        return Refusal(OF_TABLE if of_table else UNKNOWN_REQUEST)
    # What is not understood whole may turn an answer into its opposite: it is asked for again.
    understood = reading if refusal is None else Reading(reading.language)
    anchors = _anchors(understood, continuity, routing, catalog, today)
    rejected = _rejected(understood, verb, anchors)
    if rejected is not None:
        return rejected
    ambiguous = _named_objects(understood, verb, anchors, catalog)
    if ambiguous is not None:
        return ambiguous
    impossible = _impossible_date(understood, continuity, routing, anchors)
    if impossible is not None:
        return impossible
    missing = missing_anchors(verb, anchors)
    bindings = bind(verb, anchors)
    if missing:
        candidates = _candidates(missing[0], anchors, verb, catalog)
        return Question(verb, missing, candidates, bindings)
    if verb.date_use is None and understood.periods:
        return Refusal("date_not_supported", (verb.title(reading.language),), verb.signature.name)
    if verb.date_use is DateUse.PERIOD and _is_open(understood):
        # Up to a day is from the first day on: the month of that day would be another figure.
        return Refusal("uncovered_words", (understood.dates[0].text,), verb.signature.name)
    if verb.date_use is DateUse.PERIOD and _is_a_day(understood):
        return Refusal("day_not_supported", (verb.signature.title,), verb.signature.name)
    stray = _stray_filter(verb, anchors, understood, catalog)
    if stray is not None:
        return stray
    return complete(verb, anchors, bindings, catalog)


def _rejected(reading: Reading, verb: CatalogVerb, anchors: Anchors) -> Refusal | None:
    """What is named to be rejected makes room for another of its kind; without one, a verb that needs one
    asks for it, and any other cannot leave it out."""
    needed = {verb.spec.arguments[name].entity for name in verb.needed}
    for ref in reading.excluded:
        if any(named.kind == ref.kind for named in reading.entities) or reading.objects:
            continue
        if ref.kind not in needed:
            title = verb.title(reading.language)
            return Refusal("without_not_supported", (title, ref.name), verb.signature.name)
        held = anchors.get(ref.kind)
        if held is not None and held.entity == ref:
            del anchors[ref.kind]
    return None


def _named_objects(
    reading: Reading, verb: CatalogVerb, anchors: Anchors, catalog: Catalog
) -> Question | Refusal | None:
    """An object that was named narrows a verb that takes its kind; where its name fits several, it is asked
    which. One that the rows of the verb have is an object to look at; any other has no part in it."""
    among_rows = {column.entity for column in verb.columns}
    for refs in reading.objects:
        takes = [ref for ref in refs if ref.kind in verb.takes]
        if not takes and among_rows.isdisjoint(ref.kind for ref in refs):
            return Refusal("filter_not_supported", (verb.signature.title, refs[0].name), verb.signature.name)
        if not takes and len(refs) > 1:
            # Which one is meant is not known, and none of them narrows it: it must not be passed over.
            return Refusal("fits_several", (_said(reading, refs) or refs[0].name,), verb.signature.name)
        if not takes:
            continue
        kind = takes[0].kind
        said = kind in anchors and anchors[kind].origin is Origin.MESSAGE
        if len(takes) == 1 and not said:
            anchors[kind] = Anchored(entity=takes[0])
        elif len(takes) == 1:
            return Refusal("several_objects", (), verb.signature.name)
        else:
            candidates = tuple(CandidateScope(r.kind, r.id, r.name) for r in takes[:MAX_CANDIDATES])
            argument = verb.takes.get(kind, kind)
            named = name_alone(_said(reading, refs), kind, catalog, reading.language) or takes[0].name
            return Question(verb, (argument,), candidates, bind(verb, anchors), named, len(takes), True)
    return None


def _said(reading: Reading, refs: tuple[EntityRef, ...]) -> str:
    """The words that an object was named with."""
    found = [mention.text for mention in reading.of_kind(MentionKind.OBJECT)]
    place = reading.objects.index(refs)
    return found[place] if place < len(found) else ""


def missing_anchors(verb: CatalogVerb, anchors: Anchors) -> tuple[str, ...]:
    """What a verb needs and nobody said, by the name that the question has for it."""
    kinds = [(name, verb.spec.arguments[name].entity) for name in verb.needed]
    missing = [name for name, kind in kinds if kind not in anchors]
    dated = verb.date_use is not None and DATE not in anchors
    return (*missing, DATE) if dated else tuple(missing)


def request_of(program: Program, catalog: Catalog) -> Request | Refusal | None:
    """The request that a compiled program of one statement stands for; None where it asks a table or what is
    known beside the data, or has a query of its own: those need nothing."""
    alone = len(program) == 1
    reads = alone and (
        is_query(program[0]) or catalog.is_of_table(program[0]) or is_knowledge(catalog, program[0])
    )
    verb = catalog.verb(program[0].verb) if alone and not reads else None
    if verb is None:
        return None if reads else Refusal("not_runnable")
    bindings = bindings_of(program[0], Origin.PROGRAM)
    anchors = bound(verb, bindings, Origin.PROGRAM)
    if missing_anchors(verb, anchors):
        return Refusal("not_runnable", missing_anchors(verb, anchors), program[0].verb)
    return complete(verb, anchors, bindings, catalog)


def complete(verb: CatalogVerb, anchors: Anchors, bindings: tuple[Binding, ...], catalog: Catalog) -> Request:
    organization, dates = anchors.get(catalog.anchor), anchors.get(DATE)
    focus = anchors.get(verb.spec.object)
    taken = {verb.spec.arguments[b.name].entity for b in bindings if b.name in verb.spec.arguments}
    narrowed = tuple(
        anchor.entity
        for kind, anchor in anchors.items()
        if anchor.entity is not None and kind in taken - {catalog.anchor, verb.spec.object}
    )
    return Request(
        verb,
        organization.entity if organization else None,
        dates.dates if dates and verb.date_use is not None else None,
        bindings,
        focus.entity if focus else None,
        narrowed,
    )


def unreadable(reading: Reading, catalog: Catalog) -> Refusal | None:
    if reading.uncovered:
        return Refusal("uncovered_words", reading.uncovered, reading.verb or "")
    if len(reading.verbs) > 1:
        titles = [
            catalog.verbs[name].title(reading.language) for name in reading.verbs if name in catalog.verbs
        ]
        return Refusal("several_requests", tuple(titles or reading.verbs))
    for kind in dict.fromkeys(entity.kind for entity in reading.entities):
        names = [entity.name for entity in reading.entities if entity.kind == kind]
        if len(names) > 1:
            return Refusal("several_names", tuple(names))
    if reading.periods > 1:
        return Refusal("several_periods")
    return None


def _verb(reading: Reading, continuity: Continuity, routing: Routing, catalog: Catalog) -> CatalogVerb | None:
    pending, root = continuity.clarification, continuity.root
    if routing.entry_class is TransitionClass.T7 and pending is not None:
        return catalog.verbs.get(pending.resume_target_route)
    if reading.verb is not None:
        return catalog.verbs.get(reading.verb)
    # A slice may have been opened by an action on an object: then that is what goes on.
    held = root.root_route_id if root is not None else ""
    return catalog.verbs.get(held) or catalog.actions.get(held)


def _anchors(
    reading: Reading, continuity: Continuity, routing: Routing, catalog: Catalog, today: dt.date
) -> Anchors:
    """Message first, then what the depth of this turn lets through, then the scope set for the session."""
    known: Anchors = {}
    allowed = ORIGINS[routing.carryover]
    if routing.entry_class is TransitionClass.T7:
        known.update(suspended_anchors(continuity, catalog))
    elif Origin.ROOT_FRAME in allowed:
        known.update(_from_root(continuity, reading, catalog))
    # A scope chosen after the slice was opened is what the user wants now; one chosen before has been
    # overruled by the slice.
    newer = continuity.default_scope_turn > (
        continuity.root_answer.turn_index if continuity.root_answer else 0
    )
    anchor = catalog.anchor
    if continuity.default_scope and (anchor not in known or (newer and Origin.ROOT_FRAME in allowed)):
        known[anchor] = Anchored(entity=continuity.default_scope[0], origin=Origin.SESSION_SCOPE)
    picked = _picked(reading, continuity, routing, catalog)
    if picked is not None:
        known[picked.kind] = Anchored(entity=picked)
    for named in reading.entities:
        known[named.kind] = Anchored(entity=named)
    carried = continuity if routing.carryover is not CarryoverDepth.NONE else None
    dates = stated_dates(reading, carried, today)
    waiting = known.get(DATE) if routing.entry_class is TransitionClass.T7 else None
    if dates is None and reading.period is not None and waiting is not None and waiting.dates is not None:
        # "And March?" while April of a year waits to be asked for: March of that year.
        dates = reading.period.scope(waiting.dates, today)
    if dates is not None:
        known[DATE] = Anchored(dates=dates)
    return known


def _picked(reading: Reading, continuity: Continuity, routing: Routing, catalog: Catalog) -> EntityRef | None:
    """The answer that was offered and is picked by its place."""
    pending = continuity.clarification
    if routing.entry_class is not TransitionClass.T7 or pending is None or len(reading.picks) != 1:
        return None
    pick, offered = reading.picks[0], pending.candidate_scopes
    place = pick.place - 1 if pick.place > 0 else len(offered) + pick.place
    verb = catalog.verb(pending.resume_target_route)
    if pick.largest is not None or verb is None or not 0 <= place < len(offered):
        return None
    chosen = offered[place]
    argument = verb.spec.arguments.get(chosen.anchor)
    kind = argument.entity if argument is not None and argument.entity else chosen.anchor
    return EntityRef(kind, chosen.key, chosen.label)


def _is_open(reading: Reading) -> bool:
    """Whether the message names only the end of a period: sales until 31 March."""
    period = reading.period
    return period is not None and period.until is None and period.bound is Bound.UNTIL


def _is_a_day(reading: Reading) -> bool:
    """Whether the message names a day inside a month. The last day stands for its month."""
    period = reading.period
    if period is None or not period.is_day:
        return False
    scope = period.scope(None, dt.date(2000, 1, 1))
    return scope is not None and (scope.end + dt.timedelta(days=1)).day != 1


def _impossible_date(
    reading: Reading, continuity: Continuity, routing: Routing, anchors: Anchors
) -> Refusal | None:
    """A day that the year in hand does not have: 29 February, and the talk is of 2021."""
    if reading.period is None or continuity.date is None or routing.carryover is CarryoverDepth.NONE:
        return None
    held = anchors.get(DATE)
    if held is not None and held.origin is Origin.MESSAGE:
        return None
    year = str(continuity.date.end.year)
    return Refusal("impossible_date", (reading.period.text, year), reading.verb or "")


def _from_root(continuity: Continuity, reading: Reading, catalog: Catalog) -> Anchors:
    """What the program in hand lends a follow-up: its scope, and all that narrows it while verb and owner
    stay the same."""
    held = slice_anchors(continuity, catalog, Origin.ROOT_FRAME)
    scope = {kind: anchor for kind, anchor in held.items() if kind in (DATE, catalog.anchor)}
    root = continuity.root
    same_verb = reading.same_slice or reading.verb in (None, root.root_route_id if root else None)
    owner = scope.get(catalog.anchor)
    same_owner = reading.entity(catalog.anchor) in (None, owner.entity if owner is not None else None)
    # A warehouse belongs to its organization and to what was asked. Carried into another one it would narrow
    # the answer to nothing, or to something nobody named.
    if not (same_verb and same_owner):
        action = catalog.actions.get(root.root_route_id) if root is not None and same_verb else None
        focus = held.get(action.spec.object) if action is not None else None
        return scope if action is None or focus is None else {**scope, action.spec.object: focus}
    return scope | {kind: anchor for kind, anchor in held.items() if kind not in reading.widen}


def suspended_anchors(continuity: Continuity, catalog: Catalog) -> Anchors:
    pending = continuity.clarification
    if pending is None:
        return {}
    verb = catalog.verb(pending.resume_target_route)
    return bound(verb, pending.resume_target_frame.bindings, Origin.CLARIFICATION)


def _candidates(
    missing: str, anchors: Anchors, verb: CatalogVerb, catalog: Catalog
) -> tuple[CandidateScope, ...]:
    """The closed answers to a question, where they are few."""
    argument = verb.spec.arguments.get(missing)
    if argument is None or not argument.entity:
        return ()
    found = [entity for entity in catalog.entities if entity.ref.kind == argument.entity]
    inside = [entity for entity in found if _belongs(entity.belongs, anchors)]
    # A list of hundreds is not a closed question: it is asked without options then.
    if len(inside) > MAX_CANDIDATES:
        return ()
    return tuple(CandidateScope(missing, e.ref.id, e.ref.name) for e in inside)


def _belongs(belongs: tuple[tuple[str, str], ...], anchors: Anchors) -> bool:
    known = {kind: anchor.entity.id for kind, anchor in anchors.items() if anchor.entity is not None}
    return all(known.get(kind, key) == key for kind, key in belongs)


def _stray_filter(verb: CatalogVerb, anchors: Anchors, reading: Reading, catalog: Catalog) -> Refusal | None:
    """A filter that the verb does not take, or that belongs to another organization."""
    name = verb.signature.name
    for kind, anchored in list(anchors.items()):
        entity = anchored.entity
        if entity is None:
            continue
        if kind not in verb.takes:
            # What was only carried may be dropped where it does not fit. What was said may not.
            if anchored.origin is not Origin.MESSAGE:
                if kind != catalog.anchor:
                    del anchors[kind]
                continue
            return Refusal("filter_not_supported", (verb.signature.title, entity.name), name)
        owner = catalog.entity(kind, entity.id)
        for above, key in owner.belongs if owner is not None else ():
            holder = anchors.get(above)
            if holder is not None and holder.entity is not None and holder.entity.id != key:
                return Refusal("filter_elsewhere", (entity.name, holder.entity.name), name)
    return None
