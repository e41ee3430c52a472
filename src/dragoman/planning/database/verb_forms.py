"""Verbs and the nouns that are made of them: what was created has a creation date."""

from functools import lru_cache

from dragoman.planning.database.vocabulary import Words, english
from dragoman.planning.tables.schema_names import Thing

_SHORTEST = 4


@lru_cache(maxsize=16384)
def akin(first: str, second: str) -> bool:
    """Whether two stems are of one word, as far as their endings tell: create and creation."""
    if first == second:
        return True
    length = next(
        (at for at, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]),
        min(len(first), len(second)),
    )
    endings = {first[length:], second[length:]}
    if length < (_SHORTEST - 1 if "" in endings else _SHORTEST):
        return False
    return endings <= {"", *english().noun_endings}


def closeness(words: Words, verb: str, date: Thing) -> float:
    """How surely a verb, as its stem, speaks of a date, by the words of its column: 1 where the column has
    the verb in its name, less for words that go with it, 0 for none. A pack says which verbs there are more,
    and which are those of another date."""
    if verb in date.unsaid:
        return 0.0
    if any(word not in words.any_date and akin(verb, word) for word in date.words):
        return 1.0
    said = words.date_verbs.get(verb) or _said_of(words, verb)
    places = [said.index(word) for word in date.words if word in said]
    if places:
        return 0.8 - 0.02 * min(places)
    return 1.0 if verb in date.verbs else 0.0


@lru_cache(maxsize=4096)
def _said_of(words: Words, noun: str) -> tuple[str, ...]:
    """The words of dates that the verb of a noun speaks of: of a delivery those of what is delivered."""
    if len(noun) <= _SHORTEST + 1:
        return ()
    return next(
        (said for verb, said in words.date_verbs.items() if len(verb) > _SHORTEST and akin(noun, verb)), ()
    )


def speaks_of(words: Words, verb: str, date: Thing) -> bool:
    return closeness(words, verb, date) > 0


def is_done(text: str) -> bool:
    """A participle: ordered, prescribed, taken, sent."""
    word = text.casefold()
    if len(word) < 4 or word in english().auxiliary or word.endswith("eed"):
        return False
    return word.endswith(("ed", "en", "wn"))
