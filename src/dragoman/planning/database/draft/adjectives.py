"""The column that an adjective grades."""

from dragoman.planning.database.column_facts import ColumnFacts, Role
from dragoman.planning.database.column_words import column_words
from dragoman.planning.database.draft.work import Asked
from dragoman.planning.database.vocabulary import Adjective
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table

_OF_LIFE = frozenset({stem("birth"), stem("born"), stem("dob"), stem("death")})
"""Dates that only some adjectives speak of."""
_READINGS = frozenset({stem("start"), stem("end"), stem("begin")})
"""What a meter says at one time is not a length of anything: the kilometers at the start."""
_COARSE = 0.02
"""A year says less of when something was than a date beside it."""
_SPOKEN_OF = 1.5
"""What a column is worth, at least, whose name has a word of the adjective."""
_CALENDAR = (Role.DATE, Role.YEAR, Role.MONTH, Role.DAY)
_UNGRADED = (Role.KEY, Role.FLAG, Role.TEXT, Role.CATEGORY, Role.LABEL)


def graded_column(asked: Asked, adjective: Adjective, table: Table) -> tuple[Thing, bool] | None:
    """The column that an adjective grades, and whether the other end of it is meant."""
    best = _best_fit(asked, adjective, table)
    if best is not None:
        return best[1], best[2]
    named = _named_text(asked, adjective, table)
    if named is not None:
        return named, False
    measures = asked.knowledge.measures(table)
    # What is big is big by its one measure; what is good is not.
    if adjective.plain and adjective.money and len(measures) == 1:
        return measures[0], False
    return None


def is_graded(asked: Asked, adjective: Adjective, table: Table) -> bool:
    """Whether a column is called what an adjective speaks of, and is not merely some date."""
    best = _best_fit(asked, adjective, table)
    return best is not None and best[0] >= _SPOKEN_OF


def _best_fit(asked: Asked, adjective: Adjective, table: Table) -> tuple[float, Thing, bool] | None:
    best: tuple[float, Thing, bool] | None = None
    for facts in asked.knowledge.columns(table):
        year = facts.role is Role.YEAR
        dated = facts.role in _CALENDAR
        if facts.role in _UNGRADED or (dated and adjective.units):
            # What is long is so by a number of hours, and not by the time at which it began.
            continue
        score, reverse = _fit(adjective, facts)
        if not score and adjective.dates and dated:
            score, reverse = dated_fit(asked, adjective, facts.thing), adjective.backward
            score -= _COARSE * year
        if score and (best is None or score > best[0]):
            best = (score, facts.thing, reverse)
    return best


def _named_text(asked: Asked, adjective: Adjective, table: Table) -> Thing | None:
    """The text that is called what the adjective grades, and nothing else: an age that is kept as a text."""
    stems = {stem(word) for word in adjective.words[:1]}
    texts = [each for each in asked.knowledge.columns(table) if each.role in (Role.TEXT, Role.CATEGORY)]
    found = [each.thing for each in texts if set(each.thing.words) == stems]
    return None if adjective.plain or len(found) != 1 else found[0]


def _fit(adjective: Adjective, facts: ColumnFacts) -> tuple[float, bool]:
    """How well a column fits. Its name counts most, and the first words of the adjective more than the last;
    then its unit, then money."""
    stems = [stem(word) for word in adjective.words]
    words = set(facts.thing.words)
    hits = [len(stems) - place for place, word in enumerate(stems) if word in words]
    measured = facts.unit is not None and facts.unit.dimension in adjective.units
    if hits:
        # Hours say how long something is more surely than what is only called a time.
        return (2.6 if measured else 2.0) + max(hits) / (len(stems) + 1) - 0.05 * len(
            facts.thing.required
        ), False
    if words & {stem(word) for word in adjective.down}:
        timed = facts.unit is not None and facts.unit.dimension == "time"
        return (1.7 if timed else 1.5), True
    if measured and not words & _READINGS:
        return 1.8, False
    return (1.6 if adjective.money and facts.money else 0.0), False


def dated_fit(asked: Asked, adjective: Adjective, date: Thing) -> float:
    """How well a date fits: the oldest issue is the one that was opened first, not the one due first."""
    words = set(date.words)
    own = 0.06 if words & set(asked.knowledge.things.table_thing[date.table.key].required) else 0.0
    for place, word in enumerate(adjective.dates):
        if stem(word) in words:
            return (0.6 if words & asked.words.ending else 1.75) - 0.01 * place + own
    if words & _OF_LIFE:
        return 0.1
    if words & column_words().changes:
        # "The newest" is not what was written over last, where rows have any other time; and nobody is the
        # oldest who was.
        return 0.0 if adjective.backward else 0.2
    return (0.5 if words & asked.words.ending else 1.0) + own
