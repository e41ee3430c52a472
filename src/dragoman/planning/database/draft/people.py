"""People that "who" asks for: by what they are called, by the part they play, or the nearest ones."""

from collections.abc import Iterator
from itertools import pairwise

from dragoman.planning.database.draft.adjectives import is_graded
from dragoman.planning.database.draft.work import Asked
from dragoman.planning.database.frame import Ref
from dragoman.planning.database.other_names import is_life
from dragoman.planning.database.segments import Piece
from dragoman.planning.database.sketch import Sketch, Slot
from dragoman.planning.database.verb_forms import closeness
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.name_words import name_words
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Table

_ARTICLES = ("the", "a", "an", "this", "that", "most")
_BEING = ("is", "are", "was", "were", "'s")
_KEY_WORDS = frozenset({"id", "cod", "code", "key", "number"})


def is_people(asked: Asked, table: Table) -> bool:
    """A first name and a last name are those of a person, whatever the table is called."""
    # The last word says what rows are: the attractions of tourists are no tourists.
    named = asked.words.people & set(asked.knowledge.things.table_thing[table.key].words[-1:])
    labels = asked.knowledge.labels(table)
    told = bool(labels) and all(label.is_text and not label.is_key for label in labels)
    life = is_life(asked.knowledge.things, labels, table)
    return told and (bool(named) or life or (len(labels) == 2 and asked.knowledge.has_name(table)))


def who_column(asked: Asked) -> Thing | None:
    """The column of texts that "who is the" asks for: the contact of a firm, the coach of a team."""
    pieces = [each for each in asked.sketch.pieces if each.piece is not Piece.MARK]
    if not asked.sketch.who or not pieces or pieces[0].piece is not Piece.WHO:
        return None
    for slot in asked.sketch.context[:1]:
        between = [each.text.casefold() for each in pieces[1:] if each.end <= slot.segment.start]
        thing = asked.thing(slot)
        if not between or between[0] not in _BEING or thing is None or thing.column is None:
            return None
        plain = (
            thing.is_text and not asked.is_flag(thing) and asked.target(thing) is None and not thing.is_date
        )
        return thing if plain and thing not in asked.knowledge.labels(thing.table) else None
    return None


def role_asked(asked: Asked) -> Thing | None:
    """The key that "who" asks for: who is the manager, who reported it."""
    if not asked.sketch.who:
        return None
    for thing in asked.things(_beside_who(asked)):
        if thing.column is None or not asked.knowledge.is_role(thing):
            continue
        target = asked.target(thing)
        if target is not None and is_people(asked, target):
            return thing
    return _employer(asked)


def _employer(asked: Asked) -> Thing | None:
    """ "Who employs her": whoever plays the part that the verb behind "who" names, people or not."""
    first = next((piece for piece in asked.sketch.pieces if piece.piece is Piece.WHO), None)
    for slot in asked.sketch.context[:1]:
        thing = asked.thing(slot)
        behind = first is not None and slot.segment.start == first.end
        if not behind or thing is None or thing.column is None or not asked.knowledge.is_role(thing):
            continue
        target = asked.target(thing)
        return thing if target is not None and asked.knowledge.labels(target) else None
    return None


def _beside_who(asked: Asked) -> list[Slot]:
    sketch = asked.sketch
    return sorted((*sketch.context, *sketch.linked, *sketch.shown), key=lambda slot: slot.segment.start)


def people_asked(asked: Asked) -> Iterator[Table]:
    """The tables of people that "who" may ask for: those that are named first, then the nearest."""
    for slot in [each for each in _beside_who(asked) if each not in asked.sketch.shown][:1]:
        thing = asked.thing(slot)
        if thing is not None and thing.column is None and is_people(asked, thing.table):
            yield thing.table
    sketch, words = asked.sketch, asked.words
    # Those who work are staff; those who only come are not.
    serving = any(piece.stem in words.staff_verbs for piece in sketch.pieces) or _takes(sketch)
    found: list[tuple[float, Table]] = []
    shown = {table.key for table in asked.tables(sketch.shown)}
    around = [table for table in asked.chosen.tables if table.key not in shown] or list(asked.chosen.tables)
    for table in asked.joins.graph.tables.values():
        if not is_people(asked, table):
            continue
        distance = min((asked.joins.distance(table, other) for other in around), default=0.0)
        # A person with the date that the verb speaks of: born, hired.
        dated = max(_dated(asked, table), _graded(asked, table))
        staff = bool(words.staff & set(asked.knowledge.things.table_thing[table.key].required))
        distance += 0.05 * sum(asked.joins.distance(table, other) for other in around)
        distance -= 2.0 * dated + (0.4 if staff == serving else 0.0)
        found.append((distance, table))
    yield from (table for _, table in sorted(found, key=lambda each: each[0]))


def _takes(sketch: Sketch) -> bool:
    """ "Who took order 500": not whoever placed it."""
    said = [word for piece in sketch.pieces for word in piece.text.casefold().split()]
    objects = [word for word in said if word not in _ARTICLES]
    return any(
        verb in english().takers and noun in english().taken_by_staff for verb, noun in pairwise(objects)
    )


def _graded(asked: Asked, table: Table) -> float:
    """Whether people have what a superlative without a noun grades: who has been with us the longest."""
    ranked = [each for each in asked.sketch.ranked if each.name is None and each.adjective is not None]
    graded = (each.adjective for each in ranked if not each.money and not each.counted)
    return float(any(each is not None and is_graded(asked, each, table) for each in graded))


def _dated(asked: Asked, table: Table) -> float:
    """How surely people have the date that a verb speaks of: hired; or records of theirs do: discharged."""

    def close(other: Table) -> float:
        dates = ((verb, date) for date in asked.knowledge.dated(other) for verb in asked.sketch.verbs)
        return max((closeness(asked.words, verb, date) for verb, date in dates), default=0.0)

    own = close(table)
    if own:
        return own
    words = set(asked.knowledge.things.table_thing[table.key].required)
    found = 0.0
    for other in asked.joins.graph.tables.values():
        for key in other.info.foreign_keys:
            if (key.table, key.schema or table.info.schema) != (table.info.name, table.info.schema):
                continue
            # The patient of a visit is nearer to it than the doctor who attends.
            thing = asked.knowledge.things.of_column.get((*other.key, key.columns[0]))
            plain = thing is not None and set(thing.words) - _KEY_WORDS <= words
            found = max(found, close(other) * (0.6 if plain else 0.4))
    return found


def doers(asked: Asked, table: Table) -> list[Ref]:
    """The names of the people that a row leads to: who placed it, who it is assigned to."""
    sketch = asked.sketch
    said = {*sketch.verbs, *(piece.stem for piece in sketch.pieces)}
    found: list[tuple[float, int, list[Ref]]] = []
    for place, person in enumerate(dict.fromkeys(people_asked(asked))):
        for way in asked.joins.ways(table, person):
            if not way.single or not way.links:
                continue
            words = {word for link in way.links for word in name_words(link.name)}
            refs = [Ref(label, way.links) for label in asked.knowledge.labels(person)]
            found.append((way.cost - (2.0 if words & said else 0.0), place, refs))
    return min(found, key=lambda each: each[:2])[2] if found else []
