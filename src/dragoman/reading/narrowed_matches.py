"""Which of the matches of a search a message means: by a part of the name, or by what tells them apart."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.named_entity import NamedEntity
from dragoman.contracts.state import EntityRef
from dragoman.entities.records import Match
from dragoman.locales.documents import lexicon_of
from dragoman.locales.registry import FALLBACK, language
from dragoman.reading.cues import is_soft
from dragoman.reading.languages import spoken_with
from dragoman.reading.lemmas import keys_of
from dragoman.reading.tokens import fold, tokens_of

_CLOSE: Final = 84.0
_SHORT: Final = 3
_STEM: Final = 5
_ENDING: Final = 5
_LEVELS: Final = 2
_LIGHT: Final = ("gap_words", "row_words", "fillers", "polite", "stranded", "demonstratives", "anaphors")


def telling_words(text: str, code: str, catalog: Catalog, kind: str) -> tuple[str, ...]:
    """The words of a message that may tell one entity of a kind from another, as they are compared."""
    kinds = _words(word for words in catalog.kinds.get(kind, {}).values() for word in words)
    spoken = spoken_with(code, text)
    light = kinds | {
        form
        for each in spoken.languages
        for form in _words(str(word) for name in _LIGHT for word in lexicon_of(each)[name])
    }
    forms = (token.form for token in tokens_of(text))
    return tuple(
        dict.fromkeys(
            form
            for form in forms
            if form not in light and kinds.isdisjoint(keys_of(form, spoken)) and not is_soft(form, code)
        )
    )


def fitting(words: Sequence[str], matches: Iterable[Match], kind: str, catalog: Catalog) -> tuple[Match, ...]:
    """The matches that every word fits: one of their names, of the values that tell them apart, or of what
    they belong to. A word for such a value ("managed by", "in the jurisdiction") goes with it."""
    said = _value_words(kind, catalog)
    pool = tuple(matches)
    # What an entity itself belongs to comes before what that belongs to: the country of its manager.
    for levels in range(1, _LEVELS + 1):
        found = tuple(match for match in pool if _fits(words, _words_of(match, kind, catalog, levels), said))
        if found:
            return found
    return ()


def _fits(
    words: Sequence[str], of_match: tuple[frozenset[str], frozenset[str]], said: frozenset[str]
) -> bool:
    names, values = of_match
    fits = [
        any(_same(word, each) for each in names)
        or any(_same(word, each) or _same_stem(word, each) for each in values)
        for word in words
    ]
    # Words that only say which value is meant pick nothing by themselves.
    return any(fits) and all(fit or _names(word, said) for word, fit in zip(words, fits, strict=True))


def related(
    owner: EntityRef, words: Sequence[str], matches: Iterable[Match], kind: str, catalog: Catalog
) -> tuple[Match, ...]:
    """The matches that belong to an entity that was named, and that the words beside its name fit."""
    found = []
    for match in matches:
        entity = catalog.entity(kind, match.key)
        if entity is not None and (owner.kind, owner.id) in entity.belongs:
            found.append(match)
    said = _value_words(kind, catalog)
    telling = [word for word in words if not _names(word, said)]
    return fitting(telling, found, kind, catalog) if telling else tuple(found)


def called(text: str, matches: Iterable[Match]) -> tuple[Match, ...]:
    """The matches whose whole name or key the message is."""
    said = [token.form for token in tokens_of(text)]
    whole = text.strip().casefold()
    return tuple(
        match
        for match in matches
        if whole == match.key.casefold() or said == [token.form for token in tokens_of(match.display)]
    )


def _words_of(
    match: Match, kind: str, catalog: Catalog, levels: int
) -> tuple[frozenset[str], frozenset[str]]:
    """Every word that an entity is called by, and every one for what tells it apart: in every language, and
    as an adjective where the value is a country."""
    names, values = [match.display, match.name], list(match.discriminators.values())
    entity = catalog.entity(kind, match.key)
    if entity is not None:
        names += entity.names
        values += [*entity.told, *_owned_by(entity, catalog, levels)]
    adjectives = (word for value in values for word in _of_countries().get(value, ()))
    return frozenset(_words(names)), frozenset(_words((*values, *adjectives)))


def _owned_by(entity: NamedEntity, catalog: Catalog, levels: int) -> list[str]:
    """What an entity belongs to is called, and what that belongs to: the country of a fund is its owner's."""
    owners = [catalog.entity(above, key) for above, key in entity.belongs] if levels else []
    names: list[str] = []
    for owner in owners:
        if owner is not None:
            names += [*owner.names, owner.ref.id, *_owned_by(owner, catalog, levels - 1)]
    return names


@cache
def _of_countries() -> dict[str, tuple[str, ...]]:
    """What is of a country, by the country's codes and names."""
    found: dict[str, tuple[str, ...]] = {}
    for country in language(FALLBACK).document("places")["countries"]:
        of = tuple(country.get("of", ()))
        found |= dict.fromkeys(country.get("codes", ()), of)
    return found


def _value_words(kind: str, catalog: Catalog) -> frozenset[str]:
    """What the values that tell entities of a kind apart are called: manager, jurisdiction, currency."""
    owned = catalog.packs.entities.get(kind)
    if owned is None:
        return frozenset()
    above = [
        word
        for each in owned.entity.within
        for words in catalog.kinds.get(each, {}).values()
        for word in words
    ]
    return frozenset(_words((*owned.entity.discriminators, *above)))


def _names(word: str, named: frozenset[str]) -> bool:
    return any(_same(word, each) or _same_stem(word, each) for each in named)


def _same_stem(one: str, other: str) -> bool:
    """Managed by the manager: the beginning is one, only the ending is another."""
    shared = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return shared >= _STEM and max(len(one), len(other)) - shared <= _ENDING


def _same(word: str, of_name: str) -> bool:
    if len(word) <= _SHORT or len(of_name) <= _SHORT:
        return word == of_name
    # Few messages narrow a name, and only they need what compares spellings.
    from rapidfuzz import fuzz

    if of_name.startswith(word) or fuzz.ratio(word, of_name) >= _CLOSE:
        return True
    # An adjective or a particle is a name with an ending: Luxembourgish, 룩셈부르크에.
    return len(of_name) >= _STEM - 1 and word.startswith(of_name) and len(word) - len(of_name) <= _ENDING


def _words(texts: Iterable[str]) -> set[str]:
    return {fold(token.form) for text in texts for token in tokens_of(text)}
