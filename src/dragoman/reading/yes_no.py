"""A no or a yes to a question that one of them answers, in more words: "no, leave it", "yes, save it".

While such a question waits, words that give something up are about what it asks, and not about the session:
"forget it" ends nothing. Whatever names something is a message of its own.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.state import ClarificationState
from dragoman.contracts.vocabulary import ClarificationKind, Signal
from dragoman.locales.documents import lexicon_of, talk_of
from dragoman.locales.language import Language
from dragoman.reading.languages import Spoken
from dragoman.reading.lemmas import keys_of
from dragoman.reading.reading import Reading
from dragoman.reading.tokens import Token, tokens_of

_GIVING_UP: Final = (None, Signal.ESCAPE_CANCEL, Signal.ESCAPE_SKIP, Signal.CHAT)
_LONGEST: Final = 6


class _Noes:
    """The ways of one language to decline: noes, and what gives up what they are said to."""

    def __init__(self, language: Language) -> None:
        lexicon, talk = lexicon_of(language), talk_of(language)
        self.noes = _phrases(lexicon["affirm"]["no"])
        self.whole = self.noes | _phrases(talk["declines"])
        self.yeses = _phrases(lexicon["affirm"]["yes"])
        self.empty = _forms([*lexicon["fillers"], *lexicon["polite"], *lexicon["anaphors"]])
        self.limits = _forms([*lexicon["changes"]["limits"], *lexicon["negations"]["without"]])
        self.polite = _forms(lexicon["polite"])
        self.keeps = _phrases(language.texts("teaching").get("keeps", ()))


@cache
def _noes(language: Language) -> _Noes:
    return _Noes(language)


def _phrases(texts: Sequence[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(token.form for token in tokens_of(text)) for text in texts)


def _forms(words: Sequence[str]) -> frozenset[str]:
    return frozenset(token.form for word in words for token in tokens_of(str(word)))


def takes_no(pending: ClarificationState | None, catalog: Catalog) -> bool:
    """Whether a no answers a question: to run something, to a reading, to the form of a write verb."""
    if pending is None:
        return False
    reading = pending.clarification_kind is ClarificationKind.CONFIRM_READING
    return reading or pending.waits_for_yes or pending.resume_target_route in catalog.changes


def answered(
    text: str, reading: Reading, pending: ClarificationState, catalog: Catalog, languages: Sequence[Language]
) -> Reading:
    """The reading, with the no or the yes that it is to the question that waits."""
    if pending.teaches is not None:
        # To keep a word is a yes here, where it is a no to a change.
        reading = _kept(text, reading, languages)
    reading = _declined(text, reading, languages, form=pending.resume_target_route in catalog.changes)
    if not pending.waits_for_yes or pending.teaches is not None:
        return reading
    return _agreed(text, reading, languages, _ordered(pending, catalog, languages))


def _ordered(pending: ClarificationState, catalog: Catalog, languages: Sequence[Language]) -> frozenset[str]:
    """The words in which what waits for a yes can be ordered."""
    verb = catalog.changes.get(pending.resume_target_route)
    spoken, words = Spoken(tuple(languages)), list[str]()
    for language in languages:
        extend = lexicon_of(language)["extend"]
        words += verb.spec.words.get(language.code, ()) if verb else [*extend["keeps"], *extend["sends"]]
    return frozenset(key for word in words for t in tokens_of(word) for key in keys_of(t.form, spoken))


def _kept(text: str, reading: Reading, languages: Sequence[Language]) -> Reading:
    """The reading, as a yes to keep a word where nothing is said but a yes and to keep it."""
    if reading.affirm is not None or reading.phrase not in (None, Signal.CHAT) or _names_data(reading):
        return reading
    tokens = tokens_of(text)
    for known in map(_noes, languages):
        small = (known.polite | known.empty) - {form for phrase in known.noes for form in phrase}
        if _is_made_of(tokens, known.yeses | known.keeps, small):
            return Reading(reading.language, affirm=True, mentions=reading.mentions)
    return reading


def _names_data(reading: Reading) -> bool:
    return bool(reading.verbs or reading.entities or reading.objects or reading.periods)


def _agreed(text: str, reading: Reading, languages: Sequence[Language], ordered: frozenset[str]) -> Reading:
    """The reading, as a yes where a yes opens it and nothing follows but words of what was `ordered`."""
    if reading.affirm is not None or reading.phrase is not None or reading.widen or reading.picks:
        return reading
    tokens = tokens_of(text)
    spoken = Spoken(tuple(languages))
    for known in map(_noes, languages):
        size = _opened(text, tokens, known.yeses)
        rest = tokens[size:]
        said = [not ordered.isdisjoint(keys_of(token.form, spoken)) for token in rest]
        small = all(word or token.form in known.empty for word, token in zip(said, rest, strict=True))
        if size and any(said) and small and not any(token.form in known.limits for token in rest):
            return Reading(reading.language, affirm=True, mentions=reading.mentions)
    return reading


def _declined(text: str, reading: Reading, languages: Sequence[Language], *, form: bool) -> Reading:
    """The reading, as a no where it is one to the question that waits. What stands behind a no may change a
    `form` that is filled: no, call it Bar."""
    if reading.affirm is not None or reading.phrase not in _GIVING_UP:
        return reading
    tokens = tokens_of(text)
    known = [_noes(each) for each in languages]
    opens = not form and not _names_something(reading)
    opens = opens and any(_opens_with_no(text, tokens, each) for each in known)
    if not opens and not any(_is_made_of(tokens, each.whole, each.polite) for each in known):
        return reading
    return Reading(reading.language, affirm=False, mentions=reading.mentions)


def _names_something(reading: Reading) -> bool:
    named = reading.verbs or reading.entities or reading.objects or reading.periods or reading.actions
    return bool(named or reading.picks or reading.extend or reading.widen or reading.choice)


def _opens_with_no(text: str, tokens: Sequence[Token], known: _Noes) -> bool:
    """A no before a comma, whatever is said behind it."""
    return _opened(text, tokens, known.noes) > 0


def _opened(text: str, tokens: Sequence[Token], phrases: frozenset[tuple[str, ...]]) -> int:
    """How many words before a sign are one of the phrases."""
    for size in range(1, min(len(tokens), _LONGEST)):
        forms = tuple(token.form for token in tokens[:size])
        if forms in phrases and text[tokens[size - 1].end : tokens[size].start].strip():
            return size
    return 0


def _is_made_of(tokens: Sequence[Token], phrases: frozenset[tuple[str, ...]], small: frozenset[str]) -> bool:
    """Nothing but some of the phrases, and small words around them."""
    place, found = 0, False
    forms = tuple(token.form for token in tokens)
    while place < len(forms):
        sizes = [size for size in range(1, _LONGEST + 1) if forms[place : place + size] in phrases]
        if not sizes and forms[place] not in small:
            return False
        found = found or bool(sizes)
        place += max(sizes, default=1)
    return found
