"""Readings of the planner of frames as readings of the joint planner, and how the two planners' compare."""

import re
from collections.abc import Callable, Sequence

from dragoman.contracts.program import Call, Statement
from dragoman.language.types import parts
from dragoman.planning.database.judgement import Framed, Learned
from dragoman.planning.database.planner import Reading
from dragoman.planning.database.sameness import alike, columns_shown, rows_said
from dragoman.planning.tables.table_reading import TableReading
from dragoman.reading.period_grammar import period_grammar

_NEAR = 0.1
"""How much worse a reading may be that nobody objects to, and still be preferred."""
_LOOKED_AT = 3
_NUMBERS = re.compile(r"\d[\d.,]*")


def told(text: str, reading: Reading, score: float) -> TableReading:
    """A reading of the planner of frames as one of the joint planner."""
    notes = tuple(f"guessed: {guess}" for guess in dict.fromkeys(reading.guesses))
    # A period or a number that found no column is a part of the question that the reading lacks.
    uncovered = (*reading.uncovered, *_lost(text, reading))
    return TableReading(reading.statement, score, uncovered, notes, reading.follows)


def _lost(text: str, reading: Reading) -> tuple[str, ...]:
    """The words of a period or a number that found no column."""
    if not {"period", "number"} & set(reading.guesses):
        return ()
    periods = [each.text for each in period_grammar().find(text)] if "period" in reading.guesses else []
    numbers = _NUMBERS.findall(text) if "number" in reading.guesses and not periods else []
    return tuple(periods or numbers or [text])


def is_shorter(learned: TableReading, framed: Reading) -> bool:
    """Whether a reading shows only some of what another does, where columns were asked for by name; or the
    same, in an order that does not end with what was asked for: which of equals comes first is settled."""
    shown, others = columns_shown(learned.statement), columns_shown(framed.statement)
    lists = learned.statement.verb.endswith(".list")
    if shown == others and not lists:
        return any(each.name == "order" for each in learned.statement.arguments)
    return framed.explicit and bool(shown) and (lists or shown < others)


def margin(found: Sequence[Reading] | Sequence[TableReading], alone: float) -> float:
    """How far the best reading is from the next that asks something else; `alone` where there is none."""
    best = found[0]
    others = [each.score for each in found if not alike(each.statement, best.statement)]
    return best.score - max(others) if others else alone


def lead(found: Sequence[Reading], objections: Callable[[Reading], int], alone: float) -> float:
    """How far the best reading is from the next that asks something else, leaves no word out and meets no
    objection; `alone` where there is none."""
    best = found[0]
    others = (
        each
        for each in sorted(found[1:], key=lambda each: -each.score)
        if not each.uncovered and not alike(each.statement, best.statement)
    )
    near = next((each for each in others if not objections(each)), None)
    return best.score - near.score if near is not None else alone


def forgets(framed: Framed | None, learned: Learned | None) -> bool:
    """Whether the learned reading is the framed one without some of its conditions: words that the one
    accounts for, the other has dropped."""
    if framed is None or learned is None:
        return False
    full, short = framed.reading, learned.reading.statement
    if full.uncovered or framed.objections or full.statement.verb != short.verb:
        return False
    more, less = rows_said(full.statement), rows_said(short)
    return len(less) < len(more) and all(more.get(name) == value for name, value in less.items())


def unobjected_first(found: tuple[Reading, ...], objections: Callable[[Reading], int]) -> tuple[Reading, ...]:
    """The readings with the first near one to the front that the second reader has nothing against, where it
    has against the best."""
    best = found[0]
    # Of changes of what was asked before, the best is the best for what it keeps too.
    if any(each.follows for each in found) or not objections(best):
        return found
    near = [
        each
        for each in found[1 : 1 + _LOOKED_AT]
        if best.score - each.score <= _NEAR
        and len(each.uncovered) <= len(best.uncovered)
        # Whether rows or a figure are asked for is not for the second reader to choose.
        and each.frame.gathered == best.frame.gathered
        and (each.frame.share is None) == (best.frame.share is None)
    ]
    clear = next((each for each in near if not objections(each)), None)
    return found if clear is None else (clear, *(each for each in found if each is not clear))


def holds_to_average(statement: Statement) -> bool:
    """Whether rows are held against an average, which is worked out inside of a condition."""
    values = [argument.value for argument in statement.arguments if argument.name not in ("having", "order")]
    while values:
        value = values.pop()
        if isinstance(value, Call):
            return value.statement.verb.endswith(".average")
        values.extend(parts(value))
    return False
