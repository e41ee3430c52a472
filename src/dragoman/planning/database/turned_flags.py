"""Words that say of rows that a flag of another name does not hold: open, where issues have `is_closed`."""

from collections.abc import Sequence

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.segments import Piece, Segment
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.name_linker import Named
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import Token, stem

_SAYING = frozenset({"is", "are", "was", "has", "flag", "yn", "ind"})
"""Words that flags are called by beside what they say."""
_WORTH = 1.05


class TurnedFlags:
    """Knows which flags are denied by words that are not their names."""

    def __init__(self, knowledge: Knowledge) -> None:
        saying = frozenset(map(stem, _SAYING))
        flags: dict[str, list[Thing]] = {}
        for facts in knowledge.facts.values():
            words = set(facts.thing.required) - saying
            if facts.role is Role.FLAG and len(words) == 1:
                flags.setdefault(words.pop(), []).append(facts.thing)
        self._denied: dict[str, tuple[Thing, ...]] = {}
        for word, others in english().turned.items():
            found = [thing for other in others for thing in flags.get(stem(other), ())]
            # What has a flag of its own by that name, is said by that.
            own = {thing.table.key for thing in flags.get(stem(word), ())}
            left = tuple(thing for thing in dict.fromkeys(found) if thing.table.key not in own)
            if left:
                self._denied[word] = left

    def at(self, tokens: Sequence[Token], at: int) -> list[Segment]:
        token = tokens[at]
        found = self._denied.get(token.low, ())
        if not found:
            return []
        names = tuple(Named(at, at + 1, thing, 1.0) for thing in found)
        return [Segment(at, at + 1, Piece.NAME, token.text, token.stem, _WORTH, names=names, turned=True)]
