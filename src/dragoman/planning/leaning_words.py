"""Whether a message says nothing by itself, or points at something that it does not name."""

from dragoman.locales.registry import language
from dragoman.planning.database.lean import LEANING, lean_of
from dragoman.planning.database.schema_words import SchemaWords
from dragoman.planning.tables.words import Kind, tokens_of

_NAMED = 0.8
"""How well a word has to name a table that a message speaks of by itself."""
_VERB = 2
"""So many words are before the pronoun of "who steered it"."""


def only_leans(text: str, code: str) -> bool:
    """Whether a message says nothing but that it goes on: "and", "the same", "what about"."""
    small = language(code).function_words()
    words = (token for token in tokens_of(lean_of(text).text) if token.kind is not Kind.MARK)
    return all(token.low in small for token in words)


def points_back(text: str, code: str) -> bool:
    """Whether a pronoun of a message stands for something that was spoken of before it: nothing that goes
    before the pronoun could be meant. In "who steered it" only a verb does, and in "how many seats of it are
    free" only what is part of it."""
    lean = lean_of(text)
    place = lean.pronoun
    if place is None:
        return False
    small, tokens = language(code).function_words(), tokens_of(text)
    before = [token.kind is Kind.MARK or token.low in small for token in tokens[:place]]
    if all(before):
        return True
    verb = lean.object and lean.last and len(before) == _VERB and before[0] and not lean.has("asking")
    part = before.count(False) == 1 and not before[-1] and lean.has("partial")
    return verb or part


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
