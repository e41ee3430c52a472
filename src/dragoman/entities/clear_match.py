"""When a reference binds by itself: the name is exact and there is one such, or it is clearly ahead."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from dragoman.entities.records import How, Match


class Clear(NamedTuple):
    """From which score on, and how far ahead of every other match."""

    score: float
    margin: float


CLEAR: Final[dict[How, Clear]] = {
    How.LEGAL_FORM: Clear(96.0, 6.0),
    How.TRANSLITERATION: Clear(95.0, 6.0),
    How.TYPO: Clear(75.0, 7.0),
    How.TOKENS: Clear(58.0, 9.0),
}
"""What is not here never binds by itself: a beginning may go on in many ways, and likeness is no name."""


def bind(matches: Sequence[Match]) -> Match | None:
    """The one match that is meant without doubt, of the matches of a search, best first; None asks."""
    if not matches:
        return None
    first, rest = matches[0], matches[1:]
    if first.how in (How.KEY, How.EXACT):
        return None if any(match.score >= first.score for match in rest) else first
    clear = CLEAR.get(first.how)
    if clear is None or first.score < clear.score:
        return None
    ahead = first.score - max((match.score for match in rest), default=0.0)
    return first if ahead >= clear.margin else None
