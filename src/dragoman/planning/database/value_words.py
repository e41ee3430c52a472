"""Words that are only part of a value, or a form of it: "video files", "reds"."""

from collections.abc import Iterable

from dragoman.contracts.record import Record
from dragoman.databases.values import ValueIndex
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.frame import Condition, Frame, Ref
from dragoman.planning.database.graft import Schema, main_table
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem

_LEAST_LETTERS = 3
_MOST_VALUES = 4
_NEAR = 2.0


class WordsHeld(Record, frozen=True):
    """A condition made of words that nothing else accounts for, and those words."""

    condition: Condition
    words: tuple[str, ...]


def words_held(
    left: Iterable[str], frame: Frame, schema: Schema, values: ValueIndex, *, negative: bool
) -> WordsHeld | None:
    """Of the columns that rows lead to, the one whose values have such a word; what is shown comes first."""
    words = [word for word in left if len(word) >= _LEAST_LETTERS]
    known = {ref.thing.number for ref in _spoken(frame, schema)}
    best: tuple[tuple[bool, float, int], Thing, list[str]] | None = None
    for word in words:
        for thing, found in _columns(word, schema, values).items():
            way = schema.joins.way(main_table(frame), thing.table)
            if way is None or not way.single or way.cost > _NEAR or len(found) > _MOST_VALUES:
                continue
            whole = all(stem(value.casefold()) == stem(word.casefold()) for value in found)
            # A word of a value is enough in a column of few values that the rows have themselves.
            kinds = schema.knowledge.role(thing) is Role.CATEGORY and not way.links
            if thing.number not in known and not whole and not kinds:
                continue
            rank = (not whole, 0.0 if thing.number in known else 1.0 + way.cost, len(found))
            if best is None or rank < best[0]:
                best = (rank, thing, found)
    if best is None:
        return None
    parts = {stem(part) for value in best[2] for part in value.casefold().split()}
    covered = tuple(word for word in words if stem(word.casefold()) in parts)
    return WordsHeld(Condition(Ref(best[1]), "equal", tuple(best[2]), negative), covered)


def _spoken(frame: Frame, schema: Schema) -> list[Ref]:
    labels = [
        Ref(each) for group in frame.groups if group.table for each in schema.knowledge.labels(group.table)
    ]
    refs = [*frame.shown, *(each.ref for each in frame.conditions), *labels]
    return refs + [group.ref for group in frame.groups if group.ref is not None]


def _columns(word: str, schema: Schema, values: ValueIndex) -> dict[Thing, list[str]]:
    """The values that have a word in one of its forms, by their columns."""
    things = schema.knowledge.things
    found: dict[int, list[str]] = {}
    for form in dict.fromkeys((word, word.removesuffix("s"), word.removesuffix("es"))):
        for place in values.holding(form) if len(form) >= _LEAST_LETTERS else ():
            thing = things.of_column.get((place.schema, place.table, place.column))
            if thing is not None and schema.knowledge.role(thing) in (Role.CATEGORY, Role.TEXT, Role.LABEL):
                known = found.setdefault(thing.number, [])
                if place.value not in known:
                    known.append(place.value)
    return {things.all[number]: held for number, held in found.items()}
