"""Readings of a message that comes after an answer: edits of what was asked, and new questions."""

import datetime as dt
from collections.abc import Sequence

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Statement
from dragoman.planning.database.editor import Editor
from dragoman.planning.database.evidence import evidence, stands_alone
from dragoman.planning.database.first_row import held_to, parted, without_replaced
from dragoman.planning.database.frame import Condition, Frame
from dragoman.planning.database.graft import Graft, Schema, main_table, rows_of
from dragoman.planning.database.lean import Lean, is_one, lean_of
from dragoman.planning.database.planner import MOST_READINGS, QuestionPlanner, Reading
from dragoman.planning.database.resolver import Chosen
from dragoman.planning.database.segments import Cut, Piece
from dragoman.planning.database.sketch import Sketch
from dragoman.planning.database.sketcher import sketch_of
from dragoman.planning.database.spare_arguments import without_spare
from dragoman.planning.database.support import support_of
from dragoman.planning.database.unwriter import frame_of
from dragoman.planning.database.vocabulary import words_in
from dragoman.planning.database.workbench import Edit
from dragoman.planning.database.writer import written
from dragoman.planning.tables.lexicon import spoken
from dragoman.reading.periods import PeriodMention
from dragoman.tables.graph import Table

_CHOICES = 4
_LEANS = 1.2
"""What a message that cannot stand alone loses as a new question."""
_SHORT = 5
_UNCOVERED = 1.0
"""What a word is worth that a cut could make nothing of."""
_SAME = 0.6
"""What an edit that changes nothing loses."""
_SAME_ROWS = 1.2
"""What it loses if fewer rows were asked for."""
_STANDS = 0.9
"""What a message in the form of a whole question loses as an edit."""
_NAMED = 1.0
"""What a name is worth that takes the place of the row that was first."""
_WHOLE = 1.6
"""What one with a subject of its own loses as an edit."""


def follow_ups(
    text: str,
    previous: Statement,
    planner: QuestionPlanner,
    periods: Sequence[PeriodMention] = (),
    today: dt.date | None = None,
) -> tuple[Reading, ...]:
    """Edits of the previous statement and new questions together, the best first."""
    lean = lean_of(text)
    edits = edits_of(text, previous, planner, periods, today)
    leaning = leaning_of(lean, previous, planner, periods)
    alone = [
        replace(each, score=each.score - _LEANS * leaning, leans=leaning)
        for each in planner.readings(lean.polite, periods, today)
    ]
    best: dict[Statement, Reading] = {}
    for reading in (*edits, *alone):
        known = best.get(reading.statement)
        if known is None or reading.score > known.score:
            best[reading.statement] = reading
    return tuple(sorted(best.values(), key=lambda each: -each.score)[:MOST_READINGS])


def leaning_of(
    lean: Lean, previous: Statement, planner: QuestionPlanner, periods: Sequence[PeriodMention]
) -> float:
    """How much a message is about the statement before it: 1 where it cannot be a question of its own."""
    frame = _in_hand(parted(previous)[0], planner)
    cuts = planner.segmenter.cuts(lean.text, periods)[:1]
    return max((evidence(lean, cut, sketch_of(cut), frame, planner.joins) for cut in cuts), default=0.0)


def edits_of(
    text: str,
    previous: Statement,
    planner: QuestionPlanner,
    periods: Sequence[PeriodMention] = (),
    today: dt.date | None = None,
) -> tuple[Reading, ...]:
    """What the message makes of the previous statement."""
    plain, calls = parted(previous)
    frame = _in_hand(plain, planner)
    if frame is None:
        return ()
    lean = lean_of(text)
    schema = Schema(
        planner.knowledge,
        planner.joins,
        words_in(spoken(text)),
        today or dt.date(2026, 1, 1),
        planner.values,
    )
    base = planner.joins.graph.by_name[previous.verb.rpartition(".")[0]]
    found: dict[Statement, Reading] = {}
    for cut in planner.segmenter.cuts(lean.text, periods):
        sketch = sketch_of(cut)
        _settle(sketch, lean)
        if sketch.counts or sketch.measured or sketch.figure_too:
            frame = replace(frame, unshown=False)
        graft = Graft(sketch, frame, schema)
        cues = _cues(cut)
        given = graft.given(planner.resolver)
        known = _known(frame)
        tables = planner.knowledge.things.table_thing
        in_hand = known | {tables[each.key].number for each in (rows_of(frame), main_table(frame))}
        leans = evidence(lean, cut, sketch, frame, planner.joins)
        if lean.has("dropped") and not leans:
            # What was asked is of no interest any more.
            continue
        whole = _STANDS * (1.0 - leans) if stands_alone(cut, sketch) else 0.0
        for chosen in graft.choices(planner.resolver, known)[:_CHOICES]:
            for edit in Editor(graft, chosen, lean, base, cues).edits():
                if edit.frame != frame or sketch.shown or lean.has("whose"):
                    score = cut.score + _scored(edit, chosen, lean, sketch, frame, leans) - given - whole
                    reading = Reading(
                        previous,
                        edit.frame,
                        score,
                        _left_over(edit, sketch, frame),
                        edit.guesses,
                        _names_columns(chosen, sketch, lean),
                        follows=True,
                        support=support_of(cut, sketch, chosen, edit.cost, in_hand),
                        leans=leans,
                    )
                    named = _named_anew(edit, frame, lean)
                    held = without_replaced(calls, named, base, schema) if named else calls
                    worth = score + _NAMED if held != calls else score
                    _add(found, planner, edit, replace(reading, score=worth), held, base)
    ranked = sorted(found.values(), key=lambda each: -each.score)
    return planner.compiled(ranked, 2 * MOST_READINGS)


def _settle(sketch: Sketch, lean: Lean) -> None:
    """Take from a sketch what its words do not mean in a message that leans."""
    if lean.has("top"):
        # Of groups that are in hand one is on top.
        sketch.dropped[:] = [word for word in sketch.dropped if word.casefold() != "top"]
    # "Only where it is official" asks for no place.
    sketch.place = sketch.place and not lean.opens("only")


def _named_anew(edit: Edit, frame: Frame, lean: Lean) -> tuple[Condition, ...]:
    """What rows are held to in the place of what held them: "and those of Ann"."""
    if lean.has("among", "also", "only") or not lean.opens("about", "and", "same", "instead"):
        return ()
    return tuple(each for each in edit.frame.conditions if each not in frame.conditions)


def _left_over(edit: Edit, sketch: Sketch, frame: Frame) -> tuple[str, ...]:
    """The words that an edit does not answer. "List them with the year": of rows a year says nothing that
    is not shown. "She" is the one row in hand."""
    parts = () if edit.frame.gathered or edit.frame.order else sketch.parts_said
    one = frame.limit == 1 or edit.first is not None
    said = [word for word in (*sketch.uncovered, *parts) if not (one and is_one(word))]
    return tuple(dict.fromkeys(word for word in said if word not in edit.covered))


def _in_hand(statement: Statement, planner: QuestionPlanner) -> Frame | None:
    """The frame of a statement. A date between two days is the period that it speaks of, however written."""
    frame = frame_of(statement, planner.knowledge, planner.joins)
    if frame is None:
        frame = frame_of(without_spare(statement), planner.knowledge, planner.joins)
    if frame is None or any(each.operation == "days" for each in frame.conditions):
        return frame
    dated = [each for each in frame.conditions if each.operation == "between" and each.ref.thing.is_date]
    if len(dated) != 1 or dated[0].negative or not all(isinstance(day, dt.date) for day in dated[0].values):
        return frame
    period = replace(dated[0], operation="days")
    return replace(frame, conditions=tuple(period if e == dated[0] else e for e in frame.conditions))


def _known(frame: Frame) -> frozenset[int]:
    """The columns that the frame speaks of."""
    refs = [
        *frame.shown,
        *(each.ref for each in frame.conditions),
        *(each.ref for each in frame.measures if each.ref),
    ]
    refs += [group.ref for group in frame.groups if group.ref is not None]
    return frozenset(ref.thing.number for ref in refs)


def _cues(cut: Cut) -> frozenset[str]:
    return frozenset(kind for segment in cut.segments if segment.piece is Piece.CUE for kind in segment.kinds)


def _scored(edit: Edit, chosen: Chosen, lean: Lean, sketch: Sketch, frame: Frame, leans: float) -> float:
    score = lean.worth + chosen.score - edit.cost - 0.15 * len(edit.guesses)
    filters = sketch.kept or sketch.dated or sketch.compared
    known = frozenset() if filters or lean.words > _SHORT + 1 else _known(frame)
    nouns = [*sketch.shown, *sketch.counted, *(slot for _, slot in sketch.measured if slot)]
    own = [
        slot
        for slot in nouns
        if (thing := chosen.things.get(id(slot))) is not None and thing.number not in known
    ]
    if own:
        score -= _WHOLE * (1.0 - leans)
    score += _UNCOVERED * len(edit.covered)
    score -= (_SAME_ROWS if lean.opens("only") else _SAME) * (edit.frame == frame)
    before = {condition.ref.thing.number for condition in frame.conditions}
    before |= {group.ref.thing.number for group in frame.groups if group.ref is not None}
    # A value of a column that was spoken of is likelier than one of another.
    score += 0.3 * sum(
        each.ref.thing.number in before for each in edit.frame.conditions if each not in frame.conditions
    )
    return score


def _names_columns(chosen: Chosen, sketch: Sketch, lean: Lean) -> bool:
    """Whether columns are asked for by name, "what are their prices", and not beside what is shown already:
    "show their prices"."""
    things = [chosen.things.get(id(slot)) for slot in sketch.shown]
    alone = lean.has("what") and not lean.has("also")
    return alone and any(each is not None and each.column is not None for each in things)


def _add(
    found: dict[Statement, Reading],
    planner: QuestionPlanner,
    edit: Edit,
    reading: Reading,
    calls: tuple[Argument, ...],
    base: Table,
) -> None:
    statement = written(edit.frame, planner.knowledge, planner.joins)
    if statement is not None and edit.first is not None:
        statement = held_to(statement, edit.first)
    if statement is not None and calls:
        # What was held to the value of a call stays so, as long as the same table is asked.
        same = statement.verb.rpartition(".")[0] == base.name and edit.first is None
        statement = replace(statement, arguments=(*statement.arguments, *calls)) if same else None
    if statement is None:
        return
    known = found.get(statement)
    if known is None or reading.score > known.score:
        found[statement] = replace(reading, statement=statement)
