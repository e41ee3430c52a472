"""A message that opens an object by itself: it names the object and everything that its verb needs."""

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.planning.packs.pending_answers import answers
from dragoman.reading.reading import Reading
from dragoman.session.continuity import Continuity


def opens_object(reading: Reading, continuity: Continuity, catalog: Catalog) -> bool:
    """Whether a message names one object, and with it all that is needed to look something up of it.

    With nothing in hand its name is enough where its card needs neither a scope nor a date. Whatever is in
    hand, an action on it that has its scope and its date in the message stands by itself (D4, D11).
    """
    if len(reading.objects) != 1 or reading.uncovered or reading.picks or reading.phrase is not None:
        return False
    # What was made has a root without rows: there is nothing in it to drill into.
    bare = continuity.root is None or not continuity.root.root_result_set_id
    if bare and not reading.verbs and not answers(reading, continuity, catalog):
        card = _card(reading, catalog)
        if card is not None and _is_plain(card):
            return True
        if card is not None and not reading.actions:
            return _is_given(card, reading)
    return any(not _is_plain(verb) and _is_given(verb, reading) for verb in _actions(reading, catalog))


def _card(reading: Reading, catalog: Catalog) -> CatalogVerb | None:
    kinds = sorted({ref.kind for ref in reading.objects[0]})
    cards = [catalog.actions.get(catalog.cards.get(kind, "")) for kind in kinds]
    return cards[0] if len(cards) == 1 else None


def _is_plain(verb: CatalogVerb) -> bool:
    return not verb.needed and verb.date_use is None


def _actions(reading: Reading, catalog: Catalog) -> list[CatalogVerb]:
    """The actions on the object that the message can mean, where no root verb has a part for the object."""
    kinds = {ref.kind for ref in reading.objects[0]}
    rooted = [catalog.verbs[name] for name in reading.verbs if name in catalog.verbs]
    takes_part = any(
        not kinds.isdisjoint(verb.takes) or any(column.entity in kinds for column in verb.columns)
        for verb in rooted
    )
    if reading.anaphor or takes_part:
        return []
    return [catalog.actions[name] for name in reading.actions if catalog.actions[name].spec.object in kinds]


def _is_given(verb: CatalogVerb, reading: Reading) -> bool:
    """Whether the message has all that a verb needs beside its object."""
    scopes = [verb.spec.arguments[name].entity for name in verb.needed]
    if any(reading.entity(kind) is None for kind in scopes):
        return False
    period = reading.period
    return verb.date_use is None or (period is not None and period.absolute)
