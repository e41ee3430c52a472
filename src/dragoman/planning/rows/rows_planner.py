"""The planner over rows: a message about one row of the result in hand, whatever table it is of.

It speaks where a row is picked, named or clicked (T3), and where something is asked of the row in hand (T4,
T5). A change of the list itself is not about one row: there it is silent, and the planner over tables reads
the message.
"""

from dragoman.contracts.errors import DragomanError
from dragoman.contracts.vocabulary import Signal
from dragoman.planning.contract import CERTAIN, LIKELY, Asked, PlannerName, Proposal, Refusal
from dragoman.planning.database_planner import DatabasePlanner
from dragoman.planning.rows.ground import Ground
from dragoman.planning.rows.object_question import Asking
from dragoman.planning.rows.object_turn import counted, of_object
from dragoman.planning.rows.picked_row import Picked, named_row, picked
from dragoman.planning.rows.row_object import RowObject, opened
from dragoman.planning.rows.row_proposals import PERHAPS, SURELY, proposed, refused
from dragoman.planning.rows.row_words import asks_which_were_counted, clicked, said
from dragoman.reading.reading import MentionKind, Reading

_MOST_WORDS = 24


class RowsPlanner:
    """Proposes programs about one row, with what the planner over tables knows of them."""

    name = PlannerName.ROWS

    def __init__(self, tables: DatabasePlanner) -> None:
        self._tables = tables

    def propose(self, asked: Asked) -> Proposal | None:
        if not _may_be_of_row(asked):
            return None
        try:
            planner = self._tables.planner.hearing(asked.text, asked.reading.language)
            return _proposal(Ground(asked, self._tables, planner.schema_words))
        except DragomanError as failure:
            refusal = Refusal(failure.code, problem=failure.message)
            rule = f"refuse: the row cannot be looked up: {failure.message}"
            return Proposal(self.name, (Signal.UNCOVERED,), PERHAPS, refuses=refusal, rule=rule)


def _may_be_of_row(asked: Asked) -> bool:
    """Whether there are rows of a table's verb, and the message is no move of the conversation itself."""
    reading, continuity = asked.reading, asked.continuity
    talk = reading.phrase or _is_about_answer(reading) or reading.recap or reading.extend
    if talk or reading.wants_write or reading.affirm is not None or asked.written is not None:
        return False
    answer = continuity.root_answer
    return answer is not None and answer.route not in asked.catalog.packs.verbs and bool(answer.rows)


def _is_about_answer(reading: Reading) -> bool:
    """Whether a phrase says that it is; cues alone do not: "is it paid" has words of both."""
    return reading.meta is not None and bool(reading.of_kind(MentionKind.META))


def _proposal(ground: Ground) -> Proposal | None:
    text, reading = ground.asked.text, ground.asked.reading
    click = clicked(text, reading.language)
    if click is not None:
        return _clicked(ground, click.name, click.rest)
    if asks_which_were_counted(text, reading.language):
        return counted(ground)
    read = said(text, reading)
    if not read.words or len(read.words) > _MOST_WORDS:
        return None
    shown = ground.shown()
    if shown is not None:
        found = picked(read, reading, shown, ground.words, ground.catalog)
        # A name may be one of the slice, although other rows were shown since.
        for each in (shown, ground.slice()) if found is None else ():
            found = found or (named_row(read, each) if each is not None else None)
        if found is not None:
            return _opened(ground, found)
    return of_object(ground, read, shown)


def _opened(ground: Ground, found: Picked | Refusal) -> Proposal:
    """T3: a row that is picked or named is shown whole."""
    if isinstance(found, Refusal):
        return refused(found, (Signal.OBJECT_PICKED,), CERTAIN)
    signals = (Signal.OBJECT_NAMED if found.named else Signal.OBJECT_PICKED,)
    rows = ground.rows(found.shown, found.rows)
    labels = [row.name for row in rows]
    if found.by_amount:
        rows, labels = _first_by_each(ground, found)
    if not rows:
        # "The top one" of groups may be a sure change of the list all the same.
        return refused(Refusal("rows_are_no_objects"), signals, LIKELY)
    asking = [Asking(opened(row, ground.knowledge), row, exact=True) for row in rows]
    return proposed(ground.asked, asking, signals, CERTAIN, found.shown.answer, labels, opens=True)


def _first_by_each(ground: Ground, found: Picked) -> tuple[list[RowObject], list[str]]:
    """For each amount that may be meant, the row that comes first by it."""
    rows: list[RowObject] = []
    labels: list[str] = []
    for each in found.by_amount:
        column = found.shown.answer.columns[each.column].name
        for row in ground.rows(found.shown, each.rows[:1])[:1]:
            rows.append(row)
            labels.append(f"{column}: {row.name}")
    return rows, labels


def _clicked(ground: Ground, name: str, rest: str) -> Proposal | None:
    """T3: the object that a page says was clicked, and what is asked of it."""
    row, shown = ground.called(name), ground.shown()
    source = shown.answer if shown is not None else ground.asked.continuity.root_answer
    if row is None or source is None:
        return None
    signals = (Signal.OBJECT_NAMED,)
    read = said(rest, Reading(ground.asked.reading.language))
    question = ground.question(read)
    whole = [Asking(opened(row, ground.knowledge), row, exact=True)]
    found = question.of(row) if read.content else whole
    if not found:
        return refused(Refusal("uncovered_words", question.unknown), signals, CERTAIN)
    certainty = CERTAIN if all(each.exact for each in found) else SURELY
    return proposed(ground.asked, found, signals, certainty, source, opens=True)
