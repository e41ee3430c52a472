"""A message about the rows in hand, read with their noun in the place of what points at them.

"Which of them ordered in 2018" after customers in France is "which customers ordered in 2018", asked of
those: whatever the planner can make of a whole question it can make of some rows, too. So the noun is put in,
the question is read as if nothing had been asked, and what it means is kept to the rows in hand.
"""

from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Map, Statement
from dragoman.contracts.state import ReferenceDate
from dragoman.planning.another_row import of_another_row
from dragoman.planning.contract import Asked
from dragoman.planning.database.hearing import SURE, is_sure
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.database.lean import said_phrases
from dragoman.planning.database.sameness import alike
from dragoman.planning.message_periods import period_in_hand, placed_periods
from dragoman.planning.picked_place import doubted, noun_of, picks_a_row, row_said, without_name
from dragoman.planning.rows_in_hand import rows_in_hand
from dragoman.planning.tables.lexicon import others_spoken
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.within_rows import is_plain, within
from dragoman.reading.period_grammar import period_grammar

_STOOD: Final = 0.95
"""How likely a question is with a noun that was put in, of what it is alone. What is sure stays so."""
_LOST: Final = 0.3
"""How likely a reading may be that has no place for a period beside one that has, at most."""
_POINTING: Final = frozenset({"among", "plural", "each"})
_EACH: Final = "each"


def with_noun(
    asked: Asked,
    planner: JointPlanner,
    found: tuple[TableReading, ...],
    reference: ReferenceDate,
) -> tuple[TableReading, ...]:
    """The readings of a message, and before them what it means with the noun of the rows in hand, where that
    is likelier."""
    other = of_another_row(asked, planner, reference)
    if other is not None:
        # What the row was opened from is not what was asked last.
        lost = (replace(each, score=round(each.score * _LOST, 4)) for each in found)
        return (other, *(each for each in lost if not alike(each.statement, other.statement)))
    dated = bool(asked.reading.dates) and any(map(_dates_others, asked.continuity.in_hand))
    # What was made of the statement in hand may have lost a period that it has already: of something else.
    found = doubted(asked, found)
    will_do = bool(found) and is_sure(found[0]) and not dated
    reading = None if will_do or others_spoken(asked.text) else _stood(asked, planner, reference)
    if reading is None:
        return found
    same = next((each for each in found if alike(each.statement, reading.statement)), None)
    if same is not None:
        # Written as follow-ups are.
        reading = replace(reading, statement=same.statement, score=max(reading.score, same.score))
    others = tuple(each for each in found if each is not same)
    if found and found[0] is not same and found[0].score >= reading.score and not dated:
        return found
    if dated:
        most = reading.score * (_LOST if is_sure(reading) else 1.0)
        others = tuple(replace(each, score=round(min(each.score, most), 4)) for each in others)
    return (reading, *others)


def _dates_others(statement: Statement) -> bool:
    """Whether rows are held to a period of others that belong to them: guests who came in May."""
    days = [
        Argument(each.key, each.value)
        for argument in statement.arguments
        if argument.name == "where" and isinstance(argument.value, Map)
        for each in argument.value.entries
        if "-by-" in each.key
    ]
    return bool(days) and period_in_hand((replace(statement, arguments=tuple(days)),)) is not None


def _stood(asked: Asked, planner: JointPlanner, reference: ReferenceDate) -> TableReading | None:
    """What a message means with the noun of the rows in hand, kept to these; None where it says nothing of
    them."""
    in_hand = asked.continuity.in_hand
    points = picks_a_row(asked) or any(each.kinds & _POINTING for each in said_phrases(asked.text))
    if not points or len(in_hand) != 1 or in_hand[0].verb.rpartition(".")[0] not in planner.graph.by_name:
        return None
    knowledge = planner.schema_words.knowledge
    if picks_a_row(asked):
        return _best(row_said(asked, planner), asked, planner, reference)
    plain = is_plain(in_hand[0])
    rows = in_hand[0] if plain else rows_in_hand(asked, knowledge)
    text = None if rows is None else said_with_noun(asked.text, rows, planner)
    if rows is None or text is None:
        return None
    found = _best([(text, rows)], asked, planner, reference)
    return found if found is None or not plain else replace(found, rows=None)


def _best(
    said: list[tuple[str, Statement]], asked: Asked, planner: JointPlanner, reference: ReferenceDate
) -> TableReading | None:
    """The likeliest of what some texts mean, each kept to its rows."""
    found: list[TableReading] = []
    for text, rows in said:
        best = _alone(asked, planner, text, reference)
        kept = None if best is None or best.uncovered else within(best.statement, rows, planner.joins)
        if best is None or kept is None:
            continue
        kept = without_name(kept, rows, planner.schema_words.knowledge)
        score = round(max(best.score * _STOOD, SURE if is_sure(best) else 0.0), 4)
        found.append(TableReading(kept, score, notes=best.notes, follow_up=True, rows=rows))
    return max(found, key=lambda each: each.score, default=None)


def _alone(asked: Asked, planner: JointPlanner, text: str, reference: ReferenceDate) -> TableReading | None:
    """What a text means where nothing was asked before it."""
    said = placed_periods(text, tuple(period_grammar().find(text)), (), reference.day)
    if said.relative:
        return None
    found = planner.readings(text, None, said.spans, said.periods, asked.today, asked.reading.language)
    return found[0] if found else None


def said_with_noun(text: str, rows: Statement, planner: JointPlanner) -> str | None:
    """The message with the noun where it points at rows; None where it does not, or not plainly."""
    pointing = next((each for each in said_phrases(text) if each.kinds & _POINTING), None)
    if pointing is None or "owner" in pointing.kinds:
        # "Their" says whose something is, and no noun takes its place.
        return None
    noun = noun_of(rows)
    behind = planner.schema_words.table_at(text, pointing.last)
    if behind is None:
        noun = f"each {noun}" if _EACH in pointing.kinds else noun
    elif behind != rows.verb.rpartition(".")[0]:
        # "The first of those teams" after players: the rows of another answer.
        return None
    else:
        noun = "each" if _EACH in pointing.kinds else ""
    return f"{text[: pointing.start]}{noun}{text[pointing.end :]}"
