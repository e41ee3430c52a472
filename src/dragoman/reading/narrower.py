"""A word that makes an action narrower: the purchase papers of an item are not all its papers.

A narrower action is called by the word for a wider one and a word beside it ("purchase documents"). Whatever
else the wider one is called goes as well with that word. And a word of another verb beside an action is
never passed over: what nothing of the action accounts for is left over.
"""

from functools import lru_cache

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.reading.languages import Spoken, spoken_with
from dragoman.reading.lemmas import keys_of
from dragoman.reading.reading import Mention, MentionKind, Reading
from dragoman.reading.tokens import tokens_of
from dragoman.session.continuity import Continuity

_Words = frozenset[str]


def narrowed_action(text: str, reading: Reading, continuity: Continuity, catalog: Catalog) -> Reading:
    """The reading, with the narrower action where a word of another verb makes it so."""
    if not reading.actions or not reading.verbs or reading.phrase is not None or reading.meta is not None:
        return reading
    acting = {(each.start, each.end) for each in reading.of_kind(MentionKind.ACTION)}
    beside = [each for each in reading.of_kind(MentionKind.VERB) if (each.start, each.end) not in acting]
    selected = continuity.selected_object
    if not beside or selected is None or _has_scope(reading):
        return reading
    spoken = spoken_with(reading.language, text)
    own = [
        verb
        for name in reading.actions
        if (verb := catalog.actions[name]).spec.object == selected.focus_object_kind
    ]
    if len(own) != 1:
        return reading
    said = frozenset(key for each in beside for key in _keys(each.text, spoken))
    narrower = [
        verb
        for verb in catalog.actions.values()
        if verb.spec.object == own[0].spec.object and _narrows(verb, own[0], said, spoken)
    ]
    if len(narrower) == 1:
        name = narrower[0].signature.name
        return replace(reading, actions=(name,), verbs=(), verb=None)
    left = tuple(word for each in beside for word in _left(each, own[0], spoken))
    return replace(reading, verbs=(), verb=None, uncovered=(*reading.uncovered, *left)) if left else reading


def _has_scope(reading: Reading) -> bool:
    """What has a scope of its own is a question about that, and not about the object."""
    return bool(reading.entities or reading.periods or reading.objects or reading.picks or reading.widen)


def _narrows(verb: CatalogVerb, wider: CatalogVerb, said: _Words, spoken: Spoken) -> bool:
    """Whether a verb is called by one of the words that were said and a word for the wider one."""
    if verb.signature.name == wider.signature.name:
        return False
    heads = frozenset(key for phrase in _phrases(wider, spoken) if len(phrase) == 1 for key in phrase[0])
    return any(
        len(phrase) == 2
        and any(not said.isdisjoint(one) and not heads.isdisjoint(other) for one, other in _pairs(phrase))
        for phrase in _phrases(verb, spoken)
    )


def _pairs(phrase: tuple[_Words, ...]) -> tuple[tuple[_Words, _Words], ...]:
    return (phrase[0], phrase[1]), (phrase[1], phrase[0])


def _left(mention: Mention, action: CatalogVerb, spoken: Spoken) -> tuple[str, ...]:
    """The words of a mention that no phrase of the action has."""
    known = frozenset(key for phrase in _phrases(action, spoken) for word in phrase for key in word)
    return tuple(
        token.form for token in tokens_of(mention.text) if known.isdisjoint(keys_of(token.form, spoken))
    )


def _keys(text: str, spoken: Spoken) -> _Words:
    return frozenset(key for token in tokens_of(text) for key in keys_of(token.form, spoken))


def _phrases(verb: CatalogVerb, spoken: Spoken) -> tuple[tuple[_Words, ...], ...]:
    codes = [each.code for each in spoken.languages]
    return _laid_out(tuple(phrase for code in codes for phrase in verb.spec.words.get(code, ())), spoken)


@lru_cache(maxsize=256)
def _laid_out(phrases: tuple[str, ...], spoken: Spoken) -> tuple[tuple[_Words, ...], ...]:
    return tuple(
        tuple(frozenset(keys_of(token.form, spoken)) for token in tokens_of(phrase))
        for phrase in phrases
        if "<" not in phrase
    )
