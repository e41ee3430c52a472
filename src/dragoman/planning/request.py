"""The request a message amounts to: a verb with bound arguments, a question to ask, or a refusal."""

import datetime as dt
from collections.abc import Mapping

from dragoman.catalog.trade.catalog import ORGANIZATION, WAREHOUSE, CatalogVerb, TradeCatalog
from dragoman.contracts.errors import InternalError
from dragoman.contracts.pack import DateUse
from dragoman.contracts.program import Binding, Date, Program, Sequence, Text, Value
from dragoman.contracts.record import Record
from dragoman.contracts.state import CandidateScope, DateScope, EntityRef
from dragoman.contracts.vocabulary import CarryoverDepth, Origin, TransitionClass
from dragoman.planning.relation import DATE
from dragoman.reading.message import Reading
from dragoman.session.carryover import ORIGINS
from dragoman.session.continuity import Continuity
from dragoman.session.prohibitions import UNKNOWN_REQUEST
from dragoman.session.routing import Routing


class Anchored(Record, frozen=True):
    """A value and where it came from."""

    entity: EntityRef | None = None
    dates: DateScope | None = None
    origin: Origin = Origin.MESSAGE


class Request(Record, frozen=True):
    """A verb and everything it needs."""

    verb: CatalogVerb
    organization: EntityRef
    dates: DateScope
    bindings: tuple[Binding, ...]
    focus: EntityRef | None = None
    """The object it speaks of."""


class Question(Record, frozen=True):
    """A request that lacks anchors: what is missing, and the closed answers there are to the first."""

    verb: CatalogVerb
    missing: tuple[str, ...]
    candidates: tuple[CandidateScope, ...]
    bindings: tuple[Binding, ...]


class Refusal(Record, frozen=True):
    """Nothing will be run: why, in a code and in words."""

    code: str
    text: str
    route: str = ""


def make_request(
    reading: Reading, continuity: Continuity, routing: Routing, catalog: TradeCatalog
) -> Request | Question | Refusal:
    answering = routing.entry_class is TransitionClass.T7
    refusal = _unreadable(reading)
    if refusal is not None and not answering:
        return refusal
    verb = _verb(reading, continuity, routing, catalog)
    if verb is None:
        return Refusal(UNKNOWN_REQUEST, "I do not know what to look up")
    # What is not understood whole may turn an answer into its opposite: it is asked for again.
    understood = reading if refusal is None else Reading(reading.language)
    anchors = _anchors(understood, continuity, routing)
    impossible = _impossible_date(understood, continuity, routing)
    if impossible is not None:
        return impossible
    missing = tuple(name for name in (ORGANIZATION, DATE) if name not in anchors)
    bindings = bind(verb, anchors)
    if missing:
        candidates = _candidates(missing[0], catalog)
        return Question(verb, missing, candidates, bindings)
    if verb.date_use is DateUse.PERIOD and _is_a_day(understood):
        text = f"{verb.signature.title} can be looked up for a month, a quarter or a year, not for one day"
        return Refusal("day_not_supported", text, verb.signature.name)
    stray = _stray_filter(verb, anchors, catalog)
    if stray is not None:
        return stray
    return _complete(verb, anchors, bindings)


def request_of(program: Program, catalog: TradeCatalog) -> Request | Refusal:
    """The request that a compiled program of one statement stands for."""
    verb = catalog.verb(program[0].verb) if len(program) == 1 else None
    if verb is None:
        return Refusal("not_runnable", "only a program of one known verb can be run here")
    statement = program[0]
    bindings = tuple(Binding(a.name, a.value, Origin.PROGRAM, a.display) for a in statement.arguments)
    anchors = _bound(bindings, Origin.PROGRAM)
    if ORGANIZATION not in anchors or DATE not in anchors:
        return Refusal("not_runnable", f"{statement.verb} lacks an organization or a date", statement.verb)
    return _complete(verb, anchors, bindings)


def _complete(verb: CatalogVerb, anchors: Mapping[str, Anchored], bindings: tuple[Binding, ...]) -> Request:
    organization, dates = anchors[ORGANIZATION].entity, anchors[DATE].dates
    if organization is None or dates is None:
        raise InternalError(f"{verb.signature.name} was planned without its anchors")
    focus = anchors.get(verb.spec.object)
    return Request(verb, organization, dates, bindings, focus.entity if focus else None)


def _unreadable(reading: Reading) -> Refusal | None:
    if reading.uncovered:
        words = in_quotes(reading.uncovered)
        return Refusal("uncovered_words", f"nothing I know covers {words}", reading.verb or "")
    if len(reading.verbs) > 1:
        return Refusal(
            "several_requests", f"that asks for {' and '.join(reading.verbs)} at once: one at a time"
        )
    for kind in (ORGANIZATION, WAREHOUSE):
        names = [entity.name for entity in reading.entities if entity.kind == kind]
        if len(names) > 1:
            return Refusal(f"several_{kind}s", f"that names {' and '.join(names)}: one {kind} at a time")
    if reading.periods > 1:
        return Refusal("several_periods", "that names more than one date: one at a time")
    return None


def in_quotes(words: tuple[str, ...]) -> str:
    """The first few of some words, none longer than a line."""
    shown = [f"“{word if len(word) <= 40 else word[:39] + '…'}”" for word in words[:5]]
    return ", ".join(shown) + (f" and {len(words) - 5} more" if len(words) > 5 else "")


def _verb(
    reading: Reading, continuity: Continuity, routing: Routing, catalog: TradeCatalog
) -> CatalogVerb | None:
    pending, root = continuity.clarification, continuity.root
    if routing.entry_class is TransitionClass.T7 and pending is not None:
        return catalog.verbs.get(pending.resume_target_route)
    if reading.verb is not None:
        return catalog.verbs.get(reading.verb)
    return catalog.verbs.get(root.root_route_id) if root is not None else None


def _anchors(reading: Reading, continuity: Continuity, routing: Routing) -> dict[str, Anchored]:
    """Message first, then what the depth of this turn lets through, then the scope set for the session."""
    known: dict[str, Anchored] = {}
    allowed = ORIGINS[routing.carryover]
    if routing.entry_class is TransitionClass.T7:
        known.update(suspended_anchors(continuity))
    elif Origin.ROOT_FRAME in allowed:
        known.update(_from_root(continuity, reading))
    newer = continuity.default_scope_turn > (
        continuity.root_answer.turn_index if continuity.root_answer else 0
    )
    if continuity.default_scope and (ORGANIZATION not in known or (newer and Origin.ROOT_FRAME in allowed)):
        known[ORGANIZATION] = Anchored(entity=continuity.default_scope[0], origin=Origin.SESSION_SCOPE)
    organization = reading.entity(ORGANIZATION)
    if organization is not None:
        known[ORGANIZATION] = Anchored(entity=organization)
    warehouse = reading.entity(WAREHOUSE)
    if warehouse is not None:
        known[WAREHOUSE] = Anchored(entity=warehouse)
    dates = stated_dates(reading, continuity if routing.carryover is not CarryoverDepth.NONE else None)
    if dates is not None:
        known[DATE] = Anchored(dates=dates)
    return known


def _is_a_day(reading: Reading) -> bool:
    """Whether the message names a day inside a month. The last day stands for its month."""
    period = reading.period
    scope = period.scope(period.year or 2000) if period is not None and period.day is not None else None
    return scope is not None and (scope.end + dt.timedelta(days=1)).day != 1


def _impossible_date(reading: Reading, continuity: Continuity, routing: Routing) -> Refusal | None:
    """A day that the year in hand does not have: 29 February, and the talk is of 2021."""
    if reading.period is None or continuity.date is None or routing.carryover is CarryoverDepth.NONE:
        return None
    if stated_dates(reading, continuity) is not None:
        return None
    year = continuity.date.end.year
    return Refusal("impossible_date", f"there is no {reading.period.text} in {year}", reading.verb or "")


def stated_dates(reading: Reading, carried: Continuity | None) -> DateScope | None:
    """The period of the message; a month without a year takes the year in hand, where one may be carried."""
    if reading.period is None:
        return None
    in_hand = carried.date.end.year if carried is not None and carried.date is not None else None
    return reading.period.scope(in_hand)


def _from_root(continuity: Continuity, reading: Reading) -> dict[str, Anchored]:
    carried: dict[str, Anchored] = {}
    if continuity.organization is not None:
        carried[ORGANIZATION] = Anchored(entity=continuity.organization, origin=Origin.ROOT_FRAME)
    if continuity.date is not None:
        carried[DATE] = Anchored(dates=continuity.date, origin=Origin.ROOT_FRAME)
    same_organization = reading.entity(ORGANIZATION) in (None, continuity.organization)
    if (
        reading.verb in (None, continuity.root.root_route_id if continuity.root else None)
        and same_organization
    ):
        program = continuity.root_answer.program if continuity.root_answer else ()
        filters = [argument for statement in program for argument in statement.arguments]
        for argument in filters:
            if argument.name == WAREHOUSE and isinstance(argument.value, Text):
                entity = EntityRef(WAREHOUSE, argument.value.value, argument.display)
                carried[WAREHOUSE] = Anchored(entity=entity, origin=Origin.ROOT_FRAME)
    return carried


def suspended_anchors(continuity: Continuity) -> dict[str, Anchored]:
    pending = continuity.clarification
    return _bound(pending.resume_target_frame.bindings, Origin.CLARIFICATION) if pending is not None else {}


def _bound(bindings: tuple[Binding, ...], origin: Origin) -> dict[str, Anchored]:
    """The anchors behind bindings: the inverse of `bind`."""
    found: dict[str, Anchored] = {}
    for binding in bindings:
        match binding.value:
            case Text(value=key):
                entity = EntityRef(binding.name, key, binding.display)
                found[binding.name] = Anchored(entity=entity, origin=origin)
            case Date(value=day):
                found[DATE] = Anchored(dates=DateScope(day.replace(day=1), day), origin=origin)
            case Sequence(items=(Date(value=start), Date(value=end))):
                found[DATE] = Anchored(dates=DateScope(start, end), origin=origin)
    return found


def bind(verb: CatalogVerb, anchors: Mapping[str, Anchored]) -> tuple[Binding, ...]:
    """The anchors as arguments of the verb, in the order in which it declares them."""
    bindings: list[Binding] = []
    for argument in verb.signature.arguments:
        anchor = anchors.get(DATE if argument.name == verb.date_use.argument else argument.name)
        if anchor is None:
            continue
        if anchor.entity is not None:
            value: Value = Text(anchor.entity.id)
            bindings.append(Binding(argument.name, value, anchor.origin, anchor.entity.name))
        elif anchor.dates is not None:
            bindings.append(Binding(argument.name, _date_value(verb.date_use, anchor.dates), anchor.origin))
    return tuple(bindings)


def _date_value(use: DateUse, dates: DateScope) -> Value:
    if use is DateUse.AS_OF:
        return Date(dates.end)
    return Sequence((Date(dates.start), Date(dates.end)))


def _candidates(anchor: str, catalog: TradeCatalog) -> tuple[CandidateScope, ...]:
    if anchor != ORGANIZATION:
        return ()
    return tuple(CandidateScope(ORGANIZATION, e.ref.id, e.ref.name) for e in catalog.organizations())


def _stray_filter(
    verb: CatalogVerb, anchors: Mapping[str, Anchored], catalog: TradeCatalog
) -> Refusal | None:
    """A warehouse that the verb does not take, or that belongs to another organization."""
    anchored = anchors.get(WAREHOUSE)
    warehouse = anchored.entity if anchored else None
    if warehouse is None:
        return None
    name = verb.signature.name
    if verb.signature.argument(WAREHOUSE) is None:
        return Refusal(
            "filter_not_supported", f"{verb.signature.title} cannot be narrowed to a warehouse", name
        )
    owner = catalog.entity(WAREHOUSE, warehouse.id)
    organization = anchors[ORGANIZATION].entity
    if owner is not None and organization is not None and owner.within != organization.id:
        text = f"the warehouse {warehouse.name} does not belong to {organization.name}"
        return Refusal("filter_not_supported", text, name)
    return None
