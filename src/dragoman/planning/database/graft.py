"""A message read upon a frame: its sketch gets the subject and the groups that it leaves unsaid."""

import datetime as dt
from dataclasses import replace

from msgspec.structs import replace as structs_replace

from dragoman.contracts.record import Record
from dragoman.databases.values import ValueIndex
from dragoman.planning.database.composer import Composer
from dragoman.planning.database.frame import Frame, Group
from dragoman.planning.database.joins import Joins
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.resolver import Chosen, Resolver
from dragoman.planning.database.segments import Piece, Segment
from dragoman.planning.database.sketch import Sketch, Slot
from dragoman.planning.database.vocabulary import Words
from dragoman.planning.tables.name_linker import Named
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Table

_AGAIN = 0.3
"""A name that the frame has used means the same again."""


_NEAR = 0.12


class Schema(Record, frozen=True, gc=True):
    """What a planner knows of a database, and the day it is."""

    knowledge: Knowledge
    joins: Joins
    words: Words
    today: dt.date
    values: ValueIndex


def unsaid(thing: Thing, role: str) -> Slot:
    """A name that nobody said: it stands before the message."""
    named = Named(-2, -1, thing, 1.0)
    return Slot(Segment(-2, -1, Piece.NAME, "", "", names=(named,)), role)


def main_table(frame: Frame) -> Table:
    """The table whose dates and columns a fragment speaks of: the one that is measured, else listed."""
    return next((m.table for m in frame.measures if m.table is not None), frame.subject)


def rows_of(frame: Frame) -> Table:
    """The things that an answer is about: what rows are gathered by, else the rows themselves."""
    return next((group.table for group in frame.groups if group.table is not None), frame.subject)


class Graft:
    """One sketch of a message with one choice of names, upon the frame in hand."""

    def __init__(self, sketch: Sketch, frame: Frame, schema: Schema) -> None:
        self.sketch = sketch
        self.frame = frame
        self.schema = schema
        things = schema.knowledge.things
        self.main = unsaid(things.table_thing[main_table(frame).key], "context")
        self.rows = unsaid(things.table_thing[rows_of(frame).key], "context")
        self.groups = [unsaid(_grouped(group, schema.knowledge), "grouped") for group in frame.groups]
        near = {main_table(frame).key, rows_of(frame).key}
        for slot in sketch.slots():
            # Of columns with one name, those of the tables in hand are looked at first.
            names = sorted(slot.segment.names, key=lambda each: each.thing.table.key not in near)
            slot.segment = structs_replace(slot.segment, names=tuple(names))

    def given(self, resolver: Resolver) -> float:
        """What the names that nobody said are worth by themselves."""
        alone = resolver.resolved(Sketch(context=[self.main, *self.groups, self.rows]))
        return alone[0].score if alone else 0.0

    def choices(self, resolver: Resolver, known: frozenset[int]) -> list[Chosen]:
        """What the names of the message may mean. `known`: columns that the frame speaks of."""
        context = [self.main, *self.sketch.context, *self.groups, self.rows]
        found = resolver.resolved(replace(self.sketch, context=context))
        all_things = self.schema.knowledge.things.all
        tables = {all_things[number].table.key for number in known} | {rows_of(self.frame).key}
        said = {id(slot) for slot in self.sketch.slots()}

        def worth(chosen: Chosen) -> float:
            things = [thing for key, thing in chosen.things.items() if key in said]
            again = sum(thing.number in known for thing in things)
            near = sum(thing.table.key in tables and thing.number not in known for thing in things)
            return chosen.score + _AGAIN * again + _NEAR * near

        return sorted(
            (structs_replace(each, score=worth(each)) for each in found), key=lambda each: -each.score
        )

    def subject(self, thing: Thing) -> Slot:
        return unsaid(thing, "shown")

    def with_subject(self, chosen: Chosen, slot: Slot) -> Chosen:
        """The choice of names, and a subject that was not there when they were chosen."""
        thing = slot.segment.names[0].thing
        return Chosen({**chosen.things, id(slot): thing}, chosen.values, chosen.score, chosen.tables)

    def completed(self, chosen: Chosen) -> Chosen:
        """A choice that was made upon another frame, with the names that this one leaves unsaid."""
        for slot in (self.main, self.rows, *self.groups):
            chosen = self.with_subject(chosen, slot)
        return chosen

    def composed(
        self, chosen: Chosen, subject: Slot, **changed: object
    ) -> tuple[Frame, float, tuple[str, ...]] | None:
        """The frame of the message with a subject, and with some slots of the sketch changed."""
        role = "counted" if self.frame.gathered and subject is self.main else "shown"
        sketch = replace(
            self.sketch,
            shown=[],
            counted=[],
            counts=False,
            measured=[],
            ranked=[],
            orders=[],
            limit=None,
            when=False,
            place=False,
            how=[],
            who=False,
            maybe=None,
            everything=False,
            distinct=False,
            share=False,
            uncovered=list(self.sketch.uncovered),
            verbs=list(self.sketch.verbs),
        )
        fixed = {role: [subject]} if not changed.keys() & {"shown", "counted", "measured"} else {}
        sketch = replace(sketch, **{**fixed, **changed})  # type: ignore[arg-type]
        schema = self.schema
        composer = Composer(sketch, chosen, schema.knowledge, schema.joins, schema.words, schema.today)
        for draft in composer.drafts():
            return draft.frame, draft.cost, draft.guesses
        return None


def _grouped(group: Group, knowledge: Knowledge) -> Thing:
    if group.ref is not None:
        return group.ref.thing
    return group.through or knowledge.things.table_thing[group.target.key]
