"""What a pronoun beside a verb means: the object in hand, and never nothing."""

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.reading.cues import is_demonstrative, is_owned
from dragoman.reading.kind_requests import list_verb
from dragoman.reading.reading import MentionKind, Reading
from dragoman.reading.tokens import fold
from dragoman.session.continuity import Continuity


def of_object(text: str, reading: Reading, continuity: Continuity, catalog: Catalog) -> Reading:
    """A pronoun beside a verb that is no action means the object in hand: "how much do we owe them". Where
    the verb's rows are such objects it is the object's card; otherwise the pronoun is left over."""
    selected = continuity.selected_object
    pronouns = [
        m
        for m in reading.of_kind(MentionKind.ANAPHOR)
        if not is_demonstrative(m.text, reading.language)
        or is_owned(m.text, _word_before(text, m.start), reading.language)
    ]
    if selected is None or not pronouns or not reading.verb or reading.actions or reading.entities:
        return reading
    if reading.objects or reading.picks or reading.meta is not None:
        return reading
    verb, kind = catalog.verbs.get(reading.verb), selected.focus_object_kind
    card = catalog.cards.get(kind)
    own = _listing_action(verb, kind, catalog)
    if own is not None:
        return replace(reading, verbs=(), verb=None, actions=(own,))
    if verb is not None and card is not None and any(column.entity == kind for column in verb.columns):
        return replace(reading, verbs=(), verb=None, actions=(card,))
    return replace(reading, uncovered=(*reading.uncovered, pronouns[0].text))


def _word_before(text: str, place: int) -> str:
    words = text[:place].split()
    return fold(words[-1]) if words else ""


def _listing_action(verb: CatalogVerb | None, kind: str, catalog: Catalog) -> str | None:
    """The one action on a kind of object that lists what a verb lists of all: which funds does it have?"""
    rows = verb.columns[0].entity if verb is not None and verb.columns else ""
    if verb is None or list_verb(rows, catalog) != verb.signature.name:
        return None
    own = [
        name
        for name, each in catalog.actions.items()
        if each.spec.object == kind and each.columns and each.columns[0].entity == rows
    ]
    return own[0] if rows and rows != kind and len(own) == 1 else None
