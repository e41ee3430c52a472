"""Which table, column or value each name of a sketch means: the choices that fit each other best."""

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.column_words import column_words
from dragoman.planning.database.joins import Joins
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.other_names import KEY_WORDS
from dragoman.planning.database.owners import owners_of
from dragoman.planning.database.segments import Piece, things_of
from dragoman.planning.database.sketch import Kept, Sketch, Slot
from dragoman.planning.database.verb_forms import closeness
from dragoman.planning.database.vocabulary import english, words_in
from dragoman.planning.tables.lexicon import ENGLISH
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.value_linker import Valued
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table, TableKey

MOST_CANDIDATES = 7
BEAM = 14
_HOP = 0.13
_OWN_LIST = 0.03
"""A state that stands in a list of states is nearly their own."""
_ID = 0.1
"""People are asked for by their names, and seldom by their numbers."""
_FAR = 4.0
_TOGETHER = 0.7
_SPOKEN_OF = 0.3
_NAMED = 0.7
_SPELLED = 0.1
"""What it is worth that a column is called just what was said: laps, and not lap."""
_COUNTED = 1.0
"""What it costs to gather by a number of things that are named."""
_OF_LIFE = frozenset({stem("born"), stem("die")})
_OF_DEATH = frozenset({stem("death"), stem("died")})
_NUMBERING = KEY_WORDS | column_words().numbering
_NUMBERED = ("counted", "compared", "linked", "context")
_NOT_THEIRS = -0.8
"""How little a number of something else says of how many there are."""
_OWN_FIGURE, _OWN_COMPARED, _NOT_OWN = 0.4, 0.6, 0.35

_FIT: dict[str, dict[Role | None, float]] = {
    "shown": {None: 0.05, Role.KEY: -0.35},
    "counted": {None: 0.15, Role.KEY: -0.4, Role.MEASURE: -0.1},
    "measured": {
        Role.MEASURE: 0.2,
        None: -0.3,
        Role.KEY: -0.6,
        Role.TEXT: -0.4,
        Role.CATEGORY: -0.4,
        Role.DATE: -0.2,
    },
    "grouped": {None: 0.05, Role.MEASURE: -0.35, Role.KEY: -0.1},
    "ordered": {Role.MEASURE: 0.1, Role.DATE: 0.05, None: -0.15, Role.KEY: -0.3},
    "ranked": {None: 0.05, Role.MEASURE: 0.1, Role.KEY: -0.3},
    "compared": {
        Role.MEASURE: 0.1,
        Role.YEAR: 0.1,
        None: 0.0,
        Role.KEY: -0.3,
        Role.TEXT: -0.3,
        Role.CATEGORY: -0.25,
    },
    "absent": {None: 0.1, Role.DATE: 0.1, Role.KEY: -0.15},
    "linked": {None: 0.05, Role.KEY: -0.2},
    "context": {None: 0.2, Role.KEY: -0.4},
}


class Chosen(Record, frozen=True, gc=True):
    """Names and values with what they mean, and how well it all fits."""

    things: dict[int, Thing]
    """By the identity of the slot."""
    values: dict[int, tuple[Valued, ...]]
    """By the identity of what is kept."""
    score: float
    tables: tuple[Table, ...]


class Resolver:
    def __init__(self, knowledge: Knowledge, joins: Joins) -> None:
        self._knowledge = knowledge
        self._joins = joins

    def resolved(self, sketch: Sketch) -> list[Chosen]:
        """The best choices first."""
        slots = sketch.slots()
        ordered = sorted(slots, key=lambda slot: (not self._certain(slot), slot.segment.start))
        states = [Chosen({}, {}, 0.0, ())]
        owners = owners_of(sketch)
        for slot in ordered:
            states = self._extended(states, slot, owners.get(id(slot)))
        states = [self._own_figure(sketch, each) for each in states]
        states = [_spelled(slots, each) for each in states]
        if sketch.counted and not sketch.amount:
            states = [self._countable(sketch, each) for each in states]
        if sketch.counted and sketch.groups:
            states = [self._gathered(sketch, each) for each in states]
        states = sorted(states, key=lambda each: -each.score)
        spoken = _spoken_of(sketch)
        for kept in sketch.kept:
            states = self._valued(states, kept, spoken, sketch)
        return states

    def _own_figure(self, sketch: Sketch, state: Chosen) -> Chosen:
        """What is measured of rows that are named is a column of theirs: "the fees of all loans"."""
        rows = {t.table.key for slot in sketch.context if (t := state.things.get(id(slot))) and not t.column}
        measured = [state.things.get(id(slot)) for _, slot in sketch.measured if slot is not None]
        if len(sketch.compared) == 1 and not measured:
            # "How many members have more than 20 points": their own points before those of something far.
            named = (state.things.get(id(slot)) for slot in (*sketch.counted, *sketch.shown))
            rows |= {each.table.key for each in named if each is not None and each.column is None}
            measured = [state.things.get(id(sketch.compared[0].after))]
        elif len(sketch.ranked) == 1 and sketch.ranked[0].aggregate is None and sketch.shown and not measured:
            # "The depot with the largest capacity": its own, not that of its vans.
            named = (state.things.get(id(slot)) for slot in sketch.shown)
            rows |= {each.table.key for each in named if each is not None and each.column is None}
            measured = [state.things.get(id(sketch.ranked[0].name))]
        own = any(
            each is not None and each.column is not None and each.table.key in rows for each in measured
        )
        worth = _OWN_FIGURE if sketch.measured else _OWN_COMPARED
        return replace(state, score=state.score + worth) if own else state

    def _countable(self, sketch: Sketch, state: Chosen) -> Chosen:
        """How many there are is no question of money: units are not the price of one."""
        counted = [state.things.get(id(slot)) for slot in sketch.counted]
        facts = [self._knowledge.facts.get(each.number) for each in counted if each is not None]
        money = any(each is not None and each.money and each.role is Role.MEASURE for each in facts)
        return replace(state, score=state.score - _OWN_FIGURE) if money else state

    def _gathered(self, sketch: Sketch, state: Chosen) -> Chosen:
        """Values are not counted for each of their own rows: of "ropes per rope kind" it is a column."""
        counted = [state.things.get(id(slot)) for slot in sketch.counted]
        groups = [state.things.get(id(slot)) for slot in sketch.groups if isinstance(slot, Slot)]
        rows = {each.table.key for each in groups if each is not None and each.column is None}
        columns = [each for each in counted if each is not None and each.column is not None]
        same = any(each.table.key in rows for each in columns)
        return replace(state, score=state.score - _OWN_FIGURE) if same else state

    def _certain(self, slot: Slot) -> bool:
        things = things_of(slot.segment)
        return bool(things) and things[0][0].column is None and things[0][1] >= 0.9

    def _fit(self, slot: Slot, thing: Thing) -> float:
        role = self._knowledge.role(thing)
        if role is Role.KEY and slot.role in _NUMBERED and not _says_what(slot, thing):
            return _NOT_THEIRS
        if role is Role.KEY and self._knowledge.is_role(thing):
            return 0.05
        if slot.role == "grouped" and _is_number_of(self._knowledge, slot, thing):
            return _FIT["grouped"][Role.MEASURE] - _COUNTED
        if slot.role == "ranked" and _is_number_of(self._knowledge, slot, thing):
            # "The most comments": the comments themselves, where they are kept.
            return 0.0
        if slot.role == "shown" and _is_unsaid_id(slot, thing):
            return _FIT["shown"].get(role, 0.0) - _ID
        if slot.role == "measured" and thing.column is None and self._has_total(thing):
            return 0.1
        return _FIT.get(slot.role, {}).get(role, 0.0)

    def _has_total(self, thing: Thing) -> bool:
        """Whether rows of a table are amounts: a total of payments is the total of what was paid."""
        return any(total.table.key == thing.table.key for total in self._knowledge.totals)

    def _extended(self, states: list[Chosen], slot: Slot, owner: Table | None) -> list[Chosen]:
        found: list[Chosen] = []
        length = slot.segment.end - slot.segment.start
        every = things_of(slot.segment)
        # What the owner has a column for is a column of no other table.
        owned = [
            each for each in every if owner is not None and each[0].column and each[0].table.key == owner.key
        ]
        things = [*every[:MOST_CANDIDATES], *(each for each in owned if each not in every[:MOST_CANDIDATES])]
        owners = {each.table.key for each, _ in owned or things}
        for state in states:
            for thing, score in things:
                worth = state.score + (score - 1.0) * (1.4 + 0.3 * length) + self._fit(slot, thing)
                worth += _SPELLED * _is_spelled_so(slot, thing)
                worth -= self._cost(thing.table, state.tables)
                worth -= _NOT_OWN * (thing.table.key not in owners)
                tables = state.tables if thing.table in state.tables else (*state.tables, thing.table)
                found.append(Chosen({**state.things, id(slot): thing}, state.values, worth, tables))
        return sorted(found, key=lambda each: -each.score)[:BEAM]

    def _cost(self, table: Table, tables: tuple[Table, ...]) -> float:
        if not tables or table in tables:
            return 0.0
        if any(self._lists_kinds(table, of=other) for other in tables):
            return _OWN_LIST
        nearest = min(
            min(self._joins.distance(other, table), self._joins.distance(table, other)) for other in tables
        )
        return _FAR if nearest > 8 else _HOP * nearest

    def _lists_kinds(self, table: Table, *, of: Table) -> bool:
        """Whether a table lists what rows of another may be, and is called after both: `issue_statuses`."""
        words = self._knowledge.things.table_thing
        own = words[of.key].required
        way = self._joins.way(of, table)
        near = way is not None and len(way.links) == 1 and way.single
        return (
            near and len(words[table.key].required) == len(own) + 1 and words[table.key].required[:-1] == own
        )

    def _dated(self, sketch: Sketch) -> frozenset[TableKey]:
        """The tables with a date that a verb of the question speaks of, where it asks when."""
        if not sketch.when:
            return frozenset()
        words = words_in(ENGLISH)
        said = [piece.stem for piece in sketch.pieces if piece.piece in (Piece.VERB, Piece.NAME)]
        dates = (
            facts.thing
            for facts in self._knowledge.facts.values()
            if facts.role in (Role.DATE, Role.YEAR) and not facts.thing.is_key
        )
        return frozenset(
            date.table.key for date in dates if any(closeness(words, verb, date) >= _NAMED for verb in said)
        )

    def _valued(
        self, states: list[Chosen], kept: Kept, spoken: frozenset[str], sketch: Sketch
    ) -> list[Chosen]:
        found: list[Chosen] = []
        dated = self._dated(sketch)
        for state in states:
            by_column: dict[int, list[Valued]] = {}
            for each in kept.segment.values:
                by_column.setdefault(each.thing.number, []).append(each)
            for values in by_column.values():
                thing = values[0].thing
                top = max(each.score for each in values)
                worth = state.score + (top - 1.0) * 0.8
                worth -= self._cost(thing.table, state.tables)
                worth += self._said(kept, thing, state)
                # "Born in Bergen" is said of a place of birth.
                worth += _SPOKEN_OF if spoken & set(thing.words) else 0.0
                # "From Bergen" says nothing of where somebody died.
                worth -= _SPOKEN_OF if _OF_DEATH & set(thing.words) - spoken else 0.0
                # "When was the guild founded": of the rows that say when they were.
                worth += _SPOKEN_OF if thing.table.key in dated else 0.0
                tables = state.tables if thing.table in state.tables else (*state.tables, thing.table)
                best = tuple(each for each in values if each.score >= top - 0.01)
                found.append(Chosen(state.things, {**state.values, id(kept): best}, worth, tables))
        return sorted(found, key=lambda each: -each.score)[:BEAM] or states

    def _said(self, kept: Kept, thing: Thing, state: Chosen) -> float:
        """What the words around a value say of its column."""
        worth = 0.0
        if kept.qualifier is not None:
            named = state.things.get(id(kept.qualifier))
            if named is not None and named.number == thing.number:
                worth += 0.6
            elif named is not None and named.column is None and named.table.key == thing.table.key:
                worth += 0.4
        labels = self._knowledge.labels(thing.table)
        asked = state.things.get(id(kept.of)) if kept.of is not None else None
        if asked is not None and asked.column is not None and asked.table.key == thing.table.key:
            # "The price of the lawn mower": the thing that is named has the price.
            worth += 0.3
        role = self._knowledge.role(thing)
        elsewhere = not state.tables or thing.table.key != state.tables[0].key
        if thing in labels and self._knowledge.has_name(thing.table):
            worth += 0.3 if elsewhere or _of_columns(kept, thing, state) else 0.05
        elif not elsewhere and role in (Role.CATEGORY, Role.KEY):
            worth += 0.12
        if role is Role.TEXT and thing not in labels:
            worth -= 0.1
        if not elsewhere:
            worth += 0.1
        # Values that are listed together are of one column.
        if (kept.either or kept.listed) and state.values:
            last = list(state.values.values())[-1][0]
            worth += 0.4 if last.thing.number == thing.number else -0.3
        # Two words of one name belong to one row.
        for held in state.values.values():
            if held[0].thing.table.key == thing.table.key and held[0].end == kept.segment.start:
                worth += 0.35 if held[0].thing.number != thing.number else -0.2
        return worth


def _is_spelled_so(slot: Slot, thing: Thing) -> bool:
    said = "_".join(slot.segment.text.casefold().split())
    return thing.column is not None and thing.column.info.name.casefold() == said


def _is_number_of(knowledge: Knowledge, slot: Slot, thing: Thing) -> bool:
    """Whether a column says how many there are of what a name is: "per agent" is by no number of agents."""
    counts = column_words().counts & set(thing.words)
    said = {stem(word) for word in slot.segment.text.casefold().split()}
    return knowledge.role(thing) is Role.MEASURE and bool(counts) and not counts & said


def _spoken_of(sketch: Sketch) -> frozenset[str]:
    """The words of columns that verbs of the message speak of, where they are about a life: born, died."""
    verbs = (piece.stem for piece in sketch.pieces)
    told = (words for verb, words in english().date_verbs.items() if stem(verb) in _OF_LIFE)
    said = set(verbs)
    return frozenset(
        stem(word) for words in told if said & set(map(stem, words)) for word in words if word != "to"
    )


def _spelled(slots: list[Slot], state: Chosen) -> Chosen:
    """ "The titles of the customer contacts": two names that only together say the name of a column."""
    together = said_together(slots, state.things)
    return replace(state, score=state.score + _TOGETHER * len(together)) if together else state


def said_together(slots: list[Slot], things: dict[int, Thing]) -> set[int]:
    """The columns, by their numbers, whose names are said in two pieces, neither of which has all of it."""
    said: dict[int, list[set[str]]] = {}
    named: dict[int, Thing] = {}
    for slot in slots:
        thing = things.get(id(slot))
        if thing is not None and thing.column is not None and len(thing.required) > 1:
            words = {stem(word) for word in slot.segment.text.casefold().split()} & set(thing.required)
            said.setdefault(thing.number, []).append(words)
            named[thing.number] = thing
    return {
        number
        for number, pieces in said.items()
        if len(pieces) > 1
        and set().union(*pieces) == set(named[number].required)
        and all(piece and piece < set(named[number].required) for piece in pieces)
    }


def _says_what(slot: Slot, thing: Thing) -> bool:
    """Whether a key is called by what its values are: the number of an order is that of one order, and the
    key of its date that of a day."""
    text = slot.segment.text.casefold()
    if not text.endswith("s") or text == slot.segment.stem:
        # "They were shipped to": a part that rows play.
        return True
    nouns = [word for word in thing.words if word not in _NUMBERING]
    said = set(map(stem, text.split()))
    return not nouns or nouns[-1] in said or said.isdisjoint(nouns)


def _is_unsaid_id(slot: Slot, thing: Thing) -> bool:
    said = slot.segment.text.casefold().split()
    return thing.column is not None and thing.words[-1] == "id" and set(english().codes).isdisjoint(said)


def _of_columns(kept: Kept, thing: Thing, state: Chosen) -> bool:
    """Whose email it is: where only columns are named, a name that is nothing else is that of their rows."""
    alone = all(
        each.thing.number == thing.number or each.thing.table.key != thing.table.key
        for each in kept.segment.values
    )
    return alone and bool(state.things) and all(each.column is not None for each in state.things.values())
