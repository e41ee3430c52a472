"""What a form of a word may be, as far as the order and the links of words depend on it."""

from enum import StrEnum
from typing import NamedTuple


class Part(StrEnum):
    """A part of speech, as coarsely as the rendering of a message needs it."""

    NOUN = "noun"
    ADJECTIVE = "adjective"
    COMPARATIVE = "comparative"
    VERB = "verb"
    PARTICIPLE = "participle"
    NUMERAL = "numeral"
    ADVERB = "adverb"
    CLOSED = "closed"
    """Pronouns, prepositions, conjunctions and particles."""


class WordForm(NamedTuple):
    """One reading of a form: the word it is a form of, and what its ending says."""

    lemma: str
    part: Part
    case: str = ""
    """`of` for a genitive or what stands for one, `name` for a nominative; other cases by their own names."""
    plural: bool = False
    own_name: bool = False
    """It names somebody or some place."""
