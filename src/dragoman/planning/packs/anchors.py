"""What a request is anchored to: entities and dates, each with where it came from, and as arguments."""

import datetime as dt
from collections.abc import Mapping

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.pack import DateUse
from dragoman.contracts.program import Binding, Date, Sequence, Statement, Text, Value
from dragoman.contracts.record import Record
from dragoman.contracts.state import DateScope, EntityRef
from dragoman.contracts.vocabulary import Origin
from dragoman.reading.reading import Reading
from dragoman.session.continuity import Continuity

DATE = "date"


class Anchored(Record, frozen=True):
    """A value and where it came from."""

    entity: EntityRef | None = None
    dates: DateScope | None = None
    origin: Origin = Origin.MESSAGE


Anchors = dict[str, Anchored]
"""By the kind of the entity, or `date`."""


def bind(verb: CatalogVerb, anchors: Mapping[str, Anchored]) -> tuple[Binding, ...]:
    """The anchors as arguments of the verb, in the order in which it declares them."""
    bindings: list[Binding] = []
    for argument in verb.signature.arguments:
        spec = verb.spec.arguments.get(argument.name)
        anchor = anchors.get(DATE if argument.name == verb.date_argument else spec.entity if spec else "")
        if anchor is None:
            continue
        if anchor.entity is not None:
            value: Value = Text(anchor.entity.id)
            bindings.append(Binding(argument.name, value, anchor.origin, anchor.entity.name))
        elif anchor.dates is not None and verb.date_use is not None:
            bindings.append(Binding(argument.name, _date_value(verb.date_use, anchor.dates), anchor.origin))
    return tuple(bindings)


def bound(verb: CatalogVerb | None, bindings: tuple[Binding, ...], origin: Origin) -> Anchors:
    """The anchors behind bindings: the inverse of `bind`."""
    found: Anchors = {}
    for binding in bindings:
        match binding.value:
            case Text(value=key):
                spec = verb.spec.arguments.get(binding.name) if verb is not None else None
                if spec is not None and not spec.entity:
                    continue  # A plain value is not an anchor.
                kind = spec.entity if spec is not None and spec.entity else binding.name
                found[kind] = Anchored(entity=EntityRef(kind, key, binding.display), origin=origin)
            case Date(value=day):
                # A day stands for its month up to that day, so that a verb that takes a period can go on from
                # one that takes a day.
                found[DATE] = Anchored(dates=DateScope(day.replace(day=1), day), origin=origin)
            case Sequence(items=(Date(value=start), Date(value=end))):
                found[DATE] = Anchored(dates=DateScope(start, end), origin=origin)
            case _:
                pass  # A plain value is not an anchor.
    return found


def bindings_of(statement: Statement, origin: Origin) -> tuple[Binding, ...]:
    return tuple(Binding(a.name, a.value, origin, a.display) for a in statement.arguments)


def slice_anchors(continuity: Continuity, catalog: Catalog, origin: Origin) -> Anchors:
    """What the program behind the slice in hand is anchored to.

    An as-of program has only the last day of what was asked for: the frame remembers whether that day ended a
    month or a quarter, so a verb that takes a period gets all of it.
    """
    if len(continuity.base) != 1:
        return {}
    statement = continuity.base[0]
    anchors = bound(catalog.verb(statement.verb), bindings_of(statement, origin), origin)
    held, said = anchors.get(DATE), continuity.date
    if held is not None and held.dates is not None and said is not None and said.end == held.dates.end:
        anchors[DATE] = Anchored(dates=said, origin=origin)
    return anchors


def stated_dates(reading: Reading, carried: Continuity | None, today: dt.date) -> DateScope | None:
    """The period of the message; what it leaves open is taken from the date in hand, where that may be
    carried, and what is relative counts from there or from today."""
    if reading.period is None:
        return None
    in_hand = carried.date if carried is not None else None
    return reading.period.scope(in_hand, today)


def _date_value(use: DateUse, dates: DateScope) -> Value:
    if use is DateUse.AS_OF:
        return Date(dates.end)
    return Sequence((Date(dates.start), Date(dates.end)))
