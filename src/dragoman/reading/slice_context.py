"""What a reading means where it is said: the same words are read otherwise under another slice."""

from functools import lru_cache

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.vocabulary import MetaQuestionKind
from dragoman.reading.cues import asks_total, compares, counts, is_soft
from dragoman.reading.languages import Spoken, spoken_with
from dragoman.reading.narrower import narrowed_action
from dragoman.reading.pronouns import of_object
from dragoman.reading.reading import MentionKind, Reading
from dragoman.reading.tokens import fold
from dragoman.session.continuity import Continuity


def in_context(text: str, reading: Reading, continuity: Continuity, catalog: Catalog) -> Reading:
    """The reading, with what the slice in hand decides of it."""
    if reading.phrase is not None:
        return reading
    reading = narrowed_action(text, reading, continuity, catalog)
    reading = _in_total(text, reading, continuity, catalog)
    reading = _back_to_slice(reading, continuity)
    reading = _beside_period(reading)
    reading = _counted(reading, catalog)
    reading = _one_of_domain(reading, continuity, catalog)
    reading = _gathered(reading, catalog)
    reading = _about_answer(reading, continuity, catalog)
    reading = _compared(reading, continuity)
    reading = of_object(text, reading, continuity, catalog)
    reading = _covered_by_slice(reading, continuity, catalog)
    reading = _of_own_verb(reading, catalog)
    return _without_soft(reading)


@lru_cache(maxsize=8)
def _own_words(catalog: Catalog, spoken: Spoken) -> dict[str, frozenset[str]]:
    """For each root verb the words that its phrases have, and those of no other verb of its domain."""
    codes = [language.code for language in spoken.languages]
    said = {
        name: {
            fold(word) for code in codes for text in verb.spec.words.get(code, ()) for word in text.split()
        }
        for name, verb in catalog.verbs.items()
    }
    own = {}
    for name, verb in catalog.verbs.items():
        domain = verb.signature.domain
        others = [said[n] for n, v in catalog.verbs.items() if n != name and v.signature.domain == domain]
        own[name] = frozenset(said[name].difference(*others))
    return own


def _of_own_verb(reading: Reading, catalog: Catalog) -> Reading:
    """A word that the phrases of the verb have, and of no verb that it could be mistaken for, covers itself:
    "inventory position". What denies, compares, counts or points never does."""
    spoken = spoken_with(reading.language, "".join(reading.uncovered))
    own = _own_words(catalog, spoken).get(reading.verb or "")
    if not reading.uncovered or own is None:
        return reading
    kinds = (
        MentionKind.NEGATION,
        MentionKind.COMPARISON,
        MentionKind.NUMBER,
        MentionKind.GROUPING,
        MentionKind.ANAPHOR,
    )
    kept = {fold(w) for kind in kinds for m in reading.of_kind(kind) for w in m.text.split()}
    left = tuple(w for w in reading.uncovered if w not in own or w in kept)
    return reading if left == reading.uncovered else replace(reading, uncovered=left)


def _without_soft(reading: Reading) -> Reading:
    """Beside something that can be looked up, the words in which it is asked for carry nothing."""
    named = reading.verbs or reading.actions or reading.objects or reading.entities or reading.periods
    if not reading.uncovered or not (named or reading.picks or reading.widen):
        return reading
    left = tuple(word for word in reading.uncovered if not is_soft(word, reading.language))
    return reading if left == reading.uncovered else replace(reading, uncovered=left)


_BESIDE = 6
"""So far before a period its preposition may stand: `by the end of April`."""


def _beside_period(reading: Reading) -> Reading:
    """A word that elsewhere gathers or compares is a preposition before a period, or a part of it."""
    starts = [mention.start for mention in reading.of_kind(MentionKind.PERIOD)]
    words = (*reading.of_kind(MentionKind.GROUPING), *reading.of_kind(MentionKind.COMPARISON))
    said = {fold(word.text) for word in words if any(0 <= start - word.end <= _BESIDE for start in starts)}
    left = tuple(word for word in reading.uncovered if word not in said)
    return reading if left == reading.uncovered else replace(reading, uncovered=left)


def _counted(reading: Reading, catalog: Catalog) -> Reading:
    """How many of something there are is asked of a verb that gives quantities of it."""
    kinds = {ref.kind for refs in reading.objects for ref in refs}
    left = tuple(word for word in reading.uncovered if not counts(word, reading.language))
    asked = left != reading.uncovered or any(
        counts(m.text, reading.language) for m in reading.of_kind(MentionKind.FILLER)
    )
    if not asked or not kinds:
        return reading
    verb = catalog.verbs.get(reading.verb or "")
    if verb is not None:
        return replace(reading, uncovered=left) if _gathers(verb, kinds) else reading
    giving = [name for name, each in catalog.verbs.items() if _gathers(each, kinds)]
    if reading.verbs or reading.actions or len(giving) != 1 or not (reading.entities or reading.periods):
        return reading
    return replace(reading, verb=giving[0], verbs=(giving[0],), uncovered=left)


def _names_several(reading: Reading) -> bool:
    """Whether verbs are named by words of their own, one after the other: stock and sales."""
    named: dict[tuple[int, int], set[str]] = {}
    for mention in reading.of_kind(MentionKind.VERB):
        named.setdefault((mention.start, mention.end), set()).add(mention.means)
    alone = {next(iter(means)) for means in named.values() if len(means) == 1}
    return len(alone.intersection(reading.verbs)) > 1


def _one_of_domain(reading: Reading, continuity: Continuity, catalog: Catalog) -> Reading:
    """Words that several verbs share ("in total") mean the one of the domain in hand."""
    root = continuity.root
    if len(reading.verbs) < 2:
        return reading
    if reading.actions and reading.anaphor:
        # An action with a pronoun is of the object; what else stands there is said in passing.
        return replace(reading, verbs=(), verb=None)
    known = [catalog.verbs[name] for name in reading.verbs if name in catalog.verbs]
    gathering = [verb for verb in known if any(column.entity for column in verb.columns)]
    if len({verb.signature.domain for verb in known}) == 1 and len(gathering) == 1:
        # "From which suppliers did we buy": the total is what they are gathered from.
        name = gathering[0].signature.name
        return replace(reading, verbs=(name,), verb=name)
    if root is None or _is_choice(reading, catalog) or _names_several(reading):
        return reading
    mine = {catalog.verbs[v].signature.domain for v in reading.verbs if v in catalog.verbs}
    if root.domain_id not in mine and _is_bare(reading) and continuity.last_found is not None:
        # "What is the total?" of a list of another domain: the list itself is meant.
        return replace(reading, verbs=(), verb=None, meta=MetaQuestionKind.EVALUATION, uncovered=())
    own = [
        v for v in reading.verbs if v in catalog.verbs and catalog.verbs[v].signature.domain == root.domain_id
    ]
    return replace(reading, verbs=(own[0],), verb=own[0]) if len(own) == 1 else reading


def _is_bare(reading: Reading) -> bool:
    if reading.actions:
        return False
    return not (reading.entities or reading.periods or reading.objects or reading.picks or reading.uncovered)


def _back_to_slice(reading: Reading, continuity: Continuity) -> Reading:
    """Back to the list is back to the slice in hand; who of it has the most is a row of it."""
    root = continuity.root
    if root is None or reading.entities or reading.periods or reading.objects:
        return reading
    if reading.returns and not reading.verbs and not reading.actions:
        return replace(reading, verb=root.root_route_id, verbs=(root.root_route_id,))
    if reading.picks and reading.verbs == (root.root_route_id,):
        return replace(reading, verb=None, verbs=())
    return reading


def _in_total(text: str, reading: Reading, continuity: Continuity, catalog: Catalog) -> Reading:
    """ "In total?" is the verb of the domain in hand that gives one figure; where there is none, the sum of
    the rows in hand."""
    root = continuity.root
    if (
        root is None
        or reading.verbs
        or reading.meta is not None
        or reading.recap
        or not asks_total(text, reading.language)
    ):
        return reading
    if reading.entities or reading.periods or reading.objects or reading.actions or reading.picks:
        return reading
    own = [
        name
        for name, verb in catalog.verbs.items()
        if verb.signature.domain == root.domain_id and not any(column.entity for column in verb.columns)
    ]
    if len(own) == 1:
        return replace(reading, verb=own[0], verbs=(own[0],), uncovered=(), anaphor=False)
    return replace(reading, meta=MetaQuestionKind.EVALUATION, uncovered=())


def _is_choice(reading: Reading, catalog: Catalog) -> bool:
    """Two verbs of one domain: they owe us, or we owe them."""
    domains = {catalog.verbs[v].signature.domain for v in reading.verbs if v in catalog.verbs}
    return len(reading.verbs) > 1 and len(domains) == 1


def _gathered(reading: Reading, catalog: Catalog) -> Reading:
    """A total asked for by the word of a kind ("which customers bought") is the verb that gathers by it."""
    verb = catalog.verbs.get(reading.verb or "")
    if verb is None or any(column.entity for column in verb.columns):
        return reading
    kinds = {mention.means for mention in reading.of_kind(MentionKind.KIND_WORD)}
    siblings = [
        each
        for each in catalog.verbs.values()
        if each.signature.domain == verb.signature.domain and _gathers(each, kinds)
    ]
    if len(siblings) != 1:
        return reading
    name = siblings[0].signature.name
    return replace(reading, verbs=(name,), verb=name)


def _gathers(verb: CatalogVerb, kinds: set[str]) -> bool:
    return any(column.entity in kinds for column in verb.columns if column.entity)


def _about_answer(reading: Reading, continuity: Continuity, catalog: Catalog) -> Reading:
    """Whether "they owe us, or we them?" or "so they owe us?" asks what the answer in hand means: nothing new
    is named, and something points at it."""
    root = continuity.root
    if root is None or reading.meta is not None or not reading.verbs or continuity.last_found is None:
        return reading
    if reading.entities or reading.periods or reading.objects or reading.widen or reading.returns:
        return reading
    domains = {catalog.verbs[v].signature.domain for v in reading.verbs if v in catalog.verbs}
    choice = _is_choice(reading, catalog) and domains == {root.domain_id}
    again = reading.anaphor and reading.verbs == (root.root_route_id,)
    if not (choice or again) or reading.actions:
        return reading
    return replace(
        reading, meta=MetaQuestionKind.ANSWER_INTERPRETATION, verbs=(), verb=None, uncovered=(), anaphor=False
    )


def _compared(reading: Reading, continuity: Continuity) -> Reading:
    """More or less than another period: a comparison of answers."""
    root = continuity.root
    if reading.meta is not None or reading.actions or root is None:
        return reading
    same = reading.verbs == (root.root_route_id,) and continuity.last_found is not None
    if reading.verbs and not same:
        return reading
    mentions = reading.of_kind(MentionKind.COMPARISON)
    said = {fold(word) for mention in mentions for word in mention.text.split()}
    words = [word for word in reading.uncovered if word in said or compares(word, reading.language)]
    if not (words or said) or reading.entities or reading.objects:
        return reading
    if not (reading.periods or reading.anaphor or same):
        return reading
    left = tuple(word for word in reading.uncovered if word not in words)
    if left:
        return reading
    return replace(reading, meta=MetaQuestionKind.COMPARISON, verbs=(), verb=None, uncovered=())


def _covered_by_slice(reading: Reading, continuity: Continuity, catalog: Catalog) -> Reading:
    """A row picked by its place or amount may be picked in the words of the slice it is picked from: "which
    one owes the most?" of receivables. Such words cover themselves."""
    root = continuity.root
    verb = catalog.verbs.get(root.root_route_id) if root is not None else None
    if verb is None or not reading.picks or not reading.uncovered or reading.verbs:
        return reading
    texts = [text for words in verb.spec.words.values() for text in words]
    texts += [title for column in verb.columns for title in (column.column.name, *column.title.values())]
    known = {fold(word) for text in texts for word in text.split()}
    left = tuple(word for word in reading.uncovered if word not in known)
    return reading if left == reading.uncovered else replace(reading, uncovered=left)
