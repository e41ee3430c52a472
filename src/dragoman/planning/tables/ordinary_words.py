"""Words of everyday English: where one of them stands in data, it mostly does so by chance."""

from functools import cache

from dragoman.locales.documents import cues_of, lexicon_of
from dragoman.locales.registry import FALLBACK, language
from dragoman.locales.thesaurus import near_words
from dragoman.planning.tables.lexicon import lexicons
from dragoman.planning.tables.words import Token, stem


def is_ordinary(token: Token) -> bool:
    """Whether a word is an everyday one, and not written as a name is."""
    return not token.text[:1].isupper() and token.stem in ordinary_stems()


@cache
def ordinary_stems() -> frozenset[str]:
    english = language(FALLBACK)
    known = lexicons()[0]
    words = {*near_words(), *english.function_words(), *known.linking, *known.naming}
    words |= {word for group in known.synonyms for phrase in group for word in phrase.split()}
    words |= {*lexicon_of(english)["fillers"], *lexicon_of(english)["other_words"], *cues_of(english)["soft"]}
    return frozenset(map(stem, words))
