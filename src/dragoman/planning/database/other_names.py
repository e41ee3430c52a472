"""What else tables are called: people by any word for people, and a table by the noun in its key."""

from dragoman.databases.values import ValueIndex
from dragoman.planning.database.column_words import column_words
from dragoman.planning.database.vocabulary import english, words_in
from dragoman.planning.tables.lexicon import ENGLISH
from dragoman.planning.tables.schema_names import Thing, Things
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table

_PERSONS, _PEOPLE = 0.88, 0.8
_STAFF = 0.75
_KEY = 0.92
_WHOLE = 0.98
_AGE = 0.96
_TWO = 2
_DOERS = ("er", "or", "ist", "ian", "eer")
KEY_WORDS = frozenset({"id", "key", "cod", "code", "number"})


def call_otherwise(
    things: Things, labels: dict[tuple[str, str], tuple[Thing, ...]], values: ValueIndex | None
) -> None:
    """Adds the other words. A word that is the name of a table already says which one is meant, and one that
    stands in a table says which rows."""
    named = {thing.words for thing in things.table_thing.values()}
    _call_by_numbers(things)
    people, words = frozenset(map(stem, english().people)), words_in(ENGLISH)
    for word in frozenset(map(stem, english().goods)) - things.by_word.keys():
        for priced in _priced(things, labels) if values is None or not values.exactly(word) else ():
            things.also.setdefault(word, {})[priced.number] = _PEOPLE
    for key, thing in things.table_thing.items():
        person = _has_persons_name(labels[key]) or is_life(things, labels[key], thing.table)
        if person or people & set(thing.words):
            for word in map(stem, english().anybody):
                if (word,) not in named:
                    things.also.setdefault(word, {})[thing.number] = _PERSONS if person else _PEOPLE
        if words.staff & set(thing.words) and len(thing.required) == 1:
            # The trainer of a rider is one of the staff, where nothing else is called so.
            for word in words.staff_roles - things.by_word.keys():
                if values is not None and values.exactly(word):
                    continue
                things.also.setdefault(word, {})[thing.number] = _STAFF
        age = _birth(things, thing.table)
        if age is not None:
            things.also.setdefault("age", {})[age.number] = _AGE
        for column in things.of_table[thing.table.key]:
            if (whole := _compound(column)) is not None:
                things.also.setdefault(whole, {})[column.number] = _WHOLE
        for word in _other_nouns(things, thing) - things.by_word.keys():
            things.also.setdefault(word, {})[thing.number] = _PEOPLE
        noun = _key_noun(things, thing.table)
        if noun is not None and (noun,) not in named and noun not in thing.words:
            things.also.setdefault(noun, {})[thing.number] = _KEY


def _call_by_numbers(things: Things) -> None:
    """Calls rows by a number that only they have: those with a `kit_stock_number` are kits, where no table is
    called so."""
    found: dict[str, list[Thing]] = {}
    for key, table in things.table_thing.items():
        for column in things.of_table[key]:
            words = column.words
            if len(words) > _TWO and words[-1] in KEY_WORDS and column.is_text and not column.is_key:
                found.setdefault(words[0], []).append(table)
    named = {word for table in things.table_thing.values() for word in table.words}
    for noun, tables in found.items():
        if len(tables) == 1 and noun not in named:
            things.also.setdefault(noun, {})[tables[0].number] = _KEY


def _priced(things: Things, labels: dict[tuple[str, str], tuple[Thing, ...]]) -> list[Thing]:
    """The table of things that have a name and a price, if there is only one."""
    found = [
        thing
        for key, thing in things.table_thing.items()
        if any(column_words().prices & set(each.words) and each.is_number for each in things.of_table[key])
        and any("name" in each.words or "title" in each.words for each in labels[key])
    ]
    return found if len(found) == 1 else []


def _other_nouns(things: Things, table: Thing) -> frozenset[str]:
    """What rows of a table may be called where nothing else is: copies, books."""
    found = frozenset(map(stem, english().copies)) if _is_holding(things, table) else frozenset[str]()
    return found | (column_words().works if _are_works(table) else frozenset())


def _is_holding(things: Things, table: Thing) -> bool:
    """Whether rows are single pieces of what another table has the names of: the inventory of films."""
    if not set(map(stem, english().holdings)) & set(table.words):
        return False
    columns = things.of_table[table.table.key]
    counted = any(column_words().quantities & set(column.words) for column in columns)
    return bool(table.table.info.foreign_keys) and not counted


def _are_works(table: Thing) -> bool:
    """Whether titles are works that have a key of their own, and not the titles that somebody bears."""
    info = table.table.info
    foreign = {name for key in info.foreign_keys for name in key.columns}
    own = len(info.primary_key) == 1 and info.primary_key[0] not in foreign
    return table.required == (stem("title"),) and own


def _compound(column: Thing) -> str | None:
    """The one word that a column is called by, where it was taken for two: `bathroom_count`."""
    if column.column is None or len(column.required) != _TWO:
        return None
    first, second = column.required
    for piece in column.column.info.name.casefold().split("_"):
        if piece.startswith(first) and piece[len(first) :].startswith(second):
            return stem(piece)
    return None


def _birth(things: Things, table: Table) -> Thing | None:
    """The day of birth of people whose age is not told otherwise."""
    own, birth = things.of_table[table.key], frozenset(map(stem, english().birth))
    if any(stem("age") in thing.words for thing in own):
        return None
    return next((thing for thing in own if thing.is_date and birth & set(thing.words)), None)


def _has_persons_name(labels: tuple[Thing, ...]) -> bool:
    return len(labels) == 2 and all({"name", "first", "last"} & set(label.words) for label in labels)


def is_life(things: Things, labels: tuple[Thing, ...], table: Table) -> bool:
    """Whether rows have a name, and are born and die or work: people, whatever the table is called. Those who
    are called by what they do need only one of it: swimmers with a nationality."""
    words = column_words()
    named = bool(labels) and all(label.is_text and "name" in label.words for label in labels)
    told = {word for thing in things.of_table[table.key] for word in thing.words}
    doers = table.name.casefold().rstrip("s").endswith(_DOERS)
    return named and bool(told & words.lives) and (doers or bool(told & words.births))


def _key_noun(things: Things, table: Table) -> str | None:
    """The noun in the key of a table: rows with a `player_id` are players, whatever the table is called."""
    if len(table.info.primary_key) != 1:
        return None
    foreign = {name for key in table.info.foreign_keys for name in key.columns}
    column = table.info.primary_key[0]
    thing = things.of_column.get((*table.key, column))
    if thing is None or column in foreign:
        return None
    nouns = [word for word in thing.words if word not in KEY_WORDS]
    return nouns[0] if len(nouns) == 1 and len(thing.words) == 2 and len(nouns[0]) > 2 else None
