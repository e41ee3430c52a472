"""Which columns tell a person which row of a table it is."""

from collections.abc import Sequence

from dragoman.planning.database.column_words import column_words
from dragoman.planning.tables.schema_names import Thing, Things
from dragoman.tables.graph import Table

_MOSTLY, _FEW = 0.9, 1.0


def label_columns(things: Things, table: Table) -> tuple[Thing, ...]:
    """A name, the first and last names of a person, or another label; otherwise the key."""
    columns = things.of_table[table.key]
    foreign = {name for key in table.info.foreign_keys for name in key.columns}
    own = [e for e in columns if e.is_text and e.column is not None and e.column.info.name not in foreign]
    # A column in which nothing stands tells no row from another.
    own = [e for e in own if not (table.info.rows and e.column is not None and e.column.info.distinct == 0)]
    mine = set(things.table_thing[table.key].words)
    exact = [each for each in own if each.required == ("name",)]
    exact += [each for each in own if set(each.words) <= mine]
    if exact:
        return (exact[0],)
    people = _person(own)
    if len(people) == 2:
        return people
    if (labelled := _labelled(own, mine)) is not None:
        return (labelled,)
    return people or _told(own, table) or _key(columns, own, table)


def _told(own: Sequence[Thing], table: Table) -> tuple[Thing, ...]:
    """The details that tell rows apart, where they are all that is told of them: those of a location."""
    rows = table.info.rows or 0
    keys = {*table.info.primary_key, *(name for key in table.info.foreign_keys for name in key.columns)}
    texts = [each for each in own if each.column is not None and each.column.info.name not in keys]
    telling = [
        each
        for each in texts
        if column_words().details & set(each.words)
        and each.column is not None
        and (each.column.info.distinct or 0) >= _MOSTLY * rows > _FEW
    ]
    return (telling[0],) if len(telling) == 1 else ()


def _person(own: Sequence[Thing]) -> tuple[Thing, ...]:
    """The first and the last name of a person; the last alone, or the first, where the other is missing."""

    def called(thing: Thing, names: tuple[frozenset[str], ...]) -> bool:
        return any(words <= set(thing.words) for words in names)

    words = column_words()
    first = next((each for each in own if called(each, words.given_names)), None)
    last = next((each for each in own if called(each, words.family_names)), None)
    return tuple(each for each in (first, last) if each is not None)


def _labelled(own: Sequence[Thing], mine: set[str]) -> Thing | None:
    words = column_words()
    for word in words.labels:
        named = [each for each in own if word in each.words]
        best = [e for e in named if set(e.words) - {word} <= mine]
        if word in words.open_labels and not best:
            best = [e for e in named if e.words[-1] == word] or (named if word == "name" else [])
        if best:
            return min(best, key=lambda each: (len(each.words), each.number))
    return None


def _key(columns: Sequence[Thing], own: Sequence[Thing], table: Table) -> tuple[Thing, ...]:
    keys = [each for each in columns if each.column and each.column.info.name in table.info.primary_key]
    if keys and all(key.is_text for key in keys):
        return tuple(keys)
    unique = [each for each in own if each.column and each.column.info.unique]
    return (unique[0],) if unique else tuple(keys)
