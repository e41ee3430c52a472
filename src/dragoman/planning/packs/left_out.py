"""The reading of a message without a word that nobody knows: it is offered, and never answered at once.

One unknown word must not silence the rest. What it would have changed nobody can say, so that the question
names it, and nothing runs before a yes.
"""

import re
from functools import cache
from typing import Final

from dragoman.locales.documents import lexicon_of, talk_of
from dragoman.locales.language import Language
from dragoman.locales.registry import language
from dragoman.planning.contract import Asked
from dragoman.reading.languages import Spoken
from dragoman.reading.lemmas import keys_of
from dragoman.reading.reading import MentionKind, Reading
from dragoman.reading.tokens import Token, fold, tokens_of

_EMPTY: Final = frozenset(
    {MentionKind.FILLER, MentionKind.CHAT, MentionKind.AFFIRMATION, MentionKind.ANAPHOR}
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def without_unknown(asked: Asked) -> tuple[Reading, tuple[str, ...]] | None:
    """The reading as if its unknown words had not been said, and those words as they were written; None where
    that would be another message.

    What is known and cannot be used, such as a negation, a number or a comparison, is never left out: it
    changes what is asked. Neither is a word that stands where a name does, nor one beside which nothing says
    what is asked for: it may be the very thing.
    """
    reading, left = asked.reading, asked.reading.without
    words = tuple(dict.fromkeys(reading.uncovered))
    if left is None or left.uncovered or not _asks_plainly(left):
        return None
    known = [mention for mention in left.mentions if mention.kind not in _EMPTY]
    # Mostly unknown words are no question with a word too many.
    if len({(mention.start, mention.end) for mention in known}) < len(words):
        return None
    tokens = tokens_of(asked.text)
    places = [i for i, token in enumerate(tokens) if token.form in words]
    if {tokens[i].form for i in places} != set(words):
        return None
    if not all(_means_nothing(tokens[i], reading) for i in places):
        return None
    if _begins_with_order(places, tokens, left):
        return None
    scope = reading.entity(asked.catalog.anchor)
    if scope is None and any(_may_be_name(i, tokens, asked.text, reading.language) for i in places):
        return None
    written = tuple(dict.fromkeys(asked.text[tokens[i].start : tokens[i].end] for i in places))
    return left, written


def _asks_plainly(reading: Reading) -> bool:
    """Whether something is asked for by its own words, and the message is nothing but that."""
    asks = len(reading.verbs) == 1 or bool(reading.actions) or bool(reading.objects)
    other = reading.phrase is not None or reading.wants_write or reading.extend is not None or reading.recap
    return (
        asks and not other and reading.meta is None and reading.affirm is None and not reading.chooses_scope
    )


def _means_nothing(token: Token, reading: Reading) -> bool:
    """Whether a word is a word, and says nothing to anybody here: no part of what was understood, no figure
    of its own, no order."""
    spoken = language(reading.language)
    understood = any(mention.start <= token.start < mention.end for mention in reading.mentions)
    if understood or _WORD.fullmatch(token.form) is None:
        return False
    return not _is_other_figure(token.form, spoken) and token.form not in _orders(spoken)


def _is_other_figure(form: str, spoken: Language) -> bool:
    """Whether a word is one for a figure of its own: the margin of sales is not sales."""
    return not _other_figures(spoken).isdisjoint(keys_of(form, Spoken((spoken,))))


@cache
def _other_figures(spoken: Language) -> frozenset[str]:
    listed = talk_of(spoken)["other_figures"]
    return frozenset(key for word in listed for key in keys_of(fold(word), Spoken((spoken,))))


@cache
def _orders(spoken: Language) -> frozenset[str]:
    """Words that ask to do something: what they would have done is not done by looking something up."""
    lexicon = lexicon_of(spoken)
    escapes = [phrase for phrases in lexicon["phrases"].values() for phrase in phrases]
    single = [phrase for phrase in escapes if " " not in phrase]
    return frozenset(token.form for text in (*lexicon["writes"], *single) for token in tokens_of(text)[:1])


def _begins_with_order(places: list[int], tokens: list[Token], reading: Reading) -> bool:
    """Whether an unknown word leads a message about an object: it may be what is to be done with it."""
    if reading.verbs:
        return False
    small = {m.start for m in reading.mentions if m.kind in _EMPTY and m.kind is not MentionKind.ANAPHOR}
    first = next((i for i, token in enumerate(tokens) if token.start not in small), None)
    return first in places


def _may_be_name(place: int, tokens: list[Token], text: str, code: str) -> bool:
    """Whether a word stands where the name of an owner would: with a capital, or behind a word such as of."""
    spoken, token = language(code), tokens[place]
    owners: list[str] = talk_of(spoken)["owners"]
    capital = text[token.start].isupper() and place > 0 and not spoken.capital_nouns
    if spoken.glued:
        return capital or any(token.form.endswith(owner) for owner in owners)
    return capital or (place > 0 and tokens[place - 1].form in owners)
