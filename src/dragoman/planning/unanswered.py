"""What a follow-up on a question that was not answered may mean.

Nobody has said which reading of that question is meant, so the follow-up is read against each of them. It is
as likely as the reading that it rests on and itself together; what it means whichever of them was meant is as
likely as all of them.
A follow-up that makes nothing of any of them may be one of the last answer: then the question is passed over.
After a refusal that is hardly so: whoever says "those" or "sort that" means what they asked for last. Only
what takes the place of a value or a period ("and in May?") may go on from the answer before.
"""

from collections.abc import Callable

from msgspec.structs import replace

from dragoman.contracts.program import Program, Statement
from dragoman.contracts.state import AttemptState
from dragoman.planning.contract import Refusal
from dragoman.planning.database.follow_up_evidence import holds_all, same_roles
from dragoman.planning.database.hearing import is_sure
from dragoman.planning.database.lean import Lean, lean_of
from dragoman.planning.database.offers import ASKED, MOST
from dragoman.planning.database.sameness import alike, rows_said
from dragoman.planning.leaning_words import is_some_of_them, points_back
from dragoman.planning.tables.table_reading import TableReading
from dragoman.session.continuity import Continuity

_READ = 3
"""So many readings of the question are followed: each costs as much as a message."""


_QUOTED = 80
_SWAPPED = 0.5
_BOTH = 2
_FIGURES = frozenset({"by", "of", "also", "with", "order", "groups", "per"})
"""What says how rows are told, and not which."""
_NARROWING = ("only", "also", "among", "each", "rows", "undo", "reverse", "resize", "out", "further")
"""Ways in which a message goes on from what was said last, and takes the place of nothing in it."""


def readings_after(
    attempt: AttemptState, read: Callable[[Program], tuple[TableReading, ...]], *, pending: bool = False
) -> tuple[TableReading, ...]:
    """The readings of a message behind an attempt, the likeliest first. `read` is what the message means
    behind one program. What stands by itself rests on nothing, and stays as likely as it is.

    `pending`: the attempt was offered. Whoever goes on from the only reading as if it were answered has seen
    it, and says nothing against it: where that is sure, or another value in its place, it is likely enough to
    be asked about."""
    alone = pending and len(attempt.readings) == 1
    found: dict[Statement, TableReading] = {}
    for place, before in enumerate(attempt.readings[:_READ]):
        for reading in read(before.program):
            if reading.follow_up:
                known = found.get(reading.statement)
                score = reading.score * before.probability + (known.score if known else 0.0)
                if alone and (is_sure(reading) or _swaps(reading, before.program)):
                    score = max(score, ASKED)
                found[reading.statement] = replace(known or reading, score=round(min(MOST, score), 4))
            elif not place:
                found[reading.statement] = reading
    return tuple(sorted(found.values(), key=lambda each: (bool(each.uncovered), -each.score)))


def readings_past(
    attempt: AttemptState,
    answered: Program,
    read: Callable[[Program], tuple[TableReading, ...]],
    will_do: Callable[[tuple[TableReading, ...]], bool],
    *,
    pending: bool = False,
    points: bool = False,
) -> tuple[TableReading, ...]:
    """The readings of a message after an attempt: behind that, where they will do to answer or to ask about;
    else behind the slice that was answered last, where the message is a sure follow-up of it. `points`: it
    has a pronoun, and so it is about what was said last."""
    after = readings_after(attempt, read, pending=pending)
    if not answered or will_do(after):
        return after
    if pending and points:
        # "That" is what the question is about.
        return after
    of_slice = read(answered)
    if not of_slice or not _goes_on(of_slice[0], answered):
        return after
    if pending and (contested := _either(attempt, of_slice[0], read)):
        return contested
    return tuple(replace(each, of_slice=each.follow_up) for each in of_slice)


def _either(
    attempt: AttemptState, of_slice: TableReading, read: Callable[[Program], tuple[TableReading, ...]]
) -> tuple[TableReading, ...]:
    """Both, where a change of the last answer is as sure a change of what was asked since: "the same for
    Ulm" goes on from either, and nobody knows from which."""
    if not attempt.readings:
        return ()
    since = next(iter(read(attempt.readings[0].program)), None)
    if (
        since is None
        or not is_sure(since)
        or not since.follow_up
        or alike(since.statement, of_slice.statement)
    ):
        return ()
    return replace(since, score=ASKED), replace(of_slice, score=ASKED, of_slice=True)


def readings_past_refusal(
    attempt: AttemptState,
    answered: Program,
    read: Callable[[Program], tuple[TableReading, ...]],
    will_do: Callable[[tuple[TableReading, ...]], bool],
    lean: Lean,
) -> tuple[TableReading, ...]:
    """The readings of a message after a question that was refused. Of the answer before it only what may be
    meant: another value or period in the same question, by a message that points at nothing."""
    found = readings_past(attempt, answered, read, will_do) if attempt.readings else read(answered)
    of_answer = bool(found) and (found[0].of_slice or (found[0].follow_up and not attempt.readings))
    if not of_answer or _takes_place(found[0], answered, lean):
        return found
    return readings_after(attempt, read)


def _takes_place(reading: TableReading, answered: Program, lean: Lean) -> bool:
    points = lean.pronoun is not None or lean.has(*_NARROWING)
    return not points and same_roles(reading.statement, answered[-1])


def may_be_meant(
    readings: tuple[TableReading, ...],
    continuity: Continuity,
    text: str,
    code: str,
    about: Callable[[Statement, str], bool],
) -> tuple[TableReading, ...]:
    """The readings of a message without those that say nothing of what it points at: "who has been there" is
    not everybody. `about`: whether a statement tells of rows of a table."""
    if continuity.root is None and continuity.attempt is None:
        return readings
    if not points_back(text, code):
        return readings
    base = continuity.in_hand
    kept = tuple(each for each in readings if each.follow_up or _speaks_of(each.statement, continuity.base))
    if not base:
        return kept
    # What shows the same once more says nothing new of it.
    if not lean_of(text).has("rows", "same", "undo", "whole"):
        kept = tuple(each for each in kept if not _is_same(each.statement, base[-1]))
    if not is_some_of_them(text):
        return kept
    # "Which of them have a boat" shows some of the rows in hand: no boats, no number of rows, not what each
    # of them has.
    table, gathered = base[-1].verb.rpartition(".")[0], base[-1].argument("by") is not None
    return tuple(
        each
        for each in kept
        if _narrows(each.statement, base[-1])
        and (gathered or (about(each.statement, table) and _shows_rows(each.statement)))
    )


def _is_same(statement: Statement, base: Statement) -> bool:
    shown = [
        argument.value for each in (statement, base) if (argument := each.argument("columns")) is not None
    ]
    return alike(statement, base) and (not shown or (len(shown) == _BOTH and shown[0] == shown[1]))


def _narrows(statement: Statement, base: Statement) -> bool:
    """Whether a statement keeps to fewer rows than those in hand, or ranks them."""
    said, before = rows_said(statement), rows_said(base)
    if "top" in said or "having" in said:
        return True
    return any(name not in _FIGURES and before.get(name) != value for name, value in said.items())


def _shows_rows(statement: Statement) -> bool:
    return statement.argument("by") is not None or statement.verb.rpartition(".")[2] in ("list", "top")


def _speaks_of(statement: Statement, base: Program) -> bool:
    """Whether a reading of its own is about the rows in hand all the same."""
    return any(
        statement.verb.rpartition(".")[0] == each.verb.rpartition(".")[0] or holds_all(statement, each)
        for each in base
    )


def _swaps(reading: TableReading, program: Program) -> bool:
    """Whether a reading is as likely as not, and only puts another value into a program."""
    likely = reading.score >= _SWAPPED and not reading.uncovered
    return likely and same_roles(reading.statement, program[-1])


def refusal_after(continuity: Continuity) -> Refusal:
    """Why nothing can be said of what is about a question without an answer: it is open, or was refused."""
    attempt = continuity.attempt
    if attempt is None or continuity.clarification is not None:
        return Refusal("unanswered_before")
    said = " ".join(attempt.message.split())
    return Refusal("refused_before", (said if len(said) <= _QUOTED else f"{said[: _QUOTED - 1]}…",))


def _goes_on(reading: TableReading, answered: Program) -> bool:
    """Whether a reading is a sure change of what was answered. One that leaves its table may be about what
    the question was about: "their names"."""
    table = answered[-1].verb.rpartition(".")[0]
    same = reading.statement.verb.rpartition(".")[0] == table
    return is_sure(reading) and reading.follow_up and same
