"""A message that says itself that another question comes: "different question: how many boats are there".

What only says so is no part of the question. What is left is read as if nothing had been asked, and as if no
question were open: whoever says so has said what becomes of both.
"""

from typing import Final

from msgspec.structs import replace

from dragoman.planning.contract import Asked
from dragoman.planning.database.lean import said_phrases
from dragoman.planning.tables.words import Kind, tokens_of

_AROUND: Final = frozenset({"manners", "shift", "about", "article"})
"""What may stand beside it: "ok, something else now"."""
_FEWEST: Final = 2


def as_announced(asked: Asked) -> Asked:
    """The message without what says that another question comes, and nothing that it could go on from; as it
    is where nothing says so."""
    text = without_announcement(asked.text)
    if text == asked.text:
        return asked
    nothing = replace(
        asked.continuity,
        root=None,
        selected_object=None,
        clarification=None,
        last_answer=None,
        base=(),
        in_hand=(),
        attempt=None,
        offers_readings=False,
    )
    return replace(asked, text=text, continuity=nothing)


def without_announcement(text: str) -> str:
    """The message with the announcement blanked, every other word in its place. It is one only if a sign ends
    it: "different question types" are types."""
    tokens, announced = tokens_of(text), False
    for phrase in said_phrases(text):
        if tokens[phrase.first].kind is Kind.MARK:
            if announced:
                rest = [each for each in tokens[phrase.last :] if each.kind is not Kind.MARK]
                return " " * phrase.end + text[phrase.end :] if len(rest) >= _FEWEST else text
        elif "anew" in phrase.kinds:
            announced = True
        elif not phrase.kinds & _AROUND:
            return text
    return text
