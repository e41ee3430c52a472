"""The unit of a column that does not say it: by what a length of time can be."""

from dragoman.planning.database.column_facts import ColumnFacts, Role
from dragoman.planning.database.units import UNIT_WORDS, UNITS, Unit
from dragoman.planning.tables.words import stem

_KINDS = (("millisecond", 3_600_000), ("second", 1_500), ("minute", 24))
"""Above so much, a length of time that goes with what people do is in this unit."""
_OF_LIFE = frozenset({stem("age"), stem("delay")})


def unit_of(facts: ColumnFacts) -> Unit | None:
    """The unit of a column: as its name has it, or of a length of time by how great its numbers are."""
    if facts.unit is not None or facts.role is not Role.MEASURE or facts.thing.column is None:
        return facts.unit
    words, most = set(facts.thing.words), facts.thing.column.info.most
    if most is None or not UNIT_WORDS["time"] & words or _OF_LIFE & words:
        return None
    return next((UNITS[name] for name, least in _KINDS if most > least), None)
