"""Which write verb an order means: by the words of the pack, by what the order does and what it speaks of."""

from collections.abc import Container, Iterable, Sequence
from functools import cache, lru_cache

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.record import Record
from dragoman.locales.documents import lexicon_of
from dragoman.locales.language import Language
from dragoman.planning.packs.argument_options import plain_arguments, titles
from dragoman.planning.packs.kind_words import kind_words
from dragoman.reading.change_orders import Change, Order, order_words
from dragoman.reading.languages import Spoken
from dragoman.reading.lemmas import keys_of
from dragoman.reading.tokens import Token, tokens_of

_OF_SQL = {"INSERT": Change.CREATE, "DELETE": Change.DELETE, "UPDATE": Change.CHANGE}


class Phrase(Record, frozen=True):
    """Words that a pack calls a write verb by: the verb among them, and the others that carry something."""

    head: str
    rest: tuple[str, ...]


class Ordered(Record, frozen=True):
    """A write verb that an order may mean, how much speaks for it, and the places of the words that do."""

    verb: CatalogVerb
    weight: int
    words: tuple[int, ...]


def heads(catalog: Catalog, spoken: Spoken) -> frozenset[str]:
    """The words that begin an order by what the packs call their write verbs."""
    return frozenset(
        phrase.head
        for verb in catalog.changes.values()
        for language in spoken.languages
        for phrase in _phrases(tuple(verb.spec.words.get(language.code, ())), language)
    )


def ordered_verbs(
    order: Order,
    tokens: Sequence[Token],
    free: Iterable[int],
    spoken: Spoken,
    catalog: Catalog,
    kinds: Container[str] = (),
) -> tuple[Ordered, ...]:
    """The write verbs that an order fits, those first that most speaks for. `free` are the places of words
    that are no part of a value, `kinds` those of the objects that are named or pointed at."""
    places = sorted(free)
    found = []
    for verb in catalog.changes.values():
        weight, words = max(
            (
                *_by_words(verb, order, tokens, places, spoken),
                *_by_kind(verb, order, tokens, places, spoken, catalog),
                *_by_object(verb, order, kinds),
                (0, ()),
            ),
            key=lambda each: each[0],
        )
        if weight:
            found.append(Ordered(verb, weight, words))
    return tuple(sorted(found, key=lambda each: (-each.weight, each.verb.signature.name)))


def change_of(verb: CatalogVerb) -> Change:
    """What a write verb does with rows."""
    return _OF_SQL.get(verb.spec.sql.split(maxsplit=1)[0].upper(), Change.OTHER)


def spoken_of(
    phrase: tuple[str, ...], tokens: Sequence[Token], places: Sequence[int], spoken: Spoken
) -> tuple[int, ...]:
    """The places of the words of a phrase, one behind the other; none where it is not said."""
    for start in places:
        run = tuple(range(start, start + len(phrase)))
        if run[-1] >= len(tokens) or not set(run) <= set(places):
            continue
        if all(_is_form(tokens[at].form, form, spoken) for at, form in zip(run, phrase, strict=True)):
            return run
    return ()


Weighed = tuple[int, tuple[int, ...]]


def _by_words(
    verb: CatalogVerb, order: Order, tokens: Sequence[Token], places: Sequence[int], spoken: Spoken
) -> list[Weighed]:
    """How well the words that the pack has for a verb are said."""
    found: list[Weighed] = []
    for language in spoken.languages:
        for phrase in _phrases(tuple(verb.spec.words.get(language.code, ())), language):
            at_head = any(
                _is_order_form(tokens[at].form, phrase.head, language, spoken)
                for at in range(order.start, order.end)
            )
            whole = phrase if at_head else Phrase("", (phrase.head, *phrase.rest))
            # What the pack says in other words than those of the order has to be said to the letter: a new
            # client, and not the new clients.
            exact = not at_head or order.makes_new or phrase.head in _denials(language)
            words = _said(whole.rest, tokens, places, spoken, exact=exact)
            if words is not None and (at_head or len(whole.rest) > 1):
                found.append((2 * (at_head + len(whole.rest)) + at_head, words))
    return found


def _by_kind(
    verb: CatalogVerb,
    order: Order,
    tokens: Sequence[Token],
    places: Sequence[int],
    spoken: Spoken,
    catalog: Catalog,
) -> list[Weighed]:
    """How well what the order does, and what it speaks of, is what a verb does to that."""
    change = change_of(verb)
    if change not in order.changes:
        return []
    behind = [at for at in places if not order.start <= at < order.end]
    if change is Change.CHANGE:
        return _by_argument(verb, tokens, behind, spoken, catalog)
    kinds = [k for k, e in catalog.packs.entities.items() if e.entity.create == verb.signature.name]
    kinds = kinds if change is Change.CREATE else [verb.spec.object]
    first = _first_kind(tokens, behind, spoken, catalog)
    found: list[Weighed] = []
    for kind in kinds:
        phrases = kind_words(kind, catalog, spoken)
        for phrase in phrases:
            words = spoken_of(phrase, tokens, behind, spoken)
            exact = tuple(tokens[at].form for at in words) == phrase
            if words and (not order.makes_new or (exact and not _is_plural(phrase, phrases))):
                found.append((3 + len(words) if words[0] == first else 1, words))
    return found


def _is_plural(phrase: tuple[str, ...], others: Iterable[tuple[str, ...]]) -> bool:
    """Whether a phrase is another with an ending more: the new clients are there already."""
    return any(
        len(other) == len(phrase) and phrase[-1] != other[-1] and phrase[-1].startswith(other[-1])
        for other in others
    )


def _by_object(verb: CatalogVerb, order: Order, kinds: Container[str]) -> list[Weighed]:
    """To delete an object that is named or in hand is a verb that deletes such."""
    deletes = Change.DELETE in order.changes and change_of(verb) is Change.DELETE
    return [(1, ())] if deletes and verb.spec.object in kinds else []


def _by_argument(
    verb: CatalogVerb, tokens: Sequence[Token], places: Sequence[int], spoken: Spoken, catalog: Catalog
) -> list[Weighed]:
    """What is changed is named by an argument: change its name, set the manager."""
    named: list[tuple[str, ...]] = []
    plain = plain_arguments(verb)
    for name, argument in verb.spec.arguments.items():
        if argument.entity == verb.spec.object:
            continue
        if name in plain:
            named += [p for each in spoken.languages for p in titles(name, argument, each.code)]
        elif argument.entity:
            named += kind_words(argument.entity, catalog, spoken)
    said = [spoken_of(phrase, tokens, places, spoken) for phrase in named]
    return [(1 + len(words), words) for words in said if words and verb.spec.object]


def _first_kind(tokens: Sequence[Token], places: Sequence[int], spoken: Spoken, catalog: Catalog) -> int:
    """The place of the first word for a kind: a fund for the client makes a fund."""
    starts = [
        words[0]
        for kind in catalog.kinds
        for phrase in kind_words(kind, catalog, spoken)
        if (words := spoken_of(phrase, tokens, places, spoken))
    ]
    return min(starts, default=-1)


def _said(
    phrase: tuple[str, ...], tokens: Sequence[Token], places: Sequence[int], spoken: Spoken, *, exact: bool
) -> tuple[int, ...] | None:
    """The places of the words of a phrase, in whatever order; None where one is not said."""
    found: list[int] = []
    for form in phrase:
        fitting = (
            at
            for at in places
            if at not in found
            and (tokens[at].form == form if exact else _is_form(tokens[at].form, form, spoken))
        )
        place = next(fitting, None)
        if place is None:
            return None
        found.append(place)
    return tuple(found)


def _is_form(form: str, wanted: str, spoken: Spoken) -> bool:
    return form == wanted or not set(keys_of(form, spoken)).isdisjoint(keys_of(wanted, spoken))


def _is_order_form(form: str, head: str, language: Language, spoken: Spoken) -> bool:
    words = order_words(language)
    if form == head or (form.startswith(head) and form[len(head) :] in words.endings):
        return True
    infinitive = bool(words.infinitives) and form.endswith(words.infinitives)
    return infinitive and _is_form(form, head, spoken)


@cache
def _denials(language: Language) -> frozenset[str]:
    """The words of a no: what a pack says with one is said to the letter."""
    listed = lexicon_of(language)["affirm"]["no"]
    return frozenset(token.form for phrase in listed for token in tokens_of(str(phrase)))


@lru_cache(maxsize=2_000)
def _phrases(listed: tuple[str, ...], language: Language) -> tuple[Phrase, ...]:
    empty = {token.form for word in lexicon_of(language)["fillers"] for token in tokens_of(str(word))}
    ends_in_verb = order_words(language).ends_in_verb
    found = []
    for text in listed:
        forms = [token.form for token in tokens_of(text)]
        if not forms:
            continue
        head = forms.pop() if ends_in_verb else forms.pop(0)
        found.append(Phrase(head, tuple(form for form in forms if form not in empty)))
    return tuple(found)
