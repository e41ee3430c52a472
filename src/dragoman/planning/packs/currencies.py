"""Currencies as people say them: by the code, or by the word in their language."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from dragoman.locales.documents import lexicon_of
from dragoman.locales.language import Language
from dragoman.locales.registry import FALLBACK, language
from dragoman.reading.languages import Spoken
from dragoman.reading.lemmas import keys_of
from dragoman.reading.tokens import Token, fold

_LENGTH: Final = 3


def are_currencies(values: Sequence[str]) -> bool:
    """Whether the values of an argument are codes of currencies: then any currency may be said for it. All
    look like codes, and one that is known tells what kind they are of."""
    like = all(len(value) == _LENGTH and value.isascii() and value.isupper() for value in values)
    return like and any(value.casefold() in _codes() for value in values)


def currency(token: Token, text: str, spoken: Spoken) -> str:
    """The code of the currency that a word of a text is; empty where it is none. A code is written in
    capitals: TRY is one, "try" is not."""
    written = text[token.start : token.end]
    if written.isupper() and token.form in _codes():
        return written
    keys = {token.form, *keys_of(token.form, spoken)}
    found = {code for each in spoken.languages for code, words in _words(each) if not words.isdisjoint(keys)}
    return found.pop() if len(found) == 1 else ""


@cache
def _codes() -> frozenset[str]:
    return frozenset(str(code).casefold() for code in lexicon_of(language(FALLBACK))["currencies"])


@cache
def _words(spoken: Language) -> tuple[tuple[str, frozenset[str]], ...]:
    listed = lexicon_of(spoken)["currencies"].items()
    return tuple((str(code), frozenset(fold(str(word)) for word in words)) for code, words in listed)
