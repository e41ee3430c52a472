"""A message that asks of another row what was asked of the one in hand: "and the Heron?" after the races of
one boat.

What was asked of a row is no change of the list that it was opened from, and goes on from nothing there. So
the message is read behind that answer, and is a question of its own.
"""

from msgspec.structs import replace

from dragoman.contracts.program import Statement
from dragoman.contracts.state import ReferenceDate
from dragoman.planning.contract import Asked
from dragoman.planning.database.frame import Condition
from dragoman.planning.database.hearing import is_sure
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.database.lean import lean_of
from dragoman.planning.database.unwriter import frame_of
from dragoman.planning.message_periods import placed_periods
from dragoman.planning.tables.table_reading import TableReading
from dragoman.reading.period_grammar import period_grammar


def of_another_row(asked: Asked, planner: JointPlanner, reference: ReferenceDate) -> TableReading | None:
    """The same of another row; None where nothing was asked of a row, or where no other is named."""
    answer, lean = asked.continuity.last_answer, lean_of(asked.text)
    if answer is None or len(answer.program) != 1 or answer.program == asked.continuity.in_hand:
        return None
    before = answer.program[0]
    swaps = lean.opens("about", "and", "same") and lean.pronoun is None
    if not swaps or before.verb.rpartition(".")[0] not in planner.graph.by_name:
        return None
    row = _row_in(before, planner)
    if row is None:
        return None
    said = placed_periods(asked.text, tuple(period_grammar().find(asked.text)), (), reference.day)
    code = asked.reading.language
    found = planner.readings(asked.text, before, said.spans, said.periods, asked.today, code)
    best = next(iter(found), None)
    if best is None or not is_sure(best) or not best.follow_up or row in _conditions(best.statement, planner):
        return None
    return replace(best, follow_up=False, rows=before)


def _row_in(statement: Statement, planner: JointPlanner) -> Condition | None:
    """The key of the one row that a statement is about."""
    keys = [
        each
        for each in _conditions(statement, planner)
        if each.operation == "equal" and each.ref.thing.is_key and len(each.values) == 1 and not each.negative
    ]
    return keys[0] if len(keys) == 1 else None


def _conditions(statement: Statement, planner: JointPlanner) -> tuple[Condition, ...]:
    frame = frame_of(statement, planner.schema_words.knowledge, planner.joins)
    return () if frame is None else frame.conditions
