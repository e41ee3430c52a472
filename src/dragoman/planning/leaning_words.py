"""Whether a message says nothing by itself: all its words only lean on what was said before."""

from dragoman.locales.registry import language
from dragoman.planning.database.lean import lean_of
from dragoman.planning.tables.words import Kind, tokens_of


def only_leans(text: str, code: str) -> bool:
    """Whether a message says nothing but that it goes on: "and", "the same", "what about"."""
    small = language(code).function_words()
    words = (token for token in tokens_of(lean_of(text).text) if token.kind is not Kind.MARK)
    return all(token.low in small for token in words)
