"""Whether a message says nothing by itself, or points at something that it does not name."""

from dragoman.locales.registry import language
from dragoman.planning.database.lean import LEANING, lean_of
from dragoman.planning.database.schema_words import SchemaWords
from dragoman.planning.tables.words import Kind, tokens_of

_NAMED = 0.8
"""How well a word has to name a table that a message speaks of by itself."""


def only_leans(text: str, code: str) -> bool:
    """Whether a message says nothing but that it goes on: "and", "the same", "what about"."""
    small = language(code).function_words()
    words = (token for token in tokens_of(lean_of(text).text) if token.kind is not Kind.MARK)
    return all(token.low in small for token in words)


def points_back(text: str, code: str) -> bool:
    """Whether a pronoun of a message stands for something that was spoken of before it: nothing that goes
    before the pronoun could be meant."""
    place = lean_of(text).pronoun
    if place is None:
        return False
    small = language(code).function_words()
    return all(token.kind is Kind.MARK or token.low in small for token in tokens_of(text)[:place])


def is_some_of_them(text: str) -> bool:
    """Whether a message asks which of several rows it is: "which of them have a boat"."""
    lean = lean_of(text)
    return lean.has("among") and lean.opens("what") and lean.pronoun == 1


def lacks_a_subject(text: str, code: str, schema: SchemaWords) -> bool:
    """Whether a message cannot be understood where nothing was spoken of: it points at something, or goes on
    from something and names no table. "And only those in Germany" is such a message, "and how many customers
    are there" is not."""
    if points_back(text, code):
        return True
    lean = lean_of(text)
    if lean.strength < LEANING:
        return False
    found = schema.links(tokens_of(lean.text)).named.values()
    return not any(
        each.thing.column is None and each.score >= _NAMED and not each.slip
        for names in found
        for each in names
    )
