"""Where something is wrong in a message that is written by a grammar, in words."""

from dragoman.answering.phrases import Phrases
from dragoman.planning.contract import Position


def placed(position: Position, phrases: Phrases) -> tuple[str, str]:
    """Where it stands, and what may have been meant; the second is empty where nothing is like it."""
    place = phrases.say("sql_position", line=position.line, column=position.column)
    names = phrases.joined(position.near)
    return place, phrases.say("sql_did_you_mean", names=names) if names else ""
