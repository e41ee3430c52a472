"""A question over tables that fails by one word: what it says without that word may be offered.

Only a word that could not have changed what is asked for is left out: not what is asked for itself, no name
behind a preposition, nothing that denies, compares or counts.
"""

from functools import cache
from typing import Any, Final

from dragoman.locales.documents import lexicon_of, talk_of
from dragoman.locales.language import Language
from dragoman.locales.registry import language
from dragoman.planning.database.vocabulary import english
from dragoman.reading.languages import Spoken
from dragoman.reading.lemmas import keys_of
from dragoman.reading.tokens import Token, fold, tokens_of

_FEWEST_LEFT: Final = 3
"""So many words have to be left: two words and one too many are no question."""


def without_word(text: str, word: str, code: str) -> str | None:
    """The message with blanks in the place of the word; None where it must not be left out."""
    spoken, tokens = language(code), tokens_of(text)
    form = fold(word)
    places = [i for i, token in enumerate(tokens) if token.form == form]
    if len(places) != 1 or len(tokens) - 1 < _FEWEST_LEFT or not form.isalpha():
        return None
    place = places[0]
    token = tokens[place]
    if text[token.start].isupper() and place and not spoken.capital_nouns:
        return None
    if not _kept(spoken).isdisjoint(keys_of(form, Spoken((spoken,)))) or _is_governed(tokens, place, spoken):
        return None
    return text[: token.start] + " " * (token.end - token.start) + text[token.end :]


def _is_governed(tokens: list[Token], place: int, spoken: Language) -> bool:
    """Whether the word before it makes it what is asked for, a name, or what is said of things. Before a noun
    it only says more of that one: how many splendid products."""
    owners: list[str] = talk_of(spoken)["owners"]
    if spoken.glued:
        return any(tokens[place].form.endswith(owner) for owner in owners)
    before = [token.form for token in tokens[:place]]
    following = [token.form for token in tokens[place + 1 : place + 2]]
    if following and following[0] not in spoken.function_words() and following[0] not in owners:
        return False
    words = english()
    phrases = [*owners, *words.asked_for, *words.prepositions, *words.auxiliary]
    return not before or any(before[-len(tail) :] == tail for tail in (each.split() for each in phrases))


@cache
def _kept(spoken: Language) -> frozenset[str]:
    """Words that always change what is asked: they deny, compare, count or order, or name a figure."""
    lexicon = lexicon_of(spoken)
    sections: list[Any] = [
        lexicon["negations"],
        lexicon["comparisons"],
        lexicon["numbers"],
        lexicon["writes"],
    ]
    sections += [lexicon["most"], lexicon["least"], lexicon["sortings"], lexicon["groupings"]]
    sections += [lexicon["ordinals"], talk_of(spoken)["other_figures"]]
    words = (token.form for section in sections for text in _texts(section) for token in tokens_of(text))
    return frozenset(key for word in words for key in keys_of(word, Spoken((spoken,))))


def _texts(section: Any) -> list[str]:
    if isinstance(section, dict):
        return [text for key, value in section.items() for text in (key, *_texts(value))]
    return [str(each) for each in section] if isinstance(section, list) else []
