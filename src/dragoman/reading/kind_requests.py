"""Messages that say what kind of thing is wanted, and no more than that or a name: "CBUs", "the Nova client".

A kind alone asks for the list of it. A kind with a name that nothing has asks for the card of something that
is not there: where the pack can make one, that is no word which nobody understands.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.locales.dictionary import has_word
from dragoman.locales.documents import lexicon_of
from dragoman.reading.cues import is_soft
from dragoman.reading.languages import Spoken, spoken_with
from dragoman.reading.lemmas import keys_of
from dragoman.reading.reading import MentionKind, Reading
from dragoman.reading.said_values import value_words
from dragoman.reading.tokens import Token, fold, tokens_of
from dragoman.session.continuity import Continuity

_EMPTY = ("gap_words", "fillers", "polite", "demonstratives", "stranded")


def with_kind_request(text: str, reading: Reading, continuity: Continuity, catalog: Catalog) -> Reading:
    """The reading with the list of a kind as what is asked for, or with a name that nothing of a kind has."""
    if not catalog.cards or reading.verbs or reading.phrase is not None:
        return reading
    reading = _of_action(reading, catalog)
    spoken = spoken_with(reading.language, text)
    tokens = [token for token in tokens_of(text) if not _is_light(token, reading, spoken)]
    card = _card_alone(text, reading, continuity, catalog)
    if card is not None:
        return replace(reading, actions=(card,))
    counted = _counted_before(reading, continuity, catalog)
    if counted is not None:
        return replace(reading, verb=counted, verbs=(counted,), anaphor=False, same_slice=True)
    for kind in catalog.cards:
        places = _kind_places(tokens, catalog.kinds.get(kind, {}), spoken)
        others = [token for place, token in enumerate(tokens) if place not in places]
        if places and _is_narrowed(reading, others, kind, catalog):
            verb = list_verb(kind, catalog)
            return replace(reading, verb=verb, verbs=(verb,) if verb else (), actions=())
        if not places or not _is_bare(reading, [tokens[place] for place in places]):
            continue
        if others:
            return _named(text, reading, kind, others, tokens[min(places)], catalog)
        return _listed(reading, kind, continuity, catalog)
    return reading


def _of_action(reading: Reading, catalog: Catalog) -> Reading:
    """The reading with a name that fits several kinds kept to the one that the action beside it is of: the
    funds of Kestrel are those of a client, and not of a fund."""
    kinds = {catalog.actions[name].spec.object for name in reading.actions}
    if len(kinds) != 1 or len(reading.objects) != 1:
        return reading
    of_kind = tuple(ref for ref in reading.objects[0] if ref.kind in kinds)
    return replace(reading, objects=(of_kind,)) if of_kind else reading


def _card_alone(text: str, reading: Reading, continuity: Continuity, catalog: Catalog) -> str | None:
    """The card of what is selected, where nothing is said but a word for it that carries nothing elsewhere:
    details."""
    selected = continuity.selected_object
    card = catalog.actions.get(catalog.cards.get(selected.focus_object_kind, "")) if selected else None
    said = {mention.kind for mention in reading.mentions} - {MentionKind.FILLER}
    if card is None or said or reading.uncovered or not _is_bare(reading, ()):
        return None
    named = [token for token in tokens_of(text) if _is_card_word(token, reading.language, card)]
    return card.signature.name if named else None


def _counted_before(reading: Reading, continuity: Continuity, catalog: Catalog) -> str | None:
    """The list of what was counted, where nothing is said but to show it: list them."""
    root = continuity.root
    if root is None or continuity.selected_object is not None or root.domain_id not in catalog.cards:
        return None
    verb = catalog.verbs.get(root.root_route_id)
    if verb is None or any(column.entity for column in verb.columns) or not reading.anaphor:
        return None
    said = reading.verbs or reading.actions or reading.entities or reading.objects or reading.periods
    other = reading.picks or reading.uncovered or reading.meta or reading.recap or reading.wants_write
    listing = catalog.verbs.get(list_verb(root.domain_id, catalog) or "")
    if said or other or reading.extend or reading.widen or listing is None:
        return None
    # What it was narrowed by has to narrow the list as well.
    kept = {name for name, argument in listing.spec.arguments.items() if argument.entity}
    held = [argument.name for statement in continuity.base for argument in statement.arguments]
    return listing.signature.name if kept.issuperset(held) else None


def _is_narrowed(reading: Reading, others: Sequence[Token], kind: str, catalog: Catalog) -> bool:
    """Whether a kind is said with nothing but what its list can be narrowed to: clients in Germany."""
    verb = catalog.verbs.get(list_verb(kind, catalog) or "")
    names = reading.of_kind(MentionKind.ENTITY)
    if verb is None or not others or reading.anaphor:
        return False
    if any(ref.kind not in verb.takes for refs in reading.objects for ref in refs):
        return False
    names = (*names, *reading.of_kind(MentionKind.OBJECT))
    if reading.periods or reading.picks or reading.meta or reading.recap or reading.wants_write:
        return False
    spoken = spoken_with(reading.language, " ".join(token.form for token in others))
    options = {token.form for token in others if _is_option(token, verb, spoken)}
    named = all(
        token.form in options or any(m.start <= token.start < m.end for m in names) for token in others
    )
    covered = options.issuperset(reading.uncovered)
    if reading.objects and not options:
        # What belongs to one of them is asked of that one.
        return False
    return named and covered and all(entity.kind in verb.takes for entity in reading.entities)


def _is_option(token: Token, verb: CatalogVerb, spoken: Spoken) -> bool:
    """Whether a word is one of the closed values that a list can be narrowed to: active clients."""
    options = {fold(o) for argument in verb.spec.arguments.values() for o in argument.options}
    return not options.isdisjoint((token.form, *keys_of(token.form, spoken)))


def name_alone(said: str, kind: str, catalog: Catalog, language: str) -> str:
    """A name without the words for its kind beside it."""
    spoken = spoken_with(language, said)
    tokens = tokens_of(said)
    places = _kind_places(tokens, catalog.kinds.get(kind, {}), spoken)
    small = {word for each in spoken.languages for word in lexicon_of(each)["gap_words"]}
    kept = [token for place, token in enumerate(tokens) if place not in places]
    while len(kept) > 1 and kept[0].form in small:
        kept.pop(0)
    return said[kept[0].start : kept[-1].end] if kept else said


def _is_bare(reading: Reading, kind_words: Sequence[Token]) -> bool:
    """Whether nothing else is said that could be looked up or done. What was read into the word for the kind
    itself is nothing else: it may be a word of names as well."""
    names = (*reading.of_kind(MentionKind.OBJECT), *reading.of_kind(MentionKind.ENTITY))
    beside = any(not any(m.start <= word.start < m.end for word in kind_words) for m in names)
    talks = reading.meta or reading.recap or reading.extend or reading.wants_write
    anaphor = reading.anaphor or reading.of_kind(MentionKind.ANAPHOR)
    points = anaphor or reading.affirm is not None or reading.widen
    counts = reading.periods or reading.picks or reading.excluded
    return not (beside or talks or points or counts or reading.chooses_scope or reading.returns)


def _is_light(token: Token, reading: Reading, spoken: Spoken) -> bool:
    covering = (MentionKind.FILLER,)
    if any(m.start <= token.start < m.end for kind in covering for m in reading.of_kind(kind)):
        return True
    words = (word for each in spoken.languages for name in _EMPTY for word in lexicon_of(each)[name])
    return token.form in set(map(str, words)) or is_soft(token.form, reading.language)


def _kind_places(
    tokens: Sequence[Token], words: Mapping[str, tuple[str, ...]], spoken: Spoken
) -> frozenset[int]:
    """The places of the first words that call the kind, one or several beside each other."""
    phrases = [tuple(token.form for token in tokens_of(word)) for many in words.values() for word in many]
    keys = [keys_of(token.form, spoken) for token in tokens]
    for phrase in sorted(phrases, key=len, reverse=True):
        for start in range(len(tokens) - len(phrase) + 1):
            if all(form in keys[start + i] for i, form in enumerate(phrase)):
                return frozenset(range(start, start + len(phrase)))
    return frozenset()


def _listed(reading: Reading, kind: str, continuity: Continuity, catalog: Catalog) -> Reading:
    """The list of a kind. With something in hand the word may be an action on it: "funds" are those of the
    CBU that was just opened; or it may narrow it."""
    verb = list_verb(kind, catalog)
    means_more = reading.actions or reading.entities or reading.objects
    if verb is None or (means_more and continuity.root is not None):
        return reading
    asked = replace(reading, verb=verb, verbs=(verb,), actions=(), uncovered=())
    return replace(asked, objects=(), entities=())


def list_verb(kind: str, catalog: Catalog) -> str | None:
    """The verb that lists the entities of a kind and needs nothing for it, by its name before any other."""
    found = [
        name
        for name, verb in catalog.verbs.items()
        if verb.columns and verb.columns[0].entity == kind and verb.date_use is None and not _needs(verb)
    ]
    usual = f"{kind}.list"
    return usual if usual in found else found[0] if len(found) == 1 else None


def _needs(verb: CatalogVerb) -> bool:
    return any(argument.required for argument in verb.spec.arguments.values())


def _named(
    text: str, reading: Reading, kind: str, others: Sequence[Token], first: Token, catalog: Catalog
) -> Reading:
    """The card of something that is not there, where the pack can make it."""
    owned = catalog.packs.entities[kind]
    card = catalog.actions[catalog.cards[kind]]
    if owned.entity.create not in owned.pack.verbs or not _asks_card(text, reading, card):
        return reading
    said = [token for token in others if not _is_card_word(token, reading.language, card)]
    if not said or not all(token.form in reading.uncovered for token in said):
        return reading
    name = text[said[0].start : said[-1].end]
    before_kind = said[-1].end <= first.start
    named = _is_called(said[0], text, reading) or all(
        _is_name(token, text, reading, before_kind=before_kind) for token in said
    )
    if not named or len(tokens_of(name)) != len(said):
        return reading
    return replace(reading, unknown=(kind, name), uncovered=(), actions=(), objects=(), entities=())


def _asks_card(text: str, reading: Reading, card: CatalogVerb) -> bool:
    return any(_is_card_word(token, reading.language, card) for token in tokens_of(text))


def _is_card_word(token: Token, language: str, card: CatalogVerb) -> bool:
    spoken = spoken_with(language, token.form)
    words = {part.form for many in card.spec.words.values() for word in many for part in tokens_of(word)}
    return not words.isdisjoint(keys_of(token.form, spoken))


def _is_called(first: Token, text: str, reading: Reading) -> bool:
    """Whether a word before it says that what follows is a name: the client called sunrise."""
    before = [token.form for token in tokens_of(text) if token.end <= first.start]
    words = [value_words(each).called for each in spoken_with(reading.language, text).languages]
    return any(tuple(before[-len(phrase) :]) == phrase for phrases in words for phrase in phrases)


def _is_name(token: Token, text: str, reading: Reading, *, before_kind: bool) -> bool:
    """Whether a word may be a name: "show client fees" asks for fees, "show client Nova" for a client."""
    if text[token.start].isupper() or token.form.isdigit():
        return True
    spoken = spoken_with(reading.language, token.form).of(token.script)
    if spoken is None:
        return False
    known = spoken.has_word(spoken, token.form) or has_word(spoken, token.form)
    if known and not spoken.is_name(spoken, token.form):
        return False
    # Of a language whose words are in no dictionary, only the order tells: the name stands before its kind.
    return not spoken.glued or before_kind
